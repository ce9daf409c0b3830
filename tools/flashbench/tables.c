// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as tables for people.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "tables.h"

static struct table_row *add_row(struct table *t)
{
	struct table_row *row;

	t->rows = need_memory(reallocarray(t->rows, t->n + 1,
					   sizeof(*t->rows)));
	row = &t->rows[t->n++];
	memset(row, 0, sizeof(*row));
	return row;
}

static void start(struct table *t, const char *caption,
		  const char *const *names, size_t n)
{
	struct table_row *row = add_row(t);
	size_t i;

	t->caption = caption;
	t->columns = n;
	for (i = 0; i < n; i++)
		snprintf(row->cell[i], TABLE_CELL, "%s", names[i]);
}

static void put_time(char *cell, s64 ns)
{
	fb_format_time(cell, TABLE_CELL, ns);
}

/* Of a time of 0 there is no rate */
static void put_rate(char *cell, u64 bytes, s64 ns)
{
	if (ns > 0)
		fb_format_rate(cell, TABLE_CELL, fb_rate(bytes, ns));
}

static void table_align(const struct result *r, struct table *t)
{
	static const char *const names[] = {
		"align", "pre", "on", "post", "diff",
	};
	size_t i;

	start(t, "Median times round boundaries", names, ARRAY_SIZE(names));
	for (i = 0; i < r->ncells; i++) {
		const struct cell *on = &r->cells[i], *pre, *post;
		struct table_row *row;

		pre = result_find(r, on->size, 0, on->opcode);
		post = result_find(r, on->size, 2, on->opcode);
		if (on->column != 1 || on->opcode == FB_FLUSH || !pre || !post)
			continue;
		row = add_row(t);
		fb_format_size(row->cell[0], TABLE_CELL, on->size);
		put_time(row->cell[1], pre->median);
		put_time(row->cell[2], on->median);
		put_time(row->cell[3], post->median);
		put_time(row->cell[4], on->median -
			 (pre->median + post->median) / 2);
	}
}

/* The column of the table for a column of the result; 0: too many */
static size_t column_for(struct table *t, u32 column)
{
	char name[TABLE_CELL];
	size_t i;

	snprintf(name, sizeof(name), "%u", column);
	for (i = 1; i < t->columns; i++)
		if (!strcmp(t->rows[0].cell[i], name))
			return i;
	if (i == TABLE_COLUMNS)
		return 0;
	strcpy(t->rows[0].cell[i], name);
	return t->columns++;
}

/* The row for @size; two tables of open-au-nr=auto share theirs */
static struct table_row *row_for(struct table *t, u64 size)
{
	char name[TABLE_CELL];
	struct table_row *row;
	size_t i;

	fb_format_size(name, sizeof(name), size);
	for (i = 1; i < t->n; i++)
		if (!strcmp(t->rows[i].cell[0], name))
			return &t->rows[i];
	row = add_row(t);
	strcpy(row->cell[0], name);
	return row;
}

static void table_rates(const struct result *r, struct table *t,
			const char *caption)
{
	static const char *const names[] = { "write of" };
	size_t i, k;

	start(t, caption, names, 1);
	for (i = 0; i < r->ncells; i++) {
		const struct cell *c = &r->cells[i];

		if (c->opcode != FB_WRITE)
			continue;
		k = column_for(t, c->column);
		if (k)
			put_rate(row_for(t, c->size)->cell[k], c->size,
				 c->mean);
	}
}

static void table_interval(const struct result *r, struct table *t)
{
	static const char *const names[] = {
		"read of", "min", "median", "max", "rate",
	};
	size_t i;

	start(t, "Read times by size", names, ARRAY_SIZE(names));
	for (i = 0; i < r->ncells; i++) {
		const struct cell *c = &r->cells[i];
		struct table_row *row = add_row(t);

		fb_format_size(row->cell[0], TABLE_CELL, c->size);
		put_time(row->cell[1], c->min);
		put_time(row->cell[2], c->median);
		put_time(row->cell[3], c->max);
		put_rate(row->cell[4], c->size, c->min);
	}
}

static int compare_s64(const void *a, const void *b)
{
	const s64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Of thousands of places only what they have in common */
static void table_scatter(const struct result *r, struct table *t)
{
	static const char *const names[] = { "of the places", "time" };
	static const struct {
		const char *name;
		u32 per_cent;
	} share[] = {
		{ "fastest", 0 }, { "10 %", 10 }, { "half", 50 },
		{ "90 %", 90 }, { "slowest", 100 },
	};
	s64 *ns = need_memory(calloc(r->ncells + 1, sizeof(*ns)));
	size_t i;

	for (i = 0; i < r->ncells; i++)
		ns[i] = r->cells[i].min;
	qsort(ns, r->ncells, sizeof(*ns), compare_s64);
	start(t, "Places that are not slower", names, ARRAY_SIZE(names));
	for (i = 0; r->ncells && i < ARRAY_SIZE(share); i++) {
		struct table_row *row = add_row(t);

		strcpy(row->cell[0], share[i].name);
		put_time(row->cell[1],
			 ns[(r->ncells - 1) * share[i].per_cent / 100]);
	}
	free(ns);
}

/**
 * table_of_result() - a result as a table
 * @r: the result
 * @t: filled; to be freed
 *
 * Return: false if the result has no table, or nothing is in it.
 */
bool table_of_result(const struct result *r, struct table *t)
{
	*t = (struct table){};
	switch (r->kind) {
	case RESULT_ALIGN:
	case RESULT_ALIGN_WRITE:
		table_align(r, t);
		break;
	case RESULT_OPEN_AU:
		table_rates(r, t, "Rates by size and open erase blocks");
		break;
	case RESULT_FIND_FAT:
		table_rates(r, t, "Rates by size and erase block, from 0");
		break;
	case RESULT_SCATTER:
		table_scatter(r, t);
		break;
	case RESULT_INTERVAL:
		table_interval(r, t);
		break;
	default:
		break;
	}
	if (t->n > 1)
		return true;
	table_free(t);
	return false;
}

/**
 * table_free() - forget a table
 * @t: the table
 */
void table_free(struct table *t)
{
	free(t->rows);
	*t = (struct table){};
}
