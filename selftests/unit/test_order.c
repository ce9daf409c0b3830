// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c: each order is complete, and there is nothing regular in it.
 */
#include "cases.h"
#include "tap.h"

#define FEW_KEYS	5
#define SEED_WORDS	65536

/* Every element exactly once? */
static bool complete(u64 n, u64 key)
{
	u8 *seen = calloc(n, 1);
	bool ok = true;
	u64 i;

	for (i = 0; i < n && ok; i++) {
		u64 at = fb_permute(n, key, i);

		ok = at < n && !seen[at];
		if (ok)
			seen[at] = 1;
	}
	free(seen);
	return ok;
}

static void test_complete(void)
{
	static const u64 keys[FEW_KEYS] = { 0, 1, 2, 0x123456789abcdefULL,
					    U64_MAX };
	bool ok = true;
	size_t i, k;
	u64 n;

	for (i = 0; i < ARRAY_SIZE(permute_sizes); i++) {
		n = permute_sizes[i];
		for (k = 0; k < FEW_KEYS; k++)
			tap_ok(complete(n, keys[k]),
			       "fb_permute of %llu, key %llu, is complete",
			       n, keys[k]);
	}
	for (n = 1; n <= 300; n++)
		for (k = 0; k < 20; k++)
			ok &= complete(n, k);
	tap_ok(ok, "fb_permute of 1 to 300, 20 keys each, is complete");
}

static u32 factorial(u32 n)
{
	return n > 1 ? n * factorial(n - 1) : 1;
}

/*
 * All orders of a few elements occur, and about equally often: with 400 keys
 * for each order the count of one is within 5 standard deviations of 20.
 */
static void test_small(u32 n)
{
	u32 orders = factorial(n), keys = 400 * orders, low = U32_MAX, high = 0;
	static u32 count[50000];
	u32 i, key;

	memset(count, 0, sizeof(count));
	for (key = 0; key < keys; key++) {
		u32 index = 0;

		for (i = 0; i < n; i++)
			index = index * n + fb_permute(n, key, i);
		count[index]++;
	}
	for (i = 0; i < ARRAY_SIZE(count); i++) {
		if (!count[i])
			continue;
		orders--;
		low = min(low, count[i]);
		high = max(high, count[i]);
	}
	if (!tap_ok(!orders && low > 300 && high < 500,
		    "fb_permute of %u: every order, equally often", n))
		tap_diag("%u orders missing, %u to %u times", orders, low,
			 high);
}

/*
 * Each place gets each element equally often over many keys: chi-square with
 * (n - 1)^2 degrees of freedom, within 5 standard deviations of its mean.
 */
static void test_uniform(u32 n)
{
	u32 *count = calloc((size_t)n * n, sizeof(*count)), key, i;
	double expect = 200, chi = 0, freedom = (n - 1.0) * (n - 1.0);

	for (key = 0; key < expect * n; key++)
		for (i = 0; i < n; i++)
			count[i * n + fb_permute(n, key, i)]++;
	for (i = 0; i < n * n; i++)
		chi += (count[i] - expect) * (count[i] - expect) / expect;
	free(count);
	if (!tap_ok((chi - freedom) * (chi - freedom) < 25 * 2 * freedom,
		    "fb_permute of %u: every element at every place", n))
		tap_diag("chi-square %.1f, want about %.1f", chi, freedom);
}

/* Neighbours do not stay neighbours, rising and falling are in balance */
static void test_shuffled(u64 n)
{
	u64 i, last = fb_permute(n, 7, 0), next = 0, rising = 0, fixed = !last;

	for (i = 1; i < n; i++) {
		u64 at = fb_permute(n, 7, i);

		next += at == last + 1 || last == at + 1;
		rising += at > last;
		fixed += at == i;
		last = at;
	}
	if (!tap_ok(next < 16 && fixed < 10 && rising > n / 2 - n / 20 &&
		    rising < n / 2 + n / 20, "fb_permute of %llu is shuffled",
		    n))
		tap_diag("%llu neighbours, %llu fixed, %llu rising", next,
			 fixed, rising);
}

/* Too large for a table: inside, no place twice among those tried */
static void test_large(u64 n, const char *name)
{
	static u64 at[4096];
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		at[i] = fb_permute(n, 3, i % 2 ? n - 1 - i : i);
		ok &= at[i] < n;
	}
	fb_median(at, ARRAY_SIZE(at));
	for (i = 1; i < ARRAY_SIZE(at); i++)
		ok &= at[i - 1] != at[i];
	/* a quarter of the way up there must be a quarter of them */
	ok &= at[1024] > n / 5 && at[1024] < n / 10 * 3;
	tap_ok(ok, "fb_permute of %s", name);
}

static void test_hash(void)
{
	static u64 v[65536];
	double flips = 0;
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hash_cases); i++)
		tap_ok(fb_hash(hash_cases[i].x) == hash_cases[i].hash,
		       "fb_hash %016llx", hash_cases[i].x);
	for (i = 0; i < ARRAY_SIZE(v); i++)
		v[i] = fb_hash(i);
	fb_median(v, ARRAY_SIZE(v));
	for (i = 1; i < ARRAY_SIZE(v); i++)
		ok &= v[i - 1] != v[i];
	tap_ok(ok, "fb_hash keeps numbers apart");
	for (i = 0; i < 64000; i++)
		flips += __builtin_popcountll(fb_hash(i) ^
					      fb_hash(i ^ 1ULL << i % 64));
	tap_ok(flips / 64000 > 31.5 && flips / 64000 < 32.5,
	       "fb_hash flips half of the bits");
}

/* Any length, not a byte beyond it, and a prefix of what is longer */
static void test_fill_lengths(void)
{
	u8 whole[80], part[81];
	bool ok = true;
	size_t len, i;

	fb_fill_random(whole, sizeof(whole), 1);
	for (len = 0; len <= sizeof(whole); len++) {
		memset(part, 0xa5, sizeof(part));
		fb_fill_random(part, len, 1);
		ok &= !memcmp(part, whole, len);
		for (i = len; i < sizeof(part); i++)
			ok &= part[i] == 0xa5;
	}
	/* not aligned either */
	fb_fill_random(part + 1, 80, 1);
	ok &= !memcmp(part + 1, whole, 80);
	tap_ok(ok, "fb_fill_random any length and alignment");
}

/*
 * Incompressible: all bytes equally often (chi-square, 255 degrees of
 * freedom), no 8 bytes twice, and so for each of several seeds, which have
 * nothing in common.
 */
static void test_fill_random(void)
{
	static u64 data[4 * SEED_WORDS];
	bool ok = true;
	size_t seed, i;

	for (seed = 0; seed < 4; seed++) {
		double expect = SEED_WORDS * 8 / 256, chi = 0;
		u8 *bytes = (u8 *)&data[seed * SEED_WORDS];
		u32 count[256] = { 0 };

		fb_fill_random(bytes, SEED_WORDS * 8, seed);
		for (i = 0; i < SEED_WORDS * 8; i++)
			count[bytes[i]]++;
		for (i = 0; i < 256; i++)
			chi += (count[i] - expect) * (count[i] - expect) /
			       expect;
		ok &= chi > 255 - 5 * 22.6 && chi < 255 + 5 * 22.6;
	}
	tap_ok(ok, "fb_fill_random every byte equally often");
	fb_median(data, ARRAY_SIZE(data));
	for (i = 1, ok = true; i < ARRAY_SIZE(data); i++)
		ok &= data[i - 1] != data[i];
	tap_ok(ok, "fb_fill_random no word twice, in four seeds");
}

int main(void)
{
	static const u32 small[] = { 2, 3, 4, 5, 6 };
	static const u32 uniform[] = { 7, 16, 17, 64, 65, 100 };
	static const u64 shuffled[] = { 1000, 4096, 65536, 65537, 1 << 20 };
	size_t i;

	test_hash();
	test_complete();
	for (i = 0; i < ARRAY_SIZE(small); i++)
		test_small(small[i]);
	for (i = 0; i < ARRAY_SIZE(uniform); i++)
		test_uniform(uniform[i]);
	for (i = 0; i < ARRAY_SIZE(shuffled); i++)
		test_shuffled(shuffled[i]);
	test_large(U32_MAX, "2^32 - 1");
	test_large(1ULL << 32, "2^32");
	test_large((1ULL << 32) + 1, "2^32 + 1");
	test_large(U64_MAX, "2^64 - 1");
	test_fill_lengths();
	test_fill_random();
	return tap_done();
}
