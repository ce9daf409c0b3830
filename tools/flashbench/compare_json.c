// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison, for programs. Times are nanoseconds, changes percent of the
 * time before; less than 0 is faster.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "comparison.h"

static json_t *percent(s64 v)
{
	return json_real(v / 100.0);
}

static const char *verdict(const struct fb_difference *d)
{
	static const char * const words[] = { "same", "faster", "slower" };

	return words[d->change];
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		need_memory(NULL);
}

static void set_difference(json_t *object, const struct fb_difference *d)
{
	set(object, "change_percent", percent(d->shift));
	set(object, "low_percent", percent(d->low));
	set(object, "high_percent", percent(d->high));
	set(object, "verdict", json_string(verdict(d)));
}

static json_t *row_json(const struct compared_row *row)
{
	char name[COMPARISON_NAME];
	json_t *object = need_memory(json_object());

	compared_name(row, name, sizeof(name));
	set(object, "name", json_string(name));
	set(object, "test", json_string(result_name(row->result->kind)));
	set(object, "op", json_string(fb_opcode_name(row->cell->opcode)));
	set(object, "size", json_integer(row->cell->size));
	set(object, "column", json_integer(row->cell->column));
	set(object, "random", json_boolean(row->result->random));
	set(object, "table", json_integer(row->copy + 1));
	set(object, "before_ns", json_integer(row->diff.before));
	set(object, "after_ns", json_integer(row->diff.after));
	set_difference(object, &row->diff);
	set(object, "common", json_boolean(row->diff.common));
	set(object, "alone", json_boolean(row->alone));
	set(object, "first", json_boolean(row->first));
	return object;
}

static json_t *rows_json(const struct comparison *c)
{
	json_t *array = need_memory(json_array());
	u32 i;

	for (i = 0; i < c->nrows; i++)
		if (json_array_append_new(array, row_json(&c->rows[i])))
			need_memory(NULL);
	return array;
}

static json_t *group_json(const struct compared_row *row,
			  const struct fb_single_group *g)
{
	char name[COMPARISON_NAME];
	json_t *object = need_memory(json_object());

	compared_group_name(row, name, sizeof(name));
	set(object, "name", json_string(name));
	set(object, "rows", json_integer(g->nrows));
	set_difference(object, &g->diff);
	return object;
}

static json_t *groups_json(const struct comparison *c)
{
	json_t *array = need_memory(json_array());
	u32 i;

	for (i = 0; i < c->nrows; i++) {
		const struct compared_row *row = &c->rows[i];
		json_t *group;

		if (!row->first)
			continue;
		group = group_json(row, &c->groups[row->group]);
		if (json_array_append_new(array, group))
			need_memory(NULL);
	}
	return array;
}

static json_t *steady_json(const struct comparison *c)
{
	json_t *object = need_memory(json_object());
	enum result_kind kind;

	for (kind = 0; kind < NR_RESULT_KINDS; kind++)
		if (comparison_has(c, kind))
			set(object, result_name(kind),
			    comparison_tells(c, kind) ?
			    json_boolean(comparison_steady(c, kind)) :
			    json_null());
	return object;
}

static json_t *resolution_json(const struct comparison *c)
{
	json_t *object = need_memory(json_object());
	enum result_kind kind;

	for (kind = 0; kind < NR_RESULT_KINDS; kind++)
		if (comparison_has(c, kind))
			set(object, result_name(kind), percent(c->floor[kind]));
	return object;
}

/* Headers are what a file has, which may be in another encoding, or damaged */
static json_t *line_json(const char *line)
{
	json_t *string = json_string(line);
	char *copy, *p;

	if (string)
		return string;
	copy = need_memory(strdup(line));
	for (p = copy; *p; p++)
		if (*p & 0x80)
			*p = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

static json_t *lines_json(const struct lines *lines)
{
	json_t *array = need_memory(json_array());
	size_t i;

	for (i = 0; i < lines->n; i++)
		if (json_array_append_new(array, line_json(lines->line[i])))
			need_memory(NULL);
	return array;
}

static json_t *summary_json(const struct comparison *c)
{
	struct change_count n = comparison_count(c, NR_RESULT_KINDS);
	json_t *object = need_memory(json_object());

	set(object, "faster", json_integer(n.faster));
	set(object, "slower", json_integer(n.slower));
	set(object, "common", json_integer(n.common));
	set(object, "same", json_integer(n.rows - n.faster - n.slower -
					 n.common));
	set(object, "alone", json_integer(n.alone));
	return object;
}

/**
 * comparison_json() - all of a comparison
 * @c: the comparison
 *
 * Return: an object, for the caller to dump and free.
 */
json_t *comparison_json(const struct comparison *c)
{
	json_t *object = need_memory(json_object()), *whole;

	set(object, "runs_before", json_integer(c->nbefore));
	set(object, "runs_after", json_integer(c->nafter));
	set(object, "indicative", json_boolean(!c->judged));
	set(object, "resolution_percent", resolution_json(c));
	set(object, "summary", summary_json(c));
	if (c->judged) {
		whole = need_memory(json_object());
		set_difference(whole, &c->whole);
		set(object, "whole", whole);
	} else {
		set(object, "groups", groups_json(c));
		set(object, "steady", steady_json(c));
	}
	set(object, "rows", rows_json(c));
	set(object, "missing", lines_json(&c->missing));
	set(object, "warnings", lines_json(&c->warnings));
	set(object, "notes", lines_json(&c->notes));
	return object;
}
