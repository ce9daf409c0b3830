// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of the classic tables: the old command's words, without what it
 * got wrong in them.
 */
#include "make.h"
#include "tap.h"

struct line_case {
	const char *run;
	u32 line;
	u64 ns[3];
	const char *text;
};

/* Tables in the old command's words; all that it got wrong in them */
static void test_lines(void)
{
	static const struct line_case c[] = {
		{ "align", 0, { 3054000, 3834000, 3032000 },
		  "align 805306368\tpre 3.05ms\ton 3.83ms\tpost 3.03ms\tdiff 791µs" },
		{ "align", 0, { 999600, 892937, 999600 },
		  "align 805306368\tpre 1ms\ton 893µs\tpost 1ms\tdiff -107µs" },
		{ "align", 0, { 2, 1, 2 },
		  "align 805306368\tpre 2ns\ton 1ns\tpost 2ns\tdiff -1ns" },
		{ "align", 0, { 0, 1, 2 },
		  "align 805306368\tpre -\ton 1ns\tpost 2ns\tdiff -" },
		{ "open-au", 3, { 88115000 }, "512KiB  5.95M/s" },
		{ "open-au", 4, { 40516000 }, "256KiB  6.47M/s" },
		{ "open-au", 0, { 4036000 }, "4MiB    1.04G/s" },
		{ "open-au", 0, { 0 }, "4MiB    -" },
		{ "open-au erasesize=4128K blocksize=4128K", 0, { 4227072000 },
		  "4128KiB 1M/s" },
		{ "scatter", 3, { 1000000, 1000000, 1000000 }, "0.046875\t-" },
	};
	static struct fb_plan plan;
	struct fb_geo geo = whole(GIB, 512);
	char text[FB_ROW_LEN];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		struct fb_stat *st;
		u32 first;
		int len;

		make_ok(&plan, c[i].run, &geo);
		st = calloc(plan.npoints, sizeof(*st));
		first = c[i].line * plan.group_points;
		if (!strcmp(c[i].run, "scatter"))
			first = 0;
		for (k = 0; k < 3 && first + k < plan.npoints; k++)
			st[first + k] = (struct fb_stat) {
				.n = c[i].ns[k] ? 8 : 0,
				.planned = 8,
				.min = c[i].ns[k],
				.classic = c[i].ns[k],
			};
		len = plan.params.test->line(&plan, c[i].line, st, text,
					     sizeof(text));
		if (!tap_ok(!strcmp(text, c[i].text) &&
			    len == (int)strlen(text), "%s prints %s", c[i].run,
			    tap_quote(c[i].text)))
			tap_diag("got '%s'", text);
		free(st);
	}
}

/* Few points, equal times, an error among them: no line, but no nonsense */
static void test_interval_lines(void)
{
	static struct fb_plan plan;
	struct fb_geo geo = whole(GIB, 512);
	char run[FB_LINE_LEN], text[FB_ROW_LEN];
	u32 order, i;

	for (order = 1; order <= 12; order++) {
		struct fb_stat st[18] = { 0 };
		bool ok;

		snprintf(run, sizeof(run), "interval interval-order=%u",
			 order);
		ok = make_ok(&plan, run, &geo);
		for (i = 0; i < order; i++)
			st[i] = (struct fb_stat) {
				.n = 8, .planned = 8, .min = 1000000,
				.mean = 1000000, .max = 1000000,
			};
		plan.params.test->line(&plan, order, st, text, sizeof(text));
		ok &= !strcmp(text, "- MB/s, - access time");
		/* 300 us and 20 ns a byte, which is 50 MB/s */
		for (i = 0; i < order; i++)
			st[i].min = 300000 + plan.rows[i] * 20;
		plan.params.test->line(&plan, order, st, text, sizeof(text));
		ok &= !strcmp(text, order < 5 ? "- MB/s, - access time" :
			      "50.000 MB/s, 300µs access time");
		/* what a size takes beyond the line follows it */
		if (order >= 5) {
			st[0].min += 7;
			plan.params.test->line(&plan, order + 1, st, text,
					       sizeof(text));
			ok &= !strcmp(text, "bytes 512, time 310247 overhead 7");
			st[0].min -= 8;
			plan.params.test->line(&plan, order + 1, st, text,
					       sizeof(text));
			ok &= !strcmp(text, "bytes 512, time 310239 overhead -1");
		}
		st[order - 1].errors = 1;
		plan.params.test->line(&plan, order, st, text, sizeof(text));
		ok &= order < 4 ||
		      !strcmp(text, "- MB/s, - access time");
		if (!tap_ok(ok, "%s: the fitted line", run))
			tap_diag("got '%s'", text);
	}
}

/* x in MiB: the old one went negative above 2 GiB */
static void test_scatter_lines(void)
{
	static struct fb_plan plan;
	struct fb_geo geo = whole(40 * GIB, 512);
	struct fb_stat *st;
	char text[FB_ROW_LEN];

	tap_ok(make_ok(&plan, "scatter scatter-order=12 blocksize=1M count=1",
		       &geo), "scatter over 4 GiB");
	st = calloc(plan.npoints, sizeof(*st));
	st[3000] = (struct fb_stat) { .n = 1, .planned = 1, .min = 1234567 };
	plan.params.test->line(&plan, 3000, st, text, sizeof(text));
	if (!tap_ok(!strcmp(text, "3000.000000\t1.234567"),
		    "scatter beyond 2 GiB prints a positive place"))
		tap_diag("got '%s'", text);
	free(st);
}

int main(void)
{
	test_lines();
	test_interval_lines();
	test_scatter_lines();
	return tap_done();
}
