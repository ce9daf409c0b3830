// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench run: one test of the module, and its result.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "pure.h"
#include "setup.h"

#define VIEW_TSV	"tsv"
#define VIEW_SAMPLES	"samples"

static const char help[] =
"usage: flashbench run [OPTION]... DEVICE TEST [KEY=VALUE | FLAG]...\n"
"\n"
"Run one test of the module and print its table.\n"
"\n"
"      --tsv            print a line for each point, for programs\n"
"      --samples        print a line for each operation\n"
"      --preserve       write, in tests that do, what is there already\n"
"      --destroy        write, in tests that do: WHAT IS STORED IN THE RANGE\n"
"                       IS LOST\n"
"      --yes            do not ask before that\n"
"      --range=RANGE    OFFSET+LENGTH: touch nothing else\n"
"  -o, --output=FILE    print there\n"
"      --help           this text\n"
"\n"
"Tests and their keys:\n"
"\n";

/**
 * struct order - the command line
 * @setup: device
 * @view: of the result
 * @output: file, NULL: stdout
 * @line: for the module
 * @params: what it says
 */
struct order {
	struct setup setup;
	const char *view;
	const char *output;
	char line[FB_LINE_LEN];
	struct fb_params params;
};

static int print_help(bool good)
{
	char text[4096];
	unsigned int i;

	fputs(help, good ? stdout : stderr);
	for (i = 0; i < fb_nr_tests && good; i++) {
		fb_test_describe(fb_tests[i], text, sizeof(text));
		fputs(text, stdout);
	}
	return good ? -1 : OUTCOME_USAGE;
}

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	static const struct option options[] = {
		{ "tsv", no_argument, NULL, 't' },
		{ "samples", no_argument, NULL, 's' },
		{ "preserve", no_argument, NULL, 'p' },
		{ "destroy", no_argument, NULL, 'd' },
		{ "yes", no_argument, NULL, 'y' },
		{ "range", required_argument, NULL, 'r' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		switch (c) {
		case 't':
			o->view = VIEW_TSV;
			break;
		case 's':
			o->view = VIEW_SAMPLES;
			break;
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
		case 'o':
			o->output = optarg;
			break;
		default:
			return print_help(c == 'h');
		}
	}
	return 0;
}

static bool take_words(int n, char **words, struct order *o)
{
	char reason[FB_REASON_LEN];
	size_t len = 0;
	int i;

	if (n < 2) {
		complain("run: which %s?", n ? "test" : "device, which test");
		return false;
	}
	o->setup.device = words[0];
	for (i = 1; i < n; i++) {
		len += snprintf(o->line + len, sizeof(o->line) - len, "%s%s",
				i > 1 ? " " : "", words[i]);
		if (len >= sizeof(o->line)) {
			complain("run: too many words");
			return false;
		}
	}
	if (fb_params_parse(o->line, &o->params, reason)) {
		complain("run: %s", reason);
		return false;
	}
	/* nothing is written, so nobody has to be asked */
	if (o->params.val[FB_KEY_DRYRUN]) {
		o->setup.arming = ARM_OFF;
		return true;
	}
	if (!o->params.test->writes || o->setup.arming != ARM_OFF)
		return true;
	complain("run: %s writes; say --preserve or --destroy",
		 o->params.test->name);
	return false;
}

static bool print_result(const struct order *o, const char *text)
{
	FILE *f = o->output ? fopen(o->output, "w") : stdout;
	bool good = f && fputs(text, f) >= 0 && !fflush(f);

	if (!good)
		complain("%s: %s", o->output ? o->output : "stdout",
			 strerror(errno));
	if (f && o->output && fclose(f) && good) {
		complain("%s: %s", o->output, strerror(errno));
		good = false;
	}
	return good;
}

/* A dry run has no result, but something to say */
static bool print_outcome(const struct order *o)
{
	const struct fb_params *p = &o->params;
	char *text, *reason = NULL;
	bool good;

	if (!p->val[FB_KEY_DRYRUN]) {
		text = module_result(p->test->name, o->view);
	} else {
		reason = module_reason();
		text = malloc(FB_LINE_LEN);
		if (text)
			snprintf(text, FB_LINE_LEN, "%s\n",
				 reason ? reason : "");
	}
	good = text && print_result(o, text);
	free(reason);
	free(text);
	return good;
}

/**
 * command_run() - flashbench run
 * @argc: words
 * @argv: from "run" on
 *
 * Return: the exit status.
 */
enum outcome command_run(int argc, char **argv)
{
	struct order o = { 0 };
	int ret = parse_options(argc, argv, &o);
	bool good;

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	if (!take_words(argc - optind, argv + optind, &o))
		return OUTCOME_USAGE;
	good = setup_begin(&o.setup) && !module_run(o.line) &&
	       print_outcome(&o);
	module_release();
	return good ? OUTCOME_ANSWER : OUTCOME_FAILURE;
}
