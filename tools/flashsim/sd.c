// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only SD cards do: SD Physical Layer Simplified Specification 6.00,
 * chapter 4.
 */
#include <linux/kernel.h>
#include <linux/mmc/card.h>
#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>
#include <linux/mmc/sd.h>

#include "flashsim.h"

#define STATE(name)	(1 << R1_STATE_ ## name)
#define SD_VOLTAGES	0x00ff8000u	/* OCR: 2.7 to 3.6 V */
#define SD_OCR_READY	BIT(31)
#define SD_RCA		0x4567u

static int sd_send_if_cond(struct fsim_host *h, struct mmc_command *cmd,
			   struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = cmd->arg & 0xfff;
	return 0;
}

static int sd_app_cmd(struct fsim_host *h, struct mmc_command *cmd,
		      struct mmc_request *mrq, struct fsim_time *t)
{
	if (cmd->arg >> 16 != h->proto.rca)
		return -ETIMEDOUT;
	h->proto.app = true;
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int sd_send_op_cond(struct fsim_host *h, struct mmc_command *cmd,
			   struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = SD_VOLTAGES;
	if (!(cmd->arg & SD_VOLTAGES))
		return 0;
	/* a high-capacity card is never ready for a host that has not said so */
	if (h->regs.block_addr && !(cmd->arg & SD_OCR_CCS))
		return 0;
	cmd->resp[0] |= SD_OCR_READY;
	if (h->regs.block_addr)
		cmd->resp[0] |= SD_OCR_CCS;
	h->proto.state = R1_STATE_READY;
	return 0;
}

static int sd_send_relative_addr(struct fsim_host *h, struct mmc_command *cmd,
				 struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.rca = SD_RCA;
	cmd->resp[0] = h->proto.rca << 16 |
		       (fsim_status(h, t->start) & 0x1fff);
	h->proto.state = R1_STATE_STBY;
	return 0;
}

/* CMD6: group 1, access mode, is all we have: default and high speed */
static int sd_switch(struct fsim_host *h, struct mmc_command *cmd,
		     struct mmc_request *mrq, struct fsim_time *t)
{
	u8 status[64] = { 0, 100 };	/* maximum current: 100 mA */
	u32 mode = cmd->arg & 0xf;
	int i;

	cmd->resp[0] = fsim_status(h, t->start);
	for (i = 2; i < 14; i += 2)
		status[i] = 0x80;
	for (i = 3; i < 15; i += 2)
		status[i] = 0x01;
	if (h->cfg.highspeed)
		status[13] |= SD_MODE_HIGH_SPEED;
	if (mode == 0xf)
		mode = 0;
	if (mode > (h->cfg.highspeed ? 1 : 0))
		mode = 0xf;
	status[16] = mode;
	fsim_send_register(mrq, status, sizeof(status));
	return 0;
}

static int sd_set_bus_width(struct fsim_host *h, struct mmc_command *cmd,
			    struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int sd_send_status(struct fsim_host *h, struct mmc_command *cmd,
			  struct mmc_request *mrq, struct fsim_time *t)
{
	u8 ssr[64];

	cmd->resp[0] = fsim_status(h, t->start);
	memcpy(ssr, h->regs.ssr, sizeof(ssr));
	if (h->mmc->ios.bus_width == MMC_BUS_WIDTH_4)
		ssr[0] |= 0x80;
	fsim_send_register(mrq, ssr, sizeof(ssr));
	return 0;
}

static int sd_send_num_wr_blocks(struct fsim_host *h, struct mmc_command *cmd,
				 struct mmc_request *mrq, struct fsim_time *t)
{
	__be32 blocks = cpu_to_be32(h->proto.written);

	cmd->resp[0] = fsim_status(h, t->start);
	fsim_send_register(mrq, (u8 *)&blocks, sizeof(blocks));
	return 0;
}

static int sd_send_scr(struct fsim_host *h, struct mmc_command *cmd,
		       struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = fsim_status(h, t->start);
	fsim_send_register(mrq, h->regs.scr, sizeof(h->regs.scr));
	return 0;
}

static int sd_erase_start(struct fsim_host *h, struct mmc_command *cmd,
			  struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.erase_from = fsim_address(h, cmd->arg);
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int sd_erase_end(struct fsim_host *h, struct mmc_command *cmd,
			struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.erase_to = fsim_address(h, cmd->arg) + FTL_SECTOR;
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

const struct fsim_command fsim_sd_commands[] = {
	{ SD_SEND_IF_COND, false, STATE(IDLE), sd_send_if_cond },
	{ MMC_APP_CMD, false, STATE(IDLE) | STATE(STBY) | STATE(TRAN),
	  sd_app_cmd },
	{ SD_APP_OP_COND, true, STATE(IDLE), sd_send_op_cond },
	{ SD_SEND_RELATIVE_ADDR, false, STATE(IDENT) | STATE(STBY),
	  sd_send_relative_addr },
	{ SD_SWITCH, false, STATE(TRAN), sd_switch },
	{ SD_ERASE_WR_BLK_START, false, STATE(TRAN), sd_erase_start },
	{ SD_ERASE_WR_BLK_END, false, STATE(TRAN), sd_erase_end },
	{ SD_APP_SET_BUS_WIDTH, true, STATE(TRAN), sd_set_bus_width },
	{ SD_APP_SD_STATUS, true, STATE(TRAN), sd_send_status },
	{ SD_APP_SEND_NUM_WR_BLKS, true, STATE(TRAN), sd_send_num_wr_blocks },
	{ SD_APP_SEND_SCR, true, STATE(TRAN), sd_send_scr },
};

const size_t fsim_nr_sd_commands = ARRAY_SIZE(fsim_sd_commands);
