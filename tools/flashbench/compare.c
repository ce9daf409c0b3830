// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench compare: what differs between two results, or two sets of them.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "comparison.h"

static const char help[] =
"usage: flashbench compare [OPTION]... BEFORE AFTER\n"
"   or: flashbench compare [OPTION]... BEFORE... -- AFTER...\n"
"\n"
"Say which rows of the results differ, and by how much: .tsv files, or tables\n"
"of the old command. With 3 runs of each and more there are verdicts, from 5 on\n"
"they see small changes; with less all is indicative.\n"
"\n"
"      --all     all rows, not only those with a difference of their own\n"
"      --json    for programs\n"
"      --help    this text\n"
"\n"
"Exit status: 0 compared, 1 failure, 2 wrong command line, 3 nothing in common.\n";

/**
 * struct wishes - the command line
 * @all: all rows
 * @json: for programs
 * @before: names of files
 * @nbefore: how many
 * @after: the others
 * @nafter: how many
 */
struct wishes {
	bool all;
	bool json;
	char **before;
	u32 nbefore;
	char **after;
	u32 nafter;
};

static bool parse_files(struct wishes *w, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && strcmp(argv[i], "--"); i++)
		;
	if (i == argc && argc == 2)
		i = 1;
	else if (i == argc)
		i = 0;
	w->before = argv;
	w->nbefore = i;
	w->after = argv + i;
	w->nafter = argc - i;
	if (w->nafter && !strcmp(*w->after, "--")) {
		w->after++;
		w->nafter--;
	}
	if (!w->nbefore || !w->nafter)
		complain("compare: two results, or some, --, and some others");
	else if (max(w->nbefore, w->nafter) > FB_PAIRED_RUNS)
		complain("compare: at most %u runs a side", FB_PAIRED_RUNS);
	else
		return true;
	return false;
}

/*
 * 0: go on, else the exit status, -1 for 0. "+": the options end at the first
 * file, so that getopt leaves the "--" between files alone.
 */
static int parse(struct wishes *w, int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (c == 'a') {
			w->all = true;
		} else if (c == 'j') {
			w->json = true;
		} else {
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
	}
	return parse_files(w, argc - optind, argv + optind) ? 0 : OUTCOME_USAGE;
}

static bool read_runs(const struct wishes *w, struct archive *runs, u32 *n)
{
	u32 i;

	for (i = 0; i < w->nbefore + w->nafter; i++) {
		const char *path = i < w->nbefore ? w->before[i] :
				   w->after[i - w->nbefore];

		/* it has said why */
		if (archive_read(path, &runs[i]))
			return false;
		*n = i + 1;
	}
	return true;
}

static void print_json(const struct comparison *c)
{
	json_t *object = comparison_json(c);

	json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(object);
}

static enum outcome compare(const struct wishes *w, const struct archive *runs)
{
	enum outcome outcome = OUTCOME_CANNOT_TELL;
	struct comparison c;
	bool found = compare_archives(&c, runs, w->nbefore, w->nafter, false);

	if (w->json)
		print_json(&c);
	else if (found)
		comparison_print(&c, w->all);
	if (found)
		outcome = OUTCOME_ANSWER;
	else
		complain("compare: the results have no row in common");
	comparison_free(&c);
	return outcome;
}

/**
 * command_compare() - flashbench compare
 * @argc: words
 * @argv: from "compare" on
 *
 * Return: the exit status.
 */
enum outcome command_compare(int argc, char **argv)
{
	enum outcome outcome = OUTCOME_FAILURE;
	struct archive *runs;
	struct wishes w = { 0 };
	u32 n = 0;
	int ret = parse(&w, argc, argv);

	if (ret)
		return ret < 0 ? OUTCOME_ANSWER : (enum outcome)ret;
	runs = need_memory(calloc(w.nbefore + w.nafter, sizeof(*runs)));
	if (read_runs(&w, runs, &n))
		outcome = compare(&w, runs);
	while (n)
		archive_free(&runs[--n]);
	free(runs);
	return outcome;
}
