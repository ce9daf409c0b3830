// SPDX-License-Identifier: GPL-2.0-only
/*
 * Schedules: every operation of a run is known before its first I/O.
 *
 * A plan is a number of groups; a test says how many operations a group has
 * and what operation i of group g is. There is no state in between, so a plan
 * can be walked as often as needed: to price it, to run it, to check it.
 *
 * Pure: see include/pure.h.
 */
#include "pure.h"

/**
 * fb_round_up() - the next multiple
 * @x: any number up to 2^63
 * @multiple: not 0
 *
 * Return: the smallest multiple of @multiple that is not below @x.
 */
u64 fb_round_up(u64 x, u64 multiple)
{
	u64 rem = fb_modulo(x, multiple);

	return rem ? x + multiple - rem : x;
}

/**
 * fb_modulo() - remainder of a 64-bit division
 * @x: dividend
 * @divisor: not 0
 *
 * Return: @x modulo @divisor.
 */
u64 fb_modulo(u64 x, u64 divisor)
{
	u64 rem;

	div64_u64_rem(x, divisor, &rem);
	return rem;
}

/**
 * fb_opcode_name() - an operation's name in tables
 * @opcode: the operation
 *
 * Return: a constant string.
 */
const char *fb_opcode_name(enum fb_opcode opcode)
{
	switch (opcode) {
	case FB_READ:
		return "read";
	case FB_WRITE:
		return "write";
	case FB_DISCARD:
		return "discard";
	case FB_FLUSH:
		return "flush";
	}
	return "?";
}

/**
 * fb_ledger_add() - book one operation
 * @l: the ledger
 * @opcode: what it did
 * @length: bytes
 */
void fb_ledger_add(struct fb_ledger *l, enum fb_opcode opcode, u64 length)
{
	l->ios++;
	switch (opcode) {
	case FB_READ:
		l->read_bytes += length;
		break;
	case FB_WRITE:
		l->written_bytes += length;
		break;
	case FB_DISCARD:
		l->discarded_bytes += length;
		break;
	case FB_FLUSH:
		break;
	}
}

/**
 * fb_ledger_sum() - add up two ledgers
 * @sum: the sum
 * @a: one
 * @b: the other one
 */
void fb_ledger_sum(struct fb_ledger *sum, const struct fb_ledger *a,
		   const struct fb_ledger *b)
{
	*sum = (struct fb_ledger) {
		.ios = a->ios + b->ios,
		.read_bytes = a->read_bytes + b->read_bytes,
		.written_bytes = a->written_bytes + b->written_bytes,
		.discarded_bytes = a->discarded_bytes + b->discarded_bytes,
	};
}

/**
 * fb_erase_cycles() - what I/O costs the card in wear
 * @plan: what it is part of
 * @l: the I/O
 *
 * Return: erase cycles it causes at least, if the erase block is what the run
 * line says; 0 if that is not known.
 */
u64 fb_erase_cycles(const struct fb_plan *plan, const struct fb_ledger *l)
{
	u64 erasesize = plan->params.val[FB_KEY_ERASESIZE];

	if (!erasesize)
		return 0;
	return div64_u64(l->written_bytes + l->discarded_bytes, erasesize);
}

/**
 * fb_guard_check() - may this operation be submitted?
 * @g: what the session allows and the device is, at this instant
 * @op: the operation
 *
 * The last look before the block layer, which would let all of it pass.
 *
 * Return: 0; -EPERM if it writes and the session is not armed; -EROFS if it
 * writes and the device is write-protected; -EINVAL if a byte of it lies
 * outside the range or it is no whole number of logical blocks.
 */
int fb_guard_check(const struct fb_guard *g, const struct fb_op *op)
{
	if (op->opcode != FB_READ && !g->armed)
		return -EPERM;
	if (fb_opcode_writes(op->opcode) && g->read_only)
		return -EROFS;
	if (op->opcode == FB_FLUSH)
		return 0;
	if (!op->length || fb_modulo(op->offset, g->logical_block) ||
	    fb_modulo(op->length, g->logical_block))
		return -EINVAL;
	if (op->offset < g->start || op->length > g->len ||
	    op->offset - g->start > g->len - op->length)
		return -EINVAL;
	return 0;
}

/**
 * fb_plan_auto() - does the run find out itself how many blocks can be open?
 * @plan: the plan
 *
 * Return: true if so; the plan is not final until fb_plan_set_limit().
 */
bool fb_plan_auto(const struct fb_plan *plan)
{
	return plan->params.test->keys & BIT(FB_KEY_OPEN_AU_NR) &&
	       plan->params.val[FB_KEY_OPEN_AU_NR] == FB_AU_AUTO;
}

/**
 * fb_plan_flushes() - is every timed write followed by a timed flush?
 * @plan: the plan
 *
 * Return: true if so.
 */
bool fb_plan_flushes(const struct fb_plan *plan)
{
	return plan->params.val[FB_KEY_FLUSH];
}

/**
 * fb_plan_split_flush() - tell writes and the flushes that follow them apart
 * @plan: the plan
 * @index: of a timed operation within its group; on return, of the write
 *
 * Return: true if it is a flush.
 */
bool fb_plan_split_flush(const struct fb_plan *plan, u64 *index)
{
	bool flush;

	if (!fb_plan_flushes(plan))
		return false;
	flush = *index & 1;
	*index >>= 1;
	return flush;
}

/**
 * fb_plan_opcode() - what is timed at a point
 * @plan: the plan
 * @point: index of the point
 *
 * Return: the operation.
 */
enum fb_opcode fb_plan_opcode(const struct fb_plan *plan, u32 point)
{
	if (!plan->params.test->writes)
		return FB_READ;
	if (fb_plan_flushes(plan) &&
	    point % plan->group_points >= plan->group_points / 2)
		return FB_FLUSH;
	return FB_WRITE;
}

/**
 * fb_op_wake() - make the untimed access that wakes the device
 * @plan: the plan
 * @op: the operation to fill in
 *
 * The first access after a pause pays for a resume, a clock change or a
 * re-tuning. It reads the last block of the range, which no test is likely to
 * read next.
 */
void fb_op_wake(const struct fb_plan *plan, struct fb_op *op)
{
	const struct fb_geo *geo = &plan->geo;

	*op = (struct fb_op) {
		.opcode = FB_READ,
		.offset = geo->range_start + geo->range_len -
			  geo->logical_block,
		.length = geo->logical_block,
	};
}

/**
 * fb_op_close() - make the untimed operation that closes an erase block
 * @plan: the plan
 * @offset: of the erase block or blocks, bytes from the start of the target
 * @length: bytes
 * @op: the operation to fill in
 *
 * A card is done with an erase block that was written from end to end, or
 * discarded.
 */
void fb_op_close(const struct fb_plan *plan, u64 offset, u64 length,
		 struct fb_op *op)
{
	bool discard = plan->params.val[FB_KEY_DISCARD];

	*op = (struct fb_op) {
		.opcode = discard ? FB_DISCARD : FB_WRITE,
		.offset = offset,
		.length = length,
	};
}

/**
 * fb_op_timed() - begin a timed operation: all but its place
 * @plan: the plan
 * @flush: it is the flush that follows a timed write
 * @point: index of the point of the write, or of the read
 * @pos: position within the point
 * @op: the operation; offset and length are left 0
 */
void fb_op_timed(const struct fb_plan *plan, bool flush, u32 point, u32 pos,
		 struct fb_op *op)
{
	*op = (struct fb_op) {
		.opcode = flush ? FB_FLUSH :
			  plan->params.test->writes ? FB_WRITE : FB_READ,
		.point = point + (flush ? plan->group_points / 2 : 0),
		.pos = pos,
		.timed = true,
		.fua = !flush && plan->params.val[FB_KEY_FUA],
	};
}

/**
 * fb_stat_time() - the classic time of a point for a table
 * @st: the point
 * @buf: where the text goes; "-" if a sample failed or is missing
 * @size: of @buf, %FB_TEXT_LEN is enough
 */
void fb_stat_time(const struct fb_stat *st, char *buf, size_t size)
{
	if (fb_stat_complete(st))
		fb_format_time(buf, size, st->classic);
	else
		scnprintf(buf, size, "-");
}

/**
 * fb_stat_rate() - the classic rate of a point for a table
 * @st: the point
 * @bytes: length of each of its operations
 * @buf: where the text goes; "-" if a sample failed or is missing
 * @size: of @buf, %FB_TEXT_LEN is enough
 */
void fb_stat_rate(const struct fb_stat *st, u64 bytes, char *buf,
		  size_t size)
{
	if (fb_stat_complete(st) && st->classic)
		fb_format_rate(buf, size, fb_rate(bytes, st->classic));
	else
		scnprintf(buf, size, "-");
}

static int fb_check_discard(const struct fb_plan *plan, char *reason)
{
	const struct fb_geo *geo = &plan->geo;
	const u64 *val = plan->params.val;

	if (!val[FB_KEY_DISCARD])
		return 0;
	if (geo->preserve)
		snprintf(reason, FB_REASON_LEN,
			 "discard: write_mode preserve never discards");
	else if (val[FB_KEY_NOCLOSE])
		snprintf(reason, FB_REASON_LEN,
			 "discard: noclose leaves nothing to discard");
	else if (!val[FB_KEY_ERASESIZE])
		snprintf(reason, FB_REASON_LEN,
			 "discard: needs erasesize, the unit to discard");
	else if (!geo->max_discard)
		snprintf(reason, FB_REASON_LEN,
			 "discard: the device has no discard");
	else if (geo->discard_granularity &&
		 fb_modulo(val[FB_KEY_ERASESIZE], geo->discard_granularity))
		snprintf(reason, FB_REASON_LEN,
			 "discard: erasesize %llu is no multiple of the discard granularity %u",
			 val[FB_KEY_ERASESIZE],
			 geo->discard_granularity);
	else
		return 0;
	return -EINVAL;
}

static int fb_check_multiple(const struct fb_plan *plan, const char *name,
			     u64 val, char *reason)
{
	if (val == FB_OFFSET_AUTO ||
	    !fb_modulo(val, plan->geo.logical_block))
		return 0;
	snprintf(reason, FB_REASON_LEN,
		 "%s: %llu is no multiple of the logical block, %u bytes",
		 name, val, plan->geo.logical_block);
	return -EINVAL;
}

static int fb_check_values(const struct fb_plan *plan, char *reason)
{
	const u64 *val = plan->params.val;
	int ret;

	ret = fb_check_multiple(plan, "blocksize", val[FB_KEY_BLOCKSIZE],
				reason);
	if (!ret)
		ret = fb_check_multiple(plan, "erasesize",
					val[FB_KEY_ERASESIZE], reason);
	if (!ret)
		ret = fb_check_multiple(plan, "offset", val[FB_KEY_OFFSET],
					reason);
	if (ret)
		return ret;
	if ((val[FB_KEY_FLUSH] || val[FB_KEY_FUA]) && !plan->geo.write_cache) {
		snprintf(reason, FB_REASON_LEN,
			 "%s: the device has no volatile write cache, the block layer would drop it",
			 val[FB_KEY_FLUSH] ? "flush" : "fua");
		return -EINVAL;
	}
	return fb_check_discard(plan, reason);
}

static int fb_check_amount(const struct fb_plan *plan, char *reason)
{
	u64 ops = 0;
	u32 g;

	for (g = 0; g < plan->ngroups; g++) {
		ops += plan->params.test->group_ops(plan, g);
		if (ops > FB_MAX_OPS)
			break;
	}
	if (ops <= FB_MAX_OPS)
		return 0;
	snprintf(reason, FB_REASON_LEN,
		 "count: the run would have over %u I/Os; want fewer repetitions or fewer, larger blocks",
		 FB_MAX_OPS);
	return -EINVAL;
}

/**
 * fb_plan_check() - lay out a run for a target
 * @plan: filled in; undefined after an error
 * @p: the parameters
 * @geo: the target
 * @reason: %FB_REASON_LEN bytes, what is wrong and what would be right
 *
 * Return: 0, or -EINVAL for parameters that are impossible on this target.
 */
int fb_plan_check(struct fb_plan *plan, const struct fb_params *p,
		  const struct fb_geo *geo, char *reason)
{
	int ret;

	*plan = (struct fb_plan) { .params = *p, .geo = *geo };
	ret = fb_check_values(plan, reason);
	if (!ret)
		ret = p->test->setup(plan, reason);
	if (!ret)
		ret = fb_check_amount(plan, reason);
	return ret;
}

/**
 * fb_plan_fit() - check that a plan fits into the range, and price it
 * @plan: a plan that fb_plan_check() found possible
 * @reason: %FB_REASON_LEN bytes, what would fit
 *
 * Return: 0, or -ENOSPC if it does not fit.
 */
int fb_plan_fit(struct fb_plan *plan, char *reason)
{
	struct fb_cursor c;
	struct fb_op op;
	int ret;

	ret = plan->params.test->fit(plan, reason);
	if (ret)
		return ret;
	fb_cursor_init(&c);
	while (fb_cursor_next(plan, &c, &op)) {
		if (plan->geo.preserve && op.opcode == FB_WRITE)
			fb_ledger_add(&plan->total, FB_READ, op.length);
		fb_ledger_add(&plan->total, op.opcode, op.length);
		plan->nsamples += op.timed;
		plan->max_len = max_t(u64, plan->max_len, op.length);
	}
	return 0;
}

/**
 * fb_plan_set_limit() - settle how many erase blocks to have open
 * @plan: of a run that found out; its number of points stays
 * @limit: how many can be open, at least 1
 * @reason: %FB_REASON_LEN bytes, what would fit
 *
 * Return: 0, or -ENOSPC if there is no room for one more than @limit.
 */
int fb_plan_set_limit(struct fb_plan *plan, u64 limit, char *reason)
{
	plan->limit = limit;
	plan->total = (struct fb_ledger) { 0 };
	plan->nsamples = 0;
	return fb_plan_fit(plan, reason);
}

/**
 * fb_plan_points() - what is planned for each point
 * @plan: a plan that fits
 * @st: one for each point, zeroed; planned and positions are filled in
 */
void fb_plan_points(const struct fb_plan *plan, struct fb_stat *st)
{
	struct fb_cursor c;
	struct fb_op op;

	fb_cursor_init(&c);
	while (fb_cursor_next(plan, &c, &op)) {
		if (!op.timed)
			continue;
		st[op.point].planned++;
		st[op.point].positions = max_t(u32, st[op.point].positions,
					       op.pos + 1);
	}
}

/**
 * fb_cursor_init() - go to the start of a schedule
 * @c: the cursor
 */
void fb_cursor_init(struct fb_cursor *c)
{
	*c = (struct fb_cursor) { 0 };
}

/**
 * fb_cursor_next() - the next operation of a schedule
 * @plan: a plan that fits
 * @c: where we are; afterwards c->left is the number of operations that
 *	follow in the same group
 * @op: the operation
 *
 * Return: false at the end.
 */
bool fb_cursor_next(const struct fb_plan *plan, struct fb_cursor *c,
		    struct fb_op *op)
{
	const struct fb_test *t = plan->params.test;

	while (!c->left) {
		if (c->started)
			c->group++;
		if (c->group >= plan->ngroups)
			return false;
		c->started = true;
		c->index = 0;
		c->left = t->group_ops(plan, c->group);
	}
	/* a plan may have millions of operations */
	if (!(c->left & 1023))
		cond_resched();
	t->op(plan, c->group, c->index, op);
	c->index++;
	c->left--;
	return true;
}
