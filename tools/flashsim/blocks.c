// SPDX-License-Identifier: GPL-2.0-only
/*
 * The erase blocks of a simulated card: which pages have data, which blocks
 * are open, and what closing them costs.
 *
 * Block mapping with one log block for each open erase block, as described
 * for CompactFlash by Kim, Kim, Noh, Min and Cho ("A space-efficient flash
 * translation layer for CompactFlash systems", IEEE Transactions on Consumer
 * Electronics 48(2), 2002), from where the words switch, partial and full
 * merge come; or log-structured, by a law instead of a mechanism.
 */
#include "ftl.h"
#include "platform.h"

/**
 * ftl_is_fat() - is this a FAT block?
 * @cfg: the card
 * @block: erase block
 *
 * Return: whether it is.
 */
bool ftl_is_fat(const struct ftl_config *cfg, u32 block)
{
	u32 i;

	for (i = 0; i < cfg->nfat; i++)
		if (block - cfg->fat[i].start < cfg->fat[i].len)
			return true;
	return false;
}

static u64 *ftl_valid_map(const struct ftl *ftl, u32 block)
{
	return ftl->valid + (size_t)block * ftl->words;
}

/* Pages [from, to) of a bitmap; returns how many of them changed. */
static u32 ftl_map_set(u64 *map, u32 from, u32 to, bool set)
{
	u32 changed = 0, word;
	u64 mask;

	while (from < to) {
		word = from / 64;
		mask = ~0ULL << (from % 64);
		if (to < (word + 1) * 64)
			mask &= ~(~0ULL << (to % 64));
		changed += hweight64(mask & (set ? ~map[word] : map[word]));
		map[word] = set ? map[word] | mask : map[word] & ~mask;
		from = (word + 1) * 64;
	}
	return changed;
}

/* How many pages are in @a and, if given, not in @b. */
static u32 ftl_map_count(const struct ftl *ftl, const u64 *a, const u64 *b)
{
	u32 i, n = 0;

	for (i = 0; i < ftl->words; i++)
		n += hweight64(b ? a[i] & ~b[i] : a[i]);
	return n;
}

/**
 * ftl_valid_pages() - pages with data
 * @ftl: the card
 * @block: erase block
 *
 * Return: how many.
 */
u32 ftl_valid_pages(const struct ftl *ftl, u32 block)
{
	return ftl_map_count(ftl, ftl_valid_map(ftl, block), NULL);
}

/**
 * ftl_mark() - say which pages have data
 * @ftl: the card
 * @block: erase block
 * @in_block: byte offset from its start
 * @len: bytes
 * @valid: mark every page they touch as having data; else mark the ones they
 *	fill as having none
 */
void ftl_mark(struct ftl *ftl, u32 block, u32 in_block, u32 len, bool valid)
{
	u32 page = ftl->cfg.page;
	u32 from, to;

	if (valid) {
		from = in_block / page;
		to = DIV_ROUND_UP(in_block + len, page);
	} else {
		from = DIV_ROUND_UP(in_block, page);
		to = (in_block + len) / page;
	}
	ftl_map_set(ftl_valid_map(ftl, block), from, to, valid);
}

/* Where @block ends: the last one may be incomplete */
static u32 ftl_end_of(const struct ftl *ftl, u32 block)
{
	u32 last;

	if (block != ftl->nblocks - 1)
		return ftl->cfg.erase;
	ftl_block_of(ftl, ftl->cfg.size - 1, &last);
	return last + 1;
}

/* Has every page of an open erase block been written since it was opened? */
static bool ftl_is_full(const struct ftl *ftl, const struct ftl_open *o)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 pages = DIV_ROUND_UP(ftl_end_of(ftl, o->block), cfg->page);

	if (!o->block && cfg->shift)	/* the first one may begin late */
		pages -= (cfg->erase - cfg->shift) / cfg->page;
	return o->npages == pages && o->next == ftl_end_of(ftl, o->block);
}

/* ---- open erase blocks ---- */

static struct ftl_open *ftl_find(const struct ftl *ftl, u32 block)
{
	u32 i;

	for (i = 0; i < ftl->nslots; i++)
		if (ftl->open[i].block == block)
			return &ftl->open[i];
	return NULL;
}

/* Start a log block: nothing in it yet */
static void ftl_restart(struct ftl *ftl, struct ftl_open *o, u32 next)
{
	if (o->random && !o->fat)
		ftl->nrandom--;
	o->random = false;
	o->next = next;
	o->appended = 0;
	o->npages = 0;
	o->born = ftl->clock;
	memset(o->pages, 0, ftl->words * sizeof(u64));
}

static void ftl_release(struct ftl *ftl, struct ftl_open *o)
{
	ftl_restart(ftl, o, 0);
	o->block = FTL_NO_BLOCK;
	if (!o->fat)
		ftl->nopen--;
}

static u64 ftl_copy(struct ftl *ftl, u32 pages)
{
	u64 bytes = (u64)pages * ftl->cfg.page;

	ftl->totals.copied_bytes += bytes;
	ftl->totals.programmed_bytes += bytes;
	return ftl->cfg.gc + ftl_transfer_ns(bytes, ftl->cfg.copy_bps);
}

/*
 * Make one erase block out of the old one and its log block. Full and in
 * order, the log block simply takes the place of the old one; in order, it
 * does once it has got the rest; else all goes into a third one.
 */
static u64 ftl_merge(struct ftl *ftl, struct ftl_open *o)
{
	const u64 *valid = ftl_valid_map(ftl, o->block);
	u32 rest;

	if (o->random) {
		ftl->totals.full_merges++;
		ftl->totals.erases += 2;
		ftl->erased[o->block] += 2;
		return ftl_copy(ftl, ftl_map_count(ftl, valid, NULL));
	}
	ftl->totals.erases++;
	ftl->erased[o->block]++;
	rest = ftl_map_count(ftl, valid, o->pages);
	if (!rest) {
		ftl->totals.switch_merges++;
		return ftl_is_full(ftl, o) ? 0 : ftl->cfg.gc;
	}
	ftl->totals.partial_merges++;
	return ftl_copy(ftl, rest);
}

/* Lower goes first */
static u64 ftl_rank(struct ftl *ftl, const struct ftl_open *o)
{
	switch (ftl->cfg.replace) {
	case FTL_FIFO:
		return o->born;
	case FTL_RANDOM:
		return ftl_random(ftl);
	}
	return o->used;
}

/* Close one, or one written out of order, but not @keep. */
static u64 ftl_evict(struct ftl *ftl, bool random,
		     const struct ftl_open *keep)
{
	struct ftl_open *o, *victim = NULL;
	u64 rank, lowest = U64_MAX;
	u64 ns;

	for (o = ftl->open; o < ftl->open + ftl->nslots; o++) {
		if (o->block == FTL_NO_BLOCK || o->fat || o == keep ||
		    (random && !o->random))
			continue;
		rank = ftl_rank(ftl, o);
		if (!victim || rank < lowest) {
			lowest = rank;
			victim = o;
		}
	}
	if (!victim)
		return 0;
	ns = ftl_merge(ftl, victim);
	ftl->totals.evictions++;
	ftl_release(ftl, victim);
	return ns;
}

static struct ftl_open *ftl_open_block(struct ftl *ftl, u32 block,
				       u32 in_block, u64 *ns)
{
	bool fat = ftl_is_fat(&ftl->cfg, block);
	struct ftl_open *o;

	if (!fat && ftl->nopen >= ftl->cfg.open)
		*ns += ftl_evict(ftl, false, NULL);
	o = ftl_find(ftl, FTL_NO_BLOCK);
	if (!o)		/* more FAT blocks than slots for them */
		return NULL;
	o->block = block;
	o->fat = fat;
	if (!fat)
		ftl->nopen++;
	ftl_restart(ftl, o, in_block);
	return o;
}

/* A write that is not where the last one to this block stopped */
static u64 ftl_out_of_order(struct ftl *ftl, struct ftl_open *o, u32 in_block)
{
	u64 ns = ftl->cfg.jump_ns;

	if (o->random)
		return ns;
	/*
	 * From the start again: a new log block. What only the old one has is
	 * copied when the new one is closed, if it is still needed then.
	 */
	if (!in_block) {
		ftl_restart(ftl, o, 0);
		return 0;
	}
	if (!o->fat && !ftl->cfg.open_random) {
		ns += ftl_merge(ftl, o);
		ftl->totals.evictions++;
		ftl_restart(ftl, o, in_block);
		return ns;
	}
	o->random = true;
	if (o->fat || ++ftl->nrandom <= ftl->cfg.open_random)
		return ns;
	return ns + ftl_evict(ftl, true, o);
}

static u64 ftl_block_write(struct ftl *ftl, u32 block, u32 in_block, u32 len)
{
	const struct ftl_config *cfg = &ftl->cfg;
	struct ftl_open *o = ftl_find(ftl, block);
	u32 programmed;
	u64 ns = 0;

	if (!o)
		o = ftl_open_block(ftl, block, in_block, &ns);
	else if (in_block != o->next)
		ns += ftl_out_of_order(ftl, o, in_block);
	programmed = DIV_ROUND_UP(in_block + len, cfg->program) -
		     in_block / cfg->program;
	programmed *= cfg->program;
	ftl->totals.programmed_bytes += programmed;
	ftl_mark(ftl, block, in_block, len, true);
	if (!o)
		return ns;

	if (o->random && o->appended + programmed > cfg->erase) {
		ns += ftl_merge(ftl, o);
		ftl_restart(ftl, o, in_block);
	}
	o->npages += ftl_map_set(o->pages, in_block / cfg->page,
				 DIV_ROUND_UP(in_block + len, cfg->page), true);
	o->appended += programmed;
	o->next = in_block + len;
	o->used = ftl->clock;
	if (!o->random && ftl_is_full(ftl, o)) {
		ns += ftl_merge(ftl, o);
		ftl_release(ftl, o);
	}
	return ns;
}

/* ---- log-structured ---- */

static void ftl_log_expire(struct ftl *ftl)
{
	struct ftl_open *o;

	for (o = ftl->open; o < ftl->open + ftl->nslots; o++)
		if (o->block != FTL_NO_BLOCK && !o->fat &&
		    ftl->clock - o->used > ftl->cfg.log_window)
			ftl_release(ftl, o);
}

static void ftl_log_note(struct ftl *ftl, u32 block)
{
	struct ftl_open *o = ftl_find(ftl, block);
	struct ftl_open *i;

	if (!o)
		o = ftl_find(ftl, FTL_NO_BLOCK);
	if (!o) {
		o = ftl->open;
		for (i = ftl->open; i < ftl->open + ftl->nslots; i++)
			if (i->used < o->used)
				o = i;
		ftl_release(ftl, o);
	}
	if (o->block == FTL_NO_BLOCK)
		ftl->nopen++;
	o->block = block;
	o->used = ftl->clock;
}

static void ftl_log_write(struct ftl *ftl, u32 block, u32 in_block, u32 len)
{
	ftl->clock += len;
	ftl_log_expire(ftl);
	if (!ftl_is_fat(&ftl->cfg, block))
		ftl_log_note(ftl, block);
	ftl_mark(ftl, block, in_block, len, true);
	ftl->totals.programmed_bytes += len;
}

/**
 * ftl_blocks_write() - write to one erase block
 * @ftl: the card
 * @block: erase block
 * @in_block: byte offset from its start
 * @len: bytes, all inside the block
 *
 * Return: what closing erase blocks for it costs, ns.
 */
u64 ftl_blocks_write(struct ftl *ftl, u32 block, u32 in_block, u32 len)
{
	if (!ftl_is_log(&ftl->cfg))
		return ftl_block_write(ftl, block, in_block, len);
	ftl_log_write(ftl, block, in_block, len);
	return 0;
}

/**
 * ftl_blocks_discard() - forget data of one erase block
 * @ftl: the card
 * @block: erase block
 * @in_block: byte offset from its start
 * @len: bytes, all inside the block
 */
void ftl_blocks_discard(struct ftl *ftl, u32 block, u32 in_block, u32 len)
{
	struct ftl_open *o;

	ftl_mark(ftl, block, in_block, len, false);
	if (len < ftl->cfg.erase)
		return;
	ftl->totals.erases++;
	ftl->erased[block]++;
	o = ftl_find(ftl, block);
	if (o)
		ftl_release(ftl, o);
}

/**
 * ftl_log_cost() - what a write costs on a log-structured card
 * @ftl: the card
 * @ns: without cleaning
 *
 * The more streams, the less of a cleaned block is free, and the more has to
 * be copied for each write.
 *
 * Return: the cost with cleaning, ns.
 */
u64 ftl_log_cost(const struct ftl *ftl, u64 ns)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 others = max_t(u32, ftl_streams(ftl), 1) - 1;
	u64 more = div_u64((u64)cfg->log_gain * others, others + cfg->log_half);

	more = ftl_muldiv(ns, more, 1000);
	if (cfg->log_ns)
		more = min(more, others * cfg->log_ns);
	return ns + more;
}

/**
 * ftl_streams() - open erase blocks, or streams of a log-structured card
 * @ftl: the card
 *
 * FAT blocks do not count.
 *
 * Return: how many.
 */
u32 ftl_streams(const struct ftl *ftl)
{
	return ftl->nopen;
}

