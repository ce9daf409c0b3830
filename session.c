// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session: a target, what of it may be touched, and one run at a time.
 */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "compat.h"
#include "flashbench.h"

const char *const fb_mode_names[FB_NR_MODES] = {
	[FB_MODE_OFF] = "off",
	[FB_MODE_PRESERVE] = "preserve",
	[FB_MODE_DESTROY] = "destroy",
};

const char *const fb_state_names[FB_NR_STATES] = {
	[FB_IDLE] = "idle",
	[FB_RUNNING] = "running",
	[FB_CANCELLING] = "running",
	[FB_DONE] = "done",
	[FB_FAILED] = "failed",
	[FB_CANCELLED] = "cancelled",
};

/* The states that may follow each state */
#define FB_STARTS	(BIT(FB_RUNNING) | BIT(FB_DONE) | BIT(FB_FAILED))
#define FB_ENDS		(BIT(FB_DONE) | BIT(FB_FAILED) | BIT(FB_CANCELLED))
static const u8 fb_transitions[FB_NR_STATES] = {
	[FB_IDLE] = FB_STARTS,
	[FB_RUNNING] = BIT(FB_CANCELLING) | FB_ENDS,
	[FB_CANCELLING] = FB_ENDS,
	[FB_DONE] = FB_STARTS,
	[FB_FAILED] = FB_STARTS,
	[FB_CANCELLED] = FB_STARTS,
};

static void fb_set_state(struct fb_session *s, enum fb_state state)
{
	lockdep_assert_held(&s->lock);
	WARN_ON_ONCE(!(fb_transitions[s->state] & BIT(state)));
	s->state = state;
	WRITE_ONCE(s->changes, s->changes + 1);
	wake_up_all(&s->wait);
}

static bool fb_busy(const struct fb_session *s)
{
	return s->state == FB_RUNNING || s->state == FB_CANCELLING;
}

/* What users write is shown again, and must stay within its line */
static void fb_make_plain(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* What was refused and why; the reason is for people and says what is right */
static __printf(3, 4) int fb_refuse(struct fb_session *s, int err,
				    const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(s->reason, sizeof(s->reason), fmt, args);
	va_end(args);
	fb_make_plain(s->reason);
	s->refusal = true;
	return err;
}

/* A control write went through: an earlier refusal is no longer of interest */
static void fb_accept(struct fb_session *s)
{
	if (s->refusal && !fb_busy(s))
		s->reason[0] = '\0';
	s->refusal = false;
}

static int fb_refuse_busy(struct fb_session *s, const char *file)
{
	return fb_refuse(s, -EBUSY, "%s: a run is in progress; cancel it first",
			 file);
}

static int fb_need_target(struct fb_session *s, const char *file)
{
	if (!s->dev)
		return fb_refuse(s, -ENODEV,
				 "%s: no target; write a block device to target first",
				 file);
	if (fb_dev_gone(s->dev))
		return fb_refuse(s, -ENODEV,
				 "%s: the target has gone; write it to target again when it is back",
				 file);
	return 0;
}

static void fb_disarm(struct fb_session *s)
{
	if (s->mode == FB_MODE_OFF)
		return;
	s->mode = FB_MODE_OFF;
	fb_dev_arm(s->dev, false);
	fb_dev_unclaim(s->dev);
}

static void fb_release_target(struct fb_session *s)
{
	if (!s->dev)
		return;
	fb_disarm(s);
	fb_dev_close(s->dev);
	s->dev = NULL;
}

/* All of the target; of a last, incomplete logical block nothing can be read */
static void fb_reset_range(struct fb_session *s)
{
	struct fb_limits lim;
	u64 size;

	s->range_start = 0;
	s->range_len = 0;
	if (!s->dev)
		return;
	size = fb_dev_size(s->dev);
	fb_dev_limits(s->dev, &lim);
	s->range_len = size - fb_modulo(size, lim.logical_block);
}

/**
 * fb_session_set_target() - choose the device
 * @s: the session
 * @name: kernel name, path or MAJOR:MINOR; empty to release the target
 *
 * The new target is read-only to us and its range is all of it. After an error
 * the old target is still there, as it was.
 *
 * Return: 0; -EBUSY during a run; -EINVAL for bad text; -ENODEV if there is no
 * such device; -ENOMEM.
 */
int fb_session_set_target(struct fb_session *s, const char *name)
{
	struct fb_dev *dev = NULL;
	int ret = 0;

	mutex_lock(&s->lock);
	if (fb_busy(s))
		ret = fb_refuse_busy(s, "target");
	else if (*name)
		ret = fb_dev_open(name, &dev);
	if (ret == -EINVAL)
		fb_refuse(s, ret,
			  "target: \"%s\" is not a kernel name, a path or MAJOR:MINOR",
			  name);
	else if (ret == -ENODEV)
		fb_refuse(s, ret, "target: \"%s\": no such block device", name);
	else if (ret && !fb_busy(s))
		fb_refuse(s, ret, "target: \"%s\": error %d while opening it",
			  name, ret);
	if (!ret) {
		fb_release_target(s);
		s->dev = dev;
		fb_reset_range(s);
		fb_accept(s);
	}
	mutex_unlock(&s->lock);
	return ret;
}

static int fb_check_range(struct fb_session *s, u64 start, u64 len)
{
	u64 size = fb_dev_size(s->dev);
	struct fb_limits lim;

	fb_dev_limits(s->dev, &lim);
	if (start > size || len > size - start)
		return fb_refuse(s, -EINVAL,
				 "range: %llu+%llu ends beyond the target, which has %llu bytes",
				 start, len, size);
	if (fb_modulo(start, lim.logical_block) ||
	    fb_modulo(len, lim.logical_block))
		return fb_refuse(s, -EINVAL,
				 "range: %llu+%llu is no multiple of the logical block, %u bytes",
				 start, len, lim.logical_block);
	return 0;
}

/**
 * fb_session_set_range() - choose what of the target may be touched
 * @s: the session
 * @text: OFFSET+LENGTH
 *
 * Return: 0; -EBUSY during a run; -ENODEV without a target; -EINVAL for bad
 * text or a range that is not inside the target.
 */
int fb_session_set_range(struct fb_session *s, const char *text)
{
	u64 start, len;
	int ret;

	mutex_lock(&s->lock);
	ret = fb_busy(s) ? fb_refuse_busy(s, "range") :
			   fb_need_target(s, "range");
	if (!ret && fb_parse_range(text, &start, &len))
		ret = fb_refuse(s, -EINVAL,
				"range: \"%s\" is not OFFSET+LENGTH, two sizes in bytes (suffix K, M, G, or 0x...), length not 0",
				text);
	if (!ret)
		ret = fb_check_range(s, start, len);
	if (!ret) {
		s->range_start = start;
		s->range_len = len;
		fb_accept(s);
	}
	mutex_unlock(&s->lock);
	return ret;
}

static int fb_find_mode(const char *text)
{
	int mode;

	for (mode = 0; mode < FB_NR_MODES; mode++)
		if (!strcmp(text, fb_mode_names[mode]))
			return mode;
	return -EINVAL;
}

static int fb_arm(struct fb_session *s, enum fb_write_mode mode)
{
	int ret;

	if (fb_dev_read_only(s->dev))
		return fb_refuse(s, -EROFS,
				 "write_mode: the target is write-protected");
	if (s->mode == FB_MODE_OFF) {
		ret = fb_dev_claim(s->dev);
		if (ret == -EROFS)
			return fb_refuse(s, ret,
					 "write_mode: the target is write-protected");
		if (ret == -EBUSY)
			return fb_refuse(s, ret,
					 "write_mode: the target, or a partition of it, is mounted or open elsewhere");
		if (ret)
			return fb_refuse(s, ret,
					 "write_mode: error %d while claiming the target",
					 ret);
		fb_dev_arm(s->dev, true);
	}
	s->mode = mode;
	return 0;
}

/**
 * fb_session_set_mode() - arm or disarm
 * @s: the session
 * @text: off, preserve or destroy
 *
 * Return: 0; -EBUSY during a run, or if the target is mounted or somebody else
 * has it open; -ENODEV without a target; -EINVAL for any other word; -EROFS if
 * the target is write-protected.
 */
int fb_session_set_mode(struct fb_session *s, const char *text)
{
	int mode = fb_find_mode(text);
	int ret = 0;

	mutex_lock(&s->lock);
	if (fb_busy(s))
		ret = fb_refuse_busy(s, "write_mode");
	else if (mode != FB_MODE_OFF)
		ret = fb_need_target(s, "write_mode");
	if (!ret && mode < 0)
		ret = fb_refuse(s, -EINVAL,
				"write_mode: \"%s\" is not off, preserve or destroy",
				text);
	if (!ret && mode == FB_MODE_OFF)
		fb_disarm(s);
	else if (!ret)
		ret = fb_arm(s, mode);
	if (!ret)
		fb_accept(s);
	mutex_unlock(&s->lock);
	return ret;
}

static void fb_session_geo(struct fb_session *s, struct fb_geo *geo)
{
	struct fb_limits lim;

	fb_dev_limits(s->dev, &lim);
	*geo = (struct fb_geo) {
		.disk_start = fb_dev_disk_start(s->dev),
		.range_start = s->range_start,
		.range_len = s->range_len,
		.logical_block = lim.logical_block,
		.max_discard = lim.max_discard_bytes,
		.discard_granularity = lim.discard_granularity,
		.write_cache = lim.write_cache,
		.armed = s->mode != FB_MODE_OFF && !fb_dev_read_only(s->dev),
		.preserve = s->mode == FB_MODE_PRESERVE,
	};
}

/* Everything that can be wrong with a run, in the order of the contract */
static int fb_check_run(struct fb_session *s, const char *line,
			struct fb_plan *plan)
{
	struct fb_params params;
	struct fb_geo geo;
	bool writes;
	int ret;

	ret = fb_need_target(s, "run");
	if (ret)
		return ret;
	ret = fb_params_parse(line, &params, s->reason);
	if (ret)
		return ret;
	fb_session_geo(s, &geo);
	ret = fb_plan_check(plan, &params, &geo, s->reason);
	if (ret)
		return ret;
	writes = params.test->writes && !params.val[FB_KEY_DRYRUN];
	if (writes && s->mode == FB_MODE_OFF)
		return fb_refuse(s, -EPERM,
				 "write_mode: %s writes and write_mode is off; write preserve or destroy to it first",
				 params.test->name);
	if (writes && fb_dev_read_only(s->dev))
		return fb_refuse(s, -EROFS,
				 "write_mode: the target has become write-protected");
	return fb_plan_fit(plan, s->reason);
}

/* The line as it was given, fit to be one line of status */
static void fb_keep_line(struct fb_session *s, const char *line)
{
	strscpy(s->line, line, sizeof(s->line));
	fb_make_plain(s->line);
}

static void fb_dry_run(struct fb_session *s, const struct fb_plan *plan)
{
	const struct fb_ledger *t = &plan->total;
	u64 erased = fb_erase_cycles(plan, t);
	int len;

	if (plan->params.test->adaptive) {
		scnprintf(s->reason, sizeof(s->reason),
			  "dry run: depends on what is found; on average about %llu I/Os, read %llu bytes, written %llu bytes%s",
			  t->ios, t->read_bytes, t->written_bytes,
			  plan->geo.armed ? "" : ", nothing while write_mode is off");
		return;
	}
	len = scnprintf(s->reason, sizeof(s->reason),
			"dry run: %llu I/Os, read %llu bytes, written %llu bytes, discarded %llu bytes",
			t->ios, t->read_bytes, t->written_bytes,
			t->discarded_bytes);
	if (erased)
		scnprintf(s->reason + len, sizeof(s->reason) - len,
			  ", at least %llu erase cycles", erased);
}

static void fb_set_run(struct fb_session *s, struct fb_run *run)
{
	fb_run_put(s->run);
	s->run = run;
}

static int fb_start_run(struct fb_session *s, const struct fb_plan *plan)
{
	struct fb_run *run;

	if (plan->params.val[FB_KEY_DRYRUN]) {
		fb_dry_run(s, plan);
		fb_set_state(s, FB_DONE);
		return 0;
	}
	run = fb_run_alloc(s->dev, plan);
	if (!run)
		return fb_refuse(s, -ENOMEM,
				 "run: not enough memory for %llu samples",
				 plan->nsamples);
	fb_set_run(s, run);
	fb_dev_set_range(s->dev, s->range_start, s->range_len);
	fb_set_state(s, FB_RUNNING);
	queue_work(s->workqueue, &s->work);
	return 0;
}

static int fb_prepare_run(struct fb_session *s, const char *line)
{
	struct fb_plan *plan = kvmalloc(sizeof(*plan), GFP_KERNEL);
	int ret = -ENOMEM;

	s->reason[0] = '\0';
	fb_keep_line(s, line);
	fb_set_run(s, NULL);
	if (plan)
		ret = fb_check_run(s, line, plan);
	else
		fb_refuse(s, ret, "run: not enough memory");
	if (!ret) {
		fb_params_text(&plan->params, s->line, sizeof(s->line));
		ret = fb_start_run(s, plan);
	}
	s->refusal = false;
	if (ret)
		fb_set_state(s, FB_FAILED);
	kvfree(plan);
	return ret;
}

static void fb_ask_to_stop(struct fb_session *s, struct fb_run *run)
{
	mutex_lock(&s->lock);
	if (s->run == run && s->state == FB_RUNNING) {
		WRITE_ONCE(run->stop, true);
		fb_set_state(s, FB_CANCELLING);
	}
	mutex_unlock(&s->lock);
}

/* Bios in flight are waited for, so this ends as soon as the device answers */
static int fb_wait_for(struct fb_session *s, struct fb_run *run)
{
	if (wait_for_completion_interruptible(&run->finished)) {
		fb_ask_to_stop(s, run);
		wait_for_completion(&run->finished);
	}
	return run->error;
}

/**
 * fb_session_run() - run a test
 * @s: the session
 * @line: TEST [KEY=VALUE | FLAG]...
 * @wait: return when the run has ended; a signal cancels it
 *
 * Return: 0, the run's error if @wait, or why it was refused: -EBUSY during
 * another run; -ENODEV without a target; -EINVAL for what cannot be; -EPERM if
 * it writes and the session is not armed; -EROFS; -ENOSPC if it does not fit
 * into the range; -ENOMEM.
 */
int fb_session_run(struct fb_session *s, const char *line, bool wait)
{
	struct fb_run *run = NULL;
	int ret;

	mutex_lock(&s->lock);
	if (fb_busy(s)) {
		ret = fb_refuse_busy(s, "run");
	} else {
		ret = fb_prepare_run(s, line);
		run = ret ? NULL : s->run;
	}
	if (run)
		fb_run_get(run);
	mutex_unlock(&s->lock);

	if (run && wait)
		ret = fb_wait_for(s, run);
	fb_run_put(run);
	return ret;
}

/**
 * fb_session_cancel() - end the run in progress, if there is one
 * @s: the session
 * @wait: return when it has ended, which takes one outstanding operation
 *
 * Return: 0; -EINTR if a signal ended the wait.
 */
int fb_session_cancel(struct fb_session *s, bool wait)
{
	struct fb_run *run = NULL;
	int ret = 0;

	mutex_lock(&s->lock);
	if (fb_busy(s)) {
		run = s->run;
		fb_run_get(run);
	}
	mutex_unlock(&s->lock);
	if (!run)
		return 0;

	fb_ask_to_stop(s, run);
	if (wait && wait_for_completion_interruptible(&run->finished))
		ret = -EINTR;
	fb_run_put(run);
	return ret;
}

static unsigned int fb_test_index(const struct fb_test *t)
{
	unsigned int i = 0;

	while (fb_tests[i] != t)
		i++;
	return i;
}

static void fb_publish_result(struct fb_session *s, struct fb_run *run)
{
	unsigned int i = fb_test_index(run->plan.params.test);

	fb_result_put(s->results[i]);
	s->results[i] = run->res;
	run->res = NULL;
}

static void fb_session_work(struct work_struct *work)
{
	struct fb_session *s = container_of(work, struct fb_session, work);
	struct fb_run *run = s->run;

	fb_run_execute(run);

	mutex_lock(&s->lock);
	if (!run->error)
		fb_publish_result(s, run);
	strscpy(s->reason, run->reason, sizeof(s->reason));
	s->refusal = false;
	/* before the change of state, so that whoever sees it sees the end */
	complete_all(&run->finished);
	fb_set_state(s, run->error == -ECANCELED ? FB_CANCELLED :
		     run->error ? FB_FAILED : FB_DONE);
	mutex_unlock(&s->lock);
}

/**
 * fb_session_result() - the latest result of a test
 * @s: the session
 * @test: index into fb_tests
 *
 * Return: the result, to be put by the caller; NULL if there is none.
 */
struct fb_result *fb_session_result(struct fb_session *s, unsigned int test)
{
	struct fb_result *res;

	mutex_lock(&s->lock);
	res = s->results[test];
	if (res)
		fb_result_get(res);
	mutex_unlock(&s->lock);
	return res;
}

/**
 * fb_session_init() - a session without a target
 * @s: zeroed
 *
 * Return: 0 or -ENOMEM.
 */
int fb_session_init(struct fb_session *s)
{
	BUILD_BUG_ON(FB_NR_STATES > BITS_PER_BYTE);
	mutex_init(&s->lock);
	init_waitqueue_head(&s->wait);
	INIT_WORK(&s->work, fb_session_work);
	/*
	 * A worker is in the root cgroup, whoever wrote the line, so no I/O
	 * controller delays the bios. High priority keeps the pause between
	 * two operations short; it is in no number.
	 */
	s->workqueue = alloc_workqueue("flashbench", WQ_UNBOUND | WQ_HIGHPRI, 1);
	return s->workqueue ? 0 : -ENOMEM;
}

/**
 * fb_session_exit() - end the run, if there is one, and let go of everything
 * @s: the session
 *
 * Context: no file of ours is open any more, so nothing new can start.
 */
void fb_session_exit(struct fb_session *s)
{
	unsigned int i;

	fb_session_cancel(s, false);
	destroy_workqueue(s->workqueue);
	fb_release_target(s);
	fb_run_put(s->run);
	for (i = 0; i < fb_nr_tests; i++)
		fb_result_put(s->results[i]);
}
