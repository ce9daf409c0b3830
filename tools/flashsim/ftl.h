/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flash translation layer of a simulated card: geometry, state, and what
 * each operation costs. Pure: integers only, no kernel service beyond types,
 * 64-bit division and memory; the same code runs in user space.
 *
 * Documentation/flashsim.rst defines the model by example.
 */
#ifndef FLASHSIM_FTL_H
#define FLASHSIM_FTL_H

#include "types.h"

#define FTL_SECTOR	512u
#define FTL_MAX_OPEN	512u	/* most open erase blocks, FAT blocks included */
#define FTL_MAX_RANGES	8u	/* most ranges in one key */
#define FTL_MAX_PATTERN	16u	/* most places in a page pattern */
#define FTL_LOG_OPEN	256u	/* streams a log-structured card can tell apart */

enum ftl_replace { FTL_LRU, FTL_FIFO, FTL_RANDOM };
enum ftl_noise { FTL_NOISE_NONE, FTL_NOISE_UNIFORM, FTL_NOISE_LOGNORMAL };

/**
 * struct ftl_range - from @start, @len long; bytes or erase blocks
 * @start: first
 * @len: how many
 */
struct ftl_range {
	u64 start;
	u64 len;
};

/**
 * struct ftl_config - a card; times in ns, sizes in bytes, rates in bytes/s
 *
 * Geometry:
 * @size: capacity
 * @erase: erase block; a multiple of @page
 * @page: page, as reads see it
 * @planes: pages read or programmed in one go: @page * @planes is the
 *	multi-plane page
 * @program: program unit, as writes see it
 * @zone: a structure above the erase block (a mapping segment); 0: none
 * @shift: erase blocks begin at multiples of @erase plus this
 *
 * Reads:
 * @read_ns: of the first page, command included
 * @read_bps: what follows; 0: in no time
 * @cross_page_ns: for every page boundary that is read across
 * @cross_super_ns: more, if it is the boundary of a multi-plane page
 * @cross_erase_ns: more, if it is the boundary of an erase block
 * @cross_zone_ns: more, if it is the boundary of a zone
 * @first_super_ns: for the first page of a multi-plane page, like the next
 *	ones more (or less) than @read_ns
 * @last_super_ns: for its last page
 * @first_erase_ns: for the first page of an erase block
 * @last_erase_ns: for its last page
 * @slope_ns: grows linearly from 0 to this over the erase block
 * @pattern: by the index of the page in its multi-plane page
 * @npattern: how many of them
 * @scatter: of single pages, up to so many per mille of @read_ns
 * @lucky: one read in so many pays nothing for its place; 0: none
 * @unwritten_ns: of a read of pages without data; 0: as @read_ns
 * @buffer_ns: of a read in the multi-plane page that was read last; 0: as
 *	@read_ns
 * @map_size: what one piece of the mapping table covers; 0: no such cache
 * @map_slots: pieces kept in memory
 * @map_miss_ns: for loading one
 *
 * Writes:
 * @write_ns: of every command
 * @write_bps: what it writes
 * @switch_ns: when the erase block is not that of the write before
 * @pad_ns: when a write does not go on where the one before stopped, and that
 *	was inside a multi-plane page
 * @jump_ns: when a write to an open erase block does not go on where the last
 *	one to it stopped
 * @subpage_ns: for each program unit written in part
 * @unaligned: for crossing from one program unit into the next inside a
 *	multi-plane page with one of them written in part
 * @open: erase blocks open at once
 * @open_random: of these, how many may be filled out of order
 * @replace: which one goes
 * @gc: fixed cost of closing an erase block that is not full
 * @copy_bps: of the data copied then; 0: as @write_bps
 * @fat: erase blocks that are always open
 * @nfat: how many ranges
 * @log_gain: log-structured: growth of the cost of a write with the number
 *	of streams, per mille at infinity; 0: block mapped
 * @log_half: streams beyond the first at which half of that is reached
 * @log_ns: the growth is at most so much for each stream beyond the first;
 *	0: no such limit
 * @log_window: a stream is forgotten after so many bytes of other writes
 * @discard_ns: of every erase block discarded
 *
 * Memory:
 * @cache: volatile write cache; 0: none
 * @cache_bps: into it; 0: in no time
 * @slc: burst area in single-level mode; 0: none
 * @slc_bps: into it
 * @slc_drain_bps: how fast it becomes free again when nothing happens
 *
 * Disturbances:
 * @idle_ns: after so long a pause the card sleeps; 0: never
 * @wake_ns: what waking costs
 * @noise: distribution of a factor on all costs
 * @noise_pm: its size, per mille: half width or sigma
 * @outlier_ppm: probability of an outlier per command, parts per million
 * @outlier_pm: what it multiplies with, per mille
 * @seed: of all that is random
 *
 * State at the start:
 * @written: data is here; elsewhere nothing has been written
 * @nwritten: how many ranges
 */
struct ftl_config {
	u64 size;
	u32 erase;
	u32 page;
	u32 planes;
	u32 program;
	u32 shift;
	u64 zone;

	u64 read_ns;
	u64 read_bps;
	u64 cross_page_ns;
	u64 cross_super_ns;
	u64 cross_erase_ns;
	u64 cross_zone_ns;
	s64 first_super_ns;
	s64 last_super_ns;
	s64 first_erase_ns;
	s64 last_erase_ns;
	s64 slope_ns;
	s64 pattern[FTL_MAX_PATTERN];
	u32 npattern;
	u32 scatter;
	u32 lucky;
	u64 unwritten_ns;
	u64 buffer_ns;
	u64 map_size;
	u32 map_slots;
	u64 map_miss_ns;

	u64 write_ns;
	u64 write_bps;
	u64 switch_ns;
	u64 pad_ns;
	u64 jump_ns;
	u64 subpage_ns;
	u64 unaligned;
	u32 open;
	u32 open_random;
	u32 replace;
	u64 gc;
	u64 copy_bps;
	struct ftl_range fat[FTL_MAX_RANGES];
	u32 nfat;
	u32 log_gain;
	u32 log_half;
	u64 log_ns;
	u64 log_window;
	u64 discard_ns;

	u64 cache;
	u64 cache_bps;
	u64 slc;
	u64 slc_bps;
	u64 slc_drain_bps;

	u64 idle_ns;
	u64 wake_ns;
	u32 noise;
	u32 noise_pm;
	u32 outlier_ppm;
	u32 outlier_pm;
	u64 seed;

	struct ftl_range written[FTL_MAX_RANGES];
	u32 nwritten;
};

/**
 * struct ftl_open - an open erase block
 * @block: which one; FTL_NO_BLOCK: the slot is free
 * @next: where a write in order would go on, bytes from its start
 * @appended: bytes written since it was opened, in program units
 * @used: when it was written last: write commands; log-structured: bytes
 * @born: when it was opened, in write commands
 * @npages: pages written since it was opened
 * @random: written out of order
 * @fat: a FAT block, which is never evicted
 * @pages: bitmap of the pages written since it was opened
 */
struct ftl_open {
	u32 block;
	u32 next;
	u64 appended;
	u64 used;
	u64 born;
	u32 npages;
	bool random;
	bool fat;
	u64 *pages;
};

#define FTL_NO_BLOCK	U32_MAX

/* Log-structured, or block mapped? */
static inline bool ftl_is_log(const struct ftl_config *cfg)
{
	return cfg->log_gain != 0;
}

/**
 * struct ftl_totals - what the card saw and did, since the last reset
 * @reads: read commands
 * @writes: write commands
 * @discards: discards
 * @flushes: flushes of the cache
 * @read_bytes: bytes
 * @written_bytes: bytes
 * @discarded_bytes: bytes
 * @copied_bytes: valid data moved by collections
 * @programmed_bytes: written and copied data, in program units
 * @erases: erase blocks erased
 * @evictions: open erase blocks closed to make room for others
 * @switch_merges: blocks closed full and in order: nothing to copy
 * @partial_merges: closed in order, but not full
 * @full_merges: closed after writing out of order
 * @busy_ns: the sum of all costs
 * @last_ns: the cost of the last operation
 * @lowest: first byte written or discarded; U64_MAX: none
 * @highest: byte after the last one written or discarded
 */
struct ftl_totals {
	u64 reads;
	u64 writes;
	u64 discards;
	u64 flushes;
	u64 read_bytes;
	u64 written_bytes;
	u64 discarded_bytes;
	u64 copied_bytes;
	u64 programmed_bytes;
	u64 erases;
	u64 evictions;
	u64 switch_merges;
	u64 partial_merges;
	u64 full_merges;
	u64 busy_ns;
	u64 last_ns;
	u64 lowest;
	u64 highest;
};

#define FTL_MAP_SLOTS	16u	/* most pieces of the mapping table in memory */

/**
 * struct ftl - a card
 * @cfg: what it is
 * @super: multi-plane page, bytes
 * @block_pages: pages in an erase block
 * @words: of a bitmap of the pages of one erase block
 * @nblocks: erase blocks, the last one perhaps incomplete
 * @valid: bitmaps of the pages with data, @words for each block
 * @erased: how often each block was erased
 * @open: the slots
 * @nslots: how many there are
 * @nopen: ordinary ones in use
 * @nrandom: of these, filled out of order
 * @clock: counts write commands
 * @last_block: block of the last write
 * @last_end: where the last write ended
 * @last_super: multi-plane page of the last read; U64_MAX: none
 * @map: pieces of the mapping table in memory, the latest first
 * @cached: bytes in the write cache
 * @cache_debt: what programming them costs
 * @cache_off: the host has switched the write cache off
 * @slc_used: bytes in the burst area
 * @last_done: when the last operation ended
 * @rng: state of the generator
 * @totals: the truth
 */
struct ftl {
	struct ftl_config cfg;
	u32 super;
	u32 block_pages;
	u32 words;
	u32 nblocks;
	u64 *valid;
	u32 *erased;
	struct ftl_open *open;
	u32 nslots;
	u32 nopen;
	u32 nrandom;
	u64 clock;
	u32 last_block;
	u64 last_end;
	u64 last_super;
	u64 map[FTL_MAP_SLOTS];
	u64 cached;
	u64 cache_debt;
	bool cache_off;
	u64 slc_used;
	u64 last_done;
	u64 rng;
	struct ftl_totals totals;
};

void ftl_default(struct ftl_config *cfg);
int ftl_check(const struct ftl_config *cfg, const char **key,
	      const char **why);
struct ftl *ftl_create(const struct ftl_config *cfg);
void ftl_destroy(struct ftl *ftl);

u64 ftl_read(struct ftl *ftl, u64 now, u64 off, u64 len);
u64 ftl_write(struct ftl *ftl, u64 now, u64 off, u64 len);
u64 ftl_discard(struct ftl *ftl, u64 now, u64 off, u64 len);
u64 ftl_flush(struct ftl *ftl, u64 now);
void ftl_reset_totals(struct ftl *ftl);

u32 ftl_valid_pages(const struct ftl *ftl, u32 block);
u32 ftl_streams(const struct ftl *ftl);
bool ftl_is_fat(const struct ftl_config *cfg, u32 block);

/* ---- blocks.c: for ftl.c ---- */

void ftl_mark(struct ftl *ftl, u32 block, u32 in_block, u32 len, bool valid);
u64 ftl_blocks_write(struct ftl *ftl, u32 block, u32 in_block, u32 len);
void ftl_blocks_discard(struct ftl *ftl, u32 block, u32 in_block, u32 len);
u64 ftl_log_cost(const struct ftl *ftl, u64 ns);

/* ---- cost.c: for ftl.c ---- */

u64 ftl_muldiv(u64 a, u64 b, u64 c);
u64 ftl_transfer_ns(u64 bytes, u64 bps);
u64 ftl_random(struct ftl *ftl);
u32 ftl_random_below(struct ftl *ftl, u32 n);
u64 ftl_read_cost(struct ftl *ftl, u64 off, u64 len);
u64 ftl_wake_cost(const struct ftl *ftl, u64 now);
u64 ftl_disturb(struct ftl *ftl, u64 ns);
u32 ftl_block_of(const struct ftl *ftl, u64 off, u32 *in_block);

#endif
