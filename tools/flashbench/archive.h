/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results in memory, wherever they come from: the module's .tsv files, tables
 * of the old command, tables as people post them.
 */
#ifndef FLASHBENCH_ARCHIVE_H
#define FLASHBENCH_ARCHIVE_H

#include "geometry.h"

/**
 * enum result_kind - what was measured
 * @RESULT_ALIGN: struct cell: @size is align_bytes, @column 0 pre, 1 on, 2 post
 * @RESULT_ALIGN_WRITE: the same
 * @RESULT_OPEN_AU: @size is block_bytes, @column the number of erase blocks
 *	open at once
 * @RESULT_FIND_FAT: @size is block_bytes, @column the erase block, from 0
 * @RESULT_SCATTER: @size is offset_bytes
 * @RESULT_INTERVAL: @size is length_bytes
 * @RESULT_GEOMETRY: no cells, but verdicts
 * @NR_RESULT_KINDS: their number
 */
enum result_kind {
	RESULT_ALIGN,
	RESULT_ALIGN_WRITE,
	RESULT_OPEN_AU,
	RESULT_FIND_FAT,
	RESULT_SCATTER,
	RESULT_INTERVAL,
	RESULT_GEOMETRY,
	NR_RESULT_KINDS
};

/**
 * struct cell - one measured point
 * @size: bytes, see enum result_kind
 * @column: see enum result_kind
 * @opcode: what was timed
 * @n: samples; 0: a table for people, which has one number for each point
 * @min: ns, like all that follow. Without samples all of them are the one
 *	number, and @spread is 0
 * @median: the middle one
 * @mean: mean
 * @p99: 99 % are not above it
 * @max: the largest
 * @spread: median absolute deviation from the median
 *
 * A rate r of a classic table is the time size * 10^9 / r of one write.
 */
struct cell {
	u64 size;
	u32 column;
	enum fb_opcode opcode;
	u32 n;
	s64 min;
	s64 median;
	s64 mean;
	s64 p99;
	s64 max;
	s64 spread;
};

/**
 * struct result - one run of one test
 * @kind: the test
 * @exact: from a .tsv file, else from a table, whose numbers are rounded
 * @header: the header lines without "# ", NUL terminated, "" if there are none
 * @blocksize: bytes; 0: not said
 * @erasesize: bytes; 0: not said
 * @random: writes in random order
 * @cells: what was measured, in the order of the file
 * @ncells: how many
 * @verdicts: the lines of a geometry result, NULL for other kinds
 */
struct result {
	enum result_kind kind;
	bool exact;
	char *header;
	u64 blocksize;
	u64 erasesize;
	bool random;
	struct cell *cells;
	size_t ncells;
	char *verdicts;
};

/**
 * struct archive - the results in a file
 * @results: in the order of the file
 * @n: how many
 */
struct archive {
	struct result *results;
	size_t n;
};

int archive_read(const char *path, struct archive *a);
int archive_parse(const char *name, char *text, struct archive *a);
void archive_free(struct archive *a);

const char *result_name(enum result_kind kind);
char *result_header(const struct result *r, const char *key);
const struct cell *result_find(const struct result *r, u64 size, u32 column,
			       enum fb_opcode opcode);

#endif
