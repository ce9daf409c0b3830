// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison, for people.
 */
#include "comparison.h"

#define MOST_MISSING	8	/* lines of rows that are not everywhere */
#define NAME_WIDTH	30

static const char *word_for(enum fb_change change)
{
	static const char * const words[] = { "same", "faster", "slower" };

	return words[change];
}

/* Parts of 10000 as percent, one decimal */
static const char *percent(char *buf, size_t size, s64 v, bool sign)
{
	u64 tenths = ((v < 0 ? -v : v) + 5) / 10;

	scnprintf(buf, size, "%s%llu.%llu", v < 0 && tenths ? "-" :
		  sign ? "+" : "", tenths / 10, tenths % 10);
	return buf;
}

/* The same for what a word says the direction of */
static const char *amount(char *buf, size_t size, s64 v)
{
	return percent(buf, size, v < 0 ? -v : v, false);
}

static void range_of(const struct fb_difference *d, char *buf, size_t size)
{
	char low[FB_TEXT_LEN], high[FB_TEXT_LEN];

	scnprintf(buf, size, "%s ... %s",
		  percent(low, sizeof(low), d->low, true),
		  percent(high, sizeof(high), d->high, true));
}

/* Right-aligned; the sign of microseconds has two bytes */
static void put_right(const char *text, int width)
{
	const char *p;

	for (p = text; *p; p++)
		width += (*p & 0xc0) == 0x80;
	printf(" %*s", width, text);
}

static void put_value(const struct compared_row *row, s64 ns)
{
	char buf[FB_TEXT_LEN];

	if (row->result->kind == RESULT_OPEN_AU ||
	    row->result->kind == RESULT_FIND_FAT)
		fb_format_rate(buf, sizeof(buf), fb_rate(row->cell->size, ns));
	else
		fb_format_time(buf, sizeof(buf), ns);
	put_right(buf, 9);
}

/* Percents say little of a row that is 16 times faster */
static void put_times(const struct fb_difference *d)
{
	s64 more = max(d->before, d->after), less = min(d->before, d->after);
	u64 tenths = more * 10 / less;

	if (tenths >= 20)
		printf(", %llu.%llu times", tenths / 10, tenths % 10);
}

static void print_row(const struct comparison *c, const struct compared_row *row)
{
	const struct fb_difference *d = &row->diff;
	char name[COMPARISON_NAME], text[2 * FB_TEXT_LEN + 8];

	compared_name(row, name, sizeof(name));
	printf("%-*s", NAME_WIDTH, name);
	put_value(row, d->before);
	put_value(row, d->after);
	put_right(percent(text, sizeof(text), d->shift, true), 9);
	range_of(d, text, sizeof(text));
	put_right(text, 19);
	if (d->change == FB_SAME) {
		printf("  no difference seen\n");
		return;
	}
	printf("  %s", word_for(d->change));
	put_times(d);
	if (d->common)
		printf(c->judged ? ", with all" : ", with its group");
	if (row->alone)
		printf(row->first ? ", alone, measured first" : ", alone");
	putchar('\n');
}

static void print_rows(const struct comparison *c, bool all)
{
	bool head = false;
	u32 i;

	for (i = 0; i < c->nrows; i++) {
		const struct fb_difference *d = &c->rows[i].diff;

		if (!all && (d->change == FB_SAME || d->common))
			continue;
		if (!head)
			printf("%-*s %9s %9s %9s %19s  verdict\n", NAME_WIDTH,
			       "row", "before", "after", "time, %",
			       "interval, %");
		head = true;
		print_row(c, &c->rows[i]);
	}
	if (head)
		putchar('\n');
}

static void print_lines(const struct lines *lines, const char *what,
			size_t most)
{
	size_t i;

	for (i = 0; i < lines->n && i < most; i++)
		printf("%s: %s\n", what, lines->line[i]);
	if (lines->n > most)
		printf("%s: and %zu more\n", what, lines->n - most);
}

static void print_group(const struct compared_row *row,
			const struct fb_single_group *g)
{
	char name[COMPARISON_NAME], text[FB_TEXT_LEN];
	char range[2 * FB_TEXT_LEN + 8];
	bool slower = g->diff.change == FB_SLOWER;

	if (g->diff.change == FB_SAME)
		return;
	compared_group_name(row, name, sizeof(name));
	range_of(&g->diff, range, sizeof(range));
	printf("%s: %s %% %s as a group (%s; %u rows of %u)\n", name,
	       amount(text, sizeof(text), g->diff.shift),
	       word_for(g->diff.change), range, slower ? g->up : g->down,
	       g->nrows);
}

/* What one test says, as far as single runs can */
static void print_test(const struct comparison *c, enum result_kind kind)
{
	struct change_count n = comparison_count(c, kind);
	char text[FB_TEXT_LEN];

	if (!n.rows)
		return;
	percent(text, sizeof(text), c->floor[kind], false);
	if (!comparison_tells(c, kind)) {
		printf("%s: cannot tell: its %u rows differ in so many ways that one would stand\n"
		       "out from %s %% on. Three runs a side tell more; --all shows the rows.\n",
		       result_name(kind), n.rows, text);
		return;
	}
	printf("%s: one of %u rows stands out from %s %% on; ",
	       result_name(kind), n.rows, text);
	if (comparison_steady(c, kind)) {
		printf("%u faster, %u slower, %u with their group\n", n.faster,
		       n.slower, n.common);
		return;
	}
	printf("no steady change");
	if (n.alone)
		printf(": %u differ, each of them alone", n.alone);
	if (n.first)
		printf(", %u of these measured first", n.first);
	if (n.alone)
		printf(". The state of a card does that");
	putchar('\n');
}

static void print_singles(const struct comparison *c)
{
	enum result_kind kind;
	u32 i;

	for (i = 0; i < c->nrows; i++)
		if (c->rows[i].first)
			print_group(&c->rows[i], &c->groups[c->rows[i].group]);
	for (kind = 0; kind < NR_RESULT_KINDS; kind++)
		print_test(c, kind);
}

static void print_whole(const struct comparison *c)
{
	const struct fb_difference *d = &c->whole;
	char text[FB_TEXT_LEN], range[2 * FB_TEXT_LEN + 8];

	printf("a row has changed from %s %% on\n",
	       percent(text, sizeof(text), c->floor[0], false));
	range_of(d, range, sizeof(range));
	if (d->change == FB_SAME)
		printf("the runs as a whole: no difference seen (%s)\n", range);
	else
		printf("the runs as a whole: %s %% %s (%s)\n",
		       amount(text, sizeof(text), d->shift),
		       word_for(d->change), range);
}

static void print_summary(const struct comparison *c)
{
	struct change_count n = comparison_count(c, NR_RESULT_KINDS);

	printf("summary: %u rows faster, %u slower, ", n.faster, n.slower);
	if (n.common)
		printf("%u %s, ", n.common,
		       c->judged ? "with the whole" : "with their group");
	printf("%u no difference seen; %u and %u runs\n",
	       n.rows - n.faster - n.slower - n.common, c->nbefore, c->nafter);
	if (!c->judged)
		printf("indicative only: with less than %u runs a side, nothing tells a change of the\nkernel from one of the card's state. flashbench ab makes runs in turn.\n",
		       FB_PAIRED_JUDGED);
}

/**
 * comparison_print() - say what differs
 * @c: the comparison, with at least one row
 * @all: also rows without a difference of their own
 */
void comparison_print(const struct comparison *c, bool all)
{
	print_rows(c, all);
	print_lines(&c->warnings, "warning", SIZE_MAX);
	print_lines(&c->notes, "note", SIZE_MAX);
	print_lines(&c->missing, "not compared", all ? SIZE_MAX : MOST_MISSING);
	if (c->judged)
		print_whole(c);
	else
		print_singles(c);
	print_summary(c);
}
