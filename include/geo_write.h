/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the inference that write share: geo_stream.c, geo_watch.c,
 * geo_price.c, geo_open.c, geo_check.c, geo_fat.c, geo_unit.c and geo_cache.c.
 *
 * Their internal functions return 0, -EDQUOT when a budget has ended, -ENOSPC
 * when no fresh erase block is left in the range, or what geo_ask() returns.
 */
#ifndef FLASHBENCH_GEO_WRITE_H
#define FLASHBENCH_GEO_WRITE_H

#include "geometry.h"

#define GEO_MAX_STREAMS	64	/* most erase blocks written in turn */
#define GEO_ROUNDS	8	/* after which one more tells little */
#define GEO_RECENT	32	/* writes that say what fast is */
#define GEO_GRANULES	65536	/* pieces of the range, to note what is used */
#define GEO_SIZES	10	/* of writes */
#define GEO_SIZE_SAMPLES	48	/* of each of them */
#define GEO_NO_LIMIT	U32_MAX	/* of open erase blocks */

/**
 * enum geo_order - of the writes in an erase block
 * @GEO_LINEAR: from its start
 * @GEO_RANDOM: in large strides from its middle
 */
enum geo_order { GEO_LINEAR, GEO_RANDOM };

/**
 * enum geo_fit - can that many erase blocks be open at once?
 * @GEO_UNDECIDED: not known yet
 * @GEO_FITS: yes
 * @GEO_THRASHES: no
 */
enum geo_fit { GEO_UNDECIDED, GEO_FITS, GEO_THRASHES };

/**
 * enum geo_speed - of a write
 * @GEO_FAST: as most
 * @GEO_SLOW: not so
 * @GEO_COLLECTION: as slow as closing an erase block
 */
enum geo_speed { GEO_FAST, GEO_SLOW, GEO_COLLECTION };

/**
 * struct geo_stream - a sequence of writes, most often in one erase block
 * @base: where it begins, bytes from the start of the disk
 * @blocks: blocks from there that it writes
 * @first: the first one it writes
 * @stride: from one to the next, modulo @blocks
 * @limit: after so many writes it goes to a fresh erase block; 0: never
 * @done: writes since it came here
 */
struct geo_stream {
	u64 base;
	u32 blocks;
	u32 first;
	u32 stride;
	u32 limit;
	u32 done;
};

/**
 * struct geo_set - streams written in turn
 * @stream: they
 * @n: how many
 * @next: whose turn it is
 * @order: of the writes in each
 * @unit: assumed erase block, bytes
 * @room: used of it, bytes
 * @block: of one write, bytes
 * @plain: not even the write cache is flushed
 * @stays: streams in order begin anew where they are instead of going elsewhere
 */
struct geo_set {
	struct geo_stream stream[GEO_MAX_STREAMS];
	u32 n;
	u32 next;
	enum geo_order order;
	u64 unit;
	u64 room;
	u32 block;
	bool plain;
	bool stays;
};

/**
 * struct geo_watch - slow writes among those of @n streams
 * @n: streams
 * @patient: it is known that not always the same erase block is closed; how
 *	much may depend on it, 0 to 2
 * @kept: most of them were open before
 * @usual_pm: so many writes may be slow without a reason, per mille
 * @writes: that count
 * @collections: among their writes
 * @clean: writes since the last one, that count
 * @slow: there has been a slow one
 * @since: writes since the last one
 * @gap: distance of the last two slow ones
 * @same: so many distances in a row were equal
 */
struct geo_watch {
	u32 n;
	u32 patient;
	bool kept;
	u32 usual_pm;
	u32 writes;
	u32 collections;
	u32 clean;
	bool slow;
	u32 since;
	u32 gap;
	u32 same;
};

/**
 * struct geo_walk - places, far apart one after another
 * @align: they are multiples of it, bytes
 * @size: of what is wanted there, bytes
 * @first: the first place, bytes from the start of the disk
 * @n: how many there are
 * @step: from one to the next, modulo @n, coprime to it
 * @at: where it is
 * @left: not visited yet
 * @behind: the places are so much behind the multiples, bytes
 */
struct geo_walk {
	u64 align;
	u64 size;
	u64 first;
	u64 n;
	u64 step;
	u64 at;
	u64 left;
	u64 behind;
};

/**
 * struct geo_limit - of erase blocks open at once, in one order
 * @known: it is
 * @number: they; GEO_NO_LIMIT
 * @confidence: per mille, if the erase block is what it is thought to be
 * @unit: that, bytes
 * @steps: corrections by the confirmation
 * @tried: most streams that were tried
 * @single: median time of a write of one stream, ns
 * @pair: of two
 * @level: of @tried ones, if all are fast
 * @jump: largest growth of the level by one more stream, per mille
 */
struct geo_limit {
	bool known;
	u32 number;
	u32 confidence;
	u64 unit;
	u32 steps;
	u32 tried;
	u64 single;
	u64 pair;
	u64 level;
	u64 jump;
};

/**
 * struct geo_writer - what the parts that write remember
 * @ready: it is set up
 * @granule: bytes in a piece of the range
 * @used: pieces of the range that were written
 * @walk: where the next fresh erase block is
 * @again: places that may be written to once more
 * @set: the streams
 * @watch: their slow writes
 * @recent: times of the last fast writes
 * @nrecent: how many there have been
 * @slow: times of the last slow writes
 * @nslow: how many there have been
 * @closing: what it takes to close an erase block, ns; 0: not known yet
 * @counts: mask of the writes of the last turn that may be judged
 * @few: writes of few streams that fit
 * @few_slow: what looked like collections among them
 * @stray: collections among the writes of sets of streams that fit
 * @linear: limit of erase blocks filled in order
 * @random: out of order
 * @sporadic: it is not always the same erase block that is closed
 * @checked: writes agree on the erase block
 * @guessed: the size of the erase block was not known to the limits
 * @pressed: collections there had been when the limit in order was found
 * @pair: median time of a write of two streams before that, ns; 0: not known
 * @fat_touched: erase block whose candidates were written to before that
 * @fat_before: collections there had been then
 * @fat_erase: erase block for which FAT blocks were looked for; 0: not yet
 * @a: samples
 * @b: samples
 * @size: of writes, bytes
 * @samples: how many there are of each size
 * @time: they, ns
 */
struct geo_writer {
	bool ready;
	u64 granule;
	u64 used[GEO_GRANULES / 64];
	struct geo_walk walk;
	struct geo_walk again;
	struct geo_set set;
	struct geo_watch watch;
	u64 recent[GEO_RECENT];
	u32 nrecent;
	u64 slow[GEO_RECENT];
	u32 nslow;
	u64 closing;
	u64 counts;
	u32 few;
	u32 few_slow;
	u32 stray;
	struct geo_limit linear;
	struct geo_limit random;
	bool sporadic;
	bool checked;
	bool guessed;
	u32 pressed;
	u32 fat_before;
	u64 pair;
	u64 fat_touched;
	u64 fat_erase;
	s64 a[64];
	s64 b[64];
	u32 size[GEO_SIZES];
	u32 samples[GEO_SIZES];
	s64 time[GEO_SIZES][GEO_SIZE_SAMPLES];
};

/* ---- geo_stream.c ---- */

void geo_walk_start(struct geo_walk *walk, u64 start, u64 end, u64 align,
		    u64 size, u64 erase, u64 random);
bool geo_walk_next(struct geo_walk *walk, bool exact, u64 *base);
int geo_has_data(struct fb_geometry *g, u64 base, u64 size, bool *data);
int geo_fresh(struct fb_geometry *g, u64 align, u64 size, bool exact,
	      u64 *base);
bool geo_take(struct fb_geometry *g, u64 base, u64 size);
bool geo_set_is_near(const struct fb_geometry *g, u64 base, u64 unit);
void geo_set_start(struct fb_geometry *g, enum geo_order order, u64 unit,
		   u32 block);
int geo_set_add(struct fb_geometry *g);
void geo_set_shuffle(struct fb_geometry *g, u32 n);
void geo_set_add_at(struct fb_geometry *g, u64 base, u32 blocks);
int geo_turn(struct fb_geometry *g, u32 n);
int geo_set_rest(struct fb_geometry *g);
u32 geo_write_block(const struct fb_geometry *g, u64 unit);
bool geo_wants(const struct fb_geometry *g, enum fb_verdict_key key);
void geo_no(struct fb_geometry *g, enum fb_verdict_key key, int err);

/* ---- geo_watch.c ---- */

void geo_closing(struct fb_geometry *g);
u64 geo_whole(const struct fb_geometry *g);
void geo_usual(struct fb_geometry *g, u64 ns);
u64 geo_unlimited(const struct fb_geometry *g);
enum geo_speed geo_speed_of(struct fb_geometry *g, u64 ns);
enum geo_fit geo_watch_add(struct geo_watch *w, enum geo_speed speed);
int geo_passes(struct fb_geometry *g, enum geo_fit *fit);
u64 geo_recent(const struct fb_geometry *g, u32 most);

/* ---- geo_price.c ---- */

int geo_level(struct fb_geometry *g, u32 n, u32 writes, u64 *ns);
int geo_is_price(struct fb_geometry *g, u64 fast, u64 more, bool *price);

/* ---- geo_open.c ---- */

int geo_open_again(struct fb_geometry *g, u64 unit);
void geo_say_open(struct fb_geometry *g);

#endif
