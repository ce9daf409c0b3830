/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two settings, measured in turn.
 */
#ifndef FLASHBENCH_AB_H
#define FLASHBENCH_AB_H

#include "comparison.h"

/**
 * struct ab - two settings to compare
 * @pairs: most runs of each, up to FB_PAIRED_RUNS
 * @seed: of their order
 * @early: stop when more runs would not change the answer
 * @same: measure the first setting on both sides: to see whether a difference
 *	is found where none is
 * @run: measures once; @b: with the second setting. Returns false after a
 *	complaint
 * @ctx: for @run
 * @runs: filled: all runs, those of one side together; a comparison points to
 *	them
 * @n: filled: how many
 */
struct ab {
	u32 pairs;
	u64 seed;
	bool early;
	bool same;
	bool (*run)(void *ctx, bool b, struct archive *a);
	void *ctx;
	struct archive runs[2 * FB_PAIRED_RUNS];
	u32 n;
};

bool ab_measure(struct ab *ab, struct comparison *c, bool *found);
void ab_free(struct ab *ab);

bool ab_setting(const char *command);

#endif
