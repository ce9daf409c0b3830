// SPDX-License-Identifier: GPL-2.0-only
/*
 * Order statistics of latencies, and a line through them.
 *
 * Latencies have a long tail and few of them are outliers, so what describes
 * them is taken from their order: the minimum, the median, a percentile, and
 * as spread the median absolute deviation, which half of the samples can be
 * wrong without moving.
 */
#include "pure.h"

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a;
	u64 y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 midpoint(u64 low, u64 high)
{
	return low + (high - low) / 2;
}

static u64 sorted_median(const u64 *v, size_t n)
{
	return n ? midpoint(v[(n - 1) / 2], v[n / 2]) : 0;
}

/**
 * fb_median() - the middle value
 * @v: values in any order; sorted on return
 * @n: how many
 *
 * Return: the median; the mean of the two middle values, rounded down, if @n
 * is even; 0 if there is no value.
 */
u64 fb_median(u64 *v, size_t n)
{
	sort(v, n, sizeof(*v), compare_u64, NULL);
	return sorted_median(v, n);
}

/**
 * fb_mad() - median absolute deviation
 * @v: values, sorted as fb_median() leaves them; not changed
 * @n: how many
 * @median: what the deviations are taken from, most often their median
 *
 * The values below @median, read downwards, and the others, read upwards, are
 * two sorted sequences of deviations. Merging them up to the middle takes
 * neither memory nor another sort.
 *
 * Return: the median of the deviations, as fb_median() would give it.
 */
u64 fb_mad(u64 *v, size_t n, u64 median)
{
	u64 previous = 0, deviation = 0;
	size_t below = 0, above, i;

	while (below < n && v[below] < median)
		below++;
	above = below;

	for (i = 0; i <= n / 2 && i < n; i++) {
		previous = deviation;
		if (above == n ||
		    (below && median - v[below - 1] < v[above] - median))
			deviation = median - v[--below];
		else
			deviation = v[above++] - median;
	}
	return n % 2 ? deviation : midpoint(previous, deviation);
}

/**
 * fb_stat_fill() - describe the samples of a point
 * @st: its n, min, median, mean, p99, max and spread are set, all 0 if there
 *	are no samples; the other members are not touched
 * @v: latencies in nanoseconds in any order; sorted on return. Their sum must
 *	fit into 64 bits: FB_MAX_OPS of 2^41 ns do
 * @n: how many, without the failed ones
 */
void fb_stat_fill(struct fb_stat *st, u64 *v, size_t n)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];

	st->n = n;
	st->median = fb_median(v, n);
	st->spread = fb_mad(v, n, st->median);
	st->mean = n ? div64_u64(sum, n) : 0;
	st->min = n ? v[0] : 0;
	st->max = n ? v[n - 1] : 0;
	/* nearest rank: the ceiling of 99 n / 100, counted from 1 */
	st->p99 = n ? v[n - n / 100 - 1] : 0;
}

/*
 * a * b / c, rounded down; U64_MAX if it (almost) does not fit. Exact, which
 * mul_u64_u64_div_u64() is not on every machine and kernel that we support:
 * after the whole multiples of @c in @a are taken out, @b is gone through bit
 * by bit with the remainder kept below @c all the time.
 */
static u64 mul_div(u64 a, u64 b, u64 c)
{
	u64 rest, whole, quotient = 0, remainder = 0;
	int bit;

	whole = div64_u64_rem(a, c, &rest);
	if (b && whole >= div64_u64(U64_MAX, b))
		return U64_MAX;
	for (bit = fls64(b) - 1; bit >= 0; bit--) {
		bool carry = remainder >= c - remainder;

		quotient = 2 * quotient + carry;
		remainder = carry ? remainder - (c - remainder) : 2 * remainder;
		if (!(b >> bit & 1))
			continue;
		carry = remainder >= c - rest;
		quotient += carry;
		remainder = carry ? remainder - (c - rest) : remainder + rest;
	}
	return whole * b + quotient;
}

/**
 * fb_rate() - bytes per second
 * @bytes: how many, any value
 * @ns: in this many nanoseconds, any value
 *
 * Return: the rate, rounded down; 0 if @ns is 0, U64_MAX if it is larger.
 */
u64 fb_rate(u64 bytes, u64 ns)
{
	return ns ? mul_div(bytes, NSEC_PER_SEC, ns) : 0;
}

#define FIT_MAX_POINTS	64
#define FIT_TIME_BITS	35

/**
 * fb_fit_line() - the line through points, by least squares
 * @bytes: sizes, multiples of 512 up to FB_MAX_LEN
 * @ns: the time that each takes, less than 2^40 ns
 * @n: how many points, 2 to 64
 * @fit: the line
 *
 * With x the sizes in units of 512 bytes, X = n*x - sum(x), whose sum is 0,
 * and y the times less the shortest, the slope is sum(X*y) / sum(X*x) and the
 * line goes through the two means. All of this is exact in integers, and fits:
 *
 *	x <= 2^17, so |X| <= 2^23, and the sum of all |X| is at most
 *	n * n * 2^17 / 2 = 2^28 (half of the points at either end)
 *	sum(X*x) <= 2^28 * 2^17 = 2^45
 *	|sum(X*y)| <= 2^28 * 2^35 = 2^63, and less since y < 2^35
 *
 * If times are more than 34 s apart, which takes more than 35 bits, y loses
 * its lowest ones: 5 of 40, that is 32 ns in 18 minutes. The slope is at most
 * 2^40 ns a unit, because it is a mean of the slopes between pairs of points,
 * so slope * sum(x) is below 2^63.
 *
 * Return: 0; -EINVAL if there are fewer than two points, no two different
 * sizes, or numbers outside of these bounds.
 */
int fb_fit_line(const u64 *bytes, const u64 *ns, size_t n, struct fb_fit *fit)
{
	u64 sum_x = 0, sum_y = 0, shortest = U64_MAX, longest = 0, rise;
	s64 sum_xx = 0, sum_xy = 0;
	int drop;
	size_t i;

	if (n < 2 || n > FIT_MAX_POINTS)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (bytes[i] > FB_MAX_LEN || ns[i] >> 40)
			return -EINVAL;
		sum_x += bytes[i] >> 9;
		sum_y += ns[i];
		shortest = min(shortest, ns[i]);
		longest = max(longest, ns[i]);
	}
	drop = max(fls64(longest - shortest) - FIT_TIME_BITS, 0);

	for (i = 0; i < n; i++) {
		s64 x = bytes[i] >> 9;
		s64 centred = (s64)n * x - (s64)sum_x;

		sum_xx += centred * x;
		sum_xy += centred * (s64)((ns[i] - shortest) >> drop);
	}
	if (!sum_xx)
		return -EINVAL;

	rise = sum_xy < 0 ? -(u64)sum_xy : (u64)sum_xy;
	fit->rate = sum_xy > 0 ?
		mul_div((u64)sum_xx << 9, NSEC_PER_SEC, rise) >> drop : 0;
	/* two divisions, because the difference of two such sums may not fit */
	rise = div_u64(mul_div(sum_x << drop, rise, sum_xx), n);
	fit->fixed_ns = div_u64(sum_y, n);
	if (sum_xy < 0)
		fit->fixed_ns += rise;
	else
		fit->fixed_ns -= rise;
	return 0;
}
