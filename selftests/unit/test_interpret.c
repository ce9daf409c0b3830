// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table interpreter on tables that were published: selftests/cards/. The
 * argument is the directory of the tables.
 */
#include "interpret.h"
#include "tap.h"

#define MAX_ROWS	200

/**
 * struct align_case - an align table and what it says
 * @card: file
 * @nth: which align table of it, from 1
 * @erase: erase block; 0: unknown
 * @confidence: per mille, if known
 * @odd_open: sizes of 3 * 2^k are missing
 * @super_page: multi-plane page, or the only structure below the erase block
 * @page: page below it
 */
static const struct align_case {
	const char *card;
	u32 nth;
	u64 erase;
	u32 confidence;
	bool odd_open;
	u64 super_page;
	u64 page;
} align_cases[] = {
	{ "readme-4m", 1, 4 << 20, 790, true, 16 << 10, 8 << 10 },
	{ "sandisk-sd04g-4g", 1, 512 << 10, 790, true, 8 << 10, 4 << 10 },
	{ "sandisk-sd04g-4g", 2, 1536 << 10, 840, false, 24 << 10 },
	{ "sandisk-sd04g-4g", 3, 1536 << 10, 840, false, 24 << 10 },
	{ "sandisk-sd04g-4g", 4, 1536 << 10, 940, false, 24 << 10, 4 << 10 },
	{ "sandisk-2g-class2", 1, 1 << 20, 790, true, 8 << 10 },
	{ "sandisk-2g-class2", 2, 1 << 20, 790, true, 16 << 10, 8 << 10 },
	{ "lexar-cf-16g", 1, 16 << 20, 790, true, 32 << 10, 16 << 10 },
	{ "motorola-emmc-writealign", 1, 0, 0, false, 8 << 10 },
	{ "motorola-emmc-writealign", 2, 0, 0, false, 8 << 10 },
	{ "sandisk-8g-class2", 1, 0 },
	{ "samsung-0x1b-sdinfo", 1, 0, 0, false, 16 << 10 },
	{ "intel-600p-nvme", 1, 0 },
	{ "sandisk-sl16g-ultra", 1, 8 << 20, 700, true },
};

/**
 * struct open_case - an open-au table and what it says
 * @card: file
 * @nth: which open-au table of it, from 1
 * @kind: enum fb_open_kind
 * @fits: largest number that can be open
 * @thrashes: smallest number that cannot
 * @decline: per cent, if there is no limit and a gradual decline; 0: none
 * @step: largest step of it, per cent; 0: any
 * @unstable: cells whose repeats differ by more than 2; 0: any
 * @why: if unknown
 */
static const struct open_case {
	const char *card;
	u32 nth;
	enum fb_open_kind kind;
	u32 fits;
	u32 thrashes;
	u32 decline;
	u32 step;
	u32 unstable;
	enum fb_table_why why;
} open_cases[] = {
	{ "readme-4m", 1, FB_OPEN_LIMIT, 2, 3 },
	{ "sandisk-sd04g-4g", 1, FB_OPEN_UNKNOWN, .unstable = 17,
	  .why = FB_TABLE_UNSTABLE },
	{ "sandisk-sd04g-4g", 2, FB_OPEN_UNKNOWN, .unstable = 17,
	  .why = FB_TABLE_UNSTABLE },
	{ "sandisk-sd04g-4g", 3, FB_OPEN_NO_LIMIT, 10, 0, 531 },
	{ "sandisk-sd04g-4g", 4, FB_OPEN_NO_LIMIT, 10, 0, 213 },
	{ "sandisk-sd04g-4g", 5, FB_OPEN_NO_LIMIT, 256, 0, 265, 136 },
	{ "sandisk-2g-class2", 1, FB_OPEN_LIMIT, 2, 3 },
	{ "sandisk-2g-class2", 2, FB_OPEN_LIMIT, 2, 3 },
	{ "lexar-cf-16g", 1, FB_OPEN_LIMIT, 11, 12 },
	{ "lexar-cf-16g", 2, FB_OPEN_LIMIT, 11, 12 },
	{ "lexar-cf-16g", 3, FB_OPEN_UNKNOWN, .why = FB_TABLE_ONE_NUMBER },
	{ "sandisk-8g-class2", 1, FB_OPEN_NO_LIMIT, 8, 0, 245 },
	{ "sandisk-8g-class2", 2, FB_OPEN_NO_LIMIT, 8, 0, 212 },
	{ "samsung-0x1b-sdinfo", 1, FB_OPEN_BELOW, 0, 5 },
};

static const struct fat_case {
	const char *card;
	u64 mask;
} fat_cases[] = {
	{ "sandisk-sd04g-4g", 0 },
	{ "lexar-cf-16g", 0 },
};

static const char *tables;
static struct fb_align_row align[MAX_ROWS];
static struct fb_open_row open[MAX_ROWS];
static struct fb_fat_row fat[MAX_ROWS];

/* The numbers of a line; returns how many */
static u32 numbers(const char *line, u64 *v, u32 most)
{
	u32 n = 0;
	char *end;

	while (n < most) {
		s64 x = strtoll(line, &end, 10);

		if (end == line)
			break;
		v[n++] = x;
		line = end;
	}
	return n;
}

static void keep(u32 row, const u64 *v, u32 n)
{
	align[row] = (struct fb_align_row) { v[0], v[1], v[2], v[3] };
	open[row] = (struct fb_open_row) {
		.nr = v[0], .block = v[1], .n = n > 2 ? n - 2 : 0,
	};
	memcpy(open[row].rate, v + 2, sizeof(open[row].rate));
	fat[row] = (struct fb_fat_row) { .block = v[0], .n = n - 1 };
	memcpy(fat[row].rate, v + 1, (n - 1) * sizeof(*v));
}

/* Section @nth that begins with "[@kind]", as rows; returns how many */
static u32 load(const char *card, const char *kind, u32 nth, u64 *erase)
{
	u64 v[FB_MAX_COLUMNS] = { 0 };
	char path[256], line[512];
	const char *at;
	bool mine = false;
	u32 rows = 0, n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.table", tables, card);
	f = fopen(path, "r");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f) && rows < MAX_ROWS) {
		if (*line == '[') {
			mine = !strncmp(line + 1, kind, strlen(kind)) && !--nth;
			at = strstr(line, "erasesize=");
			if (mine && at)
				*erase = strtoull(at + 10, NULL, 10);
		}
		if (!mine || *line < '0' || *line > '9')
			continue;
		n = numbers(line, v, min_t(u32, ARRAY_SIZE(v), 10));
		keep(rows++, v, n);
	}
	fclose(f);
	return rows;
}

static void test_align(const struct align_case *c)
{
	struct fb_align_answer a;
	u64 erase = 0;
	u32 n = load(c->card, "align", c->nth, &erase);
	bool good;

	fb_interpret_align(align, n, &a);
	if (c->erase)
		good = a.why == FB_TABLE_TELLS && a.erase == c->erase &&
		       a.confidence == c->confidence &&
		       a.odd_open == c->odd_open;
	else
		good = a.why != FB_TABLE_TELLS;
	if (!tap_ok(n && good, "%s: erase block of align table %u", c->card,
		    c->nth))
		tap_diag("%u rows: %llu, conf %u, odd open %d, why %d", n,
			 a.erase, a.confidence, a.odd_open, a.why);
	if (!c->super_page)
		return;
	if (!tap_ok(a.super_page == c->super_page && a.page == c->page,
		    "%s: pages of align table %u", c->card, c->nth))
		tap_diag("super page %llu, page %llu", a.super_page, a.page);
}

static void test_open(const struct open_case *c)
{
	struct fb_open_answer a;
	u64 erase = 0;
	u32 n = load(c->card, "openau", c->nth, &erase);
	bool good;

	fb_interpret_open(open, n, erase, &a);
	good = n && a.kind == c->kind && a.fits == c->fits &&
	       a.thrashes == c->thrashes && a.why == c->why;
	if (c->kind == FB_OPEN_NO_LIMIT)
		good &= a.decline == c->decline && a.gradual == !!c->decline;
	if (c->step)
		good &= a.step == c->step;
	if (c->unstable)
		good &= a.unstable == c->unstable;
	if (tap_ok(good, "%s: open-au table %u", c->card, c->nth))
		return;
	tap_diag("%u rows: kind %d, %u fit, %u thrash, why %d", n, a.kind,
		 a.fits, a.thrashes, a.why);
	tap_diag("decline %u, step %u, gradual %d, %u of %u unstable",
		 a.decline, a.step, a.gradual, a.unstable, a.repeated);
}

static void test_fat(const struct fat_case *c)
{
	u64 erase = 0, mask;
	u32 n = load(c->card, "fat", 1, &erase);

	mask = fb_interpret_fat(fat, n, erase);
	if (!tap_ok(n && mask == c->mask, "%s: FAT blocks", c->card))
		tap_diag("%u rows: %llx", n, mask);
}

/**
 * struct made_case - an align table that nobody has published, and its answer
 * @what: is special about it
 * @d: 2 * on - pre - post of rows 64K, 128K, ... 32M
 * @slow: how much longer post takes, which only e knows of
 * @erase: erase block, or candidate
 * @confidence: per mille
 * @why: enum fb_table_why
 */
static const struct made_case {
	const char *what;
	s64 d[10];
	s64 slow[10];
	u64 erase;
	u32 confidence;
	enum fb_table_why why;
} made_cases[] = {
	{ "a clear step", { 0, 0, 0, 0, 0, 9999, 9999, 9999, 9999, 9999 },
	  .erase = 2 << 20, .confidence = 790 },
	{ "one row off", { 0, 0, 0, 0, 0, 9999, 9999, 9999, 9999, 0 },
	  .erase = 2 << 20, .confidence = 730 },
	{ "e says 4M", { 0, 0, 0, 0, 0, 9999, 9999, 9999, 9999, 9999 },
	  .slow = { 0, 0, 0, 0, 0, 9999 },
	  .erase = 2 << 20, .confidence = 640, .why = FB_TABLE_WEAK },
	{ "only e shows it",
	  { 0, 30000, 0, 30000, 0, 39999, 9999, 39999, 9999, 39999 },
	  .slow = { 0, 30000, 0, 30000, 0, 30000, 0, 30000, 0, 30000 },
	  .erase = 2 << 20, .confidence = 790 },
	{ "half a per cent of the read time",
	  { 0, 0, 0, 0, 0, 1000, 1000, 1000, 1000, 1000 },
	  .why = FB_TABLE_NO_STEP },
	{ "a slow rise",
	  { 0, 0, 0, 0, 0, 4000, 8000, 10000, 10000, 10000 },
	  .why = FB_TABLE_NO_STEP },
	{ "two rows above", { 0, 0, 0, 0, 0, 0, 0, 0, 9999, 9999 },
	  .why = FB_TABLE_NO_STEP },
	{ "noise nearly half of the step",
	  { -4000, 4000, -4000, 4000, 0, 6000, 10000, 14000, 6000, 14000 },
	  .why = FB_TABLE_NO_STEP },
};

static void test_made(const struct made_case *c)
{
	struct fb_align_answer a;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c->d); i++)
		align[i] = (struct fb_align_row) {
			.align = (64u << 10) << i,
			.pre = 100000,
			.on = 100000 + (c->d[i] + c->slow[i]) / 2,
			.post = 100000 + c->slow[i],
		};
	fb_interpret_align(align, i, &a);
	if (!tap_ok(a.erase == c->erase && a.confidence == c->confidence &&
		    a.why == c->why, "made: %s", c->what))
		tap_diag("%llu conf %u why %d", a.erase, a.confidence, a.why);
}

/* 2^k and 3 * 2^k, a step at 4 MiB: sizes of 6 MiB do not show it */
static void test_both_chains(void)
{
	struct fb_align_answer a;
	u32 i;

	for (i = 0; i < 30; i++) {
		align[i] = (struct fb_align_row) {
			.align = (u64)(i % 2 ? 3 : 2) << (10 + i / 2),
			.pre = 1000, .on = 1100 + i % 3, .post = 1000,
		};
		if (!(align[i].align % (4 << 20)))
			align[i].on += 300;
	}
	fb_interpret_align(align, i, &a);
	if (!tap_ok(a.erase == 4 << 20 && a.confidence == 940 && !a.odd_open,
		    "both chains: 4M, not 12M"))
		tap_diag("%llu conf %u why %d", a.erase, a.confidence, a.why);
}

/* Each write takes @ns[i], whatever its size */
static enum fb_open_kind one_number(const u64 *ns, u32 n)
{
	struct fb_open_answer o;
	u32 i;

	for (i = 0; i < n; i++)
		open[i] = (struct fb_open_row) {
			.nr = 5, .block = 16384 << i, .n = 1,
			.rate = { 16384 * NSEC_PER_SEC / ns[i] << i },
		};
	fb_interpret_open(open, n, 4 << 20, &o);
	return o.kind;
}

static void test_thrashing(void)
{
	static const u64 same[] = { 600000, 500000, 520000, 610000 };
	static const u64 other[] = { 600000, 500000, 520000, 800000, 1100000 };

	tap_ok(one_number(same, ARRAY_SIZE(same)) == FB_OPEN_BELOW,
	       "four sizes take about the same time: thrashing");
	tap_ok(one_number(other, ARRAY_SIZE(other)) == FB_OPEN_UNKNOWN,
	       "three of them do not say so");
}

static void test_special_fat(void)
{
	u32 i;

	for (i = 0; i < 7; i++)
		fat[i] = (struct fb_fat_row) {
			.block = 65536 << i, .n = 6,
			.rate = { 100, 200, 70, 100, 101, 99 },
		};
	for (i = 4; i < 6; i++)
		memcpy(&fat[i].rate[1], (u64[]) { 100, 100 }, 2 * sizeof(u64));
	tap_ok(fb_interpret_fat(fat, 6, 4 << 20) == 6,
	       "erase blocks 1 and 2 differ in 4 of 6 sizes");
	tap_ok(fb_interpret_fat(fat + 1, 5, 4 << 20) == 6,
	       "60 per cent of the sizes are enough");
	tap_ok(fb_interpret_fat(fat + 2, 4, 4 << 20) == 0,
	       "half of the sizes are not");
	tap_ok(fb_interpret_fat(fat + 2, 5, 4 << 20) == 0,
	       "nor with the erase block itself, which does not count");
}

static void test_nothing(void)
{
	struct fb_align_answer a;
	struct fb_open_answer o;

	fb_interpret_align(NULL, 0, &a);
	tap_ok(a.why == FB_TABLE_FEW_ROWS && !a.erase && !a.super_page,
	       "an empty align table says nothing");
	fb_interpret_open(NULL, 0, 4 << 20, &o);
	tap_ok(o.kind == FB_OPEN_UNKNOWN && o.why == FB_TABLE_ONE_NUMBER,
	       "an empty open-au table says nothing");
}

int main(int argc, char **argv)
{
	size_t i;

	tables = argc > 1 ? argv[1] : "../cards/published";
	for (i = 0; i < ARRAY_SIZE(align_cases); i++)
		test_align(&align_cases[i]);
	for (i = 0; i < ARRAY_SIZE(open_cases); i++)
		test_open(&open_cases[i]);
	for (i = 0; i < ARRAY_SIZE(fat_cases); i++)
		test_fat(&fat_cases[i]);
	for (i = 0; i < ARRAY_SIZE(made_cases); i++)
		test_made(&made_cases[i]);
	test_both_chains();
	test_thrashing();
	test_special_fat();
	test_nothing();
	return tap_done();
}
