// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of the inference that write: where they write, what they make of
 * slow writes, and that they stop when they are told to.
 */
#include "geometry_impl.h"
#include "tap.h"

#define MIB		(1024ULL << 10)
#define BLOCK		(16u << 10)
#define MAX_OPEN	8
#define MAX_WRITES	(64u << 10)

/* ---- places ---- */

static const struct walk_case {
	u64 start, end, align, erase;
} walk_cases[] = {
	{ 0, 1024 * MIB, 4 * MIB, 4 * MIB },
	{ 0, 1000 * MIB, 3 * MIB / 2, 3 * MIB / 2 },
	{ 777 * MIB + 512, 901 * MIB, MIB, MIB },
	{ 0, 4096 * MIB, 48 * MIB, 4 * MIB },
	{ 0, 37 * MIB, 4 * MIB, 4 * MIB },
	{ 0, 36 * MIB, 4 * MIB, 4 * MIB },
};

static u64 greatest_divisor(u64 a, u64 b)
{
	return b ? greatest_divisor(b, a % b) : a;
}

static void test_walk(const struct walk_case *c)
{
	u64 skip = max(16 * MIB, 9 * c->erase);
	struct geo_walk walk;
	u64 i, at, lowest;
	bool apart = true;

	geo_walk_start(&walk, c->start, c->end, c->align, c->erase, c->erase,
		       12345);
	lowest = walk.first;
	tap_ok(lowest % c->align == 0 && lowest >= c->start && lowest >= skip,
	       "walk %llu: begins at %llu", c->align, lowest);
	tap_ok(!walk.n || (lowest + walk.n * c->align <= c->end &&
			   lowest + (walk.n + 1) * c->align > c->end),
	       "walk %llu: %llu places fill the range", c->align, walk.n);
	tap_ok(walk.n < 2 || greatest_divisor(walk.step, walk.n) == 1,
	       "walk %llu: step %llu comes to all of %llu", c->align,
	       walk.step, walk.n);
	for (i = 0, at = walk.at; walk.n > 8 && i < walk.n; i++) {
		u64 next = (at + walk.step) % walk.n;

		apart &= at > next ? at - next > 1 : next - at > 1;
		at = next;
	}
	tap_ok(apart && at == walk.at, "walk %llu: no neighbours in turn",
	       c->align);
}

/* ---- what slow writes mean: f fast, s slow, c collection ---- */

static const struct watch_case {
	u32 n;
	const char *sequence;
	u32 repeat;
	enum geo_fit fit;
	u32 writes;
	u32 patient;
	bool kept;
} watch_cases[] = {
	{ 3, "f", 50, GEO_FITS, 12 },
	{ 9, "f", 50, GEO_FITS, 18 },
	/* a disturbance is no collection */
	{ 3, "fffsfffffff", 50, GEO_FITS, 12 },
	{ 3, "fffcffffffffffff", 50, GEO_FITS, 16 },
	/* but it may be one with little to copy, after another one */
	{ 3, "fffcffffffsfffffffffffff", 50, GEO_FITS, 23 },
	{ 3, "fffcffffffsfffffsffffffffffff", 1, GEO_FITS, 24 + 5 },
	/* the oldest is closed */
	{ 3, "c", 50, GEO_THRASHES, 5 },
	{ 2, "c", 50, GEO_THRASHES, 6 },
	{ 3, "s", 50, GEO_THRASHES, 5 },
	/* the oldest of those out of order */
	{ 5, "cfffff", 50, GEO_THRASHES, 25 },
	/* any of them, and gone in the end */
	{ 4, "cfccfffcfffffffffffff", 1, GEO_FITS, 20 },
	/* any of them, for ever */
	{ 4, "cfccffcfccfcffccf", 20, GEO_THRASHES, 21 },
	{ 20, "cfff", 2, GEO_UNDECIDED, 8 },
	/* known to close any of them: equal distances are a matter of luck */
	{ 6, "c", 50, GEO_THRASHES, 15, 1 },
	{ 6, "c", 50, GEO_THRASHES, 18, 2 },
	{ 12, "cfff", 50, GEO_THRASHES, 29 * 4 + 1, 1 },
	/* as often as that only if more than a few have to go */
	{ 12, "cfff", 50, GEO_THRASHES, 35 * 4 + 1, 2, true },
	{ 12, "cf", 50, GEO_THRASHES, 11 * 2 + 1, 2, true },
	{ 12, "cf", 50, GEO_THRASHES, 29 * 2 + 1, 1, false },
};

static void test_watch(const struct watch_case *c)
{
	struct geo_watch w = {
		.n = c->n, .patient = c->patient, .kept = c->kept,
	};
	u32 i, length = strlen(c->sequence), total = c->repeat * length;
	enum geo_fit fit = GEO_UNDECIDED;

	for (i = 0; i < total && fit == GEO_UNDECIDED; i++) {
		char kind = c->sequence[i % length];

		fit = geo_watch_add(&w, kind == 'c' ? GEO_COLLECTION :
				    kind == 's' ? GEO_SLOW : GEO_FAST);
	}
	if (!tap_ok(fit == c->fit && i == c->writes, "%u streams, %s", c->n,
		    c->sequence))
		tap_diag("%d after %u", fit, i);
}

/* ---- a card that keeps a few erase blocks open ---- */

/**
 * struct card - it, and what it was asked
 * @erase: erase block, bytes
 * @open: so many are kept open
 * @random: of those, out of order
 * @budget: writes that are allowed
 * @block: which ones are open, the oldest first; number + 1
 * @next: where a write in order would go on
 * @writes: so far
 * @written: where to
 * @again: a write came to a place a third time: once in order and once out of
 *	order is enough
 * @outside: or outside of the range
 * @probe: the range
 */
static struct card {
	u64 erase;
	u32 open;
	u32 random;
	u32 budget;
	u64 block[MAX_OPEN];
	u64 next[MAX_OPEN];
	u32 writes;
	u64 written[MAX_WRITES];
	bool again;
	bool outside;
	struct fb_probe probe;
} card;

static void card_watch(const struct fb_ask *ask)
{
	u32 i, before = 0;

	card.outside |= ask->offset < card.probe.start ||
			ask->offset + ask->length > card.probe.end;
	for (i = 0; i < card.writes; i++)
		before += card.written[i] == ask->offset;
	card.again |= before > 1;
	card.written[card.writes++ % MAX_WRITES] = ask->offset;
}

static u64 card_write(const struct fb_ask *ask)
{
	u64 block = ask->offset / card.erase + 1;
	u64 ns = 1000000, next = ask->offset + ask->length;
	u32 i = 0;

	card_watch(ask);
	while (i < card.open && card.block[i] != block)
		i++;
	if (i == card.open || (!card.random && card.next[i] != ask->offset))
		ns += 200000000;
	if (i == card.open)
		i = 0;
	for (; i < card.open - 1; i++) {
		card.block[i] = card.block[i + 1];
		card.next[i] = card.next[i + 1];
	}
	card.block[i] = block;
	card.next[i] = next;
	return ns;
}

static int card_ask(void *ctx, const struct fb_ask *ask, u64 *ns, u32 n)
{
	u32 i, writes = card.writes;

	for (i = 0; i < n; i++)
		writes += ask[i].opcode == FB_WRITE;
	if (writes > card.budget)
		return -EDQUOT;
	for (i = 0; i < n; i++)
		ns[i] = ask[i].opcode == FB_WRITE ? card_write(&ask[i]) : 1000;
	return 0;
}

static struct fb_geometry *geometry(u32 open, u32 random, u32 budget)
{
	struct fb_geometry *g = calloc(1, sizeof(*g));

	card = (struct card) {
		.erase = 4 * MIB, .open = open, .random = random,
		.budget = budget,
		.probe = {
			.ask = card_ask,
			.disk_size = 4096 * MIB,
			.start = 100 * MIB + 512,
			.end = 1500 * MIB,
			.logical_block = 512,
			.writes = true,
			.max_collections = 1000,
			.only = BIT(FB_NR_VERDICTS) - 1,
			.seed = 1,
		},
	};
	g->probe = card.probe;
	g->erase = card.erase;
	return g;
}

static bool is(const struct fb_geometry *g, enum fb_verdict_key key,
	       const char *value)
{
	if (!strcmp(g->verdict[key].value, value))
		return true;
	tap_diag("%s: %s", g->verdict[key].value, g->verdict[key].evidence);
	return false;
}

static const struct open_case {
	u32 open, random;
	const char *linear, *out_of_order;
} open_cases[] = {
	{ 1, 0, "1", "0" },
	{ 1, 1, "1", "1" },
	{ 2, 1, "2", "2" },
	{ 5, 1, "5", "5" },
	{ 8, 0, "8", "0" },
};

static void test_open(const struct open_case *c)
{
	struct fb_geometry *g = geometry(c->open, c->random, MAX_WRITES);

	tap_ok(!geo_open_blocks(g) && is(g, FB_OPEN_LINEAR, c->linear) &&
	       is(g, FB_OPEN_RANDOM, c->out_of_order) &&
	       is(g, FB_MAPPING, "block"), "%u open", c->open);
	tap_ok(!card.again && !card.outside,
	       "%u open: no place three times, none outside of the range", c->open);
	tap_ok(c->open == 1 && !c->random ? true :
	       !geo_check_erase(g) && is(g, FB_ERASE_BLOCK, "4194304"),
	       "%u open: erase block confirmed", c->open);
	tap_ok(!card.outside, "%u open: no check outside of the range",
	       c->open);
	tap_ok(!geo_fat_blocks(g) && is(g, FB_FAT_AREA, "-") && !card.outside &&
	       strstr(g->verdict[FB_FAT_AREA].evidence, "start of the disk"),
	       "%u open: start of the disk not touched", c->open);
	free(g);
}

static void test_wrong_size(void)
{
	struct fb_geometry *g = geometry(3, 1, MAX_WRITES);

	g->erase = 8 * MIB;
	geo_say(g, FB_ERASE_BLOCK, g->erase, 940, FB_BASIS_READ, "a step");
	tap_ok(!geo_open_blocks(g) && !geo_check_erase(g) &&
	       is(g, FB_ERASE_BLOCK, "4194304") &&
	       g->verdict[FB_ERASE_BLOCK].confidence < FB_SURE,
	       "an erase block that is too large is corrected");
	free(g);
	g = geometry(3, 1, MAX_WRITES);
	g->erase = 2 * MIB;
	tap_ok(!geo_open_blocks(g) && !geo_check_erase(g) &&
	       is(g, FB_ERASE_BLOCK, "4194304"),
	       "and one that is too small");
	free(g);
	g = geometry(3, 1, MAX_WRITES);
	g->erase = 0;
	tap_ok(!geo_open_blocks(g) && !geo_check_erase(g) &&
	       is(g, FB_ERASE_BLOCK, "4194304") &&
	       is(g, FB_OPEN_LINEAR, "3"), "none at all is found");
	free(g);
}

static void test_budget(void)
{
	struct fb_geometry *g;
	u32 budget;

	for (budget = 0; budget < 100; budget += 33) {
		g = geometry(5, 1, budget);
		tap_ok(geo_open_blocks(g) == -EDQUOT && g->budget &&
		       card.writes <= budget &&
		       strstr(g->verdict[FB_OPEN_LINEAR].evidence, "budget"),
		       "ends after %u writes", budget);
		free(g);
	}
	g = geometry(5, 1, MAX_WRITES);
	g->probe.max_collections = 3;
	tap_ok(geo_open_blocks(g) == -EDQUOT && g->collections <= 3 &&
	       strstr(g->verdict[FB_OPEN_LINEAR].evidence, "budget"),
	       "ends after 3 collections");
	free(g);
	g = geometry(5, 1, MAX_WRITES);
	g->probe.end = g->probe.start + 16 * MIB;
	card.probe.end = g->probe.end;
	tap_ok(!geo_open_blocks(g) && is(g, FB_OPEN_LINEAR, "-") &&
	       strstr(g->verdict[FB_OPEN_LINEAR].evidence, "no fresh block") &&
	       !card.outside, "says so if there is no room");
	free(g);
}

/* What is asked for is priced, with what it builds on, and nothing else */
static void test_expect(void)
{
	struct fb_ledger reads, limits, fat, unit, all;

	fb_geometry_expect(BIT(FB_NR_VERDICTS) - 1, false, &reads);
	tap_ok(reads.ios && reads.read_bytes && !reads.written_bytes,
	       "unarmed it is expected to read");
	fb_geometry_expect(BIT(FB_ERASE_BLOCK) | BIT(FB_PAGE), false, &unit);
	tap_ok(!unit.written_bytes && unit.ios == reads.ios,
	       "and so are reads alone");
	fb_geometry_expect(BIT(FB_PAGE), true, &unit);
	tap_ok(!unit.written_bytes, "armed, too");
	fb_geometry_expect(BIT(FB_OPEN_LINEAR), true, &limits);
	fb_geometry_expect(BIT(FB_FAT_AREA), true, &fat);
	fb_geometry_expect(BIT(FB_PROGRAM_UNIT), true, &unit);
	fb_geometry_expect(BIT(FB_NR_VERDICTS) - 1, true, &all);
	tap_ok(limits.written_bytes && limits.ios > reads.ios,
	       "open blocks are expected to be written");
	tap_ok(fat.written_bytes > limits.written_bytes &&
	       fat.ios > limits.ios, "FAT blocks need their limit");
	tap_ok(all.written_bytes > fat.written_bytes + unit.written_bytes &&
	       all.ios - reads.ios > fat.ios + unit.ios - 2 * reads.ios &&
	       all.written_bytes < 30 * MIB, "everything takes the sum");
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(walk_cases); i++)
		test_walk(&walk_cases[i]);
	for (i = 0; i < ARRAY_SIZE(watch_cases); i++)
		test_watch(&watch_cases[i]);
	for (i = 0; i < ARRAY_SIZE(open_cases); i++)
		test_open(&open_cases[i]);
	test_wrong_size();
	test_budget();
	test_expect();
	return tap_done();
}
