/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plans for the unit tests, from run lines.
 */
#ifndef FLASHBENCH_MAKE_H
#define FLASHBENCH_MAKE_H

#include "tap.h"

#define MIB	BIT_ULL(20)
#define GIB	BIT_ULL(30)

static struct fb_geo whole(u64 size, u32 lbs)
{
	return (struct fb_geo) {
		.range_len = size,
		.logical_block = lbs,
	};
}

/* From a line to a plan, or to the error of the step that refuses it */
static int make(struct fb_plan *plan, const char *line,
		const struct fb_geo *geo, char *reason)
{
	struct fb_params p;
	int ret;

	*reason = '\0';
	ret = fb_params_parse(line, &p, reason);
	if (!ret)
		ret = fb_plan_check(plan, &p, geo, reason);
	if (!ret)
		ret = fb_plan_fit(plan, reason);
	return ret;
}

static bool make_ok(struct fb_plan *plan, const char *line,
		    const struct fb_geo *geo)
{
	char reason[FB_REASON_LEN];
	int ret = make(plan, line, geo, reason);

	if (ret)
		tap_diag("%s: %d, %s", line, ret, reason);
	return !ret;
}

#endif
