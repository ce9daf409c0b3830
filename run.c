// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carrying out a plan: operation by operation, until its end, the end of a
 * budget, an error, or a request to stop.
 */
#include <linux/blkdev.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/time.h>
#include <linux/utsname.h>
#include "compat.h"
#include "flashbench.h"

#define FB_HEADER_LEN	4096
#define FB_LOSS_MS	1000	/* hosts look after 200 ms or so */
#define FB_BURST	8	/* late reads in a row that are worth a warning */

/**
 * fb_run_alloc() - a run that has not started
 * @dev: the target, which must stay open until the run is finished
 * @plan: a plan that fits
 *
 * Return: the run, with one reference; NULL if there is not enough memory.
 */
struct fb_run *fb_run_alloc(struct fb_dev *dev, const struct fb_plan *plan)
{
	struct fb_run *run = kvzalloc(sizeof(*run), GFP_KERNEL);

	if (!run)
		return NULL;
	run->res = fb_result_alloc(plan);
	if (!run->res) {
		kvfree(run);
		return NULL;
	}
	kref_init(&run->ref);
	spin_lock_init(&run->lock);
	init_completion(&run->finished);
	run->dev = dev;
	run->plan = *plan;
	run->progress.total = plan->total;
	run->start_ns = ktime_get_ns();
	run->res->start_ns = run->start_ns;
	return run;
}

/**
 * fb_run_get() - keep a run
 * @run: the run
 */
void fb_run_get(struct fb_run *run)
{
	kref_get(&run->ref);
}

static void fb_run_free(struct kref *ref)
{
	struct fb_run *run = container_of(ref, struct fb_run, ref);

	fb_result_put(run->res);
	kvfree(run);
}

/**
 * fb_run_put() - let go of a run
 * @run: the run, or NULL
 */
void fb_run_put(struct fb_run *run)
{
	if (run)
		kref_put(&run->ref, fb_run_free);
}

/**
 * fb_run_progress() - how far a run has come
 * @run: the run
 * @p: filled in
 *
 * Context: any that may take a spinlock; also while the run is in progress.
 */
void fb_run_progress(struct fb_run *run, struct fb_progress *p)
{
	bool finished = completion_done(&run->finished);

	spin_lock(&run->lock);
	*p = run->progress;
	spin_unlock(&run->lock);
	if (!finished)
		p->elapsed_ns = ktime_get_ns() - run->start_ns;
}

static void fb_publish_progress(struct fb_worker *w)
{
	struct fb_run *run = w->run;

	spin_lock(&run->lock);
	run->progress.done = w->ledger;
	if (run->progress.total.ios < w->ledger.ios)
		run->progress.total.ios = w->ledger.ios;
	run->progress.io_errors = w->io_errors;
	run->progress.elapsed_ns = ktime_get_ns() - run->start_ns;
	spin_unlock(&run->lock);
}

static void fb_run_gone(struct fb_run *run, const char *name, u64 sector)
{
	run->error = -ENODEV;
	scnprintf(run->reason, sizeof(run->reason),
		  "the device has gone: %s at sector %llu", name, sector);
}

/* A run that failed, and only finishes its row, keeps its reason */
static __printf(2, 0) void fb_run_budget(struct fb_run *run, const char *fmt,
					 u64 budget)
{
	if (!run->error)
		scnprintf(run->reason, sizeof(run->reason), fmt, budget);
}

/* Is there a reason not to do @op? Then the run has one from here on */
static bool fb_run_ends(struct fb_worker *w, const struct fb_op *op)
{
	struct fb_run *run = w->run;
	const u64 *val = run->plan.params.val;
	u64 elapsed = ktime_get_ns() - run->start_ns;

	if (fb_dev_gone(run->dev)) {
		fb_run_gone(run, fb_opcode_name(op->opcode), op->offset >> 9);
		return true;
	}
	if (READ_ONCE(run->stop)) {
		run->error = run->error ?: -ECANCELED;
		return true;
	}
	if (val[FB_KEY_MAX_TIME] &&
	    elapsed >= val[FB_KEY_MAX_TIME] * NSEC_PER_SEC) {
		fb_run_budget(run, "budget max-time: %llu s are over",
			      val[FB_KEY_MAX_TIME]);
		return true;
	}
	if (val[FB_KEY_MAX_WRITE] && op->opcode == FB_WRITE &&
	    w->ledger.written_bytes + op->length > val[FB_KEY_MAX_WRITE]) {
		fb_run_budget(run, "budget max-write: %llu bytes do not allow the next write",
			      val[FB_KEY_MAX_WRITE]);
		return true;
	}
	return false;
}

/*
 * A card that is pulled fails what is under way, and what comes next, some time
 * before its host has seen that it is missing: wait for that, once.
 */
static void fb_run_await_loss(struct fb_run *run)
{
	unsigned int ms;

	for (ms = 0; ms < FB_LOSS_MS; ms += 20) {
		if (fb_dev_gone(run->dev) || READ_ONCE(run->stop))
			break;
		msleep(20);
	}
}

/*
 * An operation failed. An error of the device lets the row be finished first;
 * without a device, or when the second guard has spoken, there is no point.
 */
static bool fb_run_failed(struct fb_worker *w, const struct fb_op *op,
			  const struct fb_sample *s, u32 group)
{
	struct fb_run *run = w->run;
	int err = s->status;
	const char *name = fb_opcode_name(fb_io_failed_opcode(w->io));
	u64 sector = fb_io_failed_sector(w->io);
	bool refused = !s->parts &&
		       (err == -EPERM || err == -EROFS || err == -EINVAL);

	w->io_errors++;
	if (!refused && !run->error)
		fb_run_await_loss(run);
	if (fb_dev_gone(run->dev)) {
		fb_run_gone(run, name, sector);
		return true;
	}
	if (refused) {
		run->error = err;
		scnprintf(run->reason, sizeof(run->reason),
			  "%s at sector %llu refused: %s",
			  fb_opcode_name(op->opcode), op->offset >> 9,
			  err == -EPERM ? "not armed" :
			  err == -EROFS ? "the device has become read-only" :
			  "outside the range or no whole blocks");
		return true;
	}
	if (!run->error) {
		run->error = -EIO;
		scnprintf(run->reason, sizeof(run->reason),
			  "%s failed at sector %llu with error %d", name,
			  sector, err);
		w->failed_group = group;
	}
	return false;
}

/* Returns false if nothing is left to be done after this one */
static bool fb_run_do(struct fb_worker *w, const struct fb_op *op,
		      struct fb_sample *s, u32 group)
{
	int ret = fb_io_do(w->io, op, s, &w->ledger);

	w->run->nwarnings += s->split;
	if (ret && fb_run_failed(w, op, s, group))
		return false;
	fb_publish_progress(w);
	cond_resched();
	return true;
}

/**
 * fb_worker_ask() - do an operation that is not part of a plan
 * @w: the worker
 * @op: the operation
 * @s: how it went
 *
 * Return: 0 if @s is valid; -EDQUOT if a budget of the run does not allow it;
 * else the error that ends the run.
 */
int fb_worker_ask(struct fb_worker *w, const struct fb_op *op,
		  struct fb_sample *s)
{
	if (fb_run_ends(w, op))
		return w->run->error ?: -EDQUOT;
	fb_run_do(w, op, s, 0);
	return w->run->error;
}

static void fb_run_operations(struct fb_worker *w)
{
	struct fb_run *run = w->run;
	struct fb_result *res = run->res;
	struct fb_cursor c;
	struct fb_op op;

	fb_cursor_init(&c);
	while (fb_cursor_next(&run->plan, &c, &op)) {
		struct fb_sample scratch;
		struct fb_sample *s = op.timed ?
			fb_result_more(res) : &scratch;

		if (!s) {
			run->error = -ENOMEM;
			scnprintf(run->reason, sizeof(run->reason),
				  "not enough memory for the samples");
			break;
		}
		if (run->error && c.group != w->failed_group)
			break;
		if (fb_run_ends(w, &op))
			break;
		res->nsamples += op.timed;
		if (!fb_run_do(w, &op, s, c.group))
			break;
	}
}

/* Of each row the number of places it was measured at */
static int fb_header_positions(const struct fb_run *run, char *buf,
			       size_t size)
{
	const struct fb_plan *plan = &run->plan;
	int len = scnprintf(buf, size, "# positions:");
	u32 group;

	for (group = 0; group < plan->ngroups; group++)
		len += scnprintf(buf + len, size - len, " %u",
				 run->res->stats[group *
						 plan->group_points].positions);
	return len + scnprintf(buf + len, size - len, "\n");
}

static int fb_header_cost(const struct fb_run *run, char *buf, size_t size)
{
	const struct fb_progress *p = &run->progress;
	u64 erased = fb_erase_cycles(&run->plan, &p->done);
	int len;

	len = scnprintf(buf, size,
			"# cost: %llu I/Os, read %llu bytes, written %llu bytes, discarded %llu bytes, %llu ns\n",
			p->done.ios, p->done.read_bytes,
			p->done.written_bytes, p->done.discarded_bytes,
			p->elapsed_ns);
	if (run->found[0])
		len += scnprintf(buf + len, size - len, "# found: %s\n",
				 run->found);
	if (run->plan.params.test->adaptive)
		len += scnprintf(buf + len, size - len,
				 "# collections: %u\n", run->collections);
	if (erased)
		len += scnprintf(buf + len, size - len,
				 "# erase_cycles: at least %llu, if the erase block is %llu bytes\n",
				 erased,
				 run->plan.params.val[FB_KEY_ERASESIZE]);
	len += scnprintf(buf + len, size - len, "# errors: %llu\n",
			 p->io_errors);
	if (run->reason[0])
		len += scnprintf(buf + len, size - len,
				 "# warning: truncated, %s\n", run->reason);
	if (run->nwarnings)
		len += scnprintf(buf + len, size - len,
				 "# warning: the block layer split %llu operations that were sent in one piece\n",
				 run->nwarnings);
	if (run->res->burst >= FB_BURST)
		len += fb_warn_add(buf + len, size - len,
				   "burst seen, %u reads in a row were late by half; something else was going on",
				   run->res->burst);
	return len + fb_warn(&run->plan, run->res->stats, buf + len,
			     size - len);
}

/* The '#' lines of a result, DESIGN section 6 */
static char *fb_header(const struct fb_run *run)
{
	struct block_device *bdev = fb_dev_bdev(run->dev);
	char *buf = kmalloc(FB_HEADER_LEN, GFP_KERNEL);
	char *text = kmalloc(FB_LINE_LEN, GFP_KERNEL);
	struct fb_limits lim;
	struct tm tm;
	int len = 0;

	if (!buf || !text) {
		kfree(buf);
		buf = NULL;
		goto out;
	}
#define FB_HEADER(...) \
	(len += scnprintf(buf + len, FB_HEADER_LEN - len, __VA_ARGS__))

	FB_HEADER("# flashbench %s %s\n", FB_VERSION,
		  run->plan.params.test->name);
	fb_card_identity(bdev, text, FB_LINE_LEN);
	FB_HEADER("# target: %pg %u:%u %llu bytes, %s\n", bdev,
		  MAJOR(bdev->bd_dev), MINOR(bdev->bd_dev),
		  fb_dev_size(run->dev), text);
	FB_HEADER("# range: %llu+%llu\n", run->plan.geo.range_start,
		  run->plan.geo.range_len);
	FB_HEADER("# kernel: %s %s\n", init_utsname()->release,
		  init_utsname()->machine);
	fb_params_text(&run->plan.params, text, FB_LINE_LEN);
	FB_HEADER("# run: %s\n", text);
	time64_to_tm(ktime_get_real_seconds(), 0, &tm);
	FB_HEADER("# date: %04ld-%02d-%02dT%02d:%02d:%02dZ\n",
		  tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		  tm.tm_min, tm.tm_sec);
	fb_dev_limits(run->dev, &lim);
	fb_limits_text(bdev, &lim, text, FB_LINE_LEN);
	FB_HEADER("# limits: %s\n", text);
	if (run->plan.geo.preserve)
		FB_HEADER("# write_mode: preserve\n");
#undef FB_HEADER
	if (run->plan.ngroups)
		len += fb_header_positions(run, buf + len,
					   FB_HEADER_LEN - len);
	fb_header_cost(run, buf + len, FB_HEADER_LEN - len);
out:
	kfree(text);
	return buf;
}

static int fb_run_finish(struct fb_run *run)
{
	int ret = fb_result_finish(run->res);

	if (!ret)
		run->res->header = fb_header(run);
	if (run->res->header)
		return 0;
	scnprintf(run->reason, sizeof(run->reason),
		  "not enough memory for the result");
	return -ENOMEM;
}

/* What was found out before stays in the reason; nothing is published */
static void fb_run_cancelled(struct fb_run *run)
{
	char found[FB_REASON_LEN - 32];

	strscpy(found, run->reason, sizeof(found));
	scnprintf(run->reason, sizeof(run->reason), "cancelled%s%s",
		  found[0] ? ", found so far: " : "", found);
}

/**
 * fb_run_execute() - carry out a run
 * @run: the run; its @error, @reason, @progress and @res tell how it ended.
 *	The result is complete if @error is 0
 *
 * Context: process context of the worker. Every bio it submitted has completed
 * when it returns.
 */
void fb_run_execute(struct fb_run *run)
{
	const u64 *val = run->plan.params.val;
	struct fb_worker w = { .run = run };
	const struct fb_io_config cfg = {
		.max_len = run->plan.max_len,
		.pattern = val[FB_KEY_PATTERN],
		.seed = val[FB_KEY_SEED],
		.preserve = run->plan.geo.preserve,
		.diag = val[FB_KEY_DIAG],
	};

	w.io = fb_io_create(run->dev, &cfg);
	if (IS_ERR(w.io)) {
		run->error = PTR_ERR(w.io);
		if (run->error == -EOPNOTSUPP)
			scnprintf(run->reason, sizeof(run->reason),
				  "diag: this kernel has no block tracepoints");
		else
			scnprintf(run->reason, sizeof(run->reason),
				  "error %d while preparing I/O of up to %llu bytes",
				  run->error, run->plan.max_len);
		return;
	}
	if (run->plan.params.test->adaptive)
		fb_infer(&w);
	else if (!fb_plan_auto(&run->plan) || fb_infer_limit(&w))
		fb_run_operations(&w);
	fb_publish_progress(&w);
	fb_io_destroy(w.io);
	if (run->error == -ECANCELED)
		fb_run_cancelled(run);
	else if (!run->error)
		run->error = fb_run_finish(run);
}
