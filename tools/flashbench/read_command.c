// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines of 2011 before tables, word by word. They are the only ones to
 * say what a table of rates is of, so what is not understood in one makes all
 * of it worth nothing: a default in its place would be a guess.
 */
#include <string.h>

#include "archive_impl.h"
#include "command.h"

#define NO_KEY		FB_NR_KEYS
#define NO_TEST		NR_RESULT_KINDS

/**
 * struct old_option - an option of the command of 2011
 * @name: the long one
 * @letter: the short one, 0: none
 * @has_value: takes one
 * @key: whose value that is, NO_KEY: it does not matter here
 * @test: what it runs, NO_TEST: nothing
 */
static const struct old_option {
	const char *name;
	char letter;
	bool has_value;
	enum fb_key key;
	enum result_kind test;
} options[] = {
	{ "align", 'a', false, NO_KEY, RESULT_ALIGN },
	{ "align-write", 'A', false, NO_KEY, RESULT_ALIGN_WRITE },
	{ "interval", 'i', false, NO_KEY, RESULT_INTERVAL },
	{ "scatter", 's', false, NO_KEY, RESULT_SCATTER },
	{ "find-fat", 'f', false, NO_KEY, RESULT_FIND_FAT },
	{ "findfat", 'f', false, NO_KEY, RESULT_FIND_FAT },
	{ "open-au", 'O', false, NO_KEY, RESULT_OPEN_AU },
	{ "random", 'r', false, FB_KEY_RANDOM, NO_TEST },
	{ "verbose", 'v', false, NO_KEY, NO_TEST },
	{ "preserve", 0, false, NO_KEY, NO_TEST },
	{ "yes", 0, false, NO_KEY, NO_TEST },
	{ "blocksize", 'b', true, FB_KEY_BLOCKSIZE, NO_TEST },
	{ "erasesize", 'e', true, FB_KEY_ERASESIZE, NO_TEST },
	{ "open-au-nr", 0, true, FB_KEY_OPEN_AU_NR, NO_TEST },
	{ "fat-nr", 'F', true, FB_KEY_FAT_NR, NO_TEST },
	{ "interval-order", 0, true, NO_KEY, NO_TEST },
	{ "scatter-order", 0, true, NO_KEY, NO_TEST },
	{ "scatter-span", 0, true, NO_KEY, NO_TEST },
	{ "offset", 0, true, NO_KEY, NO_TEST },
	{ "count", 'c', true, NO_KEY, NO_TEST },
	{ "out", 'o', true, NO_KEY, NO_TEST },
};

/**
 * command_begins() - is it the name of the command?
 * @word: maybe with a path
 *
 * Return: whether it is.
 */
bool command_begins(const char *word)
{
	const char *name = strrchr(word, '/');

	return !strcmp(name ? name + 1 : word, "flashbench");
}

/**
 * command_start() - a command line, which has said nothing yet
 * @w: set to it
 */
void command_start(struct words *w)
{
	*w = (struct words) { .in_command = true, .option = NO_KEY };
	w->settings.params.val[FB_KEY_BLOCKSIZE] = 16 << 10;
	w->settings.params.val[FB_KEY_ERASESIZE] = 4 << 20;
	w->settings.params.val[FB_KEY_OPEN_AU_NR] = 2;
	w->settings.params.val[FB_KEY_FAT_NR] = 6;
	w->settings.readable = ~0U;
}

static void take_value(struct words *w, enum fb_key key, const char *word)
{
	struct settings *s = &w->settings;
	u64 n;

	w->wants_value = false;
	if (key == NO_KEY)
		return;
	if (mended_number(word, &n)) {
		s->params.val[key] = n;
		s->readable |= BIT(key);
	} else {
		s->readable &= ~BIT(key);
	}
}

/* @value: what follows in the same word, NULL: nothing */
static void take_option(struct words *w, const struct old_option *o,
			const char *value)
{
	struct settings *s = &w->settings;

	if (o->has_value && value) {
		take_value(w, o->key, value);
	} else if (o->has_value) {
		w->wants_value = true;
		w->option = o->key;
	} else if (o->key != NO_KEY) {
		s->params.val[o->key] = 1;
	}
	if (o->test == NO_TEST)
		return;
	/* of several tests nobody knows which one a table is of */
	if (s->known && s->kind != o->test)
		w->doubtful = true;
	if (!s->known || o->test == RESULT_ALIGN_WRITE)
		s->kind = o->test;
	s->known = true;
}

static void long_option(struct words *w, const char *word)
{
	size_t i, len = strcspn(word, "=");

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		const struct old_option *o = &options[i];

		if (strlen(o->name) != len || strncmp(o->name, word, len) ||
		    (word[len] && !o->has_value))
			continue;
		take_option(w, o, word[len] ? word + len + 1 : NULL);
		return;
	}
	w->doubtful = true;
}

static void short_options(struct words *w, const char *letter)
{
	size_t i;

	if (!*letter)
		w->doubtful = true;
	for (; *letter; letter++) {
		for (i = 0; i < ARRAY_SIZE(options); i++)
			if (options[i].letter == *letter)
				break;
		if (i == ARRAY_SIZE(options)) {
			w->doubtful = true;
			return;
		}
		take_option(w, &options[i], letter[1] ? letter + 1 : NULL);
		if (options[i].has_value)
			return;
	}
}

/**
 * command_word() - the next word of a command line
 * @w: the command line
 * @word: it, or what comes after the end
 *
 * Return: false if the command line has ended before this word.
 */
bool command_word(struct words *w, const char *word)
{
	if (w->wants_value) {
		take_value(w, w->option, word);
	} else if (!strncmp(word, "--", 2)) {
		long_option(w, word + 2);
	} else if (*word == '-') {
		short_options(w, word + 1);
	} else if (!strncmp(word, "/dev/", 5)) {
		w->device = true;
	} else if (strcmp(word, "\\")) {
		w->in_command = false;
		/* prose may have an option in it, but no device */
		if (!w->device || w->doubtful)
			w->settings.readable = 0;
		return false;
	}
	return true;
}
