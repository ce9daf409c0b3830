// SPDX-License-Identifier: GPL-2.0-only
/*
 * Erase blocks for file allocation tables: some cards keep the first ones open
 * whatever else is written. Under pressure, only these are fast.
 */
#include "geometry_impl.h"

#define FAT_CANDIDATES	8	/* erase blocks that are tried */
#define FAT_ROUNDS	19	/* the first one does not count */
#define FAT_FEW_ROUNDS	4	/* show whether there is any pressure */
#define FAT_STRAY	50	/* of fast writes are slow at most, per mille, */
#define FAT_FEW_STRAY	5	/* and as slow as that few */
#define FAT_SURVIVE	1000	/* ppm; no stronger evidence than that */
#define FAT_MOST_SLOW	970	/* of writes to closed ones, per mille */
#define FAT_ODDS	1000000ULL	/* 1 to 1 */
#define FAT_CLEAR	990	/* per mille; more rounds say no more */
#define FAT_CLEAR_ODD	999	/* if they begin in an unusual place */
#define FAT_MOST_OPEN	40
#define FAT_SINGLE	5	/* writes of one stream, */
#define FAT_PAIR	12	/* and of two, to know what these take */
#define FAT_TURN	8	/* writes asked for at once; each may be slow */
#define FAT_PRESSURE	15	/* per cent of the other writes are slow */
#define FAT_DOUBT	160	/* confidence less if there are gaps */

/**
 * struct fat_level - what is slow, and how much of it there was
 * @limit: what takes longer is, ns
 * @first: candidates whose first write was, a mask
 * @slow: later writes of each candidate that were
 * @others: and of the others
 */
struct fat_level {
	u64 limit;
	u32 first;
	u32 slow[FAT_CANDIDATES];
	u32 others;
};

/**
 * struct fat - how the erase blocks do under pressure
 * @level: slower than usual; slow enough for data to have been copied
 * @rounds: after the first
 * @others: writes of the others in them
 * @survive: closed ones that would still be open before the first, ppm; 0: it
 *	does not count
 * @stray: fast writes that look slow, at each level, per mille
 * @open: candidates that stay open, a mask
 */
struct fat {
	struct fat_level level[2];
	u32 rounds;
	u32 others;
	u32 survive;
	u32 stray[2];
	u32 open;
};

/*
 * As many others as can be open, so many candidates, and so on: what a card
 * that closes the oldest closes for a candidate is one of the others, of which
 * we know that there is data to copy.
 */
static bool fat_candidate(const struct fb_geometry *g, u32 stream, u32 *index)
{
	u32 open = g->w.linear.number;
	u32 turn = stream / open;

	*index = turn / 2 * open + stream % open;
	return turn % 2 && *index < FAT_CANDIDATES;
}

/*
 * More than this is slow. There may be little to copy; but what going elsewhere
 * costs is not known if only one erase block can be open. What was seen when
 * erase blocks were closed tells where that is far cheaper than to fill one.
 */
static u64 fat_limit(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;
	u64 limit = l->single + geo_whole(g) / 4;

	if (l->pair)
		return div_u64(5 * max(l->pair, l->single), 2);
	if (g->w.closing > l->single)
		limit = min(limit, div_u64(l->single + g->w.closing, 2));
	return limit;
}

static void fat_levels(const struct fb_geometry *g, struct fat *f)
{
	u64 limit = fat_limit(g);
	u64 copied = min(div_u64(geo_whole(g), 8), div_u64(g->w.closing, 4));

	f->level[0].limit = limit;
	f->level[1].limit = max(limit, copied);
}

/* The last @n writes, of the streams from @at on */
static void fat_count(struct fb_geometry *g, struct fat *f, u32 at, u32 n,
		      bool first)
{
	struct fat_level *l;
	u32 i, index;

	for (i = 0; i < n; i++) {
		bool candidate = fat_candidate(g, at + i, &index);

		f->others += !candidate && !first;
		for (l = f->level; l < f->level + ARRAY_SIZE(f->level); l++) {
			if (g->ns[i] <= l->limit)
				continue;
			g->collections += l == f->level;
			if (candidate && first)
				l->first |= BIT(index);
			else if (candidate)
				l->slow[index]++;
			else
				l->others += !first;
		}
	}
}

/*
 * The others one place on: there may be less to copy than we think when one of
 * them is closed, and that must not always be for the same candidate.
 */
static void fat_rotate(struct fb_geometry *g)
{
	struct geo_set *set = &g->w.set;
	struct geo_stream first, *last = NULL;
	u32 i, index;

	for (i = 0; i < set->n; i++) {
		if (fat_candidate(g, i, &index))
			continue;
		if (last)
			*last = set->stream[i];
		else
			first = set->stream[i];
		last = &set->stream[i];
	}
	if (last)
		*last = first;
}

static bool fat_is_touched(const struct fb_geometry *g)
{
	return g->w.fat_touched == g->erase;
}

static int fat_round(struct fb_geometry *g, struct fat *f, bool counts)
{
	u32 n, at, streams = g->w.set.n;
	int ret;

	for (at = 0; at < streams; at += n) {
		n = min_t(u32, streams - at, FAT_TURN);
		ret = geo_turn(g, n);
		if (ret)
			return ret;
		if (counts || fat_is_touched(g))
			fat_count(g, f, at, n, !counts);
	}
	f->rounds += counts;
	fat_rotate(g);
	return 0;
}

/* ---- closed or not? ---- */

/*
 * Writes to erase blocks that are closed are slow that often, per mille. The
 * others tell, but less so if what they close are candidates without data.
 */
static u32 fat_level_pressure(const struct fat *f, const struct fat_level *l)
{
	u32 i, pm = 1000 * l->others / max_t(u32, f->others, 1);
	u32 slow = 0, writes = FAT_CANDIDATES * f->rounds;

	for (i = 0; i < FAT_CANDIDATES; i++)
		slow += l->slow[i];
	pm = max(pm, 1000 * slow / max_t(u32, writes, 1));
	return min_t(u32, max_t(u32, pm, 1), FAT_MOST_SLOW);
}

/*
 * What tells: some cards take longer for one that is kept open than for others,
 * but not as long as for one that was closed, unless there is nothing to copy.
 */
static const struct fat_level *fat_level(const struct fat *f)
{
	const struct fat_level *slow = &f->level[0], *copied = &f->level[1];

	return 10 * fat_level_pressure(f, copied) >=
	       7 * fat_level_pressure(f, slow) ? copied : slow;
}

static u32 fat_pressure(const struct fat *f)
{
	return fat_level_pressure(f, fat_level(f));
}

static u64 fat_times(u64 odds, u64 a, u64 b)
{
	return min(max(div64_u64(odds * a, b), 1ULL), FAT_ODDS * FAT_ODDS);
}

/*
 * That a candidate is kept open, against that it is not, in millionths: by how
 * often its writes would be slow then (Wald, "Sequential tests of statistical
 * hypotheses", Annals of Mathematical Statistics 16, 1945).
 */
static u64 fat_odds(const struct fat *f, u32 i)
{
	const struct fat_level *l = fat_level(f);
	u32 n, pm = fat_pressure(f), stray = f->stray[l - f->level];
	u64 odds = FAT_ODDS / FAT_CANDIDATES;

	if (f->survive && l->first & BIT(i))
		odds = fat_times(odds, 1000 * stray, FAT_ODDS - f->survive);
	else if (f->survive)
		odds = fat_times(odds, 1000 * (1000 - stray), f->survive);
	for (n = 0; n < l->slow[i]; n++)
		odds = fat_times(odds, stray, pm);
	for (; n < f->rounds; n++)
		odds = fat_times(odds, 1000 - stray, 1000 - pm);
	return odds;
}

/* The likeliest answer. Returns how likely all of it is right, per mille. */
static u32 fat_decide(struct fat *f)
{
	u64 odds, right = FAT_ODDS;
	u32 i;

	f->open = 0;
	for (i = 0; i < FAT_CANDIDATES; i++) {
		odds = fat_odds(f, i);
		if (odds > FAT_ODDS)
			f->open |= BIT(i);
		right = div64_u64(right * max(odds, FAT_ODDS), odds + FAT_ODDS);
	}
	return div_u64(right, 1000);
}

/*
 * There are gaps between them: rather a matter of luck, or an erase block that
 * is larger than we think, so that one is opened for another.
 */
static bool fat_is_scattered(const struct fat *f)
{
	return f->open & (f->open + (f->open & -f->open));
}

/* More rounds say no more. */
static bool fat_is_clear(struct fat *f)
{
	u32 clear;

	if (!f->rounds)
		return false;
	if (f->rounds >= FAT_FEW_ROUNDS &&
	    fat_pressure(f) < 10 * FAT_PRESSURE)
		return true;
	clear = fat_decide(f);
	if (fat_is_scattered(f))
		return false;
	/* those that are known begin with the first or second */
	return clear >= (f->open & 3 || !f->open ? FAT_CLEAR : FAT_CLEAR_ODD);
}

/* ---- under pressure ---- */

/* The candidates' places are used, even if they were already. */
static void fat_take(struct fb_geometry *g)
{
	u32 i;

	for (i = 0; i < FAT_CANDIDATES; i++)
		geo_take(g, i * g->erase, g->erase);
	g->w.fat_erase = g->erase;
}

/*
 * A place for one of the others that was used before, @at is the next one: all
 * erase blocks behind the candidates, then all of them again, in the middle. As
 * many as can be open lie between the two, so they are no better than one.
 */
static int fat_used(struct fb_geometry *g, u64 *at)
{
	u32 half = div64_u64(g->erase, 2 * g->w.set.block);
	u64 n = div64_u64(g->probe.end, g->erase) - FAT_CANDIDATES;
	u64 base, again;

	for (; *at < 2 * n; ++*at) {
		base = (FAT_CANDIDATES + fb_modulo(*at, n)) * g->erase;
		again = div64_u64(*at, n) * half * g->w.set.block;
		if (!again && geo_set_is_near(g, base, g->erase))
			continue;
		geo_set_add_at(g, base + again, half);
		++*at;
		return 0;
	}
	return -ENOSPC;
}

static int fat_streams(struct fb_geometry *g)
{
	u32 block = geo_write_block(g, g->erase);
	u32 i, index, left = FAT_CANDIDATES;
	u64 used = 0;
	int ret = 0;

	fat_take(g);
	geo_set_start(g, GEO_LINEAR, g->erase, block);
	for (i = 0; left && !ret; i++) {
		if (!fat_candidate(g, i, &index)) {
			ret = geo_set_add(g);
			if (ret == -ENOSPC && g->w.set.n < GEO_MAX_STREAMS)
				ret = fat_used(g, &used);
			continue;
		}
		geo_set_add_at(g, index * g->erase,
			       div64_u64(g->erase, block));
		g->w.set.stream[i].done = fat_is_touched(g);
		left--;
	}
	g->w.set.next = 0;
	return ret;
}

static void fat_say(struct fb_geometry *g, struct fat *f)
{
	char value[FB_VALUE_LEN];
	u32 i, n = 0, confidence = (FB_SURE - 1) * fat_decide(f) / 1000;
	int len = 0;

	if (fat_is_scattered(f))
		confidence -= min_t(u32, confidence, FAT_DOUBT);
	for (i = 0; i < FAT_CANDIDATES; i++) {
		if (!(f->open & BIT(i)))
			continue;
		len += scnprintf(value + len, sizeof(value) - len, "%s%u",
				 n++ ? "," : "", i);
	}
	if (!n)
		scnprintf(value, sizeof(value), "none");
	if (fat_pressure(f) < 10 * FAT_PRESSURE)
		geo_unknown(g, FB_FAT_AREA, FB_BASIS_WRITE,
			    "only %u of %u other writes were slow",
			    fat_level(f)->others, f->others);
	else
		geo_say_text(g, FB_FAT_AREA, value, f->open, confidence,
			     FB_BASIS_WRITE,
			     "%u of %u stay open, %u of %u other writes slow%s",
			     n, FAT_CANDIDATES, fat_level(f)->others, f->others,
			     f->open >> (FAT_CANDIDATES - 1) ?
			     ", perhaps more" : "");
}

/* Why it cannot be found, or NULL */
static const char *fat_obstacle(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;

	if (!g->erase)
		return "erase block not known";
	if (!l->known)
		return "limit of open blocks not known";
	if (l->number == GEO_NO_LIMIT)
		return "no limit of open blocks, hence no pressure";
	if (l->number > FAT_MOST_OPEN)
		return "too many open blocks";
	if (g->probe.start)
		return "start of the disk not in the range";
	if (g->probe.end < FAT_CANDIDATES * g->erase)
		return "range too short";
	return NULL;
}

/* Closed ones that survived what was measured since they were opened, ppm */
static u32 fat_survive(const struct fb_geometry *g)
{
	u32 i, open = g->w.linear.number;
	u64 survive = 900000;

	/* a card that closes any of them; others close the oldest at once */
	for (i = g->w.fat_before; i < g->w.pressed; i++)
		survive = div_u64(survive * (open - 1), open);
	return max_t(u64, survive, FAT_SURVIVE);
}

/* What is known before the first round */
static void fat_before(const struct fb_geometry *g, struct fat *f)
{
	u32 few = g->w.few;

	fat_levels(g, f);
	f->survive = fat_is_touched(g) ? fat_survive(g) : 0;
	f->stray[0] = FAT_STRAY;
	if (few)
		f->stray[0] = min_t(u32, FAT_STRAY, FAT_STRAY / 3 +
				    1500 * (g->w.few_slow + 1) / few);
	f->stray[1] = FAT_FEW_STRAY;
}

static int fat_measure(struct fb_geometry *g, struct fat *f)
{
	int ret = fat_streams(g);
	u32 i;

	fat_before(g, f);
	for (i = 0; i < FAT_ROUNDS && !ret && !fat_is_clear(f); i++)
		ret = fat_round(g, f, i > 0);
	return ret;
}

static int fat_blocks(struct fb_geometry *g)
{
	const char *obstacle = fat_obstacle(g);
	struct fat f = { .rounds = 0 };
	int ret;

	if (obstacle) {
		geo_unknown(g, FB_FAT_AREA, FB_BASIS_NONE, "%s", obstacle);
		return 0;
	}
	ret = fat_measure(g, &f);
	if (ret == -ENOSPC || (ret == -EDQUOT && !f.rounds))
		geo_no(g, FB_FAT_AREA, ret);
	else if (!ret || ret == -EDQUOT)
		fat_say(g, &f);
	return ret == -ENOSPC ? 0 : ret;
}

/*
 * What two streams take, before there are others: a log remembers those, and
 * two look like many then.
 */
static int fat_pair(struct fb_geometry *g)
{
	u64 single;
	int ret;

	geo_set_start(g, GEO_LINEAR, g->erase, geo_write_block(g, g->erase));
	ret = geo_level(g, 1, FAT_SINGLE, &single);
	if (!ret)
		ret = geo_level(g, 2, FAT_PAIR, &g->w.pair);
	if (!ret && 2 * g->w.pair > 5 * single)
		g->collections += FAT_PAIR;
	return ret == -ENOSPC ? 0 : ret;
}

/**
 * geo_fat_touch() - open the erase blocks that may be for allocation tables
 * @g: the inference
 *
 * Whatever is measured next closes them, but for those that stay open.
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_fat_touch(struct fb_geometry *g)
{
	u32 i, block = geo_write_block(g, g->erase);
	u32 blocks;
	int ret = 0;

	if (!g->erase || g->probe.start ||
	    g->probe.end < FAT_CANDIDATES * g->erase)
		return 0;
	blocks = div64_u64(g->erase, block);
	if (blocks < 2)
		return 0;
	fat_take(g);
	g->key = FB_FAT_AREA;
	if (geo_wants(g, FB_MAPPING))
		ret = fat_pair(g);
	if (ret)
		return ret;
	geo_set_start(g, GEO_LINEAR, g->erase, block);
	for (i = 0; i < FAT_CANDIDATES; i++)
		geo_set_add_at(g, i * g->erase, blocks);
	g->w.fat_touched = g->erase;
	g->w.fat_before = g->collections;
	return geo_turn(g, FAT_CANDIDATES);
}

/**
 * geo_fat_blocks() - erase blocks kept open for file allocation tables
 * @g: the inference
 *
 * Writes to the start of the disk. Before the erase block is checked, if reads
 * have named one: the check may take all the collections that are allowed.
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_fat_blocks(struct fb_geometry *g)
{
	return g->erase ? fat_blocks(g) : 0;
}

/**
 * geo_fat_again() - the same, if the erase block has turned out to be another
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_fat_again(struct fb_geometry *g)
{
	if (g->erase && g->w.fat_erase == g->erase)
		return 0;
	return fat_blocks(g);
}
