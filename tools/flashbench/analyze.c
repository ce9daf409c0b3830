// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench analyze: what saved or posted tables tell of a card, in the
 * module's words.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "analysis.h"
#include "command.h"
#include "verdict_json.h"

static const char help[] =
"usage: flashbench analyze [OPTION]... FILE...\n"
"\n"
"Say what results tell of a card: the module's .tsv files, tables of the command\n"
"of 2011, or mails with such tables in them. All files are of one card. \"-\" is\n"
"the standard input.\n"
"\n"
"      --advice         say how it is best partitioned and formatted, too\n"
"      --json           for programs\n"
"      --help           this text\n"
"\n"
"Exit status: 0 there is an answer, 1 failure, 2 wrong command line, 3 nothing can\n"
"be told of the card.\n";

/**
 * struct order - the command line
 * @advice: what to do, too
 * @json: for programs
 */
struct order {
	bool advice;
	bool json;
};

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	static const struct option options[] = {
		{ "advice", no_argument, NULL, 'a' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'a') {
			o->advice = true;
		} else if (c == 'j') {
			o->json = true;
		} else {
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
	}
	if (optind < argc)
		return 0;
	complain("analyze: which file?");
	return OUTCOME_USAGE;
}

static enum outcome say(const struct order *o, const char *lines)
{
	if (o->json)
		verdict_print_json(stdout, lines, 0);
	else
		fputs(lines, stdout);
	if (o->advice && !o->json) {
		putchar('\n');
		advice_print(stdout, lines, 0);
	}
	return verdict_any(lines) ? OUTCOME_ANSWER : OUTCOME_CANNOT_TELL;
}

/**
 * command_analyze() - flashbench analyze
 * @argc: words
 * @argv: from "analyze" on
 *
 * Return: the exit status.
 */
enum outcome command_analyze(int argc, char **argv)
{
	enum outcome outcome = OUTCOME_FAILURE;
	struct order o = { 0 };
	int ret = parse_options(argc, argv, &o), i, n = 0;
	struct archive *archives;
	char *lines;

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	archives = need_memory(calloc(argc, sizeof(*archives)));
	for (i = optind; i < argc; i++, n++)
		if (archive_read(argv[i], &archives[n]))
			break;
	if (i == argc) {
		lines = analysis(archives, n);
		outcome = say(&o, lines);
		free(lines);
	}
	while (n)
		archive_free(&archives[--n]);
	free(archives);
	return outcome;
}
