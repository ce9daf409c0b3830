// SPDX-License-Identifier: GPL-2.0-only
/*
 * A simulated card: making one, and what can be done with it.
 */
#include "ftl.h"
#include "platform.h"

#define FTL_MAX_ERASE	0x40000000u
#define FTL_MAX_PAGES	0x10000000u	/* memory: a bit each */
#define FTL_MAX_BLOCKS	0x1000000u	/* memory: 12 bytes each at least */
#define FTL_MAX_NS	3600000000000ULL	/* an hour: nobody waits longer */

/**
 * ftl_default() - the card nobody said anything about
 * @cfg: gets it
 */
void ftl_default(struct ftl_config *cfg)
{
	*cfg = (struct ftl_config) {
		.size = 1ULL << 30,
		.erase = 4 << 20,
		.page = 8 << 10,
		.planes = 2,
		.read_ns = 500000,
		.read_bps = 20000000,
		.write_ns = 500000,
		.write_bps = 10000000,
		.open = 4,
		.open_random = U32_MAX,
		.gc = 5000000,
		.map_slots = 1,
		.outlier_pm = 100000,
		.seed = 1,
		.written = { { 0, U64_MAX } },
		.nwritten = 1,
	};
}

static const char *ftl_check_geometry(const struct ftl_config *cfg,
				      const char **key)
{
	u32 rem;

	*key = "size";
	if (!cfg->size || cfg->size % FTL_SECTOR)
		return "must be a positive multiple of 512";
	*key = "page";
	if (!cfg->page || cfg->page % FTL_SECTOR)
		return "must be a positive multiple of 512";
	*key = "erase";
	if (!cfg->erase || cfg->erase % cfg->page ||
	    cfg->erase > FTL_MAX_ERASE)
		return "must be a multiple of page, at most 1G";
	*key = "planes";
	if (!cfg->planes || cfg->planes > 64)
		return "must be 1 to 64";
	if ((u64)cfg->page * cfg->planes > FTL_MAX_ERASE)
		return "must be fewer for pages of this size";
	*key = "program";
	if (cfg->program % FTL_SECTOR ||
	    (cfg->program && cfg->erase % cfg->program))
		return "must be a multiple of 512 that divides erase";
	*key = "shift";
	if (cfg->shift >= cfg->erase || cfg->shift % cfg->page)
		return "must be a multiple of page below erase";
	*key = "zone";
	div_u64_rem(cfg->zone, cfg->page, &rem);
	if (rem)
		return "must be a multiple of page";
	*key = "page";
	if (div_u64(cfg->size, cfg->page) > FTL_MAX_PAGES)
		return "must be larger for a card of this size";
	*key = "erase";
	if (div_u64(cfg->size, cfg->erase) > FTL_MAX_BLOCKS)
		return "must be larger for a card of this size";
	return NULL;
}

static u32 ftl_count_fat(const struct ftl_config *cfg)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < cfg->nfat; i++)
		n += cfg->fat[i].len;
	return min_t(u64, n, U32_MAX);
}

static const char *ftl_check_ranges(const struct ftl_config *cfg,
				    const char **key)
{
	*key = "fat";
	if (cfg->nfat > FTL_MAX_RANGES ||
	    ftl_count_fat(cfg) > FTL_MAX_OPEN / 2)
		return "must be 256 erase blocks in 8 ranges at most";
	*key = "written";
	if (cfg->nwritten > FTL_MAX_RANGES)
		return "must be 8 ranges at most";
	*key = "pattern";
	if (cfg->npattern > FTL_MAX_PATTERN)
		return "must be 16 times at most";
	return NULL;
}

static const char *ftl_check_times(const struct ftl_config *cfg,
				   const char **key)
{
	const struct { const char *key; u64 ns; } times[] = {
		{ "read_ns", cfg->read_ns },
		{ "cross_page_ns", cfg->cross_page_ns },
		{ "cross_super_ns", cfg->cross_super_ns },
		{ "cross_erase_ns", cfg->cross_erase_ns },
		{ "cross_zone_ns", cfg->cross_zone_ns },
		{ "unwritten_ns", cfg->unwritten_ns },
		{ "buffer_ns", cfg->buffer_ns },
		{ "map_miss_ns", cfg->map_miss_ns },
		{ "write_ns", cfg->write_ns },
		{ "switch_ns", cfg->switch_ns },
		{ "pad_ns", cfg->pad_ns },
		{ "jump_ns", cfg->jump_ns },
		{ "subpage_ns", cfg->subpage_ns },
		{ "unaligned", cfg->unaligned },
		{ "gc", cfg->gc },
		{ "log_ns", cfg->log_ns },
		{ "discard_ns", cfg->discard_ns },
		{ "wake_ns", cfg->wake_ns },
		{ "idle_ns", cfg->idle_ns },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		*key = times[i].key;
		if (times[i].ns > FTL_MAX_NS)
			return "must be an hour at most";
	}
	return NULL;
}

static const char *ftl_check_rates(const struct ftl_config *cfg,
				   const char **key)
{
	const struct { const char *key; u64 bps; } rates[] = {
		{ "read_bps", cfg->read_bps },
		{ "write_bps", cfg->write_bps },
		{ "copy_bps", cfg->copy_bps },
		{ "cache_bps", cfg->cache_bps },
		{ "slc_bps", cfg->slc_bps },
		{ "slc_drain_bps", cfg->slc_drain_bps },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		*key = rates[i].key;
		if (rates[i].bps > U32_MAX || (rates[i].bps &&
					       rates[i].bps < 1000))
			return "must be 0 or 1000 to 4294967295";
	}
	return NULL;
}

static const char *ftl_check_rest(const struct ftl_config *cfg,
				  const char **key)
{
	*key = "open";
	if (!cfg->open || cfg->open > FTL_MAX_OPEN / 2)
		return "must be 1 to 256";
	*key = "map_slots";
	if (!cfg->map_slots || cfg->map_slots > FTL_MAP_SLOTS)
		return "must be 1 to 16";
	*key = "cache";
	if (cfg->cache > FTL_MAX_ERASE)
		return "must be 1G at most";
	*key = "noise";
	if (cfg->noise_pm > (cfg->noise == FTL_NOISE_LOGNORMAL ? 500 : 1000))
		return "must be 1000 at most, 500 if lognormal";
	*key = "outlier_pm";
	if (cfg->outlier_pm > 1000000)
		return "must be 1000000 at most";
	*key = "scatter";
	if (cfg->scatter > 1000)
		return "must be 1000 at most";
	*key = "log";
	if (cfg->log_gain > 1000000 || cfg->log_half > 1000000)
		return "must be 1000000 at most, and log_half too";
	return NULL;
}

/**
 * ftl_check() - is there such a card?
 * @cfg: the configuration
 * @key: gets the key that is wrong
 * @why: gets what would be right
 *
 * Return: 0 or -EINVAL.
 */
int ftl_check(const struct ftl_config *cfg, const char **key, const char **why)
{
	*why = ftl_check_geometry(cfg, key);
	if (!*why)
		*why = ftl_check_ranges(cfg, key);
	if (!*why)
		*why = ftl_check_times(cfg, key);
	if (!*why)
		*why = ftl_check_rates(cfg, key);
	if (!*why)
		*why = ftl_check_rest(cfg, key);
	return *why ? -EINVAL : 0;
}

/* The part of [off, off + len) that lies in the first erase block of it */
static u32 ftl_piece(const struct ftl *ftl, u64 off, u64 len, u32 *block,
		     u32 *in_block)
{
	*block = ftl_block_of(ftl, off, in_block);
	return min_t(u64, len, ftl->cfg.erase - *in_block);
}

static void ftl_fill(struct ftl *ftl)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 i, n, block, in_block;
	u64 off, len;

	for (i = 0; i < cfg->nwritten; i++) {
		off = min(cfg->written[i].start, cfg->size);
		len = min(cfg->written[i].len, cfg->size - off);
		for (; len; off += n, len -= n) {
			n = ftl_piece(ftl, off, len, &block, &in_block);
			ftl_mark(ftl, block, in_block, n, true);
		}
	}
}

static void ftl_resolve(struct ftl_config *cfg)
{
	if (!cfg->program)
		cfg->program = cfg->page;
	if (!cfg->copy_bps)
		cfg->copy_bps = cfg->write_bps;
	if (cfg->open_random > cfg->open)
		cfg->open_random = cfg->open;
	if (!cfg->log_window)
		cfg->log_window = 32ULL * cfg->erase;
	if (!cfg->log_half)
		cfg->log_half = 1;
}

static bool ftl_alloc(struct ftl *ftl)
{
	u32 i;

	ftl->valid = kvcalloc((size_t)ftl->nblocks * ftl->words, sizeof(u64),
			      GFP_KERNEL);
	ftl->erased = kvcalloc(ftl->nblocks, sizeof(u32), GFP_KERNEL);
	ftl->open = kvcalloc(ftl->nslots, sizeof(*ftl->open), GFP_KERNEL);
	if (!ftl->valid || !ftl->erased || !ftl->open)
		return false;
	for (i = 0; i < ftl->nslots; i++) {
		ftl->open[i].block = FTL_NO_BLOCK;
		ftl->open[i].pages = kvcalloc(ftl->words, sizeof(u64),
					      GFP_KERNEL);
		if (!ftl->open[i].pages)
			return false;
	}
	return true;
}

/**
 * ftl_create() - make a card
 * @cfg: what it is; ftl_check() has approved of it
 *
 * Return: the card, or NULL if there is no memory. May sleep.
 */
struct ftl *ftl_create(const struct ftl_config *cfg)
{
	struct ftl *ftl = kvcalloc(1, sizeof(*ftl), GFP_KERNEL);
	u32 i;

	if (!ftl)
		return NULL;
	ftl->cfg = *cfg;
	ftl_resolve(&ftl->cfg);
	ftl->super = cfg->page * cfg->planes;
	ftl->block_pages = cfg->erase / cfg->page;
	ftl->words = DIV_ROUND_UP(ftl->block_pages, 64);
	ftl->nblocks = ftl_block_of(ftl, cfg->size - 1, &i) + 1;
	ftl->nslots = ftl_is_log(cfg) ? FTL_LOG_OPEN : cfg->open;
	ftl->nslots += ftl_count_fat(cfg);
	ftl->last_block = FTL_NO_BLOCK;
	ftl->last_super = U64_MAX;
	for (i = 0; i < FTL_MAP_SLOTS; i++)
		ftl->map[i] = U64_MAX;
	ftl_reset_totals(ftl);
	if (!ftl_alloc(ftl)) {
		ftl_destroy(ftl);
		return NULL;
	}
	ftl_fill(ftl);
	return ftl;
}

/**
 * ftl_destroy() - forget a card
 * @ftl: the card, or NULL
 */
void ftl_destroy(struct ftl *ftl)
{
	u32 i;

	if (!ftl)
		return;
	for (i = 0; ftl->open && i < ftl->nslots; i++)
		kvfree(ftl->open[i].pages);
	kvfree(ftl->open);
	kvfree(ftl->erased);
	kvfree(ftl->valid);
	kvfree(ftl);
}

/**
 * ftl_reset_totals() - start counting again, and the noise; the state stays
 * @ftl: the card
 */
void ftl_reset_totals(struct ftl *ftl)
{
	ftl->totals = (struct ftl_totals) { .lowest = U64_MAX };
	ftl->rng = ftl->cfg.seed;
}

/* ---- operations ---- */

static void ftl_touch(struct ftl *ftl, u64 off, u64 len)
{
	ftl->totals.lowest = min(ftl->totals.lowest, off);
	ftl->totals.highest = max(ftl->totals.highest, off + len);
}

static u64 ftl_done(struct ftl *ftl, u64 now, u64 ns)
{
	ns = ftl_disturb(ftl, ns + ftl_wake_cost(ftl, now));
	ftl->last_done = now + ns;
	ftl->totals.last_ns = ns;
	ftl->totals.busy_ns += ns;
	return ns;
}

/**
 * ftl_read() - read
 * @ftl: the card
 * @now: time, ns, not before the last operation ended
 * @off: byte offset
 * @len: bytes, not 0; all of it on the card
 *
 * Return: what it costs, ns.
 */
u64 ftl_read(struct ftl *ftl, u64 now, u64 off, u64 len)
{
	ftl->totals.reads++;
	ftl->totals.read_bytes += len;
	return ftl_done(ftl, now, ftl_read_cost(ftl, off, len));
}

/*
 * Program units written in part, and the price of beginning inside one and
 * going on into the next of the same multi-plane page.
 */
static u64 ftl_partial_cost(const struct ftl *ftl, u64 off, u64 len)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 in_block, head, tail, unit;
	u64 end, ns = 0;

	ftl_block_of(ftl, off, &in_block);
	end = in_block + len;
	head = in_block % cfg->program;
	div_u64_rem(end, cfg->program, &tail);
	unit = in_block - head + cfg->program;
	if (head)
		ns += cfg->subpage_ns;
	if (tail && (!head || end > unit))
		ns += cfg->subpage_ns;
	if (!head)
		return ns;
	if (unit % ftl->super == 0)
		unit += cfg->program;
	if (end > unit && unit % ftl->super)
		ns += cfg->unaligned;
	return ns;
}

/* Going on somewhere else than where the last write stopped */
static u64 ftl_switch_cost(const struct ftl *ftl, u64 off)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u32 in_block, block, last;
	u64 ns = 0;

	if (off == ftl->last_end || ftl->last_block == FTL_NO_BLOCK)
		return 0;
	block = ftl_block_of(ftl, off, &in_block);
	if (block != ftl->last_block)
		ns += cfg->switch_ns;
	ftl_block_of(ftl, ftl->last_end, &last);
	if (last % ftl->super)
		ns += cfg->pad_ns;
	return ns;
}

/* Programming: in the burst area as long as there is room, then elsewhere */
static u64 ftl_program_cost(struct ftl *ftl, u64 now, u64 len)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u64 burst = 0, drained;

	if (cfg->slc) {
		drained = now > ftl->last_done ? now - ftl->last_done : 0;
		drained = ftl_muldiv(drained, cfg->slc_drain_bps, NSEC_PER_SEC);
		ftl->slc_used -= min(ftl->slc_used, drained);
		burst = min(len, cfg->slc - min(cfg->slc, ftl->slc_used));
		ftl->slc_used += burst;
	}
	return ftl_transfer_ns(burst, cfg->slc_bps) +
	       ftl_transfer_ns(len - burst, cfg->write_bps);
}

/*
 * A write cache takes the write for the price of the transfer, if need be
 * after programming as much of what is in it as makes room.
 */
static u64 ftl_cache_cost(struct ftl *ftl, u64 len, u64 ns)
{
	const struct ftl_config *cfg = &ftl->cfg;
	u64 fast = cfg->write_ns + ftl_transfer_ns(len, cfg->cache_bps);
	u64 over = 0, pay = 0;

	if (len > cfg->cache || ns <= fast)
		return ns;
	if (ftl->cached + len > cfg->cache)
		over = ftl->cached + len - cfg->cache;
	if (over)
		pay = ftl_muldiv(ftl->cache_debt, over, ftl->cached);
	ftl->cached += len - over;
	ftl->cache_debt += ns - fast - pay;
	return fast + pay;
}

/**
 * ftl_write() - write
 * @ftl: the card
 * @now: time, ns, not before the last operation ended
 * @off: byte offset
 * @len: bytes, not 0; all of it on the card
 *
 * Return: what it costs, ns.
 */
u64 ftl_write(struct ftl *ftl, u64 now, u64 off, u64 len)
{
	const struct ftl_config *cfg = &ftl->cfg;
	bool log = ftl_is_log(cfg);
	u32 n, in_block, block = FTL_NO_BLOCK;
	u64 done, ns;

	ftl->totals.writes++;
	ftl->totals.written_bytes += len;
	ftl_touch(ftl, off, len);
	ftl->last_super = U64_MAX;

	/* a read-modify-write hides what going elsewhere costs, or vice versa */
	ns = max(ftl_partial_cost(ftl, off, len), ftl_switch_cost(ftl, off));
	ns += cfg->write_ns + ftl_program_cost(ftl, now, len);
	if (!log)
		ftl->clock++;
	for (done = 0; done < len; done += n) {
		n = ftl_piece(ftl, off + done, len - done, &block, &in_block);
		ns += ftl_blocks_write(ftl, block, in_block, n);
	}
	ftl->last_block = block;
	ftl->last_end = off + len;
	if (log)
		ns = ftl_log_cost(ftl, ns);
	if (cfg->cache && !ftl->cache_off)
		ns = ftl_cache_cost(ftl, len, ns);
	return ftl_done(ftl, now, ns);
}

/**
 * ftl_discard() - forget data
 * @ftl: the card
 * @now: time, ns, not before the last operation ended
 * @off: byte offset
 * @len: bytes; all of it on the card
 *
 * Pages that are not wholly inside stay.
 *
 * Return: what it costs, ns.
 */
u64 ftl_discard(struct ftl *ftl, u64 now, u64 off, u64 len)
{
	u32 n, block, in_block;
	u64 done, ns = 0;

	ftl->totals.discards++;
	ftl->totals.discarded_bytes += len;
	if (len)
		ftl_touch(ftl, off, len);
	ftl->last_super = U64_MAX;
	for (done = 0; done < len; done += n) {
		n = ftl_piece(ftl, off + done, len - done, &block, &in_block);
		ftl_blocks_discard(ftl, block, in_block, n);
		ns += ftl->cfg.discard_ns;
	}
	return ftl_done(ftl, now, ns);
}

/**
 * ftl_flush() - program what is in the write cache
 * @ftl: the card
 * @now: time, ns, not before the last operation ended
 *
 * Return: what it costs, ns.
 */
u64 ftl_flush(struct ftl *ftl, u64 now)
{
	u64 ns = ftl->cache_debt;

	ftl->totals.flushes++;
	ftl->cached = 0;
	ftl->cache_debt = 0;
	return ftl_done(ftl, now, ns);
}
