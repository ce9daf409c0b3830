// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a comparison says: its rows by name, counted, and as a whole.
 */
#include <stdlib.h>

#include "command.h"
#include "comparison.h"

/* If a row stands out from this on only, 1/10000, that none does says nothing */
#define TOO_COARSE	2000

/**
 * lines_add() - one more line
 * @lines: the lines
 * @fmt: as of printf(), without newline
 */
void lines_add(struct lines *lines, const char *fmt, ...)
{
	va_list args;
	char *line;

	va_start(args, fmt);
	if (vasprintf(&line, fmt, args) < 0)
		line = NULL;
	va_end(args);
	lines->line = need_memory(reallocarray(lines->line, lines->n + 1,
					       sizeof(*lines->line)));
	lines->line[lines->n++] = need_memory(line);
}

static const char *place_of(u32 column)
{
	static const char * const places[] = { "pre", "on", "post" };

	return column < ARRAY_SIZE(places) ? places[column] : "";
}

static int name_table(const struct compared_row *row, char *buf, size_t size)
{
	return scnprintf(buf, size, "%s%s%s", result_name(row->result->kind),
			 row->result->random ? " random" : "",
			 row->cell->opcode == FB_FLUSH ? " flush" : "");
}

static int name_column(const struct compared_row *row, char *buf, size_t size)
{
	switch (row->result->kind) {
	case RESULT_ALIGN:
	case RESULT_ALIGN_WRITE:
		return scnprintf(buf, size, " %s", place_of(row->cell->column));
	case RESULT_OPEN_AU:
		return scnprintf(buf, size, ", %u open", row->cell->column);
	default:
		return 0;
	}
}

static void name_copy(const struct compared_row *row, char *buf, size_t size)
{
	if (row->copy)
		scnprintf(buf, size, ", table %u", row->copy + 1);
}

/**
 * compared_name() - a row, for people
 * @row: the row
 * @buf: where its name goes
 * @size: of @buf, COMPARISON_NAME is enough
 */
void compared_name(const struct compared_row *row, char *buf, size_t size)
{
	char text[FB_TEXT_LEN];
	int len = name_table(row, buf, size);

	fb_format_size(text, sizeof(text), row->cell->size);
	len += scnprintf(buf + len, size - len, "%s %s",
			 row->result->kind == RESULT_SCATTER ? " at" : "",
			 text);
	len += name_column(row, buf + len, size - len);
	if (row->result->kind == RESULT_FIND_FAT)
		len += scnprintf(buf + len, size - len, ", block %u",
				 row->cell->column);
	name_copy(row, buf + len, size - len);
}

/**
 * compared_group_name() - the group of a row, for people
 * @row: a row of it
 * @buf: where its name goes
 * @size: of @buf, COMPARISON_NAME is enough
 */
void compared_group_name(const struct compared_row *row, char *buf, size_t size)
{
	int len = name_table(row, buf, size);

	len += name_column(row, buf + len, size - len);
	name_copy(row, buf + len, size - len);
}

/**
 * comparison_count() - rows by verdict
 * @c: the comparison
 * @kind: of one test; NR_RESULT_KINDS: of all
 *
 * Return: the numbers.
 */
struct change_count comparison_count(const struct comparison *c,
				     enum result_kind kind)
{
	struct change_count n = { 0 };
	u32 i;

	for (i = 0; i < c->nrows; i++) {
		const struct compared_row *row = &c->rows[i];
		bool own = row->diff.change != FB_SAME && !row->diff.common;

		if (kind != NR_RESULT_KINDS && row->result->kind != kind)
			continue;
		n.rows++;
		n.faster += own && row->diff.change == FB_FASTER;
		n.slower += own && row->diff.change == FB_SLOWER;
		n.common += row->diff.common;
		n.alone += row->alone;
		n.first += row->alone && row->first;
	}
	return n;
}

/**
 * comparison_has() - are there rows of a test?
 * @c: the comparison
 * @kind: the test
 *
 * Return: true if there are.
 */
bool comparison_has(const struct comparison *c, enum result_kind kind)
{
	return comparison_count(c, kind).rows;
}

/**
 * comparison_steady() - has a test changed, as far as one run each can tell?
 * @c: a comparison that is indicative only
 * @kind: the test
 *
 * What happens once, a pause before the first write or a collection in one row,
 * makes a row stand alone.
 *
 * Return: true if rows side by side changed, or a group as a whole.
 */
bool comparison_steady(const struct comparison *c, enum result_kind kind)
{
	struct change_count n = comparison_count(c, kind);

	return n.common || n.faster + n.slower > n.alone;
}

/**
 * comparison_tells() - do single runs tell whether a test has changed?
 * @c: a comparison that is indicative only
 * @kind: the test
 *
 * If half of the rows changed, or each in another way, none stands out.
 *
 * Return: false if they do not.
 */
bool comparison_tells(const struct comparison *c, enum result_kind kind)
{
	return c->floor[kind] < TOO_COARSE || comparison_steady(c, kind);
}
