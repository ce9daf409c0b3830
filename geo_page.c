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
#define OPEN_Z		170	/* what may become one */
#define FALL_Z		300
#define FALL_SHARE	3	/* of a rise, a fall is one such part at least */
#define CROSS_Z		5	/* standard score of "it is dearer" */
#define TOP_Z		110	/* at which another step above is excluded */
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
 * @above: there is a larger structure, the erase block
 */
struct pages {
	s64 z[GEO_LEVELS];
	s64 amp[GEO_LEVELS];
	u32 low;
	u32 high;
	u32 top;
	s64 least;
	bool above;
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

/*
 * Do costs fall again farther up the chain? Then boundaries are not at
 * multiples of their size, and the level of a step says nothing of it.
 */
static bool falls(struct fb_geometry *g, const struct pages *p)
{
	u32 level, n, m, top = g->read.chain.levels - 1;
	s64 z, high, fall, rise;

	for (level = 1; level < top; level++) {
		n = geo_chain_pool(g, 0, GEO_D, level + 1, top);
		m = geo_chain_pool(g, 1, GEO_D, level, level);
		z = fb_rank_z100(g->read.pool[0], n, g->read.pool[1], m);
		high = geo_chain_median(g, GEO_D, level, level);
		fall = high - geo_chain_median(g, GEO_D, level + 1, top);
		rise = high - geo_chain_median(g, GEO_D, 0, level - 1);
		if (z >= FALL_Z && fall >= p->least &&
		    fall * FALL_SHARE >= rise)
			return true;
	}
	return false;
}

/*
 * Does crossing cost something, or do pages just differ in speed? A read
 * across takes as long as the slower one of its pages then, and noise makes
 * the slower one of two reads look slower yet: so it would hardly be exceeded.
 */
static bool is_crossing(struct fb_geometry *g, const struct pages *p)
{
	u32 i, n = geo_chain_pool(g, 0, GEO_E, p->high,
				  g->read.chain.levels - 1);
	s64 balance = 0;

	for (i = 0; i < n; i++)
		balance += g->read.pool[0][i] > 0 ? 1 : -1;
	return balance > 0 && balance * balance >= CROSS_Z * CROSS_Z * (s64)n;
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

/**
 * struct gap - between the costs of some levels and of others
 * @shift: how large it seems to be
 * @seen: it is there
 * @room: one worth speaking of could be there
 */
struct gap {
	s64 shift;
	bool seen;
	bool room;
};

/* From levels @a[0] .. @a[1] to @b[0] .. @b[1]; @much is worth speaking of */
static void measure_gap(struct fb_geometry *g, s64 least, s64 much,
			const u32 a[2], const u32 b[2], struct gap *gap)
{
	u32 n = geo_chain_pool(g, 0, GEO_D, a[0], a[1]);
	u32 m = geo_chain_pool(g, 1, GEO_D, b[0], b[1]);
	s64 z, e, low, high;

	z = fb_rank_z100(g->read.pool[0], n, g->read.pool[1], m);
	gap->shift = fb_shift(g->read.pool[0], n, g->read.pool[1], m, TOP_Z,
			      &low, &high);
	e = geo_chain_median(g, GEO_E, b[0], b[1]) -
	    geo_chain_median(g, GEO_E, a[0], a[1]);
	gap->seen = z >= STEP_Z && gap->shift >= least && 2 * e >= gap->shift;
	gap->room = high > much;
}

/**
 * struct odd - the search for the odd part of a size
 * @level: where the step is
 * @third: the level at a third of it
 * @below: levels below the step, first and last
 * @above: levels from the step on, first and last
 * @much: part of the step that is worth speaking of
 * @up: from the levels below to the third
 * @down: from the third to the levels above
 */
struct odd {
	u32 level;
	u32 third[2];
	u32 below[2];
	u32 above[2];
	s64 much;
	struct gap up;
	struct gap down;
};

static void start_odd(struct fb_geometry *g, const struct pages *p, u32 level,
		      struct odd *o)
{
	struct geo_chain *c = &g->read.chain;
	bool lone = p->low == p->high;
	s64 step;

	*o = (struct odd) {
		.level = level,
		.third = { c->levels, c->levels },
		.below = { !lone && level == p->high ? p->low : 0, level - 1 },
		.above = { level, !lone && level == p->low ? p->high - 1 :
							     c->levels - 1 },
	};
	step = geo_chain_median(g, GEO_D, o->above[0], o->above[1]) -
	       geo_chain_median(g, GEO_D, o->below[0], o->below[1]);
	o->much = div_s64(step, lone ? 3 : 2);
	c->step[o->third[0]] = div_u64(c->step[level], 3);
	c->n[o->third[0]] = 0;
}

/* @n samples of the third, and of what it is compared to, and what they say */
static int fill_odd(struct fb_geometry *g, const struct pages *p, u32 n,
		    struct odd *o)
{
	u32 third = o->third[0];
	int ret = geo_chain_fill(g, third, third, n);
	s64 own;

	if (!ret && geo_chain_pool(g, 0, GEO_D, o->below[0], o->below[1]) < n)
		ret = geo_chain_fill(g, o->below[1], o->below[1], n);
	if (!ret && geo_chain_pool(g, 0, GEO_D, o->above[0], o->above[1]) < n)
		ret = geo_chain_fill(g, o->level, o->level, n);
	if (ret)
		return ret;
	measure_gap(g, p->least, o->much, o->below, o->third, &o->up);
	measure_gap(g, p->least, o->much, o->third, o->above, &o->down);
	/* a step that was not seen, farther up, is none of this level */
	own = geo_chain_median(g, GEO_D, o->level, o->level) -
	      geo_chain_median(g, GEO_D, third, third);
	o->down.seen &= own * 4 >= o->down.shift * 3;
	return 0;
}

/*
 * What is the structure at a step of the chain: is the 3 part of its size? Two
 * structures, one three times the other, are one step: then a third of it
 * lies in between, and *@third gets the smaller one.
 */
static int size_of(struct fb_geometry *g, const struct pages *p, u32 level,
		   u64 *size, u64 *third)
{
	const u64 *step = g->read.chain.step;
	struct odd o;
	u32 n;
	int ret;

	start_odd(g, p, level, &o);
	*third = 0;
	for (n = FIRST_ROUND; n <= LAST_ROUND; n += n / 2) {
		ret = fill_odd(g, p, n, &o);
		if (ret)
			return ret;
		*size = 0;
		if (o.down.seen)
			*size = step[level];
		else if (o.up.seen && !o.down.room)
			*size = step[o.third[0]];
		if (o.down.seen && o.up.seen && p->low == p->high)
			*third = step[o.third[0]];
		if (*size && (*third || p->low != p->high || !o.down.room ||
			      !o.up.room))
			break;
	}
	return 0;
}

/* A step that is just one leaves more doubt than one that stands out */
static u32 confidence(const struct pages *p, u32 level)
{
	return p->z[level] >= 2 * STEP_Z ? 940 : 900;
}

static void say_neither(struct fb_geometry *g, enum fb_basis basis,
			const char *why)
{
	geo_unknown(g, FB_SUPER_PAGE, basis, "%s", why);
	geo_unknown(g, FB_PAGE, basis, "%s", why);
}

static void say_one(struct fb_geometry *g, const struct pages *p, u64 size)
{
	bool sure = p->above || is_crossing(g, p);
	char text[FB_TEXT_LEN];

	fb_format_size(text, sizeof(text), size);
	if (!size) {
		geo_unknown(g, FB_SUPER_PAGE, FB_BASIS_READ,
			    "its odd part drowns in the noise");
		geo_unknown(g, FB_PAGE, FB_BASIS_READ, "super page not known");
		return;
	}
	geo_say(g, FB_SUPER_PAGE, size, sure ? confidence(p, p->high) : 700,
		FB_BASIS_READ, "the only step, at %s%s", text,
		sure ? "" : "; pages may just differ in speed");
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

/* Find the sizes at the steps, and say them */
static int name_pages(struct fb_geometry *g, const struct pages *p)
{
	u64 page, super, none;
	int ret = size_of(g, p, p->high, &super, &page);

	if (!ret && p->low != p->high)
		ret = size_of(g, p, p->low, &page, &none);
	if (ret)
		return ret;
	if (p->low == p->high && !page)
		say_one(g, p, super);
	else
		say_two(g, p, page, super);
	return 0;
}

/**
 * geo_read_pages() - page and super page, by reads
 * @g: the inference, after geo_read_erase()
 *
 * Return: as geo_ask().
 */
int geo_read_pages(struct fb_geometry *g)
{
	struct pages p = { .above = g->read.structure || g->probe.erase };
	int ret;

	p.top = geo_chain_below(g, 3 * geo_read_length(g), LAST_STEP, 4);
	if (p.top < 2) {
		say_neither(g, FB_BASIS_NONE, "too little room");
		return 0;
	}
	ret = take_pages(g, &p);
	if (ret)
		return ret;
	g->read.structure |= p.low != 0;
	if (!p.low)
		say_neither(g, FB_BASIS_READ, "no step");
	else if (falls(g, &p))
		say_neither(g, FB_BASIS_READ,
			    "boundaries are not at multiples of their size");
	else if (p.low == p.high && !is_top(g, &p))
		say_neither(g, FB_BASIS_READ,
			    "a step above the only one could hide in the noise");
	else
		ret = name_pages(g, &p);
	return ret;
}
