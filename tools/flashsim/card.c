// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bus protocol, as far as SD cards and eMMC have it in common.
 */
#include <linux/kernel.h>
#include <linux/mmc/card.h>
#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>
#include <linux/scatterlist.h>

#include "flashsim.h"

#define STATE(name)	(1 << R1_STATE_ ## name)
#define STATES_ADDRESSED	(STATE(STBY) | STATE(TRAN))

/**
 * fsim_card_reset() - the card as it is after power-up or CMD0
 * @h: the slot
 *
 * Context: @h->card held.
 */
void fsim_card_reset(struct fsim_host *h)
{
	h->proto = (struct fsim_protocol) { .state = R1_STATE_IDLE };
	h->busy_until = 0;
	if (h->regs.mmc)
		fsim_mmc_reset(h);
}

/**
 * fsim_status() - the card status for a response
 * @h: the slot
 * @now: CLOCK_MONOTONIC ns
 *
 * Errors are reported once. Context: @h->card held.
 *
 * Return: R1_* bits.
 */
u32 fsim_status(struct fsim_host *h, u64 now)
{
	u32 status = h->proto.errors;

	h->proto.errors = 0;
	if (h->proto.app)
		status |= R1_APP_CMD;
	if (h->proto.state == R1_STATE_TRAN && now < h->busy_until)
		return status | R1_STATE_PRG << 9;
	return status | h->proto.state << 9 | R1_READY_FOR_DATA;
}

/**
 * fsim_send_register() - data phase of a command that reads a register
 * @mrq: the request
 * @reg: the register
 * @len: its size
 */
void fsim_send_register(struct mmc_request *mrq, const u8 *reg, size_t len)
{
	struct mmc_data *data = mrq->data;

	if (!data)
		return;
	data->bytes_xfered = sg_copy_from_buffer(data->sg, data->sg_len, reg,
						 len);
}

/**
 * fsim_respond_long() - an R2 response
 * @cmd: the command
 * @reg: 16 bytes, in bus order
 */
void fsim_respond_long(struct mmc_command *cmd, const u8 *reg)
{
	int i;

	for (i = 0; i < 4; i++)
		cmd->resp[i] = (u32)reg[4 * i] << 24 | reg[4 * i + 1] << 16 |
			       reg[4 * i + 2] << 8 | reg[4 * i + 3];
}

/**
 * fsim_busy() - an R1b response: the card is busy afterwards
 * @h: the slot
 * @ns: for so long
 * @t: gets the times
 *
 * Return: 0.
 */
int fsim_busy(struct fsim_host *h, u64 ns, struct fsim_time *t)
{
	h->busy_until = max(t->start + t->busy_ns, h->busy_until) + ns;
	t->busy_ns = h->busy_until - t->start;
	if (h->cfg.wait_busy)
		t->host_ns = t->busy_ns;
	return 0;
}

/**
 * fsim_address() - an address in the argument of a command
 * @h: the slot
 * @arg: the argument
 *
 * Return: byte offset.
 */
u64 fsim_address(const struct fsim_host *h, u32 arg)
{
	return h->regs.block_addr ? (u64)arg << 9 : arg;
}

static int card_go_idle(struct fsim_host *h, struct mmc_command *cmd,
			struct mmc_request *mrq, struct fsim_time *t)
{
	fsim_card_reset(h);
	return 0;
}

static int card_all_send_cid(struct fsim_host *h, struct mmc_command *cmd,
			     struct mmc_request *mrq, struct fsim_time *t)
{
	fsim_respond_long(cmd, h->regs.cid);
	h->proto.state = R1_STATE_IDENT;
	return 0;
}

/* Is this command for another card? */
static bool card_not_addressed(struct fsim_host *h, struct mmc_command *cmd)
{
	return cmd->arg >> 16 != h->proto.rca;
}

static int card_send_csd(struct fsim_host *h, struct mmc_command *cmd,
			 struct mmc_request *mrq, struct fsim_time *t)
{
	if (card_not_addressed(h, cmd))
		return -ETIMEDOUT;
	fsim_respond_long(cmd, h->regs.csd);
	return 0;
}

static int card_send_cid(struct fsim_host *h, struct mmc_command *cmd,
			 struct mmc_request *mrq, struct fsim_time *t)
{
	if (card_not_addressed(h, cmd))
		return -ETIMEDOUT;
	fsim_respond_long(cmd, h->regs.cid);
	return 0;
}

static int card_select(struct fsim_host *h, struct mmc_command *cmd,
		       struct mmc_request *mrq, struct fsim_time *t)
{
	if (card_not_addressed(h, cmd)) {
		h->proto.state = R1_STATE_STBY;
		return cmd->arg ? -ETIMEDOUT : 0;
	}
	cmd->resp[0] = fsim_status(h, t->start);
	h->proto.state = R1_STATE_TRAN;
	return 0;
}

static int card_send_status(struct fsim_host *h, struct mmc_command *cmd,
			    struct mmc_request *mrq, struct fsim_time *t)
{
	if (card_not_addressed(h, cmd))
		return -ETIMEDOUT;
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int card_set_blocklen(struct fsim_host *h, struct mmc_command *cmd,
			     struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int card_set_block_count(struct fsim_host *h, struct mmc_command *cmd,
				struct mmc_request *mrq, struct fsim_time *t)
{
	if (!h->cfg.cmd23 || h->cfg.cmd23_broken)
		return -ETIMEDOUT;
	cmd->resp[0] = fsim_status(h, t->start);
	return 0;
}

static int card_stop(struct fsim_host *h, struct mmc_command *cmd,
		     struct mmc_request *mrq, struct fsim_time *t)
{
	cmd->resp[0] = fsim_status(h, t->start);
	return cmd->flags & MMC_RSP_BUSY ? fsim_busy(h, 0, t) : 0;
}

const struct fsim_command fsim_common_commands[] = {
	{ MMC_GO_IDLE_STATE, false, ~0, card_go_idle },
	{ MMC_ALL_SEND_CID, false, STATE(READY), card_all_send_cid },
	{ MMC_SELECT_CARD, false, STATES_ADDRESSED, card_select },
	{ MMC_SEND_CSD, false, STATE(STBY), card_send_csd },
	{ MMC_SEND_CID, false, STATE(STBY), card_send_cid },
	{ MMC_STOP_TRANSMISSION, false, STATE(TRAN), card_stop },
	{ MMC_SEND_STATUS, false, STATES_ADDRESSED, card_send_status },
	{ MMC_SET_BLOCKLEN, false, STATE(TRAN), card_set_blocklen },
	{ MMC_READ_SINGLE_BLOCK, false, STATE(TRAN), fsim_transfer },
	{ MMC_READ_MULTIPLE_BLOCK, false, STATE(TRAN), fsim_transfer },
	{ MMC_SET_BLOCK_COUNT, false, STATE(TRAN), card_set_block_count },
	{ MMC_WRITE_BLOCK, false, STATE(TRAN), fsim_transfer },
	{ MMC_WRITE_MULTIPLE_BLOCK, false, STATE(TRAN), fsim_transfer },
	{ MMC_ERASE, false, STATE(TRAN), fsim_erase },
};

const size_t fsim_nr_common_commands = ARRAY_SIZE(fsim_common_commands);

static const struct fsim_command *card_find(const struct fsim_host *h,
					    const struct fsim_command *list,
					    size_t n, u32 opcode, bool app)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (list[i].opcode == opcode && list[i].app == app)
			return &list[i];
	return NULL;
}

static const struct fsim_command *card_lookup(const struct fsim_host *h,
					      u32 opcode, bool app)
{
	const struct fsim_command *c;

	if (h->regs.mmc)
		c = card_find(h, fsim_mmc_commands, fsim_nr_mmc_commands,
			      opcode, app);
	else
		c = card_find(h, fsim_sd_commands, fsim_nr_sd_commands,
			      opcode, app);
	if (!c)
		c = card_find(h, fsim_common_commands,
			      fsim_nr_common_commands, opcode, app);
	return c;
}

/* A card does not answer a command it does not know, or not now. */
static int card_command(struct fsim_host *h, struct mmc_command *cmd,
			struct mmc_request *mrq, struct fsim_time *t)
{
	const struct fsim_command *c = NULL;
	bool app = h->proto.app;

	if (h->dead)
		return -ETIMEDOUT;
	if (app)
		c = card_lookup(h, cmd->opcode, true);
	if (!c)
		c = card_lookup(h, cmd->opcode, false);
	h->proto.app = false;
	if (!c || !(c->states & 1 << h->proto.state))
		return -ETIMEDOUT;
	t->host_ns += h->cfg.cmd_ns;
	t->busy_ns += h->cfg.cmd_ns;
	return c->fn(h, cmd, mrq, t);
}

/**
 * fsim_card_request() - let the card execute a request
 * @h: the slot
 * @mrq: the request; gets responses, data and errors
 * @now: CLOCK_MONOTONIC ns
 * @t: gets how long it takes
 *
 * Context: process, @h->card held.
 */
void fsim_card_request(struct fsim_host *h, struct mmc_request *mrq, u64 now,
		       struct fsim_time *t)
{
	struct mmc_data *data = mrq->data;

	*t = (struct fsim_time) { .start = now };
	if (data)
		data->bytes_xfered = 0;
	if (mrq->sbc) {
		mrq->sbc->error = card_command(h, mrq->sbc, mrq, t);
		if (mrq->sbc->error)
			return;
	}
	mrq->cmd->error = card_command(h, mrq->cmd, mrq, t);
	if (mrq->cmd->error || !data || !mrq->stop)
		return;
	/* announced by CMD23, a transfer ends by itself */
	if (data->error || !mrq->sbc)
		mrq->stop->error = card_command(h, mrq->stop, mrq, t);
}
