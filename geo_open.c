// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many erase blocks the card keeps open: a set of them grows by one at a
 * time until they do not all fit, and the answer is confirmed on fresh ones.
 */
#include "geometry_impl.h"

#define OPEN_MOST	48	/* streams that are tried */
#define OPEN_SINGLE	12	/* writes of the first stream */
#define OPEN_STEPS	6	/* corrections before giving up */
#define OPEN_MIN_BLOCKS	8	/* writes in an erase block; a collection must */
				/* be dearer than one of them */
#define OPEN_UNCONFIRMED	850	/* confidence */
#define OPEN_GUESSED	700

/*
 * The next number of streams. To take some away again is dear on a card that
 * closes any of them, which shows by slow writes here and there.
 */
static u32 open_next(const struct fb_geometry *g, u32 n)
{
	/* no limit is to be expected, in any order */
	if (g->w.set.order == GEO_RANDOM && n >= 2 &&
	    g->w.linear.number == GEO_NO_LIMIT)
		return n < OPEN_MOST / 2 ? 2 * n : n + OPEN_MOST / 4;
	if (n < 16 || 4 * g->w.stray > n)
		return n + 1;
	return n + (n < 32 ? 2 : 4);
}

/* Without a known erase block: far more than one, and a common multiple. */
static u64 open_guess(const struct fb_geometry *g)
{
	u64 most = g->probe.disk_size / 64;
	u64 unit = 12ULL << 20;

	if (most >= unit)
		return most - fb_modulo(most, unit);
	while (unit > most)
		unit /= 2;
	return unit;
}

static struct geo_limit *open_limit(struct fb_geometry *g)
{
	return g->w.set.order == GEO_RANDOM ? &g->w.random : &g->w.linear;
}

/* ---- one stream ---- */

/* Is a level that is slow one of closing erase blocks? If not, it is normal. */
static int open_explain(struct fb_geometry *g, u64 slow, u32 n,
			enum geo_fit *fit)
{
	struct geo_writer *w = &g->w;
	u64 fast = w->linear.single;
	bool price;
	int ret;

	ret = geo_is_price(g, fast, slow - min(slow, fast), &price);
	*fit = GEO_THRASHES;
	if (ret || !price)
		return ret;
	geo_usual(g, slow);
	while (w->set.n < n && !ret)
		ret = geo_set_add(g);
	return ret ? ret : geo_passes(g, fit);
}

static bool open_single_is_slow(const struct fb_geometry *g)
{
	u64 fast = max(g->w.linear.single, geo_unlimited(g));

	return g->w.set.order == GEO_RANDOM && fast &&
	       2 * g->w.random.single > 5 * fast;
}

/* What one stream takes; out of order that may already be too many. */
static int open_single(struct fb_geometry *g)
{
	struct geo_limit *l = open_limit(g);
	enum geo_fit fit;
	int ret;

	ret = geo_level(g, 1, OPEN_SINGLE, &l->single);
	if (ret)
		return ret;
	l->tried = 1;
	if (open_single_is_slow(g)) {
		g->collections += OPEN_SINGLE;
		ret = open_explain(g, l->single, 1, &fit);
		if (ret)
			return ret;
		if (fit == GEO_THRASHES) {
			l->known = true;
			l->confidence = 960;
			return 0;
		}
	}
	geo_usual(g, l->single);
	return 0;
}

/* ---- growing ---- */

static void open_note_level(struct fb_geometry *g, u32 n)
{
	struct geo_limit *l = open_limit(g);
	u64 level = geo_recent(g, max_t(u32, 2 * n, 12));

	/* whichever was not disturbed */
	if (n == 2 || (n == 3 && level < l->pair))
		l->pair = level;
	/* on a coarse clock a write may take no time */
	if (n > 3 && l->level)
		l->jump = max(l->jump, div64_u64(1000 * level, l->level));
	l->level = level;
	l->tried = n;
}

/* Make it @n streams, fresh ones unless which is closed is a matter of luck. */
static int open_fill(struct fb_geometry *g, u32 n, bool fresh)
{
	struct geo_set *set = &g->w.set;
	int ret = 0;

	if (fresh && !g->w.sporadic)
		geo_set_start(g, set->order, set->unit, set->block);
	if (set->n > n) {
		set->n = n;
		set->next = 0;
	}
	while (set->n < n && !ret)
		ret = geo_set_add(g);
	if (fresh)
		set->next = 0;
	return ret;
}

static int open_try(struct fb_geometry *g, u32 n, bool fresh, enum geo_fit *fit)
{
	int ret = open_fill(g, n, fresh);

	return ret ? ret : geo_passes(g, fit);
}

/*
 * Two or three streams are slow. Of the last writes, most were. What it costs
 * to go elsewhere two have shown already.
 */
static int open_explain_few(struct fb_geometry *g, enum geo_fit *fit)
{
	u64 slow, pair = open_limit(g)->pair;
	u32 i, n = g->w.set.n;

	for (i = 0; i < 5; i++)
		g->w.a[i] = g->ns[i];
	slow = fb_median_s64(g->w.a, 5);
	if (n > 2 && pair && 2 * slow > 5 * pair)
		return 0;
	return open_explain(g, slow, n, fit);
}

/*
 * Two streams are so much slower than one that each write may have closed an
 * erase block, if the card copies far faster than it is written to.
 */
static bool open_is_ambiguous(const struct geo_limit *l)
{
	return l->pair > 4 * l->single;
}

/* Grow until it is too much: @low fit, @high do not; 0: nothing was too much */
static int open_grow(struct fb_geometry *g, u32 *low, u32 *high)
{
	enum geo_fit fit;
	u32 n;
	int ret;

	*low = 1;
	*high = 0;
	for (n = 2; n <= OPEN_MOST; n = open_next(g, n)) {
		ret = open_try(g, n, false, &fit);
		if (!ret && n <= 3 && fit == GEO_THRASHES)
			ret = open_explain_few(g, &fit);
		if (ret)
			return ret;
		if (fit == GEO_THRASHES) {
			geo_closing(g);
			*high = n;
			return 0;
		}
		*low = n;
		open_note_level(g, n);
	}
	return 0;
}

static int open_bisect(struct fb_geometry *g, u32 *low, u32 *high)
{
	enum geo_fit fit;
	u32 mid;
	int ret;

	while (*high - *low > 1) {
		mid = (*low + *high) / 2;
		ret = open_try(g, mid, true, &fit);
		if (ret)
			return ret;
		if (fit == GEO_FITS)
			*low = mid;
		else
			*high = mid;
	}
	return 0;
}

/*
 * Do @n fit on fresh erase blocks? A card that closes any of them may take long
 * to get rid of those from before: ask it twice.
 */
static int open_fits(struct fb_geometry *g, u32 n, enum geo_fit *fit)
{
	int ret = open_try(g, n, true, fit);

	if (ret || *fit == GEO_FITS || g->w.sporadic)
		return ret;
	return geo_passes(g, fit);
}

/* On fresh erase blocks, @n must fit and one more must not. */
static int open_confirm(struct fb_geometry *g, u32 n)
{
	struct geo_limit *l = open_limit(g);
	enum geo_fit fit;
	bool fits = false;
	int ret;

	l->known = false;
	for (l->steps = 0; l->steps <= OPEN_STEPS && n; l->steps++) {
		ret = 0;
		fit = GEO_FITS;
		if (!fits)
			ret = open_fits(g, n, &fit);
		if (ret == -ENOSPC && !l->steps)
			l->known = true;
		if (ret)
			return ret;
		if (fit == GEO_THRASHES) {
			n--;
			continue;
		}
		fits = true;
		ret = open_try(g, n + 1, false, &fit);
		if (ret == -ENOSPC && !l->steps)
			l->known = true;
		if (ret)
			return ret;
		if (fit == GEO_THRASHES) {
			l->known = true;
			l->number = n;
			l->confidence = 980 - 30 * l->steps;
			return 0;
		}
		n++;
	}
	return 0;
}

/*
 * Out of order no more can be open than in order: if as many are, that is all.
 * To go on in the erase blocks that are open closes none.
 */
static int open_as_linear(struct fb_geometry *g, bool in_place)
{
	const struct geo_limit *linear = &g->w.linear;
	struct geo_limit *l = &g->w.random;
	struct geo_set *set = &g->w.set;
	enum geo_fit fit = GEO_FITS;
	int ret = 0;

	if (in_place && !open_single_is_slow(g))
		set->n = linear->number;
	if (linear->number > 1)
		ret = open_try(g, linear->number, false, &fit);
	if (!ret && fit == GEO_FITS) {
		l->known = true;
		l->number = linear->number;
		l->confidence = linear->confidence;
		return 0;
	}
	g->w.sporadic = false;
	geo_set_start(g, GEO_RANDOM, set->unit, set->block);
	return ret;
}

/* Returns whether there are as many streams as can be open. */
static bool open_start(struct fb_geometry *g, enum geo_order order, u64 unit,
		       bool in_place)
{
	in_place &= g->w.set.n >= g->w.linear.number;
	if (in_place) {
		geo_set_shuffle(g, g->w.linear.number);
		g->w.set.n = 1;
	} else {
		g->w.sporadic = false;
		geo_set_start(g, order, unit, geo_write_block(g, unit));
	}
	*open_limit(g) = (struct geo_limit) { .unit = unit };
	return in_place;
}

static int open_measure(struct fb_geometry *g, enum geo_order order, u64 unit,
			bool in_place)
{
	struct geo_limit *l;
	u32 low, high;
	int ret;

	in_place = open_start(g, order, unit, in_place);
	l = open_limit(g);
	ret = open_single(g);
	if (!ret && !l->known && order == GEO_RANDOM && g->w.linear.known &&
	    g->w.linear.number != GEO_NO_LIMIT)
		ret = open_as_linear(g, in_place);
	if (ret || l->known)
		return ret;
	ret = open_grow(g, &low, &high);
	if (ret)
		return ret;
	if (!high) {
		l->known = true;
		l->number = GEO_NO_LIMIT;
		l->confidence = open_is_ambiguous(l) ? OPEN_GUESSED : 930;
		return 0;
	}
	ret = open_bisect(g, &low, &high);
	if (ret)
		return ret;
	l->known = true;
	l->number = low;
	if (order == GEO_RANDOM && low == g->w.linear.number) {
		l->confidence = g->w.linear.confidence;
		return 0;
	}
	ret = open_confirm(g, low);
	/* no room to confirm it */
	if (ret == -ENOSPC)
		l->confidence = OPEN_UNCONFIRMED;
	return ret == -ENOSPC ? 0 : ret;
}

/* ---- saying ---- */

static u32 open_confidence(const struct fb_geometry *g,
			   const struct geo_limit *l)
{
	if (g->w.checked)
		return l->confidence;
	/* a size that is too large makes the limit too small, if anything */
	if (g->w.guessed)
		return l->number == GEO_NO_LIMIT ?
			min_t(u32, l->confidence, OPEN_UNCONFIRMED) :
			OPEN_GUESSED;
	/* one method alone does not make sure */
	return min_t(u32, l->confidence, FB_SURE - 1);
}

static void open_say(struct fb_geometry *g, enum fb_verdict_key key,
		     const struct geo_limit *l)
{
	u32 confidence = open_confidence(g, l);

	if (!l->known)
		geo_unknown(g, key, FB_BASIS_WRITE, "%u tried, contradictory",
			    l->tried);
	else if (l->number == GEO_NO_LIMIT)
		geo_say_text(g, key, "no_limit", 0, confidence, FB_BASIS_WRITE,
			     "no limit up to %u", l->tried);
	else if (!l->number)
		geo_say(g, key, 0, confidence, FB_BASIS_WRITE,
			"already one block out of order is slow");
	else
		geo_say(g, key, l->number, confidence, FB_BASIS_WRITE,
			"%u fit, %u thrash%s", l->number, l->number + 1,
			l->confidence == OPEN_UNCONFIRMED ?
			", no room to confirm it" : " on fresh blocks");
}

static void open_say_mapping(struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;
	u64 pair = l->pair, decline;

	if (!l->known) {
		geo_unknown(g, FB_MAPPING, FB_BASIS_WRITE,
			    "limit of open blocks not known");
		return;
	}
	if (l->number != GEO_NO_LIMIT) {
		geo_say_text(g, FB_MAPPING, "block", 0, open_confidence(g, l),
			     FB_BASIS_WRITE, "sharp limit of open blocks");
		return;
	}
	if (open_is_ambiguous(l)) {
		geo_unknown(g, FB_MAPPING, FB_BASIS_WRITE,
			    "two streams are far slower than one, no more than two");
		return;
	}
	if (g->w.pair)
		pair = min(pair, g->w.pair);
	decline = div64_u64(100 * l->level, max_t(u64, pair, 1));
	if (decline >= 130 && l->jump < 2500)
		geo_say_text(g, FB_MAPPING, "log", 0, 900, FB_BASIS_WRITE,
			     "no limit up to %u, gradual decline x%llu.%02llu",
			     l->tried, decline / 100, decline % 100);
	else
		geo_say_text(g, FB_MAPPING, "flat", 0, 850, FB_BASIS_WRITE,
			     "no limit up to %u, x%llu.%02llu", l->tried,
			     decline / 100, decline % 100);
}

/**
 * geo_say_open() - say what is known of the open erase blocks
 * @g: the inference
 *
 * Once more after the erase block has been checked: the limits rest on it.
 */
void geo_say_open(struct fb_geometry *g)
{
	open_say(g, FB_OPEN_LINEAR, &g->w.linear);
	if (g->w.random.tried)
		open_say(g, FB_OPEN_RANDOM, &g->w.random);
	else
		geo_unknown(g, FB_OPEN_RANDOM, FB_BASIS_NONE,
			    "erase block not known");
	open_say_mapping(g);
}

static int open_random(struct fb_geometry *g, u64 unit, bool in_place)
{
	bool sporadic = g->w.sporadic;
	int ret = 0;

	if (geo_wants(g, FB_OPEN_RANDOM)) {
		ret = open_measure(g, GEO_RANDOM, unit, in_place);
		g->w.sporadic = sporadic;
	}
	geo_say_open(g);
	if (ret == -ENOSPC || ret == -EDQUOT)
		geo_no(g, FB_OPEN_RANDOM, ret);
	return ret;
}

static int open_both(struct fb_geometry *g, u64 unit)
{
	int ret = open_measure(g, GEO_LINEAR, unit, false);

	g->w.pressed = g->collections;
	/* what is known of one order stays known if the other one fails */
	if (ret == -ENOSPC || ret == -EDQUOT) {
		geo_no(g, FB_OPEN_LINEAR, ret);
		geo_no(g, FB_OPEN_RANDOM, ret);
		geo_no(g, FB_MAPPING, ret);
	}
	if (ret)
		return ret;
	if (g->w.guessed) {
		geo_say_open(g);
		return 0;
	}
	return open_random(g, unit, g->w.linear.known);
}

/**
 * geo_open_again() - erase blocks open at once, now that their size is known
 * @g: the inference
 * @unit: the erase block, bytes; one that is too large would not do here
 *
 * In order only if it was taken for smaller: streams may have shared one.
 * Says what is known of both orders.
 *
 * Return: 0, or an error: see geo_write.h.
 */
int geo_open_again(struct fb_geometry *g, u64 unit)
{
	if (g->w.linear.unit < unit)
		return open_both(g, unit);
	return open_random(g, unit, false);
}

/**
 * geo_open_blocks() - erase blocks open at once, and the kind of mapping
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_open_blocks(struct fb_geometry *g)
{
	u64 unit = g->erase;
	int ret;

	if (!unit) {
		g->w.guessed = true;
		unit = open_guess(g);
	}
	if (div_u64(unit, geo_write_block(g, unit)) < OPEN_MIN_BLOCKS) {
		geo_unknown(g, FB_OPEN_LINEAR, FB_BASIS_NONE,
			    "too few writes in an erase block");
		geo_unknown(g, FB_OPEN_RANDOM, FB_BASIS_NONE,
			    "too few writes in an erase block");
		geo_unknown(g, FB_MAPPING, FB_BASIS_NONE,
			    "limit of open blocks not known");
		return 0;
	}
	ret = open_both(g, unit);
	return ret == -ENOSPC ? 0 : ret;
}
