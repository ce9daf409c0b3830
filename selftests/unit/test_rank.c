// SPDX-License-Identifier: GPL-2.0-only
/*
 * rank.c: against tables, and against the plainest code that gives the same.
 */
#include <math.h>

#include "tap.h"

#define MAX_SAMPLES	64

/* The k-th smallest, counted from 0, without sorting */
static s64 nth(const s64 *v, size_t n, size_t k)
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

static s64 naive_median(const s64 *v, size_t n)
{
	return n ? (s64)floorl(((long double)nth(v, n, (n - 1) / 2) +
				nth(v, n, n / 2)) / 2) : 0;
}

/* Samples of different shapes: @kind 0 wide, 1 few values, 2 with outliers */
static void fill(s64 *v, size_t n, int kind, u64 seed, s64 shift)
{
	size_t i;

	for (i = 0; i < n; i++) {
		u64 r = fb_hash(seed * 1000 + i);

		switch (kind) {
		case 0:
			v[i] = (s64)(r >> 24) - (1LL << 39);
			break;
		case 1:
			v[i] = (s64)(r % 5) - 2;
			break;
		default:
			v[i] = 1000000 + (s64)(r % 20000);
			if (r >> 32 & 1 && r >> 33 & 1)
				v[i] *= 100;
		}
		v[i] += shift;
	}
}

static void test_median(void)
{
	static const struct {
		s64 v[4];
		size_t n;
		s64 median;
	} cases[] = {
		{ { 0 }, 0, 0 },
		{ { -7 }, 1, -7 },
		{ { 3, -4 }, 2, -1 },
		{ { -3, -4 }, 2, -4 },
		{ { 5, -9, 2 }, 3, 2 },
		{ { 9, 1, -5, 4 }, 4, 2 },
		{ { 1LL << 60, -(1LL << 60), 1LL << 60, 0 }, 4, 1LL << 59 },
	};
	s64 v[MAX_SAMPLES], copy[MAX_SAMPLES];
	bool ok = true;
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memcpy(v, cases[i].v, sizeof(cases[i].v));
		tap_ok(fb_median_s64(v, cases[i].n) == cases[i].median,
		       "fb_median_s64 %zu", i);
	}
	for (i = 0; i < 3; i++) {
		for (n = 0; n < MAX_SAMPLES; n++) {
			fill(v, n, i, n, -50);
			memcpy(copy, v, sizeof(v));
			ok &= fb_median_s64(v, n) == naive_median(copy, n);
		}
	}
	tap_ok(ok, "fb_median_s64 like the reference");
}

/* The integer square roots in it may be off by one */
static bool close_to(s64 got, long double want)
{
	return fabsl(got - want) <= 2 + fabsl(want) / 100;
}

static long double naive_z100(const s64 *a, size_t n, const s64 *b, size_t m)
{
	long double u = 0, mean = n * m / 2.0L;
	size_t i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			u += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5L : 0;
	return 100 * (u - mean) / sqrtl(n * m * (n + m + 1) / 12.0L);
}

static void test_z100(void)
{
	static const struct {
		s64 a[4], b[4];
		size_t n, m;
		s64 z;
	} cases[] = {
		/* by hand: U = 16, mean 8, sigma sqrt(12) */
		{ { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, 4, 4, 231 },
		{ { 5, 6, 7, 8 }, { 1, 2, 3, 4 }, 4, 4, -231 },
		{ { 1, 2, 3, 4 }, { 4, 1, 3, 2 }, 4, 4, 0 },
		{ { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, 4, 4, 0 },
		/* 6.5 of 8, sigma sqrt(14 / 3) */
		{ { -1, 2 }, { 9, 2, 0, 9 }, 2, 4, 115 },
		{ { 1 }, { 2 }, 0, 1, 0 },
		{ { 1 }, { 2 }, 1, 0, 0 },
	};
	s64 a[MAX_SAMPLES], b[MAX_SAMPLES], z;
	bool ok = true;
	size_t i, n, m;
	double want;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memcpy(a, cases[i].a, sizeof(cases[i].a));
		memcpy(b, cases[i].b, sizeof(cases[i].b));
		z = fb_rank_z100(a, cases[i].n, b, cases[i].m);
		if (!tap_ok(z == cases[i].z, "fb_rank_z100 %zu", i))
			tap_diag("got %lld", z);
	}
	for (i = 0; i < 600; i++) {
		m = 1 + i * 7 % (MAX_SAMPLES - 1);
		n = 1 + i % (MAX_SAMPLES - 1);
		fill(a, n, i % 3, i, 0);
		fill(b, m, i % 3, i + 1000, i % 2 * 3000);
		want = naive_z100(a, n, b, m);
		ok &= close_to(fb_rank_z100(a, n, b, m), want);
	}
	tap_ok(ok, "fb_rank_z100 like the reference");
}

static bool check_shift(s64 *a, size_t n, s64 *b, size_t m, u32 z100)
{
	static s64 all[MAX_SAMPLES * MAX_SAMPLES];
	s64 low, high, shift;
	size_t i, j, below;
	bool ok;
	double width;

	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			all[i * m + j] = b[j] - a[i];
	shift = fb_shift(a, n, b, m, z100, &low, &high);
	ok = shift == naive_median(all, n * m) && low <= shift && shift <= high;
	/* as many differences outside of either end as there should be */
	width = z100 * sqrtl(n * m * (n + m + 1) / 12.0L) / 100;
	for (i = below = 0; i < n * m; i++)
		below += all[i] < low;
	ok &= below <= max(0.0, n * m / 2 - width);
	for (i = below = 0; i < n * m; i++)
		below += all[i] <= low;
	ok &= below >= max(0.0, n * m / 2 - width - 2);
	return ok;
}

static void test_shift(void)
{
	s64 a[MAX_SAMPLES] = { 4, 1, 2, 3 }, b[MAX_SAMPLES] = { 12, 11, 14, 13 };
	s64 low, high, shift;
	bool ok = true;
	size_t i;

	shift = fb_shift(a, 4, b, 4, 0, &low, &high);
	tap_ok(shift == 10 && low == 10 && high == 10, "fb_shift of 10");
	shift = fb_shift(a, 4, b, 4, 258, &low, &high);
	tap_ok(shift == 10 && low == 7 && high == 13,
	       "fb_shift of 4 and 4 has all differences in its interval");
	a[0] = -1000000;
	b[3] = 1000000;
	tap_ok(fb_shift(a, 4, b, 4, 258, &low, &high) == 10,
	       "fb_shift is not moved by an outlier in each");
	for (i = 0; i < 300; i++) {
		size_t n = 1 + i % 24, m = 1 + i * 5 % 24;

		fill(a, n, i % 3, i, 0);
		fill(b, m, i % 3, i + 1000, -700);
		ok &= check_shift(a, n, b, m, i % 4 * 100);
	}
	tap_ok(ok, "fb_shift like the reference");
}

static int sign_after(const char *samples, u32 *n)
{
	struct fb_sign sign = { 0 };

	for (; *samples; samples++)
		fb_sign_add(&sign, *samples == '+');
	*n = sign.n;
	return fb_sign_done(&sign) ? fb_sign_result(&sign) : 2;
}

static void test_sign(void)
{
	static const struct {
		const char *samples;
		int result;	/* 2: wants more */
		u32 n;
	} cases[] = {
		{ "", 2, 0 },
		{ "+++++", 2, 5 },
		{ "++++++", 1, 6 },
		{ "------", -1, 6 },
		{ "-++++++", 2, 7 },
		{ "-+++++++", 1, 8 },
		{ "+++---------", -1, 12 },
		/* what comes later does not count */
		{ "++++++------------", 1, 6 },
		{ "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-", 2, 38 },
		{ "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-", 0, 40 },
		{ "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-++++++", 0, 40 },
	};
	size_t i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		tap_ok(sign_after(cases[i].samples, &n) == cases[i].result &&
		       n == cases[i].n, "fb_sign %s", cases[i].samples);
}

int main(void)
{
	test_median();
	test_z100();
	test_shift();
	test_sign();
	return tap_done();
}
