// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that find out what to do next: the inference of geometry.c asks for
 * operations, and is given their times.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "flashbench.h"
#include "geometry.h"

#define FB_VERDICTS_LEN	4096	/* of all lines; one has at most a tenth */

/* One operation that is timed, kept as a sample */
static int fb_infer_do(struct fb_worker *w, const struct fb_op *op, u64 *ns)
{
	struct fb_result *res = w->run->res;
	struct fb_sample *s = fb_result_more(res);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = fb_worker_ask(w, op, s);
	if (ret)
		return ret;
	res->nsamples++;
	*ns += s->latency_ns;
	return 0;
}

static int fb_infer_one(struct fb_worker *w, const struct fb_ask *ask, u64 *ns)
{
	const struct fb_geo *geo = &w->run->plan.geo;
	struct fb_op op = {
		.opcode = ask->opcode,
		.point = ask->key,
		.timed = true,
	};
	int ret;

	*ns = 0;
	if (ask->opcode != FB_FLUSH) {
		op.offset = ask->offset - geo->disk_start;
		op.length = ask->length;
	}
	ret = fb_infer_do(w, &op, ns);
	if (ret || !ask->flush)
		return ret;
	op = (struct fb_op) {
		.opcode = FB_FLUSH, .point = ask->key, .timed = true
	};
	return fb_infer_do(w, &op, ns);
}

static int fb_infer_ask(void *ctx, const struct fb_ask *ask, u64 *ns, u32 n)
{
	struct fb_worker *w = ctx;
	struct fb_sample scratch;
	struct fb_op wake;
	u32 i;
	int ret;

	fb_op_wake(&w->run->plan, &wake);
	ret = fb_worker_ask(w, &wake, &scratch);
	for (i = 0; i < n && !ret; i++)
		ret = fb_infer_one(w, &ask[i], &ns[i]);
	return ret;
}

static int fb_infer_run(struct fb_worker *w, struct fb_geometry *g, u32 only,
			u32 max_collections)
{
	struct fb_run *run = w->run;
	const u64 *val = run->plan.params.val;
	const struct fb_geo *geo = &run->plan.geo;
	char claims[FB_TEXT_LEN];
	struct fb_limits lim;
	struct fb_probe probe = {
		.ask = fb_infer_ask,
		.ctx = w,
		.claims = claims,
		.disk_size = fb_dev_disk_size(run->dev),
		.start = geo->disk_start + geo->range_start,
		.end = geo->disk_start + geo->range_start + geo->range_len,
		.logical_block = geo->logical_block,
		.writes = geo->armed,
		.write_cache = geo->write_cache,
		.scan = val[FB_KEY_SCAN],
		.max_collections = max_collections,
		.only = only,
		.erase = val[FB_KEY_ERASESIZE],
		.seed = val[FB_KEY_SEED],
	};
	int ret = -ENOMEM;

	fb_dev_limits(run->dev, &lim);
	probe.max_piece = lim.max_bio_bytes;
	fb_card_claims(fb_dev_bdev(run->dev), claims, sizeof(claims));
	if (g)
		ret = fb_geometry_run(g, &probe);
	if (ret == -ENOMEM && !run->error)
		scnprintf(run->reason, sizeof(run->reason),
			  "not enough memory for the inference");
	if (ret != -EDQUOT)
		run->error = run->error ?: ret;
	return ret;
}

static int fb_infer_lines(struct fb_run *run, const struct fb_geometry *g)
{
	char *text = kvmalloc(FB_VERDICTS_LEN, GFP_KERNEL);
	int key, len = 0;

	if (!text)
		return -ENOMEM;
	text[0] = '\0';
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		if (!(run->plan.params.val[FB_KEY_ONLY] & BIT(key)))
			continue;
		len += fb_geometry_line(g, key, text + len,
					FB_VERDICTS_LEN - len);
		len += scnprintf(text + len, FB_VERDICTS_LEN - len, "\n");
	}
	run->res->verdicts = text;
	return 0;
}

/* For a run that was cancelled, which has no result: its answers so far */
static void fb_infer_found(struct fb_run *run, const struct fb_geometry *g)
{
	const struct fb_verdict *v;
	int key, len = 0;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		v = fb_geometry_verdict(g, key);
		if (v->confidence >= FB_LIKELY)
			len += scnprintf(run->reason + len,
					 sizeof(run->reason) - len, "%s%s %s",
					 len ? ", " : "",
					 fb_verdict_names[key], v->value);
	}
}

/**
 * fb_infer() - carry out the inference of a run
 * @w: the worker of the run; the run's @error, @reason and @res tell how it
 *	ended
 */
void fb_infer(struct fb_worker *w)
{
	struct fb_run *run = w->run;
	struct fb_geometry *g = kvzalloc(fb_geometry_size(), GFP_KERNEL);
	const u64 *val = run->plan.params.val;
	int ret = fb_infer_run(w, g, val[FB_KEY_ONLY],
			       val[FB_KEY_MAX_COLLECTIONS]);

	if (!ret || ret == -EDQUOT) {
		run->collections = fb_geometry_collections(g);
		/* all other budgets are those of the run, which says so */
		if (ret && !run->reason[0])
			scnprintf(run->reason, sizeof(run->reason),
				  "budget max-collections: %u writes as slow as a collection were seen",
				  run->collections);
		run->error = fb_infer_lines(run, g);
	}
	if (ret == -ECANCELED)
		fb_infer_found(run, g);
	/* at the end, all that was planned has been done */
	run->progress.total = w->ledger;
	kvfree(g);
}

/**
 * fb_infer_limit() - find out for open-au-nr=auto
 * @w: the worker of the run, whose plan is settled; its samples are not kept
 *
 * Without an answer the plan is the default of the old command, and what the
 * inference says goes into the header.
 *
 * Return: false if the run has ended with this.
 */
bool fb_infer_limit(struct fb_worker *w)
{
	struct fb_run *run = w->run;
	enum fb_verdict_key key = run->plan.params.val[FB_KEY_RANDOM] ?
		FB_OPEN_RANDOM : FB_OPEN_LINEAR;
	struct fb_geometry *g = kvzalloc(fb_geometry_size(), GFP_KERNEL);
	const struct fb_verdict *v;
	u64 limit = FB_AU_DEFAULT;

	fb_infer_run(w, g, BIT(key), FB_MAX_COLLECTIONS);
	if (!run->error && !run->reason[0]) {
		v = fb_geometry_verdict(g, key);
		fb_geometry_line(g, key, run->found, sizeof(run->found));
		if (v->confidence >= FB_LIKELY && strcmp(v->value, "no_limit"))
			limit = max_t(u64, v->number, 1);
		run->error = fb_plan_set_limit(&run->plan, limit, run->reason);
		run->res->plan = run->plan;
		fb_ledger_sum(&run->progress.total, &w->ledger,
			      &run->plan.total);
	}
	run->res->nsamples = 0;
	kvfree(g);
	return !run->error && !run->reason[0];
}
