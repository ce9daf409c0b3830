// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files with results, whoever wrote them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive_impl.h"
#include "command.h"

#define LARGEST_FILE	(64UL << 20)
#define LARGEST_HEADER	(16UL << 10)
#define MOST_RESULTS	10000
#define MOST_CELLS	1000000

static const char *const kind_names[NR_RESULT_KINDS] = {
	[RESULT_ALIGN] = "align",
	[RESULT_ALIGN_WRITE] = "align-write",
	[RESULT_OPEN_AU] = "open-au",
	[RESULT_FIND_FAT] = "find-fat",
	[RESULT_SCATTER] = "scatter",
	[RESULT_INTERVAL] = "interval",
	[RESULT_GEOMETRY] = "geometry",
};

/**
 * result_name() - the test of a result
 * @kind: which
 *
 * Return: its name.
 */
const char *result_name(enum result_kind kind)
{
	return kind_names[kind];
}

/* The text behind "key: " at the begin of a line of a header */
static const char *header_value(const char *header, const char *key)
{
	size_t len = strlen(key);

	while (header && *header) {
		if (!strncmp(header, key, len) && header[len] == ':' &&
		    header[len + 1] == ' ')
			return header + len + 2;
		header = strchr(header, '\n');
		header += !!header;
	}
	return NULL;
}

/**
 * result_header() - a line of the header
 * @r: the result
 * @key: which: what stands before the colon
 *
 * Return: what follows, to be freed; NULL if there is no such line.
 */
char *result_header(const struct result *r, const char *key)
{
	const char *value = header_value(r->header, key);

	if (!value)
		return NULL;
	return need_memory(strndup(value, strcspn(value, "\n")));
}

/**
 * result_find() - one of the points
 * @r: the result
 * @size: of it
 * @column: of it
 * @opcode: of it
 *
 * Return: the first such cell, NULL if there is none.
 */
const struct cell *result_find(const struct result *r, u64 size, u32 column,
			       enum fb_opcode opcode)
{
	size_t i;

	for (i = 0; i < r->ncells; i++)
		if (r->cells[i].size == size && r->cells[i].column == column &&
		    r->cells[i].opcode == opcode)
			return &r->cells[i];
	return NULL;
}

/* "flashbench VERSION TEST" */
static bool kind_from_header(const char *header, enum result_kind *kind)
{
	char name[32];
	u32 i;

	while (header && *header) {
		if (sscanf(header, "flashbench %*s %31s", name) == 1) {
			for (i = 0; i < NR_RESULT_KINDS; i++) {
				*kind = i;
				if (!strcmp(kind_names[i], name))
					return true;
			}
		}
		header = strchr(header, '\n');
		header += !!header;
	}
	return false;
}

static void take_setting(struct settings *s, const char *word)
{
	static const struct {
		const char *name;
		enum fb_key key;
	} keys[] = {
		{ "blocksize", FB_KEY_BLOCKSIZE },
		{ "erasesize", FB_KEY_ERASESIZE },
		{ "open-au-nr", FB_KEY_OPEN_AU_NR },
		{ "fat-nr", FB_KEY_FAT_NR },
		{ "random", FB_KEY_RANDOM },
	};
	size_t i, len;
	u64 n;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		len = strlen(keys[i].name);
		if (strncmp(word, keys[i].name, len) || word[len] != '=' ||
		    !mended_number(word + len + 1, &n))
			continue;
		s->params.val[keys[i].key] = n;
		s->readable |= BIT(keys[i].key);
	}
}

/**
 * settings_from_header() - what a header says of a result
 * @s: filled
 * @header: its lines; may be NULL
 *
 * Keys that are not needed, of another version perhaps, do not matter.
 *
 * Return: false if it does not name a test.
 */
bool settings_from_header(struct settings *s, const char *header)
{
	const char *run = header_value(header, "run");
	char line[FB_LINE_LEN], *rest = NULL, *word;

	memset(s, 0, sizeof(*s));
	if (!kind_from_header(header, &s->kind))
		return false;
	s->known = true;
	if (!run)
		return true;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(run, "\n"), run);
	for (word = strtok_r(line, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		take_setting(s, word);
	return true;
}

static u64 setting(const struct settings *s, enum fb_key key)
{
	return s->known && s->readable & BIT(key) ? s->params.val[key] : 0;
}

/**
 * reader_result() - begin a result
 * @r: the file
 * @kind: of what
 * @s: how it was measured
 *
 * Return: the result, with the header that came before it.
 */
struct result *reader_result(struct reader *r, enum result_kind kind,
			     const struct settings *s)
{
	struct archive *a = r->archive;
	struct result *result;

	/* so many are no file of results: the last one is overwritten */
	if (a->n < MOST_RESULTS) {
		a->results = need_memory(realloc(a->results, (a->n + 1) *
						 sizeof(*a->results)));
		a->n++;
	} else {
		result = &a->results[a->n - 1];
		free(result->header);
		free(result->cells);
		free(result->verdicts);
	}
	result = &a->results[a->n - 1];
	*result = (struct result) {
		.kind = kind,
		.header = r->header ? r->header : need_memory(strdup("")),
		.blocksize = setting(s, FB_KEY_BLOCKSIZE),
		.erasesize = setting(s, FB_KEY_ERASESIZE),
		.random = setting(s, FB_KEY_RANDOM),
	};
	r->header = NULL;
	return result;
}

/**
 * reader_cell() - add a point to the result that grows
 * @r: the file
 * @cell: the point
 */
void reader_cell(struct reader *r, const struct cell *cell)
{
	struct result *result = r->now;
	size_t n = result->ncells;

	if (n >= MOST_CELLS)
		return;
	/* at powers of two there is no room left */
	if (!(n & (n - 1)))
		result->cells = need_memory(realloc(result->cells, (n ? 2 * n :
						    1) * sizeof(*cell)));
	result->cells[result->ncells++] = *cell;
}

static void end_table(struct reader *r)
{
	r->columns = 0;
	r->verdicts = false;
	r->now = NULL;
}

/* "format: N" or "flashbench VERSION TEST" begins the header of a result */
static bool begins_header(const char *line)
{
	return !strncmp(line, "format: ", 8) ||
	       (!strncmp(line, "flashbench ", 11) && line[11] >= '0' &&
		line[11] <= '9');
}

/* Root's prompt looks like a header, too */
static bool is_prompt(const char *line)
{
	char word[64];
	size_t len = strcspn(line, " ");

	snprintf(word, sizeof(word), "%.*s", (int)min(len, sizeof(word)), line);
	return command_begins(word) && !strncmp(line + len, " -", 2);
}

static bool header_line(struct reader *r, const char *line)
{
	size_t len;

	if (strncmp(line, "# ", 2) || is_prompt(line + 2))
		return false;
	line += 2;
	if (begins_header(line) && r->now)
		end_table(r);
	if (!r->header && !begins_header(line))
		return false;
	len = r->header ? strlen(r->header) : 0;
	if (len + strlen(line) > LARGEST_HEADER)
		return true;
	r->header = need_memory(realloc(r->header, len + strlen(line) + 2));
	sprintf(r->header + len, "%s\n", line);
	if (settings_from_header(&r->words.settings, r->header)) {
		r->words.last = 0;
		r->words.in_command = false;
		r->words.has_rates = false;
	}
	return true;
}

/* Verdicts for people have no line with names */
static bool verdict_line(struct reader *r, const char *line)
{
	static const struct settings none;

	if (r->verdicts || !r->words.settings.known ||
	    r->words.settings.kind != RESULT_GEOMETRY ||
	    strncmp(line, "erase_block\t", 12))
		return false;
	r->now = reader_result(r, RESULT_GEOMETRY, &none);
	r->verdicts = true;
	return tsv_row(r, line);
}

/* A mail may have anything in it, and what is printed may go to a terminal. */
static void make_plain(char *line)
{
	for (; *line; line++)
		if (iscntrl((unsigned char)*line) && *line != '\t')
			*line = ' ';
}

static void take_line(struct reader *r, char *line)
{
	make_plain(line);
	if (header_line(r, line) || tsv_row(r, line) ||
	    tsv_columns(r, line) || verdict_line(r, line))
		return;
	if (r->columns || r->verdicts)
		end_table(r);
	table_line(r, line);
}

/**
 * archive_parse() - find the results in a text
 * @name: what the text is called in complaints
 * @text: changed
 * @a: gets them
 *
 * Return: 0, or -1 after a complaint: there are none.
 */
int archive_parse(const char *name, char *text, struct archive *a)
{
	struct reader r = { .archive = a };
	char *line, *next;

	*a = (struct archive) { 0 };
	r.words.option = FB_NR_KEYS;
	mend(text);
	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		take_line(&r, line);
	}
	free(r.header);
	if (a->n)
		return 0;
	complain("%s: no results in it", name);
	return -1;
}

/**
 * archive_read() - find the results in a file
 * @path: its name; "-" is the standard input
 * @a: gets them
 *
 * Return: 0, or -1 after a complaint.
 */
int archive_read(const char *path, struct archive *a)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *f = is_stdin ? stdin : fopen(path, "r");
	char *text = NULL, block[4096];
	size_t size = 0, n;
	FILE *out;
	int ret;

	*a = (struct archive) { 0 };
	if (!f) {
		complain("%s: %s", path, strerror(errno));
		return -1;
	}
	out = need_memory(open_memstream(&text, &size));
	for (size = 0; size <= LARGEST_FILE &&
	     (n = fread(block, 1, sizeof(block), f)); fflush(out))
		fwrite(block, 1, n, out);
	ret = ferror(f) ? errno : size > LARGEST_FILE ? EFBIG : 0;
	fclose(out);
	if (!is_stdin)
		fclose(f);
	if (ret) {
		complain("%s: %s", path, strerror(ret));
		ret = -1;
	} else {
		ret = archive_parse(path, need_memory(text), a);
	}
	free(text);
	return ret;
}

/**
 * archive_free() - forget the results
 * @a: them
 */
void archive_free(struct archive *a)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		free(a->results[i].header);
		free(a->results[i].cells);
		free(a->results[i].verdicts);
	}
	free(a->results);
	*a = (struct archive) { 0 };
}
