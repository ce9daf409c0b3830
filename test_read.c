// SPDX-License-Identifier: GPL-2.0-only
/*
 * scatter: the minimum read time of each of many places.
 *
 * interval: read time against size, and the line through it: a fixed cost for
 * every access and a rate.
 *
 * Pure: see include/pure.h.
 */
#include "pure.h"

/* The smallest sizes are left out of the line, as the old command did */
#define INTERVAL_IGNORE	3
/* Places of an interval row, in multiples of its size */
#define INTERVAL_APART	9

static u64 read_end(const struct fb_plan *plan)
{
	return plan->geo.range_start + plan->geo.range_len;
}

/* Bytes from the test's first place to the end of the range */
static u64 read_room(const struct fb_plan *plan)
{
	if (plan->start < plan->geo.range_start ||
	    plan->start > read_end(plan))
		return 0;
	return read_end(plan) - plan->start;
}

static void read_start(struct fb_plan *plan)
{
	u64 *offset = &plan->params.val[FB_KEY_OFFSET];

	if (*offset == FB_OFFSET_AUTO)
		*offset = plan->geo.range_start;
	plan->start = *offset;
}

static u32 scatter_places(const struct fb_plan *plan)
{
	return 1u << plan->params.val[FB_KEY_SCATTER_ORDER];
}

static u64 scatter_length(const struct fb_plan *plan)
{
	return plan->params.val[FB_KEY_SCATTER_SPAN] *
	       plan->params.val[FB_KEY_BLOCKSIZE];
}

static int scatter_setup(struct fb_plan *plan, char *reason)
{
	if (scatter_length(plan) > FB_MAX_LEN) {
		snprintf(reason, FB_REASON_LEN,
			 "scatter-span: %llu blocks of %llu bytes are more than %u bytes",
			 plan->params.val[FB_KEY_SCATTER_SPAN],
			 plan->params.val[FB_KEY_BLOCKSIZE], FB_MAX_LEN);
		return -EINVAL;
	}
	read_start(plan);
	plan->ngroups = 1;
	plan->group_points = scatter_places(plan);
	plan->npoints = plan->group_points;
	plan->nlines = plan->group_points;
	return 0;
}

static int scatter_fit(struct fb_plan *plan, char *reason)
{
	u64 blocksize = plan->params.val[FB_KEY_BLOCKSIZE];
	u64 room = read_room(plan), places = 0;
	char fits[48] = "not even one place fits";
	int order = -1;

	if (room >= scatter_length(plan))
		places = div64_u64(room - scatter_length(plan), blocksize) + 1;
	if (scatter_places(plan) <= places)
		return 0;
	while (1ULL << (order + 1) <= places)
		order++;
	if (order >= 0)
		snprintf(fits, sizeof(fits), "the largest that fits is %d",
			 order);
	snprintf(reason, FB_REASON_LEN,
		 "scatter-order: %u places, %llu bytes apart and %llu long, from offset %llu on do not fit into the range, which ends at %llu; %s",
		 scatter_places(plan), blocksize, scatter_length(plan),
		 plan->start,
		 read_end(plan), fits);
	return -ENOSPC;
}

static u64 scatter_group_ops(const struct fb_plan *plan, u32 group)
{
	return 1 + plan->params.val[FB_KEY_COUNT] * scatter_places(plan);
}

/* Every repetition visits all places once, in an order of its own */
static void scatter_op(const struct fb_plan *plan, u32 group, u64 index,
		       struct fb_op *op)
{
	u64 place, round;
	u64 key;

	if (!index) {
		fb_op_wake(plan, op);
		return;
	}
	round = div64_u64_rem(index - 1, scatter_places(plan), &place);
	key = fb_hash(plan->params.val[FB_KEY_SEED] ^ fb_hash(round + 1));
	place = fb_permute(scatter_places(plan), key, place);

	fb_op_timed(plan, false, place, 0, op);
	op->offset = plan->start + place * plan->params.val[FB_KEY_BLOCKSIZE];
	op->length = scatter_length(plan);
}

static u64 scatter_offset(const struct fb_plan *plan, u32 point)
{
	return plan->start + point * plan->params.val[FB_KEY_BLOCKSIZE];
}

/*
 * value / unit with six digits behind the point, as printf("%f"). What is left
 * of a unit of at most 2^20 is never rounded up to a whole one.
 */
static int read_fixed(char *buf, size_t size, u64 value, u32 unit)
{
	u32 rem;
	u64 whole = div_u64_rem(value, unit, &rem);
	u64 micros = div_u64(rem * 1000000ULL + unit / 2, unit);

	return scnprintf(buf, size, "%llu.%06llu", whole,
			 micros);
}

/* Megabytes and milliseconds, which gnuplot takes as they are */
static int scatter_line(const struct fb_plan *plan, u32 line,
			const struct fb_stat *st, char *buf, size_t size)
{
	int len = read_fixed(buf, size, scatter_offset(plan, line), 1 << 20);

	len += scnprintf(buf + len, size - len, "\t");
	if (fb_stat_complete(&st[line]))
		len += read_fixed(buf + len, size - len, st[line].min,
				  1000000);
	else
		len += scnprintf(buf + len, size - len, "-");
	return len;
}

static int scatter_coords(const struct fb_plan *plan, u32 point, char *buf,
			  size_t size)
{
	return scnprintf(buf, size, "%llu",
			 scatter_offset(plan, point));
}

static int interval_setup(struct fb_plan *plan, char *reason)
{
	u64 order = plan->params.val[FB_KEY_INTERVAL_ORDER];
	u64 size = plan->geo.logical_block;

	for (; plan->ngroups < order && size <= FB_MAX_LEN; size *= 2)
		plan->rows[plan->ngroups++] = size;
	if (plan->ngroups < order) {
		snprintf(reason, FB_REASON_LEN,
			 "interval-order: at most %u here, sizes double from %u to %u",
			 plan->ngroups, plan->geo.logical_block, FB_MAX_LEN);
		return -EINVAL;
	}
	read_start(plan);
	plan->group_points = 1;
	plan->npoints = order;
	plan->nlines = 2 * order + 1;
	return 0;
}

/* Bytes from the first place of a row to the end of its last */
static u64 interval_span(const struct fb_plan *plan, u32 row)
{
	u64 count = plan->params.val[FB_KEY_COUNT];

	return ((count - 1) * INTERVAL_APART + 1) * plan->rows[row];
}

static int interval_fit(struct fb_plan *plan, char *reason)
{
	u32 order = plan->ngroups;

	while (order && interval_span(plan, order - 1) > read_room(plan))
		order--;
	if (order == plan->ngroups)
		return 0;
	snprintf(reason, FB_REASON_LEN,
		 "interval-order: %u sizes, each read at %llu places, do not fit between offset %llu and the end of the range, %llu; the largest that fits is %u",
		 plan->ngroups,
		 plan->params.val[FB_KEY_COUNT],
		 plan->start,
		 read_end(plan), order);
	return -ENOSPC;
}

static u64 interval_group_ops(const struct fb_plan *plan, u32 group)
{
	return 1 + plan->params.val[FB_KEY_COUNT];
}

static void interval_op(const struct fb_plan *plan, u32 group, u64 index,
			struct fb_op *op)
{
	if (!index) {
		fb_op_wake(plan, op);
		return;
	}
	index--;
	fb_op_timed(plan, false, group, index, op);
	op->offset = plan->start + index * INTERVAL_APART * plan->rows[group];
	op->length = plan->rows[group];
}

/*
 * Through the minimum of each size from the fourth on, all of which must be
 * complete.
 */
static int interval_fit_line(const struct fb_plan *plan,
			     const struct fb_stat *st, struct fb_fit *fit)
{
	u64 ns[FB_MAX_LINE_POINTS];
	u32 i, n = 0;

	for (i = INTERVAL_IGNORE; i < plan->ngroups; i++) {
		if (!fb_stat_complete(&st[i]))
			return -ENODATA;
		ns[n++] = st[i].min;
	}
	return fb_fit_line(plan->rows + INTERVAL_IGNORE, ns, n, fit);
}

/* Bytes per second as MB/s with three digits behind the point */
static int interval_rate(char *buf, size_t size, u64 rate)
{
	u32 rem;
	u64 whole = div_u64_rem(rate, 1000000, &rem);

	return scnprintf(buf, size, "%llu.%03u MB/s",
			 whole, rem / 1000);
}

static int interval_size_line(const struct fb_plan *plan, u32 row,
			      const struct fb_stat *st, char *buf,
			      size_t size)
{
	char min[FB_TEXT_LEN], mean[FB_TEXT_LEN], max[FB_TEXT_LEN];
	int len;

	len = scnprintf(buf, size, "%llu bytes: ",
			plan->rows[row]);
	if (!fb_stat_complete(st) || !st->min)
		return len + scnprintf(buf + len, size - len,
				       "min - avg - max -: - MB/s");
	fb_format_time(min, sizeof(min), st->min);
	fb_format_time(mean, sizeof(mean), st->mean);
	fb_format_time(max, sizeof(max), st->max);
	len += scnprintf(buf + len, size - len, "min %s avg %s max %s: ",
			 min, mean, max);
	return len + interval_rate(buf + len, size - len,
				   fb_rate(plan->rows[row], st->min));
}

static int interval_line(const struct fb_plan *plan, u32 line,
			 const struct fb_stat *st, char *buf, size_t size)
{
	struct fb_fit fit;
	int ret = interval_fit_line(plan, st, &fit);
	char text[FB_TEXT_LEN];
	s64 expected;
	u64 bytes;
	int len;

	if (line < plan->ngroups)
		return interval_size_line(plan, line, &st[line], buf, size);
	if (ret || !fit.rate)
		return line > plan->ngroups ? 0 :
		       scnprintf(buf, size, "- MB/s, - access time");
	if (line == plan->ngroups) {
		len = interval_rate(buf, size, fit.rate);
		fb_format_time(text, sizeof(text), fit.fixed_ns);
		return len + scnprintf(buf + len, size - len,
				       ", %s access time", text);
	}
	line -= plan->ngroups + 1;
	bytes = plan->rows[line];
	expected = fit.fixed_ns + div64_u64(bytes * 1000000000ULL, fit.rate);
	if (!fb_stat_complete(&st[line]))
		return 0;
	return scnprintf(buf, size, "bytes %llu, time %llu overhead %lld",
			 bytes,
			 st[line].min,
			 (long long)(st[line].min - expected));
}

static int interval_coords(const struct fb_plan *plan, u32 point, char *buf,
			   size_t size)
{
	return scnprintf(buf, size, "%llu",
			 plan->rows[point]);
}

const struct fb_test fb_test_scatter = {
	.name = "scatter",
	.summary = "minimum read time of 2^scatter-order places",
	.columns = "offset_bytes",
	.offset = "start of the range",
	.keys = FB_KEYS_COMMON | BIT(FB_KEY_SCATTER_ORDER) |
		BIT(FB_KEY_SCATTER_SPAN),
	.count = 8,
	.setup = scatter_setup,
	.fit = scatter_fit,
	.group_ops = scatter_group_ops,
	.op = scatter_op,
	.line = scatter_line,
	.coords = scatter_coords,
};

/* Its sizes are its own: blocksize is accepted as everywhere, and not used */
const struct fb_test fb_test_interval = {
	.name = "interval",
	.summary = "read time of sizes doubling from one logical block, and the line through it",
	.columns = "length_bytes",
	.offset = "start of the range",
	.keys = FB_KEYS_COMMON | BIT(FB_KEY_INTERVAL_ORDER),
	.count = 8,
	.setup = interval_setup,
	.fit = interval_fit,
	.group_ops = interval_group_ops,
	.op = interval_op,
	.line = interval_line,
	.coords = interval_coords,
};
