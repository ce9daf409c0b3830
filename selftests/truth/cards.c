// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random cards: what flash memory cards were seen to be like, and what they
 * could be. Nothing here knows how the inference works.
 */
#include <math.h>

#include "truth.h"

const char *const truth_mix_name[NR_MIXES] = { "general", "noisy", "plain" };

/**
 * struct weight - one of several values
 * @value: the value
 * @weight: how often, relative to the others
 */
struct weight {
	u64 value;
	u32 weight;
};

static const struct weight pow2_blocks[] = {
	{ 128 * KIB, 1 }, { 256 * KIB, 2 }, { 512 * KIB, 4 }, { 1 * MIB, 7 },
	{ 2 * MIB, 10 }, { 4 * MIB, 16 }, { 8 * MIB, 10 }, { 16 * MIB, 6 },
	{ 32 * MIB, 3 }, { 64 * MIB, 2 },
};

static const struct weight three_blocks[] = {
	{ 768 * KIB, 2 }, { 1536 * KIB, 4 }, { 3 * MIB, 5 }, { 6 * MIB, 6 },
	{ 12 * MIB, 5 }, { 24 * MIB, 3 }, { 48 * MIB, 1 },
};

static const struct weight odd_blocks[] = {
	{ 4608 * KIB, 1 }, { 5 * MIB, 1 }, { 7 * MIB, 1 }, { 9 * MIB, 1 },
	{ 10 * MIB, 1 }, { 14 * MIB, 1 }, { 18 * MIB, 1 }, { 4128 * KIB, 1 },
};

/**
 * truth_uniform() - a random number
 * @r: the generator
 *
 * Return: 0 <= x < 1.
 */
double truth_uniform(struct truth_rng *r)
{
	r->state += 0x9e3779b97f4a7c15ull;
	return (double)(fb_hash(r->state) >> 11) / (double)(1ull << 53);
}

/**
 * truth_between() - a random number, all of a range equally likely
 * @r: the generator
 * @low: smallest
 * @high: largest
 *
 * Return: the number.
 */
double truth_between(struct truth_rng *r, double low, double high)
{
	return low + (high - low) * truth_uniform(r);
}

/**
 * truth_log() - a random number, all orders of magnitude equally likely
 * @r: the generator
 * @low: smallest, above 0
 * @high: largest
 *
 * Return: the number.
 */
double truth_log(struct truth_rng *r, double low, double high)
{
	return exp(truth_between(r, log(low), log(high)));
}

/**
 * truth_chance() - toss a coin
 * @r: the generator
 * @p: probability
 *
 * Return: true with this probability.
 */
bool truth_chance(struct truth_rng *r, double p)
{
	return truth_uniform(r) < p;
}

static u64 pick(struct truth_rng *r, const struct weight *w, u32 n)
{
	u32 i, left = 0;

	for (i = 0; i < n; i++)
		left += w[i].weight;
	left = truth_uniform(r) * left;
	for (i = 0; left >= w[i].weight; i++)
		left -= w[i].weight;
	return w[i].value;
}

static void make_size(struct truth_card *c, struct truth_rng *r)
{
	struct ftl_config *cfg = &c->cfg;
	bool three = false;
	double u = c->mix == MIX_PLAIN ? 0 : truth_uniform(r);

	if (u < .62) {
		cfg->erase = pick(r, pow2_blocks, ARRAY_SIZE(pow2_blocks));
	} else if (u < .93) {
		cfg->erase = pick(r, three_blocks, ARRAY_SIZE(three_blocks));
		three = truth_chance(r, .5);
	} else {
		cfg->erase = pick(r, odd_blocks, ARRAY_SIZE(odd_blocks));
	}
	cfg->page = 2048u << (u32)truth_between(r, 0, 4);
	cfg->planes = 1u << (u32)truth_between(r, 0, 3);
	/* an erase block is many multi-plane pages */
	while (cfg->planes > 1 &&
	       (cfg->erase / 16 < cfg->page * cfg->planes ||
		cfg->erase % (cfg->page * cfg->planes)))
		cfg->planes /= 2;
	while (cfg->erase / 16 < cfg->page || cfg->erase % cfg->page)
		cfg->page /= 2;
	if (three)
		cfg->planes *= 3;

	cfg->size = truth_log(r, 1e9, 64e9);
	cfg->size -= cfg->size % (truth_chance(r, .2) ? MIB : cfg->erase);
	if (c->mix != MIX_PLAIN && truth_chance(r, .03))
		cfg->shift = (u64)truth_between(r, 1, cfg->erase / cfg->page) *
			     cfg->page;
}

/* Between the pages, and at the ends of the erase block */
static void make_steps(struct truth_card *c, struct truth_rng *r, double base)
{
	struct ftl_config *cfg = &c->cfg;
	double sign;

	if (truth_chance(r, .12))
		return;
	c->visible = true;
	cfg->cross_page_ns = base * truth_log(r, .004, .08);
	cfg->cross_super_ns = base * truth_log(r, .02, .25);
	cfg->cross_erase_ns = base * truth_log(r, .04, .6);
	if (c->mix != MIX_PLAIN && truth_chance(r, .13)) {
		cfg->zone = cfg->erase;
		while (cfg->zone < 8 * MIB || truth_chance(r, .4))
			cfg->zone *= 2;
		if (cfg->zone == cfg->erase)
			cfg->zone *= 2;
		cfg->cross_zone_ns = base * truth_log(r, .04, .6);
	}
	if (truth_chance(r, .3)) {
		sign = truth_chance(r, .5) ? 1 : -1;
		cfg->last_erase_ns = sign * base * truth_log(r, .01, .15);
	}
}

/* What pages differ in */
static void make_pages(struct truth_card *c, struct truth_rng *r, double base)
{
	struct ftl_config *cfg = &c->cfg;
	double most, type = 0;
	/* two kinds of pages, or three where they come in threes */
	u32 i, types = cfg->erase % 3 ? 2 : 3;

	/* ftl.c draws from 0 to this, where plus and minus are meant */
	cfg->scatter = 1000 * 2 * truth_log(r, .002, .06);
	/* the planes of a multi-plane page are of the same type */
	most = base * truth_log(r, .005, .12);
	if (truth_chance(r, .4) && cfg->planes * types <= FTL_MAX_PATTERN)
		cfg->npattern = cfg->planes * types;
	for (i = 0; i < cfg->npattern; i++) {
		if (i % cfg->planes == 0)
			type = truth_between(r, -most, most);
		cfg->pattern[i] = type;
	}
	if (truth_chance(r, .4)) {
		cfg->map_size = (8 * MIB) << (u32)truth_between(r, 0, 3);
		cfg->map_slots = 1 + (u32)truth_between(r, 0, 4);
		cfg->map_miss_ns = base * truth_log(r, .05, .6);
	}
	if (truth_chance(r, .5))
		cfg->buffer_ns = cfg->read_ns * truth_between(r, .2, .7);
	if (truth_chance(r, .2))
		c->ahead_pm = truth_between(r, 200, 800);
	if (truth_chance(r, .15)) {
		c->unwritten_pm = truth_between(r, 100, 1000);
		cfg->unwritten_ns = cfg->read_ns * truth_between(r, .2, .8);
	}
}

static void make_noise(struct truth_card *c, struct truth_rng *r)
{
	bool noisy = c->mix == MIX_NOISY;
	struct ftl_config *cfg = &c->cfg;

	cfg->noise = FTL_NOISE_LOGNORMAL;
	cfg->noise_pm = 1000 * (noisy ? truth_log(r, .04, .2) :
				truth_log(r, .003, .08));
	c->outlier_ppm = 1e6 * truth_log(r, .001, noisy ? .12 : .05);
	c->jitter_ns = truth_log(r, 500, 8000);
	c->overhead_ns = truth_between(r, 20e3, 60e3);
	c->drift_pm = truth_between(r, 0, 40);
	if (truth_chance(r, .2))
		c->burst = truth_log(r, 200, 2000);
	if (truth_chance(r, .2)) {
		cfg->idle_ns = truth_log(r, 1e6, 50e6);
		cfg->wake_ns = truth_log(r, .2e6, 5e6);
	}
}

static void make_reads(struct truth_card *c, struct truth_rng *r)
{
	struct ftl_config *cfg = &c->cfg;
	double base;

	cfg->read_ns = truth_log(r, 150e3, 1200e3);
	cfg->read_bps = truth_log(r, 10e6, 90e6);
	base = cfg->read_ns + KIB * 1e9 / cfg->read_bps;
	make_steps(c, r, base);
	make_pages(c, r, base);
	make_noise(c, r);
}

static void make_open(struct truth_card *c, struct truth_rng *r)
{
	struct ftl_config *cfg = &c->cfg;
	u32 most = cfg->size / cfg->erase / 3;
	double u;

	cfg->open = min_t(u32, truth_log(r, 1, 32.99), most);
	u = truth_uniform(r);
	cfg->replace = u < .7 ? FTL_LRU : u < .86 ? FTL_FIFO : FTL_RANDOM;
	u = truth_uniform(r);
	cfg->open_random = cfg->open;
	if (u < .2)
		cfg->open_random = 0;
	else if (u < .5)
		cfg->open_random = 1 + (u32)truth_between(r, 0, cfg->open);
	c->left_open = truth_between(r, 0, cfg->open + 1);
}

static void make_log(struct truth_card *c, struct truth_rng *r)
{
	struct ftl_config *cfg = &c->cfg;

	cfg->log_gain = 1000 * truth_log(r, .4, 5);
	cfg->log_half = truth_between(r, 2, 20);
	c->left_open = 0;
	if (truth_chance(r, .5))
		c->spike = truth_log(r, 30, 300);
}

static void make_writes(struct truth_card *c, struct truth_rng *r)
{
	struct ftl_config *cfg = &c->cfg;
	double half, unit;

	cfg->program = cfg->page * cfg->planes;
	if (cfg->planes > 1 && cfg->planes % 3 && truth_chance(r, .2))
		cfg->program = cfg->page;
	cfg->write_ns = truth_log(r, 50e3, 400e3);
	cfg->write_bps = truth_log(r, 3e6, 30e6);
	cfg->copy_bps = cfg->write_bps * truth_between(r, .3, 1.2);
	cfg->gc = truth_log(r, 1e6, 10e6);
	/* half a program unit costs as much as a whole one, or more */
	half = cfg->program * .5e9 / cfg->write_bps;
	unit = cfg->write_ns + 2 * half;
	cfg->subpage_ns = half;
	if (truth_chance(r, .5))
		cfg->subpage_ns += unit * (truth_log(r, 1, 6) - 1);
	if (truth_chance(r, .4))
		cfg->switch_ns = cfg->page * cfg->planes *
				 truth_log(r, .3, 6) * 1e9 / cfg->write_bps;
	make_open(c, r);
	if (truth_chance(r, .15))
		make_log(c, r);
	if (truth_chance(r, .35) && !cfg->shift) {
		cfg->nfat = 1;
		cfg->fat[0].start = truth_chance(r, .7) ? 0 : 1;
		cfg->fat[0].len = 1 + (u32)truth_between(r, 0, 4);
	}
	if (truth_chance(r, .15)) {
		cfg->cache = truth_log(r, 64 * KIB, 4 * MIB);
		cfg->cache_bps = truth_log(r, 30e6, 90e6);
	}
	c->claims_cache = cfg->cache || truth_chance(r, .1);
}

/**
 * truth_card_make() - a random card
 * @c: gets it
 * @mix: of what kind
 * @index: which one
 * @seed: of all of them
 */
void truth_card_make(struct truth_card *c, enum truth_mix mix, u32 index,
		     u64 seed)
{
	struct truth_rng r = { fb_hash(seed) + fb_hash(mix * 0x100000 + index) };

	*c = (struct truth_card) {
		.mix = mix,
		.index = index,
		.seed = r.state,
	};
	ftl_default(&c->cfg);
	c->cfg.seed = r.state;
	make_size(c, &r);
	make_reads(c, &r);
	make_writes(c, &r);
	c->claims_true = truth_chance(&r, .6);
}

/**
 * truth_card_print() - all that is known of a card
 * @c: the card
 */
void truth_card_print(const struct truth_card *c)
{
	const struct ftl_config *cfg = &c->cfg;

	printf("# size=%llu erase=%u page=%u planes=%u program=%u ",
	       cfg->size, cfg->erase, cfg->page, cfg->planes, cfg->program);
	printf("shift=%u zone=%llu\n", cfg->shift, cfg->zone);
	printf("# read=%llu ns, crossing page=%llu super=%llu erase=%llu ",
	       cfg->read_ns, cfg->cross_page_ns, cfg->cross_super_ns,
	       cfg->cross_erase_ns);
	printf("zone=%llu last_erase=%lld\n", cfg->cross_zone_ns,
	       cfg->last_erase_ns);
	printf("# scatter=%u npattern=%u map=%llu*%u miss=%llu buffer=%llu ",
	       cfg->scatter, cfg->npattern, cfg->map_size, cfg->map_slots,
	       cfg->map_miss_ns, cfg->buffer_ns);
	printf("unwritten=%u pm, %llu ns\n", c->unwritten_pm,
	       cfg->unwritten_ns);
	printf("# noise=%u pm outliers=%u ppm burst=%u drift=%u pm ",
	       cfg->noise_pm, c->outlier_ppm, c->burst, c->drift_pm);
	printf("ahead=%u pm jitter=%llu idle=%llu wake=%llu\n", c->ahead_pm,
	       c->jitter_ns, cfg->idle_ns, cfg->wake_ns);
	printf("# write=%llu ns, %llu B/s, copy %llu B/s gc=%llu subpage=%llu ",
	       cfg->write_ns, cfg->write_bps, cfg->copy_bps, cfg->gc,
	       cfg->subpage_ns);
	printf("switch=%llu cache=%llu claimed=%d\n", cfg->switch_ns,
	       cfg->cache, c->claims_cache);
	printf("# open=%u random=%u replace=%u left_open=%u fat=%llu+%llu ",
	       cfg->open, cfg->open_random, cfg->replace, c->left_open,
	       cfg->nfat ? cfg->fat[0].start : 0,
	       cfg->nfat ? cfg->fat[0].len : 0);
	printf("log=%u/%u spike=%u\n", cfg->log_gain, cfg->log_half, c->spike);
}
