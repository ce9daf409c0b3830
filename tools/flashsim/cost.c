// SPDX-License-Identifier: GPL-2.0-only
/*
 * What reads cost, and what disturbs the cost of everything.
 */
#include "ftl.h"
#include "platform.h"

#define COST_SHIFT	20		/* fixed point of factors */
#define COST_ONE	((u64)1 << COST_SHIFT)

/**
 * ftl_muldiv() - a * b / c without overflow on the way
 * @a: anything
 * @b: below 2^32
 * @c: below 2^32, not 0
 *
 * Return: the quotient, rounded down.
 */
u64 ftl_muldiv(u64 a, u64 b, u64 c)
{
	u64 rem, quot = div64_u64_rem(a, c, &rem);

	return quot * b + div64_u64(rem * b, c);
}

/**
 * ftl_transfer_ns() - time for @bytes at @bps
 * @bytes: how many
 * @bps: bytes per second; 0: infinitely fast
 *
 * Return: ns.
 */
u64 ftl_transfer_ns(u64 bytes, u64 bps)
{
	return bps ? ftl_muldiv(bytes, NSEC_PER_SEC, bps) : 0;
}

/* splitmix64: public domain, Sebastiano Vigna, prng.di.unimi.it */
static u64 cost_mix(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/**
 * ftl_random() - the next number of the card's generator
 * @ftl: the card
 *
 * Return: all 64 bits of it are good.
 */
u64 ftl_random(struct ftl *ftl)
{
	ftl->rng += 0x9e3779b97f4a7c15ULL;
	return cost_mix(ftl->rng);
}

/**
 * ftl_random_below() - a random number below @n
 * @ftl: the card
 * @n: not 0
 *
 * Return: the number.
 */
u32 ftl_random_below(struct ftl *ftl, u32 n)
{
	return (ftl_random(ftl) >> 32) * n >> 32;
}

/**
 * ftl_block_of() - the erase block of a place
 * @ftl: the card
 * @off: byte offset
 * @in_block: gets the offset from the start of the erase block
 *
 * Return: its index.
 */
u32 ftl_block_of(const struct ftl *ftl, u64 off, u32 *in_block)
{
	const struct ftl_config *cfg = &ftl->cfg;

	if (cfg->shift)
		off += cfg->erase - cfg->shift;
	return div_u64_rem(off, cfg->erase, in_block);
}

static bool cost_page_valid(const struct ftl *ftl, u32 block, u32 page)
{
	const u64 *map = ftl->valid + (size_t)block * ftl->words;

	return map[page / 64] >> (page % 64) & 1;
}

/* What reading this page costs more, or less, than reading any page. */
static s64 cost_of_place(const struct ftl *ftl, u32 block, u32 page)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 in_super = page % cfg->planes;
	s64 ns = 0;

	if (cfg->planes > 1 && in_super == 0)
		ns += cfg->first_super_ns;
	if (cfg->planes > 1 && in_super == cfg->planes - 1)
		ns += cfg->last_super_ns;
	if (page == 0)
		ns += cfg->first_erase_ns;
	if (page == ftl->block_pages - 1)
		ns += cfg->last_erase_ns;
	if (cfg->slope_ns)
		ns += div_s64(cfg->slope_ns * page, ftl->block_pages);
	if (cfg->npattern)
		ns += cfg->pattern[page % cfg->npattern];
	if (cfg->scatter) {
		u64 id = (u64)block * ftl->block_pages + page;
		u64 pm = cost_mix(cfg->seed ^ (id + 1)) % 1024 * cfg->scatter;

		ns += ftl_muldiv(cfg->read_ns, pm >> 10, 1000);
	}
	return ns;
}

/* Crossing into @page of @block from the page before it. */
static u64 cost_of_crossing(const struct ftl *ftl, u32 block, u32 page)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u64 ns = cfg->cross_page_ns;
	u64 zone;
	u64 rem;

	if (page % cfg->planes == 0)
		ns += cfg->cross_super_ns;
	if (page == 0)
		ns += cfg->cross_erase_ns;
	if (cfg->zone) {
		zone = (u64)block * cfg->erase + (u64)page * cfg->page;
		div64_u64_rem(zone, cfg->zone, &rem);
		if (!rem)
			ns += cfg->cross_zone_ns;
	}
	return ns;
}

/* The piece of the mapping table for @off has to be in memory. */
static u64 cost_of_map(struct ftl *ftl, u64 off)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u64 piece, ns = 0;
	u32 i;

	if (!cfg->map_size)
		return 0;
	piece = div64_u64(off, cfg->map_size);
	for (i = 0; i < cfg->map_slots; i++)
		if (ftl->map[i] == piece)
			break;
	if (i == cfg->map_slots) {
		ns = cfg->map_miss_ns;
		i--;
	}
	for (; i > 0; i--)
		ftl->map[i] = ftl->map[i - 1];
	ftl->map[0] = piece;
	return ns;
}

/* Read in the page register: nothing has to be read from the array again. */
static bool cost_buffered(struct ftl *ftl, u64 off, u64 len)
{
	u64 first = div_u64(off, ftl->super);
	u64 last = div_u64(off + len - 1, ftl->super);
	bool hit = first == last && first == ftl->last_super;

	ftl->last_super = last;
	return ftl->cfg.buffer_ns && hit;
}

/**
 * struct cost_pages - the pages a read touches
 * @n: how many
 * @place: what the dearest place costs
 * @crossings: what the boundaries between them cost
 * @data: there is data in one of them
 */
struct cost_pages {
	u32 n;
	s64 place;
	u64 crossings;
	bool data;
};

static void cost_of_pages(const struct ftl *ftl, u64 off, u64 len,
			  struct cost_pages *p)
{
	const u32 size = ftl->cfg.page;
	u32 in_block, block = ftl_block_of(ftl, off, &in_block);
	u32 i, page = in_block / size;

	*p = (struct cost_pages) {
		.n = DIV_ROUND_UP(in_block % size + (u32)len, size),
		.place = S64_MIN,
	};
	for (i = 0; i < p->n; i++, page++) {
		if (page == ftl->block_pages) {
			page = 0;
			block++;
		}
		p->place = max(p->place, cost_of_place(ftl, block, page));
		p->data |= cost_page_valid(ftl, block, page);
		if (i)
			p->crossings += cost_of_crossing(ftl, block, page);
	}
}

/**
 * ftl_read_cost() - what a read costs, undisturbed
 * @ftl: the card
 * @off: byte offset
 * @len: bytes, not 0, at most 1 GiB
 *
 * The dearest page it touches, every boundary it crosses, and the transfer.
 *
 * Return: ns.
 */
u64 ftl_read_cost(struct ftl *ftl, u64 off, u64 len)
{
	const struct ftl_config *cfg = &ftl->cfg;
	bool lucky = cfg->lucky && !ftl_random_below(ftl, cfg->lucky);
	u64 ns = ftl_transfer_ns(len, cfg->read_bps) + cost_of_map(ftl, off);
	struct cost_pages p;
	s64 first;

	if (cost_buffered(ftl, off, len))
		return ns + cfg->buffer_ns;
	cost_of_pages(ftl, off, len, &p);
	if (!p.data && cfg->unwritten_ns)
		return ns + cfg->unwritten_ns;
	if (lucky && p.n == 1)
		p.place = min_t(s64, p.place, 0);
	first = (s64)cfg->read_ns + p.place;
	return ns + max_t(s64, first, 0) + p.crossings;
}

/**
 * ftl_wake_cost() - what it costs that the card has been idle
 * @ftl: the card
 * @now: time, ns
 *
 * Return: ns.
 */
u64 ftl_wake_cost(const struct ftl *ftl, u64 now)
{
	const struct ftl_config *cfg = &ftl->cfg;

	if (!cfg->idle_ns || now < ftl->last_done + cfg->idle_ns)
		return 0;
	return cfg->wake_ns;
}

/* Roughly normal, mean 0, sigma 1, fixed point: the sum of 12 uniform ones. */
static s64 cost_normal(struct ftl *ftl)
{
	s64 sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += ftl_random(ftl) >> (64 - COST_SHIFT);
	return sum - 6 * (s64)COST_ONE;
}

/* e^x, |x| <= 3, both fixed point: (1 + x/1024)^1024 */
static u64 cost_exp(s64 x)
{
	u64 y = COST_ONE + div_s64(x, 1024);
	int i;

	for (i = 0; i < 10; i++)
		y = y * y >> COST_SHIFT;
	return y;
}

static u64 cost_scale(u64 ns, u64 factor)
{
	return (ns >> COST_SHIFT) * factor +
	       ((ns & (COST_ONE - 1)) * factor >> COST_SHIFT);
}

/**
 * ftl_disturb() - noise and outliers
 * @ftl: the card
 * @ns: undisturbed cost
 *
 * Return: disturbed cost, ns.
 */
u64 ftl_disturb(struct ftl *ftl, u64 ns)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u64 u;

	switch (cfg->noise) {
	case FTL_NOISE_UNIFORM:
		u = ftl_random_below(ftl, 2 * cfg->noise_pm + 1);
		ns = ftl_muldiv(ns, 1000 + u - cfg->noise_pm, 1000);
		break;
	case FTL_NOISE_LOGNORMAL:
		u = cost_exp(div_s64(cost_normal(ftl) * cfg->noise_pm, 1000));
		ns = cost_scale(ns, u);
		break;
	}
	if (cfg->outlier_ppm &&
	    ftl_random_below(ftl, 1000000) < cfg->outlier_ppm)
		ns = ftl_muldiv(ns, cfg->outlier_pm, 1000);
	return ns;
}
