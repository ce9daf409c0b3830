// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are two results comparable? What their headers say against it.
 */
#include <stdlib.h>
#include <string.h>

#include "comparison.h"

/* Part of a "target" line: the device's name and number are the kernel's */
static const char *card_of(const char *target)
{
	const char *space = strchr(target, ' ');

	space = space ? strchr(space + 1, ' ') : NULL;
	return space ? space + 1 : target;
}

/* Word @i of a run line, *@len long; NULL after the last one */
static const char *word_of(const char *line, size_t i, size_t *len)
{
	line += strspn(line, " ");
	while (i-- && *line) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	*len = strcspn(line, " ");
	return *len ? line : NULL;
}

static bool has_word(const char *line, const char *word, size_t len)
{
	const char *w;
	size_t n, i;

	for (i = 0; (w = word_of(line, i, &n)); i++)
		if (n == len && !strncmp(w, word, len))
			return true;
	return false;
}

/* The words of @line that @other does not have */
static void words_only_in(const char *line, const char *other, char *buf,
			  size_t size)
{
	const char *w;
	size_t n, i;
	int len = 0;

	*buf = '\0';
	for (i = 0; (w = word_of(line, i, &n)); i++)
		if (!has_word(other, w, n))
			len += scnprintf(buf + len, size - len, "%s%.*s",
					 len ? " " : "", (int)n, w);
}

/* A line once: results of several tests differ in the same way */
static void add_once(struct lines *lines, const char *text)
{
	size_t i;

	for (i = 0; i < lines->n; i++)
		if (!strcmp(lines->line[i], text))
			return;
	lines_add(lines, "%s", text);
}

/* Of lines of KEY=VALUE: those that only one has */
static void warn_words(struct lines *lines, const char *what,
		       const char *before, const char *after)
{
	char a[FB_LINE_LEN], b[FB_LINE_LEN], text[3 * FB_LINE_LEN];

	words_only_in(before, after, a, sizeof(a));
	words_only_in(after, before, b, sizeof(b));
	if (!*a && !*b)
		return;
	scnprintf(text, sizeof(text), "%s: %s before, %s after", what,
		  *a ? a : "nothing", *b ? b : "nothing");
	add_once(lines, text);
}

static void warn_key(struct lines *lines, const char *key, const char *before,
		     const char *after)
{
	char text[3 * FB_LINE_LEN];

	scnprintf(text, sizeof(text), "%s: %s before, %s after", key, before,
		  after);
	add_once(lines, text);
}

static void warn_card(struct comparison *c, const char *before,
		      const char *after)
{
	before = card_of(before);
	after = card_of(after);
	if (strcmp(before, after))
		warn_key(&c->warnings, "not the same card", before, after);
}

/* What a difference of a line of the header means */
static void warn_header(struct comparison *c, const struct result *a,
			const struct result *b, const char *key)
{
	char *before = result_header(a, key), *after = result_header(b, key);

	if (!before || !after)
		;
	else if (!strcmp(key, "run"))
		warn_words(&c->warnings, "not the same schedule", before,
			   after);
	else if (!strcmp(key, "target"))
		warn_card(c, before, after);
	else if (!strcmp(key, "limits"))
		warn_words(&c->notes, key, before, after);
	else if (strcmp(before, after))
		warn_key(strcmp(key, "kernel") ? &c->warnings : &c->notes, key,
			 before, after);
	free(before);
	free(after);
}

/* What tables without a header say of themselves */
static void warn_tables(struct comparison *c, const struct result *a,
			const struct result *b)
{
	char x[FB_TEXT_LEN], y[FB_TEXT_LEN];

	if (a->exact != b->exact)
		add_once(&c->warnings,
			 "a table, which has means of the least times, against medians");
	if (a->exact && b->exact)
		return;
	if (!*a->header != !*b->header)
		add_once(&c->warnings,
			 "only one of the tables says at which places it was measured");
	if (a->blocksize && b->blocksize && a->blocksize != b->blocksize) {
		fb_format_size(x, sizeof(x), a->blocksize);
		fb_format_size(y, sizeof(y), b->blocksize);
		warn_key(&c->warnings, "blocksize", x, y);
	}
	if (a->erasesize && b->erasesize && a->erasesize != b->erasesize) {
		fb_format_size(x, sizeof(x), a->erasesize);
		fb_format_size(y, sizeof(y), b->erasesize);
		warn_key(&c->warnings, "erasesize", x, y);
	}
}

static void warn_result(struct comparison *c, const struct result *a,
			const struct result *b)
{
	static const char * const keys[] = {
		"target", "run", "range", "positions", "write_mode", "kernel",
		"limits",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		warn_header(c, a, b, keys[i]);
	warn_tables(c, a, b);
}

/* Result @n of its kind */
static const struct result *find_result(const struct archive *a,
					const struct result *like, u32 n)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->results[i].kind == like->kind &&
		    a->results[i].random == like->random && !n--)
			return &a->results[i];
	return NULL;
}

/**
 * comparison_warn() - find what makes runs hard to compare
 * @c: gets warnings and notes
 * @runs: what was compared
 * @nruns: how many; all are held against the first one
 */
void comparison_warn(struct comparison *c, const struct archive *runs,
		     u32 nruns)
{
	u32 run, i, j, n;

	for (run = 0; run < nruns; run++)
		for (i = 0; i < runs[run].n; i++) {
			const struct result *b = &runs[run].results[i], *a;
			char *warning = result_header(b, "warning");

			for (n = 0, j = 0; j < i; j++)
				n += runs[run].results[j].kind == b->kind &&
				     runs[run].results[j].random == b->random;
			a = find_result(&runs[0], b, n);
			if (run && a)
				warn_result(c, a, b);
			if (warning)
				add_once(&c->warnings, warning);
			free(warning);
		}
}
