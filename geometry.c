// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a card is: the order of things, and the verdicts.
 *
 * Reads wear nothing out, so all that reads can tell comes first; what writes
 * goes on from there, each part only if its answer, or that of a later part
 * which builds on it, is wanted.
 */
#include "geometry_impl.h"

const char *const fb_verdict_names[FB_NR_VERDICTS] = {
	[FB_ERASE_BLOCK] = "erase_block",
	[FB_SUPER_PAGE] = "super_page",
	[FB_PAGE] = "page",
	[FB_OPEN_LINEAR] = "open_linear",
	[FB_OPEN_RANDOM] = "open_random",
	[FB_FAT_AREA] = "fat_area",
	[FB_PROGRAM_UNIT] = "program_unit",
	[FB_SUBUNIT_PENALTY] = "subunit_penalty",
	[FB_UNALIGNED_PENALTY] = "unaligned_penalty",
	[FB_MAPPING] = "mapping",
	[FB_WRITE_CACHE] = "write_cache",
	[FB_UNWRITTEN] = "unwritten",
};

const char *const fb_basis_names[] = {
	[FB_BASIS_NONE] = "-",
	[FB_BASIS_READ] = "read",
	[FB_BASIS_CHECKED] = "read+check",
	[FB_BASIS_WRITE] = "write",
};

/* In the order they are done */
enum step {
	STEP_SURVEY,
	STEP_ERASE,
	STEP_PAGES,
	STEP_WRITTEN,
	STEP_FAT_TOUCH,
	STEP_OPEN,
	STEP_FAT,
	STEP_CHECK,
	STEP_FAT_AGAIN,
	STEP_UNIT,
	STEP_CACHE,
	NR_STEPS
};

#define READS	1300	/* what those parts take that read, */
#define READ_KIB	1400	/* in all */

/*
 * What a part decides, and which parts it builds on. If it writes, what that
 * takes: half of the cards take less (selftests/truth).
 */
static const struct {
	int (*run)(struct fb_geometry *g);
	u32 decides;
	u32 needs;
	u32 writes;
	u32 kib;
	const char *note;
} steps[NR_STEPS] = {
	[STEP_SURVEY] = { geo_survey, 0, 0 },
	[STEP_ERASE] = { geo_read_erase, BIT(FB_ERASE_BLOCK),
			 BIT(STEP_SURVEY) },
	[STEP_PAGES] = { geo_read_pages, BIT(FB_SUPER_PAGE) | BIT(FB_PAGE),
			 BIT(STEP_ERASE) },
	[STEP_WRITTEN] = { geo_written, BIT(FB_UNWRITTEN), BIT(STEP_PAGES) },
	[STEP_FAT_TOUCH] = { geo_fat_touch, 0,
			     BIT(STEP_ERASE) | BIT(STEP_PAGES), 25, 500 },
	[STEP_OPEN] = { geo_open_blocks, BIT(FB_OPEN_LINEAR) |
			BIT(FB_OPEN_RANDOM) | BIT(FB_MAPPING),
			BIT(STEP_ERASE) | BIT(STEP_PAGES), 260, 5600,
			", tens of collections" },
	[STEP_FAT] = { geo_fat_blocks, BIT(FB_FAT_AREA),
		       BIT(STEP_FAT_TOUCH) | BIT(STEP_OPEN), 40, 1000,
		       ", tens of collections, some at the start of the disk" },
	[STEP_CHECK] = { geo_check_erase, BIT(FB_ERASE_BLOCK), BIT(STEP_OPEN),
			 150, 3500, ", tens of collections" },
	[STEP_FAT_AGAIN] = { geo_fat_again, BIT(FB_FAT_AREA), BIT(STEP_FAT),
			     5, 100 },
	[STEP_UNIT] = { geo_program_unit, BIT(FB_PROGRAM_UNIT) |
			BIT(FB_SUBUNIT_PENALTY) | BIT(FB_UNALIGNED_PENALTY),
			BIT(STEP_ERASE) | BIT(STEP_PAGES), 170, 4600 },
	[STEP_CACHE] = { geo_write_cache, BIT(FB_WRITE_CACHE), BIT(STEP_ERASE),
			 40, 1000, ", 12 MB at most" },
};

/* ---- what all parts use ---- */

/**
 * geo_random() - the next random number
 * @g: the inference
 *
 * Return: a number that follows from the seed.
 */
u64 geo_random(struct fb_geometry *g)
{
	return fb_hash(g->rng++);
}

/**
 * geo_below() - a random number
 * @g: the inference
 * @n: how many there are to choose from, at least 1
 *
 * Return: one of 0 .. @n - 1.
 */
u64 geo_below(struct fb_geometry *g, u64 n)
{
	return fb_modulo(geo_random(g), n);
}

/**
 * geo_want() - add an operation to the batch
 * @g: the inference
 * @opcode: FB_READ, FB_WRITE or FB_FLUSH
 * @offset: bytes from the start of the disk
 * @length: bytes
 *
 * Its time is in g->ns[] at the index it was added at when geo_ask() is back.
 */
void geo_want(struct fb_geometry *g, enum fb_opcode opcode, u64 offset,
	      u32 length)
{
	/* one too many is refused by geo_ask() */
	if (g->nask < GEO_MAX_BATCH)
		g->ask[g->nask] = (struct fb_ask) {
			.opcode = opcode, .offset = offset, .length = length,
		};
	g->nask++;
}

/* A mistake here must not become a write to somebody's data */
static bool ask_allowed(const struct fb_probe *p, const struct fb_ask *ask)
{
	if (ask->opcode == FB_FLUSH)
		return p->writes;
	if (ask->opcode != FB_READ && (ask->opcode != FB_WRITE || !p->writes))
		return false;
	return ask->length && ask->length <= FB_MAX_LEN &&
	       ask->offset >= p->start && ask->offset < p->end &&
	       ask->length <= p->end - ask->offset &&
	       !fb_modulo(ask->offset, p->logical_block) &&
	       !fb_modulo(ask->length, p->logical_block);
}

/**
 * geo_ask() - get the times of the batch
 * @g: the inference; its batch is empty on return, the times are in g->ns[]
 *
 * Return: 0; -EDQUOT if a budget has ended; -EINVAL for an operation that is
 * not allowed, none of the batch is done then; what the probe said otherwise.
 */
int geo_ask(struct fb_geometry *g)
{
	u32 i, n = g->nask, writes = 0;
	int ret;

	g->nask = 0;
	if (n > GEO_MAX_BATCH)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (!ask_allowed(&g->probe, &g->ask[i]))
			return -EINVAL;
		writes += g->ask[i].opcode == FB_WRITE;
		g->ask[i].key = g->key;
	}
	/* each of them may be one */
	if (writes && g->probe.max_collections &&
	    g->collections + writes > g->probe.max_collections)
		g->budget = true;
	if (g->budget)
		return -EDQUOT;
	if (!n)
		return 0;
	ret = g->probe.ask(g->probe.ctx, g->ask, g->ns, n);
	if (ret == -EDQUOT)
		g->budget = true;
	return ret;
}

static __printf(7, 0) void say(struct fb_geometry *g, enum fb_verdict_key key,
			       const char *value, u64 number, u32 confidence,
			       enum fb_basis basis, const char *fmt,
			       va_list args)
{
	struct fb_verdict *v = &g->verdict[key];
	int len = 0;

	/* one method alone does not make sure */
	if (basis == FB_BASIS_READ)
		confidence = min(confidence, (u32)FB_SURE - 1);
	*v = (struct fb_verdict) {
		.number = number, .confidence = confidence, .basis = basis,
	};
	if (confidence < FB_LIKELY) {
		len = scnprintf(v->evidence, sizeof(v->evidence),
				"candidate %s; ", value);
		value = "-";
	}
	scnprintf(v->value, sizeof(v->value), "%s", value);
	vscnprintf(v->evidence + len, sizeof(v->evidence) - len, fmt, args);
}

/**
 * geo_say_text() - a verdict that is not just a number
 * @g: the inference
 * @key: which one; what was said of it before is forgotten
 * @value: as printed; a candidate only if @confidence is below FB_LIKELY
 * @number: the same as a number, as far as it is one
 * @confidence: per mille; from reads alone it is never FB_SURE
 * @basis: what it rests on
 * @fmt: evidence in few words
 */
void geo_say_text(struct fb_geometry *g, enum fb_verdict_key key,
		  const char *value, u64 number, u32 confidence,
		  enum fb_basis basis, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(g, key, value, number, confidence, basis, fmt, args);
	va_end(args);
}

/**
 * geo_say() - a verdict that is a number
 * @g: the inference
 * @key: which one; what was said of it before is forgotten
 * @number: it
 * @confidence: per mille; from reads alone it is never FB_SURE
 * @basis: what it rests on
 * @fmt: evidence in few words
 */
void geo_say(struct fb_geometry *g, enum fb_verdict_key key, u64 number,
	     u32 confidence, enum fb_basis basis, const char *fmt, ...)
{
	char value[FB_TEXT_LEN];
	va_list args;

	scnprintf(value, sizeof(value), "%llu", number);
	va_start(args, fmt);
	say(g, key, value, number, confidence, basis, fmt, args);
	va_end(args);
}

/**
 * geo_unknown() - nothing can be said
 * @g: the inference
 * @key: of what; what was said of it before is forgotten
 * @basis: what was tried
 * @fmt: why, in few words
 */
void geo_unknown(struct fb_geometry *g, enum fb_verdict_key key,
		 enum fb_basis basis, const char *fmt, ...)
{
	struct fb_verdict *v = &g->verdict[key];
	va_list args;

	*v = (struct fb_verdict) { .value = "-", .basis = basis };
	va_start(args, fmt);
	vscnprintf(v->evidence, sizeof(v->evidence), fmt, args);
	va_end(args);
}

/* ---- the order of things ---- */

/* Parts that are needed for what is wanted, and for each other */
static u32 needed_steps(u32 only, bool writes)
{
	u32 needed = 0;
	int step;

	for (step = NR_STEPS - 1; step >= 0; step--) {
		if (steps[step].writes && !writes)
			continue;
		if (steps[step].decides & only)
			needed |= BIT(step);
		if (needed & BIT(step))
			needed |= steps[step].needs;
	}
	return needed;
}

/**
 * fb_geometry_expect() - what an inference takes on most cards
 * @only: mask of BIT(enum fb_verdict_key): what is wanted
 * @writes: may write
 * @total: gets it
 */
void fb_geometry_expect(u32 only, bool writes, struct fb_ledger *total)
{
	u32 needed = needed_steps(only, writes);
	int step;

	*total = (struct fb_ledger) {
		.ios = READS,
		.read_bytes = READ_KIB * 1024,
	};
	for (step = 0; step < NR_STEPS; step++) {
		if (!(needed & BIT(step)))
			continue;
		total->ios += steps[step].writes;
		total->written_bytes += steps[step].kib * 1024ULL;
	}
}

static bool is_open(const struct fb_geometry *g, int key)
{
	return !g->verdict[key].evidence[0];
}

/* Of what writes would have told, and reads cannot */
static void say_unarmed(struct fb_geometry *g)
{
	u32 left = BIT(FB_NR_VERDICTS) - 1;
	struct fb_ledger reads, all;
	int step, key;

	for (step = 0; step < NR_STEPS; step++)
		if (!steps[step].writes)
			left &= ~steps[step].decides;
	for (step = 0; step < NR_STEPS; step++)
		for (key = 0; key < FB_NR_VERDICTS; key++) {
			if (!steps[step].writes || !is_open(g, key) ||
			    !(steps[step].decides & left & BIT(key)))
				continue;
			fb_geometry_expect(BIT(key), false, &reads);
			fb_geometry_expect(BIT(key), true, &all);
			geo_unknown(g, key, FB_BASIS_NONE,
				    "needs writing; armed it would add about %llu writes, %llu MB%s",
				    all.ios - reads.ios,
				    div_u64(all.written_bytes + 500000, 1000000),
				    steps[step].note ?: "");
		}
}

/*
 * What rests on the erase block is no surer than that, however it came to be
 * doubted: out of order, writes in what is two erase blocks need two open ones.
 */
static void say_doubts(struct fb_geometry *g)
{
	static const u32 keys = BIT(FB_OPEN_RANDOM) | BIT(FB_FAT_AREA);
	u32 most = g->verdict[FB_ERASE_BLOCK].confidence;
	struct fb_verdict *v = g->verdict;
	struct fb_verdict said;

	if (is_open(g, FB_ERASE_BLOCK))
		return;
	for (; v < g->verdict + FB_NR_VERDICTS; v++) {
		if (!(keys & BIT(v - g->verdict)) || v->confidence <= most ||
		    !strcmp(v->value, "no_limit"))
			continue;
		said = *v;
		geo_say_text(g, v - g->verdict, said.value, said.number, most,
			     said.basis, "%s%s", said.evidence,
			     most < FB_LIKELY ? "; erase block not known" : "");
	}
}

/* Of what is not answered, and what the card says of itself */
static void say_rest(struct fb_geometry *g, int err)
{
	struct fb_verdict *v = &g->verdict[FB_ERASE_BLOCK];
	const char *why = err == -EDQUOT ? "a budget ended first" :
					   "the run ended first";
	size_t len;
	int key;

	if (!g->probe.writes)
		say_unarmed(g);
	/* nothing is doubtful if the erase block was given, and not asked for */
	say_doubts(g);
	for (key = 0; key < FB_NR_VERDICTS; key++)
		if (is_open(g, key))
			geo_unknown(g, key, FB_BASIS_NONE, "%s", why);
	len = strlen(v->evidence);
	if (v->confidence >= FB_LIKELY)
		len += scnprintf(v->evidence + len, sizeof(v->evidence) - len,
				 "; capacity is %s multiple",
				 fb_modulo(g->probe.disk_size, v->number) ?
				 "no" : "a");
	if (g->probe.claims && *g->probe.claims)
		scnprintf(v->evidence + len, sizeof(v->evidence) - len,
			  "; card claims %s", g->probe.claims);
}

/**
 * fb_geometry_size() - memory that an inference takes
 *
 * Return: bytes. They need not be zeroed.
 */
size_t fb_geometry_size(void)
{
	return sizeof(struct fb_geometry);
}

/**
 * fb_geometry_run() - find out what a card is
 * @g: memory of fb_geometry_size() bytes
 * @probe: the card, and what is wanted
 *
 * Whatever this returns, all verdicts can be asked for: those that were not
 * reached say so.
 *
 * Return: 0; -EDQUOT if a budget ended first; -EINVAL for a probe that makes
 * no sense; any other errno from @probe->ask().
 */
int fb_geometry_run(struct fb_geometry *g, const struct fb_probe *probe)
{
	u32 needed = needed_steps(probe->only, probe->writes);
	int step, ret = 0;

	memset(g, 0, sizeof(*g));
	g->probe = *probe;
	g->erase = probe->erase;
	if (probe->erase)
		needed &= ~BIT(STEP_ERASE);
	g->rng = fb_hash(probe->seed);
	if (!probe->logical_block || probe->start > probe->end ||
	    probe->end > probe->disk_size)
		ret = -EINVAL;
	for (step = 0; step < NR_STEPS && !ret; step++) {
		if (!(needed & BIT(step)))
			continue;
		g->key = steps[step].decides ? __ffs(steps[step].decides) :
			 FB_UNWRITTEN;
		ret = steps[step].run(g);
	}
	say_rest(g, ret);
	return ret;
}

/* ---- answers ---- */

/**
 * fb_geometry_verdict() - an answer
 * @g: the inference, after fb_geometry_run()
 * @key: which one
 *
 * Return: it.
 */
const struct fb_verdict *fb_geometry_verdict(const struct fb_geometry *g,
					     enum fb_verdict_key key)
{
	return &g->verdict[key];
}

static const char *class_name(const struct fb_verdict *v)
{
	if (v->confidence >= FB_SURE)
		return "sure";
	return v->confidence >= FB_LIKELY ? "likely" : "unknown";
}

/**
 * fb_geometry_line() - an answer as printed, without newline
 * @g: the inference, after fb_geometry_run()
 * @key: which one
 * @buf: gets it
 * @size: bytes in @buf; FB_LINE_LEN is enough
 *
 * Return: its length; 0 if the key was not wanted.
 */
int fb_geometry_line(const struct fb_geometry *g, enum fb_verdict_key key,
		     char *buf, size_t size)
{
	const struct fb_verdict *v = &g->verdict[key];

	if (!(g->probe.only & BIT(key)))
		return 0;
	return scnprintf(buf, size, "%s\t%s\t%s\t%u\t%s\t%s", fb_verdict_names[key],
			 v->value, class_name(v), v->confidence,
			 fb_basis_names[v->basis], v->evidence);
}

/**
 * fb_geometry_collections() - how many collections were seen
 * @g: the inference
 *
 * Return: slow writes.
 */
u32 fb_geometry_collections(const struct fb_geometry *g)
{
	return g->collections;
}
