// SPDX-License-Identifier: GPL-2.0-only
/*
 * From results to charts: what each kind of result looks like.
 */
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "command.h"
#include "identity.h"
#include "interpret.h"
#include "verdict.h"

static const char *who(const struct drawing *d, size_t i)
{
	return d->n < 2 ? "" : i ? "after" : "before";
}

static const char *comma(const struct drawing *d)
{
	return d->n < 2 ? "" : ", ";
}

/* Square root, rounded down */
static u64 root(u64 v)
{
	u64 r = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((r + bit) * (r + bit) <= v)
			r += bit;
	return r;
}

/*
 * Twice the standard error, as far as the median absolute deviation tells it:
 * 1.4826 of that are a standard deviation if the noise is normal.
 */
static s64 error_of(const struct cell *c)
{
	return c->n > 1 ? c->spread * 297 / (s64)root(10000ULL * c->n) : 0;
}

/* ---- align ---- */

enum { PRE, ON, POST, NR_PLACES };

/* The three cells of a size, NULL if one is missing */
static bool triple(const struct result *r, const struct cell *at,
		   const struct cell *c[NR_PLACES])
{
	u32 i;

	for (i = 0; i < NR_PLACES; i++) {
		c[i] = result_find(r, at->size, i, at->opcode);
		if (!c[i])
			return false;
	}
	return true;
}

static void align_dot(struct series *s, const struct cell *c[NR_PLACES])
{
	s64 diff = c[ON]->median - (c[PRE]->median + c[POST]->median) / 2;
	s64 error = error_of(c[ON]) +
		    (error_of(c[PRE]) + error_of(c[POST])) / 2;

	chart_dot(s, c[ON]->size, diff, diff - error, diff + error);
}

/* Sizes are 2^k times this */
static u64 odd_factor(u64 size)
{
	return size ? size >> __builtin_ctzll(size) : 0;
}

/* @factor: 0: all of them */
static void align_series(struct chart *c, const struct result *r, u64 factor,
			 const char *name)
{
	const struct cell *t[NR_PLACES];
	struct series *s = NULL;
	size_t i;

	for (i = 0; i < r->ncells; i++) {
		const struct cell *at = &r->cells[i];

		if (at->column != ON || at->opcode == FB_FLUSH ||
		    (factor && odd_factor(at->size) != factor) ||
		    !triple(r, at, t))
			continue;
		if (!s)
			s = chart_series(c, STYLE_BARS, "%s", name);
		align_dot(s, t);
	}
}

static void align_places(struct chart *c, const struct result *r)
{
	static const char *const name[NR_PLACES] = {
		"before the boundary (pre)", "across it (on)",
		"behind it (post)",
	};
	u32 place;
	size_t i;

	for (place = 0; place < NR_PLACES; place++) {
		struct series *s = chart_series(c, STYLE_BOTH, "%s",
						name[place]);

		for (i = 0; i < r->ncells; i++) {
			const struct cell *at = &r->cells[i];

			if (at->column == place && at->opcode != FB_FLUSH)
				chart_dot(s, at->size, at->median, at->median,
					  at->median);
		}
	}
}

/* Rows of the interpreter; returns how many */
static u32 align_rows(const struct result *r, struct fb_align_row *row)
{
	const struct cell *t[NR_PLACES];
	u32 n = 0;
	size_t i;

	for (i = 0; i < r->ncells && n < FB_MAX_ROWS; i++) {
		const struct cell *at = &r->cells[i];

		if (at->column == ON && at->opcode == FB_READ &&
		    triple(r, at, t))
			row[n++] = (struct fb_align_row){
				at->size, t[PRE]->median, t[ON]->median,
				t[POST]->median,
			};
	}
	return n;
}

static void mark_geometry(struct chart *c, const struct result *geometry)
{
	static const char *const key[] = {
		"erase_block", "super_page", "page",
	};
	char value[VERDICT_TEXT], name[48];
	struct verdict v;
	u64 bytes;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(key); i++) {
		if (!verdict_find(geometry, key[i], &v) ||
		    !verdict_bytes(&v, &bytes))
			continue;
		verdict_value(&v, value, sizeof(value));
		snprintf(name, sizeof(name), "%.24s %.20s",
			 verdict_title(key[i]), value);
		chart_mark(c, bytes, name,
			   "%s %s: %s, %s of 1000 (geometry)",
			   verdict_title(key[i]), value, v.class, v.confidence);
	}
}

static void mark_table(struct chart *c, const struct result *r)
{
	struct fb_align_row row[FB_MAX_ROWS];
	struct fb_align_answer a = {};
	char size[FB_TEXT_LEN], name[48];

	fb_interpret_align(row, align_rows(r, row), &a);
	fb_format_size(size, sizeof(size), a.erase);
	snprintf(name, sizeof(name), "erase block %s", size);
	if (a.why == FB_TABLE_TELLS && a.erase)
		chart_mark(c, a.erase, name,
			   "erase block %s: %s, %u of 1000 (this table alone)",
			   size, a.confidence >= FB_SURE ? "sure" : "likely",
			   a.confidence);
	else if (a.erase)
		chart_mark(c, a.erase, "candidate",
			   "step at %s: not enough to name the erase block",
			   size);
	else
		chart_mark(c, 0, "", "no step that stands out");
	fb_format_size(size, sizeof(size), a.super_page);
	if (a.super_page)
		chart_mark(c, a.super_page, "super page",
			   "super page %s (this table alone)", size);
	fb_format_size(size, sizeof(size), a.page);
	if (a.page)
		chart_mark(c, a.page, "page", "page %s (this table alone)",
			   size);
}

static void chart_align(struct chart *c, const struct drawing *d)
{
	bool writes = d->results[0]->kind == RESULT_ALIGN_WRITE;
	size_t i;

	c->xlabel = "boundaries at multiples of";
	c->ylabel = d->places ? "time" : writes ?
		"extra time of a write across a boundary" :
		"extra time of a read across a boundary";
	for (i = 0; d->n > 1 && i < d->n; i++)
		align_series(c, d->results[i], 0, who(d, i));
	if (d->n == 1 && d->places) {
		align_places(c, d->results[0]);
	} else if (d->n == 1) {
		align_series(c, d->results[0], 1, "sizes 2^k");
		align_series(c, d->results[0], 3, "sizes 3*2^k");
		align_series(c, d->results[0], 9, "sizes 9*2^k");
	}
	if (d->geometry)
		mark_geometry(c, d->geometry);
	else if (d->n == 1 && !writes)
		mark_table(c, d->results[0]);
}

/* ---- open-au, find-fat ---- */

static void rate_dot(struct series *s, u64 x, const struct cell *c, u64 size)
{
	s64 error = error_of(c), mean = c->mean;

	if (mean <= 0)
		return;
	/* of a time that may be 0 there is no rate */
	if (error >= mean)
		error = mean - 1;
	chart_dot(s, x, fb_rate(size, mean), fb_rate(size, mean + error),
		  fb_rate(size, mean - error));
}

static void open_series(struct chart *c, const struct result *r, u32 open,
			const char *name)
{
	struct series *s = chart_series(c, STYLE_BARS, "%s%s%u erase block%s "
					"open", name, *name ? ", " : "", open,
					open == 1 ? "" : "s");
	size_t i;

	for (i = 0; i < r->ncells; i++)
		if (r->cells[i].column == open &&
		    r->cells[i].opcode == FB_WRITE)
			rate_dot(s, r->cells[i].size, &r->cells[i],
				 r->cells[i].size);
}

/* Is there a cell with @column before cell @i of result @k? */
static bool seen(const struct drawing *d, size_t k, size_t i, u32 column,
		 bool in_others)
{
	size_t j, n;

	for (j = in_others ? 0 : k; j <= k; j++) {
		n = j == k ? i : d->results[j]->ncells;
		while (n--)
			if (d->results[j]->cells[n].column == column &&
			    (!in_others || j != k))
				return true;
	}
	return false;
}

/**
 * charts_overlap() - do open-au results have the same numbers of erase blocks?
 * @d: the results
 *
 * Return: true if so: then they are before and after, not parts of a whole.
 */
bool charts_overlap(const struct drawing *d)
{
	size_t k, i;

	for (k = 1; k < d->n; k++)
		for (i = 0; i < d->results[k]->ncells; i++)
			if (seen(d, k, i, d->results[k]->cells[i].column, true))
				return true;
	return false;
}

static void mark_verdict(struct chart *c, const struct result *geometry,
			 const char *key)
{
	char value[VERDICT_TEXT];
	struct verdict v;

	if (!verdict_find(geometry, key, &v))
		return;
	verdict_value(&v, value, sizeof(value));
	chart_mark(c, 0, "", "%s: %s; %s, %s of 1000 (geometry)",
		   verdict_title(key), value, v.class, v.confidence);
}

static bool chart_open(struct chart *c, const struct drawing *d)
{
	bool overlap = charts_overlap(d);
	size_t k, i;

	if (overlap && d->n > 2) {
		complain("more than two open-au results with the same numbers "
			 "of open erase blocks");
		return false;
	}
	c->xlabel = "size of each write";
	c->ylabel = "rate";
	c->y = CHART_Y_RATE;
	c->ylog = true;
	for (k = 0; k < d->n; k++) {
		const struct result *r = d->results[k];

		for (i = 0; i < r->ncells; i++)
			if (!seen(d, k, i, r->cells[i].column, false))
				open_series(c, r, r->cells[i].column,
					    overlap ? who(d, k) : "");
	}
	mark_verdict(c, d->geometry, d->results[0]->random ? "open_random" :
		     "open_linear");
	return true;
}

static void fat_series(struct chart *c, const struct result *r, u64 size,
		       const char *name)
{
	char text[FB_TEXT_LEN];
	struct series *s;
	size_t i;

	fb_format_size(text, sizeof(text), size);
	s = chart_series(c, STYLE_BARS, "%swrites of %s", name, text);
	for (i = 0; i < r->ncells; i++)
		if (r->cells[i].size == size && r->cells[i].opcode == FB_WRITE)
			rate_dot(s, r->cells[i].column, &r->cells[i], size);
}

static void chart_fat(struct chart *c, const struct drawing *d)
{
	size_t k, i;

	c->xlabel = "erase block";
	c->ylabel = "rate";
	c->x = CHART_X_COUNT;
	c->y = CHART_Y_RATE;
	c->ylog = true;
	for (k = 0; k < d->n; k++) {
		const struct result *r = d->results[k];
		char name[16];

		snprintf(name, sizeof(name), "%s%s", who(d, k), comma(d));
		for (i = 0; i < r->ncells; i++)
			if (!i || r->cells[i].size != r->cells[i - 1].size)
				fat_series(c, r, r->cells[i].size, name);
	}
	mark_verdict(c, d->geometry, "fat_area");
}

/* ---- scatter, interval ---- */

static void chart_scatter(struct chart *c, const struct drawing *d)
{
	size_t k, i;

	c->xlabel = "place on the device";
	c->ylabel = "shortest time of a read";
	c->x = CHART_X_PLACE;
	for (k = 0; k < d->n; k++) {
		const struct result *r = d->results[k];
		struct series *s = chart_series(c, STYLE_DOTS, "%s",
						d->n < 2 ? "reads" : who(d, k));

		for (i = 0; i < r->ncells; i++)
			chart_dot(s, r->cells[i].size, r->cells[i].min,
				  r->cells[i].min, r->cells[i].min);
	}
}

/* As in the table: the smallest three are left out */
static void interval_fit(struct chart *c, const struct result *r,
			 const char *name)
{
	u64 bytes[FB_MAX_LINE_POINTS], ns[FB_MAX_LINE_POINTS];
	char rate[FB_TEXT_LEN], fixed[FB_TEXT_LEN];
	struct series *s;
	struct fb_fit fit;
	size_t i, n = 0;

	for (i = 3; i < r->ncells && n < FB_MAX_LINE_POINTS; i++) {
		bytes[n] = r->cells[i].size;
		ns[n++] = r->cells[i].min;
	}
	if (n < 2 || fb_fit_line(bytes, ns, n, &fit) || !fit.rate)
		return;
	fb_format_rate(rate, sizeof(rate), fit.rate);
	fb_format_time(fixed, sizeof(fixed), fit.fixed_ns);
	s = chart_series(c, STYLE_LINE, "%sline fitted from the fourth size on",
			 name);
	for (i = 0; i < r->ncells; i++) {
		s64 y = fit.fixed_ns + (s64)((double)r->cells[i].size * 1e9 /
					     fit.rate);

		if (y > 0)
			chart_dot(s, r->cells[i].size, y, y, y);
	}
	chart_mark(c, 0, "", "%s%s, access time %s", name, rate, fixed);
}

static void chart_interval(struct chart *c, const struct drawing *d)
{
	size_t k, i;

	c->xlabel = "size of each read";
	c->ylabel = "shortest time";
	c->ylog = true;
	for (k = 0; k < d->n; k++) {
		const struct result *r = d->results[k];
		struct series *s;
		char name[16];

		snprintf(name, sizeof(name), "%s%s", who(d, k), comma(d));
		s = chart_series(c, STYLE_DOTS, "%smeasured", name);
		for (i = 0; i < r->ncells; i++)
			chart_dot(s, r->cells[i].size, r->cells[i].min,
				  r->cells[i].min, r->cells[i].min);
		interval_fit(c, r, name);
	}
}

/* ---- all of them ---- */

static const char *const titles[NR_RESULT_KINDS] = {
	[RESULT_ALIGN] = "align, reads",
	[RESULT_ALIGN_WRITE] = "align, writes",
	[RESULT_OPEN_AU] = "open erase blocks",
	[RESULT_FIND_FAT] = "the first erase blocks",
	[RESULT_SCATTER] = "scatter",
	[RESULT_INTERVAL] = "interval",
};

static bool chart_fill(struct chart *c, const struct drawing *d)
{
	switch (d->results[0]->kind) {
	case RESULT_ALIGN:
	case RESULT_ALIGN_WRITE:
		chart_align(c, d);
		return true;
	case RESULT_OPEN_AU:
		return chart_open(c, d);
	case RESULT_FIND_FAT:
		chart_fat(c, d);
		return true;
	case RESULT_SCATTER:
		chart_scatter(c, d);
		return true;
	case RESULT_INTERVAL:
		chart_interval(c, d);
		return true;
	default:
		return false;
	}
}

static bool has_dots(const struct chart *c)
{
	size_t i;

	for (i = 0; i < c->nseries; i++)
		if (c->series[i].n)
			return true;
	return false;
}

#define MAX_RUNS	3	/* lines of them that are readable */

static void chart_head(struct chart *c, const struct drawing *d)
{
	bool pair = d->n == 2 && (d->results[0]->kind != RESULT_OPEN_AU ||
				  charts_overlap(d));
	const char *first = d->results[0]->header;
	char a[CHART_TEXT], b[CHART_TEXT];
	size_t i;

	chart_title(c, titles[d->results[0]->kind], first);
	for (i = 0; i < d->n && i < MAX_RUNS; i++)
		chart_run(c, pair ? who(d, i) : "", d->results[i]->header);
	for (i = 1; i < d->n; i++)
		if (identity_card(first, a, sizeof(a)) &&
		    identity_card(d->results[i]->header, b, sizeof(b)) &&
		    strcmp(a, b))
			chart_mark(c, 0, "", "another card: %.100s", b);
}

/**
 * chart_of_results() - results of one kind as a picture
 * @d: the results
 *
 * Return: the chart, NULL after a complaint.
 */
struct chart *chart_of_results(const struct drawing *d)
{
	struct chart *c = need_memory(calloc(1, sizeof(*c)));
	const struct result *first = d->results[0];

	if (d->n > 2 && first->kind != RESULT_OPEN_AU) {
		complain("more than two results of %s",
			 result_name(first->kind));
		chart_free(c);
		return NULL;
	}
	chart_head(c, d);
	if (!chart_fill(c, d)) {
		chart_free(c);
		return NULL;
	}
	if (!has_dots(c)) {
		complain("nothing to plot in %s", result_name(first->kind));
		chart_free(c);
		return NULL;
	}
	return c;
}
