// SPDX-License-Identifier: GPL-2.0-only
/*
 * Are these values larger than those, and by how much? From their order alone,
 * so that one value in ten can be anything: Mann and Whitney's test, the
 * estimate of Hodges and Lehmann that belongs to it, and Wald's sequential test
 * of single signs.
 *
 * Nothing here overflows if there are at most 4096 values of less than 2^60.
 */
#include "pure.h"

static int compare_s64(const void *a, const void *b)
{
	s64 x = *(const s64 *)a;
	s64 y = *(const s64 *)b;

	return x < y ? -1 : x > y;
}

static void sort_s64(s64 *v, size_t n)
{
	sort(v, n, sizeof(*v), compare_s64, NULL);
}

/* The mean of two values, rounded towards the lower one */
static s64 between(s64 low, s64 high)
{
	return low + (s64)((u64)(high - low) / 2);
}

/**
 * fb_median_s64() - the middle value
 * @v: values in any order; sorted on return
 * @n: how many
 *
 * Return: the median; the mean of the two middle values, rounded down, if @n
 * is even; 0 if there is no value.
 */
s64 fb_median_s64(s64 *v, size_t n)
{
	sort_s64(v, n);
	return n ? between(v[(n - 1) / 2], v[n / 2]) : 0;
}

/* 100 times the standard deviation of U if both samples are of one kind */
static u32 rank_sigma100(u64 n, u64 m)
{
	return int_sqrt64(div_u64(n * m * (n + m + 1) * 10000, 12));
}

/**
 * fb_rank_z100() - are the values of one sample larger than another's?
 * @a: one sample; sorted on return
 * @n: values in it
 * @b: another one; sorted on return
 * @m: values in it
 *
 * The test of Mann and Whitney; equal values count half.
 *
 * Return: 100 times its standard score, positive if those of @b are larger; 0
 * if either sample is empty.
 */
s64 fb_rank_z100(s64 *a, size_t n, s64 *b, size_t m)
{
	size_t less = 0, not_more = 0, i;
	u64 twice_u = 0;

	if (!n || !m)
		return 0;
	sort_s64(a, n);
	sort_s64(b, m);
	for (i = 0; i < m; i++) {
		while (less < n && a[less] < b[i])
			less++;
		while (not_more < n && a[not_more] <= b[i])
			not_more++;
		twice_u += less + not_more;
	}
	return div64_s64(((s64)twice_u - (s64)(n * m)) * 5000,
			 rank_sigma100(n, m));
}

/* How many of the n * m differences b - a are at most @limit; both sorted */
static u64 count_differences(const s64 *a, size_t n, const s64 *b, size_t m,
			     s64 limit)
{
	size_t i, j = n;
	u64 count = 0;

	/* the larger b, the fewer a are small enough to be too far below it */
	for (i = m; i-- > 0;) {
		while (j && b[i] - a[j - 1] <= limit)
			j--;
		count += n - j;
	}
	return count;
}

/* The difference b - a that has @rank smaller ones; both sorted */
static s64 nth_difference(const s64 *a, size_t n, const s64 *b, size_t m,
			  u64 rank)
{
	s64 low = b[0] - a[n - 1];
	s64 high = b[m - 1] - a[0];

	while (low < high) {
		s64 middle = between(low, high);

		if (count_differences(a, n, b, m, middle) > rank)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/**
 * fb_shift() - by how much the values of one sample are larger than another's
 * @a: one sample; sorted on return
 * @n: values in it, at least 1
 * @b: another one; sorted on return
 * @m: values in it, at least 1
 * @z100: 100 times the standard score for the interval: 258 for 99 %
 * @low: gets the lower end of the interval of the shift
 * @high: gets the upper end
 *
 * Hodges and Lehmann: the median of all differences between a value of @b and
 * one of @a, and the interval of those that the test of Mann and Whitney does
 * not reject. The differences are never stored: for any limit, one walk over
 * both samples counts those below it, and bisection finds the limit.
 *
 * Return: the shift.
 */
s64 fb_shift(s64 *a, size_t n, s64 *b, size_t m, u32 z100, s64 *low, s64 *high)
{
	u64 pairs = n * m;
	u64 width = div_u64((u64)z100 * rank_sigma100(n, m), 10000) + 1;
	u64 first = pairs / 2 > width ? pairs / 2 - width : 0;

	sort_s64(a, n);
	sort_s64(b, m);
	*low = nth_difference(a, n, b, m, first);
	*high = nth_difference(a, n, b, m, pairs - 1 - first);
	return between(nth_difference(a, n, b, m, (pairs - 1) / 2),
		       nth_difference(a, n, b, m, pairs / 2));
}

#define SIGN_LIMIT	6
#define SIGN_MOST	40

/**
 * fb_sign_add() - one more sample for a sequential sign test
 * @sign: the test, zeroed before its first sample
 * @above: the sample is above the limit
 *
 * Wald's test of "8 in 10 are above" against "2 in 10 are": either is said
 * wrongly once in 4096 times. Samples after the decision do not count.
 */
void fb_sign_add(struct fb_sign *sign, bool above)
{
	if (fb_sign_done(sign))
		return;
	sign->n++;
	sign->balance += above ? 1 : -1;
}

/**
 * fb_sign_done() - is another sample of no use?
 * @sign: the test
 *
 * Return: true if it is decided or has had its samples.
 */
bool fb_sign_done(const struct fb_sign *sign)
{
	return fb_sign_result(sign) || sign->n >= SIGN_MOST;
}

/**
 * fb_sign_result() - what it says
 * @sign: the test
 *
 * Return: 1 above, -1 below, 0 undecided.
 */
int fb_sign_result(const struct fb_sign *sign)
{
	if (sign->balance >= SIGN_LIMIT)
		return 1;
	return sign->balance <= -SIGN_LIMIT ? -1 : 0;
}
