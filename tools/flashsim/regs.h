/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of a simulated card, as they go over the bus. Pure.
 */
#ifndef FLASHSIM_REGS_H
#define FLASHSIM_REGS_H

#include "config.h"

/**
 * struct fsim_regs - all a card says of itself; bytes in bus order
 * @cid: card identification
 * @csd: card-specific data
 * @scr: SD configuration
 * @ssr: SD status
 * @ext_csd: extended CSD of an eMMC
 * @mmc: an eMMC, not an SD card
 * @block_addr: addressed by sectors, not by bytes
 */
struct fsim_regs {
	u8 cid[16];
	u8 csd[16];
	u8 scr[8];
	u8 ssr[64];
	u8 ext_csd[512];
	bool mmc;
	bool block_addr;
};

int fsim_regs_make(struct fsim_regs *regs, const struct fsim_config *cfg,
		   char *reason);

#endif
