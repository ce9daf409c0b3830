// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only eMMC does: JEDEC JESD84-B51, chapter 6.
 */
#include <linux/kernel.h>
#include <linux/mmc/card.h>
#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>

#include "flashsim.h"

#define STATE(name)	(1 << R1_STATE_ ## name)
#define MMC_VOLTAGES	0x00ff8080u	/* OCR: 2.7 to 3.6 V and 1.8 V */
#define MMC_OCR_READY	BIT(31)
#define MMC_OCR_SECTORS	BIT(30)
#define EXT_CSD_WRITABLE	192	/* the modes segment, from 0 */

/**
 * fsim_mmc_reset() - the volatile fields of the EXT_CSD after power-up
 * @h: the slot
 *
 * Context: @h->card held.
 */
void fsim_mmc_reset(struct fsim_host *h)
{
	static const u8 fields[] = {
		EXT_CSD_CACHE_CTRL, EXT_CSD_POWER_OFF_NOTIFICATION,
		EXT_CSD_ERASE_GROUP_DEF, EXT_CSD_PART_CONFIG,
		EXT_CSD_BUS_WIDTH, EXT_CSD_HS_TIMING, EXT_CSD_POWER_CLASS,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		h->regs.ext_csd[fields[i]] = 0;
	h->ftl->cache_off = true;
}

static int mmc_send_op_cond(struct fsim_host *h, struct mmc_command *cmd,
			    struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = MMC_VOLTAGES;
	if (h->regs.block_addr)
		cmd->resp[0] |= MMC_OCR_SECTORS;
	if (!(cmd->arg & MMC_VOLTAGES))
		return 0;
	cmd->resp[0] |= MMC_OCR_READY;
	h->proto.state = R1_STATE_READY;
	return 0;
}

static int mmc_set_relative_addr(struct fsim_host *h, struct mmc_command *cmd,
				 struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.rca = cmd->arg >> 16;
	cmd->resp[0] = fsim_status(h, t->start);
	h->proto.state = R1_STATE_STBY;
	return 0;
}

static int mmc_send_ext_csd(struct fsim_host *h, struct mmc_command *cmd,
			    struct mmc_request *mrq, struct fsim_time *t)
{
	if (!mrq->data)		/* to an SD card, this command is another one */
		return -ETIMEDOUT;
	cmd->resp[0] = fsim_status(h, t->start);
	fsim_send_register(mrq, h->regs.ext_csd, sizeof(h->regs.ext_csd));
	return 0;
}

/* What writing a field does; returns how long it takes, ns */
static u64 mmc_switched(struct fsim_host *h, u32 index, u8 value, u64 now)
{
	switch (index) {
	case EXT_CSD_FLUSH_CACHE:
		h->regs.ext_csd[index] = 0;
		return value & 1 ? ftl_flush(h->ftl, now) : 0;
	case EXT_CSD_CACHE_CTRL:
		h->ftl->cache_off = !(value & 1);
		return value & 1 ? 0 : ftl_flush(h->ftl, now);
	case EXT_CSD_PART_CONFIG:
		h->proto.part = value & EXT_CSD_PART_CONFIG_ACC_MASK;
		break;
	}
	return 0;
}

static bool mmc_switch_allowed(const struct fsim_host *h, u32 index, u8 value)
{
	u32 parts = h->cfg.boot ? FSIM_PARTS : 1;

	if (index >= EXT_CSD_WRITABLE)
		return false;
	return index != EXT_CSD_PART_CONFIG ||
	       (value & EXT_CSD_PART_CONFIG_ACC_MASK) < parts;
}

/* CMD6: set bits, clear bits or write a byte of the EXT_CSD */
static int mmc_switch(struct fsim_host *h, struct mmc_command *cmd,
		      struct mmc_request *mrq, struct fsim_time *t)
{
	u32 index = cmd->arg >> 16 & 0xff;
	u8 value = cmd->arg >> 8;
	u64 ns = 0;

	cmd->resp[0] = fsim_status(h, t->start);
	switch (cmd->arg >> 24 & 3) {
	case MMC_SWITCH_MODE_SET_BITS:
		value |= h->regs.ext_csd[index];
		break;
	case MMC_SWITCH_MODE_CLEAR_BITS:
		value = h->regs.ext_csd[index] & ~value;
		break;
	case MMC_SWITCH_MODE_WRITE_BYTE:
		break;
	default:
		return 0;
	}
	if (!mmc_switch_allowed(h, index, value)) {
		h->proto.errors |= R1_SWITCH_ERROR;
		return 0;
	}
	h->regs.ext_csd[index] = value;
	t->start = max(t->start, h->busy_until);
	ns = mmc_switched(h, index, value, t->start);
	return fsim_busy(h, ns, t);
}

/* CMD5: to sleep and to awake; sleeping costs nothing here */
static int mmc_sleep_awake(struct fsim_host *h, struct mmc_command *cmd,
			   struct mmc_request *mrq, struct fsim_time *t)
{
	if (cmd->arg >> 16 != h->proto.rca)
		return -ETIMEDOUT;
	cmd->resp[0] = fsim_status(h, t->start);
	return fsim_busy(h, 0, t);
}

static int mmc_erase_start(struct fsim_host *h, struct mmc_command *cmd,
			   struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.erase_from = fsim_address(h, cmd->arg);
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int mmc_erase_end(struct fsim_host *h, struct mmc_command *cmd,
			 struct mmc_request *mrq, struct fsim_time *t)
{
	h->proto.erase_to = fsim_address(h, cmd->arg) + FTL_SECTOR;
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

const struct fsim_command fsim_mmc_commands[] = {
	{ MMC_SEND_OP_COND, false, STATE(IDLE), mmc_send_op_cond },
	{ MMC_SET_RELATIVE_ADDR, false, STATE(IDENT), mmc_set_relative_addr },
	{ MMC_SLEEP_AWAKE, false, STATE(STBY), mmc_sleep_awake },
	{ MMC_SWITCH, false, STATE(TRAN), mmc_switch },
	{ MMC_SEND_EXT_CSD, false, STATE(TRAN), mmc_send_ext_csd },
	{ MMC_ERASE_GROUP_START, false, STATE(TRAN), mmc_erase_start },
	{ MMC_ERASE_GROUP_END, false, STATE(TRAN), mmc_erase_end },
};

const size_t fsim_nr_mmc_commands = ARRAY_SIZE(fsim_mmc_commands);
