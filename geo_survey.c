// SPDX-License-Identifier: GPL-2.0-only
/*
 * Areas that were never written: many cards answer from their tables there,
 * without a look at the flash, which says nothing of its structure.
 */
#include "geometry_impl.h"

#define SURVEY_FEWEST	4	/* so few of either kind may be chance */
#define SURVEY_RATIO	106	/* between the two kinds, at least, per cent */
#define SURVEY_NEAR	(256u << 10)	/* an area is larger than this */

static int compare_spots(const void *a, const void *b)
{
	u64 x = ((const struct geo_spot *)a)->ns;
	u64 y = ((const struct geo_spot *)b)->ns;

	return x < y ? -1 : x > y;
}

static int read_spots(struct fb_geometry *g)
{
	u32 i;

	for (i = 0; i < GEO_SPOTS; i++)
		geo_want(g, FB_READ, g->read.spot[i].at, geo_read_length(g));
	return geo_ask(g);
}

/* Somewhere in [low, high), as far as that may be read */
static u64 choose_place(struct fb_geometry *g, u64 low, u64 high)
{
	u32 length = geo_read_length(g);
	u64 first = div64_u64(max(low, g->probe.start) + length - 1, length);
	u64 end = div64_u64(min(high, g->probe.end), length);

	return (first + geo_below(g, end - first)) * length;
}

static void choose_spots(struct fb_geometry *g)
{
	u32 i;

	for (i = 0; i < GEO_SPOTS; i++)
		g->read.spot[i] = (struct geo_spot) {
			.at = choose_place(g, 0, U64_MAX), .ns = U64_MAX,
		};
}

/* Where, among the sorted times, the slow ones begin: those with data */
static u32 find_gap(const struct geo_spot *spot)
{
	u64 best = SURVEY_RATIO, ratio;
	u32 i, gap = 0;

	for (i = SURVEY_FEWEST; i <= GEO_SPOTS - SURVEY_FEWEST; i++) {
		ratio = div64_u64(spot[i].ns * 100, max(spot[i - 1].ns, 1ULL));
		if (ratio >= best) {
			best = ratio;
			gap = i;
		}
	}
	return gap;
}

/*
 * Is that so all around each of the places? It is not where they were fast or
 * slow by chance, or because pages differ, or because a piece of the mapping
 * happened to be in memory.
 */
static int confirm_gap(struct fb_geometry *g, u32 gap, u64 cut, bool *same)
{
	struct geo_spot *spot = g->read.spot;
	u32 i, round, fast = 0, slow = 0;
	int ret;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < GEO_SPOTS; i++)
			spot[i].at = choose_place(g, spot[i].at -
						  min(spot[i].at,
						      (u64)SURVEY_NEAR),
						  spot[i].at + SURVEY_NEAR);
		ret = read_spots(g);
		if (ret)
			return ret;
		for (i = 0; i < gap; i++)
			slow += g->ns[i] >= cut;
		for (; i < GEO_SPOTS; i++)
			fast += g->ns[i] < cut;
	}
	*same = slow * 4 <= 2 * gap && fast * 4 <= 2 * (GEO_SPOTS - gap);
	return 0;
}

/**
 * geo_survey() - look for areas without data
 * @g: the inference; gets g->read.cut
 *
 * Return: as geo_ask().
 */
int geo_survey(struct fb_geometry *g)
{
	struct geo_read *r = &g->read;
	struct geo_spot *spot = r->spot;
	bool same = false;
	u32 i, round, gap;
	int ret;
	u64 cut;

	if (g->probe.end - g->probe.start < SURVEY_NEAR)
		return 0;
	choose_spots(g);
	r->surveyed = GEO_SPOTS;
	for (round = 0; round < 2; round++) {
		ret = read_spots(g);
		if (ret)
			return ret;
		for (i = 0; i < GEO_SPOTS; i++)
			spot[i].ns = min(spot[i].ns, g->ns[i]);
		sort(spot, GEO_SPOTS, sizeof(*spot), compare_spots, NULL);
		gap = find_gap(spot);
		if (!gap)
			return 0;
	}
	cut = spot[gap - 1].ns + (spot[gap].ns - spot[gap - 1].ns) / 2;
	ret = confirm_gap(g, gap, cut, &same);
	if (same) {
		r->cut = cut;
		r->unwritten = gap;
	}
	return ret;
}

/**
 * geo_written() - say what there is without data
 * @g: the inference, after the reads
 *
 * That all reads are alike means all data or none; where a structure shows,
 * there is data.
 *
 * Return: 0.
 */
int geo_written(struct fb_geometry *g)
{
	const struct geo_read *r = &g->read;
	char value[FB_TEXT_LEN];

	scnprintf(value, sizeof(value), "%u/%u", r->unwritten, r->surveyed);
	if (!r->surveyed)
		geo_unknown(g, FB_UNWRITTEN, FB_BASIS_NONE, "too little room");
	else if (r->unwritten)
		geo_say_text(g, FB_UNWRITTEN, value, r->unwritten, FB_SURE,
			     FB_BASIS_READ, "so many places answer at once");
	else if (r->structure)
		geo_say_text(g, FB_UNWRITTEN, value, 0, 900, FB_BASIS_READ,
			     "all alike, and they show structure");
	else
		geo_unknown(g, FB_UNWRITTEN, FB_BASIS_READ,
			    "all places alike: all written or none");
	return 0;
}
