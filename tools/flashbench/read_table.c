// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of the command of 2011, as people post them: word by word, since
 * lines are wrapped and columns end up in lines of their own. The command line
 * before a table says what it is; a table of rates without one is none.
 */
#include <stdlib.h>
#include <string.h>

#include "archive_impl.h"

static void add_align(struct reader *r, s64 post)
{
	struct words *w = &r->words;
	enum result_kind kind = RESULT_ALIGN;
	const s64 ns[3] = { w->ns[0], w->ns[1], post };
	u32 i;

	if (w->settings.known && w->settings.kind == RESULT_ALIGN_WRITE)
		kind = RESULT_ALIGN_WRITE;
	/* sizes fall: where they do not, another table begins */
	if (!r->now || r->now->kind != kind || w->align >= w->last)
		r->now = reader_result(r, kind, &w->settings);
	w->last = w->align;
	for (i = 0; i < 3; i++) {
		struct cell c = {
			.size = w->align, .column = i,
			.opcode = kind == RESULT_ALIGN ? FB_READ : FB_WRITE,
			.min = ns[i], .median = ns[i], .mean = ns[i],
			.p99 = ns[i], .max = ns[i],
		};

		reader_cell(r, &c);
	}
}

/* Returns false if the row ends before this word. */
static bool align_word(struct reader *r, const char *word)
{
	static const char *const names[] = { "pre", "on", "post" };
	struct words *w = &r->words;
	int field = w->field++;
	s64 ns;

	if (field == 1)
		return !fb_parse_u64(word, &w->align) && w->align;
	if (!(field % 2))
		return !strcmp(word, names[field / 2 - 1]);
	if (!mended_time(word, &ns) || ns < 0)
		return false;
	if (field < 7) {
		w->ns[field / 2 - 1] = ns;
		return true;
	}
	add_align(r, ns);
	return false;
}

static bool has_rates(const struct settings *s)
{
	if (!s->known)
		return false;
	if (s->kind == RESULT_OPEN_AU)
		return s->readable & BIT(FB_KEY_OPEN_AU_NR);
	return s->kind == RESULT_FIND_FAT && s->readable;
}

static void add_rate(struct reader *r, u64 rate)
{
	struct words *w = &r->words;
	struct settings *s = &w->settings;
	struct cell c = { .size = w->block, .opcode = FB_WRITE };

	if (!has_rates(s))
		return;
	if (!r->now || r->now->kind != s->kind || w->block > w->last) {
		/* one more, of which nothing has been said */
		if (w->has_rates) {
			s->known = false;
			return;
		}
		w->has_rates = true;
		r->now = reader_result(r, s->kind, s);
	}
	w->last = w->block;
	c.column = s->kind == RESULT_FIND_FAT ? w->column :
		   s->params.val[FB_KEY_OPEN_AU_NR];
	w->column++;
	c.min = (s64)((double)w->block * NSEC_PER_SEC / rate + 0.5);
	c.median = c.min;
	c.mean = c.min;
	c.p99 = c.min;
	c.max = c.min;
	reader_cell(r, &c);
}

static void table_word(struct reader *r, const char *word)
{
	struct words *w = &r->words;
	u64 x;

	if (command_begins(word)) {
		command_start(w);
		r->now = NULL;
		return;
	}
	if (w->in_command && command_word(w, word))
		return;
	if (w->field) {
		if (!align_word(r, word))
			w->field = 0;
		return;
	}
	if (!strcmp(word, "align")) {
		w->field = 1;
		w->block = 0;
	} else if (mended_size(word, &x)) {
		w->block = x;
		w->column = 0;
	} else if (w->block && mended_rate(word, &x)) {
		add_rate(r, x);
	} else {
		w->block = 0;
	}
}

/**
 * table_line() - take the words of a line
 * @r: the file
 * @line: any; changed
 */
void table_line(struct reader *r, char *line)
{
	char *rest = NULL, *word;

	for (word = strtok_r(line, " \t\v\f", &rest); word;
	     word = strtok_r(NULL, " \t\v\f", &rest))
		table_word(r, word);
}
