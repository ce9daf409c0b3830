// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an open-au table and a find-fat table of the old command say.
 *
 * As in interpret.c, a table is read where it stands.
 */
#include "interpret.h"

#define CUT_PERCENT	250	/* slower by this factor is a limit, or nearly */
#define DECLINE_PERCENT	130	/* and this is at least a decline */
#define SAME_PERCENT	130	/* times that differ by less are the same */
#define SAME_SIZES	4	/* in a row, from a fixed cost of each write */

#define FAT_MORE	130	/* rate of a special erase block, per cent of */
#define FAT_LESS	77	/* ordinary ones */

/**
 * struct table - the rows
 * @row: them
 * @n: how many
 * @erase: erase block they assume, bytes
 */
struct table {
	const struct fb_open_row *row;
	u32 n;
	u64 erase;
};

/* How many rates of a cell are below @rate, and how many are it */
static void cell_rank(const struct table *t, u32 nr, u64 block, u64 rate,
		      u32 *below, u32 *same)
{
	u32 i, k;

	*below = 0;
	*same = 0;
	for (i = 0; i < t->n; i++) {
		const struct fb_open_row *r = &t->row[i];

		if (r->nr != nr || r->block != block)
			continue;
		for (k = 0; k < r->n; k++) {
			*below += r->rate[k] < rate;
			*same += r->rate[k] == rate;
		}
	}
}

static u64 cell_nth(const struct table *t, u32 nr, u64 block, u32 rank)
{
	u32 i, k, below, same;

	for (i = 0; i < t->n; i++) {
		const struct fb_open_row *r = &t->row[i];

		if (r->nr != nr || r->block != block)
			continue;
		for (k = 0; k < r->n; k++) {
			cell_rank(t, nr, block, r->rate[k], &below, &same);
			if (below <= rank && rank < below + same)
				return r->rate[k];
		}
	}
	return 0;
}

static u32 cell_count(const struct table *t, u32 nr, u64 block)
{
	u32 count, same;

	cell_rank(t, nr, block, U64_MAX, &count, &same);
	return count;
}

/* The median rate of a cell, which may be in several rows; 0: no such cell */
static u64 cell_rate(const struct table *t, u32 nr, u64 block)
{
	u32 n = cell_count(t, nr, block);

	if (!n)
		return 0;
	return (cell_nth(t, nr, block, (n - 1) / 2) +
		cell_nth(t, nr, block, n / 2)) / 2;
}

/* The smallest number of erase blocks above @after; 0: none */
static u32 next_nr(const struct table *t, u32 after)
{
	u32 i, next = 0;

	for (i = 0; i < t->n; i++)
		if (t->row[i].nr > after && (!next || t->row[i].nr < next))
			next = t->row[i].nr;
	return next;
}

/* The smallest block above @after that has cells for both; 0: none */
static u64 next_block(const struct table *t, u32 nr1, u32 nr2, u64 after)
{
	u64 block, next = 0;
	u32 i;

	for (i = 0; i < t->n; i++) {
		block = t->row[i].block;
		if (t->row[i].nr == nr1 && block > after &&
		    (!next || block < next) && cell_rate(t, nr1, block) &&
		    cell_rate(t, nr2, block))
			next = block;
	}
	return next;
}

/* How many times slower @nr2 is, per cent; 0: there is nothing to compare */
static u32 slower(const struct table *t, u32 nr1, u32 nr2, u64 block)
{
	u64 fast = cell_rate(t, nr1, block), slow = cell_rate(t, nr2, block);

	if (!fast || !slow)
		return 0;
	return min_t(u64, div64_u64(100 * fast, slow), U32_MAX);
}

/* Repeats of the same cell that have little to do with each other */
static void count_unstable(const struct table *t, struct fb_open_answer *a)
{
	u64 block;
	u32 nr, n;

	for (nr = next_nr(t, 0); nr; nr = next_nr(t, nr))
		for (block = next_block(t, nr, nr, 0);
		     block && block < t->erase;
		     block = next_block(t, nr, nr, block)) {
			n = cell_count(t, nr, block);
			if (n < 2)
				continue;
			a->repeated++;
			if (cell_nth(t, nr, block, n - 1) >
			    2 * cell_nth(t, nr, block, 0))
				a->unstable++;
		}
}

static u64 best_rate(const struct table *t)
{
	u64 best = 0;
	u32 i;

	for (i = 0; i < t->n; i++)
		best = max(best, cell_rate(t, t->row[i].nr, t->row[i].block));
	return best;
}

/*
 * Is there a limit between two numbers? The smallest blocks must be much
 * slower, by the cost of copying a good part of an erase block, and either the
 * next ones, too, or by less: a fixed cost of every write.
 */
static bool is_cut(const struct table *t, u32 nr1, u32 nr2)
{
	u64 block = next_block(t, nr1, nr2, 0);
	u64 second = next_block(t, nr1, nr2, block);
	u32 ratio, next;

	if (!block || block >= t->erase || !second || second >= t->erase)
		return false;
	ratio = slower(t, nr1, nr2, block);
	next = slower(t, nr1, nr2, second);
	if (ratio < CUT_PERCENT)
		return false;
	if (div64_u64(16 * block * (best_rate(t) >> 10),
		      max_t(u64, cell_rate(t, nr2, block) >> 10, 1)) < t->erase)
		return false;
	return next >= CUT_PERCENT || 4 * (u64)next <= 3 * (u64)ratio;
}

/* The smallest block that all numbers have a cell for; 0: none */
static u64 common_block(const struct table *t)
{
	u32 nr, first = next_nr(t, 0);
	u64 block = 0;

	while ((block = next_block(t, first, first, block))) {
		for (nr = first; nr && cell_rate(t, nr, block);)
			nr = next_nr(t, nr);
		if (!nr)
			return block;
	}
	return 0;
}

static void find_decline(const struct table *t, struct fb_open_answer *a)
{
	u32 nr, next, first = next_nr(t, 0);
	u64 block = common_block(t);

	/* from one to two it is the price of changing the erase block */
	for (nr = first; (next = next_nr(t, nr)); nr = next)
		if (nr > 1)
			a->step = max(a->step, slower(t, nr, next, block));
	a->decline = slower(t, first, nr, block);
	a->gradual = a->decline >= DECLINE_PERCENT && a->step < CUT_PERCENT;
}

/*
 * With one number only: does a write take the same time whatever its size?
 * Then it is the copying that takes it.
 */
static bool is_thrashing(const struct table *t, u32 nr)
{
	u64 ns, low = 0, high = 0, block;
	u32 same = 0;

	for (block = next_block(t, nr, nr, 0); block && block < t->erase;
	     block = next_block(t, nr, nr, block)) {
		ns = div64_u64(block * NSEC_PER_SEC, cell_rate(t, nr, block));
		low = same ? min(low, ns) : ns;
		high = same ? max(high, ns) : ns;
		if (100 * high <= SAME_PERCENT * low) {
			same++;
		} else {
			low = ns;
			high = ns;
			same = 1;
		}
		if (same == SAME_SIZES)
			return true;
	}
	return false;
}

/**
 * fb_interpret_open() - the limit of open erase blocks from open-au tables
 * @row: rows, in any order, of all numbers of open erase blocks; rates below
 *	2^48 bytes per second
 * @n: how many
 * @erase: erase block they assume, bytes
 * @a: gets the answer
 */
void fb_interpret_open(const struct fb_open_row *row, u32 n, u64 erase,
		       struct fb_open_answer *a)
{
	const struct table t = { .row = row, .n = n, .erase = erase };
	u32 nr = next_nr(&t, 0), next;

	*a = (struct fb_open_answer) { .kind = FB_OPEN_UNKNOWN };
	count_unstable(&t, a);
	if (5 * a->unstable > a->repeated) {
		a->why = FB_TABLE_UNSTABLE;
		return;
	}
	if (!nr || !next_nr(&t, nr)) {
		a->why = FB_TABLE_ONE_NUMBER;
		if (nr && is_thrashing(&t, nr)) {
			a->kind = FB_OPEN_BELOW;
			a->why = FB_TABLE_TELLS;
			a->thrashes = nr;
		}
		return;
	}
	for (; (next = next_nr(&t, nr)); nr = next) {
		if (!is_cut(&t, nr, next))
			continue;
		a->kind = FB_OPEN_LIMIT;
		a->fits = nr;
		a->thrashes = next;
		return;
	}
	a->kind = FB_OPEN_NO_LIMIT;
	a->fits = nr;
	find_decline(&t, a);
}

/* ---- find-fat ---- */

/* The median rate of the later half, which is ordinary */
static u64 fat_ordinary(const struct fb_fat_row *r)
{
	u32 i, j, below, same, half = r->n / 2, rank = (r->n - half) / 2;

	for (i = half; i < r->n; i++) {
		below = 0;
		same = 0;
		for (j = half; j < r->n; j++) {
			below += r->rate[j] < r->rate[i];
			same += r->rate[j] == r->rate[i];
		}
		if (below <= rank && rank < below + same)
			return r->rate[i];
	}
	return 0;
}

/**
 * fb_interpret_fat() - the FAT blocks from a find-fat table
 * @row: rows, in any order
 * @n: how many
 * @erase: erase block they assume, bytes
 *
 * Return: a mask of the erase blocks that behave differently in most rows.
 */
u64 fb_interpret_fat(const struct fb_fat_row *row, u32 n, u64 erase)
{
	u32 i, j, rows, special;
	u64 rate, mask = 0;

	for (j = 0; j < FB_MAX_COLUMNS; j++) {
		rows = 0;
		special = 0;
		for (i = 0; i < n; i++) {
			if (row[i].block >= erase || row[i].n <= j)
				continue;
			rate = fat_ordinary(&row[i]);
			rows++;
			special += 100 * row[i].rate[j] >= FAT_MORE * rate ||
				   100 * row[i].rate[j] <= FAT_LESS * rate;
		}
		if (rows && 10 * special >= 6 * rows)
			mask |= BIT_ULL(j);
	}
	return mask;
}
