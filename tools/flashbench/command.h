/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands, and what all of them share.
 */
#ifndef FLASHBENCH_COMMAND_H
#define FLASHBENCH_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/**
 * enum outcome - the exit status
 * @OUTCOME_ANSWER: what was asked has been answered
 * @OUTCOME_FAILURE: something failed, and stderr says what
 * @OUTCOME_USAGE: the command line is wrong
 * @OUTCOME_CANNOT_TELL: everything worked, and there is no answer
 */
enum outcome {
	OUTCOME_ANSWER,
	OUTCOME_FAILURE,
	OUTCOME_USAGE,
	OUTCOME_CANNOT_TELL,
};

/**
 * struct command - a subcommand
 * @name: first word after the program's name
 * @summary: what it does, one line
 * @run: takes the words from @name on, as main() does
 */
struct command {
	const char *name;
	const char *summary;
	enum outcome (*run)(int argc, char **argv);
};

enum outcome command_geometry(int argc, char **argv);
enum outcome command_run(int argc, char **argv);
enum outcome command_analyze(int argc, char **argv);
enum outcome command_compare(int argc, char **argv);
enum outcome command_ab(int argc, char **argv);
enum outcome command_plot(int argc, char **argv);
enum outcome command_report(int argc, char **argv);
enum outcome command_old(int argc, char **argv);

void complain(const char *fmt, ...) __attribute__((__format__(printf, 1, 2)));
void *need_memory(void *p);

#endif
