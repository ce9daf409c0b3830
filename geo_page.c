// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page and super page, from reads across boundaries.
 *
 * The same chain as for the erase block, of smaller places: the lowest level
 * where a read across costs more is the page, the highest the super page, a
 * page of each plane. Levels of the chain of the erase block which lie within
 * it go on where this one ends, at no cost.
 */
#include "geometry_impl.h"

#define LAST_STEP	(192u << 10)
#define FIRST_ROUND	8
#define LAST_ROUND	128
#define ENOUGH		32	/* samples after which one step is one step */
#define STEP_Z		310	/* 100 times the standard score of a step */
#define OPEN_Z		110	/* what may become one */
#define TOP_Z		164	/* at which another step above is excluded */
#define SHARE		5	/* of the whole rise, at least, per cent */
#define STEP_PM		3	/* of a read's time, at least, per mille */

/**
 * struct pages - steps of the chain
 * @z: 100 times the standard score of the step to each level
 * @amp: its size
 * @low: level of the lowest one; 0: none
 * @high: level of the highest one
 * @top: the last level of which samples are taken; those above, if there are
 *	any, were taken for the erase block and lie within it
 * @least: a smaller step is none
 */
struct pages {
	s64 z[GEO_LEVELS];
	s64 amp[GEO_LEVELS];
	u32 low;
	u32 high;
	u32 top;
	s64 least;
};

/*
 * How much more levels @level .. @high cost than @low .. @level - 1. Where
 * pages differ in speed the one statistic rises at their boundaries although
 * crossing them costs nothing, but not the other.
 */
static void compare_levels(struct fb_geometry *g, u32 low, u32 level, u32 high,
			   s64 *z, s64 *amp)
{
	u32 n = geo_chain_pool(g, 0, GEO_D, low, level - 1);
	u32 m = geo_chain_pool(g, 1, GEO_D, level, high);
	s64 e;

	*z = fb_rank_z100(g->read.pool[0], n, g->read.pool[1], m);
	*amp = geo_chain_median(g, GEO_D, level, high) -
	       geo_chain_median(g, GEO_D, low, level - 1);
	e = geo_chain_median(g, GEO_E, level, high) -
	    geo_chain_median(g, GEO_E, low, level - 1);
	if (2 * e < *amp)
		*amp = 0;
}

static bool is_step(const struct pages *p, u32 level, s64 z)
{
	return p->z[level] >= z && p->amp[level] >= p->least;
}

/*
 * Costs only rise along the chain. So the highest step is where a level
 * differs from all that are above it for the last time, and the lowest one
 * where one differs from all below for the first time.
 */
static void find_pages(struct fb_geometry *g, struct pages *p)
{
	const struct geo_chain *c = &g->read.chain;
	u32 level, top = c->levels - 1;
	s64 whole;

	whole = geo_chain_median(g, GEO_D, top - 1, top) -
		geo_chain_median(g, GEO_D, 0, 0);
	p->least = max(div_s64(whole * SHARE, 100),
		       div_s64(geo_chain_base(g) * STEP_PM, 1000));
	p->low = 0;
	p->high = 0;
	for (level = p->top; level && !p->high; level--) {
		compare_levels(g, level - 1, level, top, &p->z[level],
			       &p->amp[level]);
		if (is_step(p, level, STEP_Z))
			p->high = level;
	}
	for (level = 1; level < p->high && !p->low; level++) {
		compare_levels(g, 0, level, level, &p->z[level],
			       &p->amp[level]);
		if (is_step(p, level, STEP_Z))
			p->low = level;
	}
	if (!p->low)
		p->low = p->high;
}

/*
 * Is there no room for another step, a third as high, above the one that is
 * known? A lone step is that of the super page only then.
 */
static bool is_top(struct fb_geometry *g, const struct pages *p)
{
	u32 level, n, m, top = g->read.chain.levels - 1;
	s64 low, high;

	for (level = p->high + 1; level <= p->top; level++) {
		n = geo_chain_pool(g, 0, GEO_D, p->high, level - 1);
		m = geo_chain_pool(g, 1, GEO_D, level, top);
		fb_shift(g->read.pool[0], n, g->read.pool[1], m, TOP_Z,
			 &low, &high);
		if (high * 3 > p->amp[p->high])
			return false;
	}
	return true;
}

/* Levels of which more samples would tell more: *from to *to. False: none */
static bool is_open(struct fb_geometry *g, const struct pages *p, u32 n,
		    u32 *from, u32 *to)
{
	u32 level, top = p->top;

	*from = top;
	*to = 0;
	for (level = 1; level <= top; level++) {
		if (is_step(p, level, STEP_Z) || p->z[level] < OPEN_Z ||
		    2 * p->amp[level] < p->least)
			continue;
		*from = min(*from, level - 1);
		*to = level;
	}
	if (!p->high && n < ENOUGH) {
		*from = 0;
		*to = top;
	}
	if (p->high && p->low == p->high && !is_top(g, p)) {
		*from = min(*from, p->high);
		*to = top;
	}
	return *to > 0;
}

static int take_pages(struct fb_geometry *g, struct pages *p)
{
	u32 n = FIRST_ROUND, had, from = 0, to = p->top;
	int ret;

	do {
		ret = geo_chain_fill(g, from, to, n);
		if (ret)
			return ret;
		find_pages(g, p);
		had = n;
		n += n / 2;
	} while (n <= LAST_ROUND && is_open(g, p, had, &from, &to));
	return 0;
}

/*
 * Two structures, one three times the other, are one step of the chain: what
 * lies in between shows at a third of it.
 */
static int third(struct fb_geometry *g, const struct pages *p, u32 level,
		 bool *both)
{
	struct geo_chain *c = &g->read.chain;
	u32 third = c->levels, n, m;
	s64 z, amp;
	int ret;

	c->step[third] = div_u64(c->step[level], 3);
	c->n[third] = 0;
	ret = geo_chain_fill(g, third, third, max(c->n[level], 12u));
	if (ret)
		return ret;
	n = geo_chain_pool(g, 0, GEO_D, third, third);
	m = geo_chain_pool(g, 1, GEO_D, level, level);
	z = fb_rank_z100(g->read.pool[0], n, g->read.pool[1], m);
	amp = fb_median_s64(g->read.pool[1], m) -
	      fb_median_s64(g->read.pool[0], n);
	*both = z >= STEP_Z && amp >= p->least;
	if (!*both)
		return 0;
	m = geo_chain_pool(g, 1, GEO_D, level - 1, level - 1);
	z = fb_rank_z100(g->read.pool[1], m, g->read.pool[0], n);
	amp = fb_median_s64(g->read.pool[0], n) -
	      fb_median_s64(g->read.pool[1], m);
	*both = z >= STEP_Z && amp >= p->least;
	return 0;
}

/*
 * The structure at a step: is the 3 of the chain part of its size? What third()
 * took counts as well.
 */
static int size_of(struct fb_geometry *g, u32 level, u64 *size)
{
	const struct geo_chain *c = &g->read.chain;
	u32 i, third = c->levels;
	u64 step = c->step[level];
	s64 high = geo_chain_median(g, GEO_D, level, level);
	s64 low = geo_chain_median(g, GEO_D, level - 1, level - 1);
	struct geo_trial trial = {
		.step = div_u64(step, 3), .stat = GEO_D,
		.limit = low + div_s64(high - low, 2),
	};
	int ret, result;

	for (i = 0; i < c->n[third] && !fb_sign_done(&trial.sign); i++)
		fb_sign_add(&trial.sign,
			    c->sample[GEO_D][third][i] > trial.limit);
	ret = geo_trials(g, &trial, 1);
	result = fb_sign_result(&trial.sign);
	*size = 0;
	if (result)
		*size = result > 0 ? trial.step : step;
	return ret;
}

/* A step that is just one leaves more doubt than one that stands out */
static u32 confidence(const struct pages *p, u32 level)
{
	return p->z[level] >= 2 * STEP_Z ? 940 : 900;
}

static void say_one(struct fb_geometry *g, const struct pages *p, u64 size)
{
	u32 sure = is_top(g, p) ? confidence(p, p->high) : 700;
	char text[FB_TEXT_LEN];

	fb_format_size(text, sizeof(text), size);
	if (!size) {
		geo_unknown(g, FB_SUPER_PAGE, FB_BASIS_READ,
			    "its odd part drowns in the noise");
		geo_unknown(g, FB_PAGE, FB_BASIS_READ, "super page not known");
		return;
	}
	geo_say(g, FB_SUPER_PAGE, size, sure, FB_BASIS_READ,
		"the only step, at %s%s", text,
		sure < FB_LIKELY ? "; one above it could hide in the noise" :
				   "");
	geo_unknown(g, FB_PAGE, FB_BASIS_READ, "no step below %s", text);
}

static void say_two(struct fb_geometry *g, const struct pages *p, u64 page,
		    u64 super)
{
	bool fits = page && super && !fb_modulo(super, page);
	char small[FB_TEXT_LEN], large[FB_TEXT_LEN];

	fb_format_size(small, sizeof(small), page);
	fb_format_size(large, sizeof(large), super);
	if (super)
		geo_say(g, FB_SUPER_PAGE, super,
			fits || !page ? confidence(p, p->high) : 500,
			FB_BASIS_READ, "highest step, at %s", large);
	else
		geo_unknown(g, FB_SUPER_PAGE, FB_BASIS_READ,
			    "its odd part drowns in the noise");
	if (page)
		geo_say(g, FB_PAGE, page,
			fits || !super ? confidence(p, p->low) : 300,
			FB_BASIS_READ, "lowest step, at %s", small);
	else
		geo_unknown(g, FB_PAGE, FB_BASIS_READ,
			    "its odd part drowns in the noise");
}

/**
 * geo_read_pages() - page and super page, by reads
 * @g: the inference, after geo_survey()
 *
 * Return: as geo_ask().
 */
int geo_read_pages(struct fb_geometry *g)
{
	struct pages p = { 0 };
	u64 page = 0, super = 0;
	bool both = false;
	int ret;

	p.top = geo_chain_below(g, 3 * geo_read_length(g), LAST_STEP, 4);
	if (p.top < 2) {
		geo_unknown(g, FB_SUPER_PAGE, FB_BASIS_NONE, "too little room");
		geo_unknown(g, FB_PAGE, FB_BASIS_NONE, "too little room");
		return 0;
	}
	ret = take_pages(g, &p);
	if (ret)
		return ret;
	if (!p.low) {
		geo_unknown(g, FB_SUPER_PAGE, FB_BASIS_READ, "no step");
		geo_unknown(g, FB_PAGE, FB_BASIS_READ, "no step");
		return 0;
	}
	g->read.structure = true;
	if (p.low == p.high)
		ret = third(g, &p, p.low, &both);
	if (!ret && both) {
		super = g->read.chain.step[p.high];
		page = div_u64(super, 3);
	} else {
		if (!ret)
			ret = size_of(g, p.high, &super);
		if (!ret && p.low != p.high)
			ret = size_of(g, p.low, &page);
	}
	if (ret)
		return ret;
	if (p.low == p.high && !both)
		say_one(g, &p, super);
	else
		say_two(g, &p, page, super);
	return 0;
}
