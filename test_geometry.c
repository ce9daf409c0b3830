// SPDX-License-Identifier: GPL-2.0-only
/*
 * geometry: the run line of the inference. What it does next depends on what
 * it has seen, so there is no schedule; see geometry.c.
 *
 * Pure: see include/pure.h.
 */
#include "geometry.h"

#define GEOMETRY_SAMPLES	16384	/* room for a start */

/* What it takes on most cards, with what is read to be put back */
static void geometry_cost(struct fb_plan *plan)
{
	const struct fb_geo *geo = &plan->geo;
	struct fb_ledger *total = &plan->total;
	u64 reads;

	fb_geometry_expect(plan->params.val[FB_KEY_ONLY], false, total);
	reads = total->ios;
	if (!geo->armed)
		return;
	fb_geometry_expect(plan->params.val[FB_KEY_ONLY], true, total);
	if (!geo->preserve)
		return;
	total->ios += total->ios - reads;
	total->read_bytes += total->written_bytes;
}

static int geometry_setup(struct fb_plan *plan, char *reason)
{
	u32 block = plan->geo.logical_block;

	if (plan->params.val[FB_KEY_SCAN] && fb_modulo(FB_SCAN_STEP, block)) {
		snprintf(reason, FB_REASON_LEN,
			 "scan: looks every %u bytes, which is no multiple of the logical block, %u bytes; do without it",
			 FB_SCAN_STEP, block);
		return -EINVAL;
	}
	plan->max_len = FB_ASK_MAX_LEN;
	plan->nsamples = GEOMETRY_SAMPLES;
	geometry_cost(plan);
	return 0;
}

static int geometry_fit(struct fb_plan *plan, char *reason)
{
	return 0;
}

const struct fb_test fb_test_geometry = {
	.name = "geometry",
	.summary = "what the card is: erase block, pages, open erase blocks and more",
	.columns = "key\tvalue\tclass\tconfidence\tbasis\tevidence",
	.keys = BIT(FB_KEY_ONLY) | BIT(FB_KEY_MAX_COLLECTIONS) |
		BIT(FB_KEY_SCAN) | BIT(FB_KEY_SEED) | BIT(FB_KEY_MAX_TIME) |
		BIT(FB_KEY_MAX_WRITE) | BIT(FB_KEY_DIAG) | BIT(FB_KEY_DRYRUN),
	.adaptive = true,
	.setup = geometry_setup,
	.fit = geometry_fit,
};
