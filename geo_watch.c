// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which writes were slow, and what that says of the streams: whether the card
 * can keep all of them open.
 */
#include "geometry_impl.h"

#define WATCH_MIN_CLEAN	12
#define WATCH_FEW	8	/* streams */
#define WATCH_REGULAR	4	/* equal distances of slow writes */

/**
 * geo_recent() - what a fast write takes
 * @g: the inference
 * @most: the median of so many last ones at most
 *
 * Return: ns; 0 if there has been none.
 */
u64 geo_recent(const struct fb_geometry *g, u32 most)
{
	const struct geo_writer *w = &g->w;
	u32 n = min_t(u32, min_t(u32, w->nrecent, GEO_RECENT), most);
	u64 v[GEO_RECENT];
	u32 i;

	for (i = 0; i < n; i++)
		v[i] = w->recent[(w->nrecent - 1 - i) % GEO_RECENT];
	return fb_median(v, n);
}

/**
 * geo_watch_add() - judge the streams by one more write
 * @w: what was seen
 * @speed: of it
 *
 * If they do not all fit, there are collections in any two rounds, whichever
 * erase block the card closes: in one round, if a block that was closed costs
 * when it is opened; in two, if only when it is then written out of order. At
 * equal distances they come from a card that closes the one that is oldest;
 * it never gets rid of them. A card that closes any of them needs as many
 * collections as there are streams, on average, to get rid of one left over
 * from before; when it is known to be such a card, more are waited for, and
 * equal distances are a matter of luck. Once there has been a collection, what
 * was only slow may be one with little to copy. No more of what looks like one
 * than with few streams are none.
 *
 * Return: what can be said.
 */
enum geo_fit geo_watch_add(struct geo_watch *w, enum geo_speed speed)
{
	u32 most, gap = ++w->since;

	w->writes++;
	if (speed != GEO_FAST && !w->slow) {
		w->slow = true;
		w->since = 0;
	} else if (speed != GEO_FAST) {
		w->since = 0;
		w->same = gap == w->gap ? w->same + 1 : 1;
		w->gap = gap;
		if (!w->patient &&
		    w->same >= (w->n > 2 ? WATCH_REGULAR : WATCH_REGULAR + 1))
			return GEO_THRASHES;
	}
	if (speed != GEO_COLLECTION) {
		if (speed == GEO_SLOW && w->collections &&
		    w->writes < GEO_ROUNDS * w->n)
			w->clean = 0;
		else
			w->clean++;
		if (w->writes >= GEO_ROUNDS * w->n &&
		    1000 * w->collections < w->usual_pm * w->writes)
			return GEO_FITS;
		return w->clean >= max_t(u32, 2 * w->n, WATCH_MIN_CLEAN) ?
		       GEO_FITS : GEO_UNDECIDED;
	}
	w->clean = 0;
	w->collections++;
	most = (4 + w->patient) * w->n / 2;
	/* one or two left over are not closed that often */
	if (w->kept && w->patient && 3 * w->collections > w->writes)
		most = w->n;
	return w->collections >= max_t(u32, most, WATCH_MIN_CLEAN) ?
	       GEO_THRASHES : GEO_UNDECIDED;
}

/**
 * geo_closing() - streams that do not fit show what closing one of them takes
 * @g: the inference, after geo_passes()
 */
void geo_closing(struct fb_geometry *g)
{
	struct geo_writer *w = &g->w;

	w->closing = fb_median(w->slow, min_t(u32, w->nslow, GEO_RECENT));
}

/**
 * geo_whole() - what filling an erase block takes, with one stream
 * @g: the inference
 *
 * Too much rather than too little: each write has a fixed cost.
 *
 * Return: ns.
 */
u64 geo_whole(const struct fb_geometry *g)
{
	return div_u64(g->w.set.unit, g->w.set.block) * g->w.linear.single;
}

/**
 * geo_usual() - say what a fast write takes
 * @g: the inference
 * @ns: that long
 */
void geo_usual(struct fb_geometry *g, u64 ns)
{
	struct geo_writer *w = &g->w;

	for (w->nrecent = 0; w->nrecent < GEO_RECENT / 4; w->nrecent++)
		w->recent[w->nrecent] = ns;
}

/**
 * geo_unlimited() - what many streams take, in order, that had no limit
 * @g: the inference
 *
 * To take as long is no sign of a limit in another order.
 *
 * Return: ns; 0 if there is a limit, or none is known.
 */
u64 geo_unlimited(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;

	return l->known && l->number == GEO_NO_LIMIT ? l->level : 0;
}

/**
 * geo_speed_of() - judge a write, against those before
 * @g: the inference
 * @ns: the time it took
 *
 * To close an erase block takes about as long as to fill one; other slow writes
 * were disturbed.
 *
 * Return: how fast it was.
 */
enum geo_speed geo_speed_of(struct fb_geometry *g, u64 ns)
{
	struct geo_writer *w = &g->w;
	u64 usual = geo_recent(g, GEO_RECENT);
	u64 whole = geo_whole(g);

	/* a card may become slower with the number of streams; minutes, in ns */
	if (w->linear.pair)
		whole = div64_u64((whole >> 10) * usual, w->linear.pair) << 10;
	usual = max(usual, geo_unlimited(g));

	if (!w->nrecent || 2 * ns <= 5 * usual) {
		w->recent[w->nrecent++ % GEO_RECENT] = ns;
		return GEO_FAST;
	}
	whole = div_u64(whole, 8);
	/* the fixed cost of a write may make that far too much */
	if (w->closing)
		whole = min(whole, div_u64(w->closing, 4));
	if (!w->guessed && ns < whole)
		return GEO_SLOW;
	g->collections++;
	return GEO_COLLECTION;
}

/* Judge the last @n writes. */
static enum geo_fit watch_turn(struct fb_geometry *g, u32 n)
{
	enum geo_fit now, fit = GEO_UNDECIDED;
	struct geo_watch *watch = &g->w.watch;
	enum geo_speed speed;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!(g->w.counts & BIT_ULL(i))) {
			/* what it closes cannot be told from what it costs */
			watch->since++;
			if (watch->writes < 2 * GEO_ROUNDS * watch->n)
				watch->clean = 0;
			continue;
		}
		speed = geo_speed_of(g, g->ns[i]);
		if (speed != GEO_FAST)
			g->w.slow[g->w.nslow++ % GEO_RECENT] = g->ns[i];
		now = geo_watch_add(watch, speed);
		if (fit == GEO_UNDECIDED)
			fit = now;
	}
	return fit;
}

/**
 * geo_passes() - can all the streams be open at once?
 * @g: the inference
 * @fit: gets whether they can
 *
 * Few writes at a time: each may be a collection that tells nothing new.
 *
 * Return: 0 or an error.
 */
int geo_passes(struct fb_geometry *g, enum geo_fit *fit)
{
	struct geo_writer *w = &g->w;
	struct geo_watch *watch = &w->watch;
	u32 few = w->set.n <= 2 ? 6 : 5;
	int ret;

	w->nslow = 0;
	ret = geo_set_rest(g);
	if (ret)
		return ret;
	*watch = (struct geo_watch) {
		.n = w->set.n,
		.patient = w->sporadic * (1 + w->linear.known),
		.kept = w->set.order == GEO_RANDOM,
	};
	if (watch->n > WATCH_FEW && w->few)
		watch->usual_pm = div_u64(1500 * (w->few_slow + 1), w->few);
	do {
		ret = geo_turn(g, few);
		if (ret)
			return ret;
		*fit = watch_turn(g, few);
	} while (*fit == GEO_UNDECIDED);
	if (*fit == GEO_THRASHES)
		w->sporadic = watch->same < WATCH_REGULAR &&
			      4 * watch->collections < 3 * watch->writes;
	else
		w->stray += watch->collections;
	if (*fit == GEO_FITS && watch->n <= WATCH_FEW) {
		w->few += watch->writes;
		w->few_slow += watch->collections;
	}
	return 0;
}
