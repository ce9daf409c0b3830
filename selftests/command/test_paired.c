// SPDX-License-Identifier: GPL-2.0-only
/*
 * paired.c and paired_single.c: on tables, and by their rates of error on runs
 * with the faults that runs have. Every run has luck of its own and the session
 * drifts; what is left of each row has the tails of Student's t with three
 * degrees of freedom.
 */
#include "paired.h"
#include "tap.h"

#define ROWS	60
#define TRIALS	1000
#define RUNS	(2 * FB_PAIRED_RUNS)
#define BASE	1000000

static u64 random_state;

static u64 draw(u64 below)
{
	return fb_hash(random_state++) % below;
}

/* Sum of twelve uniform numbers: almost normal, in 1/10000 of its deviation */
static s64 normal(void)
{
	s64 sum = 0;
	int i, part;

	for (i = 0; i < 3; i++) {
		u64 bits = draw(U64_MAX);

		for (part = 0; part < 4; part++)
			sum += bits >> 16 * part & 0xffff;
	}
	return (sum - 6 * 0xffff) * 10000 / 0xffff;
}

/* In 1/10000 of its scale */
static s64 student3(void)
{
	s64 z = normal(), squares = 0;
	int i;

	for (i = 0; i < 3; i++) {
		s64 v = normal();

		squares += v * v;
	}
	return z * 10000 / (s64)(int_sqrt64(squares / 3) + 1);
}

static s64 choose(const s64 *from, u32 n)
{
	return from[draw(n)];
}

/* Percent of the time, 1/10000: logarithmic steps from 0.3 to 3, 0.2 to 2 */
static const s64 luck_sizes[] = { 30, 53, 95, 169, 300 };
static const s64 noise_sizes[] = { 20, 36, 63, 112, 200 };

struct session {
	s64 noise[ROWS];	/* of each row, 1/10000 */
	s64 luck;		/* deviation of the runs' luck */
	s64 drift;		/* over the whole session */
	u32 runs;		/* in it */
};

static void start_session(struct session *s, u32 runs)
{
	u32 i;

	for (i = 0; i < ROWS; i++)
		s->noise[i] = choose(noise_sizes, ARRAY_SIZE(noise_sizes));
	s->luck = choose(luck_sizes, ARRAY_SIZE(luck_sizes));
	s->drift = (s64)draw(601) - 300;
	s->runs = runs;
}

/* The times of one run; the first @changed rows are slower by @change */
static void measure(const struct session *s, u32 run, u32 changed, s64 change,
		    s64 *ns)
{
	s64 luck = normal() * s->luck / 10000 + s->drift * run / s->runs;
	u32 i;

	for (i = 0; i < ROWS; i++) {
		/* its deviation is sqrt(3) of its scale */
		s64 own = student3() * s->noise[i] / 17321;

		ns[i] = BASE * (10000 + luck) / 10000;
		ns[i] = ns[i] * max_t(s64, 10000 + own, 1000) / 10000;
		if (i < changed)
			ns[i] += ns[i] * change / 10000;
	}
}

struct trial {
	s64 ns[RUNS][ROWS];	/* in the order of the session */
	bool after[RUNS];
	u32 runs;
};

static void run_trial(struct trial *t, u32 each, bool blocks, u32 changed,
		      s64 change)
{
	u64 seed = draw(U32_MAX);
	struct session s;
	u32 i;

	t->runs = 2 * each;
	start_session(&s, t->runs);
	for (i = 0; i < t->runs; i++) {
		t->after[i] = blocks ? i >= each : fb_paired_side(seed, i);
		measure(&s, i, t->after[i] ? changed : 0, change, t->ns[i]);
	}
}

static s64 values[RUNS * 256], scratch[RUNS * 256];
static struct fb_difference differences[256];

/* Judges the first @runs runs of a trial */
static void judge_trial(const struct trial *t, u32 runs, u32 nrows,
			bool interim, struct fb_paired *p)
{
	u32 row, i, before, after;

	*p = (struct fb_paired) { .nrows = nrows, .value = values,
		.scratch = scratch, .rows = differences, .interim = interim };
	for (i = 0; i < runs; i++)
		p->nafter += t->after[i];
	p->nbefore = runs - p->nafter;
	for (row = 0; row < nrows; row++) {
		before = row * runs;
		after = before + p->nbefore;
		for (i = 0; i < runs; i++)
			values[t->after[i] ? after++ : before++] =
				t->ns[i][row];
	}
	fb_paired_judge(p);
}

/* Rows from @from on of which a change is said */
static u32 count_changed(const struct fb_paired *p, u32 from)
{
	u32 i, n = 0;

	for (i = from; i < p->nrows; i++)
		n += p->rows[i].change != FB_SAME && !p->rows[i].common;
	return n;
}

/* What people do: Welch's t of each row at 5 %, without knowing better */
static bool naive_t(const struct trial *t, u32 row)
{
	u32 each = t->runs / 2, i, side;
	double mean[2] = { 0, 0 }, var[2] = { 0, 0 }, d;

	for (i = 0; i < t->runs; i++)
		mean[t->after[i]] += (double)t->ns[i][row] / each;
	for (i = 0; i < t->runs; i++) {
		side = t->after[i];
		d = t->ns[i][row] - mean[side];
		var[side] += d * d / (each - 1);
	}
	d = mean[1] - mean[0];
	/* 2.306 squared: eight degrees of freedom */
	return d * d > 5.318 * (var[0] + var[1]) / each;
}

static u32 per_mille(u32 n, u32 of)
{
	return (n * 1000 + of / 2) / of;
}

static void test_critical(void)
{
	u32 runs, limit, i, j;

	/* arrangements of n + n runs with U pairs in the wrong order */
	for (runs = 3; runs <= FB_PAIRED_RUNS; runs++) {
		double ways[65] = { 1 }, all = 1, sum = 0;

		limit = fb_paired_critical(runs);
		for (i = 1; i <= runs; i++) {
			all = all * (runs + i) / i;
			for (j = 64; j >= runs + i; j--)
				ways[j] -= ways[j - runs - i];
			for (j = i; j <= 64; j++)
				ways[j] += ways[j - i];
		}
		for (i = 0; i <= limit; i++)
			sum += ways[i];
		if (runs >= FB_PAIRED_FULL)
			tap_ok(2 * sum / all <= 0.01 &&
			       2 * (sum + ways[limit + 1]) / all > 0.01,
			       "%u runs a side: %u pairs in the wrong order are 1 %%",
			       runs, limit);
		else
			tap_ok(!limit, "%u runs a side: none", runs);
	}
}

static void test_order(void)
{
	u64 seed;
	bool fair = true, varied = false;
	u32 run;

	for (seed = 0; seed < 50; seed++)
		for (run = 0; run < 16; run += 4) {
			bool a = fb_paired_side(seed, run);

			fair = fair && fb_paired_side(seed, run + 1) == !a &&
			       fb_paired_side(seed, run + 2) == !a &&
			       fb_paired_side(seed, run + 3) == a;
			varied = varied || a != fb_paired_side(seed + 7, run);
		}
	tap_ok(fair, "runs come in blocks of four, ABBA or BAAB");
	tap_ok(varied, "which of them depends on the seed");
}

static void test_false_alarms(u32 each, u32 most, u32 nrows)
{
	u32 any = 0, whole = 0, naive = 0, trial, row;
	static struct trial t;
	struct fb_paired p;

	random_state = 1000000ULL * each;
	for (trial = 0; trial < TRIALS; trial++) {
		run_trial(&t, each, false, 0, 0);
		judge_trial(&t, t.runs, nrows, false, &p);
		any += count_changed(&p, 0) > 0;
		whole += p.whole.change != FB_SAME;
		if (each != 5 || nrows != ROWS)
			continue;
		run_trial(&t, each, true, 0, 0);
		for (row = 0; row < nrows; row++)
			if (naive_t(&t, row))
				break;
		naive += row < nrows;
	}
	tap_ok(per_mille(any, TRIALS) <= most,
	       "%u runs a side, %u rows, no change: any row in %u of %u",
	       each, nrows, any, TRIALS);
	tap_ok(per_mille(whole, TRIALS) <= (each == 3 ? 110 : 40),
	       "%u runs a side, %u rows: the whole in %u", each, nrows, whole);
	if (naive)
		tap_ok(naive > 600, "a t-test of AAAAA and BBBBB: any row in %u",
		       naive);
}

static void test_power(s64 change, u32 least)
{
	u32 found = 0, wrong = 0, backwards = 0, trial, row;
	static struct trial t;
	struct fb_paired p;

	random_state = 77000000 + change;
	for (trial = 0; trial < TRIALS; trial++) {
		run_trial(&t, 5, false, ROWS / 10, change);
		judge_trial(&t, t.runs, ROWS, false, &p);
		for (row = 0; row < ROWS / 10; row++) {
			found += p.rows[row].change == FB_SLOWER;
			backwards += p.rows[row].change == FB_FASTER;
		}
		wrong += count_changed(&p, ROWS / 10) > 0;
	}
	tap_ok(per_mille(found, TRIALS * ROWS / 10) >= least,
	       "5 runs a side: %lld %% is found in %u per mille of the rows",
	       change / 100, per_mille(found, TRIALS * ROWS / 10));
	tap_ok(wrong <= 60 && !backwards,
	       "a wrong row beside it in %u, %u the wrong way", wrong,
	       backwards);
}

/* As the command ab looks: after 4 and 6 pairs, and at the end */
static u32 sequential(const struct trial *t, struct fb_paired *p)
{
	u32 pairs;

	for (pairs = 4; pairs < t->runs / 2; pairs += 2) {
		judge_trial(t, 2 * pairs, ROWS, true, p);
		if (fb_paired_clear(p))
			return pairs;
	}
	judge_trial(t, t->runs, ROWS, false, p);
	return pairs;
}

static void test_sequential(u32 pairs, s64 change, u32 most, u32 least)
{
	u32 any = 0, found = 0, used = 0, trial;
	static struct trial t;
	struct fb_paired p;

	random_state = 5000000 + change * 100 + pairs;
	for (trial = 0; trial < TRIALS; trial++) {
		run_trial(&t, pairs, false, change ? 6 : 0, change);
		used += sequential(&t, &p);
		any += count_changed(&p, change ? 6 : 0) > 0 ||
		       (!change && p.whole.change != FB_SAME);
		found += change && count_changed(&p, 0) > 0;
	}
	tap_ok(any <= most && found >= least,
	       "up to %u pairs, change %lld %%: false in %u, found in %u, %u pairs for 100",
	       pairs, change / 100, any, found, used / 10);
}

static void test_half(void)
{
	u32 unchanged = 0, changed = 0, trial, row;
	static struct trial t;
	struct fb_paired p;

	/* the luck of the runs is then half of the change */
	random_state = 31;
	for (trial = 0; trial < 100; trial++) {
		run_trial(&t, 5, false, ROWS / 2, 2000);
		judge_trial(&t, t.runs, ROWS, false, &p);
		for (row = 0; row < ROWS; row++)
			if (row < ROWS / 2)
				changed += p.rows[row].change == FB_SLOWER;
			else
				unchanged += p.rows[row].change == FB_SAME;
	}
	tap_ok(changed >= 2850, "half of the rows changed: %u of 3000 seen",
	       changed);
	tap_ok(unchanged >= 2850, "the other half did not: %u of 3000 seen",
	       unchanged);
}

static void test_whole(void)
{
	u32 whole = 0, common = 0, trial, row;
	static struct trial t;
	struct fb_paired p;

	random_state = 32;
	for (trial = 0; trial < 100; trial++) {
		run_trial(&t, 8, false, ROWS, 2000);
		judge_trial(&t, t.runs, ROWS, false, &p);
		whole += p.whole.change == FB_SLOWER;
		for (row = 0; row < ROWS; row++)
			common += p.rows[row].change == FB_SLOWER &&
				  p.rows[row].shift > 1600 &&
				  p.rows[row].shift < 2400;
	}
	tap_ok(whole == 100, "all rows changed: the whole in %u of 100", whole);
	tap_ok(common >= 5800, "and each row by about as much: %u of 6000",
	       common);
}

/* ---- one run a side ---- */

static struct fb_single_row singles[256];
static struct fb_single_group groups[8];

static void fill_single(const struct trial *t, u32 nrows, u32 ngroups)
{
	u32 i;

	memset(singles, 0, sizeof(singles));
	for (i = 0; i < nrows; i++) {
		singles[i].before = t->ns[0][i];
		singles[i].after = t->ns[1][i];
		singles[i].group = i * ngroups / nrows;
	}
}

static void test_single_rates(u32 nrows, u32 ngroups, s64 change, u32 most,
			      u32 least)
{
	u32 changed = change ? 2 : 0, any = 0, found = 0, trial, i, false_rows;
	static struct trial t;

	random_state = 8000000 + nrows + change;
	for (trial = 0; trial < TRIALS; trial++) {
		run_trial(&t, 1, true, changed, change);
		fill_single(&t, nrows, ngroups);
		fb_single_judge(singles, nrows, groups, ngroups, scratch);
		false_rows = 0;
		for (i = 0; i < nrows; i++) {
			bool said = singles[i].diff.change != FB_SAME &&
				    !singles[i].diff.common;

			if (i < changed)
				found += said;
			else
				false_rows += said;
		}
		any += false_rows > 0;
	}
	tap_ok(any <= most && found >= least * changed,
	       "one run each, %u rows in %u, change %lld %%: false in %u, found %u",
	       nrows, ngroups, change / 100, any, changed ? found / changed : 0);
}

/* Without luck and drift, the shift of a group is a test like others */
static void test_single_groups(s64 change, u32 most, u32 least)
{
	u32 said = 0, trial, i;
	static struct trial t;

	random_state = 9000000 + change;
	for (trial = 0; trial < TRIALS; trial++) {
		struct session s;

		start_session(&s, 2);
		s.luck = 0;
		s.drift = 0;
		for (i = 0; i < 2; i++)
			measure(&s, i, i ? 20 : 0, change, t.ns[i]);
		fill_single(&t, 20, 1);
		fb_single_judge(singles, 20, groups, 1, scratch);
		said += groups[0].diff.change == FB_SLOWER ||
			(!change && groups[0].diff.change != FB_SAME);
	}
	tap_ok(said <= most && said >= least,
	       "one run each, a group of 20 rows, change %lld %%: said in %u",
	       change / 100, said);
}

/* Changes in 1/1000 of rows of 1 ms; 'f', 's' and '.' are the verdicts */
static const struct {
	const char *what;
	int change[16];
	int nrows;
	const char *verdicts;
	const char *alone;
	enum fb_change group;
} single_cases[] = {
	{ "nothing", { 1, -1, 2, 0, 1, -2, 1, 0, -1, 1 }, 10,
	  "..........", "..........", FB_SAME },
	{ "one row", { 1, -1, 2, 0, 400, -2, 1, 0, -1, 1 }, 10,
	  "....s.....", "....1.....", FB_SAME },
	{ "two neighbours", { 1, -1, 2, -940, -930, -2, 1, 0, -1, 1 }, 10,
	  "...ff.....", "..........", FB_SAME },
	{ "all, and two of them on their own",
	  { 51, 49, 52, -940, -930, 48, 51, 50, 49, 51 }, 10,
	  "sssffsssss", "..........", FB_SLOWER },
	{ "few rows, a small change", { 60, 0, 0, 0 }, 4,
	  "....", "....", FB_SAME },
	{ "few rows, a large change", { 700, 0, 0, 0 }, 4,
	  "s...", "1...", FB_SAME },
	{ "half of them", { 300, 300, 300, 300, 300, 0, 0, 0, 0, 0 }, 10,
	  "..........", "..........", FB_SAME },
};

static void test_single_case(unsigned int number)
{
	char verdicts[17] = "", alone[17] = "";
	int n = single_cases[number].nrows, i;

	memset(singles, 0, sizeof(singles));
	for (i = 0; i < n; i++) {
		singles[i].before = BASE;
		singles[i].after = BASE + single_cases[number].change[i] * 1000;
	}
	fb_single_judge(singles, n, groups, 1, scratch);
	for (i = 0; i < n; i++) {
		verdicts[i] = ".fs"[singles[i].diff.change];
		alone[i] = singles[i].alone ? '1' : '.';
	}
	tap_ok(!strcmp(verdicts, single_cases[number].verdicts) &&
	       !strcmp(alone, single_cases[number].alone) &&
	       groups[0].diff.change == single_cases[number].group,
	       "one run each: %s: %s %s %d", single_cases[number].what,
	       verdicts, alone, groups[0].diff.change);
}

int main(void)
{
	unsigned int i;

	test_critical();
	test_order();
	test_false_alarms(3, 50, ROWS);
	test_false_alarms(4, 50, ROWS);
	test_false_alarms(5, 50, ROWS);
	test_false_alarms(8, 50, ROWS);
	test_false_alarms(5, 50, 1);
	test_false_alarms(5, 50, 7);
	test_power(500, 800);
	test_power(1000, 950);
	test_power(2000, 995);
	test_half();
	test_whole();
	test_sequential(8, 0, 50, 0);
	test_sequential(16, 0, 50, 0);
	test_sequential(8, 1000, 60, 950);
	test_single_rates(60, 1, 0, 50, 0);
	test_single_rates(60, 3, 0, 50, 0);
	test_single_rates(10, 2, 0, 50, 0);
	test_single_rates(5, 1, 0, 50, 0);
	test_single_rates(60, 1, 5000, 60, 950);
	test_single_groups(0, 50, 0);
	test_single_groups(300, TRIALS, 950);
	for (i = 0; i < ARRAY_SIZE(single_cases); i++)
		test_single_case(i);
	return tap_done();
}
