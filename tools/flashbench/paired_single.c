// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of each of two settings. What a run does as a whole cannot be told
 * from what the setting does, and how much a row differs from run to run is
 * seen only by how much the differences of all rows scatter. So a row stands
 * out of its group or it does not, and all of it is an indication.
 *
 * Pure: see pure.h.
 */
#include "paired.h"

/* Fewer rows do not tell how much rows scatter, or move together */
#define ROWS_FOR_SCATTER	8

/* 100 * sqrt(2) * 1.96, see judge_group() */
#define Z100_BOTH_WAYS	277

/* In units of its median deviation, 1000 times */
#define SCALE_OF_T	1225

/* Differences are less than twice the unit; of those that matter, this much */
#define MOST_DIFFERENCE	(2 * FB_PAIRED_UNIT - 10)

/*
 * 100 times Student's t with two degrees of freedom, two-sided 5 % divided by
 * @rows: latencies have tails, and some rows are ten times as noisy as others,
 * so that the normal distribution would find far too much. That of two degrees
 * is a formula.
 */
static s64 limit_of(u32 rows)
{
	u64 n = 20ULL * rows;

	return int_sqrt64(div64_u64(20000 * (n - 1) * (n - 1), 2 * n - 1));
}

static s64 size_of(s64 v)
{
	return v < 0 ? -v : v;
}

static enum fb_change direction(s64 v)
{
	return v > 0 ? FB_SLOWER : v < 0 ? FB_FASTER : FB_SAME;
}

/* Parts of the mean of both, so that there and back are the same */
static s64 relative(const struct fb_single_row *r, s64 ns)
{
	return div64_s64(ns * 2 * FB_PAIRED_UNIT, r->before + r->after);
}

static s64 difference(const struct fb_single_row *r)
{
	return relative(r, r->after - r->before);
}

/* What the rows of a group do beyond their middle, if there are enough */
static void find_residuals(struct fb_single_row *rows, u32 nrows, u32 group,
			   s64 *scratch)
{
	s64 middle = 0;
	u32 i, n = 0;

	for (i = 0; i < nrows; i++)
		if (rows[i].group == group)
			scratch[n++] = difference(&rows[i]);
	if (n >= ROWS_FOR_SCATTER)
		middle = fb_median_s64(scratch, n);
	for (i = 0; i < nrows; i++)
		if (rows[i].group == group)
			rows[i].residual = difference(&rows[i]) - middle;
}

static s64 find_scatter(const struct fb_single_row *rows, u32 nrows,
			s64 *scratch)
{
	u32 i;

	if (nrows < ROWS_FOR_SCATTER)
		return FB_PAIRED_LEAST;
	for (i = 0; i < nrows; i++)
		scratch[i] = size_of(rows[i].residual);
	return div_s64(fb_median_s64(scratch, nrows) * SCALE_OF_T, 1000);
}

/* The standard error of a row: what all rows scatter, and its own */
static s64 error_of(const struct fb_single_row *r, s64 scatter)
{
	s64 own = min_t(s64, relative(r, r->error), MOST_DIFFERENCE);

	return int_sqrt64(scatter * scatter + own * own) + 1;
}

/*
 * Holm: the row that stands out most is one of all rows, the next one of all
 * but one, until one does not stand out. Returns the rank of the last one.
 */
static s64 find_limit(const struct fb_single_row *rows, u32 nrows, s64 *scratch)
{
	u32 left;

	for (left = 0; left < nrows; left++)
		scratch[left] = rows[left].rank;
	fb_median_s64(scratch, nrows);
	for (left = nrows; left; left--)
		if (scratch[left - 1] < limit_of(left))
			break;
	return left == nrows ? S64_MAX : scratch[left];
}

/* From parts of the mean of both to parts of the one before */
static s64 of_before(s64 difference)
{
	difference = min_t(s64, difference, MOST_DIFFERENCE);
	difference = max_t(s64, difference, -MOST_DIFFERENCE);
	return div64_s64(2 * FB_PAIRED_UNIT * difference,
			 2 * FB_PAIRED_UNIT - difference);
}

static void judge_row(struct fb_single_row *r, s64 limit, s64 error)
{
	s64 seen = difference(r), least = FB_PAIRED_LEAST;
	s64 width = div_s64(error * limit_of(1), 100);
	struct fb_difference *d = &r->diff;

	d->before = r->before;
	d->after = r->after;
	d->shift = div64_s64((r->after - r->before) * FB_PAIRED_UNIT,
			     r->before);
	d->low = of_before(seen - width);
	d->high = of_before(seen + width);
	d->common = false;
	d->change = FB_SAME;
	if (r->rank < limit || size_of(r->residual) < least)
		return;
	/* or else the group moved away from this row, as in paired.c */
	if (2 * size_of(seen) >= size_of(r->residual) &&
	    direction(seen) == direction(r->residual))
		d->change = direction(seen);
}

/*
 * The shift of those rows that do not stand out, each taken for itself, by
 * Wilcoxon's signed ranks: the median of the means of any two differences. That
 * is half of Hodges and Lehmann's shift from the differences with the opposite
 * sign to these; since both are the same sample, its deviation is sqrt(2) times
 * as large.
 */
static void judge_group(const struct fb_single_row *rows, u32 nrows,
			u32 number, struct fb_single_group *g, s64 *scratch)
{
	u32 i, n = 0;

	memset(g, 0, sizeof(*g));
	for (i = 0; i < nrows; i++) {
		s64 seen = difference(&rows[i]);

		if (rows[i].group != number)
			continue;
		g->nrows++;
		if (rows[i].rank >= limit_of(1))
			continue;
		g->up += seen > 0;
		g->down += seen < 0;
		scratch[n] = -seen;
		scratch[nrows + n++] = seen;
	}
	if (n < ROWS_FOR_SCATTER)
		return;
	g->diff.shift = fb_shift(scratch, n, scratch + nrows, n,
				 Z100_BOTH_WAYS, &g->diff.low, &g->diff.high);
	g->diff.shift = div_s64(g->diff.shift, 2);
	g->diff.low = div_s64(g->diff.low, 2);
	g->diff.high = div_s64(g->diff.high, 2);
	if (size_of(g->diff.shift) >= FB_PAIRED_LEAST / 2) {
		if (g->diff.low > 0)
			g->diff.change = FB_SLOWER;
		if (g->diff.high < 0)
			g->diff.change = FB_FASTER;
	}
	g->diff.shift = of_before(g->diff.shift);
	g->diff.low = of_before(g->diff.low);
	g->diff.high = of_before(g->diff.high);
}

/* Rows that move as their group, by half as much at least */
static void join_group(struct fb_single_row *r, const struct fb_single_group *g)
{
	s64 seen = of_before(difference(r));

	if (r->diff.change != FB_SAME || g->diff.change == FB_SAME)
		return;
	if (2 * size_of(seen) < size_of(g->diff.shift) ||
	    direction(seen) != g->diff.change)
		return;
	r->diff.change = g->diff.change;
	r->diff.common = true;
}

static bool same_change(const struct fb_single_row *a,
			const struct fb_single_row *b)
{
	return a->group == b->group && !b->diff.common &&
	       a->diff.change == b->diff.change;
}

static void find_alone(struct fb_single_row *rows, u32 nrows)
{
	u32 i;

	for (i = 0; i < nrows; i++) {
		struct fb_single_row *r = &rows[i];

		r->alone = r->diff.change != FB_SAME && !r->diff.common &&
			   !(i && same_change(r, r - 1)) &&
			   !(i + 1 < nrows && same_change(r, r + 1));
	}
}

/**
 * fb_single_judge() - what differs between two runs
 * @rows: the rows, at least one, those of a group together and in order; get
 *	their differences
 * @nrows: how many
 * @groups: get theirs
 * @ngroups: how many
 * @scratch: room for 2 * @nrows
 *
 * The interval of a row is that of this row alone, 95 %; its verdict is
 * corrected for the number of rows. Of a group it is that of its shift.
 *
 * Return: the difference, in parts of 10000, from which on a row stands out
 * that has no error of its own.
 */
s64 fb_single_judge(struct fb_single_row *rows, u32 nrows,
		    struct fb_single_group *groups, u32 ngroups, s64 *scratch)
{
	s64 scatter, limit;
	u32 i;

	for (i = 0; i < ngroups; i++)
		find_residuals(rows, nrows, i, scratch);
	scatter = find_scatter(rows, nrows, scratch);
	for (i = 0; i < nrows; i++)
		rows[i].rank = div64_s64(size_of(rows[i].residual) * 100,
					 error_of(&rows[i], scatter));
	limit = find_limit(rows, nrows, scratch);
	for (i = 0; i < nrows; i++)
		judge_row(&rows[i], limit, error_of(&rows[i], scatter));
	for (i = 0; i < ngroups; i++)
		judge_group(rows, nrows, i, &groups[i], scratch);
	for (i = 0; i < nrows; i++)
		join_group(&rows[i], &groups[rows[i].group]);
	find_alone(rows, nrows);
	scatter = div_s64((scatter + 1) * limit_of(nrows), 100);
	return max_t(s64, scatter, FB_PAIRED_LEAST);
}
