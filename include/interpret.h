/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a table of the old command says. Pure: see pure.h.
 *
 * For tables that somebody has measured before, with few samples and at
 * places that were not chosen well; the inference of geometry.h asks for what
 * it needs instead.
 */
#ifndef FLASHBENCH_INTERPRET_H
#define FLASHBENCH_INTERPRET_H

#include "geometry.h"

#define FB_MAX_REPEATS	8	/* most times one cell was measured */

/**
 * struct fb_align_row - three times round the multiples of a size
 * @align: the size, bytes
 * @pre: of what ends there, ns
 * @on: of what lies across
 * @post: of what begins there
 */
struct fb_align_row {
	u64 align;
	s64 pre;
	s64 on;
	s64 post;
};

/**
 * struct fb_open_row - rates with some erase blocks open
 * @nr: how many
 * @block: bytes of each write
 * @n: times it was measured
 * @rate: bytes per second
 */
struct fb_open_row {
	u32 nr;
	u64 block;
	u32 n;
	u64 rate[FB_MAX_REPEATS];
};

/**
 * struct fb_fat_row - rates of the first erase blocks
 * @block: bytes of each write
 * @n: erase blocks
 * @rate: bytes per second
 */
struct fb_fat_row {
	u64 block;
	u32 n;
	u64 rate[FB_MAX_COLUMNS];
};

/**
 * enum fb_table_why - why a table does not tell
 * @FB_TABLE_TELLS: it does
 * @FB_TABLE_FEW_ROWS: fewer than 5 sizes from 64 KiB up
 * @FB_TABLE_NO_STEP: none that stands out from its surroundings
 * @FB_TABLE_WEAK: there is one, but too much speaks against it
 * @FB_TABLE_ONE_NUMBER: one number of open erase blocks only, or none
 * @FB_TABLE_UNSTABLE: repeats differ: a wrong erase block, or unstable state
 */
enum fb_table_why {
	FB_TABLE_TELLS,
	FB_TABLE_FEW_ROWS,
	FB_TABLE_NO_STEP,
	FB_TABLE_WEAK,
	FB_TABLE_ONE_NUMBER,
	FB_TABLE_UNSTABLE,
};

/* From so many per mille on a table of one chain tells something, if little */
#define FB_TABLE_LOW	700

/**
 * struct fb_align_answer - what an align table says
 * @erase: erase block, bytes; a candidate if @why is not FB_TABLE_TELLS; 0:
 *	not even that
 * @confidence: per mille
 * @odd_open: the table has no sizes of 3 * 2^k, so that the erase block may as
 *	well be an odd multiple of @erase
 * @super_page: multi-plane page, bytes; 0: not seen
 * @page: bytes, if it is smaller than that; 0: not seen
 * @why: of the erase block
 */
struct fb_align_answer {
	u64 erase;
	u32 confidence;
	bool odd_open;
	u64 super_page;
	u64 page;
	enum fb_table_why why;
};

/**
 * enum fb_open_kind - what became of more and more open erase blocks
 * @FB_OPEN_UNKNOWN: cannot be told
 * @FB_OPEN_LIMIT: a sharp limit
 * @FB_OPEN_BELOW: the smallest number is too many
 * @FB_OPEN_NO_LIMIT: none found
 */
enum fb_open_kind {
	FB_OPEN_UNKNOWN,
	FB_OPEN_LIMIT,
	FB_OPEN_BELOW,
	FB_OPEN_NO_LIMIT,
};

/**
 * struct fb_open_answer - what an open-au table says
 * @kind: all that follows depends on it
 * @fits: so many can be open, for all that the table shows
 * @thrashes: so many cannot; 0: the table has no such number. The limit is
 *	exact if it is one more than @fits
 * @decline: how much slower the largest number is than the smallest, per cent
 * @step: the largest such factor from one number to the next, from 2 on, per
 *	cent
 * @gradual: a decline without a limit, as of a log-structured card
 * @repeated: cells measured more than once
 * @unstable: of these, how many differ by a factor of more than 2
 * @why: if @kind is FB_OPEN_UNKNOWN
 */
struct fb_open_answer {
	enum fb_open_kind kind;
	u32 fits;
	u32 thrashes;
	u32 decline;
	u32 step;
	bool gradual;
	u32 repeated;
	u32 unstable;
	enum fb_table_why why;
};

void fb_interpret_align(const struct fb_align_row *row, u32 n,
			struct fb_align_answer *a);
void fb_interpret_open(const struct fb_open_row *row, u32 n, u64 erase,
		       struct fb_open_answer *a);
u64 fb_interpret_fat(const struct fb_fat_row *row, u32 n, u64 erase);

#endif
