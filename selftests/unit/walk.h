/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What holds for every plan of every test, whatever its parameters: used by
 * the unit tests on chosen plans and by the fuzzer on any.
 */
#ifndef FLASHBENCH_WALK_H
#define FLASHBENCH_WALK_H

#include "pure.h"

/* Return from the function with what is wrong, if it is */
#define MUST(condition) do {				\
	if (!(condition))				\
		return #condition;			\
} while (0)

/**
 * struct walk - what is seen on the way through a plan
 * @stats: planned and positions of each point, counted here
 * @total: the ledger, kept here
 * @nsamples: timed operations
 * @nops: all of them
 * @max_len: longest operation that needs a buffer
 */
struct walk {
	struct fb_stat *stats;
	struct fb_ledger total;
	u64 nsamples;
	u64 nops;
	u64 max_len;
};

/* Operations of a plan, without walking it; may be more than FB_MAX_OPS */
static __maybe_unused u64 plan_ops(const struct fb_plan *plan)
{
	u64 ops = 0;
	u32 g;

	for (g = 0; g < plan->ngroups; g++)
		ops += plan->params.test->group_ops(plan, g);
	return ops;
}

/* Independent of fb_guard_check() and of how the plan was made */
static const char *walk_place(const struct fb_plan *plan,
			      const struct fb_op *op)
{
	const struct fb_geo *geo = &plan->geo;
	struct fb_guard guard = {
		.armed = true,
		.start = geo->range_start,
		.len = geo->range_len,
		.logical_block = geo->logical_block,
	};

	MUST(!fb_guard_check(&guard, op));
	guard.armed = false;
	MUST(fb_guard_check(&guard, op) ==
	     (op->opcode == FB_READ ? 0 : -EPERM));
	if (op->opcode == FB_FLUSH) {
		MUST(!op->offset && !op->length);
		return NULL;
	}
	MUST(op->length);
	MUST(op->length <= FB_MAX_LEN);
	MUST(op->offset % geo->logical_block == 0);
	MUST(op->length % geo->logical_block == 0);
	MUST(op->offset >= geo->range_start);
	MUST(op->offset < geo->range_start + geo->range_len);
	MUST(op->length <= geo->range_start + geo->range_len - op->offset);
	return NULL;
}

static const char *walk_op(const struct fb_plan *plan, struct walk *w,
			   const struct fb_op *op)
{
	const struct fb_test *t = plan->params.test;
	const char *wrong = walk_place(plan, op);

	if (wrong)
		return wrong;
	MUST(t->writes || op->opcode == FB_READ);
	MUST(op->opcode != FB_DISCARD || !plan->geo.preserve);
	MUST(op->opcode != FB_DISCARD || plan->params.val[FB_KEY_DISCARD]);
	MUST(op->opcode != FB_FLUSH || plan->params.val[FB_KEY_FLUSH]);
	MUST(op->fua == (op->timed && op->opcode == FB_WRITE &&
			 plan->params.val[FB_KEY_FUA]));

	w->nops++;
	w->total.ios++;
	if (op->opcode == FB_READ)
		w->total.read_bytes += op->length;
	if (op->opcode == FB_DISCARD)
		w->total.discarded_bytes += op->length;
	if (op->opcode == FB_WRITE) {
		w->total.written_bytes += op->length;
		w->total.ios += plan->geo.preserve;
		w->total.read_bytes += plan->geo.preserve ? op->length : 0;
	}
	if (op->opcode != FB_DISCARD)
		w->max_len = max_t(u64, w->max_len, op->length);
	if (!op->timed)
		return NULL;

	MUST(op->point < plan->npoints);
	MUST(op->opcode == fb_plan_opcode(plan, op->point));
	w->nsamples++;
	w->stats[op->point].planned++;
	w->stats[op->point].positions =
		max(w->stats[op->point].positions, op->pos + 1);
	return NULL;
}

/* The sums that were promised before the first operation */
static const char *walk_sums(const struct fb_plan *plan, const struct walk *w)
{
	struct fb_stat *st = calloc(plan->npoints, sizeof(*st));
	bool same = true, sampled = true, even = true;
	u32 i;

	fb_plan_points(plan, st);
	for (i = 0; i < plan->npoints; i++) {
		same &= st[i].planned == w->stats[i].planned &&
			st[i].positions == w->stats[i].positions;
		sampled &= st[i].planned > 0;
		even &= !st[i].positions || st[i].planned % st[i].positions == 0;
	}
	free(st);
	MUST(same);
	MUST(sampled);
	MUST(even);
	MUST(w->nops == plan_ops(plan));
	MUST(w->nops <= FB_MAX_OPS);
	MUST(w->nsamples == plan->nsamples);
	MUST(w->max_len == plan->max_len);
	MUST(w->total.ios == plan->total.ios);
	MUST(w->total.read_bytes == plan->total.read_bytes);
	MUST(w->total.written_bytes == plan->total.written_bytes);
	MUST(w->total.discarded_bytes == plan->total.discarded_bytes);
	return NULL;
}

static const char *walk_line(const char *text, int len)
{
	int i;

	MUST(len >= 0 && len < FB_ROW_LEN - 1);
	for (i = 0; i < len; i++)
		MUST((text[i] >= ' ' && text[i] != 127) || text[i] == '\t' ||
		     (unsigned char)text[i] >= 0x80);
	MUST(text[i] == '\0');
	MUST(!len || text[len - 1] != ' ');
	return NULL;
}

/* Tables of samples that all take @ns, or of no sample at all if that is 0 */
static const char *walk_tables(const struct fb_plan *plan,
			       const struct walk *w, u64 ns)
{
	const struct fb_test *t = plan->params.test;
	char text[FB_ROW_LEN];
	const char *wrong;
	u32 i;

	for (i = 0; i < plan->npoints; i++) {
		struct fb_stat *st = &w->stats[i];

		st->n = ns ? st->planned : 0;
		st->min = st->median = st->mean = st->p99 = st->max = ns;
		st->classic = ns;
		strcpy(text, "");
		wrong = walk_line(text, t->coords(plan, i, text, sizeof(text)));
		if (wrong)
			return wrong;
		MUST(*text);
	}
	for (i = 0; i < plan->nlines; i++) {
		strcpy(text, "");
		wrong = walk_line(text, t->line(plan, i, w->stats, text,
						sizeof(text)));
		if (wrong)
			return wrong;
		MUST(ns || !*text || strchr(text, '-'));
	}
	return NULL;
}

/**
 * plan_walk() - go through a plan that fits
 * @plan: the plan
 * @ns: what each sample takes in a table that is made of it
 *
 * Return: NULL, or what does not hold, as text.
 */
static const char *plan_walk(const struct fb_plan *plan, u64 ns)
{
	struct walk w = { .stats = calloc(plan->npoints, sizeof(*w.stats)) };
	const char *wrong = NULL;
	struct fb_cursor c;
	struct fb_op op;
	u32 group = U32_MAX;

	fb_cursor_init(&c);
	while (!wrong && fb_cursor_next(plan, &c, &op)) {
		/* the access that wakes the device */
		if (c.group != group && (op.timed || op.opcode != FB_READ))
			wrong = "a group begins with something else";
		group = c.group;
		if (!wrong)
			wrong = walk_op(plan, &w, &op);
	}
	if (!wrong)
		wrong = walk_sums(plan, &w);
	if (!wrong)
		wrong = walk_tables(plan, &w, 0);
	if (!wrong)
		wrong = walk_tables(plan, &w, ns);
	free(w.stats);
	return wrong;
}

#endif
