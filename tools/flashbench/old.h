/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command lines of 2011.
 */
#ifndef FLASHBENCH_OLD_H
#define FLASHBENCH_OLD_H

#include "pure.h"
#include "setup.h"

#define OLD_MAX_TESTS	6

/**
 * struct old - what a command line wants
 * @setup: of which device, and whether it may be written to
 * @n: number of tests
 * @test: these
 * @line: what runs each of them in the module
 * @blocksize: bytes
 * @writes: one of them does
 * @verbose: with the header
 * @output: file, NULL: stdout
 */
struct old {
	struct setup setup;
	unsigned int n;
	const struct fb_test *test[OLD_MAX_TESTS];
	char line[OLD_MAX_TESTS][FB_LINE_LEN];
	u64 blocksize;
	bool writes;
	bool verbose;
	const char *output;
};

int old_parse(int argc, char **argv, struct old *old);

#endif
