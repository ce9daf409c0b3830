/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The description of a simulated card: "KEY=VALUE KEY=VALUE ...". Pure.
 */
#ifndef FLASHSIM_CONFIG_H
#define FLASHSIM_CONFIG_H

#include "faults.h"
#include "ftl.h"

#define FSIM_REASON_LEN	128	/* longest reason, with its NUL */

enum fsim_type { FSIM_SD, FSIM_SDSC, FSIM_SDHC, FSIM_MMC };

/**
 * struct fsim_reg - a register given in hexadecimal
 * @byte: as it goes over the bus, most significant byte first
 * @len: bytes given; 0: flashsim makes one up
 */
struct fsim_reg {
	u8 byte[64];
	u32 len;
};

/**
 * struct fsim_config - a card and the slot it is in
 * @ftl: what is behind the card's interface
 * @faults: what goes wrong
 * @type: enum fsim_type; FSIM_SD: standard or high capacity by its size
 * @cid: card identification
 * @csd: card-specific data
 * @scr: SD configuration
 * @ssr: SD status
 * @au: allocation unit the SD status claims, bytes; 0: as @ftl.erase if the
 *	code knows that size, else not stated
 * @ro: the write protect switch is on
 * @highspeed: the card knows high speed
 * @cmd_ns: a command without data, and what each command of a transfer adds
 * @cmd23: the card knows CMD23, and an SD card says so
 * @cmd23_ns: more for a write that CMD23 announces
 * @cmd23_broken: the card says it knows CMD23, but does not answer to it
 * @max_cmd_blocks: a command for more sectors fails; 0: none does
 * @boot: size of each of two boot partitions of an eMMC, bytes
 * @rel_sectors: REL_WR_SEC_C of an eMMC
 * @erase_group: high-capacity erase group of an eMMC, bytes
 * @max_blk_count: host: most sectors in a command
 * @max_segs: host: most segments in a command
 * @max_seg_size: host: longest segment, bytes
 * @max_req_size: host: longest command, bytes
 * @clock: host: highest clock, Hz
 * @bus_width: host: 1, 4 or 8 data lines
 * @host_cmd23: host: sends CMD23
 * @wait_busy: host: waits itself until the card is not busy any more; else
 *	the driver polls
 * @bus_timing: transfers take the time clock and width make them take
 */
struct fsim_config {
	struct ftl_config ftl;
	struct fsim_faults faults;
	u32 type;
	struct fsim_reg cid;
	struct fsim_reg csd;
	struct fsim_reg scr;
	struct fsim_reg ssr;
	u64 au;
	u32 ro;
	u32 highspeed;
	u64 cmd_ns;
	u32 cmd23;
	u64 cmd23_ns;
	u32 cmd23_broken;
	u32 max_cmd_blocks;
	u64 boot;
	u32 rel_sectors;
	u64 erase_group;
	u32 max_blk_count;
	u32 max_segs;
	u32 max_seg_size;
	u32 max_req_size;
	u32 clock;
	u32 bus_width;
	u32 host_cmd23;
	u32 wait_busy;
	u32 bus_timing;
};

int fsim_config_parse(struct fsim_config *cfg, const char *text, char *reason);
int fsim_config_line(const struct fsim_config *cfg, unsigned int line,
		     char *buf, size_t size);

#endif
