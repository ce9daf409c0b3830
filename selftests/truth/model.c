// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulated card that is asked as the module asks a real one, with what the
 * host and the world add to its times, and a watch on what is asked.
 */
#include <math.h>

#include "truth.h"

#define BETWEEN_NS	20000	/* from one operation to the next */
#define PAUSE_NS	1000000	/* from one batch to the next */
#define DRIFT_NS	4000000000.	/* period of slow changes */
#define AHEAD_BYTES	65536	/* read ahead */
#define MAX_BATCH	4096	/* what a batch is at most, in reason */
#define MAX_COLLECTIONS	400	/* the module's default */
#define MAX_TURN	64	/* writes the inference asks for at once */

static void fault(struct truth_model *m, const char *what,
		  const struct fb_ask *op)
{
	if (!*m->fault)
		snprintf(m->fault, sizeof(m->fault), "%s: %s %llu+%u", what,
			 op->opcode == FB_READ ? "read" :
			 op->opcode == FB_WRITE ? "write" :
			 op->opcode == FB_FLUSH ? "flush" : "?",
			 op->offset, op->length);
}

/* Areas that were never written, the same for every run on this card */
static void forget(struct truth_model *m)
{
	const struct truth_card *c = m->card;
	u32 n, block, in_block;
	u64 area, off, end;

	if (!c->unwritten_pm)
		return;
	for (area = 0; area < c->cfg.size; area += UNWRITTEN_AREA) {
		if (fb_hash(c->seed ^ area) % 1000 >= c->unwritten_pm)
			continue;
		end = min(area + UNWRITTEN_AREA, c->cfg.size);
		for (off = area; off < end; off += n) {
			block = ftl_block_of(m->ftl, off, &in_block);
			n = min_t(u64, end - off, c->cfg.erase - in_block);
			ftl_mark(m->ftl, block, in_block, n, false);
		}
	}
}

/* What somebody wrote before, and did not finish */
static void leave_open(struct truth_model *m)
{
	const struct ftl_config *cfg = &m->ftl->cfg;
	u64 off, page = m->ftl->super;
	u32 i;

	for (i = 0; i < m->card->left_open; i++) {
		off = truth_uniform(&m->rng) * (m->ftl->nblocks - 2) + 1;
		off = off * cfg->erase + cfg->shift;
		m->now += ftl_write(m->ftl, m->now, off, page);
		if (truth_chance(&m->rng, .3))
			m->now += ftl_write(m->ftl, m->now, off + 4 * page,
					    page);
	}
}

/**
 * truth_model_open() - put a card in
 * @m: gets it
 * @c: the card; stays in use
 *
 * Return: 0 or a negative errno.
 */
int truth_model_open(struct truth_model *m, const struct truth_card *c)
{
	const char *key, *why;

	*m = (struct truth_model) {
		.card = c,
		.rng = { fb_hash(c->seed ^ 1) },
		.last_end = U64_MAX,
		.limits = {
			.end = c->cfg.size,
			.max_write = U64_MAX,
			.max_ns = U64_MAX,
			.max_collections = MAX_COLLECTIONS,
		},
	};
	if (ftl_check(&c->cfg, &key, &why)) {
		fprintf(stderr, "%s %u: %s %s\n", truth_mix_name[c->mix],
			c->index, key, why);
		return -EINVAL;
	}
	m->ftl = ftl_create(&c->cfg);
	if (!m->ftl)
		return -ENOMEM;
	forget(m);
	leave_open(m);
	snprintf(m->claims, sizeof(m->claims), "%llu",
		 c->claims_true ? c->cfg.erase : 4 * MIB);
	m->now += 3 * NSEC_PER_SEC;
	m->ftl->totals = (struct ftl_totals) { .lowest = U64_MAX };
	return 0;
}

/**
 * truth_model_close() - take the card out
 * @m: the card in use
 */
void truth_model_close(struct truth_model *m)
{
	ftl_destroy(m->ftl);
	m->ftl = NULL;
}

static double disturb(struct truth_model *m, double ns)
{
	const struct truth_card *c = m->card;
	struct truth_rng *r = &m->rng;
	double more;

	ns *= 1 + c->drift_pm * .001 * sin(m->now * 6.2832 / DRIFT_NS);
	if (c->burst && !m->burst_left && truth_chance(r, 1. / c->burst)) {
		m->burst_left = truth_between(r, 5, 30);
		m->burst_pm = truth_between(r, 1200, 2000);
	}
	if (m->burst_left) {
		m->burst_left--;
		ns *= m->burst_pm * .001;
	}
	if (truth_chance(r, c->outlier_ppm * .000001)) {
		more = 1.3 / (1 - truth_uniform(r)); /* Pareto, alpha 1 */
		ns *= fmin(more, 100);
	}
	more = -log(1 - truth_uniform(r)) * c->jitter_ns;
	return ns + c->overhead_ns + more;
}

static double do_read(struct truth_model *m, const struct fb_ask *op)
{
	const u64 behind = op->offset - m->last_end;
	double ns = ftl_read(m->ftl, m->now, op->offset, op->length);

	if (m->card->ahead_pm && op->offset >= m->last_end &&
	    behind + op->length <= AHEAD_BYTES)
		ns *= m->card->ahead_pm * .001;
	m->last_end = op->offset + op->length;
	return ns;
}

static double do_write(struct truth_model *m, const struct fb_ask *op)
{
	double ns = ftl_write(m->ftl, m->now, op->offset, op->length);

	m->last_end = U64_MAX;
	if (m->card->spike && truth_chance(&m->rng, 1. / m->card->spike))
		ns *= truth_between(&m->rng, 3, 12);
	return ns;
}

/**
 * truth_model_do() - one operation
 * @m: the card
 * @op: the operation
 *
 * Return: ns.
 */
u64 truth_model_do(struct truth_model *m, const struct fb_ask *op)
{
	bool cached = m->card->claims_cache;
	double ns = 0;

	if (op->opcode == FB_READ)
		ns = do_read(m, op);
	else if (op->opcode == FB_WRITE)
		ns = do_write(m, op);
	if (cached && (op->flush || op->opcode == FB_FLUSH))
		ns += ftl_flush(m->ftl, m->now + ns) + m->card->overhead_ns;
	ns = disturb(m, ns);
	m->now += ns + BETWEEN_NS;
	return ns;
}

/* What must hold of every operation */
static void watch(struct truth_model *m, const struct fb_ask *op)
{
	const struct truth_limits *l = &m->limits;

	if (op->opcode != FB_READ && op->opcode != FB_WRITE &&
	    op->opcode != FB_FLUSH)
		fault(m, "no such operation", op);
	if (op->opcode != FB_READ && !l->writes)
		fault(m, "may not write", op);
	if (op->opcode == FB_FLUSH) {
		if (op->length)
			fault(m, "a flush with data", op);
		return;
	}
	if (op->flush && op->opcode != FB_WRITE)
		fault(m, "a flush behind no write", op);
	if (!op->length || op->length > FB_MAX_LEN ||
	    op->length % FTL_SECTOR || op->offset % FTL_SECTOR)
		fault(m, "not in sectors", op);
	if (op->offset < l->start || op->offset > l->end ||
	    op->length > l->end - op->offset)
		fault(m, "outside the range", op);
}

static void account(struct truth_cost *cost, const struct fb_ask *op)
{
	cost->reads += op->opcode == FB_READ;
	cost->writes += op->opcode == FB_WRITE;
	cost->flushes += op->flush || op->opcode == FB_FLUSH;
	if (op->opcode == FB_WRITE)
		cost->written += op->length;
}

static bool allowed(struct truth_model *m, const struct fb_ask *ask, u32 n)
{
	u64 bytes = m->cost.written;
	u32 i;

	for (i = 0; i < n; i++)
		if (ask[i].opcode == FB_WRITE)
			bytes += ask[i].length;
	return bytes <= m->limits.max_write && m->cost.ns <= m->limits.max_ns;
}

/* For struct fb_probe: a batch of operations */
static int model_ask(void *ctx, const struct fb_ask *ask, u64 *ns, u32 n)
{
	struct truth_model *m = ctx;
	const struct fb_ask wake = {
		.opcode = FB_READ,
		.offset = m->limits.end - FTL_SECTOR,
		.length = FTL_SECTOR,
	};
	u64 start = m->now;
	u32 i;

	if (!n || n > MAX_BATCH)
		fault(m, "an odd batch", ask);
	if (m->quota)
		fault(m, "asked on after the budget ended", ask);
	for (i = 0; i < n; i++)
		watch(m, &ask[i]);
	if (*m->fault)
		return -EINVAL;
	m->quota = !allowed(m, ask, n);
	if (m->quota)
		return -EDQUOT;
	m->now += PAUSE_NS;
	truth_model_do(m, &wake);
	for (i = 0; i < n; i++) {
		ns[i] = truth_model_do(m, &ask[i]);
		account(&m->cost, &ask[i]);
		if (m->trace)
			printf("# %s%s %llu+%u %llu\n",
			       fb_opcode_name(ask[i].opcode),
			       ask[i].flush ? "+flush" : "", ask[i].offset,
			       ask[i].length, ns[i]);
	}
	m->cost.ns += m->now - start;
	m->cost.evictions = m->ftl->totals.evictions;
	m->cost.programmed = m->ftl->totals.programmed_bytes;
	return 0;
}

/**
 * truth_model_infer() - run the inference on a card
 * @m: the card, and what may be done to it
 * @g: gets the verdicts
 * @keys: which ones are wanted, a mask
 *
 * Return: 0, or what the inference returned.
 */
int truth_model_infer(struct truth_model *m, struct fb_geometry *g, u32 keys)
{
	const struct fb_probe probe = {
		.ask = model_ask,
		.ctx = m,
		.claims = m->claims,
		.disk_size = m->card->cfg.size,
		.start = m->limits.start,
		.end = m->limits.end,
		.logical_block = FTL_SECTOR,
		.writes = m->limits.writes,
		.write_cache = m->card->claims_cache,
		.scan = m->limits.scan,
		.max_collections = m->limits.max_collections,
		.only = keys,
		.seed = m->card->seed,
	};
	int ret = fb_geometry_run(g, &probe);

	/* what might become too many is not even tried */
	if (ret == -EDQUOT &&
	    fb_geometry_collections(g) + MAX_TURN > m->limits.max_collections)
		m->quota = true;
	if (ret && (ret != -EDQUOT || !m->quota) && !*m->fault)
		snprintf(m->fault, sizeof(m->fault), "error %d", ret);
	return ret;
}
