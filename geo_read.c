// SPDX-License-Identifier: GPL-2.0-only
/*
 * The erase block, from reads across boundaries.
 *
 * Along the chain 3 * 2^i reads across cost more from the first level on that
 * is a multiple of the erase block: the primary step of the profile. Two
 * sequential tests on fresh places decide whether it is one, another one if
 * the 3 is part of it. Whatever does not come out clearly is unknown.
 */
#include "geometry_impl.h"

#define FIRST_LEVEL	16	/* 2^16: below are pages */
#define LAST_LEVEL	27
#define LAST_ODD	21
#define FIRST_ROUND	4	/* samples of each level */
#define LAST_ROUND	64
#define ENOUGH		32	/* samples after which a step need not be clear */
#define STEP_Z		300	/* 100 times the standard score of a step */
#define STEP_Z_MANY	320	/* after more looks at it */
#define CLEAR_Z		340
#define BETTER_Z	50	/* so much makes one statistic better than the other */
#define LOWER_Z		200	/* a lower step is excluded at this score, */
#define LOWER_SHARE	5	/* if it has this part of the one known */
#define SMALLEST_PIECE	(8u << 20)	/* of a mapping table */
#define DOUBTFUL	(16u << 20)	/* few erase blocks are that large */
#define STEP_PM		6	/* a step is so much of a read's time, per mille */
#define MOVES		2	/* how often the step may turn out to be elsewhere */
#define SMALLEST	(128u << 10)	/* smaller ones are likely something else */
#define FEW_PLACES	20	/* multiples of the step on the disk */
#define LARGEST		(64u << 20)	/* no card says more of itself */
#define SMALLEST_ODD	0x100000u	/* so are smaller ones of the odd chain */

/* A step in the profile: to this level, how clear, how large */
struct step {
	u32 level;
	s64 z;
	s64 amp;
};

/**
 * struct search - what is known of the erase block
 * @factor: odd part of the chain
 * @stat: statistic in use
 * @agree: both statistics see the largest step at the same level
 * @amp: its size
 * @level: where the step in question is now
 * @top: levels from here on have a larger structure, too
 * @moves: how often it has been moved
 * @hidden: a lower step could be hidden in the noise
 * @limit: between the levels below it and above it
 * @size: result, bytes; 0: none
 * @odd_tests: made for it
 * @why: there is no result
 */
struct search {
	u32 factor;
	enum geo_stat stat;
	bool agree;
	s64 amp;
	u32 level;
	u32 top;
	u32 moves;
	bool hidden;
	s64 limit;
	u64 size;
	u32 odd_tests;
	const char *why;
};

/* The step between levels @low .. @level - 1 and @level .. @high */
static void measure_step(struct fb_geometry *g, enum geo_stat stat, u32 low,
			 u32 level, u32 high, struct step *s)
{
	u32 n = geo_chain_pool(g, 0, stat, low, level - 1);
	u32 m = geo_chain_pool(g, 1, stat, level, high);
	s64 single, e;

	s->level = level;
	s->z = fb_rank_z100(g->read.pool[0], n, g->read.pool[1], m);
	s->amp = geo_chain_median(g, stat, level, high) -
		 geo_chain_median(g, stat, low, level - 1);
	single = geo_chain_median(g, stat, level, level) -
		 geo_chain_median(g, stat, level - 1, level - 1);
	if (single < s->amp)
		s->amp = div_s64(single + s->amp, 2);
	/* where data ends, on one side of many boundaries, only one rises */
	e = geo_chain_median(g, GEO_E, level, high) -
	    geo_chain_median(g, GEO_E, low, level - 1);
	if (e * 4 < s->amp)
		s->amp = 0;
}

static s64 least_step(struct fb_geometry *g)
{
	return div_s64(geo_chain_base(g) * STEP_PM, 1000);
}

/* The largest step that is clear enough; its amp is 0 if there is none */
static void find_step(struct fb_geometry *g, enum geo_stat stat, s64 limit,
		      struct step *largest)
{
	u32 i, top = g->read.chain.levels - 1;
	s64 least = least_step(g);
	struct step s;

	*largest = (struct step) { };
	for (i = 1; i <= top; i++) {
		measure_step(g, stat, i - min(i, 2u), i, min(i + 1, top), &s);
		if (s.z >= limit && s.amp >= least && s.amp > largest->amp)
			*largest = s;
	}
}

/* Samples until there is a clear step, or enough to say that there is none */
static int take_profile(struct fb_geometry *g, struct search *s)
{
	struct step d, e;
	s64 limit;
	u32 n;
	int ret;

	for (n = FIRST_ROUND; n <= LAST_ROUND; n *= 2) {
		ret = geo_chain_fill(g, 0, s->top - 1, n);
		if (ret)
			return ret;
		limit = n > 2 * FIRST_ROUND ? STEP_Z_MANY : STEP_Z;
		find_step(g, GEO_D, limit, &d);
		find_step(g, GEO_E, limit, &e);
		s->stat = e.amp && (!d.amp || e.z >= d.z + BETTER_Z) ?
			  GEO_E : GEO_D;
		s->agree = !d.amp || !e.amp || d.level == e.level;
		if (s->stat == GEO_E)
			d = e;
		s->amp = d.amp;
		s->level = d.level;
		if (s->level && (d.z >= CLEAR_Z || n >= ENOUGH))
			return 0;
	}
	return 0;
}

/* Middle between the levels on either side of the step */
static void set_limit(struct fb_geometry *g, struct search *s)
{
	u32 level = s->level;
	s64 high, low;

	high = geo_chain_median(g, s->stat, level, min(level + 1, s->top - 1));
	low = geo_chain_median(g, s->stat, level - min(level, 2u), level - 1);
	s->limit = low + div_s64(high - low, 2);
}

/*
 * What is a boundary of erase blocks at odd multiples is one at even ones, too:
 * or they begin in the middle, and are twice as large.
 */
static int test_above(struct fb_geometry *g, struct search *s)
{
	u32 i;
	int ret;

	if (s->level + 1 >= s->top)
		return 0;
	/* at other places once more */
	for (i = 0; i < 2; i++) {
		struct geo_trial trial = {
			.step = g->read.chain.step[s->level + 1],
			.stat = s->stat, .limit = s->limit,
		};

		ret = geo_trials(g, &trial, 1);
		if (ret || fb_sign_result(&trial.sign) >= 0)
			return ret;
	}
	s->why = "there is none at its multiples";
	g->read.shifted = true;
	return 0;
}

/* Is the step where the profile has it, and if not, is it next to that? */
static int place_step(struct fb_geometry *g, struct search *s)
{
	const struct geo_chain *c = &g->read.chain;
	int ret, above, below, i;

	for (s->moves = 0; s->moves <= MOVES; s->moves++) {
		struct geo_trial trial[2] = { };

		set_limit(g, s);
		for (i = 0; i < 2; i++) {
			trial[i].step = c->step[s->level - i];
			trial[i].stat = s->stat;
			trial[i].limit = s->limit;
		}
		ret = geo_trials(g, trial, 2);
		if (ret)
			return ret;
		above = fb_sign_result(&trial[0].sign);
		below = fb_sign_result(&trial[1].sign);
		if (!above || !below) {
			s->why = "the step is too small for the noise";
			return 0;
		}
		if (above > 0 && below < 0)
			return test_above(g, s);
		s->level += above > 0 ? -1 : 1;
		if (!s->level || s->level == s->top || s->moves == MOVES)
			break;
		ret = geo_chain_fill(g, s->level - 1, s->level,
				     min(c->n[s->level] + 8, (u32)GEO_DEPTH));
		if (ret)
			return ret;
	}
	s->why = "tests of the step contradict each other";
	return 0;
}

/* Which odd factors of the chain are part of the size? */
static int divide(struct fb_geometry *g, struct search *s)
{
	static const u8 factors[] = { 3, 3, 5, 7 };
	u64 size = g->read.chain.step[s->level];
	u32 i, left = s->factor;
	int ret, result;

	for (i = 0; i < ARRAY_SIZE(factors); i++) {
		struct geo_trial trial = {
			.step = div_u64(size, factors[i]),
			.stat = s->stat, .limit = s->limit,
		};

		if (left % factors[i])
			continue;
		left /= factors[i];
		ret = geo_trials(g, &trial, 1);
		if (ret)
			return ret;
		s->odd_tests++;
		result = fb_sign_result(&trial.sign);
		if (!result) {
			s->why = "its odd part drowns in the noise";
			return 0;
		}
		if (result > 0)
			size = trial.step;
	}
	s->size = size;
	return 0;
}

/* Samples of the profile on the wrong side of the limit, per cent */
static u32 overlap(const struct geo_chain *c, const struct search *s)
{
	u32 level, i, wrong = 0, n = 0;

	for (level = 0; level < s->top; level++) {
		for (i = 0; i < c->n[level]; i++)
			wrong += (c->sample[s->stat][level][i] > s->limit) !=
				 (level >= s->level);
		n += c->n[level];
	}
	return n ? wrong * 100 / n : 100;
}

static u32 overlap_cost(u32 percent)
{
	if (percent <= 5)
		return 0;
	if (percent <= 12)
		return 5;
	if (percent <= 20)
		return 20;
	return percent <= 27 ? 60 : 150;
}

/*
 * Multiples of a size with a factor of 3 are not only those: there are so few
 * that some of those that were looked at are multiples of 5, and it is 5 MiB
 * that shows.
 */
static bool few_places(const struct fb_geometry *g, const struct search *s)
{
	u64 places = div64_u64(g->probe.end - g->probe.start, s->size);

	return s->factor == 3 && places < FEW_PLACES && !fb_modulo(s->size, 3);
}

static u32 confidence(const struct geo_chain *c, const struct search *s,
		      bool few)
{
	u32 minus = 4 + 2 * s->odd_tests + 60 * s->moves;

	if (!s->agree)
		minus += 40;
	if (s->top < c->levels)
		minus += 100;
	if (s->hidden)
		minus += 60;
	minus += overlap_cost(overlap(c, s));
	if (s->size < SMALLEST || s->size > LARGEST)
		minus += 200;
	if (s->level == c->levels - 1)
		minus += 100;
	if (s->factor != 3)
		minus += 50;
	if (few)
		minus += 250;
	return 1000 - min(minus, 1000u);
}

/* How large the step is compared to the scatter of single samples, tenths */
static u64 clearness(struct fb_geometry *g, const struct search *s)
{
	u32 i, n = geo_chain_pool(g, 0, s->stat, 0, s->level - 1);
	s64 *v = g->read.pool[0], median = fb_median_s64(v, n);

	for (i = 0; i < n; i++)
		v[i] = v[i] < median ? median - v[i] : v[i] - median;
	return div64_u64(10 * s->amp,
			 max(fb_median_s64(v, n), 1LL));
}

static void say_erase(struct fb_geometry *g, const struct search *s)
{
	u64 ratio = min(clearness(g, s), 9999ULL);
	char size[FB_TEXT_LEN], other[FB_TEXT_LEN + 32] = "";
	u32 sure = confidence(&g->read.chain, s, few_places(g, s)), tenth;

	/* writes are not to build on what no erase block can be */
	if (s->size <= LARGEST)
		g->erase = s->size;
	fb_format_size(size, sizeof(size), s->size);
	if (g->runner_up)
		fb_format_size(other, sizeof(other), g->runner_up);
	ratio = div_u64_rem(ratio, 10, &tenth);
	geo_say(g, FB_ERASE_BLOCK, s->size, sure, FB_BASIS_READ,
		"step at %s, %llu.%u times the noise%s%s", size, ratio, tenth,
		*other ? "; a larger one at " : "", other);
}

/* Make sure of a step, and find the size of which it is one */
static int settle(struct fb_geometry *g, struct search *s)
{
	int ret;

	s->why = NULL;
	s->size = 0;
	ret = place_step(g, s);
	if (!ret && !s->why)
		ret = divide(g, s);
	return ret;
}

/* The clearest step below that of @s; amp 0: none. Could there be one yet? */
static bool find_lower(struct fb_geometry *g, const struct search *s,
		       struct step *best)
{
	s64 least = least_step(g), low, high;
	bool more = false;
	struct step step;
	u32 i, n, m;

	*best = (struct step) { };
	for (i = 1; i < s->level; i++) {
		measure_step(g, s->stat, i - min(i, 4u), i, s->level - 1, &step);
		if (step.z >= STEP_Z && step.amp >= least && step.z > best->z)
			*best = step;
		n = geo_chain_pool(g, 0, s->stat, i - min(i, 4u), i - 1);
		m = geo_chain_pool(g, 1, s->stat, i, s->level - 1);
		fb_shift(g->read.pool[0], n, g->read.pool[1], m, LOWER_Z, &low,
			 &high);
		more |= high >= max(least, div_s64(s->amp, LOWER_SHARE));
	}
	return more;
}

/*
 * Pieces of the mapping table have boundaries, too, and these can cost more
 * than those of the erase blocks they consist of. So below a step that is high
 * up another one is looked for.
 */
static int look_below(struct fb_geometry *g, struct search *s)
{
	struct search lower = *s;
	struct step best;
	bool more;
	u32 n;
	int ret;

	more = find_lower(g, s, &best);
	for (n = 2 * FIRST_ROUND; n <= ENOUGH && more; n *= 2) {
		if (s->size < SMALLEST_PIECE)
			break;
		ret = geo_chain_fill(g, 0, s->level - 1, n);
		if (ret)
			return ret;
		more = find_lower(g, s, &best);
	}
	s->hidden = more && s->size >= DOUBTFUL;
	if (!best.level)
		return 0;
	lower.top = s->level;
	lower.level = best.level;
	lower.amp = best.amp;
	ret = settle(g, &lower);
	if (ret || !lower.size)
		return ret;
	g->runner_up = s->size;
	*s = lower;
	return 0;
}

static int search_chain(struct fb_geometry *g, struct search *s)
{
	int ret;

	s->top = g->read.chain.levels;
	ret = take_profile(g, s);
	if (ret)
		return ret;
	if (!s->level) {
		s->why = "no step in the times of reads across boundaries";
		return 0;
	}
	ret = settle(g, s);
	if (ret || !s->size)
		return ret;
	return look_below(g, s);
}

/* Returns false if there is no room for boundaries far enough apart */
static bool start_chain(struct fb_geometry *g, u32 factor, u32 last, u32 least)
{
	geo_chain_start(g, (u64)factor << FIRST_LEVEL, (u64)factor << last, 2);
	return g->read.chain.levels > least - FIRST_LEVEL;
}

/*
 * Sizes with other odd parts: all at once, if the disk is large enough for
 * boundaries so far apart.
 */
static int search_odd(struct fb_geometry *g, struct search *s)
{
	static const u32 factors[] = { 315, 45, 21 };
	u32 i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(factors) && !ret && !s->level; i++) {
		if (!start_chain(g, factors[i], LAST_ODD, LAST_ODD))
			continue;
		*s = (struct search) { .factor = factors[i] };
		ret = search_chain(g, s);
		if (s->size && s->size < SMALLEST_ODD) {
			s->size = 0;
			s->why = "a step, but at nothing an erase block can be";
		}
		if (!i)
			break;
	}
	return ret;
}

/**
 * geo_read_erase() - the erase block, by reads
 * @g: the inference, after geo_survey()
 *
 * Return: as geo_ask().
 */
int geo_read_erase(struct fb_geometry *g)
{
	struct search s = { .factor = 3 };
	int ret;

	if (!start_chain(g, 3, LAST_LEVEL, FIRST_LEVEL + 3)) {
		geo_unknown(g, FB_ERASE_BLOCK, FB_BASIS_NONE,
			    "too little room for boundaries");
		return 0;
	}
	ret = search_chain(g, &s);
	if (!ret && !s.level)
		ret = search_odd(g, &s);
	if (ret)
		return ret;
	g->read.structure |= s.level != 0;
	g->read.inside = s.factor == 3 ? s.level : 0;
	if (s.size)
		say_erase(g, &s);
	else
		geo_unknown(g, FB_ERASE_BLOCK, FB_BASIS_READ, "%s", s.why);
	return g->probe.scan && !g->erase ? geo_scan(g) : 0;
}
