// SPDX-License-Identifier: GPL-2.0-only
/*
 * open-au: how fast are writes to several erase blocks at once? One erase
 * block more than the card can keep open, and every small write costs a
 * collection.
 *
 * find-fat: how fast is each of the first erase blocks? Those that the card
 * treats as FAT area take small or random writes at another rate.
 *
 * Both write whole erase blocks, a row of the table for each block size.
 *
 * Pure: see include/pure.h.
 */
#include "geometry.h"

#define OPEN_AU_FROM	(16ULL << 20)	/* skip the FAT area */
#define OPEN_AU_APART	12	/* erase blocks from one to the next */
#define KNEE_LEAST	(128u << 10)	/* below, other things are dear, too */
#define KNEE_MOST	16	/* times that erasesize is too large */

/*
 * What both tests write: for one row of the table, @nr erase blocks, @apart
 * bytes from one to the next.
 */
struct fb_au {
	u64 nr;
	u64 apart;
};

static u64 au_erasesize(const struct fb_plan *plan)
{
	return plan->params.val[FB_KEY_ERASESIZE];
}

static u64 au_end(const struct fb_plan *plan)
{
	return plan->geo.range_start + plan->geo.range_len;
}

/* Blocks of a row in one erase block */
static u64 au_blocks(const struct fb_plan *plan, u32 group)
{
	return div64_u64(au_erasesize(plan), plan->rows[group]);
}

/* A row of whole-block writes leaves nothing open */
static bool au_closes(const struct fb_plan *plan, u32 group)
{
	return !plan->params.val[FB_KEY_NOCLOSE] &&
	       plan->rows[group] != au_erasesize(plan);
}

/* With auto there are two tables: for the limit, and for one more */
static u64 open_au_nr(const struct fb_plan *plan, u32 group)
{
	if (!fb_plan_auto(plan))
		return plan->params.val[FB_KEY_OPEN_AU_NR];
	return plan->limit + (group >= plan->ngroups / 2);
}

static struct fb_au open_au_layout(const struct fb_plan *plan, u32 group)
{
	return (struct fb_au) {
		.nr = open_au_nr(plan, group),
		.apart = OPEN_AU_APART * au_erasesize(plan),
	};
}

static struct fb_au find_fat_layout(const struct fb_plan *plan)
{
	return (struct fb_au) {
		.nr = plan->params.val[FB_KEY_FAT_NR],
		.apart = au_erasesize(plan),
	};
}

/* The first erase block from @from on, counted from the start of the disk */
static u64 au_first(const struct fb_plan *plan, u64 from)
{
	u64 disk_start = plan->geo.disk_start;

	from = max(from, plan->geo.range_start);
	return fb_round_up(disk_start + from, au_erasesize(plan)) - disk_start;
}

/* A row for each size from the erase block down, halving, odd factors stay */
static int au_setup(struct fb_plan *plan, u64 from, char *reason)
{
	u64 *val = plan->params.val;
	u64 size;

	if (val[FB_KEY_BLOCKSIZE] > val[FB_KEY_ERASESIZE]) {
		snprintf(reason, FB_REASON_LEN,
			 "blocksize: %llu is larger than erasesize, %llu",
			 val[FB_KEY_BLOCKSIZE],
			 val[FB_KEY_ERASESIZE]);
		return -EINVAL;
	}
	for (size = val[FB_KEY_ERASESIZE];
	     size >= val[FB_KEY_BLOCKSIZE] &&
	     !fb_modulo(size, plan->geo.logical_block); size /= 2)
		plan->rows[plan->ngroups++] = size;

	if (val[FB_KEY_OFFSET] == FB_OFFSET_AUTO)
		val[FB_KEY_OFFSET] = au_first(plan, from);
	plan->start = val[FB_KEY_OFFSET];
	plan->nlines = plan->ngroups;
	return 0;
}

static int open_au_setup(struct fb_plan *plan, char *reason)
{
	int ret = au_setup(plan, OPEN_AU_FROM, reason);

	if (fb_plan_auto(plan)) {
		memcpy(&plan->rows[plan->ngroups], plan->rows,
		       plan->ngroups * sizeof(plan->rows[0]));
		plan->ngroups *= 2;
		plan->nlines = plan->ngroups;
		plan->limit = 1;
		/* the inference comes first */
		plan->max_len = FB_ASK_MAX_LEN;
	}
	plan->group_points = 1 + fb_plan_flushes(plan);
	plan->npoints = plan->ngroups * plan->group_points;
	return ret;
}

static int find_fat_setup(struct fb_plan *plan, char *reason)
{
	int ret = au_setup(plan, 0, reason);

	plan->group_points = plan->params.val[FB_KEY_FAT_NR] *
			     (1 + fb_plan_flushes(plan));
	plan->npoints = plan->ngroups * plan->group_points;
	return ret;
}

static int au_fit(const struct fb_plan *plan, struct fb_au au,
		  const char *key, char *reason)
{
	u64 erasesize = au_erasesize(plan);
	u64 room = 0, fits = 0;

	if (plan->start >= plan->geo.range_start &&
	    plan->start <= au_end(plan))
		room = au_end(plan) - plan->start;
	if (room >= erasesize)
		fits = div64_u64(room - erasesize, au.apart) + 1;
	if (au.nr <= fits)
		return 0;
	snprintf(reason, FB_REASON_LEN,
		 "%s: %llu erase blocks of %llu bytes, %llu apart from offset %llu on, do not fit into the range, which is %llu+%llu; the largest that fits is %llu",
		 key, au.nr, erasesize,
		 au.apart, plan->start,
		 plan->geo.range_start,
		 plan->geo.range_len,
		 fits);
	return -ENOSPC;
}

static int open_au_fit(struct fb_plan *plan, char *reason)
{
	return au_fit(plan, open_au_layout(plan, plan->ngroups - 1),
		      "open-au-nr", reason);
}

static int find_fat_fit(struct fb_plan *plan, char *reason)
{
	return au_fit(plan, find_fat_layout(plan), "fat-nr", reason);
}

/* Different keys for every order that a run needs */
static u64 au_key(const struct fb_plan *plan, u32 group, bool blocks)
{
	return fb_hash(plan->params.val[FB_KEY_SEED] ^
		       fb_hash(2 * (u64)group + blocks + 1));
}

/* Which block of the erase block is the @index-th to be written */
static u64 au_block(const struct fb_plan *plan, u32 group, u64 index)
{
	if (!plan->params.val[FB_KEY_RANDOM])
		return index;
	return fb_permute(au_blocks(plan, group), au_key(plan, group, true),
			  index);
}

static void au_write(const struct fb_plan *plan, u32 group, struct fb_au au,
		     u64 nth, u64 block, struct fb_op *op)
{
	if (op->opcode == FB_FLUSH)
		return;
	op->offset = plan->start + nth * au.apart + block * plan->rows[group];
	op->length = plan->rows[group];
}

static u64 open_au_timed(const struct fb_plan *plan, u32 group)
{
	const u64 *val = plan->params.val;

	return val[FB_KEY_COUNT] * au_blocks(plan, group) *
	       open_au_nr(plan, group) * (1 + fb_plan_flushes(plan));
}

static u64 open_au_group_ops(const struct fb_plan *plan, u32 group)
{
	u64 ops = 1 + open_au_timed(plan, group);

	if (au_closes(plan, group))
		ops += open_au_nr(plan, group);
	return ops;
}

/*
 * For each block: write it in each of the erase blocks. Their order is
 * shuffled once for the row and then kept, as in the old command.
 */
static void open_au_op(const struct fb_plan *plan, u32 group, u64 index,
		       struct fb_op *op)
{
	struct fb_au au = open_au_layout(plan, group);
	u64 blocks = au_blocks(plan, group);
	u64 block, nth, round, pos;
	bool flush;

	if (!index) {
		fb_op_wake(plan, op);
		return;
	}
	if (index > open_au_timed(plan, group)) {
		index -= 1 + open_au_timed(plan, group);
		fb_op_close(plan, plan->start + index * au.apart,
			    au_erasesize(plan), op);
		return;
	}
	index--;
	flush = fb_plan_split_flush(plan, &index);
	round = div64_u64_rem(index, au.nr, &nth);
	block = au_block(plan, group, fb_modulo(round, blocks));
	nth = fb_permute(au.nr, au_key(plan, group, false), nth);
	pos = block * au.nr + nth;

	fb_op_timed(plan, flush, group * plan->group_points, pos, op);
	au_write(plan, group, au, nth, block, op);
}

/* One erase block of a find-fat row: its writes, then closing it */
static u64 find_fat_timed(const struct fb_plan *plan, u32 group)
{
	return plan->params.val[FB_KEY_COUNT] * au_blocks(plan, group) *
	       (1 + fb_plan_flushes(plan));
}

static u64 find_fat_cell_ops(const struct fb_plan *plan, u32 group)
{
	return 1 + find_fat_timed(plan, group) + au_closes(plan, group);
}

static u64 find_fat_group_ops(const struct fb_plan *plan, u32 group)
{
	return find_fat_cell_ops(plan, group) * plan->params.val[FB_KEY_FAT_NR];
}

static void find_fat_op(const struct fb_plan *plan, u32 group, u64 index,
			struct fb_op *op)
{
	struct fb_au au = find_fat_layout(plan);
	bool flush;
	u64 nth, block;

	nth = div64_u64_rem(index, find_fat_cell_ops(plan, group), &index);
	if (!index) {
		fb_op_wake(plan, op);
		return;
	}
	if (index > find_fat_timed(plan, group)) {
		fb_op_close(plan, plan->start + nth * au.apart,
			    au_erasesize(plan), op);
		return;
	}
	index--;
	flush = fb_plan_split_flush(plan, &index);
	block = au_block(plan, group, fb_modulo(index, au_blocks(plan, group)));

	fb_op_timed(plan, flush, group * plan->group_points + nth, block, op);
	au_write(plan, group, au, nth, block, op);
}

static int open_au_line(const struct fb_plan *plan, u32 line,
			const struct fb_stat *st, char *buf, size_t size)
{
	char label[FB_TEXT_LEN], rate[FB_TEXT_LEN];
	int len = 0;

	if (fb_plan_auto(plan) && line % (plan->nlines / 2) == 0)
		len = scnprintf(buf, size, "# open-au-nr: %llu\n",
				open_au_nr(plan, line));
	fb_format_size(label, sizeof(label), plan->rows[line]);
	fb_stat_rate(&st[line * plan->group_points], plan->rows[line], rate,
		     sizeof(rate));
	return len + scnprintf(buf + len, size - len, "%-7s %s", label, rate);
}

static int find_fat_line(const struct fb_plan *plan, u32 line,
			 const struct fb_stat *st, char *buf, size_t size)
{
	const struct fb_stat *row = &st[line * plan->group_points];
	char text[FB_TEXT_LEN];
	int len;
	u32 i;

	fb_format_size(text, sizeof(text), plan->rows[line]);
	len = scnprintf(buf, size, "%-7s", text);
	for (i = 0; i < plan->params.val[FB_KEY_FAT_NR]; i++) {
		fb_stat_rate(&row[i], plan->rows[line], text, sizeof(text));
		len += scnprintf(buf + len, size - len, i ? "  %-7s" : " %-7s",
				 text);
	}
	while (buf[len - 1] == ' ')
		buf[--len] = '\0';
	return len;
}

static int open_au_coords(const struct fb_plan *plan, u32 point, char *buf,
			  size_t size)
{
	return scnprintf(buf, size, "%llu\t%llu",
			 plan->rows[point / plan->group_points],
			 open_au_nr(plan, point / plan->group_points));
}

static int find_fat_coords(const struct fb_plan *plan, u32 point, char *buf,
			   size_t size)
{
	u32 nr = plan->params.val[FB_KEY_FAT_NR];

	return scnprintf(buf, size, "%llu\t%u",
			 plan->rows[point / plan->group_points],
			 point % plan->group_points % nr);
}

/* ---- what a table says of erasesize ---- */

/* Median time of a write in a row; 0 if it is not known */
static u64 open_au_time(const struct fb_plan *plan, const struct fb_stat *st,
			u32 group)
{
	st += group * plan->group_points;
	return fb_stat_complete(st) ? st->median : 0;
}

/*
 * With too many erase blocks open every write causes a collection, which takes
 * about as long as filling one, but for a card that copies faster than it is
 * written. Only writes of whole erase blocks are as fast as their size makes
 * them. So the largest size with collections is half an erase block; if it is
 * less, erasesize is too large.
 */
static int open_au_warn_knee(const struct fb_plan *plan,
			     const struct fb_stat *st, u32 first, u32 rows,
			     char *buf, size_t size)
{
	u64 whole = open_au_time(plan, st, first), more, most, at;
	u32 i;

	if (rows < 3 || !whole)
		return 0;
	at = open_au_time(plan, st, first + rows - 1);
	most = at - min(at, whole >> (rows - 1));
	for (i = 1; i < rows - 1; i++) {
		at = open_au_time(plan, st, first + i);
		more = at - min(at, whole >> i);
		if (!at || 4 * more >= most)
			break;
	}
	at = plan->rows[first + i - 1];
	if (i == 1 || at < KNEE_LEAST || at * KNEE_MOST < au_erasesize(plan))
		return 0;
	if (most < whole >> (i - 1) >> 4)
		return 0;
	return fb_warn_add(buf, size,
			   "erasesize %llu contradicts the table: writes of %llu bytes cause no collections, smaller ones do; the erase block is at most that",
			   au_erasesize(plan), at);
}

/* One more than the card can keep open does not matter to whole erase blocks */
static int open_au_warn_whole(const struct fb_plan *plan,
			      const struct fb_stat *st, char *buf, size_t size)
{
	u64 fits = open_au_time(plan, st, 0);
	u64 one_more = open_au_time(plan, st, plan->ngroups / 2);

	if (!fits || 5 * one_more < 6 * fits)
		return 0;
	return fb_warn_add(buf, size,
			   "erasesize %llu contradicts the table: with %llu open, writes of that size cause collections; the erase block is larger, or has another factor",
			   au_erasesize(plan), plan->limit + 1);
}

static int open_au_warn(const struct fb_plan *plan, const struct fb_stat *st,
			char *buf, size_t size)
{
	u32 rows = plan->ngroups / (1 + fb_plan_auto(plan));
	int len = open_au_warn_knee(plan, st, plan->ngroups - rows, rows, buf,
				    size);

	if (fb_plan_auto(plan))
		len += open_au_warn_whole(plan, st, buf + len, size - len);
	return len;
}

const struct fb_test fb_test_open_au = {
	.name = "open-au",
	.summary = "writes to several erase blocks in turn, for each block size",
	.columns = "block_bytes\topen_aus",
	.offset = "16MiB, rounded up to erasesize",
	.keys = FB_KEYS_COMMON | FB_KEYS_WRITE | BIT(FB_KEY_OPEN_AU_NR) |
		BIT(FB_KEY_ERASESIZE) | BIT(FB_KEY_RANDOM),
	.count = 1,
	.writes = true,
	.setup = open_au_setup,
	.fit = open_au_fit,
	.group_ops = open_au_group_ops,
	.op = open_au_op,
	.line = open_au_line,
	.coords = open_au_coords,
	.warn = open_au_warn,
};

const struct fb_test fb_test_find_fat = {
	.name = "find-fat",
	.summary = "writes to each of the first erase blocks, for each block size",
	.columns = "block_bytes\terase_block",
	.offset = "start of the range, rounded up to erasesize",
	.keys = FB_KEYS_COMMON | FB_KEYS_WRITE | BIT(FB_KEY_FAT_NR) |
		BIT(FB_KEY_ERASESIZE) | BIT(FB_KEY_RANDOM),
	.count = 1,
	.writes = true,
	.setup = find_fat_setup,
	.fit = find_fat_fit,
	.group_ops = find_fat_group_ops,
	.op = find_fat_op,
	.line = find_fat_line,
	.coords = find_fat_coords,
};
