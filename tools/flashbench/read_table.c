// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of the command of 2011, as people post them: word by word, since
 * lines are wrapped and columns end up in lines of their own. The command line
 * before a table says what it is; a table of rates without one is none.
 */
#include <stdlib.h>
#include <string.h>

#include "archive_impl.h"

static const struct {
	const char *name;
	enum result_kind kind;
} tests[] = {
	{ "-a", RESULT_ALIGN },
	{ "--align", RESULT_ALIGN },
	{ "-A", RESULT_ALIGN_WRITE },
	{ "--align-write", RESULT_ALIGN_WRITE },
	{ "-O", RESULT_OPEN_AU },
	{ "--open-au", RESULT_OPEN_AU },
	{ "-f", RESULT_FIND_FAT },
	{ "--find-fat", RESULT_FIND_FAT },
	{ "--findfat", RESULT_FIND_FAT },
	{ "-s", RESULT_SCATTER },
	{ "--scatter", RESULT_SCATTER },
	{ "-i", RESULT_INTERVAL },
	{ "--interval", RESULT_INTERVAL },
};

static const struct {
	const char *name;
	enum fb_key key;
} options[] = {
	{ "--blocksize", FB_KEY_BLOCKSIZE },
	{ "-b", FB_KEY_BLOCKSIZE },
	{ "--erasesize", FB_KEY_ERASESIZE },
	{ "-e", FB_KEY_ERASESIZE },
	{ "--open-au-nr", FB_KEY_OPEN_AU_NR },
	{ "--fat-nr", FB_KEY_FAT_NR },
	{ "-F", FB_KEY_FAT_NR },
};

static void take_value(struct settings *s, enum fb_key key, const char *word)
{
	u64 n;

	if (mended_number(word, &n)) {
		s->params.val[key] = n;
		s->readable |= BIT(key);
	} else {
		s->readable &= ~BIT(key);
	}
}

static void command_begin(struct reader *r)
{
	struct words *w = &r->words;

	*w = (struct words) {
		.in_command = true, .option = FB_NR_KEYS,
	};
	w->settings.params.val[FB_KEY_BLOCKSIZE] = 16 << 10;
	w->settings.params.val[FB_KEY_ERASESIZE] = 4 << 20;
	w->settings.params.val[FB_KEY_OPEN_AU_NR] = 2;
	w->settings.params.val[FB_KEY_FAT_NR] = 6;
	w->settings.readable = ~0U;
	r->now = NULL;
}

static bool is_program(const char *word)
{
	const char *name = strrchr(word, '/');

	return !strcmp(name ? name + 1 : word, "flashbench");
}

/* Returns false if the command line has ended before this word. */
static bool command_word(struct words *w, const char *word)
{
	struct settings *s = &w->settings;
	size_t i, len;

	if (w->option < FB_NR_KEYS) {
		take_value(s, w->option, word);
		w->option = FB_NR_KEYS;
		return true;
	}
	if (*word != '-')
		return !strncmp(word, "/dev/", 5) || !strcmp(word, "\\");
	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		if (!strcmp(word, tests[i].name)) {
			s->known = true;
			s->kind = tests[i].kind;
		}
	}
	if (!strcmp(word, "--random") || !strcmp(word, "-r"))
		s->params.val[FB_KEY_RANDOM] = 1;
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		len = strlen(options[i].name);
		if (strncmp(word, options[i].name, len))
			continue;
		if (word[len] == '=')
			take_value(s, options[i].key, word + len + 1);
		else if (!word[len])
			w->option = options[i].key;
	}
	return true;
}

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
	return s->kind == RESULT_FIND_FAT;
}

static void add_rate(struct reader *r, u64 rate)
{
	struct words *w = &r->words;
	struct settings *s = &w->settings;
	struct cell c = { .size = w->block, .opcode = FB_WRITE };

	if (!has_rates(s))
		return;
	if (!r->now || r->now->kind != s->kind || w->block > w->last)
		r->now = reader_result(r, s->kind, s);
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

	if (is_program(word)) {
		command_begin(r);
		return;
	}
	if (w->in_command && command_word(w, word))
		return;
	w->in_command = false;
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
