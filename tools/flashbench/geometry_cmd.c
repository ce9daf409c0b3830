// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench geometry: what a card is, and what to do about it.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "command.h"
#include "setup.h"
#include "verdict.h"
#include "verdict_json.h"

static const char help[] =
"usage: flashbench geometry [OPTION]... DEVICE [KEY=VALUE | FLAG]...\n"
"\n"
"Find out what a card is: erase block, pages, how many erase blocks can be open;\n"
"and say how it is best partitioned and formatted. Without --preserve or\n"
"--destroy it is only read, and less is found. Keys are those of the module's\n"
"test geometry, flashbench run --help has all; some are options, too.\n"
"\n"
"      --preserve       write, too, what is there already\n"
"      --destroy        write, too: WHAT IS STORED IN THE RANGE IS LOST\n"
"      --yes            do not ask before that\n"
"      --range=RANGE    OFFSET+LENGTH: touch nothing else\n"
"      --only=LIST      these verdicts only\n"
"      --max-collections=N  end after so many of them\n"
"      --max-time=S     or so many seconds\n"
"      --max-write=SIZE  or so many bytes written\n"
"      --dry-run        say what it would cost, and do nothing\n"
"      --json           for programs\n"
"      --help           this text\n"
"\n"
"Exit status: 0 there is an answer, 1 failure, 2 wrong command line, 3 the erase\n"
"block cannot be told, or, if others were asked for, none of them.\n";

/**
 * struct order - the command line
 * @setup: device
 * @json: for programs
 * @dryrun: only say what it would cost
 * @keys: of the test, each with a blank before it
 * @line: for the module
 */
struct order {
	struct setup setup;
	bool json;
	bool dryrun;
	char keys[FB_LINE_LEN];
	char line[FB_LINE_LEN];
};

static const struct option options[] = {
	{ "preserve", no_argument, NULL, 'p' },
	{ "destroy", no_argument, NULL, 'd' },
	{ "yes", no_argument, NULL, 'y' },
	{ "range", required_argument, NULL, 'r' },
	{ "only", required_argument, NULL, 'k' },
	{ "max-collections", required_argument, NULL, 'k' },
	{ "max-time", required_argument, NULL, 'k' },
	{ "max-write", required_argument, NULL, 'k' },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* What does not fit makes a line that is too long, too, see make_line() */
static void add_key(struct order *o, const char *key, const char *value)
{
	size_t len = strlen(o->keys);

	snprintf(o->keys + len, sizeof(o->keys) - len, " %s%s%s", key,
		 value ? "=" : "", value ? value : "");
}

/* Returns false if it is none of those that say what is done */
static bool take_option(int c, int index, struct order *o)
{
	switch (c) {
	case 'p':
		o->setup.arming = ARM_PRESERVE;
		break;
	case 'd':
		o->setup.arming = ARM_DESTROY;
		break;
	case 'y':
		o->setup.yes = true;
		break;
	case 'r':
		o->setup.range = optarg;
		break;
	case 'k':
		add_key(o, options[index].name, optarg);
		break;
	case 'n':
		add_key(o, "dryrun", NULL);
		break;
	case 'j':
		o->json = true;
		break;
	default:
		return false;
	}
	return true;
}

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	int c, index = 0;

	optind = 0;
	while ((c = getopt_long(argc, argv, "", options, &index)) != -1) {
		if (take_option(c, index, o))
			continue;
		fputs(help, c == 'h' ? stdout : stderr);
		return c == 'h' ? -1 : OUTCOME_USAGE;
	}
	return 0;
}

/* The line for the module: it cannot be longer than what it takes */
static bool make_line(int n, char **words, struct order *o)
{
	size_t len;
	int i;

	for (i = 0; i < n; i++)
		add_key(o, words[i], NULL);
	len = snprintf(o->line, sizeof(o->line), "geometry%s", o->keys);
	return len < sizeof(o->line);
}

static bool take_words(int n, char **words, struct order *o)
{
	struct fb_params params;
	char reason[FB_REASON_LEN];

	if (!n) {
		complain("geometry: which device?");
		return false;
	}
	o->setup.device = words[0];
	if (!make_line(n - 1, words + 1, o)) {
		complain("geometry: too many words");
		return false;
	}
	if (fb_params_parse(o->line, &params, reason)) {
		complain("geometry: %s", reason);
		return false;
	}
	o->dryrun = params.val[FB_KEY_DRYRUN];
	if (o->dryrun && o->json) {
		complain("geometry: a dry run says nothing for programs");
		return false;
	}
	/* nothing is written, so nobody has to be asked */
	if (o->dryrun)
		o->setup.arming = ARM_OFF;
	return true;
}

static u64 disk_size(void)
{
	char *text = module_info("disk_size_bytes");
	u64 bytes = 0;

	if (text && fb_parse_u64(text, &bytes))
		bytes = 0;
	free(text);
	return bytes;
}

/* What the header warns of, and that a budget ended, is for people. */
static void warn(const char *text)
{
	static const char warning[] = "# warning: ";
	char *reason = module_reason();
	const char *line;

	for (line = text; *line == '#'; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		if (!strncmp(line, warning, strlen(warning)))
			complain("%.*s", (int)(len - 2), line + 2);
		if (!line[len])
			break;
	}
	if (reason)
		complain("%s", reason);
	free(reason);
}

/* The erase block is what most of the rest builds on */
static bool is_answered(const char *lines)
{
	const char *next = lines;
	struct verdict v;

	while ((next = verdict_next(next, &v)))
		if (!strcmp(v.key, "erase_block"))
			return strcmp(v.class, "unknown");
	return verdict_any(lines);
}

static enum outcome print_cost(void)
{
	char *reason = module_reason();

	printf("%s\n", reason ? reason : "");
	free(reason);
	return OUTCOME_ANSWER;
}

static enum outcome print_outcome(const struct order *o, const char *text)
{
	const char *lines = verdict_lines(text);
	u64 disk = disk_size();

	warn(text);
	if (o->json) {
		verdict_print_json(stdout, lines, disk);
	} else {
		fputs(lines, stdout);
		putchar('\n');
		advice_print(stdout, lines, disk);
	}
	return is_answered(lines) ? OUTCOME_ANSWER : OUTCOME_CANNOT_TELL;
}

/**
 * command_geometry() - flashbench geometry
 * @argc: words
 * @argv: from "geometry" on
 *
 * Return: the exit status.
 */
enum outcome command_geometry(int argc, char **argv)
{
	enum outcome outcome = OUTCOME_FAILURE;
	struct order o = { 0 };
	int ret = parse_options(argc, argv, &o);
	char *text = NULL;

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	if (!take_words(argc - optind, argv + optind, &o))
		return OUTCOME_USAGE;
	if (setup_begin(&o.setup) && !module_run(o.line)) {
		if (o.dryrun)
			outcome = print_cost();
		else
			text = module_result("geometry", NULL);
	}
	if (text)
		outcome = print_outcome(&o, text);
	free(text);
	module_release();
	return outcome;
}
