// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of a geometry result, and how they are told to people.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

/* What the value of a verdict is */
enum kind { WORD, BYTES, BLOCKS, PERCENT };

static const struct {
	const char *key;
	const char *title;
	enum kind kind;
} known[] = {
	{ "erase_block", "erase block", BYTES },
	{ "super_page", "super page", BYTES },
	{ "page", "page", BYTES },
	{ "open_linear", "open erase blocks, written in order", BLOCKS },
	{ "open_random", "open erase blocks, written at random", BLOCKS },
	{ "fat_area", "FAT area, erase blocks", WORD },
	{ "program_unit", "program unit", BYTES },
	{ "subunit_penalty", "cost of writing less than that", PERCENT },
	{ "unaligned_penalty", "cost of writing that unaligned", PERCENT },
	{ "mapping", "mapping", WORD },
	{ "write_cache", "write cache", WORD },
	{ "unwritten", "places never written", WORD },
};

static size_t find_key(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].key, key))
			break;
	return i;
}

/* Up to a tab or the end of the line, and behind it */
static const char *take_word(const char *s, char *buf, size_t size)
{
	size_t len = strcspn(s, "\t\r\n");

	snprintf(buf, size, "%.*s", (int)len, s);
	s += len;
	return *s == '\t' ? s + 1 : s;
}

/**
 * verdict_next() - the first of some lines
 * @lines: of a geometry result
 * @v: filled
 *
 * Return: the lines behind it, NULL if there was none.
 */
const char *verdict_next(const char *lines, struct verdict *v)
{
	if (!lines || !*lines)
		return NULL;
	lines = take_word(lines, v->key, sizeof(v->key));
	lines = take_word(lines, v->value, sizeof(v->value));
	lines = take_word(lines, v->class, sizeof(v->class));
	lines = take_word(lines, v->confidence, sizeof(v->confidence));
	lines = take_word(lines, v->basis, sizeof(v->basis));
	lines = take_word(lines, v->evidence, sizeof(v->evidence));
	lines += strcspn(lines, "\n");
	return *lines ? lines + 1 : lines;
}

/**
 * verdict_find() - a verdict that says something
 * @geometry: the result; may be NULL
 * @key: which verdict
 * @v: filled
 *
 * Return: false if there is none, or it is unknown.
 */
bool verdict_find(const struct result *geometry, const char *key,
		  struct verdict *v)
{
	const char *lines = geometry ? geometry->verdicts : NULL;

	while ((lines = verdict_next(lines, v)))
		if (!strcmp(v->key, key))
			return strcmp(v->class, "unknown");
	return false;
}

/**
 * verdict_bytes() - the value of a verdict that is a size
 * @v: the verdict
 * @bytes: set to it
 *
 * Return: false if it is none.
 */
bool verdict_bytes(const struct verdict *v, u64 *bytes)
{
	size_t i = find_key(v->key);

	return i < ARRAY_SIZE(known) && known[i].kind == BYTES &&
	       !fb_parse_u64(v->value, bytes) && *bytes;
}

/**
 * verdict_title() - a key in words
 * @key: the key
 *
 * Return: the words; @key itself if it is not known.
 */
const char *verdict_title(const char *key)
{
	size_t i = find_key(key);

	return i < ARRAY_SIZE(known) ? known[i].title : key;
}

/**
 * verdict_value() - a value in words
 * @v: the verdict
 * @buf: where they go
 * @size: of @buf
 */
void verdict_value(const struct verdict *v, char *buf, size_t size)
{
	size_t i = find_key(v->key);
	char text[FB_TEXT_LEN];
	u64 bytes;

	if (!strcmp(v->value, "-"))
		snprintf(buf, size, "not known");
	else if (!strcmp(v->value, "no_limit"))
		snprintf(buf, size, "no limit");
	else if (verdict_bytes(v, &bytes) &&
		 fb_format_size(text, sizeof(text), bytes))
		snprintf(buf, size, "%s", text);
	else if (i < ARRAY_SIZE(known) && known[i].kind == PERCENT)
		snprintf(buf, size, "%s %%", v->value);
	else
		snprintf(buf, size, "%s", v->value);
}
