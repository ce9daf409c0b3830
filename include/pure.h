/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pure part of flashbench: integers and strings only.
 *
 * The files behind this header (text.c, stats.c, rank.c, order.c, params.c,
 * plan.c, warn.c, tests.c, the tests' own files, geometry.c and geo_*.c) know no
 * kernel service beyond types, 64-bit division, string helpers and sort(). They
 * compile unchanged in user space, where tools/include/shim.h gives them the few
 * names they need, and are tested and fuzzed there.
 */
#ifndef FLASHBENCH_PURE_H
#define FLASHBENCH_PURE_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#else
#include "shim.h"
#endif

#define FB_REASON_LEN	256	/* longest reason, with its NUL */
#define FB_LINE_LEN	512	/* longest run line, with its NUL */
#define FB_TEXT_LEN	24	/* longest formatted size, time or rate */
#define FB_MAX_LEN	(64u << 20)	/* longest operation, bytes */
#define FB_MAX_COLUMNS	64	/* most columns of a classic table */
#define FB_ROW_LEN	1024	/* longest line of a table, with its NUL */
#define FB_MAX_OPS	(4u << 20)	/* most operations in a run */
#define FB_MAX_LINE_POINTS	18	/* most sizes of an interval run */

/* ---- text.c: sizes, times and rates, to and from text ---- */

int fb_parse_u64(const char *s, u64 *val);
int fb_parse_size(const char *s, u64 *val);
int fb_parse_range(const char *s, u64 *start, u64 *len);
bool fb_same_name(const char *a, const char *b);
int fb_format_size(char *buf, size_t size, u64 bytes);
int fb_format_time(char *buf, size_t size, s64 ns);
int fb_format_rate(char *buf, size_t size, u64 bytes_per_s);

/* ---- stats.c: order statistics of latencies ---- */

/**
 * struct fb_stat - what is known of one point
 * @n: valid samples
 * @errors: failed ones; they are in nothing else here
 * @planned: samples the schedule had for this point
 * @positions: different places they were taken at
 * @min: nanoseconds, like all that follow
 * @median: the mean of the two middle ones, rounded down, if @n is even
 * @mean: rounded down
 * @p99: nearest rank: the smallest value not below 99 % of the samples
 * @max: the largest
 * @spread: median absolute deviation from the median
 * @classic: mean over positions of the minimum over repetitions, which is
 *	what the old command printed
 * @quickest: of all repetitions, together for all positions; 0 if there is one
 *	only
 * @slowest: the same, the slowest
 */
struct fb_stat {
	u32 n;
	u32 errors;
	u32 planned;
	u32 positions;
	u64 min;
	u64 median;
	u64 mean;
	u64 p99;
	u64 max;
	u64 spread;
	u64 classic;
	u64 quickest;
	u64 slowest;
};

/**
 * fb_stat_complete() - may this point be printed?
 * @st: the point
 *
 * Return: true if every planned sample was taken and is valid.
 */
static inline bool fb_stat_complete(const struct fb_stat *st)
{
	return st->n && st->n == st->planned && !st->errors;
}

u64 fb_median(u64 *v, size_t n);
u64 fb_mad(u64 *v, size_t n, u64 median);
void fb_stat_fill(struct fb_stat *st, u64 *v, size_t n);
u64 fb_rate(u64 bytes, u64 ns);

/**
 * struct fb_fit - a line through (size, time)
 * @fixed_ns: time at size 0; may be negative
 * @rate: bytes per second; 0 if time does not grow with size
 */
struct fb_fit {
	s64 fixed_ns;
	u64 rate;
};

int fb_fit_line(const u64 *bytes, const u64 *ns, size_t n, struct fb_fit *fit);

/* ---- rank.c: larger or not, and by how much, from the order alone ---- */

/**
 * struct fb_sign - a sequential sign test
 * @balance: samples above the limit less those that are not
 * @n: samples
 */
struct fb_sign {
	int balance;
	u32 n;
};

s64 fb_median_s64(s64 *v, size_t n);
s64 fb_rank_z100(s64 *a, size_t n, s64 *b, size_t m);
s64 fb_shift(s64 *a, size_t n, s64 *b, size_t m, u32 z100, s64 *low,
	     s64 *high);
void fb_sign_add(struct fb_sign *sign, bool above);
bool fb_sign_done(const struct fb_sign *sign);
int fb_sign_result(const struct fb_sign *sign);

/* ---- order.c: reproducible orders ---- */

u64 fb_hash(u64 x);
u64 fb_permute(u64 n, u64 key, u64 i);
void fb_fill_random(void *buf, size_t len, u64 seed);

/* ---- params.c: the run line ---- */

enum fb_key {
	FB_KEY_BLOCKSIZE,
	FB_KEY_COUNT,
	FB_KEY_OFFSET,
	FB_KEY_OPEN_AU_NR,
	FB_KEY_FAT_NR,
	FB_KEY_ERASESIZE,
	FB_KEY_RANDOM,
	FB_KEY_SCATTER_ORDER,
	FB_KEY_SCATTER_SPAN,
	FB_KEY_INTERVAL_ORDER,
	FB_KEY_OLD_SCHEDULE,
	FB_KEY_ONLY,
	FB_KEY_MAX_COLLECTIONS,
	FB_KEY_SCAN,
	FB_KEY_PATTERN,
	FB_KEY_FUA,
	FB_KEY_FLUSH,
	FB_KEY_NOCLOSE,
	FB_KEY_DISCARD,
	FB_KEY_SEED,
	FB_KEY_MAX_TIME,
	FB_KEY_MAX_WRITE,
	FB_KEY_DIAG,
	FB_KEY_DRYRUN,
	FB_NR_KEYS
};

enum fb_pattern { FB_PATTERN_RANDOM, FB_PATTERN_ZERO, FB_PATTERN_ONE };

/* FB_KEY_OFFSET when the test is to choose */
#define FB_OFFSET_AUTO	(~0ULL)

struct fb_test;

/**
 * struct fb_params - a parsed run line
 * @test: which test
 * @val: the value of every key: as given, or the test's default
 */
struct fb_params {
	const struct fb_test *test;
	u64 val[FB_NR_KEYS];
};

int fb_params_parse(const char *line, struct fb_params *p, char *reason);
int fb_params_text(const struct fb_params *p, char *buf, size_t size);
int fb_test_describe(const struct fb_test *t, char *buf, size_t size);

/* ---- plan.c: a schedule, made before its first I/O ---- */

enum fb_opcode { FB_READ, FB_WRITE, FB_DISCARD, FB_FLUSH };

static inline bool fb_opcode_writes(enum fb_opcode opcode)
{
	return opcode == FB_WRITE || opcode == FB_DISCARD;
}

const char *fb_opcode_name(enum fb_opcode opcode);

/**
 * struct fb_op - one operation of a schedule
 * @offset: bytes from the start of the target
 * @length: bytes; 0 for a flush
 * @point: index of the point it is a sample of, if @timed
 * @pos: position within the point
 * @opcode: what to do
 * @timed: it is a sample; else it wakes the device or closes an erase block
 * @fua: forced unit access
 */
struct fb_op {
	u64 offset;
	u32 length;
	u32 point;
	u32 pos;
	enum fb_opcode opcode;
	bool timed;
	bool fua;
};

/**
 * struct fb_geo - what a schedule must know of the target
 * @disk_start: of the target on its disk, bytes; boundaries count from the
 *	start of the disk
 * @range_start: first byte that may be touched, from the start of the target
 * @range_len: how many may be
 * @logical_block: bytes
 * @max_discard: longest discard, bytes; 0 if there is none
 * @discard_granularity: bytes
 * @write_cache: there is something to flush
 * @armed: it may be written
 * @preserve: every write is preceded by a read of the same place
 */
struct fb_geo {
	u64 disk_start;
	u64 range_start;
	u64 range_len;
	u32 logical_block;
	u32 max_discard;
	u32 discard_granularity;
	bool write_cache;
	bool armed;
	bool preserve;
};

/**
 * struct fb_ledger - I/O planned or done, all of it
 * @ios: operations: timed ones, wake-ups, closing, reads that preserve
 * @read_bytes: bytes
 * @written_bytes: bytes
 * @discarded_bytes: bytes
 */
struct fb_ledger {
	u64 ios;
	u64 read_bytes;
	u64 written_bytes;
	u64 discarded_bytes;
};

void fb_ledger_add(struct fb_ledger *l, enum fb_opcode opcode, u64 length);
void fb_ledger_sum(struct fb_ledger *sum, const struct fb_ledger *a,
		   const struct fb_ledger *b);

u64 fb_round_up(u64 x, u64 multiple);
u64 fb_modulo(u64 x, u64 divisor);

/**
 * struct fb_guard - what blkio may do at this moment
 * @armed: the session may write
 * @read_only: the device must not be written
 * @start: first byte of the range
 * @len: bytes in it
 * @logical_block: bytes
 */
struct fb_guard {
	bool armed;
	bool read_only;
	u64 start;
	u64 len;
	u32 logical_block;
};

struct fb_plan;

u64 fb_erase_cycles(const struct fb_plan *plan, const struct fb_ledger *l);
int fb_guard_check(const struct fb_guard *g, const struct fb_op *op);

#define FB_MAX_ROWS	192	/* most groups of a plan: 3 * log2 of any size */

/**
 * struct fb_plan - the schedule of one run
 * @params: the resolved parameters
 * @geo: the target
 * @ngroups: groups of operations. A group is finished even if one of its
 *	operations fails; a table row is never half measured
 * @npoints: points, numbered from 0 in the order of the .tsv file
 * @nlines: lines of the classic table
 * @group_points: points in a group; if every timed write is followed by a
 *	timed flush, the second half of them is the flushes
 * @total: what the whole schedule costs
 * @nsamples: timed operations in it
 * @max_len: longest operation, bytes
 * @rows: sizes in bytes, where the test has one for each group
 * @limit: erase blocks that can be open, as found for open-au-nr=auto; a first
 *	guess until then
 * @start: first byte the test uses, from the start of the target
 * @stride: bytes between old positions, for the odd factors 1, 3 and 9
 */
struct fb_plan {
	struct fb_params params;
	struct fb_geo geo;
	u32 ngroups;
	u32 npoints;
	u32 nlines;
	u32 group_points;
	struct fb_ledger total;
	u64 nsamples;
	u64 max_len;
	u64 rows[FB_MAX_ROWS];
	u64 limit;
	u64 start;
	u64 stride[3];
};

/* FB_KEY_OPEN_AU_NR when the run is to find out */
#define FB_AU_AUTO	0
#define FB_AU_DEFAULT	2	/* as the old command had it */

bool fb_plan_auto(const struct fb_plan *plan);
int fb_plan_set_limit(struct fb_plan *plan, u64 limit, char *reason);
bool fb_plan_flushes(const struct fb_plan *plan);
bool fb_plan_split_flush(const struct fb_plan *plan, u64 *index);
void fb_op_timed(const struct fb_plan *plan, bool flush, u32 point, u32 pos,
		 struct fb_op *op);
void fb_op_wake(const struct fb_plan *plan, struct fb_op *op);
void fb_op_close(const struct fb_plan *plan, u64 offset, u64 length,
		 struct fb_op *op);
int fb_plan_check(struct fb_plan *plan, const struct fb_params *p,
		  const struct fb_geo *geo, char *reason);
int fb_plan_fit(struct fb_plan *plan, char *reason);

/**
 * struct fb_cursor - a place in a schedule
 * @group: group
 * @started: the group has been entered
 * @index: next operation within the group
 * @left: operations left in the group
 */
struct fb_cursor {
	u32 group;
	bool started;
	u64 index;
	u64 left;
};

enum fb_opcode fb_plan_opcode(const struct fb_plan *plan, u32 point);
void fb_stat_time(const struct fb_stat *st, char *buf, size_t size);
void fb_stat_rate(const struct fb_stat *st, u64 bytes, char *buf,
		  size_t size);
void fb_plan_points(const struct fb_plan *plan, struct fb_stat *st);
void fb_cursor_init(struct fb_cursor *c);
bool fb_cursor_next(const struct fb_plan *plan, struct fb_cursor *c,
		    struct fb_op *op);

/* ---- tests.c: the table of tests ---- */

/**
 * struct fb_test - one test
 * @name: as in the run line and in results/
 * @summary: what it does, one line
 * @columns: tab separated names of the coordinates of its points
 * @offset: what FB_KEY_OFFSET is by default, in words
 * @keys: which keys it takes, a mask of BIT(enum fb_key)
 * @count: default of FB_KEY_COUNT
 * @erasesize_optional: FB_KEY_ERASESIZE defaults to 0, "not known"
 * @writes: it writes to the device
 * @adaptive: there is no schedule, what it does depends on what it sees: all
 *	but @setup and @fit are NULL
 * @setup: check against the target, resolve FB_KEY_OFFSET, lay out groups,
 *	points and lines: 0 or -EINVAL with a reason
 * @fit: 0, or -ENOSPC with a reason that says what would fit
 * @group_ops: number of operations in a group
 * @op: operation @index of a group
 * @line: line @line of the classic table into @buf, without newline; returns
 *	its length, 0 to leave the line out
 * @coords: the coordinates of a point, tab separated
 * @warn: what the points say against the parameters, as lines by fb_warn_add();
 *	returns their length. May be NULL
 */
struct fb_test {
	const char *name;
	const char *summary;
	const char *columns;
	const char *offset;
	u32 keys;
	u32 count;
	bool erasesize_optional;
	bool writes;
	bool adaptive;
	int (*setup)(struct fb_plan *plan, char *reason);
	int (*fit)(struct fb_plan *plan, char *reason);
	u64 (*group_ops)(const struct fb_plan *plan, u32 group);
	void (*op)(const struct fb_plan *plan, u32 group, u64 index,
		   struct fb_op *op);
	int (*line)(const struct fb_plan *plan, u32 line,
		    const struct fb_stat *st, char *buf, size_t size);
	int (*coords)(const struct fb_plan *plan, u32 point, char *buf,
		      size_t size);
	int (*warn)(const struct fb_plan *plan, const struct fb_stat *st,
		    char *buf, size_t size);
};

#define FB_KEYS_COMMON	(BIT(FB_KEY_BLOCKSIZE) | BIT(FB_KEY_COUNT) | \
			 BIT(FB_KEY_OFFSET) | BIT(FB_KEY_SEED) | \
			 BIT(FB_KEY_MAX_TIME) | BIT(FB_KEY_MAX_WRITE) | \
			 BIT(FB_KEY_DIAG) | BIT(FB_KEY_DRYRUN))
#define FB_KEYS_WRITE	(BIT(FB_KEY_PATTERN) | BIT(FB_KEY_FUA) | \
			 BIT(FB_KEY_FLUSH) | BIT(FB_KEY_NOCLOSE) | \
			 BIT(FB_KEY_DISCARD))

extern const struct fb_test *const fb_tests[];
extern const unsigned int fb_nr_tests;

extern const struct fb_test fb_test_align;
extern const struct fb_test fb_test_align_write;
extern const struct fb_test fb_test_open_au;
extern const struct fb_test fb_test_find_fat;
extern const struct fb_test fb_test_scatter;
extern const struct fb_test fb_test_interval;
extern const struct fb_test fb_test_geometry;

const struct fb_test *fb_test_find(const char *name);

/* ---- warn.c: what a run says against its parameters ---- */

int fb_warn_add(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
int fb_warn(const struct fb_plan *plan, const struct fb_stat *st, char *buf,
	    size_t size);

#endif
