/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flashbench: measure flash storage from inside the kernel.
 *
 * Kernel-side types and the calls between the files. What knows no kernel
 * service (text, statistics, orders, run lines, schedules) is in pure.h.
 */
#ifndef FLASHBENCH_H
#define FLASHBENCH_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "pure.h"

struct block_device;
struct seq_file;

#define FB_VERSION	"1.0"

/* ---- blkio.c: the device, and the only place that submits bios ---- */

/**
 * struct fb_limits - what the queue lets one bio be
 * @logical_block: smallest addressable unit, bytes
 * @max_bio_bytes: largest bio the block layer passes on in one piece when its
 *	buffer is physically contiguous; a multiple of @logical_block
 * @max_discard_bytes: largest discard in one bio; 0 if discard is unsupported
 * @discard_granularity: bytes; 0 if discard is unsupported
 * @write_cache: the queue says there is a volatile write cache
 */
struct fb_limits {
	u32 logical_block;
	u32 max_bio_bytes;
	u32 max_discard_bytes;
	u32 discard_granularity;
	bool write_cache;
};

struct fb_dev;
struct fb_io;

/**
 * struct fb_sample - one timed operation, as it happened
 * @offset: bytes from the start of the target
 * @submit_ns: when the first bio was submitted, CLOCK_MONOTONIC
 * @latency_ns: from @submit_ns to the completion handler of the last bio
 * @driver_ns: from the driver getting the first request to the completion of
 *	the last one; 0 if not known (see FB_KEY_DIAG)
 * @length: bytes
 * @point: index of the point this is a sample of
 * @pos: position within the point
 * @parts: number of bios it took
 * @opcode: enum fb_opcode
 * @split: a bio of it was split below us (limits changed, stacked device)
 * @status: 0 or a negative errno; a sample with an error enters no statistic
 */
struct fb_sample {
	u64 offset;
	u64 submit_ns;
	u64 latency_ns;
	u64 driver_ns;
	u32 length;
	u32 point;
	u32 pos;
	u16 parts;
	u8 opcode;
	bool split;
	int status;
};

/**
 * struct fb_io_config - what a run wants of blkio
 * @max_len: length of the longest operation, bytes
 * @pattern: enum fb_pattern, what written blocks contain (not with preserve)
 * @seed: of the random pattern
 * @preserve: read each place before writing it and write the same bytes back
 * @diag: attach to the block tracepoints and fill in fb_sample.driver_ns
 */
struct fb_io_config {
	u64 max_len;
	u64 seed;
	int pattern;
	bool preserve;
	bool diag;
};

int fb_dev_open(const char *name, struct fb_dev **devp);
void fb_dev_close(struct fb_dev *dev);
int fb_dev_claim(struct fb_dev *dev);
void fb_dev_unclaim(struct fb_dev *dev);
void fb_dev_arm(struct fb_dev *dev, bool armed);
void fb_dev_set_range(struct fb_dev *dev, u64 start, u64 len);
bool fb_dev_gone(struct fb_dev *dev);
bool fb_dev_read_only(struct fb_dev *dev);
struct block_device *fb_dev_bdev(struct fb_dev *dev);
u64 fb_dev_size(struct fb_dev *dev);
u64 fb_dev_disk_start(struct fb_dev *dev);
u64 fb_dev_disk_size(struct fb_dev *dev);
int fb_dev_openers(struct block_device *bdev);
void fb_dev_limits(struct fb_dev *dev, struct fb_limits *lim);

struct fb_io *fb_io_create(struct fb_dev *dev, const struct fb_io_config *cfg);
void fb_io_destroy(struct fb_io *io);
int fb_io_do(struct fb_io *io, const struct fb_op *op, struct fb_sample *s,
	     struct fb_ledger *ledger);
u64 fb_io_failed_sector(const struct fb_io *io);
enum fb_opcode fb_io_failed_opcode(const struct fb_io *io);

/* ---- diag.c: where an error was, and the driver's share of a latency ---- */

struct bio;

/**
 * struct fb_diag_ops - where blkio wants to hear of its requests
 * @owns: is this bio one of ours? Called in any context
 * @issued: the driver is given the request that begins with @bio
 * @completed: the request that begins with @bio has completed, or part of it
 * @failed: what is left of @bio begins with what has just failed
 */
struct fb_diag_ops {
	bool (*owns)(const struct bio *bio);
	void (*issued)(struct bio *bio, u64 now_ns);
	void (*completed)(struct bio *bio, u64 now_ns);
	void (*failed)(struct bio *bio);
};

int fb_diag_attach(const struct fb_diag_ops *ops, bool times);
void fb_diag_detach(void);

/* ---- card.c: what the device says of itself ---- */

void fb_info_show(struct seq_file *m, struct block_device *bdev,
		  const struct fb_limits *lim);
void fb_card_identity(struct block_device *bdev, char *buf, size_t size);
void fb_card_claims(struct block_device *bdev, char *buf, size_t size);
void fb_limits_text(struct block_device *bdev, const struct fb_limits *lim,
		    char *buf, size_t size);

/* ---- mmc.c: what an SD or MMC card claims in its registers ---- */

struct mmc_card;

struct mmc_card *fb_mmc_get(struct block_device *bdev);
void fb_mmc_put(struct mmc_card *card);
void fb_mmc_show(struct seq_file *m, const struct mmc_card *card);
u64 fb_mmc_erase_claim(const struct mmc_card *card);
void fb_mmc_identity(const struct mmc_card *card, char *buf, size_t size);

/* ---- result.c: a finished run ---- */

/**
 * struct fb_result - what a run measured; immutable once published
 * @ref: readers keep the one they opened
 * @plan: the schedule it followed
 * @header: the '#' lines, newline-terminated
 * @stats: one for each point
 * @verdicts: what an inference found, lines; else NULL
 * @samples: the timed operations, in order
 * @nsamples: how many there are
 * @room: for how many there is memory
 * @burst: the most reads in a row that were late
 * @start_ns: CLOCK_MONOTONIC when the run began; samples are shown relative
 *	to it
 */
struct fb_result {
	struct kref ref;
	struct fb_plan plan;
	char *header;
	struct fb_stat *stats;
	char *verdicts;
	struct fb_sample *samples;
	u64 nsamples;
	u64 room;
	u32 burst;
	u64 start_ns;
};

/**
 * enum fb_view - the ways to show a result
 * @FB_VIEW_TABLE: the classic table, for people
 * @FB_VIEW_TSV: a line for each point, exact, for programs
 * @FB_VIEW_SAMPLES: a line for each timed operation
 * @FB_NR_VIEWS: how many there are
 */
enum fb_view { FB_VIEW_TABLE, FB_VIEW_TSV, FB_VIEW_SAMPLES, FB_NR_VIEWS };

/**
 * struct fb_reader - one open result file
 * @res: what was the latest result when it was opened; NULL if there was none
 * @view: how to show it
 */
struct fb_reader {
	struct fb_result *res;
	enum fb_view view;
};

extern const struct seq_operations fb_result_seq_ops;

struct fb_result *fb_result_alloc(const struct fb_plan *plan);
struct fb_sample *fb_result_more(struct fb_result *res);
int fb_result_finish(struct fb_result *res);
struct fb_result *fb_result_get(struct fb_result *res);
void fb_result_put(struct fb_result *res);

/* ---- run.c: carrying out a plan ---- */

/**
 * enum fb_write_mode - what the session may write
 * @FB_MODE_OFF: nothing
 * @FB_MODE_PRESERVE: what is there already
 * @FB_MODE_DESTROY: anything
 * @FB_NR_MODES: how many there are
 */
enum fb_write_mode {
	FB_MODE_OFF,
	FB_MODE_PRESERVE,
	FB_MODE_DESTROY,
	FB_NR_MODES
};

/**
 * struct fb_progress - how far a run has come
 * @done: I/O done
 * @total: I/O planned; of a run that plans as it goes, what it takes on average
 *	or what was done, whichever is more
 * @io_errors: failed operations
 * @elapsed_ns: since its start
 */
struct fb_progress {
	struct fb_ledger done;
	struct fb_ledger total;
	u64 io_errors;
	u64 elapsed_ns;
};

/**
 * struct fb_run - one run, from its line to its end
 * @ref: the session and the writer of the line each hold one
 * @plan: what it does
 * @dev: on what
 * @stop: set to end it before its next operation
 * @lock: guards @progress
 * @progress: as last published by the worker
 * @start_ns: CLOCK_MONOTONIC at its start
 * @finished: completed at its end
 * @res: what it measures; handed on at its end
 * @nwarnings: bios of it that were split below us
 * @found: what open-au-nr=auto rests on, a verdict; else empty
 * @collections: writes of an inference as slow as a collection
 * @error: how it ended: 0 or a negative errno. Valid when finished
 * @reason: why, or which budget ended it; empty if there is nothing to say
 */
struct fb_run {
	struct kref ref;
	struct fb_plan plan;
	struct fb_dev *dev;
	bool stop;
	spinlock_t lock;	/* guards progress */
	struct fb_progress progress;
	u64 start_ns;
	struct completion finished;
	struct fb_result *res;
	u64 nwarnings;
	char found[FB_REASON_LEN];
	u32 collections;
	int error;
	char reason[FB_REASON_LEN];
};

/**
 * struct fb_worker - what only the worker of a run needs
 * @run: the run
 * @io: the device's bios and buffers
 * @ledger: I/O done so far
 * @io_errors: operations that failed
 * @failed_group: the group that is finished although an operation of it failed
 */
struct fb_worker {
	struct fb_run *run;
	struct fb_io *io;
	struct fb_ledger ledger;
	u64 io_errors;
	u32 failed_group;
};

struct fb_run *fb_run_alloc(struct fb_dev *dev, const struct fb_plan *plan);
void fb_run_get(struct fb_run *run);
void fb_run_put(struct fb_run *run);
void fb_run_execute(struct fb_run *run);
void fb_run_progress(struct fb_run *run, struct fb_progress *p);
int fb_worker_ask(struct fb_worker *w, const struct fb_op *op,
		  struct fb_sample *s);

/* ---- infer.c: runs that find out what to do next ---- */

void fb_infer(struct fb_worker *w);
bool fb_infer_limit(struct fb_worker *w);

/* ---- session.c: the target and what is done with it ---- */

/**
 * enum fb_state - of a session
 * @FB_IDLE: nothing was run yet
 * @FB_RUNNING: a run is in progress
 * @FB_CANCELLING: a run has been asked to stop; shown as running
 * @FB_DONE: the latest run is complete, or ended by a budget of its own
 * @FB_FAILED: the latest run was refused or failed
 * @FB_CANCELLED: the latest run was cancelled
 * @FB_NR_STATES: how many there are
 */
enum fb_state {
	FB_IDLE,
	FB_RUNNING,
	FB_CANCELLING,
	FB_DONE,
	FB_FAILED,
	FB_CANCELLED,
	FB_NR_STATES
};

#define FB_MAX_TESTS	16	/* room for results */

/**
 * struct fb_session - all state of a target
 * @lock: guards all but @run's own progress; never held during I/O of a run
 * @wait: woken at every change of state
 * @state: see &enum fb_state
 * @changes: number of changes of state
 * @dev: the target; NULL if there is none
 * @range_start: first byte a run may touch, from the start of the target
 * @range_len: how many bytes
 * @mode: what may be written
 * @run: the run in progress or the latest one; NULL if the latest was refused
 * @results: the latest result of each test
 * @workqueue: where runs are carried out
 * @work: the run in progress
 * @line: the line of the latest run, resolved, or as given if refused
 * @reason: why the latest run or control write was refused or failed
 * @refusal: @reason is about a control file, not about a run
 */
struct fb_session {
	struct mutex lock;	/* guards all but a run's own progress */
	wait_queue_head_t wait;
	enum fb_state state;
	unsigned int changes;
	struct fb_dev *dev;
	u64 range_start;
	u64 range_len;
	enum fb_write_mode mode;
	struct fb_run *run;
	struct fb_result *results[FB_MAX_TESTS];
	struct workqueue_struct *workqueue;
	struct work_struct work;
	char line[FB_LINE_LEN];
	char reason[FB_REASON_LEN];
	bool refusal;
};

extern const char *const fb_mode_names[FB_NR_MODES];
extern const char *const fb_state_names[FB_NR_STATES];

int fb_session_init(struct fb_session *s);
void fb_session_exit(struct fb_session *s);
int fb_session_set_target(struct fb_session *s, const char *name);
int fb_session_set_range(struct fb_session *s, const char *text);
int fb_session_set_mode(struct fb_session *s, const char *text);
int fb_session_run(struct fb_session *s, const char *line, bool wait);
int fb_session_cancel(struct fb_session *s, bool wait);
struct fb_result *fb_session_result(struct fb_session *s, unsigned int test);

/* ---- status.c: the session as text ---- */

void fb_session_show_target(struct fb_session *s, struct seq_file *m);
void fb_session_show_range(struct fb_session *s, struct seq_file *m);
void fb_session_show_mode(struct fb_session *s, struct seq_file *m);
int fb_session_show_info(struct fb_session *s, struct seq_file *m);
unsigned int fb_session_show_status(struct fb_session *s, struct seq_file *m);

#endif
