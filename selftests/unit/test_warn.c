// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the numbers of a run say against its parameters: tables of cards whose
 * erase block is known, with collections and without.
 */
#include "make.h"
#include "tap.h"

#define MIN_BLOCK	16384ull

/**
 * struct flash - what a write takes
 * @erase: the erase block
 * @open: how many can be open
 * @fixed_ns: of a write
 * @byte_ns: of each byte
 * @copy_ns: of each byte that a collection copies
 * @gc_ns: of a collection
 * @small_ns: of a write of 16 KiB or less, in addition
 */
struct flash {
	u64 erase;
	u32 open;
	u64 fixed_ns;
	u64 byte_ns;
	u64 copy_ns;
	u64 gc_ns;
	u64 small_ns;
};

static const struct flash usual = { 4 * MIB, 5, 300000, 100, 50, 20000000 };
static const struct flash fast_copy = { 4 * MIB, 5, 300000, 100, 10, 2000000 };
static const struct flash slow_small = {
	4 * MIB, 32, 300000, 100, 50, 20000000, 110000000
};

static u64 write_ns(const struct flash *f, u64 size, u32 open)
{
	u64 ns = f->fixed_ns + size * f->byte_ns;

	if (size <= MIN_BLOCK)
		ns += f->small_ns;
	/* a write that is no whole number of erase blocks leaves one open */
	if (open > f->open && size % f->erase)
		ns += f->gc_ns + (f->erase - size % f->erase) * f->copy_ns;
	return ns;
}

static const struct knee_case {
	const char *name;
	const struct flash *flash;
	const char *run;
	u32 limit;		/* of auto */
	const char *text;	/* in the warning; NULL: there is none */
} knee_cases[] = {
	{ "right, thrashing", &usual, "open-au open-au-nr=6 erasesize=4M" },
	{ "right, all fit", &usual, "open-au open-au-nr=5 erasesize=4M" },
	{ "right, copying is fast", &fast_copy,
	  "open-au open-au-nr=6 erasesize=4M" },
	{ "right, small writes are dear", &slow_small,
	  "open-au open-au-nr=6 erasesize=4M" },
	{ "small erase block, small writes are dear", &slow_small,
	  "open-au open-au-nr=6 erasesize=256K" },
	{ "too small, all fit", &usual, "open-au open-au-nr=5 erasesize=2M" },
	{ "too large, all fit", &usual, "open-au open-au-nr=5 erasesize=8M" },
	{ "two times too large", &usual, "open-au open-au-nr=6 erasesize=8M",
	  0, "erasesize 8388608 contradicts the table: writes of 4194304 bytes" },
	{ "eight times too large", &usual,
	  "open-au open-au-nr=6 erasesize=32M", 0,
	  "erasesize 33554432 contradicts the table: writes of 4194304 bytes" },
	{ "too large, copying is fast", &fast_copy,
	  "open-au open-au-nr=6 erasesize=8M", 0, "writes of 4194304 bytes" },
	{ "one row", &usual, "open-au open-au-nr=6 erasesize=8M blocksize=8M" },
	{ "two rows", &usual, "open-au open-au-nr=6 erasesize=8M blocksize=4M" },
	{ "auto, right", &usual, "open-au open-au-nr=auto erasesize=4M", 5 },
	{ "auto, too large", &usual, "open-au open-au-nr=auto erasesize=8M", 5,
	  "erasesize 8388608 contradicts the table: writes of 4194304 bytes" },
	{ "auto, too small", &usual, "open-au open-au-nr=auto erasesize=2M", 5,
	  "erasesize 2097152 contradicts the table: with 6 open" },
	{ "auto, another factor", &usual,
	  "open-au open-au-nr=auto erasesize=3M blocksize=48K", 5,
	  "erasesize 3145728 contradicts the table: with 6 open" },
	{ "find-fat knows no limit", &usual, "find-fat erasesize=8M" },
};

static struct fb_stat *table(const struct fb_plan *plan, const struct flash *f)
{
	struct fb_stat *st = calloc(plan->npoints, sizeof(*st));
	u32 point;

	for (point = 0; point < plan->npoints; point++) {
		u32 group = point / plan->group_points;
		u32 open = plan->params.val[FB_KEY_OPEN_AU_NR];

		if (fb_plan_auto(plan))
			open = plan->limit + (group >= plan->ngroups / 2);
		st[point] = (struct fb_stat) {
			.n = 8, .planned = 8, .positions = 8,
			.median = write_ns(f, plan->rows[group], open),
		};
	}
	return st;
}

static void check(const struct fb_plan *plan, const struct fb_stat *st,
		  const char *name, const char *want)
{
	char text[1024];
	int len = fb_warn(plan, st, text, sizeof(text));
	bool ok = len == (want ? (int)strlen(text) : 0);

	if (!len)
		text[0] = '\0';
	/* one line */
	ok &= !want || (!strncmp(text, "# warning: ", 11) &&
			strstr(text, want) && text[len - 1] == '\n' &&
			strchr(text, '\n') == text + len - 1);
	if (!tap_ok(ok, "%s: %s", name, want ? "a warning" : "no warning"))
		tap_diag("got %d, '%s'", len, text);
}

static void test_knee(const struct knee_case *c)
{
	static struct fb_plan plan;
	struct fb_geo geo = whole(64 * GIB, 512);
	char reason[FB_REASON_LEN];
	struct fb_stat *st;

	if (!make_ok(&plan, c->run, &geo) ||
	    (c->limit && fb_plan_set_limit(&plan, c->limit, reason)))
		exit(2);
	st = table(&plan, c->flash);
	check(&plan, st, c->name, c->text);
	/* nothing follows from rows that are not complete */
	st[(plan.ngroups - 1) * plan.group_points].n = 7;
	st[0].n = 7;
	check(&plan, st, c->name, NULL);
	free(st);
}

static void test_repetitions(void)
{
	static const struct {
		const char *run;
		u32 unsteady;	/* cells */
		u64 slowest;	/* when the fastest takes 100 */
		const char *text;
	} cases[] = {
		{ "find-fat erasesize=1M count=2", 42, 200, NULL },
		{ "find-fat erasesize=1M count=2", 42, 201,
		  "erasesize 1048576 may be wrong: repetitions differ by more" },
		{ "find-fat erasesize=1M count=2", 9, 300,
		  "differ by more than 2 times in 9 of 42 cells" },
		{ "find-fat erasesize=1M count=2", 8, 300, NULL },
		{ "align-write erasesize=1M count=2", 9, 300, "may be wrong" },
		{ "align-write count=2", 42, 300, NULL },
		{ "align count=2", 42, 300, NULL },
	};
	static struct fb_plan plan;
	struct fb_geo geo = whole(GIB, 512);
	struct fb_stat *st;
	size_t i;
	u32 k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (!make_ok(&plan, cases[i].run, &geo))
			exit(2);
		st = calloc(plan.npoints, sizeof(*st));
		/* those without repetitions do not count */
		for (k = 0; k < plan.npoints && k < 42; k++) {
			st[k].quickest = 100;
			st[k].slowest = 150;
			if (k < cases[i].unsteady)
				st[k].slowest = cases[i].slowest;
		}
		check(&plan, st, cases[i].run, cases[i].text);
		free(st);
	}
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(knee_cases); i++)
		test_knee(&knee_cases[i]);
	test_repetitions();
	return tap_done();
}
