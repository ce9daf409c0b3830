/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two settings, some runs of each: what differs?
 *
 * Pure, as the files behind pure.h: integers only, no kernel service, no
 * memory but the caller's.
 */
#ifndef FLASHBENCH_PAIRED_H
#define FLASHBENCH_PAIRED_H

#include "pure.h"

#define FB_PAIRED_UNIT		10000	/* changes are in parts of this */
#define FB_PAIRED_LEAST		200	/* smallest change looked for: 2 % */
#define FB_PAIRED_RUNS		16	/* most runs a side */
#define FB_PAIRED_JUDGED	3	/* fewer a side are indicative only */
#define FB_PAIRED_FULL		5	/* fewer see large changes only */
#define FB_PAIRED_MOST		BIT_ULL(36)	/* longest time, ns */

/**
 * enum fb_change - what a row did
 * @FB_SAME: no difference seen
 * @FB_FASTER: takes less time
 * @FB_SLOWER: takes more
 */
enum fb_change { FB_SAME, FB_FASTER, FB_SLOWER };

/**
 * struct fb_difference - between before and after
 * @before: median, ns
 * @after: the same
 * @shift: from @before to @after, in parts of 10000 of @before, positive if
 *	slower
 * @low: lower end of its interval
 * @high: upper end
 * @change: the verdict
 * @common: it changed as the whole runs did, not on its own
 */
struct fb_difference {
	s64 before;
	s64 after;
	s64 shift;
	s64 low;
	s64 high;
	enum fb_change change;
	bool common;
};

/**
 * struct fb_paired - runs of two settings
 * @nbefore: runs of one, 1 to FB_PAIRED_RUNS
 * @nafter: runs of the other
 * @nrows: what each run measured
 * @interim: more runs will follow: say only what they cannot change
 * @value: ns, 1 to FB_PAIRED_MOST, those of a row together, the runs before
 *	first; used up
 * @scratch: room for as many
 * @rows: gets a difference for each row
 * @whole: gets that of the runs as a whole; its @before and @after are 0
 * @noise: gets the noise of a row, median deviation, parts of 10000
 * @floor: gets the smallest change that is believed of a row, if it is not
 *	a noisier one than others
 */
struct fb_paired {
	u32 nbefore;
	u32 nafter;
	u32 nrows;
	bool interim;
	s64 *value;
	s64 *scratch;
	struct fb_difference *rows;
	struct fb_difference whole;
	s64 noise;
	s64 floor;
};

void fb_paired_judge(struct fb_paired *p);
bool fb_paired_clear(const struct fb_paired *p);
u32 fb_paired_critical(u32 runs);
bool fb_paired_side(u64 seed, u32 run);

/**
 * struct fb_single_row - a row of which there is one run a side
 * @before: ns, 1 to FB_PAIRED_MOST
 * @after: the same
 * @error: of their difference, ns: what samples, or the digits of a table, say
 * @group: rows with equal numbers are next to each other and can move together
 * @residual: scratch: what the row does beyond its group
 * @rank: scratch
 * @alone: neither neighbour in the group changed in the same direction
 * @diff: the difference
 */
struct fb_single_row {
	s64 before;
	s64 after;
	s64 error;
	u32 group;
	s64 residual;
	s64 rank;
	bool alone;
	struct fb_difference diff;
};

/**
 * struct fb_single_group - what the rows of a group do together
 * @nrows: rows in it
 * @up: those that got slower, however little
 * @down: those that got faster
 * @diff: the shift of the group
 */
struct fb_single_group {
	u32 nrows;
	u32 up;
	u32 down;
	struct fb_difference diff;
};

s64 fb_single_judge(struct fb_single_row *rows, u32 nrows,
		    struct fb_single_group *groups, u32 ngroups, s64 *scratch);

#endif
