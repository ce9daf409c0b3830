// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling by reads: places, triples of reads round a boundary, and chains of
 * places at doubling distances.
 *
 * A boundary of a structure of size S lies at every multiple of S. At k * P,
 * with k prime to 2, 3, 5 and 7, a read across meets the boundaries of exactly
 * those structures whose size divides P (but for larger prime factors). How
 * much longer it takes than reads on either side is then the sum of what they
 * cost.
 */
#include "geometry_impl.h"

#define MARGIN		0x100000ULL	/* nobody's usual data, at either end */
#define MANY_PLACES	5000
#define FEW_PLACES	20
#define SLOW		112	/* per cent of a read's usual time */
#define STRETCH		5	/* so many slow ones in a row are no chance */

/**
 * geo_read_length() - length of the reads of a triple
 * @g: the inference
 *
 * Return: bytes; half of it is one logical block at least, so that the read in
 * the middle can lie across a boundary.
 */
u32 geo_read_length(const struct fb_geometry *g)
{
	return 2 * max(g->probe.logical_block, 512u);
}

/* Multiples of @step that have room for a triple: *first to *last */
static bool places_between(const struct fb_geometry *g, u64 step, u64 *first,
			   u64 *last)
{
	const struct fb_probe *p = &g->probe;
	u32 length = geo_read_length(g);
	u64 low = max(p->start + length, MARGIN);
	u64 high = min(p->end, p->disk_size - min(p->disk_size, MARGIN));

	if (high < low + length)
		return false;
	*first = div64_u64(low + step - 1, step);
	*last = div64_u64(high - length, step);
	return *first <= *last;
}

/*
 * Is this multiple a boundary of the step's divisors only? The more there are
 * to choose from, the more of the others are kept out.
 */
static bool is_coprime(u64 k, u64 places)
{
	static const u8 primes[] = { 2, 3, 5, 7, 11, 13, 43 };
	u32 i, rest, n = ARRAY_SIZE(primes);

	if (places < MANY_PLACES)
		n = places < FEW_PLACES ? 2 : 4;
	for (i = 0; i < n; i++) {
		div_u64_rem(k, primes[i], &rest);
		if (!rest)
			return false;
	}
	return true;
}

/**
 * geo_places() - how many places there are
 * @g: the inference
 * @step: of its multiples, bytes
 * @most: more do not matter
 *
 * Return: how many, @most at most.
 */
u32 geo_places(const struct fb_geometry *g, u64 step, u32 most)
{
	u64 k, first, last;
	u32 n = 0;

	if (!places_between(g, step, &first, &last))
		return 0;
	for (k = first; k <= last && n < most; k++)
		n += is_coprime(k, last - first + 1);
	return n;
}

/**
 * geo_triple_at() - add a triple to the batch
 * @g: the inference; its batch has room
 * @at: the boundary, bytes
 * @tag: what it will be known by
 */
void geo_triple_at(struct fb_geometry *g, u64 at, u32 tag)
{
	static const u8 orders[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	struct geo_triple *t = &g->read.triple[g->read.ntriples++];

	*t = (struct geo_triple) { .at = at, .tag = tag };
	memcpy(t->order, orders[geo_below(g, 6)], sizeof(t->order));
}

/**
 * geo_triple_near() - add a triple to the batch, at a random place
 * @g: the inference; its batch has room
 * @step: at a multiple of this, bytes; geo_places() knows of one at least
 * @tag: what it will be known by
 */
void geo_triple_near(struct fb_geometry *g, u64 step, u32 tag)
{
	u64 first, last, k, places;

	if (!places_between(g, step, &first, &last))
		return;
	places = last - first + 1;
	k = first + geo_below(g, places);
	while (!is_coprime(k, places))
		k = k < last ? k + 1 : first;
	geo_triple_at(g, k * step, tag);
}

/*
 * The batch is shuffled, so a structure does not make one read beside its
 * boundary after another slow: somebody else was at work. Where all triples are
 * of one kind, nothing but this tells such a stretch from what they are about.
 * Reads across boundaries may be slow for both reasons and do not count.
 */
static void mark_stretches(struct fb_geometry *g, int pass)
{
	struct geo_triple *t = g->read.triple;
	u64 limit = div_u64(g->read.usual * SLOW, 100);
	u32 i, k, first = 0, run = 0;

	for (i = 0; i < g->read.ntriples; i++) {
		if (!limit || g->ns[i] <= limit) {
			first = i + 1;
			run = 0;
			continue;
		}
		run += t[i].order[pass] != 1;
		for (k = first; run >= STRETCH && k <= i; k++)
			t[k].slow = true;
	}
}

/*
 * Two reads of a triple must not come close to each other: a page buffer, a
 * read-ahead or a piece of the mapping table loaded by one would make the next
 * one cheaper. So the batch is gone through three times in the same shuffled
 * order, one read of each triple at a time, and which one is up to chance.
 */
static int read_pass(struct fb_geometry *g, int pass)
{
	u32 i, length = geo_read_length(g);
	struct geo_triple *t;
	int ret;

	for (i = 0; i < g->read.ntriples; i++) {
		t = &g->read.triple[i];
		geo_want(g, FB_READ, t->at - length +
			 t->order[pass] * (length / 2), length);
	}
	ret = geo_ask(g);
	if (ret)
		return ret;
	for (i = 0; i < g->read.ntriples; i++) {
		t = &g->read.triple[i];
		t->ns[t->order[pass]] = g->ns[i];
	}
	mark_stretches(g, pass);
	return 0;
}

/**
 * geo_triples_read() - read the batch of triples
 * @g: the inference; g->read.triple[] is shuffled on return and has the times
 *
 * The caller empties the batch, by g->read.ntriples.
 *
 * Return: as geo_ask().
 */
int geo_triples_read(struct fb_geometry *g)
{
	struct geo_triple *t = g->read.triple, moved;
	int pass, ret = 0;
	u32 i, other;

	for (i = g->read.ntriples; i > 1; i--) {
		other = geo_below(g, i);
		moved = t[other];
		t[other] = t[i - 1];
		t[i - 1] = moved;
	}
	for (pass = 0; pass < 3 && !ret; pass++)
		ret = read_pass(g, pass);
	return ret;
}

/**
 * geo_triple_valid() - does it tell anything?
 * @g: the inference
 * @t: a triple with its times
 *
 * Return: false if a read besides the boundary met an area without data, or
 * one was made in a slow stretch.
 */
bool geo_triple_valid(const struct fb_geometry *g, const struct geo_triple *t)
{
	return !t->slow && min(t->ns[0], t->ns[2]) >= g->read.cut;
}

/**
 * geo_triple_stat() - how much longer does the read across take?
 * @t: a triple with its times
 * @stat: as compared to both of the others, or to the slower one
 *
 * Return: twice the time, ns.
 */
s64 geo_triple_stat(const struct geo_triple *t, enum geo_stat stat)
{
	s64 before = t->ns[0], on = t->ns[1], after = t->ns[2];

	if (stat == GEO_D)
		return 2 * on - before - after;
	return 2 * (on - max(before, after));
}

/* ---- chains ---- */

/**
 * geo_chain_start() - a new chain, without samples
 * @g: the inference
 * @first: step of its first level, bytes
 * @last: step of its last level at most, bytes
 * @places: that the last level must have at least
 */
void geo_chain_start(struct fb_geometry *g, u64 first, u64 last, u32 places)
{
	struct geo_chain *c = &g->read.chain;
	u64 step;

	memset(c, 0, sizeof(*c));
	for (step = first; step <= last && c->levels < GEO_LEVELS; step *= 2) {
		if (geo_places(g, step, places) < places)
			break;
		c->step[c->levels++] = step;
	}
}

/**
 * geo_chain_below() - a new chain, on top of it what is known of the last one
 * @g: the inference; g->read.inside levels of the last chain are kept if it
 *	begins where this one ends
 * @first: step of its first level, bytes
 * @last: step of its last level at most, bytes
 * @places: that the last level must have at least
 *
 * Return: the last level of which samples are to be taken; 0 if there is one
 * level at most.
 */
u32 geo_chain_below(struct fb_geometry *g, u64 first, u64 last, u32 places)
{
	struct geo_chain *c = &g->read.chain, *old = &g->read.kept;
	u32 i, stat, top, keep = g->read.inside;

	*old = *c;
	geo_chain_start(g, first, last, places);
	top = c->levels - min(c->levels, 1u);
	if (!top || old->step[0] != c->step[top])
		return top;
	/* one level is left for a step in between */
	keep = min(keep, GEO_LEVELS - 1 - top);
	for (i = 0; i < keep; i++) {
		c->step[top + i] = old->step[i];
		c->n[top + i] = old->n[i];
		for (stat = 0; stat < GEO_STATS; stat++)
			memcpy(c->sample[stat][top + i], old->sample[stat][i],
			       sizeof(old->sample[stat][i]));
		memcpy(c->base[top + i], old->base[i], sizeof(old->base[i]));
	}
	c->levels = max(c->levels, top + keep);
	return top;
}

static int chain_read(struct fb_geometry *g)
{
	struct geo_chain *c = &g->read.chain;
	int ret = geo_triples_read(g);
	u32 i, n, level;

	for (i = 0; i < g->read.ntriples && !ret; i++) {
		const struct geo_triple *t = &g->read.triple[i];

		level = t->tag;
		n = c->n[level];
		if (n == GEO_DEPTH || !geo_triple_valid(g, t))
			continue;
		c->sample[GEO_D][level][n] = geo_triple_stat(t, GEO_D);
		c->sample[GEO_E][level][n] = geo_triple_stat(t, GEO_E);
		c->base[level][n] = t->ns[0] + t->ns[2];
		c->n[level]++;
	}
	g->read.ntriples = 0;
	if (!ret)
		g->read.usual = div_s64(geo_chain_base(g), 2);
	return ret;
}

/**
 * geo_chain_fill() - take samples of some levels of the chain
 * @g: the inference
 * @low: first level
 * @high: last level
 * @n: so many samples each are wanted. On a card that is mostly without data
 *	there may be fewer
 *
 * Return: as geo_ask().
 */
int geo_chain_fill(struct fb_geometry *g, u32 low, u32 high, u32 n)
{
	struct geo_chain *c = &g->read.chain;
	u32 i, level, had[GEO_LEVELS];
	int try, ret = 0;

	for (try = 0; try < (g->read.cut ? 8 : 2); try++) {
		memcpy(had, c->n, sizeof(had));
		for (i = 0; i < n; i++) {
			for (level = low; level <= high; level++) {
				if (had[level] + i >= n)
					continue;
				geo_triple_near(g, c->step[level], level);
				if (g->read.ntriples == GEO_TRIPLES)
					ret = chain_read(g);
				if (ret)
					return ret;
			}
		}
		if (g->read.ntriples)
			ret = chain_read(g);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * geo_chain_pool() - put the samples of some levels together
 * @g: the inference
 * @which: g->read.pool[] that gets them
 * @stat: which statistic
 * @low: first level
 * @high: last level
 *
 * Return: how many.
 */
u32 geo_chain_pool(struct fb_geometry *g, int which, enum geo_stat stat,
		   u32 low, u32 high)
{
	const struct geo_chain *c = &g->read.chain;
	u32 level, n = 0;

	for (level = low; level <= high; level++) {
		memcpy(&g->read.pool[which][n], c->sample[stat][level],
		       c->n[level] * sizeof(s64));
		n += c->n[level];
	}
	return n;
}

/**
 * geo_chain_median() - of the samples of some levels
 * @g: the inference
 * @stat: which statistic
 * @low: first level
 * @high: last level
 *
 * Return: the median; 0 if there are none.
 */
s64 geo_chain_median(struct fb_geometry *g, enum geo_stat stat, u32 low,
		     u32 high)
{
	u32 n = geo_chain_pool(g, 0, stat, low, high);

	return fb_median_s64(g->read.pool[0], n);
}

/**
 * geo_chain_base() - twice the time of a read besides the boundaries
 * @g: the inference
 *
 * Return: the median over all levels, ns.
 */
s64 geo_chain_base(struct fb_geometry *g)
{
	const struct geo_chain *c = &g->read.chain;
	u32 level, n = 0;

	for (level = 0; level < c->levels; level++) {
		memcpy(&g->read.pool[0][n], c->base[level],
		       c->n[level] * sizeof(s64));
		n += c->n[level];
	}
	return fb_median_s64(g->read.pool[0], n);
}

/* ---- sequential tests ---- */

static u32 open_trials(const struct geo_trial *trial, u32 n)
{
	u32 i, open = 0;

	for (i = 0; i < n; i++)
		open += !fb_sign_done(&trial[i].sign);
	return open;
}

static int trial_round(struct fb_geometry *g, struct geo_trial *trial, u32 n,
		       u32 each)
{
	u32 i, k;
	int ret;

	for (k = 0; k < n; k++)
		for (i = 0; i < each && !fb_sign_done(&trial[k].sign); i++)
			geo_triple_near(g, trial[k].step, k);
	ret = geo_triples_read(g);
	for (i = 0; i < g->read.ntriples && !ret; i++) {
		const struct geo_triple *t = &g->read.triple[i];

		k = t->tag;
		if (geo_triple_valid(g, t))
			fb_sign_add(&trial[k].sign,
				    geo_triple_stat(t, trial[k].stat) >
				    trial[k].limit);
	}
	g->read.ntriples = 0;
	return ret;
}

#define TRIAL_ROUNDS	20	/* where there is no data nothing is decided */

/**
 * geo_trials() - is the statistic of some steps above their limits?
 * @g: the inference
 * @trial: sequential tests, taken at the same time
 * @n: how many, 2 at most
 *
 * Return: as geo_ask(); the answers are in @trial.
 */
int geo_trials(struct fb_geometry *g, struct geo_trial *trial, u32 n)
{
	u32 i, open;
	int ret = 0;

	for (i = 0; i < TRIAL_ROUNDS && !ret; i++) {
		open = open_trials(trial, n);
		if (!open)
			break;
		ret = trial_round(g, trial, n, open > 1 ? 6 : 8);
	}
	return ret;
}
