// SPDX-License-Identifier: GPL-2.0-only
/*
 * stats.c: against tables, and against the plainest code that gives the same.
 */
#include <math.h>

#include "cases.h"
#include "tap.h"

#define MAX_SAMPLES	1200

/* The k-th smallest, counted from 0, without sorting */
static u64 nth(const u64 *v, size_t n, size_t k)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		size_t less = 0, equal = 0;

		for (j = 0; j < n; j++) {
			less += v[j] < v[i];
			equal += v[j] == v[i];
		}
		if (less <= k && k < less + equal)
			return v[i];
	}
	return 0;
}

static u64 naive_median(const u64 *v, size_t n)
{
	unsigned __int128 sum = nth(v, n, (n - 1) / 2);

	return (sum + nth(v, n, n / 2)) / 2;
}

static void naive_fill(struct fb_stat *st, const u64 *v, size_t n)
{
	static u64 deviation[MAX_SAMPLES];
	unsigned __int128 sum = 0;
	size_t i, rank;

	memset(st, 0, sizeof(*st));
	st->n = n;
	if (!n)
		return;
	st->median = naive_median(v, n);
	st->min = U64_MAX;
	for (i = 0; i < n; i++) {
		st->min = v[i] < st->min ? v[i] : st->min;
		st->max = v[i] > st->max ? v[i] : st->max;
		sum += v[i];
		deviation[i] = v[i] < st->median ? st->median - v[i] :
						   v[i] - st->median;
	}
	st->mean = sum / n;
	st->spread = naive_median(deviation, n);
	rank = (99 * n + 99) / 100;
	st->p99 = nth(v, n, rank - 1);
}

static bool same_stat(const struct fb_stat *a, const struct fb_stat *b)
{
	return a->n == b->n && a->min == b->min && a->median == b->median &&
	       a->mean == b->mean && a->p99 == b->p99 && a->max == b->max &&
	       a->spread == b->spread;
}

static void show_stat(const char *who, const struct fb_stat *st)
{
	tap_diag("%s n %u min %llu median %llu mean %llu p99 %llu max %llu spread %llu",
		 who, st->n, st->min, st->median, st->mean, st->p99, st->max,
		 st->spread);
}

static void test_stat_tables(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stat_cases); i++) {
		const struct stat_case *c = &stat_cases[i];
		struct fb_stat got = { 0 }, want = {
			.n = c->n, .min = c->min, .median = c->median,
			.mean = c->mean, .p99 = c->p99, .max = c->max,
			.spread = c->spread,
		};
		u64 v[STAT_CASE_MAX];

		memcpy(v, c->v, sizeof(v));
		fb_stat_fill(&got, v, c->n);
		if (!tap_ok(same_stat(&got, &want), "fb_stat_fill %s",
			    c->name)) {
			show_stat("got", &got);
			show_stat("want", &want);
		}
	}
}

/* Of these the table says what they look like; @i makes them differ */
enum shape { UNIFORM, FEW_VALUES, LONG_TAIL, LARGE, RISING, FALLING, SHAPES };

static const char *const shape_name[] = {
	[UNIFORM] = "uniform",
	[FEW_VALUES] = "few different",
	[LONG_TAIL] = "long-tailed",
	[LARGE] = "large",
	[RISING] = "rising",
	[FALLING] = "falling",
};

static u64 shaped(enum shape shape, u64 seed, u64 i)
{
	u64 r = fb_hash(seed * 65536 + i);

	switch (shape) {
	case FEW_VALUES:
		return 1000 + r % 3;
	case LONG_TAIL:
		return 1000000 + (r % 100 ? r % 5000 : r % 800000000);
	case LARGE:
		return r >> 24;
	case RISING:
		return 7 * i;
	case FALLING:
		return 7 * (MAX_SAMPLES - i);
	default:
		return r % 1000000;
	}
}

static bool check_shape(enum shape shape, size_t n)
{
	static u64 v[MAX_SAMPLES];
	struct fb_stat got, want;
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = shaped(shape, n, i);
	/* none of these is fb_stat_fill()'s business */
	got = (struct fb_stat) { .errors = 3, .planned = 5, .positions = 7,
				 .classic = 9 };
	naive_fill(&want, v, n);
	fb_stat_fill(&got, v, n);
	for (i = 1; i < n; i++)
		if (v[i - 1] > v[i])
			return false;
	if (same_stat(&got, &want) && got.errors == 3 && got.planned == 5 &&
	    got.positions == 7 && got.classic == 9)
		return true;
	show_stat("got", &got);
	show_stat("want", &want);
	return false;
}

static void test_stat_reference(void)
{
	static const size_t more[] = {
		99, 100, 101, 199, 200, 201, 999, 1000, 1001, MAX_SAMPLES
	};
	int shape;
	size_t n;

	for (shape = 0; shape < SHAPES; shape++) {
		bool ok = true;

		for (n = 0; n < 70; n++)
			ok &= check_shape(shape, n);
		for (n = 0; n < ARRAY_SIZE(more); n++)
			ok &= check_shape(shape, more[n]);
		tap_ok(ok, "fb_stat_fill %s samples like the reference",
		       shape_name[shape]);
	}
}

/* The most samples of the longest times that the contract allows */
static void test_stat_largest(void)
{
	u64 *v = malloc(FB_MAX_OPS * sizeof(*v));
	struct fb_stat st = { 0 };
	size_t i;

	for (i = 0; i < FB_MAX_OPS; i++)
		v[i] = (1ULL << 40) - i % 2;
	fb_stat_fill(&st, v, FB_MAX_OPS);
	tap_ok(st.n == FB_MAX_OPS && st.min == (1ULL << 40) - 1 &&
	       st.median == (1ULL << 40) - 1 && st.mean == (1ULL << 40) - 1 &&
	       st.p99 == 1ULL << 40 && st.max == 1ULL << 40 && !st.spread,
	       "fb_stat_fill 4M samples of 2^40 ns");
	free(v);
}

/* Deviations from something that is not the median, even outside of all */
static void test_mad(void)
{
	static const u64 from[] = { 0, 1, 9, 10, 25, 30, 39, 40, 41, 1000 };
	u64 v[] = { 10, 20, 30, 30, 40 }, deviation[ARRAY_SIZE(v)];
	size_t i, n, k;

	for (i = 0; i < ARRAY_SIZE(from); i++) {
		bool ok = true;

		for (n = 0; n <= ARRAY_SIZE(v); n++) {
			for (k = 0; k < n; k++)
				deviation[k] = llabs((s64)(v[k] - from[i]));
			ok &= fb_mad(v, n, from[i]) ==
			      (n ? naive_median(deviation, n) : 0);
		}
		tap_ok(ok, "fb_mad from %llu", from[i]);
	}
	tap_ok(v[0] == 10 && v[1] == 20 && v[4] == 40,
	       "fb_mad leaves the values alone");
	tap_ok(fb_median(NULL, 0) == 0, "fb_median of nothing");
}

static void test_rate(void)
{
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rate_cases); i++) {
		const struct rate_case *c = &rate_cases[i];
		u64 got = fb_rate(c->bytes, c->ns);

		if (!tap_ok(got == c->rate, "fb_rate %llu in %llu ns",
			    c->bytes, c->ns))
			tap_diag("got %llu, want %llu", got, c->rate);
	}
	for (i = 0; i < 200000; i++) {
		u64 bytes = fb_hash(2 * i) >> (i % 64);
		u64 ns = fb_hash(2 * i + 1) >> (i / 64 % 64);
		unsigned __int128 want = (unsigned __int128)bytes * 1000000000;

		if (!ns)
			continue;
		want /= ns;
		/* it may say "too large" a second early */
		if (want > U64_MAX - 1000000000)
			ok &= fb_rate(bytes, ns) == U64_MAX ||
			      fb_rate(bytes, ns) == want;
		else
			ok &= fb_rate(bytes, ns) == want;
	}
	tap_ok(ok, "fb_rate exact for 200000 scattered operands");
}

static void test_fit_table(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fit_cases); i++) {
		const struct fit_case *c = &fit_cases[i];
		struct fb_fit fit = { 0 };
		int ret = fb_fit_line(c->bytes, c->ns, c->n, &fit);

		if (!tap_ok(ret == c->ret && fit.fixed_ns == c->fit.fixed_ns &&
			    fit.rate == c->fit.rate, "fb_fit_line %s",
			    c->name))
			tap_diag("got %d, %lld, %llu", ret, fit.fixed_ns,
				 fit.rate);
	}
}

/* The textbook's formula, centred, with the widest floating point there is */
static void naive_fit(const u64 *bytes, const u64 *ns, size_t n,
		      long double *fixed, long double *rate)
{
	long double x = 0, y = 0, xx = 0, xy = 0, slope;
	size_t i;

	for (i = 0; i < n; i++) {
		x += bytes[i];
		y += ns[i];
	}
	x /= n;
	y /= n;
	for (i = 0; i < n; i++) {
		xx += (bytes[i] - x) * (bytes[i] - x);
		xy += (bytes[i] - x) * (ns[i] - y);
	}
	slope = xy / xx;
	*fixed = y - slope * x;
	*rate = slope > 0 ? 1e9L / slope : 0;
}

/*
 * How far @fit is from the exact line. The last bits that long times lose and
 * the roundings count for @ns nanoseconds at the mean; that, carried to size 0
 * by a short lever, is relative to what is found there.
 */
static bool fit_close(const struct fb_fit *fit, long double fixed,
		      long double rate, long double ns)
{
	long double fixed_slack = ns + fabsl(fixed) / 1e9L;
	long double rate_slack = 1 + rate / 1e6L;

	if (rate > 1.8e19L)
		return true;
	return fabsl(fit->fixed_ns - fixed) <= fixed_slack &&
	       fabsl(fit->rate - rate) <= rate_slack;
}

static bool check_fit(const u64 *bytes, const u64 *ns, size_t n,
		      long double slack)
{
	long double fixed, rate;
	struct fb_fit fit;

	if (fb_fit_line(bytes, ns, n, &fit))
		return false;
	naive_fit(bytes, ns, n, &fixed, &rate);
	if (fit_close(&fit, fixed, rate, slack))
		return true;
	tap_diag("n %zu: got %lld, %llu; want %.3Lf, %.3Lf", n, fit.fixed_ns,
		 fit.rate, fixed, rate);
	return false;
}

static void test_fit_reference(void)
{
	bool card = true, wild = true;
	u64 bytes[64], ns[64];
	size_t i, n;
	int turn;

	for (turn = 0; turn < 20000; turn++) {
		n = 2 + turn % 63;
		for (i = 0; i < n; i++) {
			u64 r = fb_hash(turn * 64 + i);

			bytes[i] = 512ULL << (i % 18);
			ns[i] = 300000 + bytes[i] * (turn % 1000 + 1) +
				r % 50000;
		}
		card &= check_fit(bytes, ns, n, 2);
		for (i = 0; i < n; i++) {
			u64 r = fb_hash(turn * 64 + i);

			bytes[i] = 512 * (1 + (r >> 8) % 131072);
			ns[i] = fb_hash(r) >> (24 + turn % 6);
		}
		/* 2^40 ns over 2^17 units: what a lost bit weighs at size 0 */
		if (n > 8)
			wild &= check_fit(bytes, ns, n, 256);
	}
	tap_ok(card, "fb_fit_line times like a card's");
	tap_ok(wild, "fb_fit_line any sizes, any times");
}

/* 64 points at the corners of what is allowed: UBSan looks on */
static void test_fit_extremes(void)
{
	static const u64 size[] = { 512, 1024, (64 << 20) - 512, 64 << 20 };
	static const u64 time[] = { 0, 1, (1ULL << 35) - 1, 1ULL << 35,
				    (1ULL << 40) - 1 };
	u64 bytes[64], ns[64];
	bool ok = true;
	size_t a, b, s, t, split, i;

	for (i = 0; i < 400 * 63; i++) {
		size_t k = i / 63;

		split = 1 + i % 63;
		a = k % 4;
		b = k / 4 % 4;
		s = k / 16 % 5;
		t = k / 80;
		if (a == b)
			continue;
		for (k = 0; k < 64; k++) {
			bytes[k] = k < split ? size[a] : size[b];
			ns[k] = k < split ? time[s] : time[t];
		}
		/* a lost bit here can count for 2^17 of them at size 0 */
		ok &= check_fit(bytes, ns, 64, 64 * 131072.0L);
	}
	tap_ok(ok, "fb_fit_line the corners of sizes and times");
	for (i = 0; i < 65; i++)
		bytes[i % 64] = 512 * (i + 1);
	tap_ok(fb_fit_line(bytes, ns, 65, &(struct fb_fit){ 0 }) == -EINVAL,
	       "fb_fit_line refuses 65 points");
}

int main(void)
{
	test_stat_tables();
	test_stat_reference();
	test_stat_largest();
	test_mad();
	test_rate();
	test_fit_table();
	test_fit_reference();
	test_fit_extremes();
	return tap_done();
}
