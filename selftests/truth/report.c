// SPDX-License-Identifier: GPL-2.0-only
/*
 * How often the answers were right, how sure they were, and what they cost.
 */
#include <math.h>
#include <stdlib.h>

#include "truth.h"

/* Cards by what they do with too many open erase blocks */
enum kind { KIND_LRU, KIND_FIFO, KIND_RANDOM, KIND_LOG, NR_KINDS };

static const char *const kind_name[NR_KINDS] = {
	"LRU", "FIFO", "random", "log",
};

/**
 * struct tally - how many of each grade
 * @n: by grade
 * @all: graded at all
 */
struct tally {
	u32 n[NR_GRADES];
	u32 all;
};

/* Where confidences are counted; below the last one nothing is said */
static const u32 bands[] = { 990, 950, 900, 800 };

static enum kind kind_of(enum truth_mix mix, u64 seed, u32 index)
{
	struct truth_card c;

	truth_card_make(&c, mix, index, seed);
	if (ftl_is_log(&c.cfg))
		return KIND_LOG;
	return c.cfg.replace == FTL_FIFO ? KIND_FIFO :
	       c.cfg.replace == FTL_RANDOM ? KIND_RANDOM : KIND_LRU;
}

static void count(struct tally *t, u32 grade)
{
	if (grade == GRADE_NONE)
		return;
	t->n[grade]++;
	t->all++;
}

static double percent(u32 n, u32 all)
{
	return all ? 100. * n / all : 0;
}

static double share(const struct tally *t, enum truth_grade grade)
{
	return percent(t->n[grade], t->all);
}

/* Of those that can be known */
static double found(const struct tally *t)
{
	return percent(t->n[GRADE_RIGHT], t->all - t->n[GRADE_HIDDEN]);
}

static struct tally tally(const struct truth_result *r, u32 n,
			  enum truth_run run, enum fb_verdict_key key)
{
	struct tally t = { 0 };
	u32 i;

	for (i = 0; i < n; i++)
		count(&t, r[i].grade[run][key]);
	return t;
}

/* Only cards whose erase block was named rightly, and perhaps of one kind */
static struct tally tally_given(enum truth_mix mix, u64 seed,
				const struct truth_result *r, u32 n,
				enum fb_verdict_key key, u32 kinds)
{
	struct tally t = { 0 };
	u32 i;

	for (i = 0; i < n; i++)
		if (r[i].grade[RUN_ALL][FB_ERASE_BLOCK] == GRADE_RIGHT &&
		    BIT(kind_of(mix, seed, i)) & kinds)
			count(&t, r[i].grade[RUN_ALL][key]);
	return t;
}

static void print_tally(const char *name, const struct tally *t)
{
	if (t->all)
		printf("  %-22s %6u %7.1f %7.1f %7.1f %7.1f %9.1f\n", name,
		       t->all, share(t, GRADE_RIGHT), share(t, GRADE_UNKNOWN),
		       share(t, GRADE_HIDDEN), share(t, GRADE_WRONG), found(t));
}

static void print_head(const char *title)
{
	printf("\n%s\n  %-22s %6s %7s %7s %7s %7s %9s\n", title, "", "cards",
	       "right", "unknown", "hidden", "wrong", "of known");
}

static void print_keys(const struct truth_result *r, u32 n, enum truth_run run,
		       const char *title)
{
	struct tally t;
	u32 key;

	print_head(title);
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		t = tally(r, n, run, key);
		print_tally(fb_verdict_names[key], &t);
	}
}

static void print_kinds(enum truth_mix mix, u64 seed,
			const struct truth_result *r, u32 n,
			enum fb_verdict_key key)
{
	struct tally t;
	char name[64];
	u32 kind;

	for (kind = 0; kind < NR_KINDS; kind++) {
		snprintf(name, sizeof(name), "%s, %s", fb_verdict_names[key],
			 kind_name[kind]);
		t = tally_given(mix, seed, r, n, key, BIT(kind));
		print_tally(name, &t);
	}
}

static void print_given(enum truth_mix mix, u64 seed,
			const struct truth_result *r, u32 n)
{
	struct tally t;
	u32 key;

	print_head("Where the erase block was named rightly, per cent");
	for (key = FB_OPEN_LINEAR; key <= FB_WRITE_CACHE; key++) {
		t = tally_given(mix, seed, r, n, key, ~0);
		print_tally(fb_verdict_names[key], &t);
	}
	print_kinds(mix, seed, r, n, FB_OPEN_LINEAR);
	print_kinds(mix, seed, r, n, FB_OPEN_RANDOM);
}

/* Answers by what they claim, as bands[] has it */
struct by_claim {
	u32 right[ARRAY_SIZE(bands)];
	u32 all[ARRAY_SIZE(bands)];
};

static struct by_claim by_claim(const struct truth_result *r, u32 n,
				enum truth_run run, enum fb_verdict_key key)
{
	struct by_claim t = { 0 };
	u32 i, b, grade;

	for (i = 0; i < n; i++) {
		grade = r[i].grade[run][key];
		if (grade != GRADE_RIGHT && grade != GRADE_WRONG)
			continue;
		for (b = 0; r[i].confidence[run][key] < bands[b];)
			b++;
		t.all[b]++;
		t.right[b] += grade == GRADE_RIGHT;
	}
	return t;
}

static void print_bands(const struct truth_result *r, u32 n,
			enum truth_run run, enum fb_verdict_key key)
{
	struct by_claim t = by_claim(r, n, run, key);
	u32 b;

	printf("  %-22s", fb_verdict_names[key]);
	for (b = 0; b < ARRAY_SIZE(bands); b++)
		printf(" %6u/%-6u", t.right[b], t.all[b]);
	printf("\n");
}

static void print_calibration(const struct truth_result *r, u32 n)
{
	u32 key;

	printf("\nRight by confidence\n  %-22s %9s     %8s      %8s      %8s\n",
	       "", ">= 990", "950-989", "900-949", "800-899");
	printf("  reads alone:\n");
	print_bands(r, n, RUN_READ, FB_ERASE_BLOCK);
	print_bands(r, n, RUN_READ, FB_SUPER_PAGE);
	print_bands(r, n, RUN_READ, FB_PAGE);
	printf("  with writes:\n");
	for (key = 0; key < FB_NR_VERDICTS; key++)
		print_bands(r, n, RUN_ALL, key);
}

/* ---- cost ---- */

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* One number of each card's cost; those where nothing was done do not count */
static u64 quantile(const struct truth_result *r, u32 n, size_t cost,
		    size_t member, u32 pm)
{
	u64 *v = calloc(n, sizeof(*v)), value;
	const struct truth_cost *c;
	u32 i, m = 0;

	for (i = 0; i < n; i++) {
		c = (const void *)((const char *)&r[i] + cost);
		if (c->reads + c->writes)
			memcpy(&v[m++], (const char *)c + member, sizeof(*v));
	}
	qsort(v, m, sizeof(*v), compare);
	value = m ? v[(u64)(m - 1) * pm / 1000] : 0;
	free(v);
	return value;
}

/* @which: the cost in struct truth_result */
#define QUANTILE(r, n, which, member, pm)				\
	quantile(r, n, offsetof(struct truth_result, which),		\
		 offsetof(struct truth_cost, member), pm)

static void print_cost(const char *name, const struct truth_result *r, u32 n,
		       size_t cost)
{
#define COST(member, pm)	\
	quantile(r, n, cost, offsetof(struct truth_cost, member), pm)
	u32 pm;

	for (pm = 500; pm <= 900; pm += 400)
		printf("  %-22s %8llu %8llu %8.2f %8llu %8.0f %8.2f\n",
		       pm == 500 ? name : "", COST(reads, pm),
		       COST(writes, pm), COST(written, pm) / 1e6,
		       COST(evictions, pm), COST(programmed, pm) / 1e6,
		       COST(ns, pm) / 1e9);
#undef COST
}

static void print_costs(const struct truth_result *r, u32 n)
{
	printf("\nCost, median and 90 %%\n  %-22s %8s %8s %8s %8s %8s %8s\n",
	       "", "reads", "writes", "MB", "collect.", "MB prog.", "s");
	print_cost("reads alone", r, n,
		   offsetof(struct truth_result, cost[RUN_READ]));
	print_cost("both open limits", r, n,
		   offsetof(struct truth_result, cost[RUN_OPEN]));
	print_cost("everything", r, n,
		   offsetof(struct truth_result, cost[RUN_ALL]));
}

static void print_old(const struct truth_result *r, u32 n)
{
	struct tally t;
	u32 i, key;

	print_head("The old command on the same cards, per cent");
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		t = (struct tally) { 0 };
		for (i = 0; i < n; i++)
			count(&t, r[i].old.grade[key]);
		print_tally(fb_verdict_names[key], &t);
	}
	print_cost("reading", r, n, offsetof(struct truth_result, old.align));
	print_cost("open_linear", r, n,
		   offsetof(struct truth_result, old.open));
}

/**
 * truth_report() - all that the cards have shown
 * @mix: of what kind they are
 * @seed: of all of them
 * @r: results
 * @n: cards
 */
void truth_report(enum truth_mix mix, u64 seed, const struct truth_result *r,
		  u32 n)
{
	u32 i, faults = 0;

	for (i = 0; i < n; i++)
		faults += !r[i].done || *r[i].fault;
	printf("\n%s mix: %u cards, seed %llu, %u with a fault\n",
	       truth_mix_name[mix], n, seed, faults);
	print_keys(r, n, RUN_READ, "Reads alone, per cent of the cards");
	print_keys(r, n, RUN_ALL, "With writes, per cent of the cards");
	print_given(mix, seed, r, n);
	print_calibration(r, n);
	print_costs(r, n);
	if (n && r->old.align.reads)
		print_old(r, n);
}

/* ---- thresholds ---- */

static int checks;

/**
 * truth_ok() - a line of TAP
 * @pass: it is as it should be
 * @what: it is about
 * @got: the figure it was judged by
 *
 * Return: @pass.
 */
bool truth_ok(bool pass, const char *what, double got)
{
	printf("%sok %d %s: %.2f\n", pass ? "" : "not ", ++checks, what, got);
	return pass;
}

static bool at_least(const char *what, double got, double want)
{
	return truth_ok(got >= want, what, got);
}

static bool at_most(const char *what, double got, double want)
{
	return truth_ok(got <= want, what, got);
}

/* Of the erase blocks that are sure, how many are wrong, per cent */
static double sure_wrong(const struct truth_result *r, u32 n)
{
	u32 i, sure = 0, wrong = 0;

	for (i = 0; i < n; i++) {
		if (r[i].confidence[RUN_ALL][FB_ERASE_BLOCK] < FB_SURE)
			continue;
		sure++;
		wrong += r[i].grade[RUN_ALL][FB_ERASE_BLOCK] == GRADE_WRONG;
	}
	return sure ? percent(wrong, sure) : 100;
}

/*
 * By how much answers are right less often than they claim to be, in standard
 * deviations of what would be seen if the claim were true; the worst band
 */
static double overclaim(const struct truth_result *r, u32 n,
			enum truth_run run, enum fb_verdict_key key)
{
	struct by_claim t = by_claim(r, n, run, key);
	double claim, sigma, worst = 0;
	u32 b;

	for (b = 0; b < ARRAY_SIZE(bands); b++) {
		claim = bands[b] / 1000.;
		sigma = sqrt(t.all[b] * claim * (1 - claim));
		if (t.all[b])
			worst = fmax(worst, (t.all[b] * claim - t.right[b]) /
					    sigma);
	}
	return worst;
}

/*
 * No verdict is wrong on more than @most per cent, the erase block on 2, and
 * none is wrong more often than it says
 */
static bool check_claims(const struct truth_result *r, u32 n, double most)
{
	char what[64];
	struct tally t;
	bool good = true;
	double limit;
	u32 key;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		limit = key == FB_ERASE_BLOCK ? 2 : most;
		t = tally(r, n, RUN_ALL, key);
		snprintf(what, sizeof(what), "%s wrong <= %.0f %%",
			 fb_verdict_names[key], limit);
		good &= at_most(what, share(&t, GRADE_WRONG), limit);
		snprintf(what, sizeof(what), "%s claims too much, sigma <= 3",
			 fb_verdict_names[key]);
		good &= at_most(what, fmax(overclaim(r, n, RUN_READ, key),
					   overclaim(r, n, RUN_ALL, key)), 3);
	}
	return good;
}

static bool check_costs(const struct truth_result *r, u32 n)
{
	bool good = true;

	good &= at_most("median reads, reads alone, <= 1400",
			QUANTILE(r, n, cost[RUN_READ], reads, 500), 1400);
	good &= at_most("median writes for both open limits <= 300",
			QUANTILE(r, n, cost[RUN_OPEN], writes, 500), 300);
	good &= at_most("median MB written for both open limits <= 8",
			QUANTILE(r, n, cost[RUN_OPEN], written, 500) / 1e6, 8);
	return good;
}

static bool check_open(enum truth_mix mix, u64 seed,
		       const struct truth_result *r, u32 n)
{
	struct tally t;
	bool good = true;

	t = tally_given(mix, seed, r, n, FB_OPEN_LINEAR, ~0);
	good &= at_least("open_linear right >= 98 %", share(&t, GRADE_RIGHT),
			 98);
	t = tally_given(mix, seed, r, n, FB_OPEN_LINEAR,
			BIT(KIND_LRU) | BIT(KIND_FIFO));
	good &= at_least("open_linear right >= 98.5 %, LRU and FIFO",
			 share(&t, GRADE_RIGHT), 98.5);
	t = tally_given(mix, seed, r, n, FB_OPEN_RANDOM, ~0);
	good &= at_least("open_random right >= 98 %", share(&t, GRADE_RIGHT),
			 98);
	t = tally_given(mix, seed, r, n, FB_OPEN_LINEAR, BIT(KIND_RANDOM));
	good &= at_least("open_linear right >= 95 %, random replacement",
			 share(&t, GRADE_RIGHT), 95);
	t = tally_given(mix, seed, r, n, FB_FAT_AREA, ~0);
	good &= at_least("fat_area right >= 99 %, where it can be known",
			 found(&t), 99);
	t = tally_given(mix, seed, r, n, FB_MAPPING, ~0);
	good &= at_least("mapping right >= 98 %", share(&t, GRADE_RIGHT), 98);
	return good;
}

/**
 * truth_check() - do the answers reach the thresholds? Prints TAP.
 * @mix: of what kind the cards are
 * @seed: of all of them
 * @r: results
 * @n: cards
 *
 * Return: 0 if they do, else 1.
 */
int truth_check(enum truth_mix mix, u64 seed, const struct truth_result *r,
		u32 n)
{
	struct tally t = tally(r, n, RUN_ALL, FB_ERASE_BLOCK);
	u32 i, faults = 0;
	bool good;

	for (i = 0; i < n; i++)
		faults += !r[i].done || *r[i].fault;
	printf("# %s mix: %u cards\n", truth_mix_name[mix], n);
	good = at_most("operations outside of what is allowed, or errors: none",
		       faults, 0);
	good &= at_most("sure and wrong < 0.5 %", sure_wrong(r, n), .499);
	good &= check_claims(r, n, mix == MIX_NOISY ? 4 : 2);
	if (mix == MIX_NOISY)
		return !good;
	good &= at_least("erase_block right >= 88 %", share(&t, GRADE_RIGHT),
			 88);
	good &= check_open(mix, seed, r, n);
	good &= check_costs(r, n);
	return !good;
}

/**
 * truth_plan() - the end of the TAP
 */
void truth_plan(void)
{
	printf("1..%d\n", checks);
}
