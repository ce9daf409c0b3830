// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's results for programs, .tsv.
 */
#include <stdlib.h>
#include <string.h>

#include "archive_impl.h"

#define LARGEST_VERDICTS	(16u << 10)
#define LONGEST	(S64_MAX / 512)	/* ns; months are no measurement */

enum tsv {
	TSV_OTHER, TSV_SIZE, TSV_COLUMN, TSV_PLACE, TSV_OP, TSV_N, TSV_MIN,
	TSV_MEDIAN, TSV_MEAN, TSV_P99, TSV_MAX, TSV_SPREAD
};

static const struct {
	const char *name;
	enum tsv meaning;
} names[] = {
	{ "align_bytes", TSV_SIZE },
	{ "block_bytes", TSV_SIZE },
	{ "length_bytes", TSV_SIZE },
	{ "offset_bytes", TSV_SIZE },
	{ "open_aus", TSV_COLUMN },
	{ "erase_block", TSV_COLUMN },
	{ "place", TSV_PLACE },
	{ "op", TSV_OP },
	{ "n", TSV_N },
	{ "min_ns", TSV_MIN },
	{ "median_ns", TSV_MEDIAN },
	{ "mean_ns", TSV_MEAN },
	{ "p99_ns", TSV_P99 },
	{ "max_ns", TSV_MAX },
	{ "spread_ns", TSV_SPREAD },
};

/* The next of the tab separated fields, NULL at the end */
static char *next_field(char **rest)
{
	return strsep(rest, "\t");
}

/**
 * tsv_columns() - take the names of the columns
 * @r: the file; its header says which test
 * @line: maybe these names
 *
 * Return: false if it is something else.
 */
bool tsv_columns(struct reader *r, const char *line)
{
	char *copy, *rest, *name;
	struct settings s;
	size_t i;

	if (!strncmp(line, "key\tvalue\tclass", 15)) {
		memset(&s, 0, sizeof(s));
		r->now = reader_result(r, RESULT_GEOMETRY, &s);
		r->verdicts = true;
		return true;
	}
	if (strncmp(line, "point\t", 6) || !r->header ||
	    !settings_from_header(&s, r->header))
		return false;
	copy = strdup(line);
	rest = copy;
	r->columns = 0;
	while (copy && (name = next_field(&rest)) &&
	       r->columns < TSV_COLUMNS) {
		r->column[r->columns] = TSV_OTHER;
		for (i = 0; i < ARRAY_SIZE(names); i++)
			if (!strcmp(name, names[i].name))
				r->column[r->columns] = names[i].meaning;
		r->columns++;
	}
	free(copy);
	r->now = reader_result(r, s.kind, &s);
	r->now->exact = true;
	return true;
}

static bool take_op(const char *field, struct cell *c)
{
	int op;

	for (op = FB_READ; op <= FB_FLUSH; op++) {
		c->opcode = op;
		if (!strcmp(fb_opcode_name(op), field))
			return true;
	}
	return false;
}

static bool take_place(const char *field, struct cell *c)
{
	static const char *const places[] = { "pre", "on", "post" };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		c->column = i;
		if (!strcmp(places[i], field))
			return true;
	}
	return false;
}

/* "-" where there is no sample: then the cell does not count */
static bool take_field(enum tsv meaning, const char *field, struct cell *c)
{
	s64 *const time[] = {
		[TSV_MIN] = &c->min,
		[TSV_MEDIAN] = &c->median,
		[TSV_MEAN] = &c->mean,
		[TSV_P99] = &c->p99,
		[TSV_MAX] = &c->max,
		[TSV_SPREAD] = &c->spread,
	};
	u64 x;

	if (meaning == TSV_OTHER)
		return true;
	if (meaning == TSV_OP)
		return take_op(field, c);
	if (meaning == TSV_PLACE)
		return take_place(field, c);
	if (fb_parse_u64(field, &x) || x > S64_MAX)
		return false;
	if (meaning == TSV_SIZE)
		c->size = x;
	else if (meaning == TSV_COLUMN)
		c->column = x;
	else if (meaning == TSV_N)
		c->n = x;
	else if (x <= LONGEST)
		*time[meaning] = x;
	else
		return false;
	return meaning == TSV_COLUMN || meaning == TSV_N ? x <= U32_MAX : true;
}

static bool is_sound(const struct cell *c)
{
	return c->n && c->min <= c->median && c->median <= c->max &&
	       c->min <= c->mean && c->mean <= c->max;
}

static bool take_verdict(struct reader *r, const char *line)
{
	size_t len = r->now->verdicts ? strlen(r->now->verdicts) : 0;
	const char *tab = line;
	int tabs = 0;
	char *grown;

	while ((tab = strchr(tab, '\t'))) {
		tab++;
		tabs++;
	}
	if (tabs < 4)
		return false;
	if (len > LARGEST_VERDICTS)
		return true;
	grown = realloc(r->now->verdicts, len + strlen(line) + 2);
	if (!grown)
		return false;
	r->now->verdicts = grown;
	sprintf(grown + len, "%s\n", line);
	return true;
}

/**
 * tsv_row() - take a point, or a verdict
 * @r: the file
 * @line: maybe that
 *
 * Return: false if it is something else.
 */
bool tsv_row(struct reader *r, const char *line)
{
	struct cell c = { 0 };
	char *copy, *rest, *field;
	bool good = true;
	u32 i = 0;

	if (r->verdicts)
		return take_verdict(r, line);
	if (!r->columns || *line < '0' || *line > '9')
		return false;
	copy = strdup(line);
	rest = copy;
	while (copy && (field = next_field(&rest))) {
		if (i < r->columns)
			good &= take_field(r->column[i], field, &c);
		i++;
	}
	free(copy);
	if (i != r->columns)
		return false;
	if (good && is_sound(&c))
		reader_cell(r, &c);
	return true;
}
