// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a bio does not tell, from the block layer's tracepoints: where in it an
 * error was, and the driver's own share of a latency.
 *
 * They are not exported to modules, so they are looked up by name and probed
 * through a void pointer. That would hide a changed prototype
 * from the compiler; fb_diag_attach() lets it look nevertheless.
 */
#include <linux/ktime.h>
#include <linux/tracepoint.h>
#include <trace/events/block.h>
#include "compat.h"
#include "flashbench.h"

/**
 * struct fb_probe - a tracepoint and what is called there
 * @name: of the tracepoint
 * @call: a function with its prototype
 * @tp: the tracepoint; NULL if the kernel has none of this name
 * @attached: it calls @call
 */
struct fb_probe {
	const char *name;
	void *call;
	struct tracepoint *tp;
	bool attached;
};

static void fb_probe_issue(FB_PROBE_RQ_ISSUE(data, rq))
{
	const struct fb_diag_ops *ops = data;
	u64 now = ktime_get_ns();

	/* passed-through commands and flushes have no bio */
	if (rq->bio && ops->owns(rq->bio))
		ops->issued(rq->bio, now);
}

static void fb_probe_complete(void *data, struct request *rq,
			      fb_rq_error_t error, unsigned int nr_bytes)
{
	const struct fb_diag_ops *ops = data;
	u64 now = ktime_get_ns();

	if (rq->bio && ops->owns(rq->bio))
		ops->completed(rq->bio, now);
}

/* Before what has failed is taken off the bio */
static void __maybe_unused fb_probe_error(void *data, struct request *rq,
					  fb_rq_error_t error,
					  unsigned int nr_bytes)
{
	const struct fb_diag_ops *ops = data;

	if (rq->bio && ops->owns(rq->bio))
		ops->failed(rq->bio);
}

enum { FB_PROBE_ISSUE, FB_PROBE_COMPLETE, FB_PROBE_ERROR };

static struct fb_probe fb_probes[] = {
	[FB_PROBE_ISSUE] = { "block_rq_issue", fb_probe_issue },
	[FB_PROBE_COMPLETE] = { "block_rq_complete", fb_probe_complete },
	[FB_PROBE_ERROR] = { "block_rq_error", fb_probe_error },
};

/* who hears of the requests; NULL if nobody does */
static const struct fb_diag_ops *fb_diag_user;

static void fb_diag_find(struct tracepoint *tp, void *data)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fb_probes); i++)
		if (!strcmp(tp->name, fb_probes[i].name))
			fb_probes[i].tp = tp;
}

static int fb_diag_attach_one(struct fb_probe *probe,
			      const struct fb_diag_ops *ops)
{
	int ret;

	if (!IS_ENABLED(CONFIG_TRACEPOINTS) || !probe->tp)
		return -EOPNOTSUPP;
	ret = tracepoint_probe_register(probe->tp, probe->call, (void *)ops);
	probe->attached = !ret;
	return ret;
}

/**
 * fb_diag_attach() - hear of the requests made of one's bios
 * @ops: whom to tell; it must live until fb_diag_detach()
 * @times: not only of what fails, but of issue and completion of all, which
 *	takes time
 *
 * Only one can be attached at a time. The calls come in the context of the
 * driver, with interrupts possibly off.
 *
 * Context: process context, may sleep.
 *
 * Return: 0, also if all that is missing is what fails; -EBUSY if one is
 * attached; -EOPNOTSUPP if this kernel has no such tracepoints; -ENOMEM.
 */
int fb_diag_attach(const struct fb_diag_ops *ops, bool times)
{
	int ret = 0;

	/* no code: a compile error if the kernel's prototypes have changed */
	check_trace_callback_type_block_rq_issue(fb_probe_issue);
	check_trace_callback_type_block_rq_complete(fb_probe_complete);
	fb_check_probe_rq_error(fb_probe_error);

	if (fb_diag_user)
		return -EBUSY;
	if (IS_ENABLED(CONFIG_TRACEPOINTS))
		for_each_kernel_tracepoint(fb_diag_find, NULL);
	fb_diag_user = ops;
	/* without it a failure is known by its bio only */
	fb_diag_attach_one(&fb_probes[FB_PROBE_ERROR], ops);
	if (times)
		ret = fb_diag_attach_one(&fb_probes[FB_PROBE_ISSUE], ops) ?:
		      fb_diag_attach_one(&fb_probes[FB_PROBE_COMPLETE], ops);
	if (ret)
		fb_diag_detach();
	return ret;
}

/**
 * fb_diag_detach() - hear no more of them
 *
 * Context: process context, may sleep. No call is in progress afterwards.
 */
void fb_diag_detach(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fb_probes); i++) {
		struct fb_probe *probe = &fb_probes[i];

		if (IS_ENABLED(CONFIG_TRACEPOINTS) && probe->attached)
			tracepoint_probe_unregister(probe->tp, probe->call,
						    (void *)fb_diag_user);
		probe->attached = false;
	}
	if (IS_ENABLED(CONFIG_TRACEPOINTS))
		tracepoint_synchronize_unregister();
	fb_diag_user = NULL;
}
