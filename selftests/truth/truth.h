/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inference against simulated cards whose truth is known: what the files
 * of this test share.
 */
#ifndef FLASHBENCH_TRUTH_H
#define FLASHBENCH_TRUTH_H

#include "ftl.h"
#include "geometry.h"

#define KIB		1024ull
#define MIB		(1024 * KIB)
#define UNWRITTEN_AREA	(16 * MIB)	/* what is written or not as a whole */
#define FAULT_LEN	128

enum truth_mix { MIX_GENERAL, MIX_NOISY, MIX_PLAIN, NR_MIXES };

extern const char *const truth_mix_name[NR_MIXES];

/* ---- cards.c: random cards ---- */

/**
 * struct truth_card - a card, and the host it is in
 * @mix: what it was drawn from
 * @index: and which one of these it is
 * @seed: of it
 * @cfg: the card as flashsim knows it
 * @visible: reads across a boundary are dearer, or next to it
 * @unwritten_pm: areas that were never written, per mille
 * @left_open: erase blocks written to before the inference begins
 * @claims_cache: it says that it has a write cache
 * @claims_true: the erase block it claims is the right one
 * @overhead_ns: what the host adds to each operation
 * @jitter_ns: mean of an exponential delay
 * @outlier_ppm: operations that take longer, up to 100 times
 * @burst: one operation in so many begins a slow burst; 0: none
 * @drift_pm: slow change of all times, peak, per mille
 * @ahead_pm: a read that goes on where the last one stopped takes so many per
 *	mille; 0: no read-ahead
 * @spike: log-structured: one write in so many waits for cleaning; 0: none
 */
struct truth_card {
	enum truth_mix mix;
	u32 index;
	u64 seed;
	struct ftl_config cfg;
	bool visible;
	u32 unwritten_pm;
	u32 left_open;
	bool claims_cache;
	bool claims_true;
	u64 overhead_ns;
	u64 jitter_ns;
	u32 outlier_ppm;
	u32 burst;
	u32 drift_pm;
	u32 ahead_pm;
	u32 spike;
};

/**
 * struct truth_rng - a generator of random numbers
 * @state: start with any seed
 */
struct truth_rng {
	u64 state;
};

double truth_uniform(struct truth_rng *r);
double truth_between(struct truth_rng *r, double low, double high);
double truth_log(struct truth_rng *r, double low, double high);
bool truth_chance(struct truth_rng *r, double p);

void truth_card_make(struct truth_card *c, enum truth_mix mix, u32 index,
		     u64 seed);
void truth_card_print(const struct truth_card *c);

/* ---- model.c: a card that can be asked ---- */

/**
 * struct truth_cost - what an inference did to a card
 * @reads: asked for
 * @writes: asked for
 * @flushes: asked for, those behind a write included
 * @written: bytes
 * @evictions: collections the card made
 * @programmed: bytes the card programmed for it
 * @ns: model time
 */
struct truth_cost {
	u64 reads;
	u64 writes;
	u64 flushes;
	u64 written;
	u64 evictions;
	u64 programmed;
	u64 ns;
};

/**
 * struct truth_limits - what an inference may do
 * @start: first byte
 * @end: byte after the last one
 * @max_write: bytes; U64_MAX: as much as it likes
 * @max_ns: model time; U64_MAX: as long as it likes
 * @max_collections: as many
 * @writes: may write
 * @scan: look for odd periods, too
 */
struct truth_limits {
	u64 start;
	u64 end;
	u64 max_write;
	u64 max_ns;
	u32 max_collections;
	bool writes;
	bool scan;
};

/**
 * struct truth_model - a card in use
 * @card: what it is
 * @limits: what may be asked of it
 * @ftl: its state
 * @rng: of what the host adds
 * @now: model time, ns
 * @last_end: where the last read ended
 * @burst_left: operations left in a slow burst
 * @burst_pm: how slow
 * @quota: a budget has ended
 * @cost: so far
 * @fault: what was asked and must not be; empty: nothing
 * @claims: what the card says of itself
 * @trace: print all operations
 */
struct truth_model {
	const struct truth_card *card;
	struct truth_limits limits;
	struct ftl *ftl;
	struct truth_rng rng;
	u64 now;
	u64 last_end;
	u32 burst_left;
	u32 burst_pm;
	bool quota;
	struct truth_cost cost;
	char fault[FAULT_LEN];
	char claims[32];
	bool trace;
};

int truth_model_open(struct truth_model *m, const struct truth_card *c);
void truth_model_close(struct truth_model *m);
u64 truth_model_do(struct truth_model *m, const struct fb_ask *op);
int truth_model_infer(struct truth_model *m, struct fb_geometry *g, u32 keys);

/* ---- grade.c: what the right answers are ---- */

/**
 * enum truth_grade - of a verdict
 * @GRADE_NONE: was not asked for
 * @GRADE_RIGHT: it is so
 * @GRADE_UNKNOWN: could have been found
 * @GRADE_HIDDEN: unknown, and nothing of it shows
 * @GRADE_WRONG: it is not so
 */
enum truth_grade {
	GRADE_NONE,
	GRADE_RIGHT,
	GRADE_UNKNOWN,
	GRADE_HIDDEN,
	GRADE_WRONG,
	NR_GRADES
};

enum truth_grade truth_grade(const struct truth_card *c,
			     enum fb_verdict_key key,
			     const struct fb_verdict *v, bool writes);
void truth_text(const struct truth_card *c, enum fb_verdict_key key, char *buf,
		size_t size);

/* ---- oldtool.c: the old command, for comparison ---- */

/**
 * struct truth_old - what the old command makes of a card
 * @grade: of what it can tell
 * @align: cost of reading
 * @open: cost of finding the limit of open erase blocks
 */
struct truth_old {
	u8 grade[FB_NR_VERDICTS];
	struct truth_cost align;
	struct truth_cost open;
};

void truth_old_align(const struct truth_card *c, struct truth_old *r);
void truth_old_open(const struct truth_card *c, struct truth_old *r);

/* ---- report.c ---- */

/* The inference runs on each card three times, each time on a fresh one */
enum truth_run { RUN_READ, RUN_OPEN, RUN_ALL, NR_RUNS };

/**
 * struct truth_result - of one card
 * @done: it has been tried
 * @confidence: of each verdict, by run
 * @grade: of each verdict, by run
 * @cost: of each run
 * @collections: what the inference counted, by run
 * @old: the old command
 * @fault: what it did and must not do; empty: nothing
 */
struct truth_result {
	bool done;
	u16 confidence[NR_RUNS][FB_NR_VERDICTS];
	u8 grade[NR_RUNS][FB_NR_VERDICTS];
	struct truth_cost cost[NR_RUNS];
	u32 collections[NR_RUNS];
	struct truth_old old;
	char fault[FAULT_LEN];
};

void truth_report(enum truth_mix mix, u64 seed, const struct truth_result *r,
		  u32 n);
int truth_check(enum truth_mix mix, u64 seed, const struct truth_result *r,
		u32 n);
bool truth_ok(bool pass, const char *what, double got);
void truth_plan(void);

/* ---- budget.c ---- */

int truth_budgets(u64 seed);

/* ---- traps.c ---- */

int truth_traps(void);

#endif
