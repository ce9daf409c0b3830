// SPDX-License-Identifier: GPL-2.0-only
/*
 * A volatile write cache: writes that are flushed take longer than others, and
 * when it is full they all do.
 */
#include "geometry_impl.h"

#define CACHE_WRITE	4096u
#define CACHE_FORCED	8	/* writes in a burst that are flushed */
#define CACHE_LARGEST	(12u << 20)
#define CACHE_WINDOW	12	/* writes, of which */
#define CACHE_FULL	11	/* so many are slow when it is full */
#define CACHE_REFERENCE	4
#define CACHE_Z100	258	/* of the interval: 99 % */
#define CACHE_ROOM	(1024u << 10)

static u64 cache_unit(const struct fb_geometry *g)
{
	return g->erase ? g->erase : CACHE_LARGEST;
}

/* @n small writes with a flush behind each, or one behind them all */
static int cache_burst(struct fb_geometry *g, u64 *at, u32 n, bool forced,
		       s64 *sample)
{
	u32 i, length = max(CACHE_WRITE, g->probe.logical_block);
	int ret;

	for (i = 0; i < n; i++, *at += length) {
		geo_want(g, FB_WRITE, *at, length);
		g->ask[i].flush = forced;
	}
	if (!forced)
		geo_want(g, FB_FLUSH, 0, 0);
	ret = geo_ask(g);
	for (i = 0; i < n && !ret; i++)
		sample[i] = g->ns[i];
	return ret;
}

/* What a flush takes when there is nothing to write */
static int cache_empty(struct fb_geometry *g, s64 *ns)
{
	u32 i;
	int ret;

	for (i = 0; i <= CACHE_FORCED; i++)
		geo_want(g, FB_FLUSH, 0, 0);
	ret = geo_ask(g);
	/* the first one may have had something */
	for (i = 0; i < CACHE_FORCED && !ret; i++)
		g->w.a[i] = g->ns[i + 1];
	*ns = fb_median_s64(g->w.a, CACHE_FORCED);
	return ret;
}

/*
 * Do writes that are flushed take longer, and not just by the command? Without
 * a cache, the way through the block layer alone is a part of a fast write.
 */
static int cache_in_use(struct fb_geometry *g, bool *used)
{
	static const u8 bursts[] = { 2, 2, 4 };
	u64 room = min_t(u64, cache_unit(g), CACHE_ROOM);
	s64 *forced = g->w.a, *plain = g->w.b;
	u32 i, n = 0;
	s64 low, high, empty;
	u64 at[2];
	int ret;

	for (i = 0; i < 2; i++) {
		ret = geo_fresh(g, cache_unit(g), room, false, &at[i]);
		if (ret)
			return ret;
	}
	/* the first write to each opens it */
	ret = cache_burst(g, &at[0], 1, true, forced);
	if (!ret)
		ret = cache_empty(g, &empty);
	if (!ret)
		ret = cache_burst(g, &at[1], 1, true, plain);
	for (i = 0; i < 2 && !ret; i++)
		ret = cache_burst(g, &at[0], CACHE_FORCED, true,
				  forced + i * CACHE_FORCED);
	for (i = 0; i < ARRAY_SIZE(bursts) && !ret; i++) {
		ret = cache_burst(g, &at[1], bursts[i], false, plain + n);
		n += bursts[i];
	}
	if (ret)
		return ret;
	for (i = 0; i < 2 * CACHE_FORCED; i++)
		forced[i] -= empty;
	fb_shift(plain, n, forced, 2 * CACHE_FORCED, CACHE_Z100, &low, &high);
	*used = low > 0 && 100 * fb_median_s64(forced, 2 * CACHE_FORCED) >=
			   115 * fb_median_s64(plain, n);
	return 0;
}

/* What a write takes when the cache is empty */
static int cache_reference(struct fb_geometry *g, u64 *ns)
{
	u32 i;
	int ret;

	for (i = 0; i <= CACHE_REFERENCE; i++) {
		ret = geo_turn(g, 1);
		/* the first one opens an erase block */
		if (i)
			g->w.a[i - 1] = g->ns[0];
		geo_want(g, FB_FLUSH, 0, 0);
		if (!ret)
			ret = geo_ask(g);
		if (ret)
			return ret;
	}
	*ns = fb_median_s64(g->w.a, CACHE_REFERENCE);
	return 0;
}

/* Write until all of it is slow: @full bytes went in before, if not 0. */
static int cache_fill(struct fb_geometry *g, u64 reference, u64 *full)
{
	u32 i, n = 0, slow = 0, most = CACHE_LARGEST / g->w.set.block;
	u32 window = 0;
	int ret;

	*full = 0;
	while (n < most) {
		ret = geo_turn(g, CACHE_WINDOW);
		if (ret)
			return ret;
		for (i = 0; i < CACHE_WINDOW; i++) {
			bool now = 10 * g->ns[i] > 14 * reference;

			n++;
			slow += now;
			window = (window << 1 | now) & (BIT(CACHE_WINDOW) - 1);
			if (hweight32(window) < CACHE_FULL)
				continue;
			n -= hweight32(window);
			slow -= hweight32(window);
			if (5 * slow <= n)
				*full = (u64)n * g->w.set.block;
			return 0;
		}
	}
	return 0;
}

static int cache_measure(struct fb_geometry *g)
{
	u64 reference, full;
	bool used;
	int ret = cache_in_use(g, &used);

	if (ret)
		return ret;
	if (!used) {
		geo_say_text(g, FB_WRITE_CACHE, "none", 0, 900, FB_BASIS_WRITE,
			     "a flush makes no difference");
		return 0;
	}
	geo_say_text(g, FB_WRITE_CACHE, "present", 0, 900, FB_BASIS_WRITE,
		     "flushed writes take longer; size not found");
	geo_set_start(g, GEO_LINEAR, cache_unit(g),
		      geo_write_block(g, cache_unit(g)));
	g->w.set.plain = true;
	ret = geo_set_add(g);
	if (!ret)
		ret = cache_reference(g, &reference);
	if (!ret)
		ret = cache_fill(g, reference, &full);
	if (!ret && full)
		geo_say(g, FB_WRITE_CACHE, full, 900, FB_BASIS_WRITE,
			"writes slow down after so much without a flush");
	return ret;
}

/**
 * geo_write_cache() - is there a volatile write cache, and how large?
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_write_cache(struct fb_geometry *g)
{
	int ret;

	if (!g->probe.write_cache) {
		geo_say_text(g, FB_WRITE_CACHE, "none", 0, 850, FB_BASIS_NONE,
			     "a flush does nothing on this card");
		return 0;
	}
	ret = cache_measure(g);
	if ((ret == -ENOSPC || ret == -EDQUOT) &&
	    !g->verdict[FB_WRITE_CACHE].confidence)
		geo_no(g, FB_WRITE_CACHE, ret);
	return ret == -ENOSPC ? 0 : ret;
}
