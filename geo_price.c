// SPDX-License-Identifier: GPL-2.0-only
/*
 * What makes writes of several streams slow: that the card goes from one erase
 * block to another, or that it closes one each time.
 */
#include "geometry_impl.h"

#define PRICE_LARGE	(1024u << 10)
#define PRICE_WHOLE	64	/* writes that fill an erase block, at most */

/**
 * geo_level() - what a write takes
 * @g: the inference
 * @n: streams, added if there are fewer
 * @writes: in turn, at most 64
 * @ns: gets the median time; the openings do not count
 *
 * Return: 0 or an error: see geo_write.h.
 */
int geo_level(struct fb_geometry *g, u32 n, u32 writes, u64 *ns)
{
	struct geo_set *set = &g->w.set;
	u32 i, m = 0;
	int ret = 0;

	while (set->n < n && !ret)
		ret = geo_set_add(g);
	if (!ret)
		ret = geo_turn(g, writes);
	if (ret)
		return ret;
	for (i = 0; i < writes; i++)
		if (g->w.counts & BIT_ULL(i))
			g->w.a[m++] = g->ns[i];
	*ns = fb_median_s64(g->w.a, m);
	return 0;
}

/* The erase block is not smaller than this, in all likelihood. */
static u64 price_least(const struct fb_geometry *g)
{
	u64 unit = g->w.set.unit;

	return g->w.guessed ? min_t(u64, unit, PRICE_LARGE) : unit;
}

/*
 * What it costs to write a whole erase block, from one stream in large blocks,
 * so that the fixed cost of a write does not matter.
 */
static int price_whole(struct fb_geometry *g, u64 *ns)
{
	struct geo_set *set = &g->w.set;
	enum geo_order order = set->order;
	u32 small = set->block;
	u32 large = min_t(u64, div_u64(price_least(g), 16), PRICE_LARGE);
	int ret;

	large = max(large - large % small, small);
	geo_set_start(g, GEO_LINEAR, set->unit, large);
	ret = geo_level(g, 1, 5, ns);
	*ns = div_u64(*ns * price_least(g), large);
	geo_set_start(g, order, set->unit, small);
	return ret;
}

/* The first write to an erase block after others were filled from their start */
static int price_elsewhere(struct fb_geometry *g, u64 *ns)
{
	struct geo_set *set = &g->w.set;
	u32 i, n = div_u64(set->unit, set->block);
	u64 base;
	int ret;

	*ns = U64_MAX;
	for (i = 0; i < 3; i++) {
		geo_set_start(g, set->order, set->unit, set->block);
		ret = geo_fresh(g, set->unit, set->unit, true, &base);
		if (ret)
			return ret;
		geo_set_add_at(g, base, n);
		ret = geo_turn(g, i < 2 ? n : 1);
		if (ret)
			return ret;
		if (i)
			*ns = min(*ns, g->ns[0]);
	}
	geo_set_start(g, set->order, set->unit, set->block);
	return 0;
}

/*
 * Where an erase block is few writes, its size does not tell what they are
 * slower for. There is nothing to copy when one that is full is closed, but to
 * go elsewhere costs the same.
 */
static int price_is_elsewhere(struct fb_geometry *g, u64 fast, u64 more,
			      bool *price)
{
	struct geo_set *set = &g->w.set;
	u64 ns;
	int ret;

	*price = false;
	if (g->w.guessed || set->order != GEO_LINEAR ||
	    set->unit > (u64)PRICE_WHOLE * set->block)
		return 0;
	ret = price_elsewhere(g, &ns);
	if (ret == -ENOSPC)
		return 0;
	*price = !ret && ns >= fast + div_u64(3 * more, 4);
	return ret;
}

/**
 * geo_is_price() - does going elsewhere cost, or closing?
 * @g: the inference; its streams are forgotten if it has to be measured
 * @fast: what a write of one stream in order takes, ns
 * @more: how much slower all writes are, ns
 * @price: gets whether that is the price of going elsewhere
 *
 * Closing an erase block costs about as much as writing a whole one, or some
 * part of it, as the card copies faster than the host writes.
 *
 * Return: 0 or an error: see geo_write.h.
 */
int geo_is_price(struct fb_geometry *g, u64 fast, u64 more, bool *price)
{
	struct geo_set *set = &g->w.set;
	u64 whole = div_u64(fast * price_least(g), set->block);
	int ret = 0;

	/* this is too much rather than too little */
	if (more < whole / 4 && more >= whole / 50)
		ret = price_whole(g, &whole);
	*price = more < whole / 4;
	if (!ret && !*price && more < 4 * whole)
		ret = price_is_elsewhere(g, fast, more, price);
	return ret;
}
