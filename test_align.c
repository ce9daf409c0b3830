// SPDX-License-Identifier: GPL-2.0-only
/*
 * align, align-write: accesses just before, across and just after the
 * boundaries of every candidate size. Where a size is that of a structure of
 * the card, the access across costs more than its neighbours.
 *
 * At a multiple of a size by a number that 2, 3, 5 and 7 do not divide, the
 * card shows the structures whose sizes divide that size and no larger ones.
 * So each row gets random multiples of this kind. The old command used fixed
 * places, some of which are boundaries of larger structures; old-schedule is
 * for comparing with what it measured.
 *
 * Pure: see include/pure.h.
 */
#include "pure.h"

#define ALIGN_POSITIONS		12	/* of a row */
#define ALIGN_OLD_POSITIONS	7	/* as the old command had them */
#define ALIGN_TRIES		32	/* to find a multiple of the right kind */

enum { ALIGN_PRE, ALIGN_ON, ALIGN_POST, ALIGN_PLACES };

static const char *const align_place[] = { "pre", "on", "post" };

/* Candidates are these times powers of two; plan->stride goes with them */
static const unsigned int align_odd[] = { 1, 3, 9 };

static u64 align_end(const struct fb_plan *plan)
{
	return plan->geo.range_start + plan->geo.range_len;
}

/* Which of align_odd a size belongs to */
static unsigned int align_chain(u64 size)
{
	unsigned int i;

	while (!(size & 1))
		size >>= 1;
	for (i = 0; align_odd[i] != size; i++)
		;
	return i;
}

/* The first boundary with room before it, from the start of the target */
static u64 align_first(const struct fb_plan *plan, u64 size)
{
	const struct fb_geo *geo = &plan->geo;
	u64 blocksize = plan->params.val[FB_KEY_BLOCKSIZE];

	return fb_round_up(geo->disk_start + plan->start + blocksize, size) -
	       geo->disk_start;
}

/* How many boundaries of @size, @stride apart, have room on both sides */
static u64 align_room(const struct fb_plan *plan, u64 size, u64 stride)
{
	u64 last = align_first(plan, size) +
		   plan->params.val[FB_KEY_BLOCKSIZE];

	if (last > align_end(plan))
		return 0;
	return div64_u64(align_end(plan) - last, stride) + 1;
}

static bool align_old(const struct fb_plan *plan)
{
	return plan->params.val[FB_KEY_OLD_SCHEDULE];
}

static u64 align_stride(const struct fb_plan *plan, u64 size)
{
	return max_t(u64, size, plan->stride[align_chain(size)]);
}

static u64 align_row_positions(const struct fb_plan *plan, u32 group)
{
	u64 size = plan->rows[group];

	if (align_old(plan))
		return min_t(u64, ALIGN_OLD_POSITIONS,
			     align_room(plan, size, align_stride(plan, size)));
	return min_t(u64, ALIGN_POSITIONS, align_room(plan, size, size));
}

/*
 * The old positions of a row are as far apart as the largest size of its chain
 * allows with all of them inside the range: the same, well-spread places for
 * all rows up to that size. Larger rows have fewer.
 */
static void align_add_chain(struct fb_plan *plan, unsigned int chain)
{
	u64 least = 2 * plan->params.val[FB_KEY_BLOCKSIZE];
	u64 size;

	for (size = align_odd[chain]; align_room(plan, size, size); size *= 2) {
		if (size < least || fb_modulo(size, plan->geo.logical_block))
			continue;
		if (align_room(plan, size, size) >= ALIGN_OLD_POSITIONS)
			plan->stride[chain] = size;
		plan->rows[plan->ngroups++] = size;
	}
}

static int align_larger(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? 1 : -(x > y);
}

static int align_setup(struct fb_plan *plan, char *reason)
{
	u64 *val = plan->params.val;
	u64 least = 2 * (u64)plan->geo.logical_block;
	unsigned int chain;

	if (val[FB_KEY_BLOCKSIZE] < least) {
		snprintf(reason, FB_REASON_LEN,
			 "blocksize: one logical block cannot straddle a boundary, want at least %llu",
			 least);
		return -EINVAL;
	}
	if (2 * val[FB_KEY_ERASESIZE] > FB_MAX_LEN) {
		snprintf(reason, FB_REASON_LEN,
			 "erasesize: at most %u here, where two erase blocks are closed at once",
			 FB_MAX_LEN / 2);
		return -EINVAL;
	}
	if (val[FB_KEY_OFFSET] == FB_OFFSET_AUTO)
		val[FB_KEY_OFFSET] = plan->geo.range_start;
	plan->start = val[FB_KEY_OFFSET];
	if (plan->start < plan->geo.range_start ||
	    plan->start > align_end(plan))
		return 0;	/* no rows: align_fit() has the reason */

	for (chain = 0; chain < ARRAY_SIZE(align_odd); chain++)
		align_add_chain(plan, chain);
	sort(plan->rows, plan->ngroups, sizeof(plan->rows[0]), align_larger,
	     NULL);

	plan->group_points = ALIGN_PLACES * (1 + fb_plan_flushes(plan));
	plan->npoints = plan->ngroups * plan->group_points;
	plan->nlines = plan->ngroups;
	return 0;
}

/* The largest block, by halving, that would have room round a boundary */
static u64 align_would_fit(const struct fb_plan *plan)
{
	const struct fb_geo *geo = &plan->geo;
	u64 from = geo->disk_start + plan->start;
	u64 b;

	if (plan->start < geo->range_start || plan->start > align_end(plan))
		return 0;
	for (b = plan->params.val[FB_KEY_BLOCKSIZE] / 2;
	     b >= 2 * (u64)geo->logical_block; b /= 2)
		if (!fb_modulo(b, geo->logical_block) &&
		    fb_round_up(from + b, 2 * b) + b <=
		    geo->disk_start + align_end(plan))
			return b;
	return 0;
}

static int align_fit(struct fb_plan *plan, char *reason)
{
	u64 blocksize = plan->params.val[FB_KEY_BLOCKSIZE];
	u64 fits = align_would_fit(plan);
	char what[48] = "nothing fits there";

	if (plan->ngroups)
		return 0;
	if (fits)
		snprintf(what, sizeof(what), "blocksize %llu would fit",
			 fits);
	snprintf(reason, FB_REASON_LEN,
		 "blocksize: no boundary between offset %llu and the end of the range, %llu, has room for %llu bytes on both sides; %s",
		 plan->start,
		 align_end(plan),
		 blocksize, what);
	return -ENOSPC;
}

static u64 align_timed(const struct fb_plan *plan, u32 group)
{
	return plan->params.val[FB_KEY_COUNT] * ALIGN_PLACES *
	       align_row_positions(plan, group) *
	       (1 + fb_plan_flushes(plan));
}

static bool align_closes(const struct fb_plan *plan)
{
	const u64 *val = plan->params.val;

	return val[FB_KEY_ERASESIZE] && !val[FB_KEY_NOCLOSE];
}

static u64 align_group_ops(const struct fb_plan *plan, u32 group)
{
	u64 ops = 1 + align_timed(plan, group);

	if (align_closes(plan))
		ops += align_row_positions(plan, group);
	return ops;
}

/* How many of 2, 3, 5 and 7 divide @x */
static u32 align_factors(u64 x)
{
	return !fb_modulo(x, 2) + !fb_modulo(x, 3) + !fb_modulo(x, 5) +
	       !fb_modulo(x, 7);
}

/* Everything random about a row follows from this and a number */
static u64 align_key(const struct fb_plan *plan, u64 size, u64 number)
{
	return fb_hash(fb_hash(plan->params.val[FB_KEY_SEED] ^ size) + number);
}

/*
 * The @pos-th boundary of a row: the room is cut into as many parts as there
 * are positions, so that no two are the same, and each has a random one with
 * as few small factors as there are.
 */
static u64 align_draw(const struct fb_plan *plan, u64 size, u64 pos)
{
	u64 room = align_room(plan, size, size);
	u64 n = min_t(u64, ALIGN_POSITIONS, room);
	u64 from = div64_u64(pos * room, n);
	u64 width = div64_u64((pos + 1) * room, n) - from;
	u64 first = align_first(plan, size);
	u64 first_k = div64_u64(first + plan->geo.disk_start, size);
	u32 factors, fewest = U32_MAX;
	u64 i, try, best = from;

	for (try = 0; try < ALIGN_TRIES && fewest; try++) {
		i = from + fb_modulo(align_key(plan, size,
					       pos * ALIGN_TRIES + try), width);
		factors = align_factors(first_k + i);
		if (factors < fewest) {
			fewest = factors;
			best = i;
		}
	}
	return first + best * size;
}

static u64 align_boundary(const struct fb_plan *plan, u32 group, u64 pos)
{
	u64 size = plan->rows[group];

	if (align_old(plan))
		return align_first(plan, size) + pos * align_stride(plan, size);
	return align_draw(plan, size, pos);
}

/* Close the erase blocks that the accesses round one boundary have opened */
static void align_close(const struct fb_plan *plan, u64 boundary,
			struct fb_op *op)
{
	const struct fb_geo *geo = &plan->geo;
	u64 erasesize = plan->params.val[FB_KEY_ERASESIZE];
	u64 blocksize = plan->params.val[FB_KEY_BLOCKSIZE];
	u64 start = boundary - blocksize + geo->disk_start;
	u64 end = fb_round_up(boundary + blocksize + geo->disk_start,
			      erasesize);

	start -= fb_modulo(start, erasesize);
	start = max(start, geo->range_start + geo->disk_start);
	end = min(end, align_end(plan) + geo->disk_start);
	end = min(end, start + FB_MAX_LEN);
	fb_op_close(plan, start - geo->disk_start, end - start, op);
}

/*
 * Which place comes when. A repetition is three passes over all positions in a
 * random order that is the same for all, and each position has its own random
 * order of the three places; so all others lie between two accesses to the same
 * position, and neither a buffer of the card nor its order favours a place. The
 * old command had the positions in order, before, then across, then after.
 */
static void align_turn(const struct fb_plan *plan, u32 group, u64 index,
		       u32 *pos, u32 *place)
{
	u32 positions = align_row_positions(plan, group);
	u64 size = plan->rows[group];
	u32 turn, pass;
	u64 count = div_u64_rem(index, positions, &turn);

	count = div_u64_rem(count, ALIGN_PLACES, &pass);
	*pos = turn;
	*place = pass;
	if (align_old(plan))
		return;
	*pos = fb_permute(positions, align_key(plan, size, ~0ULL), turn);
	*place = fb_permute(ALIGN_PLACES,
			    align_key(plan, ~size, count * positions + *pos),
			    pass);
}

/*
 * A straddling access is split at a whole logical block, the smaller half
 * before the boundary.
 */
static void align_op(const struct fb_plan *plan, u32 group, u64 index,
		     struct fb_op *op)
{
	const u64 *val = plan->params.val;
	u32 lbs = plan->geo.logical_block;
	u64 before[ALIGN_PLACES] = {
		[ALIGN_PRE] = val[FB_KEY_BLOCKSIZE],
		[ALIGN_ON] = div_u64(val[FB_KEY_BLOCKSIZE], 2 * lbs) * lbs,
		[ALIGN_POST] = 0,
	};
	bool flush;
	u32 pos, place;

	if (!index) {
		fb_op_wake(plan, op);
		return;
	}
	if (index > align_timed(plan, group)) {
		index -= 1 + align_timed(plan, group);
		align_close(plan, align_boundary(plan, group, index), op);
		return;
	}
	index--;
	flush = fb_plan_split_flush(plan, &index);
	align_turn(plan, group, index, &pos, &place);
	fb_op_timed(plan, flush, group * plan->group_points + place, pos, op);
	if (!flush) {
		op->offset = align_boundary(plan, group, pos) - before[place];
		op->length = val[FB_KEY_BLOCKSIZE];
	}
}

static int align_line(const struct fb_plan *plan, u32 line,
		      const struct fb_stat *st, char *buf, size_t size)
{
	const struct fb_stat *row = st + line * plan->group_points;
	char text[ALIGN_PLACES][FB_TEXT_LEN], diff[FB_TEXT_LEN] = "-";
	bool complete = true;
	int i;

	for (i = 0; i < ALIGN_PLACES; i++) {
		complete &= fb_stat_complete(&row[i]);
		fb_stat_time(&row[i], text[i], sizeof(text[i]));
	}
	if (complete)
		fb_format_time(diff, sizeof(diff), row[ALIGN_ON].classic -
			       (s64)((row[ALIGN_PRE].classic +
				      row[ALIGN_POST].classic) / 2));
	return scnprintf(buf, size, "align %llu\tpre %s\ton %s\tpost %s\tdiff %s",
			 plan->rows[line],
			 text[ALIGN_PRE], text[ALIGN_ON], text[ALIGN_POST],
			 diff);
}

static int align_coords(const struct fb_plan *plan, u32 point, char *buf,
			size_t size)
{
	return scnprintf(buf, size, "%llu\t%s",
			 plan->rows[point / plan->group_points],
			 align_place[point % ALIGN_PLACES]);
}

const struct fb_test fb_test_align = {
	.name = "align",
	.summary = "reads before, across and after boundaries of all sizes 2^k, 3*2^k, 9*2^k",
	.columns = "align_bytes\tplace",
	.offset = "start of the range",
	.keys = FB_KEYS_COMMON | BIT(FB_KEY_OLD_SCHEDULE),
	.count = 8,
	.setup = align_setup,
	.fit = align_fit,
	.group_ops = align_group_ops,
	.op = align_op,
	.line = align_line,
	.coords = align_coords,
};

/*
 * The erase block is what this test is used to find, so closing what it
 * opened takes an erasesize on the run line.
 */
const struct fb_test fb_test_align_write = {
	.name = "align-write",
	.summary = "writes before, across and after boundaries of all sizes 2^k, 3*2^k, 9*2^k",
	.columns = "align_bytes\tplace",
	.offset = "start of the range",
	.keys = FB_KEYS_COMMON | FB_KEYS_WRITE | BIT(FB_KEY_ERASESIZE) |
		BIT(FB_KEY_OLD_SCHEDULE),
	.count = 1,
	.erasesize_optional = true,
	.writes = true,
	.setup = align_setup,
	.fit = align_fit,
	.group_ops = align_group_ops,
	.op = align_op,
	.line = align_line,
	.coords = align_coords,
};
