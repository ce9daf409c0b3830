// SPDX-License-Identifier: GPL-2.0-only
/*
 * The slot: an mmc_host that lets a simulated card execute requests at once
 * and completes them when the card would have.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mmc/card.h>
#include <linux/mmc/core.h>
#include <linux/mmc/mmc.h>
#include <linux/slab.h>

#include "compat.h"
#include "flashsim.h"

/* An empty slot: nobody answers */
static void host_no_medium(struct mmc_request *mrq)
{
	if (mrq->sbc)
		mrq->sbc->error = -ENOMEDIUM;
	mrq->cmd->error = -ENOMEDIUM;
	if (mrq->data) {
		mrq->data->error = -ENOMEDIUM;
		mrq->data->bytes_xfered = 0;
	}
}

/* Completes the request under way unless somebody else has done so. */
static enum hrtimer_restart host_timer(struct hrtimer *timer)
{
	struct fsim_host *h = container_of(timer, struct fsim_host, timer);
	struct mmc_request *mrq = NULL;
	unsigned long flags;
	bool pull = false;

	spin_lock_irqsave(&h->lock, flags);
	if (h->armed) {
		mrq = h->mrq;
		pull = h->pull;
		h->mrq = NULL;
		h->armed = false;
		h->pull = false;
	}
	if (pull) {
		h->present = false;
		host_no_medium(mrq);
		/* not once the slot is leaving: nobody would wait for it */
		mmc_detect_change(h->mmc, 0);
	}
	spin_unlock_irqrestore(&h->lock, flags);

	if (mrq)
		mmc_request_done(h->mmc, mrq);
	return HRTIMER_NORESTART;
}

/* The request is executed: complete it now, or let the timer do it. */
static void host_schedule(struct fsim_host *h, struct mmc_request *mrq,
			  const struct fsim_time *t)
{
	bool pull, now = false;
	u64 end;

	spin_lock_irq(&h->lock);
	pull = t->pull && !h->leaving;
	end = t->start + (pull ? t->host_ns / 2 : t->host_ns);
	if (!h->present) {
		host_no_medium(mrq);
		now = true;
	} else if (end <= ktime_get_ns() && !pull) {
		now = true;
	} else {
		h->armed = true;
		h->pull = pull;
		hrtimer_start(&h->timer, ns_to_ktime(end), HRTIMER_MODE_ABS);
	}
	if (now)
		h->mrq = NULL;
	spin_unlock_irq(&h->lock);
	if (now)
		mmc_request_done(h->mmc, mrq);
}

static void host_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct fsim_host *h = mmc_priv(mmc);
	u64 now = ktime_get_ns();
	struct fsim_time t = { .start = now };
	bool present;

	spin_lock_irq(&h->lock);
	WARN_ON_ONCE(h->mrq);
	h->mrq = mrq;
	present = h->present;
	spin_unlock_irq(&h->lock);

	if (present) {
		mutex_lock(&h->card);
		fsim_card_request(h, mrq, now, &t);
		mutex_unlock(&h->card);
	}
	host_schedule(h, mrq, &t);
}

static void host_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	struct fsim_host *h = mmc_priv(mmc);

	if (ios->power_mode != MMC_POWER_OFF)
		return;
	mutex_lock(&h->card);
	fsim_card_reset(h);
	mutex_unlock(&h->card);
}

static int host_get_ro(struct mmc_host *mmc)
{
	struct fsim_host *h = mmc_priv(mmc);

	return h->readonly;
}

static int host_get_cd(struct mmc_host *mmc)
{
	struct fsim_host *h = mmc_priv(mmc);

	return h->present;
}

static const struct mmc_host_ops host_ops = {
	.request = host_request,
	.set_ios = host_set_ios,
	.get_ro = host_get_ro,
	.get_cd = host_get_cd,
};

/**
 * fsim_host_insert() - put the card into its slot
 * @h: the slot
 *
 * A card that is there already is taken out and put in again so quickly that
 * the host notices only by asking the card. Context: process.
 */
void fsim_host_insert(struct fsim_host *h)
{
	mutex_lock(&h->card);
	fsim_card_reset(h);
	mutex_unlock(&h->card);
	spin_lock_irq(&h->lock);
	h->present = true;
	spin_unlock_irq(&h->lock);
	mmc_detect_change(h->mmc, 0);
}

/**
 * fsim_host_eject() - pull the card
 * @h: the slot
 *
 * A request under way fails at once. Context: process.
 */
void fsim_host_eject(struct fsim_host *h)
{
	struct mmc_request *mrq = NULL;

	spin_lock_irq(&h->lock);
	h->present = false;
	if (h->armed)
		mrq = h->mrq;
	if (mrq) {
		h->mrq = NULL;
		h->armed = false;
		h->pull = false;
	}
	spin_unlock_irq(&h->lock);
	if (mrq) {
		hrtimer_cancel(&h->timer);
		host_no_medium(mrq);
		mmc_request_done(h->mmc, mrq);
	}
	mmc_detect_change(h->mmc, 0);
}

static void host_set_caps(struct fsim_host *h)
{
	const struct fsim_config *cfg = &h->cfg;
	struct mmc_host *mmc = h->mmc;

	mmc->ops = &host_ops;
	mmc->ocr_avail = MMC_VDD_32_33 | MMC_VDD_33_34;
	mmc->f_min = min(400000u, cfg->clock);
	mmc->f_max = cfg->clock;
	mmc->caps = MMC_CAP_SD_HIGHSPEED | MMC_CAP_MMC_HIGHSPEED;
	if (cfg->bus_width >= 4)
		mmc->caps |= MMC_CAP_4_BIT_DATA;
	if (cfg->bus_width == 8)
		mmc->caps |= MMC_CAP_8_BIT_DATA;
	if (cfg->host_cmd23)
		mmc->caps |= MMC_CAP_CMD23;
	if (cfg->wait_busy)
		mmc->caps |= MMC_CAP_WAIT_WHILE_BUSY;
	mmc->caps2 = MMC_CAP2_NO_SDIO |
		     (h->regs.mmc ? MMC_CAP2_NO_SD : MMC_CAP2_NO_MMC);
	mmc->max_blk_size = 512;
	mmc->max_blk_count = cfg->max_blk_count;
	mmc->max_segs = cfg->max_segs;
	mmc->max_seg_size = min(cfg->max_seg_size, cfg->max_req_size);
	mmc->max_req_size = cfg->max_req_size;
}

static void host_free(struct fsim_host *h)
{
	int i;

	for (i = 0; i < FSIM_PARTS; i++)
		fsim_store_free(&h->store[i]);
	ftl_destroy(h->ftl);
	mutex_destroy(&h->card);
	mmc_free_host(h->mmc);
}

static int host_describe(struct fsim_host *h, const char *text)
{
	char reason[FSIM_REASON_LEN];
	int err;

	err = fsim_config_parse(&h->cfg, text, reason);
	if (!err)
		err = fsim_regs_make(&h->regs, &h->cfg, reason);
	if (err)
		pr_err("card: %s\n", reason);
	return err;
}

/**
 * fsim_host_create() - a slot with a card in it
 * @parent: device the host hangs below
 * @text: description of the card
 *
 * Return: the slot or an ERR_PTR; what is wrong with @text is in the log.
 * Context: process.
 */
struct fsim_host *fsim_host_create(struct device *parent, const char *text)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct fsim_host), parent);
	struct fsim_host *h;
	int i, err;

	if (!mmc)
		return ERR_PTR(-ENOMEM);
	h = mmc_priv(mmc);
	h->mmc = mmc;
	mutex_init(&h->card);
	spin_lock_init(&h->lock);
	fb_hrtimer_setup(&h->timer, host_timer, CLOCK_MONOTONIC,
			 HRTIMER_MODE_ABS);
	for (i = 0; i < FSIM_PARTS; i++)
		fsim_store_init(&h->store[i], 0);

	err = host_describe(h, text);
	if (err)
		goto err_free;
	/* SCR bit 55: what an erased card reads as */
	if (!h->regs.mmc && h->regs.scr[1] & 0x80)
		h->store[0].erased = 0xff;
	h->ftl = ftl_create(&h->cfg.ftl);
	if (!h->ftl) {
		err = -ENOMEM;
		goto err_free;
	}
	h->faults = h->cfg.faults;
	h->readonly = h->cfg.ro;
	h->present = true;
	fsim_card_reset(h);
	host_set_caps(h);
	err = mmc_add_host(mmc);
	if (err)
		goto err_free;
	fsim_debugfs_add(h);
	return h;

err_free:
	host_free(h);
	return ERR_PTR(err);
}

/**
 * fsim_host_destroy() - remove a slot with its card, mounted or not
 * @h: the slot
 *
 * Context: process.
 */
void fsim_host_destroy(struct fsim_host *h)
{
	fsim_debugfs_remove(h);
	spin_lock_irq(&h->lock);
	h->leaving = true;
	h->pull = false;
	spin_unlock_irq(&h->lock);
	mmc_remove_host(h->mmc);
	hrtimer_cancel(&h->timer);
	host_free(h);
}
