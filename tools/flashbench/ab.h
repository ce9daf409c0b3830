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
 */
struct ab {
	u32 pairs;
	u64 seed;
	bool early;
	bool same;
	bool (*run)(void *ctx, bool b, struct archive *a);
	void *ctx;
};

bool ab_measure(const struct ab *ab, struct comparison *c, bool *found);

#endif
