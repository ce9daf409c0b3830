/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What holds for every plan of every test, whatever its parameters: used by
 * the unit tests on chosen plans and by the fuzzer on any.
 */
#ifndef FLASHBENCH_WALK_H
#define FLASHBENCH_WALK_H

#include "pure.h"

/**
 * struct walk - what is seen on the way through a plan
 * @plan: the plan
 * @stats: planned and positions of each point, counted here
 * @total: the ledger, kept here
 * @nsamples: timed operations
 * @nops: all of them
 * @max_len: longest operation that needs a buffer
 * @wrong: the first condition that did not hold, as text
 */
struct walk {
	const struct fb_plan *plan;
	struct fb_stat *stats;
	struct fb_ledger total;
	u64 nsamples;
	u64 nops;
	u64 max_len;
	const char *wrong;
};

#define must(walk, condition)	walk_must(walk, condition, #condition)

static void walk_must(struct walk *w, bool holds, const char *condition)
{
	if (!holds && !w->wrong)
		w->wrong = condition;
}

/* Operations of a plan, without walking it; may be more than FB_MAX_OPS */
static u64 plan_ops(const struct fb_plan *plan)
{
	u64 ops = 0;
	u32 g;

	for (g = 0; g < plan->ngroups; g++)
		ops += plan->params.test->group_ops(plan, g);
	return ops;
}

/* Independent of fb_guard_check() and of how the plan was made */
static void walk_place(struct walk *w, const struct fb_op *op)
{
	const struct fb_geo *geo = &w->plan->geo;
	u64 end = geo->range_start + geo->range_len;
	struct fb_guard guard = {
		.armed = true,
		.start = geo->range_start,
		.len = geo->range_len,
		.logical_block = geo->logical_block,
	};

	must(w, fb_guard_check(&guard, op) == 0);
	guard.armed = false;
	must(w, fb_guard_check(&guard, op) ==
	     (op->opcode == FB_READ ? 0 : -EPERM));
	if (op->opcode == FB_FLUSH) {
		must(w, op->offset == 0 && op->length == 0);
		return;
	}
	must(w, op->length > 0);
	must(w, op->length <= FB_MAX_LEN);
	must(w, op->offset % geo->logical_block == 0);
	must(w, op->length % geo->logical_block == 0);
	must(w, op->offset >= geo->range_start);
	must(w, op->offset < end);
	must(w, op->length <= end - op->offset);
}

/* What the test and its keys allow */
static void walk_kind(struct walk *w, const struct fb_op *op)
{
	const u64 *val = w->plan->params.val;

	must(w, w->plan->params.test->writes || op->opcode == FB_READ);
	must(w, op->opcode != FB_DISCARD || !w->plan->geo.preserve);
	must(w, op->opcode != FB_DISCARD || val[FB_KEY_DISCARD]);
	must(w, op->opcode != FB_FLUSH || val[FB_KEY_FLUSH]);
	must(w, op->fua == (op->timed && op->opcode == FB_WRITE &&
			    val[FB_KEY_FUA]));
}

static void walk_cost(struct walk *w, const struct fb_op *op)
{
	w->nops++;
	w->total.ios++;
	if (op->opcode == FB_READ)
		w->total.read_bytes += op->length;
	if (op->opcode == FB_DISCARD)
		w->total.discarded_bytes += op->length;
	if (op->opcode == FB_WRITE)
		w->total.written_bytes += op->length;
	if (op->opcode == FB_WRITE && w->plan->geo.preserve) {
		w->total.ios++;
		w->total.read_bytes += op->length;
	}
	if (op->opcode != FB_DISCARD)
		w->max_len = max_t(u64, w->max_len, op->length);
}

static void walk_sample(struct walk *w, const struct fb_op *op)
{
	struct fb_stat *st;

	must(w, op->point < w->plan->npoints);
	if (w->wrong)
		return;
	must(w, op->opcode == fb_plan_opcode(w->plan, op->point));
	st = &w->stats[op->point];
	st->planned++;
	st->positions = max(st->positions, op->pos + 1);
	w->nsamples++;
}

/* The sums that were promised before the first operation */
static void walk_sums(struct walk *w)
{
	const struct fb_plan *plan = w->plan;
	struct fb_stat *st = calloc(plan->npoints, sizeof(*st));
	u32 i;

	fb_plan_points(plan, st);
	for (i = 0; i < plan->npoints; i++) {
		must(w, st[i].planned == w->stats[i].planned);
		must(w, st[i].positions == w->stats[i].positions);
		must(w, st[i].planned > 0);
		/* each position has the same number of repetitions */
		must(w, st[i].planned % max(st[i].positions, 1U) == 0);
	}
	free(st);
	must(w, w->nops == plan_ops(plan));
	must(w, w->nops <= FB_MAX_OPS);
	must(w, w->nsamples == plan->nsamples);
	must(w, w->max_len == plan->max_len);
	must(w, w->total.ios == plan->total.ios);
	must(w, w->total.read_bytes == plan->total.read_bytes);
	must(w, w->total.written_bytes == plan->total.written_bytes);
	must(w, w->total.discarded_bytes == plan->total.discarded_bytes);
}

static void walk_line(struct walk *w, const char *text, int len)
{
	int i;

	must(w, len >= 0 && len < FB_ROW_LEN - 1);
	must(w, len == (int)strlen(text));
	for (i = 0; text[i]; i++) {
		unsigned char c = text[i];

		must(w, c == '\t' || (c >= ' ' && c != 127));
	}
	must(w, len == 0 || text[len - 1] != ' ');
}

/* Tables of samples that all take @ns, or of no sample at all if that is 0 */
static void walk_tables(struct walk *w, u64 ns)
{
	const struct fb_plan *plan = w->plan;
	const struct fb_test *t = plan->params.test;
	char text[FB_ROW_LEN];
	u32 i;

	for (i = 0; i < plan->npoints && !w->wrong; i++) {
		struct fb_stat *st = &w->stats[i];

		st->n = ns ? st->planned : 0;
		st->min = ns;
		st->mean = ns;
		st->max = ns;
		st->classic = ns;
		text[0] = '\0';
		walk_line(w, text, t->coords(plan, i, text, sizeof(text)));
		must(w, text[0] != '\0');
	}
	for (i = 0; i < plan->nlines && !w->wrong; i++) {
		text[0] = '\0';
		walk_line(w, text, t->line(plan, i, w->stats, text,
					   sizeof(text)));
		must(w, ns > 0 || !text[0] || strchr(text, '-'));
	}
}

/**
 * plan_walk() - go through a plan that fits
 * @plan: the plan
 * @ns: what each sample takes in a table that is made of it, not 0
 *
 * Return: NULL, or what does not hold, as text.
 */
static const char *plan_walk(const struct fb_plan *plan, u64 ns)
{
	struct walk w = {
		.plan = plan,
		.stats = calloc(plan->npoints, sizeof(*w.stats)),
	};
	struct fb_cursor c;
	struct fb_op op;
	u32 group = U32_MAX;

	fb_cursor_init(&c);
	while (!w.wrong && fb_cursor_next(plan, &c, &op)) {
		/* the access that wakes the device */
		must(&w, c.group == group || !op.timed);
		must(&w, c.group == group || op.opcode == FB_READ);
		group = c.group;
		walk_place(&w, &op);
		walk_kind(&w, &op);
		walk_cost(&w, &op);
		if (op.timed)
			walk_sample(&w, &op);
	}
	if (!w.wrong)
		walk_sums(&w);
	walk_tables(&w, 0);
	walk_tables(&w, ns);
	free(w.stats);
	return w.wrong;
}

#endif
