// SPDX-License-Identifier: GPL-2.0-only
/*
 * The unit of programming: from there down, writes of half the size cost no
 * less. And what it costs to write a part of one, or parts of two.
 */
#include "geometry_impl.h"

#define UNIT_LARGEST	(192u << 10)
#define UNIT_FEW	8	/* samples of a size at first */
#define UNIT_PAIR	12	/* for a penalty */
#define UNIT_BATCH	8
#define UNIT_ROOM	64	/* writes in one place */
#define UNIT_FLAT	50	/* per cent of the slope at the top: flat, */
#define UNIT_STEEP	30	/* or going on like this */
#define UNIT_Z100	258	/* of the intervals: 99 % */
#define UNIT_CLEAR	940	/* confidence */
#define UNIT_LESS_CLEAR	880
#define UNIT_AGREES	970	/* reads say the same */
#define UNIT_PENALTY	10	/* per cent; less is none */
#define UNIT_ERROR	4	/* per cent; more samples if it is more */
#define UNIT_SEEN	4	/* per cent of a write; less is lost in drift */
#define UNIT_WARM	24	/* streams */
#define UNIT_GUESS	(4u << 20)

static u64 unit_block(const struct fb_geometry *g)
{
	return g->erase ? g->erase : UNIT_GUESS;
}

static u32 unit_size(const struct fb_geometry *g, u32 i)
{
	return g->w.size[0] << i;
}

/* Sizes from the smallest write up; three times that if pages are so. */
static u32 unit_sizes(struct fb_geometry *g)
{
	const struct fb_verdict *page = &g->verdict[FB_SUPER_PAGE];
	u32 largest = min_t(u64, UNIT_LARGEST, div_u64(unit_block(g), 8));
	u32 n = 0, size = g->probe.logical_block;

	/* two commands instead of one would look like a step */
	if (g->probe.max_piece)
		largest = min(largest, g->probe.max_piece);
	if (page->confidence >= FB_LIKELY && !fb_modulo(page->number, 3))
		size *= 3;
	for (; n < GEO_SIZES && size <= largest; size *= 2) {
		g->w.size[n] = size;
		g->w.samples[n++] = 0;
	}
	return n;
}

/* Write on in the set until there are @n samples. */
static int unit_collect(struct fb_geometry *g, s64 *sample, u32 *have, u32 n)
{
	u32 i;
	int ret;

	while (*have < n) {
		ret = geo_turn(g, UNIT_BATCH);
		if (ret)
			return ret;
		for (i = 0; i < UNIT_BATCH && *have < n; i++)
			if (g->w.counts & BIT_ULL(i))
				sample[(*have)++] = g->ns[i];
	}
	return 0;
}

static void unit_start(struct fb_geometry *g, u32 i)
{
	u32 size = unit_size(g, i);

	geo_set_start(g, GEO_LINEAR, unit_block(g), size);
	g->w.set.room = min_t(u64, unit_block(g), (u64)UNIT_ROOM * size);
}

static int unit_fill(struct fb_geometry *g, u32 i, u32 n)
{
	struct geo_writer *w = &g->w;
	int ret;

	if (w->samples[i] >= n)
		return 0;
	unit_start(g, i);
	ret = geo_set_add(g);
	return ret ? ret : unit_collect(g, w->time[i], &w->samples[i], n);
}

/**
 * struct unit_slope - what twice as much costs more
 * @size: bytes more
 * @shift: ns
 * @low: from
 * @high: to
 */
struct unit_slope {
	u32 size;
	s64 shift;
	s64 low;
	s64 high;
};

static int unit_measure(struct fb_geometry *g, u32 i, u32 n,
			struct unit_slope *s)
{
	struct geo_writer *w = &g->w;
	int ret = unit_fill(g, i, n);

	if (!ret)
		ret = unit_fill(g, i + 1, n);
	if (ret)
		return ret;
	s->size = unit_size(g, i);
	s->shift = fb_shift(w->time[i], w->samples[i], w->time[i + 1],
			    w->samples[i + 1], UNIT_Z100, &s->low, &s->high);
	return 0;
}

/* Is @ns more for @size bytes more than @percent of the slope at the top? */
static bool unit_steeper(const struct unit_slope *top, s64 ns, u32 size,
			 u32 percent)
{
	return 100 * ns * top->size > (s64)percent * top->shift * size;
}

/* Would it not show if twice as much cost twice as much? */
static bool unit_hidden(struct fb_geometry *g, const struct unit_slope *top,
			u32 i)
{
	s64 usual = fb_median_s64(g->w.time[i], g->w.samples[i]);

	return 100 * top->shift * unit_size(g, i) <
	       UNIT_SEEN * usual * top->size;
}

/*
 * Down from the largest size, as long as half the size costs half as much.
 * Gives the size at which it stops to, 0 if it never does.
 */
static int unit_knee(struct fb_geometry *g, u32 n, u32 *unit, u32 *confidence)
{
	struct unit_slope top, s;
	u32 i = n - 2;
	int ret = unit_measure(g, i, UNIT_FEW, &top);

	*unit = 0;
	*confidence = UNIT_CLEAR;
	if (ret || top.shift <= 0)
		return ret;
	while (i--) {
		ret = unit_measure(g, i, UNIT_FEW, &s);
		if (!ret && unit_steeper(&top, s.high, s.size, UNIT_FLAT) &&
		    !unit_steeper(&top, s.low, s.size, UNIT_STEEP)) {
			*confidence = UNIT_LESS_CLEAR;
			ret = unit_measure(g, i, GEO_SIZE_SAMPLES, &s);
		}
		if (ret)
			return ret;
		if (unit_steeper(&top, s.low, s.size, UNIT_STEEP))
			continue;
		if (unit_hidden(g, &top, i))
			return 0;
		if (unit_steeper(&top, s.high, s.size, UNIT_FLAT))
			*confidence = 500;
		*unit = unit_size(g, i + 1);
		return 0;
	}
	return 0;
}

/**
 * struct unit_penalty - how much dearer one way of writing is than another
 * @percent: that much
 * @low: from
 * @high: to
 * @error: half of that, of the time of the dearer way
 */
struct unit_penalty {
	s64 percent;
	s64 low;
	s64 high;
	s64 error;
};

static void unit_compare(s64 *a, u32 n, s64 *b, u32 m, struct unit_penalty *p)
{
	s64 low, high, shift = fb_shift(a, n, b, m, UNIT_Z100, &low, &high);
	s64 usual = max_t(s64, fb_median_s64(a, n), 1);

	p->percent = div64_s64(100 * shift, usual);
	p->low = div64_s64(100 * low, usual);
	p->high = div64_s64(100 * high, usual);
	p->error = div64_s64(50 * (high - low), max_t(s64, usual + shift, 1));
}

static void unit_say_penalty(struct fb_geometry *g, enum fb_verdict_key key,
			     const struct unit_penalty *p)
{
	bool none = p->low <= 0 || p->percent <= UNIT_PENALTY;
	u32 confidence = p->error > UNIT_PENALTY ? 700 : 900;

	geo_say(g, key, none ? 0 : p->percent, confidence, FB_BASIS_WRITE,
		"%lld%% to %lld%%", p->low, p->high);
}

/* A write of half a unit against one of a whole one */
static int unit_part(struct fb_geometry *g, u32 i)
{
	struct geo_writer *w = &g->w;
	struct unit_penalty p = { .error = S64_MAX };
	u32 n;
	int ret;

	if (!i) {
		geo_unknown(g, FB_SUBUNIT_PENALTY, FB_BASIS_WRITE,
			    "no smaller writes than the program unit");
		return unit_fill(g, i, UNIT_PAIR);
	}
	/* again, one after the other: a card can be slower than before */
	w->samples[i] = 0;
	w->samples[i - 1] = 0;
	for (n = UNIT_PAIR; n <= GEO_SIZE_SAMPLES && p.error > UNIT_ERROR;
	     n *= 2) {
		ret = unit_fill(g, i, n);
		if (!ret)
			ret = unit_fill(g, i - 1, n);
		if (ret)
			return ret;
		unit_compare(w->time[i], w->samples[i], w->time[i - 1],
			     w->samples[i - 1], &p);
	}
	unit_say_penalty(g, FB_SUBUNIT_PENALTY, &p);
	return 0;
}

/* As large as a program unit, but beginning in the middle of one */
static int unit_unaligned(struct fb_geometry *g, u32 i)
{
	struct geo_writer *w = &g->w;
	u32 have = 0, size = unit_size(g, i);
	struct unit_penalty p = { .error = S64_MAX };
	u64 base, room;
	u32 n;
	int ret;

	if (fb_modulo(size / 2, g->probe.logical_block)) {
		geo_unknown(g, FB_UNALIGNED_PENALTY, FB_BASIS_WRITE,
			    "every write is aligned");
		return 0;
	}
	unit_start(g, i);
	room = w->set.room;
	ret = geo_fresh(g, w->set.unit, room, false, &base);
	if (ret)
		return ret;
	geo_set_add_at(g, base + size / 2, div_u64(room - size, size));
	for (n = UNIT_PAIR; n <= GEO_SIZE_SAMPLES && p.error > UNIT_ERROR;
	     n *= 2) {
		ret = unit_collect(g, w->a, &have, n);
		if (ret)
			return ret;
		unit_compare(w->time[i], w->samples[i], w->a, have, &p);
	}
	unit_say_penalty(g, FB_UNALIGNED_PENALTY, &p);
	return 0;
}

static bool unit_read(const struct fb_geometry *g, enum fb_verdict_key key,
		      u32 unit)
{
	const struct fb_verdict *v = &g->verdict[key];

	return v->confidence >= FB_LIKELY && v->number == unit;
}

/*
 * A log-structured card gets slower with each of the first streams: have them
 * behind us, unless another part has.
 */
static int unit_warm(struct fb_geometry *g)
{
	u32 i;
	int ret = 0;

	if (g->w.linear.tried)
		return 0;
	unit_start(g, 0);
	for (i = 0; i < UNIT_WARM && !ret; i++)
		ret = geo_set_add(g);
	g->w.set.next = 0;
	return ret ? ret : geo_turn(g, UNIT_WARM);
}

static int unit_all(struct fb_geometry *g)
{
	u32 i, unit, confidence, n = unit_sizes(g);
	int ret;

	if (n < 3)
		return -ENOSPC;
	ret = unit_warm(g);
	if (!ret)
		ret = unit_knee(g, n, &unit, &confidence);
	if (ret)
		return ret;
	if (!unit) {
		geo_unknown(g, FB_PROGRAM_UNIT, FB_BASIS_WRITE,
			    "half the size is half as dear from %u to %u",
			    unit_size(g, n - 1), unit_size(g, 0));
		return 0;
	}
	if (confidence >= FB_LIKELY && (unit_read(g, FB_SUPER_PAGE, unit) ||
					unit_read(g, FB_PAGE, unit)))
		confidence = UNIT_AGREES;
	geo_say(g, FB_PROGRAM_UNIT, unit, confidence, FB_BASIS_WRITE,
		"%u cost as much as half of it", unit);
	if (confidence < FB_LIKELY)
		return 0;
	for (i = 0; unit_size(g, i) < unit; )
		i++;
	ret = unit_part(g, i);
	return ret ? ret : unit_unaligned(g, i);
}

/**
 * geo_program_unit() - the program unit, and the penalties below it
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_program_unit(struct fb_geometry *g)
{
	static const enum fb_verdict_key keys[] = {
		FB_PROGRAM_UNIT, FB_SUBUNIT_PENALTY, FB_UNALIGNED_PENALTY,
	};
	int ret = unit_all(g);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (g->verdict[keys[i]].evidence[0])
			continue;
		if (ret == -ENOSPC || ret == -EDQUOT)
			geo_no(g, keys[i], ret);
		else if (!ret)
			geo_unknown(g, keys[i], FB_BASIS_NONE,
				    "program unit not known");
	}
	return ret == -ENOSPC ? 0 : ret;
}
