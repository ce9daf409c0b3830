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
"test geometry: only=, max-collections=, scan, seed=, max-time=, max-write=.\n"
"\n"
"      --preserve       write, too, what is there already\n"
"      --destroy        write, too: WHAT IS STORED IN THE RANGE IS LOST\n"
"      --yes            do not ask before that\n"
"      --range=RANGE    OFFSET+LENGTH: touch nothing else\n"
"      --json           for programs\n"
"      --help           this text\n"
"\n"
"Exit status: 0 there is an answer, 1 failure, 2 wrong command line, 3 nothing can\n"
"be told of the card.\n";

/**
 * struct order - the command line
 * @setup: device
 * @json: for programs
 * @line: for the module
 */
struct order {
	struct setup setup;
	bool json;
	char line[FB_LINE_LEN];
};

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	static const struct option options[] = {
		{ "preserve", no_argument, NULL, 'p' },
		{ "destroy", no_argument, NULL, 'd' },
		{ "yes", no_argument, NULL, 'y' },
		{ "range", required_argument, NULL, 'r' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
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
		case 'j':
			o->json = true;
			break;
		default:
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
	}
	return 0;
}

static bool take_words(int n, char **words, struct order *o)
{
	struct fb_params params;
	char reason[FB_REASON_LEN];
	size_t len;
	int i;

	if (!n) {
		complain("geometry: which device?");
		return false;
	}
	o->setup.device = words[0];
	len = snprintf(o->line, sizeof(o->line), "geometry");
	for (i = 1; i < n && len < sizeof(o->line); i++)
		len += snprintf(o->line + len, sizeof(o->line) - len, " %s",
				words[i]);
	if (len >= sizeof(o->line))
		complain("geometry: too many words");
	else if (fb_params_parse(o->line, &params, reason))
		complain("geometry: %s", reason);
	else if (params.val[FB_KEY_DRYRUN])
		complain("geometry: no dryrun; flashbench run DEVICE geometry dryrun says what it would cost");
	else
		return true;
	return false;
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
	return verdict_any(lines) ? OUTCOME_ANSWER : OUTCOME_CANNOT_TELL;
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
	if (setup_begin(&o.setup) && !module_run(o.line))
		text = module_result("geometry", NULL);
	if (text)
		outcome = print_outcome(&o, text);
	free(text);
	module_release();
	return outcome;
}
