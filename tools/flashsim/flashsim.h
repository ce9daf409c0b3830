/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flashsim: an mmc_host with a simulated card in it. What its files share.
 */
#ifndef FLASHSIM_H
#define FLASHSIM_H

#include <linux/hrtimer.h>
#include <linux/mmc/host.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "config.h"
#include "regs.h"
#include "store.h"

struct dentry;

#define FSIM_PARTS	3	/* user area, two boot partitions */

/**
 * struct fsim_protocol - where the conversation with the card has got to
 *
 * Lost when the power goes.
 *
 * @state: R1_STATE_*
 * @rca: relative address
 * @app: the next command is an application command
 * @errors: R1 bits the next response will report
 * @written: sectors the last write command has written
 * @erase_from: first byte of the erase that is being announced
 * @erase_to: byte after its last one
 * @part: what data commands go to
 */
struct fsim_protocol {
	u32 state;
	u32 rca;
	bool app;
	u32 errors;
	u32 written;
	u64 erase_from;
	u64 erase_to;
	u32 part;
};

/**
 * struct fsim_host - a slot and the card that belongs to it
 * @mmc: what the MMC core knows of it
 * @cfg: as it was described
 * @dir: its directory in debugfs
 * @card: held while the card works; protects what follows
 * @regs: registers
 * @ftl: flash translation layer
 * @faults: what goes wrong
 * @store: content, by partition
 * @proto: protocol state
 * @dead: the card does not answer any more
 * @readonly: the write protect switch is on
 * @busy_until: the card is busy until then, CLOCK_MONOTONIC ns
 * @lock: protects what follows, also against the timer
 * @present: the card is in the slot
 * @mrq: the request under way
 * @armed: the timer will complete @mrq
 * @pull: the card goes when the timer expires
 * @leaving: the slot is being removed, nobody may ask for a look at it
 * @timer: completes @mrq
 */
struct fsim_host {
	struct mmc_host *mmc;
	struct fsim_config cfg;
	struct dentry *dir;

	struct mutex card;	/* the card works */
	struct fsim_regs regs;
	struct ftl *ftl;
	struct fsim_faults faults;
	struct fsim_store store[FSIM_PARTS];
	struct fsim_protocol proto;
	bool dead;
	bool readonly;
	u64 busy_until;

	spinlock_t lock;	/* the request, and who completes it */
	bool present;
	struct mmc_request *mrq;
	bool armed;
	bool pull;
	bool leaving;
	struct hrtimer timer;
};

/**
 * struct fsim_time - how long a request takes
 * @start: when the card begins with it, CLOCK_MONOTONIC ns
 * @host_ns: until the host is done with it
 * @busy_ns: until the card is; not less
 * @pull: the card is pulled when half of @host_ns is over
 */
struct fsim_time {
	u64 start;
	u64 host_ns;
	u64 busy_ns;
	bool pull;
};

typedef int (*fsim_command_fn)(struct fsim_host *h, struct mmc_command *cmd,
			       struct mmc_request *mrq, struct fsim_time *t);

/**
 * struct fsim_command - a command a card knows
 * @opcode: its number
 * @app: it is an application command
 * @states: mask of 1 << R1_STATE_* in which it is answered
 * @fn: executes it and fills in the response and @t. Returns 0, or a negative
 *	errno if there is no answer
 */
struct fsim_command {
	u8 opcode;
	bool app;
	u16 states;
	fsim_command_fn fn;
};

/* ---- card.c: what SD cards and eMMC have in common ---- */

extern const struct fsim_command fsim_common_commands[];
extern const size_t fsim_nr_common_commands;

void fsim_card_reset(struct fsim_host *h);
void fsim_card_request(struct fsim_host *h, struct mmc_request *mrq, u64 now,
		       struct fsim_time *t);
u32 fsim_status(struct fsim_host *h, u64 now);
void fsim_send_register(struct mmc_request *mrq, const u8 *reg, size_t len);
void fsim_respond_long(struct mmc_command *cmd, const u8 *reg);
int fsim_busy(struct fsim_host *h, u64 ns, struct fsim_time *t);
u64 fsim_address(const struct fsim_host *h, u32 arg);

/* ---- data.c: commands that move or forget data ---- */

int fsim_transfer(struct fsim_host *h, struct mmc_command *cmd,
		  struct mmc_request *mrq, struct fsim_time *t);
int fsim_erase(struct fsim_host *h, struct mmc_command *cmd,
	       struct mmc_request *mrq, struct fsim_time *t);

/* ---- sd.c, emmc.c: what they have not in common ---- */

extern const struct fsim_command fsim_sd_commands[];
extern const size_t fsim_nr_sd_commands;
extern const struct fsim_command fsim_mmc_commands[];
extern const size_t fsim_nr_mmc_commands;

void fsim_mmc_reset(struct fsim_host *h);

/* ---- host.c: the slot ---- */

struct fsim_host *fsim_host_create(struct device *parent, const char *text);
void fsim_host_destroy(struct fsim_host *h);
void fsim_host_insert(struct fsim_host *h);
void fsim_host_eject(struct fsim_host *h);

/* ---- debugfs.c ---- */

void fsim_debugfs_init(void);
void fsim_debugfs_exit(void);
void fsim_debugfs_add(struct fsim_host *h);
void fsim_debugfs_remove(struct fsim_host *h);

#endif
