// SPDX-License-Identifier: GPL-2.0-only
/*
 * Budgets and ranges: whatever ends first, nothing is done beyond it, and what
 * is known by then is said.
 */
#include "truth.h"

#define CARDS	300
#define MAX_SHOWN	5	/* faults in detail */

/**
 * struct tries - what has come of it
 * @faults: operations that were not allowed, and errors
 * @outside: cards written to outside the range
 * @too_much: more was written than allowed
 * @too_often: more collections were counted than allowed
 * @silent: a budget ended, and no unknown verdict says so
 * @ended: a budget ended
 * @wrong: verdicts, by key
 * @nwrong: all of them
 * @right: verdicts
 */
struct tries {
	u32 faults;
	u32 outside;
	u32 too_much;
	u32 too_often;
	u32 silent;
	u32 ended;
	u32 wrong[FB_NR_VERDICTS];
	u32 nwrong;
	u32 right;
};

/* Some of the limits, by chance */
static void draw_limits(struct truth_model *m, struct truth_rng *r)
{
	struct truth_limits *l = &m->limits;
	u64 sectors = m->card->cfg.size / FTL_SECTOR;

	l->writes = true;
	if (truth_chance(r, .5))
		l->max_write = truth_log(r, 512, 64e6);
	if (truth_chance(r, .3))
		l->max_ns = truth_log(r, 1e6, 30e9);
	if (truth_chance(r, .5))
		l->max_collections = truth_log(r, 1, 100);
	if (truth_chance(r, .5)) {
		l->start = truth_between(r, 0, sectors / 2);
		l->end = l->start + 1 + (u64)truth_log(r, 1, sectors / 2 - 1);
		l->start *= FTL_SECTOR;
		l->end *= FTL_SECTOR;
	}
}

static bool says_budget(const struct fb_geometry *g)
{
	const struct fb_verdict *v;
	u32 key;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		v = fb_geometry_verdict(g, key);
		if (v->confidence < FB_LIKELY && strstr(v->evidence, "budget"))
			return true;
	}
	return false;
}

static void judge(struct tries *t, const struct truth_model *m,
		  const struct fb_geometry *g)
{
	const struct ftl_totals *totals = &m->ftl->totals;
	const struct truth_limits *l = &m->limits;
	enum truth_grade grade;
	u32 key;

	if (*m->fault && t->faults < MAX_SHOWN)
		printf("# budget %u: %s\n", m->card->index, m->fault);
	t->faults += *m->fault != 0;
	t->outside += totals->writes && (totals->lowest < l->start ||
					 totals->highest > l->end);
	t->too_much += totals->written_bytes > l->max_write;
	t->too_often += fb_geometry_collections(g) > l->max_collections;
	t->ended += m->quota;
	t->silent += m->quota && !says_budget(g);
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		grade = truth_grade(m->card, key, fb_geometry_verdict(g, key),
				    true);
		t->wrong[key] += grade == GRADE_WRONG;
		t->nwrong += grade == GRADE_WRONG;
		t->right += grade == GRADE_RIGHT;
	}
}

/**
 * truth_budgets() - run the inference with all kinds of limits; prints TAP
 * @seed: of the cards and limits
 *
 * Return: 0 if all of them hold, else 1.
 */
int truth_budgets(u64 seed)
{
	struct truth_rng r = { fb_hash(seed ^ 2) };
	struct fb_geometry *g = calloc(1, fb_geometry_size());
	struct tries t = { 0 };
	struct truth_card c;
	struct truth_model m;
	bool good;
	u32 i;

	for (i = 0; i < CARDS; i++) {
		truth_card_make(&c, MIX_GENERAL, i, seed + 1);
		if (!g || truth_model_open(&m, &c))
			exit(2);
		draw_limits(&m, &r);
		truth_model_infer(&m, g, BIT(FB_NR_VERDICTS) - 1);
		judge(&t, &m, g);
		truth_model_close(&m);
	}
	free(g);
	printf("# budgets: %u of %u ended early; %u verdicts right, %u wrong\n",
	       t.ended, i, t.right, t.nwrong);
	for (i = 0; i < FB_NR_VERDICTS; i++)
		if (t.wrong[i])
			printf("# %s wrong: %u\n", fb_verdict_names[i],
			       t.wrong[i]);
	good = truth_ok(!t.faults, "with limits: nothing that is not allowed",
			t.faults);
	good &= truth_ok(!t.outside, "no write outside the range", t.outside);
	good &= truth_ok(!t.too_much, "no byte more than max_write",
			 t.too_much);
	good &= truth_ok(!t.too_often, "not more collections than allowed",
			 t.too_often);
	good &= truth_ok(t.ended && !t.silent, "a budget that ended is named",
			 t.silent);
	good &= truth_ok(t.right && t.nwrong * 100 <= 3 * (t.right + t.nwrong),
			 "wrong verdicts with limits <= 3 %",
			 100. * t.nwrong / (t.right + t.nwrong + !t.right));
	return !good;
}
