// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an align table of the old command says.
 *
 * A table is read where it stands: no copies, no sorting. Tables are short,
 * and the time to find an order statistic by counting does not matter.
 */
#include "interpret.h"

#define FIRST_ERASE	(64u << 10)	/* no erase block is smaller */
#define PLATEAU_LOW	(48u << 10)	/* sizes above any page and below any */
#define PLATEAU_HIGH	(512u << 10)	/* but the smallest erase blocks */

#define MIN_BELOW	2	/* rows on either side of a step */
#define MIN_ABOVE	3
#define MIN_THREES	6	/* rows of 3 * 2^k that make a chain */

/* Quality of a step, per mille of the noise */
#define QUALITY_SOME	2500
#define QUALITY_GOOD	4500
#define QUALITY_BEST	8000

enum table_stat {
	STAT_D,		/* 2 * on - pre - post */
	STAT_E,		/* 2 * (on - the larger one of pre and post) */
	STAT_BASE,	/* pre + post */
};

/**
 * struct view - some of the rows, and one number of each
 * @row: all of them
 * @n: how many
 * @odd: only sizes that are this times a power of 2; 0: all
 * @low: only sizes from here
 * @high: to below here
 * @stat: which number
 * @absolute: its distance from @centre instead
 * @centre: for @absolute
 */
struct view {
	const struct fb_align_row *row;
	u32 n;
	u32 odd;
	u64 low;
	u64 high;
	enum table_stat stat;
	bool absolute;
	s64 centre;
};

/**
 * struct step - a step up in a chain of sizes
 * @at: size of the first row above it; 0: there is none
 * @quality: how well it stands out
 * @middle: between below and above
 * @errors: rows on the wrong side of @middle
 * @stat: where it was seen
 */
struct step {
	u64 at;
	s64 quality;
	s64 middle;
	u32 errors;
	enum table_stat stat;
};

static s64 magnitude(s64 x)
{
	return x < 0 ? -x : x;
}

static u64 odd_part(u64 x)
{
	while (x && !(x & 1))
		x >>= 1;
	return x;
}

static s64 row_stat(const struct fb_align_row *r, enum table_stat stat)
{
	switch (stat) {
	case STAT_D:
		return 2 * r->on - r->pre - r->post;
	case STAT_E:
		return 2 * (r->on - max(r->pre, r->post));
	default:
		return r->pre + r->post;
	}
}

/* The number of row @i, if the view shows it */
static bool view_get(const struct view *v, u32 i, s64 *x)
{
	const struct fb_align_row *r = &v->row[i];

	if (r->align < v->low || r->align >= v->high ||
	    (v->odd && odd_part(r->align) != v->odd))
		return false;
	*x = row_stat(r, v->stat);
	if (v->absolute)
		*x = magnitude(*x - v->centre);
	return true;
}

static u32 view_count(const struct view *v)
{
	u32 i, count = 0;
	s64 x;

	for (i = 0; i < v->n; i++)
		count += view_get(v, i, &x);
	return count;
}

/* The number that @rank others come before */
static s64 view_nth(const struct view *v, u32 rank)
{
	u32 i, j, less, same;
	s64 x, y;

	for (i = 0; i < v->n; i++) {
		if (!view_get(v, i, &x))
			continue;
		less = 0;
		same = 0;
		for (j = 0; j < v->n; j++) {
			if (!view_get(v, j, &y))
				continue;
			less += y < x;
			same += y == x;
		}
		if (less <= rank && rank < less + same)
			return x;
	}
	return 0;
}

static s64 view_median(const struct view *v)
{
	u32 n = view_count(v);

	if (!n)
		return 0;
	return div_s64(view_nth(v, (n - 1) / 2) + view_nth(v, n / 2), 2);
}

static s64 view_mad(const struct view *v, s64 median)
{
	struct view distance = *v;

	distance.absolute = true;
	distance.centre = median;
	return view_median(&distance);
}

/* How many are below @middle, or above it */
static u32 view_beyond(const struct view *v, s64 middle, bool above)
{
	u32 i, count = 0;
	s64 x;

	for (i = 0; i < v->n; i++)
		if (view_get(v, i, &x))
			count += above ? x > middle : x < middle;
	return count;
}

/* The largest size the view shows below @limit; 0: none */
static u64 view_last(const struct view *v, u64 limit, s64 *x)
{
	u64 last = 0;
	s64 y;
	u32 i;

	for (i = 0; i < v->n; i++) {
		if (v->row[i].align >= limit || v->row[i].align <= last ||
		    !view_get(v, i, &y))
			continue;
		last = v->row[i].align;
		*x = y;
	}
	return last;
}

/* Size @at alone, if the table has it */
static struct view one_size(const struct view *all, u64 at)
{
	struct view v = *all;

	v.low = at;
	v.high = at + 1;
	return v;
}

/* ---- erase block ---- */

/* A step of the chain below size @at; @base is what reads take, twice */
static void split(const struct view *chain, u64 at, s64 base, struct step *s)
{
	struct view below = *chain, above = *chain;
	s64 low, high, noise, before = 0, after = 0;
	u32 nbelow, nabove;

	below.high = at;
	above.low = at;
	nbelow = view_count(&below);
	nabove = view_count(&above);
	*s = (struct step) { .at = at, .stat = chain->stat };
	if (nbelow < MIN_BELOW || nabove < MIN_ABOVE)
		return;
	low = view_median(&below);
	high = view_median(&above);
	if (1000 * (high - low) <= 6 * base)
		return;
	view_last(chain, at, &before);
	view_last(chain, at + 1, &after);
	if (2 * (after - before) < high - low)
		return;
	noise = div_s64(view_mad(&below, low) * nbelow +
			view_mad(&above, high) * nabove, nbelow + nabove);
	noise = max_t(s64, noise + div_s64(base, 1000), 1);
	s->middle = div_s64(low + high, 2);
	s->errors = view_beyond(&below, s->middle, true) +
		    view_beyond(&above, s->middle, false);
	s->quality = div64_s64(1000 * (high - low), noise);
	s->quality = div_s64(s->quality, 1 + 4 * s->errors);
}

static struct step best_step(const struct view *chain, s64 base)
{
	struct step s, best = { 0 };
	u64 at = chain->high;
	s64 x;

	while ((at = view_last(chain, at, &x))) {
		split(chain, at, base, &s);
		if (s.quality > best.quality)
			best = s;
	}
	return best;
}

/* Is size @at above the step? False in @known: there is no such row */
static bool is_above(const struct view *all, const struct step *s, u64 at,
		     bool *known)
{
	struct view one = one_size(all, at);

	one.odd = 0;
	one.stat = s->stat;
	*known = view_count(&one);
	return view_median(&one) > s->middle;
}

static u32 step_confidence(const struct step *s, bool contradicted)
{
	s64 confidence = 1000;

	confidence -= s->quality >= QUALITY_BEST ? 60 :
		      s->quality >= QUALITY_GOOD ? 150 : 350;
	confidence -= 60 * (s64)s->errors;
	if (contradicted)
		confidence -= 150;
	return max_t(s64, confidence, 0);
}

static u32 less(u32 confidence, u32 by)
{
	return confidence - min(confidence, by);
}

static void find_erase(const struct view *chain, struct fb_align_answer *a)
{
	struct view v = *chain;
	struct step d, e, s;
	bool known;
	s64 base;

	v.stat = STAT_BASE;
	base = view_median(&v);
	v.stat = STAT_D;
	d = best_step(&v, base);
	v.stat = STAT_E;
	e = best_step(&v, base);
	s = e.quality > 2 * d.quality ? e : d;
	if (s.quality < QUALITY_SOME) {
		a->why = FB_TABLE_NO_STEP;
		return;
	}
	a->erase = s.at;
	a->confidence = step_confidence(&s, d.at && e.at && d.at != e.at);
	if (chain->odd == 1) {
		a->odd_open = true;
		a->confidence = less(a->confidence, 150);
	} else if (is_above(&v, &s, div_u64(s.at, 3), &known) && known) {
		a->erase = div_u64(s.at, 3);
	} else if (!known) {
		a->confidence = less(a->confidence, 100);
	}
	if (a->confidence < (a->odd_open ? FB_TABLE_LOW : FB_LIKELY))
		a->why = FB_TABLE_WEAK;
}

/* ---- pages ---- */

/*
 * The smallest size whose value exceeds @limit; so must that of the double
 * size, if the table has it.
 */
static u64 first_above(const struct view *all, s64 limit)
{
	u64 first = 0, at = U64_MAX;
	struct view twice;
	s64 x;

	while ((at = view_last(all, at, &x))) {
		twice = one_size(all, 2 * at);
		if (x > limit &&
		    view_beyond(&twice, limit, true) == view_count(&twice))
			first = at;
	}
	return first;
}

/* The lower one of the values of the two smallest sizes */
static s64 lowest_value(const struct view *all)
{
	s64 x, first = S64_MAX, second = S64_MAX;
	u64 at = U64_MAX;

	while ((at = view_last(all, at, &x))) {
		second = first;
		first = x;
	}
	return min(first, second);
}

static void find_pages(const struct view *chain, struct fb_align_answer *a)
{
	struct view v = *chain;
	s64 floor, plateau;
	u64 page;

	v.stat = STAT_D;
	v.low = PLATEAU_LOW;
	v.high = PLATEAU_HIGH + 1;
	plateau = view_median(&v);
	v.odd = 0;
	v.low = 0;
	v.high = U64_MAX;
	floor = lowest_value(&v);
	if (plateau <= floor)
		return;
	plateau -= floor;
	a->super_page = first_above(&v, floor + div_s64(7 * plateau, 10));
	page = first_above(&v, floor + div_s64(plateau, 10));
	if (page < a->super_page)
		a->page = page;
}

/**
 * fb_interpret_align() - erase block and pages from an align table
 * @row: its rows, in any order; times below 2^48 ns
 * @n: how many
 * @a: gets the answer
 */
void fb_interpret_align(const struct fb_align_row *row, u32 n,
			struct fb_align_answer *a)
{
	struct view chain = { .row = row, .n = n, .odd = 3, .high = U64_MAX };

	*a = (struct fb_align_answer) { .why = FB_TABLE_TELLS };
	if (view_count(&chain) < MIN_THREES)
		chain.odd = 1;
	find_pages(&chain, a);
	chain.low = FIRST_ERASE;
	if (view_count(&chain) < MIN_BELOW + MIN_ABOVE)
		a->why = FB_TABLE_FEW_ROWS;
	else
		find_erase(&chain, a);
}
