/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the inference share: geometry.c and geo_*.c.
 */
#ifndef FLASHBENCH_GEOMETRY_IMPL_H
#define FLASHBENCH_GEOMETRY_IMPL_H

#include "geo_read.h"
#include "geo_write.h"
#include "geometry.h"

#define GEO_MAX_BATCH	512	/* most operations asked for at once */
#define GEO_MAX_SAMPLES	512	/* most samples of a statistic */

/**
 * struct fb_geometry - an inference in progress
 * @probe: the card
 * @verdict: so far
 * @rng: state of the generator of positions and orders
 * @collections: slow writes seen
 * @budget: a budget has ended; nothing more is asked
 * @key: the first verdict of the part that is at work
 * @ask: the batch being made
 * @ns: its times
 * @nask: operations in it
 * @erase: working assumption of the erase block, bytes, for the parts that
 *	write, also if it is less than likely; 0: none
 * @runner_up: what the erase block might be instead, bytes; 0: nothing
 * @read: of the parts that read
 * @w: of the parts that write
 */
struct fb_geometry {
	struct fb_probe probe;
	struct fb_verdict verdict[FB_NR_VERDICTS];
	u64 rng;
	u32 collections;
	bool budget;
	u8 key;
	struct fb_ask ask[GEO_MAX_BATCH];
	u64 ns[GEO_MAX_BATCH];
	u32 nask;
	u64 erase;
	u64 runner_up;
	struct geo_read read;
	struct geo_writer w;
};

/* ---- geometry.c: the order of things, and what all of them use ---- */

u64 geo_random(struct fb_geometry *g);
u64 geo_below(struct fb_geometry *g, u64 n);
int geo_ask(struct fb_geometry *g);
void geo_say(struct fb_geometry *g, enum fb_verdict_key key, u64 number,
	     u32 confidence, enum fb_basis basis, const char *fmt, ...)
	__printf(6, 7);
void geo_say_text(struct fb_geometry *g, enum fb_verdict_key key,
		  const char *value, u64 number, u32 confidence,
		  enum fb_basis basis, const char *fmt, ...) __printf(7, 8);
void geo_want(struct fb_geometry *g, enum fb_opcode opcode, u64 offset,
	      u32 length);
void geo_unknown(struct fb_geometry *g, enum fb_verdict_key key,
		 enum fb_basis basis, const char *fmt, ...) __printf(4, 5);

/* ---- geo_survey.c, geo_read.c, geo_page.c, geo_scan.c ---- */

int geo_survey(struct fb_geometry *g);
int geo_read_erase(struct fb_geometry *g);
int geo_read_pages(struct fb_geometry *g);
int geo_written(struct fb_geometry *g);

/* ---- geo_open.c, geo_check.c, geo_fat.c, geo_unit.c, geo_cache.c ---- */

int geo_open_blocks(struct fb_geometry *g);
int geo_check_erase(struct fb_geometry *g);
int geo_fat_touch(struct fb_geometry *g);
int geo_fat_blocks(struct fb_geometry *g);
int geo_fat_again(struct fb_geometry *g);
int geo_program_unit(struct fb_geometry *g);
int geo_write_cache(struct fb_geometry *g);

#endif
