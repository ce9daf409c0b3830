/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the inference that read share: geo_sample.c, geo_survey.c,
 * geo_read.c, geo_page.c, geo_scan.c.
 */
#ifndef FLASHBENCH_GEO_READ_H
#define FLASHBENCH_GEO_READ_H

#include "pure.h"

#define GEO_LEVELS	12	/* most levels of a chain */
#define GEO_DEPTH	128	/* most samples of a level */
#define GEO_TRIPLES	256	/* most triples in a batch */
#define GEO_SPOTS	64	/* places looked at for data */
#define GEO_SCAN	2048	/* most places of a scan */

struct fb_geometry;

/**
 * struct geo_spot - a place, and how fast it is
 * @at: bytes
 * @ns: the shortest time seen
 */
struct geo_spot {
	u64 at;
	u64 ns;
};

/**
 * struct geo_triple - three reads round one boundary
 * @at: the boundary, bytes
 * @tag: what the one who asked knows it by
 * @order: in which the three are read
 * @slow: one of them was read while all reads were slow
 * @ns: times of the reads before, on and after the boundary
 */
struct geo_triple {
	u64 at;
	u32 tag;
	u8 order[3];
	bool slow;
	u64 ns[3];
};

/* What is made of a triple */
enum geo_stat {
	GEO_D,		/* 2 * on - before - after */
	GEO_E,		/* 2 * (on - the larger one of before and after) */
	GEO_STATS
};

/**
 * struct geo_chain - samples at boundaries farther and farther apart
 * @levels: how many
 * @step: distance between the boundaries of each level, bytes: twice that of
 *	the level below
 * @n: samples of each level
 * @sample: them
 * @base: before + after, of each of them
 */
struct geo_chain {
	u32 levels;
	u64 step[GEO_LEVELS];
	u32 n[GEO_LEVELS];
	s64 sample[GEO_STATS][GEO_LEVELS][GEO_DEPTH];
	s64 base[GEO_LEVELS][GEO_DEPTH];
};

/**
 * struct geo_read - memory of the parts that read
 * @cut: a read faster than this met no data, ns; 0: not known
 * @usual: a read takes so long, ns; 0: not known
 * @surveyed: places looked at for data
 * @unwritten: of these, places without
 * @structure: a boundary of some kind was seen, so there is data
 * @shifted: boundaries are not at multiples of what is between them
 * @spot: the places
 * @ntriples: triples in the batch
 * @triple: the batch
 * @chain: what is being measured
 * @kept: what was measured before
 * @inside: levels of the chain below any step of the erase block
 * @pool: samples being compared; sorted in between
 * @rank: of the places of a scan
 */
struct geo_read {
	u64 cut;
	u64 usual;
	u32 surveyed;
	u32 unwritten;
	bool structure;
	bool shifted;
	struct geo_spot spot[GEO_SPOTS];
	u32 ntriples;
	struct geo_triple triple[GEO_TRIPLES];
	struct geo_chain chain;
	struct geo_chain kept;
	u32 inside;
	s64 pool[2][GEO_SCAN];
	u32 rank[GEO_SCAN];
};

/**
 * struct geo_trial - a sequential test
 * @step: at multiples of this, bytes
 * @stat: is this statistic
 * @limit: above this, ns?
 * @sign: the answer, zeroed before
 */
struct geo_trial {
	u64 step;
	enum geo_stat stat;
	s64 limit;
	struct fb_sign sign;
};

/* ---- geo_sample.c: places, triples, chains and tests ---- */

u32 geo_read_length(const struct fb_geometry *g);
u32 geo_places(const struct fb_geometry *g, u64 step, u32 most);
void geo_triple_at(struct fb_geometry *g, u64 at, u32 tag);
void geo_triple_near(struct fb_geometry *g, u64 step, u32 tag);
int geo_triples_read(struct fb_geometry *g);
bool geo_triple_valid(const struct fb_geometry *g, const struct geo_triple *t);
s64 geo_triple_stat(const struct geo_triple *t, enum geo_stat stat);
int geo_chain_fill(struct fb_geometry *g, u32 low, u32 high, u32 n);
u32 geo_chain_pool(struct fb_geometry *g, int which, enum geo_stat stat,
		   u32 low, u32 high);
s64 geo_chain_median(struct fb_geometry *g, enum geo_stat stat, u32 low,
		     u32 high);
s64 geo_chain_base(struct fb_geometry *g);
void geo_chain_start(struct fb_geometry *g, u64 first, u64 last, u32 places);
u32 geo_chain_below(struct fb_geometry *g, u64 first, u64 last, u32 places);
int geo_trials(struct fb_geometry *g, struct geo_trial *trial, u32 n);

/* ---- geo_scan.c: odd periods ---- */

int geo_scan(struct fb_geometry *g);

#endif
