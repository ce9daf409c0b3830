// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of the command of 2011, for the module.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "old.h"
#include "setup.h"

static const char help[] =
"usage: flashbench [OPTION]... DEVICE\n"
"\n"
"The options of the command of 2011, and its output.\n"
"\n"
"  -a, --align              read around the multiples of each size\n"
"  -A, --align-write        write there\n"
"  -i, --interval           read blocks of each size\n"
"  -s, --scatter            read blocks all over the device\n"
"  -f, --find-fat, --findfat  write to the first erase blocks\n"
"  -O, --open-au            write to some erase blocks in turn\n"
"      --interval-order=N   up to 2^N blocks\n"
"      --scatter-order=N    2^N places (9)\n"
"      --scatter-span=N     each N blocks long (1)\n"
"  -F, --fat-nr=N           so many of the first erase blocks (6)\n"
"      --open-au-nr=N       so many erase blocks (2)\n"
"      --offset=N           from there, bytes\n"
"  -r, --random             write blocks in random order\n"
"  -c, --count=N            read so often (8)\n"
"  -b, --blocksize=N        bytes (16K)\n"
"  -e, --erasesize=N        erase block, bytes (4M)\n"
"  -o, --out=FILE           print there\n"
"  -v, --verbose            print how it was measured, too\n"
"      --preserve           write, in tests that do, what is there already\n"
"      --destroy            write, in tests that do, OVER WHAT IS STORED, as\n"
"                           they do without --preserve\n"
"      --yes                do not ask before writing\n"
"      --help               this text\n";

static const struct option options[] = {
	{ "align", no_argument, NULL, 'a' },
	{ "align-write", no_argument, NULL, 'A' },
	{ "interval", no_argument, NULL, 'i' },
	{ "scatter", no_argument, NULL, 's' },
	{ "find-fat", no_argument, NULL, 'f' },
	{ "open-au", no_argument, NULL, 'O' },
	{ "interval-order", required_argument, NULL, 'I' },
	{ "scatter-order", required_argument, NULL, 'S' },
	{ "scatter-span", required_argument, NULL, 'P' },
	{ "fat-nr", required_argument, NULL, 'F' },
	{ "open-au-nr", required_argument, NULL, 'N' },
	{ "offset", required_argument, NULL, 't' },
	{ "random", no_argument, NULL, 'r' },
	{ "count", required_argument, NULL, 'c' },
	{ "blocksize", required_argument, NULL, 'b' },
	{ "erasesize", required_argument, NULL, 'e' },
	{ "out", required_argument, NULL, 'o' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "preserve", no_argument, NULL, 'p' },
	{ "destroy", no_argument, NULL, 'd' },
	{ "yes", no_argument, NULL, 'y' },
	{ "help", no_argument, NULL, 'h' },
	/* the other name of --find-fat */
	{ "findfat", no_argument, NULL, 'f' },
	{ }
};

/* In the order in which they are run */
static const struct {
	char option;
	const char *test;
} tests[] = {
	{ 's', "scatter" },
	{ 'i', "interval" },
	{ 'a', "align" },
	{ 'A', "align-write" },
	{ 'f', "find-fat" },
	{ 'O', "open-au" },
};

static const struct {
	char option;
	enum fb_key key;
	const char *name;
} keys[] = {
	{ 'b', FB_KEY_BLOCKSIZE, "blocksize" },
	{ 'c', FB_KEY_COUNT, "count" },
	{ 't', FB_KEY_OFFSET, "offset" },
	{ 'e', FB_KEY_ERASESIZE, "erasesize" },
	{ 'N', FB_KEY_OPEN_AU_NR, "open-au-nr" },
	{ 'F', FB_KEY_FAT_NR, "fat-nr" },
	{ 'S', FB_KEY_SCATTER_ORDER, "scatter-order" },
	{ 'P', FB_KEY_SCATTER_SPAN, "scatter-span" },
	{ 'I', FB_KEY_INTERVAL_ORDER, "interval-order" },
	{ 'r', FB_KEY_RANDOM, "random" },
};

/*
 * The old command let its options be, in tests that had no use for them; and it
 * wrote once, but for align.
 */
static bool is_meant(const struct fb_test *test, size_t key)
{
	if (!(test->keys & BIT(keys[key].key)))
		return false;
	return keys[key].option != 'c' || !(test->keys & BIT(FB_KEY_RANDOM));
}

static bool add_line(struct old *old, const struct fb_test *test,
		     const char *const *value)
{
	char *line = old->line[old->n];
	struct fb_params params;
	char reason[FB_REASON_LEN];
	size_t i, len;

	/* its rows and places, and what it wrote; not what would tell more */
	len = snprintf(line, FB_LINE_LEN, "%s%s%s", test->name,
		       test->keys & BIT(FB_KEY_OLD_SCHEDULE) ?
		       " old-schedule" : "",
		       test->writes ? " noclose pattern=zero" : "");
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *v = value[(unsigned char)keys[i].option];

		if (v && is_meant(test, i) && len < FB_LINE_LEN)
			len += snprintf(line + len, FB_LINE_LEN - len, " %s%s%s",
					keys[i].name, *v ? "=" : "", v);
	}
	/* writing once is the module's default */
	if (test == &fb_test_align_write && !value['c'] && len < FB_LINE_LEN)
		len += snprintf(line + len, FB_LINE_LEN - len, " count=8");
	if (len >= FB_LINE_LEN) {
		complain("a value is too long");
		return false;
	}
	if (fb_params_parse(line, &params, reason)) {
		complain("%s", reason);
		return false;
	}
	old->blocksize = params.val[FB_KEY_BLOCKSIZE];
	old->test[old->n++] = test;
	old->writes |= test->writes;
	return true;
}

static int take_options(int argc, char **argv, struct old *old,
			const char **value)
{
	int c;

	old->setup.arming = ARM_DESTROY;
	optind = 0;
	while ((c = getopt_long(argc, argv, "aAisfOF:rc:b:e:o:v", options,
				NULL)) != -1) {
		if (c == 'h' || c == '?') {
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
		if (c == 'p' || c == 'd')
			old->setup.arming = c == 'p' ? ARM_PRESERVE :
						       ARM_DESTROY;
		value[c] = optarg ? optarg : "";
	}
	old->output = value['o'];
	old->verbose = value['v'];
	old->setup.yes = value['y'];
	return 0;
}

/**
 * old_parse() - what a command line of 2011 wants
 * @argc: words
 * @argv: from the program's name on
 * @old: gets it
 *
 * Return: 0, the exit status after a complaint, or -1: there was help.
 */
int old_parse(int argc, char **argv, struct old *old)
{
	const char *value[256] = { NULL };
	int ret = take_options(argc, argv, old, value);
	size_t i;

	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		if (value[(unsigned char)tests[i].option] &&
		    !add_line(old, fb_test_find(tests[i].test), value))
			return OUTCOME_USAGE;
	if (!old->writes)
		old->setup.arming = ARM_OFF;
	if (old->n && optind + 1 == argc) {
		old->setup.device = argv[optind];
		return 0;
	}
	if (old->n)
		complain(optind == argc ? "which device?" :
			 "one device only");
	else
		fputs(help, stderr);
	return OUTCOME_USAGE;
}

/* The module has sizes of 3 and 9 times a power of two besides. */
static bool is_old_row(const char *row, u64 blocksize)
{
	u64 size, unit = 2 * blocksize;

	if (sscanf(row, "align %llu", &size) != 1)
		return true;
	while (unit < size)
		unit *= 2;
	return unit == size;
}

/*
 * The lines that begin with # are none of the old command's. What they warn of
 * is for people.
 */
static void print_old(FILE *f, const char *text, u64 blocksize, bool verbose)
{
	static const char warning[] = "# warning: ";

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (*text == '#' ? verbose : is_old_row(text, blocksize))
			fprintf(f, "%.*s\n", (int)len, text);
		else if (!strncmp(text, warning, strlen(warning)))
			complain("%.*s", (int)(len - 2), text + 2);
		text += len + (text[len] == '\n');
	}
}

static bool run(const struct old *old, FILE *f)
{
	unsigned int i;
	char *text;

	for (i = 0; i < old->n; i++) {
		if (module_run(old->line[i]))
			return false;
		text = module_result(old->test[i]->name, NULL);
		if (!text)
			return false;
		print_old(f, text, old->blocksize, old->verbose);
		free(text);
	}
	return true;
}

/* A file that is there already is kept until there is something to measure */
static bool run_into(const struct old *old)
{
	FILE *f = old->output ? fopen(old->output, "w") : stdout;
	bool done = f && run(old, f);
	bool good = f && !fflush(f) && !ferror(f);

	if (!good)
		complain("%s: %s", old->output ? old->output : "stdout",
			 strerror(errno));
	if (f && old->output && fclose(f) && good) {
		complain("%s: %s", old->output, strerror(errno));
		good = false;
	}
	return done && good;
}

/**
 * command_old() - the command of 2011
 * @argc: words
 * @argv: from the program's name on
 *
 * Return: the exit status.
 */
enum outcome command_old(int argc, char **argv)
{
	struct old old = { 0 };
	int ret = old_parse(argc, argv, &old);
	bool good;

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	good = setup_begin(&old.setup) && run_into(&old);
	module_release();
	return good ? OUTCOME_ANSWER : OUTCOME_FAILURE;
}
