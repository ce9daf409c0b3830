// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's own share of a latency, from the block layer's tracepoints.
 *
 * The two that tell it are not exported to modules, so they are looked up by
 * name and probed through a void pointer. That would hide a changed prototype
 * from the compiler; fb_diag_attach() lets it look nevertheless.
 */
#include <linux/ktime.h>
#include <linux/tracepoint.h>
#include <trace/events/block.h>
#include "compat.h"
#include "flashbench.h"

/**
 * struct fb_diag - what is attached, and to what
 * @ops: who hears of the requests; NULL if nobody does
 * @issue: block_rq_issue
 * @complete: block_rq_complete
 */
struct fb_diag {
	const struct fb_diag_ops *ops;
	struct tracepoint *issue;
	struct tracepoint *complete;
};

static struct fb_diag fb_diag;

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

static void fb_diag_find(struct tracepoint *tp, void *data)
{
	struct fb_diag *diag = data;

	if (!strcmp(tp->name, "block_rq_issue"))
		diag->issue = tp;
	else if (!strcmp(tp->name, "block_rq_complete"))
		diag->complete = tp;
}

/**
 * fb_diag_attach() - hear of the requests made of one's bios
 * @ops: whom to tell; it must live until fb_diag_detach()
 *
 * Only one can be attached at a time. The calls come in the context of the
 * driver, with interrupts possibly off.
 *
 * Context: process context, may sleep.
 *
 * Return: 0; -EBUSY if one is attached; -EOPNOTSUPP if this kernel has no such
 * tracepoints; -ENOMEM.
 */
int fb_diag_attach(const struct fb_diag_ops *ops)
{
	void *data = (void *)ops;
	int ret;

	/* no code: a compile error if the kernel's prototypes have changed */
	check_trace_callback_type_block_rq_issue(fb_probe_issue);
	check_trace_callback_type_block_rq_complete(fb_probe_complete);

	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return -EOPNOTSUPP;
	if (fb_diag.ops)
		return -EBUSY;
	for_each_kernel_tracepoint(fb_diag_find, &fb_diag);
	if (!fb_diag.issue || !fb_diag.complete)
		return -EOPNOTSUPP;
	ret = tracepoint_probe_register(fb_diag.issue, fb_probe_issue, data);
	if (ret)
		return ret;
	ret = tracepoint_probe_register(fb_diag.complete, fb_probe_complete,
					data);
	if (ret) {
		tracepoint_probe_unregister(fb_diag.issue, fb_probe_issue,
					    data);
		tracepoint_synchronize_unregister();
		return ret;
	}
	fb_diag.ops = ops;
	return 0;
}

/**
 * fb_diag_detach() - hear no more of them
 *
 * Context: process context, may sleep. No call is in progress afterwards.
 */
void fb_diag_detach(void)
{
	void *data = (void *)fb_diag.ops;

	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return;
	tracepoint_probe_unregister(fb_diag.complete, fb_probe_complete, data);
	tracepoint_probe_unregister(fb_diag.issue, fb_probe_issue, data);
	tracepoint_synchronize_unregister();
	fb_diag.ops = NULL;
}
