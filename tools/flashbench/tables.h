/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as tables for people, whatever they are printed on.
 */
#ifndef FLASHBENCH_TABLES_H
#define FLASHBENCH_TABLES_H

#include "archive.h"

#define TABLE_COLUMNS	(FB_MAX_COLUMNS + 1)
#define TABLE_CELL	32

/**
 * struct table_row - a line of a table
 * @cell: its words; "" where there is nothing
 */
struct table_row {
	char cell[TABLE_COLUMNS][TABLE_CELL];
};

/**
 * struct table - a table
 * @caption: what is in it
 * @columns: how many
 * @rows: the first one has the names of the columns
 * @n: how many rows
 */
struct table {
	const char *caption;
	size_t columns;
	struct table_row *rows;
	size_t n;
};

bool table_of_result(const struct result *r, struct table *t);
void table_free(struct table *t);

#endif
