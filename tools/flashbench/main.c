// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench: identify the characteristics of flash media.
 *
 * The first word chooses: a subcommand, or else the options of the old command
 * of this name.
 */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "pure.h"

static const struct command commands[] = {
	{ "geometry", "say what a card is: erase block, pages, limits",
	  command_geometry },
	{ "run", "run one test of the module and print its table",
	  command_run },
	{ "analyze", "say what saved or posted tables tell of a card",
	  command_analyze },
	{ "compare", "what differs between two results", command_compare },
	{ "ab", "compare two settings by runs in turn", command_ab },
	{ "plot", "draw results with gnuplot", command_plot },
	{ "report", "measure a card and write a page about it",
	  command_report },
};

static void print_help(void)
{
	size_t i;

	printf("usage: flashbench COMMAND [OPTION]... [ARGUMENT]...\n"
	       "   or: flashbench [OPTION]... DEVICE, as it was in 2011\n\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-10s%s\n", commands[i].name, commands[i].summary);
	printf("\nflashbench COMMAND --help tells more; flashbench -a --help "
	       "of the old options.\n");
}

static enum outcome run(int argc, char **argv)
{
	size_t i;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		print_help();
		return OUTCOME_ANSWER;
	}
	for (i = 0; argc > 1 && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return command_old(argc, argv);
}

int main(int argc, char **argv)
{
	enum outcome outcome = run(argc, argv);

	/* an answer that nobody got is none; who failed has said why */
	if (!fflush(stdout) && !ferror(stdout))
		return outcome;
	if (outcome != OUTCOME_FAILURE)
		complain("stdout: %s", strerror(errno));
	return OUTCOME_FAILURE;
}
