// SPDX-License-Identifier: GPL-2.0-only
/*
 * Erase blocks of odd size, or not at multiples of their size: every place of
 * a stretch of the card is tried, and folded with every period.
 */
#include "geometry_impl.h"

#define SCAN_FEWEST	512	/* places */
#define PAGE_FOLD	12	/* steps of any page structure: 384 KiB */
#define LEAST_PERIOD	4	/* steps */
#define PERIODS		8	/* at least so many of them in the stretch */
#define LEAST_Z		600

/**
 * struct fold - places of the same phase, and how they rank
 * @period: steps
 * @phase: steps
 * @z: 100 times the standard score of the sum of their ranks
 */
struct fold {
	u32 period;
	u32 phase;
	s64 z;
};

/* Returns how many places there are, from @start on */
static u32 scan_room(const struct fb_geometry *g, u64 *start)
{
	const struct fb_probe *p = &g->probe;
	u64 length = geo_read_length(g), middle = p->disk_size / 2;
	u64 span = (u64)GEO_SCAN * FB_SCAN_STEP;
	u64 last = p->end - min(p->end, length);

	if (middle < p->start + length || middle + span > last)
		middle = last - min(last, span);
	*start = fb_round_up(max(middle, p->start + length), FB_SCAN_STEP);
	if (*start >= last)
		return 0;
	return min_t(u64, div_u64(last - *start, FB_SCAN_STEP), GEO_SCAN);
}

/* Statistic of every place; where there is no data it is @missing */
static int scan_read(struct fb_geometry *g, u64 start, u32 n, s64 missing)
{
	struct geo_read *r = &g->read;
	u32 done, i;
	int ret;

	for (done = 0; done < n; done += r->ntriples) {
		r->ntriples = 0;
		for (i = done; i < n && r->ntriples < GEO_TRIPLES; i++)
			geo_triple_at(g, start + (u64)i * FB_SCAN_STEP, i);
		ret = geo_triples_read(g);
		if (ret)
			return ret;
		for (i = 0; i < r->ntriples; i++) {
			const struct geo_triple *t = &r->triple[i];

			r->pool[0][t->tag] = geo_triple_valid(g, t) ?
				geo_triple_stat(t, GEO_D) : missing;
		}
	}
	r->ntriples = 0;
	return 0;
}

/* Take out what pages do: the median of every PAGE_FOLD-th place */
static void flatten(struct fb_geometry *g, u32 n, s64 missing)
{
	s64 *v = g->read.pool[0], *part = g->read.pool[1], median;
	u32 phase, i, k;

	for (phase = 0; phase < PAGE_FOLD; phase++) {
		for (i = phase, k = 0; i < n; i += PAGE_FOLD)
			if (v[i] != missing)
				part[k++] = v[i];
		median = fb_median_s64(part, k);
		for (i = phase; i < n; i += PAGE_FOLD)
			v[i] = v[i] == missing ? 0 : v[i] - median;
	}
}

/* Twice the rank of every place; equal ones share */
static void rank_places(struct fb_geometry *g, u32 n)
{
	s64 *v = g->read.pool[0], *sorted = g->read.pool[1];
	u32 i, low, high, half;

	memcpy(sorted, v, n * sizeof(*v));
	fb_median_s64(sorted, n);
	for (i = 0; i < n; i++) {
		for (low = 0, half = n; half > 0;) {
			u32 step = half / 2;

			if (sorted[low + step] < v[i]) {
				low += step + 1;
				half -= step + 1;
			} else {
				half = step;
			}
		}
		for (high = low; high < n && sorted[high] == v[i];)
			high++;
		g->read.rank[i] = low + high + 1;
	}
}

static s64 phase_z100(const u32 *rank, u32 n, u32 period, u32 phase)
{
	u64 sum = 0, m = 0, sigma;
	u32 i;

	for (i = phase; i < n; i += period) {
		sum += rank[i];
		m++;
	}
	sigma = int_sqrt64(div_u64(m * (n - m) * (n + 1) * 10000, 12));
	return div64_s64(((s64)sum - (s64)(m * (n + 1))) * 5000,
			 max(sigma, 1ULL));
}

static void find_fold(const struct fb_geometry *g, u32 n, struct fold *best)
{
	u32 period, phase;
	s64 z;

	*best = (struct fold) { 0 };
	for (period = LEAST_PERIOD; period <= n / PERIODS; period++) {
		for (phase = 0; phase < period; phase++) {
			z = phase_z100(g->read.rank, n, period, phase);
			if (z > best->z)
				*best = (struct fold) { period, phase, z };
		}
		cond_resched();
	}
}

static u32 confidence(s64 z)
{
	if (z >= 800)
		return 930;
	return z >= 700 ? 900 : 820;
}

/**
 * geo_scan() - the erase block, by a scan for any period
 * @g: the inference; what it says of the erase block is only replaced if
 *	there is a period
 *
 * Return: as geo_ask().
 */
int geo_scan(struct fb_geometry *g)
{
	s64 missing = S64_MIN;
	u64 start, size;
	struct fold best;
	char text[FB_TEXT_LEN];
	u32 n = scan_room(g, &start);
	int ret;

	if (n < SCAN_FEWEST)
		return 0;
	ret = scan_read(g, start, n, missing);
	if (ret)
		return ret;
	flatten(g, n, missing);
	rank_places(g, n);
	find_fold(g, n, &best);
	if (best.z < LEAST_Z)
		return 0;
	size = (u64)best.period * FB_SCAN_STEP;
	fb_format_size(text, sizeof(text), size);
	g->erase = size;
	g->read.structure = true;
	geo_say(g, FB_ERASE_BLOCK, size, confidence(best.z), FB_BASIS_READ,
		"a scan has a period of %s, from %llu on", text,
		start + (u64)best.phase * FB_SCAN_STEP);
	return 0;
}
