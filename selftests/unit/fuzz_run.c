// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzing the run line and the schedules: a line up to a newline, then bytes
 * that a target is made of. What the parser takes must come back from its own
 * text; what the plan takes must stay inside the range and cost what it says.
 */
#include "walk.h"

#define WALK_OPS	4000	/* longer ones cost more than they can show */

#define HOLD(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "does not hold: %s\n", #condition);	\
		abort();						\
	}								\
} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t left;
};

/* The next number from the input, 0 behind its end */
static u64 take(struct input *in, size_t bytes)
{
	u64 v = 0;

	for (; bytes && in->left; bytes--, in->left--)
		v = v << 8 | *in->data++;
	return v;
}

/* Small ones as likely as large ones: 24 bits somewhere in 48 */
static u64 take_blocks(struct input *in)
{
	u64 shift = take(in, 1) % 25;

	return take(in, 3) << shift;
}

static u64 below(u64 v, u64 limit)
{
	return limit ? v % limit : 0;
}

/* What a session can hand over: whole blocks, the range inside the target */
static struct fb_geo take_geo(struct input *in)
{
	u64 flags = take(in, 1);
	u32 lbs = 512u << (flags & 3);
	u64 blocks = take_blocks(in) + 1;
	struct fb_geo geo = {
		.logical_block = lbs,
		.write_cache = flags & 4,
		.preserve = flags & 8,
		.range_len = blocks * lbs,
	};

	if (flags & 16) {
		geo.max_discard = (take(in, 2) + 1) * lbs;
		geo.discard_granularity = lbs << take(in, 1) % 12;
	}
	if (flags & 32)
		geo.disk_start = take_blocks(in) * lbs;
	if (flags & 64) {
		geo.range_start = below(take_blocks(in), blocks) * lbs;
		geo.range_len = (below(take_blocks(in),
				       blocks - geo.range_start / lbs) + 1) *
				lbs;
	}
	return geo;
}

/* A reason is one line of text that names the key first, where there is one */
static void check_reason(const char *reason)
{
	size_t i, len = strnlen(reason, FB_REASON_LEN);

	HOLD(len && len < FB_REASON_LEN);
	for (i = 0; i < len; i++)
		HOLD(reason[i] >= ' ' && reason[i] <= '~');
}

static void check_same_params(const struct fb_params *a,
			      const struct fb_params *b)
{
	int key;

	HOLD(a->test == b->test);
	for (key = 0; key < FB_NR_KEYS; key++)
		HOLD(a->val[key] == b->val[key]);
}

/* text -> parse -> text */
static void check_text(const struct fb_params *p)
{
	char text[FB_LINE_LEN], again[FB_LINE_LEN], reason[FB_REASON_LEN];
	struct fb_params back;
	int len = fb_params_text(p, text, sizeof(text));

	HOLD(len == (int)strlen(text) && len < FB_LINE_LEN - 1);
	HOLD(!fb_params_parse(text, &back, reason));
	check_same_params(p, &back);
	fb_params_text(&back, again, sizeof(again));
	HOLD(!strcmp(text, again));
}

/* What was resolved for this target gives the same plan again */
static void check_again(const struct fb_plan *plan)
{
	static struct fb_plan again;
	char reason[FB_REASON_LEN];

	check_text(&plan->params);
	HOLD(!fb_plan_check(&again, &plan->params, &plan->geo, reason));
	HOLD(!fb_plan_fit(&again, reason));
	check_same_params(&plan->params, &again.params);
	HOLD(plan->ngroups == again.ngroups && plan->npoints == again.npoints);
	HOLD(plan->nsamples == again.nsamples && plan->start == again.start);
	HOLD(plan->total.ios == again.total.ios);
	HOLD(!memcmp(plan->rows, again.rows, sizeof(plan->rows)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *line = strndup((const char *)data, len);
	struct input in = { data + len, size - len };
	char reason[FB_REASON_LEN] = "";
	static struct fb_plan plan;
	struct fb_params params;
	const char *wrong;
	struct fb_geo geo;
	int ret;

	ret = fb_params_parse(line, &params, reason);
	free(line);
	if (ret) {
		HOLD(ret == -EINVAL);
		check_reason(reason);
		return 0;
	}
	check_text(&params);

	take(&in, 1);	/* the newline */
	geo = take_geo(&in);
	ret = fb_plan_check(&plan, &params, &geo, reason);
	if (ret) {
		HOLD(ret == -EINVAL);
		check_reason(reason);
		return 0;
	}
	HOLD(plan.ngroups <= FB_MAX_ROWS);
	if (plan_ops(&plan) > WALK_OPS)
		return 0;
	ret = fb_plan_fit(&plan, reason);
	if (ret) {
		HOLD(ret == -ENOSPC);
		check_reason(reason);
		return 0;
	}
	wrong = plan_walk(&plan, 1 + take(&in, 5));
	if (wrong) {
		fprintf(stderr, "does not hold: %s\n", wrong);
		abort();
	}
	check_again(&plan);
	return 0;
}
