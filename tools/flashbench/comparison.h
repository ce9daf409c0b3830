/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of two settings, row by row.
 */
#ifndef FLASHBENCH_COMPARISON_H
#define FLASHBENCH_COMPARISON_H

#include <jansson.h>

#include "archive.h"
#include "paired.h"

#define COMPARISON_NAME	80

/**
 * struct compared_row - a row that all runs have
 * @result: what it is part of, in the first run
 * @cell: the row there
 * @copy: how many rows of the same name there were before it
 * @group: index of its group
 * @first: the first row of its group, measured first
 * @alone: it changed, and the rows beside it did not; of single runs only
 * @diff: how it differs
 */
struct compared_row {
	const struct result *result;
	const struct cell *cell;
	u32 copy;
	u32 group;
	bool first;
	bool alone;
	struct fb_difference diff;
};

/**
 * struct lines - lines of text
 * @line: each allocated
 * @n: how many
 */
struct lines {
	char **line;
	size_t n;
};

/**
 * struct comparison - what differs between two settings
 * @nbefore: runs of one
 * @nafter: runs of the other
 * @judged: enough runs a side for a verdict; else all is indicative
 * @rows: those of a group together, groups in the order of the first run
 * @nrows: how many
 * @groups: rows that can move together; of single runs only
 * @ngroups: how many
 * @whole: how the runs as a whole differ, if @judged
 * @floor: for each test, the smallest difference of a row that is believed,
 *	1/10000
 * @clear: more runs would not change the answer, if it was asked for
 * @missing: rows that not all runs have
 * @warnings: why the two may not be comparable
 * @notes: what differs and may come from the kernel
 */
struct comparison {
	u32 nbefore;
	u32 nafter;
	bool judged;
	struct compared_row *rows;
	u32 nrows;
	struct fb_single_group *groups;
	u32 ngroups;
	struct fb_difference whole;
	s64 floor[NR_RESULT_KINDS];
	bool clear;
	struct lines missing;
	struct lines warnings;
	struct lines notes;
};

/**
 * struct change_count - rows by verdict
 * @rows: all
 * @faster: on their own
 * @slower: on their own
 * @common: with their group, or with the whole
 * @alone: of those on their own, those that stand alone
 * @first: of those that stand alone, those that were measured first
 */
struct change_count {
	u32 rows;
	u32 faster;
	u32 slower;
	u32 common;
	u32 alone;
	u32 first;
};

bool compare_archives(struct comparison *c, const struct archive *runs,
		      u32 nbefore, u32 nafter, bool interim);
void comparison_free(struct comparison *c);

struct change_count comparison_count(const struct comparison *c,
				     enum result_kind kind);
bool comparison_has(const struct comparison *c, enum result_kind kind);
bool comparison_steady(const struct comparison *c, enum result_kind kind);
bool comparison_tells(const struct comparison *c, enum result_kind kind);
void compared_name(const struct compared_row *row, char *buf, size_t size);
void compared_group_name(const struct compared_row *row, char *buf,
			 size_t size);

void comparison_warn(struct comparison *c, const struct archive *runs,
		     u32 nruns);
void lines_add(struct lines *lines, const char *fmt, ...)
	__attribute__((__format__(printf, 2, 3)));

void comparison_print(const struct comparison *c, bool all);
json_t *comparison_json(const struct comparison *c);

#endif
