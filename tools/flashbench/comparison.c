// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which rows of several results are the same, and what differs.
 */
#include <stdlib.h>

#include "command.h"
#include "comparison.h"

/**
 * struct point - a row of one run
 * @result: what it is part of
 * @cell: the row
 * @run: of which run
 * @index: its number there, in the order of the file
 * @copy: how many of the same name are before it
 */
struct point {
	const struct result *result;
	const struct cell *cell;
	u32 run;
	u32 index;
	u32 copy;
};

static int order_of(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Are two rows the same one, but for the run? */
static int compare_names(const struct point *a, const struct point *b)
{
	int order = order_of(a->result->kind, b->result->kind);

	if (!order)
		order = order_of(a->result->random, b->result->random);
	if (!order)
		order = order_of(a->cell->opcode, b->cell->opcode);
	if (!order)
		order = order_of(a->cell->column, b->cell->column);
	return order ? order : order_of(a->cell->size, b->cell->size);
}

static int by_run(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;
	int order = order_of(a->run, b->run);

	if (!order)
		order = compare_names(a, b);
	return order ? order : order_of(a->index, b->index);
}

static int by_name(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;
	int order = compare_names(a, b);

	if (!order)
		order = order_of(a->copy, b->copy);
	return order ? order : order_of(a->run, b->run);
}

static bool usable(const struct cell *cell)
{
	return cell->median > 0 && cell->median <= (s64)FB_PAIRED_MOST;
}

static u32 add_points(const struct archive *a, u32 run, struct point *points)
{
	u32 n = 0;
	size_t i, j;

	for (i = 0; i < a->n; i++)
		for (j = 0; j < a->results[i].ncells; j++) {
			struct cell *cell = &a->results[i].cells[j];

			if (usable(cell)) {
				points[n] = (struct point) {
					&a->results[i], cell, run, n, 0
				};
				n++;
			}
		}
	return n;
}

/* All rows of all runs, those of one name together, in the order of the runs */
static struct point *collect(const struct archive *runs, u32 nruns, u32 *n)
{
	struct point *points;
	size_t room = 0, i, j;

	for (i = 0; i < nruns; i++)
		for (j = 0; j < runs[i].n; j++)
			room += runs[i].results[j].ncells;
	points = need_memory(calloc(room + 1, sizeof(*points)));
	*n = 0;
	for (i = 0; i < nruns; i++)
		*n += add_points(&runs[i], i, points + *n);

	qsort(points, *n, sizeof(*points), by_run);
	for (i = 1; i < *n; i++)
		if (points[i].run == points[i - 1].run &&
		    !compare_names(&points[i], &points[i - 1]))
			points[i].copy = points[i - 1].copy + 1;
	qsort(points, *n, sizeof(*points), by_name);
	return points;
}

static void name_missing(struct comparison *c, const struct point *points,
			 u32 n)
{
	struct compared_row row = {
		points->result, points->cell, points->copy,
	};
	char name[COMPARISON_NAME];

	compared_name(&row, name, sizeof(name));
	if (points[n - 1].run < c->nbefore)
		lines_add(&c->missing, "%s: only before", name);
	else if (points->run >= c->nbefore)
		lines_add(&c->missing, "%s: only after", name);
	else
		lines_add(&c->missing, "%s: in %u of %u runs", name, n,
			  c->nbefore + c->nafter);
}

/* Rows that can move together */
static bool same_group(const struct point *a, const struct point *b)
{
	enum result_kind kind = a->result->kind;
	bool columns = kind == RESULT_ALIGN || kind == RESULT_ALIGN_WRITE ||
		       kind == RESULT_OPEN_AU;

	return kind == b->result->kind &&
	       a->result->random == b->result->random &&
	       a->cell->opcode == b->cell->opcode && a->copy == b->copy &&
	       (!columns || a->cell->column == b->cell->column);
}

/* Sorts rows, each standing for all of its runs, into groups and their order */
static int by_group(const void *pa, const void *pb)
{
	const struct point *a = *(struct point *const *)pa;
	const struct point *b = *(struct point *const *)pb;
	int order = order_of(a->result->kind, b->result->kind);

	if (!order)
		order = order_of(a->result->random, b->result->random);
	if (!order)
		order = order_of(a->cell->opcode, b->cell->opcode);
	if (!order)
		order = order_of(a->copy, b->copy);
	if (!order && !same_group(a, b))
		order = order_of(a->cell->column, b->cell->column);
	return order ? order : order_of(a->index, b->index);
}

/* Those rows that all runs have; returns the first run's point of each */
static struct point **find_rows(struct comparison *c, struct point *points,
				u32 n)
{
	u32 runs = c->nbefore + c->nafter, start, end;
	struct point **rows = need_memory(calloc(n + 1, sizeof(*rows)));

	for (start = 0; start < n; start = end) {
		for (end = start + 1; end < n; end++)
			if (compare_names(&points[start], &points[end]) ||
			    points[start].copy != points[end].copy)
				break;
		if (end - start == runs)
			rows[c->nrows++] = &points[start];
		else
			name_missing(c, &points[start], end - start);
	}
	qsort(rows, c->nrows, sizeof(*rows), by_group);
	return rows;
}

static void make_rows(struct comparison *c, struct point *const *rows)
{
	u32 i;

	c->rows = need_memory(calloc(c->nrows + 1, sizeof(*c->rows)));
	for (i = 0; i < c->nrows; i++) {
		struct compared_row *row = &c->rows[i];

		row->result = rows[i]->result;
		row->cell = rows[i]->cell;
		row->copy = rows[i]->copy;
		row->first = !i || !same_group(rows[i - 1], rows[i]);
		c->ngroups += row->first;
		row->group = c->ngroups - 1;
	}
}

static void judge_runs(struct comparison *c, struct point *const *rows,
		       bool interim)
{
	u32 runs = c->nbefore + c->nafter, i;
	size_t n = (size_t)runs * c->nrows;
	struct fb_paired p = {
		.nbefore = c->nbefore, .nafter = c->nafter, .nrows = c->nrows,
		.interim = interim,
		.value = need_memory(calloc(n, sizeof(*p.value))),
		.scratch = need_memory(calloc(n, sizeof(*p.scratch))),
		.rows = need_memory(calloc(c->nrows, sizeof(*p.rows))),
	};

	for (i = 0; i < n; i++)
		p.value[i] = rows[i / runs][i % runs].cell->median;
	fb_paired_judge(&p);
	for (i = 0; i < c->nrows; i++)
		c->rows[i].diff = p.rows[i];
	c->whole = p.whole;
	for (i = 0; i < NR_RESULT_KINDS; i++)
		c->floor[i] = p.floor;
	c->clear = fb_paired_clear(&p);
	free(p.value);
	free(p.scratch);
	free(p.rows);
}

static s64 middle_of(const struct point *points, u32 n)
{
	s64 v[FB_PAIRED_RUNS];
	u32 i;

	for (i = 0; i < n; i++)
		v[i] = points[i].cell->median;
	return fb_median_s64(v, n);
}

/* Half a unit of the last of three digits */
static s64 rounding_of(s64 v)
{
	s64 unit = 1;

	while (v / unit >= 1000)
		unit *= 10;
	return unit / 2;
}

/*
 * The standard error of a median is 1.86 median deviations divided by the
 * square root of the number of samples. A table has one rounded number, in those
 * of writes a rate.
 */
static s64 error_of(const struct point *point)
{
	const struct cell *cell = point->cell;
	s64 rate;

	if (cell->n)
		return cell->spread * 186 / int_sqrt64(10000ULL * cell->n);
	if (point->result->kind != RESULT_OPEN_AU &&
	    point->result->kind != RESULT_FIND_FAT)
		return rounding_of(cell->median);
	rate = fb_rate(cell->size, cell->median);
	return rate > 0 ? cell->median / 1000 * rounding_of(rate) /
			  (rate / 1000 + 1) : cell->median;
}

static s64 error_of_both(const struct point *before, const struct point *after)
{
	u64 a = error_of(before), b = error_of(after);

	/* so that the sum of squares fits */
	a = min_t(u64, a, S64_MAX >> 32);
	b = min_t(u64, b, S64_MAX >> 32);
	return int_sqrt64(a * a + b * b);
}

/* The rows of one test, from @from to before @to */
static void judge_test(struct comparison *c, struct point *const *rows,
		       struct fb_single_row *singles, u32 from, u32 to)
{
	u32 group = c->rows[from].group, n = to - from, i;
	u32 ngroups = c->rows[to - 1].group + 1 - group;
	s64 *scratch = need_memory(calloc(2 * n, sizeof(*scratch)));

	for (i = from; i < to; i++) {
		const struct point *after = rows[i] + c->nbefore;

		singles[i].before = middle_of(rows[i], c->nbefore);
		singles[i].after = middle_of(after, c->nafter);
		singles[i].error = error_of_both(rows[i], after);
		singles[i].group = c->rows[i].group - group;
	}
	c->floor[c->rows[from].result->kind] =
		fb_single_judge(singles + from, n, c->groups + group, ngroups,
				scratch);
	for (i = from; i < to; i++) {
		c->rows[i].diff = singles[i].diff;
		c->rows[i].alone = singles[i].alone;
	}
	free(scratch);
}

/* Each test on its own: rows of another one scatter differently */
static void judge_singles(struct comparison *c, struct point *const *rows)
{
	struct fb_single_row *singles;
	u32 from, to;

	singles = need_memory(calloc(c->nrows, sizeof(*singles)));
	c->groups = need_memory(calloc(c->ngroups, sizeof(*c->groups)));
	for (from = 0; from < c->nrows; from = to) {
		for (to = from + 1; to < c->nrows; to++)
			if (c->rows[to].result->kind !=
			    c->rows[from].result->kind)
				break;
		judge_test(c, rows, singles, from, to);
	}
	free(singles);
}

/**
 * compare_archives() - what differs between two settings
 * @c: gets the comparison; to be freed in any case
 * @runs: results of each run, those before first
 * @nbefore: runs of one setting, 1 to FB_PAIRED_RUNS
 * @nafter: runs of the other
 * @interim: more runs will follow
 *
 * Return: false if there is nothing to compare.
 */
bool compare_archives(struct comparison *c, const struct archive *runs,
		      u32 nbefore, u32 nafter, bool interim)
{
	struct point *points, **rows;
	u32 n;

	*c = (struct comparison) {
		.nbefore = nbefore, .nafter = nafter,
		.judged = min(nbefore, nafter) >= FB_PAIRED_JUDGED,
	};
	points = collect(runs, nbefore + nafter, &n);
	rows = find_rows(c, points, n);
	make_rows(c, rows);
	comparison_warn(c, runs, nbefore + nafter);
	if (c->nrows && c->judged)
		judge_runs(c, rows, interim);
	else if (c->nrows)
		judge_singles(c, rows);
	free(rows);
	free(points);
	return c->nrows;
}

static void free_lines(struct lines *lines)
{
	while (lines->n)
		free(lines->line[--lines->n]);
	free(lines->line);
}

/**
 * comparison_free() - let go of a comparison
 * @c: the comparison
 */
void comparison_free(struct comparison *c)
{
	free(c->rows);
	free(c->groups);
	free_lines(&c->missing);
	free_lines(&c->warnings);
	free_lines(&c->notes);
}
