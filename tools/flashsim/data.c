// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that move or forget data: where the protocol meets the flash
 * translation layer, the content and the faults.
 */
#include <linux/kernel.h>
#include <linux/mmc/card.h>
#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>
#include <linux/scatterlist.h>

#include "flashsim.h"

static u64 data_capacity(const struct fsim_host *h)
{
	return h->proto.part ? h->cfg.boot : h->cfg.ftl.size;
}

/* Content from or to the host, @len bytes at @off */
static int data_copy(struct fsim_host *h, struct mmc_data *data, u64 off,
		     u32 len)
{
	bool write = data->flags & MMC_DATA_WRITE;
	struct fsim_store *store = &h->store[h->proto.part];
	struct sg_mapping_iter miter;
	int err = 0;
	u32 n;

	sg_miter_start(&miter, data->sg, data->sg_len,
		       write ? SG_MITER_FROM_SG : SG_MITER_TO_SG);
	while (len && !err && sg_miter_next(&miter)) {
		n = min_t(size_t, len, miter.length);
		if (write)
			err = fsim_store_write(store, off, miter.addr, n);
		else
			fsim_store_read(store, off, miter.addr, n);
		off += n;
		len -= n;
		data->bytes_xfered += n;
	}
	sg_miter_stop(&miter);
	return err;
}

/* What the command costs behind the card's interface */
static u64 data_cost(struct fsim_host *h, bool write, bool reliable, u64 now,
		     u64 off, u32 len)
{
	const struct ftl_config *cfg = &h->ftl->cfg;
	bool cache_off = h->ftl->cache_off;
	u64 ns;

	if (!len)
		return write ? cfg->write_ns : cfg->read_ns;
	/* boot partitions are small and simple */
	if (h->proto.part)
		return write ?
			cfg->write_ns + ftl_transfer_ns(len, cfg->write_bps) :
			cfg->read_ns + ftl_transfer_ns(len, cfg->read_bps);
	if (!write)
		return ftl_read(h->ftl, now, off, len);
	h->ftl->cache_off |= reliable;
	ns = ftl_write(h->ftl, now, off, len);
	h->ftl->cache_off = cache_off;
	return ns;
}

/* How long the data lines are in use */
static u64 data_bus_ns(const struct fsim_host *h, u32 len)
{
	u64 bps = (u64)h->mmc->ios.clock * (1 << h->mmc->ios.bus_width) / 8;

	return ftl_transfer_ns(len, min_t(u64, bps, U32_MAX));
}

/* What a bus slower than the flash adds */
static u64 data_bus_excess(const struct fsim_host *h, bool write, u32 len)
{
	const struct ftl_config *cfg = &h->ftl->cfg;
	u64 bus = data_bus_ns(h, len);
	u64 flash = ftl_transfer_ns(len, write ? cfg->write_bps :
						 cfg->read_bps);

	return h->cfg.bus_timing && bus > flash ? bus - flash : 0;
}

/* A reason why the card does not even begin, as R1 bits */
static u32 data_refuse(const struct fsim_host *h, bool write, u64 off, u64 len)
{
	u64 capacity = data_capacity(h);

	if (off > capacity || len > capacity - off)
		return R1_OUT_OF_RANGE;
	if (off % FTL_SECTOR)
		return R1_ADDRESS_ERROR;
	if (write && h->readonly)
		return R1_WP_VIOLATION;
	return 0;
}

/* Faults by rule, and those the card was described with */
static void data_faults(struct fsim_host *h, const struct mmc_request *mrq,
			bool write, u64 sector, u32 count,
			struct fsim_verdict *v)
{
	fsim_faults_check(&h->faults, write ? FSIM_WRITE : FSIM_READ, sector,
			  count, v);
	if (mrq->sbc && write)
		v->stall_ns += h->cfg.cmd23_ns;
	v->fail |= h->cfg.max_cmd_blocks && count > h->cfg.max_cmd_blocks;
	if (v->fail && v->good == count)
		v->good = 0;
}

/**
 * fsim_transfer() - CMD17, CMD18, CMD24 and CMD25
 * @h: the slot
 * @cmd: the command
 * @mrq: its request
 * @t: gets the times
 *
 * Return: 0, or -ETIMEDOUT if the card does not answer.
 */
int fsim_transfer(struct fsim_host *h, struct mmc_command *cmd,
		  struct mmc_request *mrq, struct fsim_time *t)
{
	struct mmc_data *data = mrq->data;
	u64 off = fsim_address(h, cmd->arg);
	bool write, reliable;
	struct fsim_verdict v;
	u32 len, good, refusal;
	u64 ns;

	if (!data || data->blksz != FTL_SECTOR)
		return -EINVAL;
	write = data->flags & MMC_DATA_WRITE;
	reliable = mrq->sbc && mrq->sbc->arg & BIT(31);
	len = data->blocks * data->blksz;
	refusal = data_refuse(h, write, off, len);
	h->proto.errors |= refusal;
	cmd->resp[0] = fsim_status(h, t->start);
	if (refusal) {
		data->error = -ETIMEDOUT;
		return 0;
	}
	data_faults(h, mrq, write, off / FTL_SECTOR, data->blocks, &v);
	good = v.good * FTL_SECTOR;
	if (v.fail)
		data->error = -ETIMEDOUT;
	h->dead |= v.die;
	t->pull = v.remove;

	t->start = max(t->start, h->busy_until);
	if (good && data_copy(h, data, off, good))
		data->error = -ENOMEM;
	ns = data_cost(h, write, reliable, t->start, off, good) + v.stall_ns +
	     data_bus_excess(h, write, good);
	t->host_ns += ns;
	t->busy_ns += ns;
	if (!write)
		return 0;
	h->proto.written = data->bytes_xfered / FTL_SECTOR;
	h->busy_until = t->start + t->busy_ns;
	if (!h->cfg.wait_busy && !data->error)
		t->host_ns -= ns - min(ns, data_bus_ns(h, good));
	return 0;
}

/* The erase an eMMC does by default is one of whole groups */
static void data_whole_groups(const struct fsim_host *h, u64 *from, u64 *to)
{
	u64 group = (u64)h->regs.ext_csd[224] << 19;
	u64 rem;

	if (!h->regs.mmc || !group || !(h->regs.ext_csd[175] & 1))
		return;
	div64_u64_rem(*from, group, &rem);
	*from -= rem;
	div64_u64_rem(*to, group, &rem);
	if (rem)
		*to = min(*to + group - rem, data_capacity(h));
}

/**
 * fsim_erase() - CMD38: erase, trim or discard what was announced
 * @h: the slot
 * @cmd: the command
 * @mrq: its request
 * @t: gets the times
 *
 * Return: 0, or a negative errno if the card does not answer.
 */
int fsim_erase(struct fsim_host *h, struct mmc_command *cmd,
	       struct mmc_request *mrq, struct fsim_time *t)
{
	u64 from = h->proto.erase_from;
	u64 to = h->proto.erase_to;
	struct fsim_verdict v;
	u64 ns;

	if (from >= to || data_refuse(h, true, from, to - from)) {
		h->proto.errors |= from < to && h->readonly ?
				   R1_WP_ERASE_SKIP : R1_ERASE_PARAM;
		cmd->resp[0] = fsim_status(h, t->start);
		return h->readonly ? -ETIMEDOUT : 0;
	}
	if (!(cmd->arg & 3))
		data_whole_groups(h, &from, &to);
	fsim_faults_check(&h->faults, FSIM_DISCARD, from / FTL_SECTOR,
			  (to - from) / FTL_SECTOR, &v);
	h->dead |= v.die;
	t->pull = v.remove;
	if (v.fail)
		return -ETIMEDOUT;
	cmd->resp[0] = fsim_status(h, t->start);
	if (fsim_store_erase(&h->store[h->proto.part], from, to - from))
		return -ENOMEM;
	t->start = max(t->start, h->busy_until);
	ns = v.stall_ns;
	if (!h->proto.part)
		ns += ftl_discard(h->ftl, t->start, from, to - from);
	return fsim_busy(h, ns, t);
}
