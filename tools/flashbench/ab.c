// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench ab: compare two settings by runs in turn.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "ab.h"
#include "command.h"
#include "setup.h"

#define PAIRS	8

static const char help[] =
"usage: flashbench ab [OPTION]... --a=COMMAND --b=COMMAND DEVICE TEST [KEY=VALUE]...\n"
"\n"
"Compare two settings: each run of the test comes after one of the two commands,\n"
"which may write to a file in sysfs, for example. Their order is ABBA or BAAB, by\n"
"chance, so that nothing that drifts is taken for a difference.\n"
"\n"
"      --a=COMMAND      makes the first setting (a shell runs it)\n"
"      --b=COMMAND      makes the second one\n"
"      --pairs=N        runs of each at most, 4 to 16 (8), even\n"
"      --seed=N         of their order (1)\n"
"      --check          measure the first setting against itself before that\n"
"      --all            all runs, even if the answer is clear before; and all\n"
"                       rows, not only those with a difference of their own\n"
"      --preserve       write, in tests that do, what is there already\n"
"      --destroy        write, in tests that do: WHAT IS STORED IN THE RANGE\n"
"                       IS LOST\n"
"      --yes            do not ask before that\n"
"      --range=RANGE    OFFSET+LENGTH: touch nothing else\n"
"      --json           for programs\n"
"      --help           this text\n"
"\n"
"Exit status: 0 compared, 1 failure, 2 wrong command line, 3 nothing can be\n"
"compared, or --check found a difference where none is.\n";

/**
 * struct order - the command line
 * @setup: device
 * @command: makes each setting
 * @pairs: runs of each
 * @seed: of their order
 * @check: A against A first
 * @all: all runs and rows
 * @json: for programs
 * @line: for the module
 * @test: in it
 */
struct order {
	struct setup setup;
	const char *command[2];
	u64 pairs;
	u64 seed;
	bool check;
	bool all;
	bool json;
	char line[FB_LINE_LEN];
	const struct fb_test *test;
};

static bool take_number(const char *name, const char *text, u64 *n)
{
	if (!fb_parse_u64(text, n))
		return true;
	complain("ab: --%s=%s: not a number", name, text);
	return false;
}

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	static const struct option options[] = {
		{ "a", required_argument, NULL, 'a' },
		{ "b", required_argument, NULL, 'b' },
		{ "pairs", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 's' },
		{ "check", no_argument, NULL, 'c' },
		{ "all", no_argument, NULL, 'l' },
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
		if (c == 'a' || c == 'b')
			o->command[c - 'a'] = optarg;
		else if (c == 'c')
			o->check = true;
		else if (c == 'l')
			o->all = true;
		else if (c == 'p')
			o->setup.arming = ARM_PRESERVE;
		else if (c == 'd')
			o->setup.arming = ARM_DESTROY;
		else if (c == 'y')
			o->setup.yes = true;
		else if (c == 'r')
			o->setup.range = optarg;
		else if (c == 'j')
			o->json = true;
		else if (c == 'n' && take_number("pairs", optarg, &o->pairs))
			continue;
		else if (c == 's' && take_number("seed", optarg, &o->seed))
			continue;
		else if (c == 'n' || c == 's')
			return OUTCOME_USAGE;
		else
			return fputs(help, c == 'h' ? stdout : stderr),
			       c == 'h' ? -1 : OUTCOME_USAGE;
	}
	return 0;
}

static bool take_words(int n, char **words, struct order *o)
{
	char reason[FB_REASON_LEN];
	struct fb_params params;
	size_t len = 0;
	int i;

	if (!o->command[0] || !o->command[1])
		complain("ab: two settings, --a=COMMAND and --b=COMMAND");
	else if (o->pairs % 2 || o->pairs < 4 || o->pairs > FB_PAIRED_RUNS)
		complain("ab: --pairs=%llu: an even number, 4 to %u", o->pairs,
			 FB_PAIRED_RUNS);
	else if (n < 2)
		complain("ab: which %s?", n ? "test" : "device, which test");
	else
		len = 1;
	if (!len)
		return false;
	o->setup.device = words[0];
	for (i = 1, len = 0; i < n && len < sizeof(o->line); i++)
		len += snprintf(o->line + len, sizeof(o->line) - len, "%s%s",
				i > 1 ? " " : "", words[i]);
	if (len >= sizeof(o->line)) {
		complain("ab: too many words");
		return false;
	}
	if (fb_params_parse(o->line, &params, reason)) {
		complain("ab: %s", reason);
		return false;
	}
	o->test = params.test;
	if (o->test->writes && o->setup.arming == ARM_OFF) {
		complain("ab: %s writes; say --preserve or --destroy",
			 o->test->name);
		return false;
	}
	if (!o->test->adaptive && !params.val[FB_KEY_DRYRUN])
		return true;
	complain("ab: %s has no times to compare",
		 o->test->adaptive ? o->test->name : "a dry run");
	return false;
}

/* The device is let go before: a setting may need that, or another card */
static bool run_once(void *ctx, bool b, struct archive *a)
{
	struct order *o = ctx;
	char *text = NULL;
	bool good;

	module_release();
	if (!ab_setting(o->command[b]) || !setup_begin(&o->setup))
		return false;
	if (!module_run(o->line))
		text = module_result(o->test->name, "tsv");
	good = text && !archive_parse(o->line, text, a);
	free(text);
	return good;
}

static enum outcome say(const struct order *o, const struct comparison *c)
{
	json_t *object;

	if (o->json) {
		object = comparison_json(c);
		json_dumpf(object, stdout,
			   JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		putchar('\n');
		json_decref(object);
	} else {
		comparison_print(c, o->all);
	}
	return OUTCOME_ANSWER;
}

/* A against A: what is found there, is found between A and B as well */
static enum outcome judge_check(const struct order *o,
				const struct comparison *c)
{
	struct change_count count = { 0 };
	u32 kind;

	for (kind = 0; kind < NR_RESULT_KINDS; kind++) {
		struct change_count one = comparison_count(c, kind);

		count.faster += one.faster;
		count.slower += one.slower;
		count.common += one.common;
	}
	if (!count.faster && !count.slower && !count.common &&
	    c->whole.change == FB_SAME)
		return OUTCOME_ANSWER;
	complain("ab: the first setting differs from itself; nothing can be said of two");
	say(o, c);
	return OUTCOME_CANNOT_TELL;
}

static enum outcome judge(const struct order *o, const struct comparison *c,
			  bool found, bool same)
{
	if (!found)
		complain("ab: the runs have no row in common");
	else if (same)
		return judge_check(o, c);
	else
		return say(o, c);
	return OUTCOME_CANNOT_TELL;
}

static enum outcome measure(struct order *o, bool same)
{
	struct ab ab = {
		.pairs = o->pairs, .seed = o->seed, .same = same,
		.early = !o->all && !same, .run = run_once, .ctx = o,
	};
	enum outcome outcome = OUTCOME_FAILURE;
	struct comparison c;
	bool found = false;

	if (ab_measure(&ab, &c, &found)) {
		outcome = judge(o, &c, found, same);
		comparison_free(&c);
	}
	ab_free(&ab);
	return outcome;
}

/**
 * command_ab() - flashbench ab
 * @argc: words
 * @argv: from "ab" on
 *
 * Return: the exit status.
 */
enum outcome command_ab(int argc, char **argv)
{
	enum outcome outcome = OUTCOME_ANSWER;
	struct order o = { .pairs = PAIRS, .seed = 1 };
	int ret = parse_options(argc, argv, &o);

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	if (!take_words(argc - optind, argv + optind, &o))
		return OUTCOME_USAGE;
	if (!o.test->writes)
		o.setup.arming = ARM_OFF;
	/* before a command changes anything, and once, not before each run */
	if (module_open() || !setup_confirm(&o.setup))
		return OUTCOME_FAILURE;
	o.setup.yes = true;
	if (o.setup.arming == ARM_DESTROY)
		o.setup.confirmed = setup_device(o.setup.device);
	if (o.check)
		outcome = measure(&o, true);
	if (outcome == OUTCOME_ANSWER)
		outcome = measure(&o, false);
	module_release();
	return outcome;
}
