/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A card of a few lines, for the inference to ask, in user space and in the
 * kernel.
 */
#ifndef FLASHBENCH_GEO_CARD_H
#define FLASHBENCH_GEO_CARD_H

#include "geometry.h"

#define KIB		1024ull
#define MIB		(1024 * KIB)
#define GIB		(1024 * MIB)
#define BASE_NS		500000

/**
 * struct card - what is asked, and what it answers
 * @size: bytes
 * @erase: erase block; 0: reads do not show any
 * @super: super page
 * @page: page
 * @zone: a larger structure; 0: none
 * @noise: of a read, at most, per mille
 * @outlier: one operation in so many takes 100 times as long; 0: none
 * @empty: of areas of 16 MiB, so many per mille have no data
 * @uneven: every other super page is so much faster, per mille
 * @budget: operations that are allowed
 * @error: what the one after those gives
 * @probe: what has been promised
 * @n: operations so far
 * @writes: of these
 * @hash: of all of them, in order
 * @fault: what must not be asked
 */
struct card {
	u64 size;
	u64 erase;
	u64 super;
	u64 page;
	u64 zone;
	u32 noise;
	u32 outlier;
	u32 empty;
	u32 uneven;
	u64 budget;
	int error;
	const struct fb_probe *probe;
	u64 n;
	u64 writes;
	u64 hash;
	const char *fault;
};

static const struct card plain = {
	.size = 4 * GIB, .erase = 2 * MIB, .super = 16 * KIB, .page = 4 * KIB,
	.noise = 10, .budget = U64_MAX,
};

static bool crosses(const struct fb_ask *ask, u64 unit)
{
	return unit && fb_modulo(ask->offset, unit) + ask->length > unit;
}

static bool is_empty(const struct card *c, u64 offset)
{
	return fb_modulo(fb_hash(div64_u64(offset, 16 * MIB)), 1000) < c->empty;
}

static u64 card_time(const struct card *c, const struct fb_ask *ask)
{
	u64 r = fb_hash(c->n ^ 0x5eed), ns = BASE_NS, part;

	if (ask->opcode != FB_READ)
		ns = 1000000;
	else if (is_empty(c, ask->offset) &&
		 is_empty(c, ask->offset + ask->length - 1))
		return div_u64(ns, 2) + fb_modulo(r, 1000);
	else if (div64_u64(ask->offset, c->super) & 1)
		ns -= BASE_NS / 1000 * c->uneven;
	if (crosses(ask, c->page))
		ns += BASE_NS / 50;
	if (crosses(ask, c->super))
		ns += BASE_NS / 10;
	if (crosses(ask, c->erase))
		ns += BASE_NS / 5;
	if (crosses(ask, c->zone))
		ns += BASE_NS / 2;
	part = div_u64(ns, 1000);
	ns = ns + part * fb_modulo(r, 2 * c->noise + 1) - part * c->noise;
	if (c->outlier && fb_modulo(r >> 32, c->outlier) == 0)
		ns *= 100;
	return ns;
}

static const char *find_fault(const struct fb_probe *p,
			      const struct fb_ask *ask)
{
	if (ask->opcode != FB_READ && !p->writes)
		return "writes although it may not";
	if (ask->opcode == FB_FLUSH)
		return NULL;
	if (!ask->length)
		return "nothing to read or write";
	if (fb_modulo(ask->offset, p->logical_block) ||
	    fb_modulo(ask->length, p->logical_block))
		return "not aligned";
	if (ask->offset < p->start || ask->offset + ask->length > p->end)
		return "out of range";
	return NULL;
}

static int card_ask(void *ctx, const struct fb_ask *ask, u64 *ns, u32 n)
{
	struct card *c = ctx;
	u32 i;

	for (i = 0; i < n; i++) {
		const char *fault = find_fault(c->probe, &ask[i]);

		if (c->n == c->budget)
			return c->error;
		if (fault)
			c->fault = fault;
		c->hash = fb_hash(c->hash ^ ask[i].offset) + ask[i].length +
			  ask[i].opcode;
		c->writes += ask[i].opcode == FB_WRITE;
		ns[i] = card_time(c, &ask[i]);
		c->n++;
	}
	return 0;
}

#endif
