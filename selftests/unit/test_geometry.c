// SPDX-License-Identifier: GPL-2.0-only
/*
 * geometry.c and what it calls, against a card of a few lines that looks at
 * each operation it is asked for. How often the inference is right is measured
 * in selftests/truth.
 */
#include "geo_card.h"
#include "geometry_impl.h"
#include "tap.h"

#define ALL_KEYS	(BIT(FB_NR_VERDICTS) - 1)
#define READ_KEYS	(BIT(FB_ERASE_BLOCK) | BIT(FB_SUPER_PAGE) | \
			 BIT(FB_PAGE) | BIT(FB_UNWRITTEN))
#define WRITE_KEYS	(ALL_KEYS & ~READ_KEYS)

static struct fb_geometry *g;

static struct fb_probe probe_of(struct card *c)
{
	return (struct fb_probe) {
		.ask = card_ask, .ctx = c, .disk_size = c->size,
		.end = c->size, .logical_block = 512, .max_collections = 400,
		.only = READ_KEYS, .seed = 1,
	};
}

static int run(struct card *c, const struct fb_probe *p)
{
	c->probe = p;
	c->n = 0;
	c->hash = 0;
	return fb_geometry_run(g, p);
}

static bool is_line(enum fb_verdict_key key, const char *want)
{
	char line[FB_LINE_LEN];
	int len = fb_geometry_line(g, key, line, sizeof(line));

	if (!len)
		line[0] = '\0';
	if ((int)strlen(line) == len && !strcmp(line, want))
		return true;
	tap_diag("got  %s", line);
	tap_diag("want %s", want);
	return false;
}

/* ---- verdicts and lines ---- */

static void test_say(void)
{
	static const struct {
		u32 confidence;
		enum fb_basis basis;
		const char *line;
	} cases[] = {
		{ 1000, FB_BASIS_CHECKED, "page\t8192\tsure\t1000\tread+check\ta 1" },
		{ 950, FB_BASIS_CHECKED, "page\t8192\tsure\t950\tread+check\ta 1" },
		{ 950, FB_BASIS_READ, "page\t8192\tlikely\t949\tread\ta 1" },
		{ 949, FB_BASIS_WRITE, "page\t8192\tlikely\t949\twrite\ta 1" },
		{ 799, FB_BASIS_READ,
		  "page\t-\tunknown\t799\tread\tcandidate 8192; a 1" },
		{ 0, FB_BASIS_NONE,
		  "page\t-\tunknown\t0\t-\tcandidate 8192; a 1" },
	};
	char line[FB_LINE_LEN];
	size_t i;

	memset(g, 0, sizeof(*g));
	g->probe.only = BIT(FB_PAGE);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		geo_say(g, FB_PAGE, 8192, cases[i].confidence, cases[i].basis,
			"a %d", 1);
		tap_ok(is_line(FB_PAGE, cases[i].line), "confidence %u",
		       cases[i].confidence);
	}
	geo_say_text(g, FB_PAGE, "some", 5, 900, FB_BASIS_WRITE, "b");
	tap_ok(is_line(FB_PAGE, "page\tsome\tlikely\t900\twrite\tb") &&
	       fb_geometry_verdict(g, FB_PAGE)->number == 5, "a value in words");
	geo_unknown(g, FB_PAGE, FB_BASIS_READ, "why %s", "not");
	tap_ok(is_line(FB_PAGE, "page\t-\tunknown\t0\tread\twhy not"),
	       "nothing is known");
	tap_ok(!fb_geometry_line(g, FB_MAPPING, line, sizeof(line)),
	       "no line for what is not wanted");
	geo_say(g, FB_PAGE, 1, 900, FB_BASIS_READ, "%0300d", 1);
	tap_ok(strlen(g->verdict[FB_PAGE].evidence) == FB_EVIDENCE_LEN - 1,
	       "long evidence is cut");
}

static void test_names(void)
{
	static const char *const names[FB_NR_VERDICTS] = {
		"erase_block", "super_page", "page", "open_linear",
		"open_random", "fat_area", "program_unit", "subunit_penalty",
		"unaligned_penalty", "mapping", "write_cache", "unwritten",
	};
	struct card c = plain;
	struct fb_probe p = probe_of(&c);
	char line[FB_LINE_LEN];
	bool ok = true;
	int key;

	p.only = ALL_KEYS;
	ok &= !run(&c, &p);
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		size_t len = strlen(names[key]);

		fb_geometry_line(g, key, line, sizeof(line));
		ok &= !strncmp(line, names[key], len) && line[len] == '\t';
	}
	tap_ok(ok, "all lines, by name and in order");
}

/* ---- what is wanted and what may be done ---- */

static void test_only(void)
{
	int key, other;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		struct card c = plain;
		struct fb_probe p = probe_of(&c);
		char line[FB_LINE_LEN];
		bool ok;

		p.only = BIT(key);
		ok = !run(&c, &p) && !c.fault;
		for (other = 0; other < FB_NR_VERDICTS; other++)
			ok &= !fb_geometry_line(g, other, line, sizeof(line)) ==
			      (other != key);
		/* reads are of no use for what only writes can tell */
		ok &= !c.n == !!(WRITE_KEYS & BIT(key));
		tap_ok(ok, "only %d: %llu operations", key, c.n);
	}
}

static void test_unarmed(void)
{
	struct card c = plain;
	struct fb_probe p = probe_of(&c);
	bool ok = true;
	int key;

	p.only = ALL_KEYS;
	ok &= !run(&c, &p) && !c.fault;
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		const struct fb_verdict *v = fb_geometry_verdict(g, key);

		ok &= v->confidence < FB_SURE;
		if (WRITE_KEYS & BIT(key))
			ok &= !strcmp(v->value, "-") &&
			      !v->confidence &&
			      !strncmp(v->evidence, "needs writing; ", 15) &&
			      strstr(v->evidence, " MB");
	}
	tap_ok(ok, "unarmed: reads only, nothing is sure, costs are named");
	p.writes = true;
	tap_ok(!run(&c, &p) && !c.fault && c.writes, "armed it writes");
}

static void test_budget(void)
{
	static const struct {
		u64 operations;
		int error;
		const char *open;	/* evidence of what is not known */
		int ret;
	} cases[] = {
		{ 0, -EDQUOT, "a budget ended first", -EDQUOT },
		{ 100, -EDQUOT, "a budget ended first", -EDQUOT },
		{ 0, -EIO, "the run ended first", -EIO },
		{ 300, -EIO, "the run ended first", -EIO },
	};
	struct fb_verdict whole;
	size_t i;
	u64 n;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct card c = plain;
		struct fb_probe p = probe_of(&c);

		c.budget = cases[i].operations;
		c.error = cases[i].error;
		tap_ok(run(&c, &p) == cases[i].ret && c.n <= c.budget &&
		       !strcmp(fb_geometry_verdict(g, FB_UNWRITTEN)->evidence,
			       cases[i].open), "error %d after %llu",
		       c.error, c.budget);
	}
	{
		struct card c = plain;
		struct fb_probe p = probe_of(&c);

		p.only = BIT(FB_ERASE_BLOCK);
		run(&c, &p);
		whole = *fb_geometry_verdict(g, FB_ERASE_BLOCK);
		n = c.n;
		/* the pages come later; the erase block stays known */
		p.only = READ_KEYS;
		c.budget = n;
		c.error = -EDQUOT;
		tap_ok(run(&c, &p) == -EDQUOT && c.n == n &&
		       !memcmp(fb_geometry_verdict(g, FB_ERASE_BLOCK), &whole,
			       sizeof(whole)) &&
		       !fb_geometry_verdict(g, FB_PAGE)->confidence,
		       "what was known before the budget ended stays known");
	}
}

static void test_seed(void)
{
	struct card a = plain, b = plain;
	struct fb_probe p = probe_of(&a), q = probe_of(&b);
	char first[FB_LINE_LEN], second[FB_LINE_LEN];

	run(&a, &p);
	fb_geometry_line(g, FB_ERASE_BLOCK, first, sizeof(first));
	run(&b, &q);
	fb_geometry_line(g, FB_ERASE_BLOCK, second, sizeof(second));
	tap_ok(a.n == b.n && a.hash == b.hash && !strcmp(first, second),
	       "same seed: same operations, same verdict");
	q.seed = 2;
	run(&b, &q);
	tap_ok(a.hash != b.hash, "another seed: other operations");
}

static void test_claims(void)
{
	char claims[300];
	struct card c = plain;
	struct fb_probe p = probe_of(&c);
	const struct fb_verdict *v;

	p.claims = "4194304";
	run(&c, &p);
	v = fb_geometry_verdict(g, FB_ERASE_BLOCK);
	tap_ok(strstr(v->evidence, "; card claims 4194304") &&
	       v->number == c.erase, "a wrong claim is evidence, no more");
	memset(claims, 'x', sizeof(claims) - 1);
	claims[sizeof(claims) - 1] = '\0';
	p.claims = claims;
	run(&c, &p);
	tap_ok(strlen(v->evidence) == FB_EVIDENCE_LEN - 1, "a long claim is cut");
}

/* ---- nothing out of range ---- */

static void test_refused(void)
{
	static const struct {
		struct fb_ask ask;
		bool writes;
		int ret;
	} cases[] = {
		{ { .offset = MIB, .length = 512 }, false, 0 },
		{ { .offset = 2 * MIB - 512, .length = 512 }, false, 0 },
		{ { .offset = MIB - 512, .length = 512 }, false, -EINVAL },
		{ { .offset = 2 * MIB - 512, .length = 1024 }, false, -EINVAL },
		{ { .offset = 2 * MIB, .length = 512 }, false, -EINVAL },
		{ { .offset = MIB + 1, .length = 512 }, false, -EINVAL },
		{ { .offset = MIB, .length = 513 }, false, -EINVAL },
		{ { .offset = MIB, .length = 0 }, false, -EINVAL },
		{ { .offset = MIB, .length = 512, .opcode = FB_WRITE }, false,
		  -EINVAL },
		{ { .offset = MIB, .length = 512, .opcode = FB_WRITE }, true,
		  0 },
		{ { .offset = MIB, .length = 512, .opcode = FB_DISCARD }, true,
		  -EINVAL },
		{ { .opcode = FB_FLUSH }, false, -EINVAL },
		{ { .opcode = FB_FLUSH }, true, 0 },
	};
	struct card c = plain;
	struct fb_probe p = probe_of(&c);
	size_t i;

	p.start = MIB;
	p.end = 2 * MIB;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(g, 0, sizeof(*g));
		p.writes = cases[i].writes;
		g->probe = p;
		c.probe = &g->probe;
		g->ask[0] = cases[i].ask;
		g->nask = 1;
		tap_ok(geo_ask(g) == cases[i].ret && !g->nask && !c.fault,
		       "operation %zu", i);
	}
	for (i = 0; i <= GEO_MAX_BATCH; i++)
		geo_want(g, FB_READ, MIB, 512);
	tap_ok(geo_ask(g) == -EINVAL, "one too many");
	memset(g, 0, sizeof(*g));
	g->probe = p;
	g->probe.writes = true;
	c.probe = &g->probe;
	g->collections = p.max_collections - 2;
	geo_want(g, FB_WRITE, MIB, 512);
	geo_want(g, FB_WRITE, MIB, 512);
	tap_ok(!geo_ask(g), "as many writes as collections are left");
	for (i = 0; i < 3; i++)
		geo_want(g, FB_WRITE, MIB, 512);
	tap_ok(geo_ask(g) == -EDQUOT, "no write that may be one too many");
}

/* What would do is a range that the card has */
static bool wants_less(u64 disk_size)
{
	char text[FB_EVIDENCE_LEN], *word;
	u64 size;
	int key;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		strcpy(text, fb_geometry_verdict(g, key)->evidence);
		word = strstr(text, " would do");
		if (!word)
			continue;
		*word = '\0';
		word = strrchr(text, ' ');
		if (!word || fb_parse_size(word + 1, &size) ||
		    size > disk_size) {
			tap_diag("%s", text);
			return false;
		}
	}
	return true;
}

static void test_ranges(void)
{
	static const u32 blocks[] = { 512, 4096, 32768, 65536 };
	static const u64 starts[] = {
		0, 512, 4096, 63 * 512, 4097 * 512, 64 * MIB, GIB - 4096,
	};
	static const u64 lengths[] = {
		0, 512, 1024, 4096, 8192, 100 * KIB, 256 * KIB, 300 * KIB, MIB,
		3 * MIB - 512, 5 * MIB, 64 * MIB, 70 * MIB, 700 * MIB, GIB,
		3 * GIB,
	};
	size_t i, k;
	int how;

	for (how = 0; how < 16; how++) {
		u32 block = blocks[how & 3];
		bool ok = true;

		for (i = 0; i < ARRAY_SIZE(starts); i++) {
			for (k = 0; k < ARRAY_SIZE(lengths); k++) {
				struct card c = plain;
				struct fb_probe p = probe_of(&c);
				int ret;

				p.logical_block = block;
				/* which geometry refuses for larger ones */
				p.scan = how & 4 && block <= FB_SCAN_STEP;
				p.writes = how & 8;
				p.only = ALL_KEYS;
				p.start = starts[i] / block * block;
				p.end = min(p.start + lengths[k], c.size);
				p.end = p.end / block * block;
				ret = run(&c, &p);
				if (!ret && !c.fault && wants_less(c.size))
					continue;
				ok = false;
				tap_diag("%llu+%llu: %d %s", p.start,
					 p.end - p.start, ret,
					 c.fault ? c.fault : "");
			}
		}
		tap_ok(ok, "any range, blocks of %u%s%s", block,
		       how & 4 ? ", scan" : "", how & 8 ? ", writes" : "");
	}
}

static void test_small(void)
{
	static const u64 sizes[] = { 512, 4 * KIB, 64 * KIB, MIB, 3 * MIB };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct card c = plain;
		struct fb_probe p = probe_of(&c);

		c.size = sizes[i];
		p.disk_size = c.size;
		p.end = c.size;
		p.writes = true;
		p.only = ALL_KEYS;
		tap_ok(!run(&c, &p) && !c.fault && wants_less(c.size) &&
		       strstr(fb_geometry_verdict(g, FB_ERASE_BLOCK)->evidence,
			      "too little room"), "a disk of %llu bytes",
		       c.size);
	}
	{
		struct card c = plain;
		struct fb_probe p = probe_of(&c);

		p.end = c.size + 512;
		tap_ok(run(&c, &p) == -EINVAL && !c.n,
		       "a range beyond the disk");
	}
}

/* ---- traps ---- */

static u64 likely(enum fb_verdict_key key)
{
	const struct fb_verdict *v = fb_geometry_verdict(g, key);

	return v->confidence >= FB_LIKELY ? v->number : 0;
}

/* An erase block, super page or page of 1 byte is crossed by all reads */

static void test_traps(void)
{
	static const struct {
		const char *name;
		struct card card;
		bool scan;
		u64 start;	/* of the range */
		u64 erase;	/* 0: must be unknown */
		u64 super;
		u64 page;
	} cases[] = {
		{ "plain", { 0 }, false, 0, 2 * MIB, 16 * KIB, 4 * KIB },
		{ "a partition that begins anywhere", { 0 }, false,
		  63 * 512 + 64 * MIB, 2 * MIB, 16 * KIB, 4 * KIB },
		{ "1.5 MiB and three planes",
		  { .erase = 1536 * KIB, .super = 24 * KIB }, false, 0,
		  1536 * KIB, 24 * KIB, 4 * KIB },
		{ "three planes of one page each",
		  { .erase = 6 * MIB, .super = 24 * KIB, .page = 8 * KIB },
		  false, 0, 6 * MIB, 24 * KIB, 8 * KIB },
		{ "4.5 MiB", { .erase = 4608 * KIB }, false, 0, 4608 * KIB,
		  16 * KIB, 4 * KIB },
		{ "9 MiB", { .erase = 9 * MIB }, false, 0, 9 * MIB, 16 * KIB,
		  4 * KIB },
		{ "10 MiB", { .erase = 10 * MIB }, false, 0, 10 * MIB,
		  16 * KIB, 4 * KIB },
		{ "12 MiB", { .erase = 12 * MIB }, false, 0, 12 * MIB,
		  16 * KIB, 4 * KIB },
		{ "14 MiB", { .erase = 14 * MIB }, false, 0, 14 * MIB,
		  16 * KIB, 4 * KIB },
		{ "24 MiB", { .erase = 24 * MIB }, false, 0, 24 * MIB,
		  16 * KIB, 4 * KIB },
		{ "4128 KiB, with a scan", { .erase = 4128 * KIB }, true, 0,
		  4128 * KIB, 16 * KIB, 4 * KIB },
		{ "4128 KiB, without one", { .erase = 4128 * KIB }, false, 0,
		  0, 16 * KIB, 4 * KIB },
		{ "a zone twice as large", { .zone = 4 * MIB }, false, 0,
		  2 * MIB, 16 * KIB, 4 * KIB },
		{ "a zone of 32 MiB", { .zone = 32 * MIB }, false, 0,
		  2 * MIB, 16 * KIB, 4 * KIB },
		{ "no erase block to be seen", { .erase = 1 }, false, 0, 0,
		  16 * KIB, 4 * KIB },
		{ "nothing to be seen", { .erase = 1, .super = 1, .page = 1 },
		  false, 0, 0, 0, 0 },
		{ "a third without data", { .empty = 333 }, false, 0, 2 * MIB,
		  16 * KIB, 4 * KIB },
		{ "no data at all", { .empty = 1000 }, false, 0, 0, 0, 0 },
		{ "one in eight 100 times slower", { .outlier = 8 }, false, 0,
		  2 * MIB, 16 * KIB, 4 * KIB },
		{ "noise larger than all steps", { .noise = 600 }, false, 0, 0,
		  0, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct card *o = &cases[i].card;
		struct card c = plain;
		struct fb_probe p = probe_of(&c);
		u64 erase, super, page;

		c.erase = o->erase ? o->erase : c.erase;
		c.super = o->super ? o->super : c.super;
		c.page = o->page ? o->page : c.page;
		c.zone = o->zone;
		c.noise = o->noise ? o->noise : c.noise;
		c.outlier = o->outlier;
		c.empty = o->empty;
		p.scan = cases[i].scan;
		p.start = cases[i].start;
		run(&c, &p);
		erase = likely(FB_ERASE_BLOCK);
		super = likely(FB_SUPER_PAGE);
		page = likely(FB_PAGE);
		/* the page may drown in what is slow for no reason */
		if (c.outlier && !page)
			page = cases[i].page;
		if (!tap_ok(erase == cases[i].erase &&
			    super == cases[i].super && page == cases[i].page,
			    "%s", cases[i].name))
			tap_diag("got %llu, %llu, %llu: %s", erase, super, page,
				 fb_geometry_verdict(g, FB_ERASE_BLOCK)->evidence);
	}
}

static void test_unwritten(void)
{
	static const struct {
		u32 empty;
		u32 uneven;
		u32 low;
		u32 high;
	} cases[] = {
		{ 0, 0, 0, 0 },
		{ 0, 300, 0, 0 },
		{ 333, 0, 10, 34 },
		{ 700, 0, 32, 58 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct fb_verdict *v;
		struct card c = plain;
		struct fb_probe p = probe_of(&c);
		bool right;
		u64 cut;

		c.empty = cases[i].empty;
		c.uneven = cases[i].uneven;
		run(&c, &p);
		v = fb_geometry_verdict(g, FB_UNWRITTEN);
		tap_ok(v->confidence >= FB_LIKELY &&
		       v->number >= cases[i].low && v->number <= cases[i].high,
		       "%u per mille without data, pages differ by %u: %s",
		       c.empty, c.uneven, v->value);
		/* reads of nothing are told from others, if there are any */
		cut = g->read.cut;
		right = cut > BASE_NS / 2 + 1000 && cut < BASE_NS * 9 / 10;
		tap_ok(c.empty ? right : !cut, "and are left out");
	}
}

int main(void)
{
	g = malloc(fb_geometry_size());
	test_say();
	test_names();
	test_only();
	test_unarmed();
	test_budget();
	test_seed();
	test_claims();
	test_refused();
	test_ranges();
	test_small();
	test_traps();
	test_unwritten();
	free(g);
	return tap_done();
}
