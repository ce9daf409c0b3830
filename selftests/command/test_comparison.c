// SPDX-License-Identifier: GPL-2.0-only
/*
 * comparison.c: on two cases that people had, with their tables from
 * selftests/cards/published, and on small results of our own.
 */
#include <stdlib.h>

#include "comparison.h"
#include "tap.h"

#define MOST_CELLS	256
#define TABLES		"../cards/published/"

/* A run in memory: a result of one kind, and perhaps one of another */
struct run {
	struct result results[2];
	struct cell cells[2][MOST_CELLS];
};

static struct run memory[2 * FB_PAIRED_RUNS];
static struct archive runs[2 * FB_PAIRED_RUNS];

static struct result *start_result(u32 run, enum result_kind kind, bool exact)
{
	struct archive *a = &runs[run];
	struct result *r = &memory[run].results[a->n];

	a->results = memory[run].results;
	*r = (struct result) {
		.kind = kind, .exact = exact, .header = "",
		.cells = memory[run].cells[a->n++],
	};
	return r;
}

static void start_runs(void)
{
	memset(runs, 0, sizeof(runs));
}

static void add_cell(struct result *r, u64 size, u32 column, s64 ns, u32 n,
		     s64 spread)
{
	bool writes = r->kind == RESULT_ALIGN_WRITE || r->kind == RESULT_OPEN_AU;

	r->cells[r->ncells++] = (struct cell) {
		.size = size, .column = column, .n = n, .spread = spread,
		.opcode = writes ? FB_WRITE : FB_READ, .min = ns,
		.median = ns, .mean = ns, .p99 = ns, .max = ns,
	};
}

static void add_row(struct result *r, const char *line)
{
	u64 v[4];

	if (sscanf(line, "%llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3]) < 3)
		return;
	if (r->kind == RESULT_OPEN_AU) {
		add_cell(r, v[1], v[0], v[1] * NSEC_PER_SEC / v[2], 0, 0);
		return;
	}
	add_cell(r, v[0], 0, v[1], 0, 0);
	add_cell(r, v[0], 1, v[2], 0, 0);
	add_cell(r, v[0], 2, v[3], 0, 0);
}

/* The sections of a published table that are one run */
static void load(u32 run, const char *card, const char *name)
{
	char path[256], line[512], word[64];
	struct result *r = NULL;
	FILE *f;

	snprintf(path, sizeof(path), TABLES "%s.table", card);
	snprintf(word, sizeof(word), "run=%s", name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (*line == '[' && strstr(line, word))
			r = start_result(run, strstr(line, "[openau]") ?
					 RESULT_OPEN_AU : strstr(line, "write") ?
					 RESULT_ALIGN_WRITE : RESULT_ALIGN, false);
		else if (*line == '[')
			r = NULL;
		else if (r && *line != '#')
			add_row(r, line);
	}
	if (f)
		fclose(f);
	tap_ok(runs[run].n && runs[run].results[0].ncells, "%s, %s: %zu rows",
	       card, name, runs[run].n ? runs[run].results[0].ncells : 0);
}

static const struct compared_row *find_row(const struct comparison *c,
					   enum result_kind kind, u64 size,
					   u32 column)
{
	u32 i;

	for (i = 0; i < c->nrows; i++)
		if (c->rows[i].result->kind == kind &&
		    c->rows[i].cell->size == size &&
		    c->rows[i].cell->column == column)
			return &c->rows[i];
	return NULL;
}

/* Writes across 8 and 16 KiB 16 times faster, across others 5 % slower */
static void test_motorola(void)
{
	bool found;
	const struct compared_row *at8, *at16, *at64;
	const struct fb_single_group *g;
	struct change_count n;
	struct comparison c;

	start_runs();
	load(0, "motorola-emmc-writealign", "no_split");
	load(1, "motorola-emmc-writealign", "split_at_8192");
	found = compare_archives(&c, runs, 1, 1, false);
	tap_ok(found && c.nrows == 39, "39 rows in common: %u", c.nrows);
	at8 = find_row(&c, RESULT_ALIGN_WRITE, 8192, 1);
	at16 = find_row(&c, RESULT_ALIGN_WRITE, 16384, 1);
	at64 = find_row(&c, RESULT_ALIGN_WRITE, 65536, 1);
	n = comparison_count(&c, RESULT_ALIGN_WRITE);
	tap_ok(n.faster == 2 && !n.slower && !n.alone,
	       "two rows faster, side by side: %u, %u slower, %u alone",
	       n.faster, n.slower, n.alone);
	tap_ok(at8->diff.change == FB_FASTER && at8->diff.shift == -9434 &&
	       at16->diff.change == FB_FASTER &&
	       at16->diff.before / at16->diff.after == 15,
	       "those at 8 and 16 KiB, 17 and 16 times");
	g = &c.groups[at64->group];
	tap_ok(g->diff.change == FB_SLOWER && g->diff.shift > 400 &&
	       g->diff.shift < 600, "the others about 5 %% slower: %lld",
	       g->diff.shift);
	tap_ok(at64->diff.change == FB_SLOWER && at64->diff.common,
	       "a row of them is said to be slower with its group");
	tap_ok(comparison_steady(&c, RESULT_ALIGN_WRITE) && !c.judged,
	       "a steady change, indicative");
	comparison_free(&c);
}

/* Only what is written first is slower: no matter of the kernel */
static void test_sandisk(void)
{
	struct change_count n;
	struct comparison c;
	bool found;
	u32 i;

	start_runs();
	load(0, "sandisk-2g-class2", "before");
	load(1, "sandisk-2g-class2", "after");
	found = compare_archives(&c, runs, 1, 1, false);
	tap_ok(found && c.nrows == 67, "67 rows in common: %u", c.nrows);
	n = comparison_count(&c, RESULT_OPEN_AU);
	tap_ok(n.slower == 2 && !n.faster && n.alone == 2 && n.first == 2,
	       "writes: two rows slower, each alone, each the first: %u %u %u %u",
	       n.slower, n.faster, n.alone, n.first);
	tap_ok(!comparison_steady(&c, RESULT_OPEN_AU), "no steady change");
	n = comparison_count(&c, RESULT_ALIGN);
	tap_ok(n.faster + n.slower == n.alone,
	       "reads: no two rows side by side differ");
	for (i = 0, n.common = 0; i < c.ngroups; i++)
		n.common += c.groups[i].diff.change == FB_SLOWER &&
			    c.groups[i].diff.shift >= 230 &&
			    c.groups[i].diff.shift <= 430;
	tap_ok(n.common == 3, "but before, across and behind are all 2 to 4 %% slower: %u",
	       n.common);
	comparison_free(&c);
}

/* Three runs a side of the same, the middle row of the second 30 % slower */
static void test_runs(void)
{
	struct comparison c;
	u32 run, i;

	start_runs();
	for (run = 0; run < 6; run++) {
		struct result *r = start_result(run, RESULT_INTERVAL, true);

		for (i = 0; i < 9; i++)
			add_cell(r, 4096ULL << i, 0, (1000000 << i / 2) +
				 1000 * run + (run >= 3 && i == 4 ? 1200000 : 0),
				 8, 1000);
	}
	compare_archives(&c, runs, 3, 3, false);
	tap_ok(c.judged && c.nrows == 9 && c.whole.change == FB_SAME &&
	       comparison_count(&c, NR_RESULT_KINDS).slower == 1 &&
	       find_row(&c, RESULT_INTERVAL, 4096 << 4, 0)->diff.change ==
	       FB_SLOWER, "three runs a side: one row of nine");
	comparison_free(&c);

	compare_archives(&c, runs, 2, 2, false);
	tap_ok(!c.judged, "two runs a side are indicative");
	comparison_free(&c);
}

/* All rows 40 % slower: the numbers of rows, group and whole are the same */
static void test_all_rows(void)
{
	struct comparison c;
	u32 run, i;

	start_runs();
	for (run = 0; run < 6; run++) {
		struct result *r = start_result(run, RESULT_SCATTER, true);

		for (i = 0; i < 9; i++)
			add_cell(r, 65536 * i, 0, run >= 3 ? 1400000 : 1000000,
				 8, 1000);
	}
	compare_archives(&c, runs, 3, 3, false);
	tap_ok(c.whole.change == FB_SLOWER && c.whole.shift >= 3995 &&
	       c.whole.shift <= 4005 && c.whole.low == c.whole.high,
	       "three runs a side: the whole 40 %% slower: %lld",
	       c.whole.shift);
	tap_ok(c.rows[4].diff.common && c.rows[4].diff.shift >= 3995 &&
	       c.rows[4].diff.shift <= 4005, "as its rows: %lld",
	       c.rows[4].diff.shift);
	comparison_free(&c);

	runs[1] = runs[3];
	compare_archives(&c, runs, 1, 1, false);
	tap_ok(c.groups[0].diff.change == FB_SLOWER &&
	       c.groups[0].diff.shift >= 3995 &&
	       c.groups[0].diff.shift <= 4005,
	       "one run a side: the group 40 %% slower: %lld",
	       c.groups[0].diff.shift);
	tap_ok(c.rows[4].diff.common && c.rows[4].diff.shift == 4000,
	       "as its rows: %lld", c.rows[4].diff.shift);
	comparison_free(&c);
}

static bool has_line(const struct lines *lines, const char *text)
{
	size_t i;

	for (i = 0; i < lines->n; i++)
		if (!strcmp(lines->line[i], text))
			return true;
	return false;
}

static void test_missing(void)
{
	struct comparison c;
	struct result *r;

	start_runs();
	r = start_result(0, RESULT_OPEN_AU, false);
	add_cell(r, 1 << 20, 2, 1000000, 0, 0);
	add_cell(r, 1 << 19, 2, 1000000, 0, 0);
	r = start_result(1, RESULT_OPEN_AU, false);
	add_cell(r, 1 << 19, 2, 1000000, 0, 0);
	add_cell(r, 1 << 18, 3, 1000000, 0, 0);
	add_cell(r, 1 << 17, 3, 0, 0, 0);
	r = start_result(1, RESULT_SCATTER, true);
	add_cell(r, 3 << 19, 0, 1000000, 0, 0);
	tap_ok(compare_archives(&c, runs, 1, 1, false) && c.nrows == 1,
	       "one row in common");
	tap_ok(c.missing.n == 3, "three that are not: %zu", c.missing.n);
	tap_ok(has_line(&c.missing, "open-au 1MiB, 2 open: only before"),
	       "the first only before");
	tap_ok(has_line(&c.missing, "open-au 256KiB, 3 open: only after"),
	       "one only after");
	comparison_free(&c);

	runs[0].results->kind = RESULT_FIND_FAT;
	tap_ok(!compare_archives(&c, runs, 1, 1, false),
	       "results with nothing in common");
	comparison_free(&c);
}

static const struct {
	const char *what;
	const char *before;
	const char *after;
	const char *warning;
	const char *note;
} header_cases[] = {
	{ "the same",
	  "target: mmcblk0 179:0 1000 bytes, SD a\nrun: align count=8\n",
	  "target: mmcblk0 179:0 1000 bytes, SD a\nrun: align count=8\n" },
	{ "another name for it",
	  "target: mmcblk0 179:0 1000 bytes, SD a\n",
	  "target: mmcblk1 179:8 1000 bytes, SD a\n" },
	{ "another card",
	  "target: mmcblk0 179:0 1000 bytes, SD a\n",
	  "target: mmcblk0 179:0 1000 bytes, SD b\n",
	  "not the same card: 1000 bytes, SD a before, 1000 bytes, SD b after" },
	{ "another schedule", "run: align count=8 seed=1\n",
	  "run: align count=16 seed=1\n",
	  "not the same schedule: count=8 before, count=16 after" },
	{ "a flag more", "run: align count=8\n", "run: align count=8 fua\n",
	  "not the same schedule: nothing before, fua after" },
	{ "another range", "range: 0+1000\n", "range: 0+2000\n",
	  "range: 0+1000 before, 0+2000 after" },
	{ "another kernel", "kernel: 6.1 x\n", "kernel: 6.12 x\n", NULL,
	  "kernel: 6.1 x before, 6.12 x after" },
	{ "other limits", "limits: max_sectors=8 depth=64\n",
	  "limits: max_sectors=16 depth=64\n", NULL,
	  "limits: max_sectors=8 before, max_sectors=16 after" },
	{ "a truncated one", "", "warning: truncated, budget\n",
	  "truncated, budget" },
};

static void test_header(unsigned int i)
{
	struct comparison c;
	struct result *r;
	bool right;

	start_runs();
	r = start_result(0, RESULT_ALIGN, true);
	add_cell(r, 1 << 20, 2, 1000000, 8, 0);
	r->header = (char *)header_cases[i].before;
	r = start_result(1, RESULT_ALIGN, true);
	add_cell(r, 1 << 20, 2, 1000000, 8, 0);
	r->header = (char *)header_cases[i].after;
	compare_archives(&c, runs, 1, 1, false);
	right = c.warnings.n == !!header_cases[i].warning &&
		c.notes.n == !!header_cases[i].note;
	if (right && c.warnings.n)
		right = !strcmp(c.warnings.line[0], header_cases[i].warning);
	if (right && c.notes.n)
		right = !strcmp(c.notes.line[0], header_cases[i].note);
	if (!tap_ok(right, "header: %s", header_cases[i].what))
		tap_diag("%s", c.warnings.n ? c.warnings.line[0] :
			 c.notes.n ? c.notes.line[0] : "nothing");
	comparison_free(&c);
}

static void test_tables(void)
{
	struct comparison c;
	struct result *r;

	start_runs();
	r = start_result(0, RESULT_ALIGN, false);
	r->blocksize = 1024;
	add_cell(r, 1 << 20, 2, 1000000, 0, 0);
	r = start_result(1, RESULT_ALIGN, true);
	r->blocksize = 2048;
	add_cell(r, 1 << 20, 2, 1000000, 8, 0);
	compare_archives(&c, runs, 1, 1, false);
	tap_ok(c.warnings.n == 2 &&
	       has_line(&c.warnings, "blocksize: 1KiB before, 2KiB after"),
	       "a table against a file: two warnings");
	comparison_free(&c);
}

int main(void)
{
	unsigned int i;

	test_motorola();
	test_sandisk();
	test_runs();
	test_all_rows();
	test_missing();
	for (i = 0; i < ARRAY_SIZE(header_cases); i++)
		test_header(i);
	test_tables();
	return tap_done();
}
