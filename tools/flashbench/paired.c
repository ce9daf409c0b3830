// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs of two settings, judged. What is compared are runs, not I/Os: those of
 * one run share its luck, so that any test which takes them for independent
 * finds differences where there are none.
 *
 * A run has some luck as a whole, which is estimated by the median of its rows
 * and taken off; a row has changed if what is left separates the two sides
 * and is more than the noise of all rows, and its own, explains. This second
 * condition is what makes many rows bearable: by order alone, one row in 126 of five runs a
 * side is separated.
 *
 * Pure: see pure.h.
 */
#include "paired.h"

/* Fewer rows cannot tell the luck of a run from a change of most of them */
#define ROWS_FOR_LUCK	8

/* Of the median of a row, so that all fits into 64 bits */
#define MOST_TIMES	1600

/* The interval: 99 % */
#define Z100		258

/* Pairs in the wrong order, at most 1 % of the time, by runs a side */
static const u8 critical[FB_PAIRED_RUNS + 1] = {
	0, 0, 0, 0, 0, 0, 2, 4, 7, 11, 16, 21, 27, 34, 42, 51, 60
};

/**
 * fb_paired_critical() - when are two sides separated?
 * @runs: of the side that has fewer, at most FB_PAIRED_RUNS
 *
 * Return: the number of pairs (one run of each side) that may be in the wrong
 * order. With up to five runs, none.
 */
u32 fb_paired_critical(u32 runs)
{
	return critical[runs];
}

/**
 * fb_paired_side() - the order of the runs
 * @seed: any number
 * @run: from 0
 *
 * In blocks of four, ABBA or BAAB: whatever drifts steadily is the same for
 * both sides. Which of the two is drawn for each block, so that nothing periodic
 * can keep in step.
 *
 * Return: true if this is a run of the second setting.
 */
bool fb_paired_side(u64 seed, u32 run)
{
	bool inner = run % 4 == 1 || run % 4 == 2;

	return inner != (fb_hash(seed + run / 4) & 1);
}

static u32 fewer_runs(const struct fb_paired *p)
{
	return min(p->nbefore, p->nafter);
}

static u32 all_runs(const struct fb_paired *p)
{
	return p->nbefore + p->nafter;
}

/* Twice the number of pairs in which @after is less; equal ones count half */
static u32 twice_less(const s64 *before, u32 n, const s64 *after, u32 m)
{
	u32 i, j, count = 0;

	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			count += after[j] < before[i] ? 2 :
				 after[j] == before[i];
	return count;
}

/* Which way do the two sides of @v lie, if they are separated? */
static enum fb_change separated(const struct fb_paired *p, const s64 *v)
{
	u32 limit = p->interim ? 0 : 2 * critical[fewer_runs(p)];
	u32 pairs = p->nbefore * p->nafter;
	u32 less = twice_less(v, p->nbefore, v + p->nbefore, p->nafter);

	if (less <= limit)
		return FB_SLOWER;
	return 2 * pairs - less <= limit ? FB_FASTER : FB_SAME;
}

static void shift_of(const struct fb_paired *p, s64 *v, struct fb_difference *d)
{
	d->shift = fb_shift(v, p->nbefore, v + p->nbefore, p->nafter, Z100,
			    &d->low, &d->high);
}

static s64 median_of(const s64 *v, u32 n)
{
	s64 copy[2 * FB_PAIRED_RUNS];

	memcpy(copy, v, n * sizeof(*v));
	return fb_median_s64(copy, n);
}

/* Rows of all sizes side by side: parts of the row's median, less one */
static void normalise(struct fb_paired *p)
{
	u32 runs = all_runs(p), row, i;

	for (row = 0; row < p->nrows; row++) {
		s64 *v = p->value + row * runs;
		s64 middle = median_of(v, runs);

		p->rows[row].before = median_of(v, p->nbefore);
		p->rows[row].after = median_of(v + p->nbefore, p->nafter);
		p->rows[row].shift = middle;	/* until it is judged */
		for (i = 0; i < runs; i++) {
			v[i] = div64_s64(v[i] * FB_PAIRED_UNIT, middle);
			v[i] = min_t(s64, v[i], MOST_TIMES * FB_PAIRED_UNIT);
			v[i] -= FB_PAIRED_UNIT;
		}
	}
}

static void judge_whole(struct fb_paired *p, const s64 *luck)
{
	s64 v[2 * FB_PAIRED_RUNS];
	enum fb_change change = separated(p, luck);
	s64 least = FB_PAIRED_LEAST / 2;

	memcpy(v, luck, all_runs(p) * sizeof(*v));
	memset(&p->whole, 0, sizeof(p->whole));
	shift_of(p, v, &p->whole);
	if (p->interim)
		least *= 2;
	if (p->whole.shift >= least || p->whole.shift <= -least)
		p->whole.change = change;
}

/* The luck of each run is the median of its rows */
static void find_luck(struct fb_paired *p, s64 *luck)
{
	u32 runs = all_runs(p), row, i;

	for (i = 0; i < runs; i++) {
		for (row = 0; row < p->nrows; row++)
			p->scratch[row] = p->value[row * runs + i];
		luck[i] = fb_median_s64(p->scratch, p->nrows);
	}
}

static void take_off(const struct fb_paired *p, s64 *v, const s64 *luck)
{
	u32 i;

	for (i = 0; i < all_runs(p); i++)
		v[i] -= luck[i];
}

/* Median deviation from the medians of the two sides, over all rows */
static s64 find_noise(const struct fb_paired *p)
{
	u32 runs = all_runs(p), n = p->nrows * runs, i;

	for (i = 0; i < n; i++) {
		const s64 *v = p->value + i / runs * runs;
		s64 middle = i % runs < p->nbefore ?
			     median_of(v, p->nbefore) :
			     median_of(v + p->nbefore, p->nafter);
		s64 deviation = p->value[i] - middle;

		p->scratch[i] = deviation < 0 ? -deviation : deviation;
	}
	return fb_median_s64(p->scratch, n);
}

/* Mean deviation of a row from the medians of its two sides */
static s64 own_noise(const struct fb_paired *p, const s64 *v)
{
	s64 before = median_of(v, p->nbefore);
	s64 after = median_of(v + p->nbefore, p->nafter);
	s64 sum = 0;
	u32 i;

	for (i = 0; i < all_runs(p); i++) {
		s64 deviation = v[i] - (i < p->nbefore ? before : after);

		sum += deviation < 0 ? -deviation : deviation;
	}
	return div_s64(sum, all_runs(p) - 2);
}

/*
 * How much of the noise of all rows, and of its own, a change must be, by runs
 * a side. Measured, so that a comparison of 60 rows without any change finds
 * one in at most 5 % of the cases, also if some rows are ten times as noisy as
 * others: with few runs those would be separated too often by luck.
 */
static const struct {
	u8 all;
	u8 own;
} factors[] = {
	[FB_PAIRED_JUDGED] = { 14, 5 },
	[FB_PAIRED_JUDGED + 1] = { 7, 4 },
	[FB_PAIRED_FULL] = { 4, 3 },
};

static s64 floor_of(const struct fb_paired *p, s64 noise, bool own)
{
	u32 runs = min_t(u32, fewer_runs(p), FB_PAIRED_FULL);
	s64 times = own ? factors[runs].own : factors[runs].all;

	return p->interim ? 2 * times * noise : times * noise;
}

static enum fb_change beyond(s64 shift, s64 floor)
{
	if (shift >= floor)
		return FB_SLOWER;
	return shift <= -floor ? FB_FASTER : FB_SAME;
}

/*
 * On its own, or as all? If many rows changed, the luck of the runs is a part
 * of that change, and the others seem to have changed the other way: hence the
 * look at the row with its luck, @raw.
 */
static void judge_row(const struct fb_paired *p, s64 *v, s64 *raw,
		      struct fb_difference *d)
{
	enum fb_change own = separated(p, v), with_luck = separated(p, raw);
	s64 floor = max(p->floor, floor_of(p, own_noise(p, v), true));
	struct fb_difference r;

	shift_of(p, v, d);
	shift_of(p, raw, &r);
	d->change = FB_SAME;
	d->common = false;
	if (own == beyond(d->shift, floor) &&
	    own == beyond(2 * r.shift, max(d->shift, -d->shift)))
		d->change = own;
	if (d->change != FB_SAME || p->whole.change == FB_SAME)
		return;
	if (with_luck == p->whole.change &&
	    with_luck == beyond(r.shift, FB_PAIRED_LEAST / 2)) {
		d->change = with_luck;
		d->common = true;
	}
}

/* Parts of @whole as those of @before; the luck taken off may be more than it */
static s64 part_of(s64 v, s64 whole, s64 before)
{
	return max_t(s64, div64_s64(v * whole, before), -FB_PAIRED_UNIT);
}

/* From parts of the median of all runs to parts of the one before */
static void rescale(struct fb_difference *d, s64 middle, s64 before, s64 add)
{
	d->shift = part_of(d->shift + add, middle, before);
	d->low = part_of(d->low + add, middle, before);
	d->high = part_of(d->high + add, middle, before);
}

/**
 * fb_paired_judge() - what differs between runs of two settings
 * @p: the runs, at least FB_PAIRED_JUDGED a side; gets the verdicts
 *
 * The shift of a row is without the luck of the runs, unless the runs as a
 * whole have changed: then that is no luck, and part of it.
 */
void fb_paired_judge(struct fb_paired *p)
{
	s64 luck[2 * FB_PAIRED_RUNS], raw[2 * FB_PAIRED_RUNS];
	bool lucky = p->nrows >= ROWS_FOR_LUCK;
	u32 runs = all_runs(p), row;

	p->noise = 0;
	p->floor = FB_PAIRED_LEAST;
	memset(&p->whole, 0, sizeof(p->whole));
	if (!p->nrows)
		return;
	normalise(p);
	find_luck(p, luck);
	judge_whole(p, luck);
	for (row = 0; lucky && row < p->nrows; row++)
		take_off(p, p->value + row * runs, luck);
	p->noise = find_noise(p);
	p->floor = max(p->floor, floor_of(p, p->noise, false));

	for (row = 0; row < p->nrows; row++) {
		struct fb_difference *d = &p->rows[row];
		s64 *v = p->value + row * runs;
		s64 middle = d->shift;
		u32 i;

		for (i = 0; i < runs; i++)
			raw[i] = v[i] + (lucky ? luck[i] : 0);
		judge_row(p, v, raw, d);
		rescale(d, middle, d->before,
			lucky && p->whole.change != FB_SAME ?
			p->whole.shift : 0);
	}
	rescale(&p->whole, FB_PAIRED_UNIT,
		max_t(s64, FB_PAIRED_UNIT + median_of(luck, p->nbefore), 1), 0);
}

/**
 * fb_paired_clear() - would more runs be a waste?
 * @p: judged as interim
 *
 * Return: true if something has changed, or if every row is known to have
 * changed by less than is looked for.
 */
bool fb_paired_clear(const struct fb_paired *p)
{
	bool same = fewer_runs(p) >= FB_PAIRED_FULL;
	u32 row;

	if (p->whole.change != FB_SAME)
		return true;
	for (row = 0; row < p->nrows; row++) {
		const struct fb_difference *d = &p->rows[row];

		if (d->change != FB_SAME)
			return true;
		if (d->low <= -FB_PAIRED_LEAST || d->high >= FB_PAIRED_LEAST)
			same = false;
	}
	return same;
}
