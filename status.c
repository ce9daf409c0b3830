// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session as text: what reading target, range, write_mode, info and
 * status shows.
 */
#include <linux/math64.h>
#include <linux/seq_file.h>
#include "compat.h"
#include "flashbench.h"

/**
 * fb_session_show_target() - the kernel name of the target, or "none"
 * @s: the session
 * @m: where to
 */
void fb_session_show_target(struct fb_session *s, struct seq_file *m)
{
	mutex_lock(&s->lock);
	if (s->dev)
		seq_printf(m, "%pg\n", fb_dev_bdev(s->dev));
	else
		seq_puts(m, "none\n");
	mutex_unlock(&s->lock);
}

/**
 * fb_session_show_range() - OFFSET+LENGTH in bytes, as it can be written
 * @s: the session
 * @m: where to
 */
void fb_session_show_range(struct fb_session *s, struct seq_file *m)
{
	mutex_lock(&s->lock);
	seq_printf(m, "%llu+%llu\n", s->range_start, s->range_len);
	mutex_unlock(&s->lock);
}

/**
 * fb_session_show_mode() - all modes, the current one in brackets
 * @s: the session
 * @m: where to
 */
void fb_session_show_mode(struct fb_session *s, struct seq_file *m)
{
	int mode;

	mutex_lock(&s->lock);
	for (mode = 0; mode < FB_NR_MODES; mode++)
		seq_printf(m, mode == s->mode ? "%s[%s]" : "%s%s",
			   mode ? " " : "", fb_mode_names[mode]);
	seq_putc(m, '\n');
	mutex_unlock(&s->lock);
}

/**
 * fb_session_show_info() - what device the target is
 * @s: the session
 * @m: where to
 *
 * Return: 0; -ENODEV without a target.
 */
int fb_session_show_info(struct fb_session *s, struct seq_file *m)
{
	struct fb_limits lim;
	int ret = 0;

	mutex_lock(&s->lock);
	if (s->dev && !fb_dev_gone(s->dev)) {
		fb_dev_limits(s->dev, &lim);
		fb_info_show(m, fb_dev_bdev(s->dev), &lim);
	} else {
		ret = -ENODEV;
	}
	mutex_unlock(&s->lock);
	return ret;
}

/* At the pace so far; of a run that has not done anything, nothing is known */
static u64 fb_eta(const struct fb_progress *p)
{
	if (!p->done.ios || p->done.ios >= p->total.ios)
		return 0;
	return div64_u64(p->elapsed_ns, p->done.ios) *
	       (p->total.ios - p->done.ios);
}

static void fb_show_run(struct seq_file *m, const struct fb_progress *p,
			bool running)
{
	seq_printf(m, "progress: %llu/%llu\n", p->done.ios, p->total.ios);
	seq_printf(m, "elapsed_ns: %llu\n", p->elapsed_ns);
	seq_printf(m, "eta_ns: %llu\n", running ? fb_eta(p) : 0);
	seq_printf(m, "read_bytes: %llu\n", p->done.read_bytes);
	seq_printf(m, "written_bytes: %llu\n", p->done.written_bytes);
	seq_printf(m, "discarded_bytes: %llu\n", p->done.discarded_bytes);
	seq_printf(m, "io_errors: %llu\n", p->io_errors);
}

/**
 * fb_session_show_status() - the state and the run that led to it
 * @s: the session
 * @m: where to
 *
 * Return: the number of changes of state up to what was shown.
 */
unsigned int fb_session_show_status(struct fb_session *s, struct seq_file *m)
{
	struct fb_progress progress = {};
	unsigned int changes;

	mutex_lock(&s->lock);
	if (s->run)
		fb_run_progress(s->run, &progress);
	seq_printf(m, "state: %s\n", fb_state_names[s->state]);
	seq_printf(m, "test: %s\n", s->line[0] ? s->line : "-");
	fb_show_run(m, &progress, s->state == FB_RUNNING);
	seq_printf(m, "reason: %s\n", s->reason[0] ? s->reason : "-");
	changes = s->changes;
	mutex_unlock(&s->lock);
	return changes;
}
