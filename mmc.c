// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an SD or MMC card claims in its registers: the second part of `info`.
 *
 * Nothing is imported from mmc_core, so the module loads without it; all we
 * use are the structures in <linux/mmc/card.h> and <linux/mmc/host.h>, which
 * the core has filled in when it found the card. Bit positions are those of
 * the SD Physical Layer Simplified Specification (CSD: 5.3, SD status: 4.10.2)
 * and of JEDEC JESD84-B51 (CID: 7.2, CSD: 7.3).
 */
#include <linux/blkdev.h>
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/mmc/card.h>
#include <linux/mmc/host.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include "compat.h"
#include "flashbench.h"

/* Which cards have a fact: the kinds of card, and the registers they have. */
#define FB_SD		BIT(0)
#define FB_MMC		BIT(1)
#define FB_EXT_CSD	BIT(2)
#define FB_ANY		(FB_SD | FB_MMC)

#define FB_CSD_SPEC_VER_4	4	/* first with an EXT_CSD */
#define FB_EXT_CSD_REV_EMMC	5	/* JESD84-A441: e.MMC, not MMC */

/**
 * struct fb_fact - one line of `info` about the card
 * @key: its name
 * @kinds: cards that have it: FB_SD, FB_MMC, FB_EXT_CSD; others print "n/a"
 * @digits: hexadecimal digits of a number; 0 to print decimal
 * @get: the number
 * @show: prints what is no number; NULL if @get is there
 */
struct fb_fact {
	const char *key;
	u8 kinds;
	u8 digits;
	u64 (*get)(const struct mmc_card *card);
	void (*show)(struct seq_file *m, const struct mmc_card *card);
};

#define FB_DEC(_key, _kinds)						\
	{ .key = #_key, .kinds = _kinds, .get = fb_get_##_key }

#define FB_HEX(_key, _kinds, _digits)					\
	{ .key = #_key, .kinds = _kinds, .digits = _digits,		\
	  .get = fb_get_##_key }

#define FB_TEXT(_key, _kinds)						\
	{ .key = #_key, .kinds = _kinds, .show = fb_show_##_key }

/* Defines the function that FB_DEC() or FB_HEX() with this key refers to. */
#define FB_VALUE(_key, _expr)						\
static u64 fb_get_##_key(const struct mmc_card *card)			\
{									\
	return _expr;							\
}

/* Bits of a register whose first word holds the highest bits. */
static u32 fb_bits(const u32 *reg, unsigned int words, unsigned int start,
		   unsigned int width)
{
	unsigned int i = words - 1 - start / 32;
	u64 val = reg[i];

	if (i)
		val |= (u64)reg[i - 1] << 32;
	return (val >> start % 32) & GENMASK_ULL(width - 1, 0);
}

static u32 fb_csd_bits(const struct mmc_card *card, unsigned int start,
		       unsigned int width)
{
	return fb_bits(card->raw_csd, ARRAY_SIZE(card->raw_csd), start, width);
}

static u32 fb_ssr_bits(const struct mmc_card *card, unsigned int start,
		       unsigned int width)
{
	return fb_bits(card->raw_ssr, ARRAY_SIZE(card->raw_ssr), start, width);
}

static u8 fb_card_kinds(const struct mmc_card *card)
{
	if (card->type == MMC_TYPE_SD || card->type == MMC_TYPE_SD_COMBO)
		return FB_SD;
	if (card->csd.mmca_vsn >= FB_CSD_SPEC_VER_4)
		return FB_MMC | FB_EXT_CSD;
	return FB_MMC;
}

/*
 * As the kernel tells them apart: the CSD's version and, beyond it, its size.
 * CBX in the CID of an MMC is not 0 if the card is soldered.
 */
static const char *fb_card_type(const struct mmc_card *card)
{
	if (fb_card_kinds(card) & FB_MMC) {
		if (card->ext_csd.rev >= FB_EXT_CSD_REV_EMMC ||
		    (card->csd.mmca_vsn >= FB_CSD_SPEC_VER_4 &&
		     fb_bits(card->raw_cid, ARRAY_SIZE(card->raw_cid), 112, 2)))
			return "eMMC";
		return "MMC";
	}
	switch (fb_csd_bits(card, 126, 2)) {
	case 0:
		return "SD";
	case 1:
		return card->csd.c_size >= 0xffff ? "SDXC" : "SDHC";
	default:
		return "SDUC";
	}
}

static void fb_show_card_type(struct seq_file *m, const struct mmc_card *card)
{
	seq_puts(m, fb_card_type(card));
}

static void fb_show_host(struct seq_file *m, const struct mmc_card *card)
{
	seq_puts(m, mmc_hostname(card->host));
}

static void fb_show_timing(struct seq_file *m, const struct mmc_card *card)
{
	static const char * const names[] = {
		[MMC_TIMING_LEGACY] = "legacy",
		[MMC_TIMING_MMC_HS] = "mmc high-speed",
		[MMC_TIMING_SD_HS] = "sd high-speed",
		[MMC_TIMING_UHS_SDR12] = "sd uhs SDR12",
		[MMC_TIMING_UHS_SDR25] = "sd uhs SDR25",
		[MMC_TIMING_UHS_SDR50] = "sd uhs SDR50",
		[MMC_TIMING_UHS_SDR104] = "sd uhs SDR104",
		[MMC_TIMING_UHS_DDR50] = "sd uhs DDR50",
		[MMC_TIMING_MMC_DDR52] = "mmc DDR52",
		[MMC_TIMING_MMC_HS200] = "mmc HS200",
		[MMC_TIMING_MMC_HS400] = "mmc HS400",
	};
	const struct mmc_ios *ios = &card->host->ios;

	if (ios->timing < ARRAY_SIZE(names))
		seq_printf(m, "%s%s", names[ios->timing],
			   ios->enhanced_strobe ? " enhanced strobe" : "");
	else
		seq_printf(m, "unknown (%u)", ios->timing);
}

static void fb_show_signal_voltage_mv(struct seq_file *m,
				      const struct mmc_card *card)
{
	static const u16 mv[] = {
		[MMC_SIGNAL_VOLTAGE_330] = 3300,
		[MMC_SIGNAL_VOLTAGE_180] = 1800,
		[MMC_SIGNAL_VOLTAGE_120] = 1200,
	};
	unsigned int i = card->host->ios.signal_voltage;

	if (i < ARRAY_SIZE(mv))
		seq_printf(m, "%u", mv[i]);
	else
		seq_printf(m, "unknown (%u)", i);
}

/* The register the kernel took the erase size from: see mmc_set_erase_size() */
static void fb_show_erase_size_bytes(struct seq_file *m,
				     const struct mmc_card *card)
{
	bool ext = fb_card_kinds(card) & FB_EXT_CSD &&
		   card->ext_csd.erase_group_def & 1;

	seq_printf(m, "%llu (%s)", (u64)card->erase_size << SECTOR_SHIFT,
		   ext ? "EXT_CSD" : "CSD");
}

/*
 * mmc_init_erase() takes the AU or, without one, guesses from the capacity.
 * On an eMMC the guess is at least the erase size.
 */
static void fb_show_preferred_erase_bytes(struct seq_file *m,
					  const struct mmc_card *card)
{
	const char *source = "kernel default";

	if (fb_card_kinds(card) & FB_SD && card->ssr.au)
		source = "SSR AU";
	else if (card->pref_erase == card->erase_size)
		source = "erase size";
	seq_printf(m, "%llu (%s)", (u64)card->pref_erase << SECTOR_SHIFT,
		   source);
}

static void fb_show_cid_name(struct seq_file *m, const struct mmc_card *card)
{
	const char *name = card->cid.prod_name;

	seq_printf(m, "%*pEhp", (int)strnlen(name, sizeof(card->cid.prod_name)),
		   name);
}

static void fb_show_cid_date(struct seq_file *m, const struct mmc_card *card)
{
	seq_printf(m, "%02d/%04d", card->cid.month, card->cid.year);
}

/* In write blocks: what SECTOR_SIZE (SD), ERASE_GRP_SIZE and _MULT (MMC) say */
static u64 fb_csd_erase_bytes(const struct mmc_card *card)
{
	u64 blocks;

	if (fb_card_kinds(card) & FB_SD)
		blocks = fb_csd_bits(card, 39, 7) + 1;
	else
		blocks = (fb_csd_bits(card, 42, 5) + 1) *
			 (fb_csd_bits(card, 37, 5) + 1);
	return blocks << fb_csd_bits(card, 22, 4);
}

/* WP_GRP_SIZE erase sectors or groups, if WP_GRP_ENABLE says so */
static void fb_show_csd_wp_group_bytes(struct seq_file *m,
				       const struct mmc_card *card)
{
	unsigned int width = fb_card_kinds(card) & FB_SD ? 7 : 5;

	if (fb_csd_bits(card, 31, 1))
		seq_printf(m, "%llu", fb_csd_erase_bytes(card) *
			   (fb_csd_bits(card, 32, width) + 1));
	else
		seq_puts(m, "none");
}

static void fb_put_au(struct seq_file *m, u64 bytes)
{
	if (bytes)
		seq_printf(m, "%llu", bytes);
	else
		seq_puts(m, "not stated");
}

static void fb_show_ssr_au_bytes(struct seq_file *m,
				 const struct mmc_card *card)
{
	fb_put_au(m, (u64)card->ssr.au << SECTOR_SHIFT);
}

/* UHS_AU_SIZE: coded like AU_SIZE, from 1 MiB (7) to 64 MiB (15) */
static void fb_show_ssr_uhs_au_bytes(struct seq_file *m,
				     const struct mmc_card *card)
{
	static const u32 au[] = {
		[7] = SZ_1M, SZ_2M, SZ_4M, SZ_8M, SZ_8M + SZ_4M, SZ_16M,
		SZ_16M + SZ_8M, SZ_32M, SZ_64M,
	};

	fb_put_au(m, au[fb_ssr_bits(card, 392, 4)]);
}

/* VSC_AU_SIZE: in MiB */
static void fb_show_ssr_video_au_bytes(struct seq_file *m,
				       const struct mmc_card *card)
{
	fb_put_au(m, (u64)fb_ssr_bits(card, 368, 10) * SZ_1M);
}

static void fb_show_ssr_speed_class(struct seq_file *m,
				    const struct mmc_card *card)
{
	static const u8 class[] = { 0, 2, 4, 6, 10 };
	u32 code = fb_ssr_bits(card, 440, 8);

	if (code < ARRAY_SIZE(class))
		seq_printf(m, "%u", class[code]);
	else
		seq_printf(m, "unknown (%u)", code);
}

/* The core sets both to -EINVAL if there is no enhanced area. */
static bool fb_has_enhanced(const struct mmc_card *card)
{
	return card->ext_csd.enhanced_area_offset != (u64)-EINVAL;
}

static void fb_show_ext_csd_enhanced_start_bytes(struct seq_file *m,
						 const struct mmc_card *card)
{
	if (fb_has_enhanced(card))
		seq_printf(m, "%llu", card->ext_csd.enhanced_area_offset);
	else
		seq_puts(m, "none");
}

static void fb_show_ext_csd_enhanced_size_kib(struct seq_file *m,
					      const struct mmc_card *card)
{
	if (fb_has_enhanced(card))
		seq_printf(m, "%u", card->ext_csd.enhanced_area_size);
	else
		seq_puts(m, "none");
}

/* Size of one of the two boot partitions, which are equal. */
static u64 fb_get_ext_csd_boot_size_bytes(const struct mmc_card *card)
{
	unsigned int i;

	for (i = 0; i < card->nr_parts; i++)
		if (card->part[i].area_type & MMC_BLK_DATA_AREA_BOOT)
			return card->part[i].size;
	return 0;
}

static void fb_show_ext_csd_fw_version(struct seq_file *m,
				       const struct mmc_card *card)
{
	seq_printf(m, "0x%*phN", MMC_FIRMWARE_LEN, card->ext_csd.fwrev);
}

static void fb_put_words(struct seq_file *m, const u32 *reg, unsigned int words)
{
	unsigned int i;

	for (i = 0; i < words; i++)
		seq_printf(m, "%08x", reg[i]);
}

static void fb_show_cid(struct seq_file *m, const struct mmc_card *card)
{
	fb_put_words(m, card->raw_cid, ARRAY_SIZE(card->raw_cid));
}

static void fb_show_csd(struct seq_file *m, const struct mmc_card *card)
{
	fb_put_words(m, card->raw_csd, ARRAY_SIZE(card->raw_csd));
}

static void fb_show_scr(struct seq_file *m, const struct mmc_card *card)
{
	fb_put_words(m, card->raw_scr, ARRAY_SIZE(card->raw_scr));
}

static void fb_show_ssr(struct seq_file *m, const struct mmc_card *card)
{
	fb_put_words(m, card->raw_ssr, ARRAY_SIZE(card->raw_ssr));
}

FB_VALUE(bus_width_bits, 1 << card->host->ios.bus_width)
FB_VALUE(clock_hz, card->host->ios.clock)
FB_VALUE(quirks, card->quirks)
FB_VALUE(rca, card->rca)

FB_VALUE(cid_manfid, card->cid.manfid)
FB_VALUE(cid_oemid, card->cid.oemid)
FB_VALUE(cid_hwrev, card->cid.hwrev)
FB_VALUE(cid_fwrev, card->cid.fwrev)
FB_VALUE(cid_prv, card->cid.prv)
FB_VALUE(cid_serial, card->cid.serial)

FB_VALUE(csd_structure, fb_csd_bits(card, 126, 2))
FB_VALUE(csd_spec_version, card->csd.mmca_vsn)
FB_VALUE(csd_capacity_bytes,
	 (u64)card->csd.capacity << card->csd.read_blkbits)
FB_VALUE(csd_erase_sector_bytes, fb_csd_erase_bytes(card))
FB_VALUE(csd_max_dtr_hz, card->csd.max_dtr)
FB_VALUE(csd_cmdclass, card->csd.cmdclass)
FB_VALUE(csd_r2w_factor_log2, card->csd.r2w_factor)
FB_VALUE(csd_taac_ns, card->csd.taac_ns)
FB_VALUE(csd_taac_clks, card->csd.taac_clks)

FB_VALUE(scr_sda_vsn, card->scr.sda_vsn)
FB_VALUE(scr_sda_spec3, card->scr.sda_spec3)
FB_VALUE(scr_sda_spec4, card->scr.sda_spec4)
FB_VALUE(scr_sda_specx, card->scr.sda_specx)
FB_VALUE(scr_bus_widths, card->scr.bus_widths)
FB_VALUE(scr_cmds, card->scr.cmds)

FB_VALUE(ssr_erase_timeout_ms, card->ssr.erase_timeout)
FB_VALUE(ssr_erase_offset_ms, card->ssr.erase_offset)
FB_VALUE(ssr_uhs_speed_grade, fb_ssr_bits(card, 396, 4))
FB_VALUE(ssr_video_speed_class, fb_ssr_bits(card, 384, 8))
FB_VALUE(ssr_app_class, fb_ssr_bits(card, 336, 4))

FB_VALUE(ext_csd_rev, card->ext_csd.rev)
FB_VALUE(ext_csd_size_bytes, (u64)card->ext_csd.sectors << SECTOR_SHIFT)
FB_VALUE(ext_csd_data_sector_bytes, card->ext_csd.data_sector_size)
FB_VALUE(ext_csd_erase_group_def, card->ext_csd.erase_group_def)
FB_VALUE(ext_csd_hc_erase_bytes,
	 (u64)card->ext_csd.hc_erase_size << SECTOR_SHIFT)
FB_VALUE(ext_csd_hc_wp_group_bytes, (u64)card->ext_csd.hc_erase_size *
	 card->ext_csd.raw_hc_erase_gap_size << SECTOR_SHIFT)
FB_VALUE(ext_csd_hc_erase_timeout_ms, card->ext_csd.hc_erase_timeout)
FB_VALUE(ext_csd_trim_timeout_ms, card->ext_csd.trim_timeout)
FB_VALUE(ext_csd_sec_feature, card->ext_csd.sec_feature_support)
FB_VALUE(ext_csd_rel_sectors, card->ext_csd.rel_sectors)
FB_VALUE(ext_csd_rel_param, card->ext_csd.rel_param)
FB_VALUE(ext_csd_cache_size_kib, card->ext_csd.cache_size)
FB_VALUE(ext_csd_cache_ctrl, card->ext_csd.cache_ctrl)
FB_VALUE(ext_csd_cmdq_support, card->ext_csd.cmdq_support)
FB_VALUE(ext_csd_cmdq_enabled, card->ext_csd.cmdq_en)
FB_VALUE(ext_csd_cmdq_depth, card->ext_csd.cmdq_depth)
FB_VALUE(ext_csd_pre_eol, card->ext_csd.pre_eol_info)
FB_VALUE(ext_csd_life_time_a, card->ext_csd.device_life_time_est_typ_a)
FB_VALUE(ext_csd_life_time_b, card->ext_csd.device_life_time_est_typ_b)

static const struct fb_fact fb_facts[] = {
	FB_TEXT(card_type, FB_ANY),
	FB_TEXT(host, FB_ANY),
	FB_DEC(bus_width_bits, FB_ANY),
	FB_DEC(clock_hz, FB_ANY),
	FB_TEXT(timing, FB_ANY),
	FB_TEXT(signal_voltage_mv, FB_ANY),
	FB_HEX(quirks, FB_ANY, 8),
	FB_HEX(rca, FB_ANY, 4),
	FB_TEXT(erase_size_bytes, FB_ANY),
	FB_TEXT(preferred_erase_bytes, FB_ANY),

	FB_TEXT(cid, FB_ANY),
	FB_HEX(cid_manfid, FB_ANY, 6),
	FB_HEX(cid_oemid, FB_ANY, 4),
	FB_TEXT(cid_name, FB_ANY),
	FB_HEX(cid_hwrev, FB_ANY, 1),
	FB_HEX(cid_fwrev, FB_ANY, 1),
	FB_HEX(cid_prv, FB_MMC, 2),
	FB_HEX(cid_serial, FB_ANY, 8),
	FB_TEXT(cid_date, FB_ANY),

	FB_TEXT(csd, FB_ANY),
	FB_DEC(csd_structure, FB_ANY),
	FB_DEC(csd_spec_version, FB_MMC),
	FB_DEC(csd_capacity_bytes, FB_ANY),
	FB_DEC(csd_erase_sector_bytes, FB_ANY),
	FB_TEXT(csd_wp_group_bytes, FB_ANY),
	FB_DEC(csd_max_dtr_hz, FB_ANY),
	FB_HEX(csd_cmdclass, FB_ANY, 3),
	FB_DEC(csd_r2w_factor_log2, FB_ANY),
	FB_DEC(csd_taac_ns, FB_ANY),
	FB_DEC(csd_taac_clks, FB_ANY),

	FB_TEXT(scr, FB_SD),
	FB_DEC(scr_sda_vsn, FB_SD),
	FB_DEC(scr_sda_spec3, FB_SD),
	FB_DEC(scr_sda_spec4, FB_SD),
	FB_DEC(scr_sda_specx, FB_SD),
	FB_HEX(scr_bus_widths, FB_SD, 1),
	FB_HEX(scr_cmds, FB_SD, 1),

	FB_TEXT(ssr, FB_SD),
	FB_TEXT(ssr_au_bytes, FB_SD),
	FB_TEXT(ssr_uhs_au_bytes, FB_SD),
	FB_TEXT(ssr_video_au_bytes, FB_SD),
	FB_DEC(ssr_erase_timeout_ms, FB_SD),
	FB_DEC(ssr_erase_offset_ms, FB_SD),
	FB_TEXT(ssr_speed_class, FB_SD),
	FB_DEC(ssr_uhs_speed_grade, FB_SD),
	FB_DEC(ssr_video_speed_class, FB_SD),
	FB_DEC(ssr_app_class, FB_SD),

	FB_DEC(ext_csd_rev, FB_EXT_CSD),
	FB_DEC(ext_csd_size_bytes, FB_EXT_CSD),
	FB_DEC(ext_csd_data_sector_bytes, FB_EXT_CSD),
	FB_DEC(ext_csd_erase_group_def, FB_EXT_CSD),
	FB_DEC(ext_csd_hc_erase_bytes, FB_EXT_CSD),
	FB_DEC(ext_csd_hc_wp_group_bytes, FB_EXT_CSD),
	FB_DEC(ext_csd_hc_erase_timeout_ms, FB_EXT_CSD),
	FB_DEC(ext_csd_trim_timeout_ms, FB_EXT_CSD),
	FB_HEX(ext_csd_sec_feature, FB_EXT_CSD, 2),
	FB_DEC(ext_csd_rel_sectors, FB_EXT_CSD),
	FB_HEX(ext_csd_rel_param, FB_EXT_CSD, 2),
	FB_DEC(ext_csd_cache_size_kib, FB_EXT_CSD),
	FB_DEC(ext_csd_cache_ctrl, FB_EXT_CSD),
	FB_DEC(ext_csd_cmdq_support, FB_EXT_CSD),
	FB_DEC(ext_csd_cmdq_enabled, FB_EXT_CSD),
	FB_DEC(ext_csd_cmdq_depth, FB_EXT_CSD),
	FB_TEXT(ext_csd_enhanced_start_bytes, FB_EXT_CSD),
	FB_TEXT(ext_csd_enhanced_size_kib, FB_EXT_CSD),
	FB_DEC(ext_csd_boot_size_bytes, FB_EXT_CSD),
	FB_HEX(ext_csd_pre_eol, FB_EXT_CSD, 2),
	FB_HEX(ext_csd_life_time_a, FB_EXT_CSD, 2),
	FB_HEX(ext_csd_life_time_b, FB_EXT_CSD, 2),
	FB_TEXT(ext_csd_fw_version, FB_EXT_CSD),
};

static void fb_show_fact(struct seq_file *m, const struct mmc_card *card,
			 const struct fb_fact *fact)
{
	if (fact->show)
		fact->show(m, card);
	else if (fact->digits)
		seq_printf(m, "0x%0*llx", fact->digits, fact->get(card));
	else
		seq_printf(m, "%llu", fact->get(card));
}

/**
 * fb_mmc_show() - what the card claims, one "key: value" line for each fact
 * @m: where to
 * @card: from fb_mmc_get(); with NULL every key is there and says "n/a"
 */
void fb_mmc_show(struct seq_file *m, const struct mmc_card *card)
{
	u8 kinds = card ? fb_card_kinds(card) : 0;
	const struct fb_fact *fact;

	for (fact = fb_facts; fact < fb_facts + ARRAY_SIZE(fb_facts); fact++) {
		seq_printf(m, "%s: ", fact->key);
		if (fact->kinds & kinds)
			fb_show_fact(m, card, fact);
		else
			seq_puts(m, "n/a");
		seq_putc(m, '\n');
	}
}

/**
 * fb_mmc_erase_claim() - what a card says its erase block is
 * @card: from fb_mmc_get(), not NULL
 *
 * Return: bytes: the allocation unit of an SD card, the high-capacity erase
 * unit of an eMMC; 0 if it does not say.
 */
u64 fb_mmc_erase_claim(const struct mmc_card *card)
{
	if (fb_card_kinds(card) & FB_SD)
		return (u64)card->ssr.au << SECTOR_SHIFT;
	return (u64)card->ext_csd.hc_erase_size << SECTOR_SHIFT;
}

/**
 * fb_mmc_identity() - which card this is, in one line
 * @card: from fb_mmc_get(), not NULL
 * @buf: receives type, name, manufacturer, serial number and the whole CID,
 *	without newline
 * @size: of @buf, bytes
 */
void fb_mmc_identity(const struct mmc_card *card, char *buf, size_t size)
{
	const char *name = card->cid.prod_name;
	const u32 *cid = card->raw_cid;

	snprintf(buf, size,
		 "%s %*pEhp manfid 0x%06x oemid 0x%04x serial 0x%08x cid %08x%08x%08x%08x",
		 fb_card_type(card),
		 (int)strnlen(name, sizeof(card->cid.prod_name)), name,
		 card->cid.manfid, card->cid.oemid, card->cid.serial,
		 cid[0], cid[1], cid[2], cid[3]);
}

/**
 * fb_mmc_get() - find the card behind a block device
 * @bdev: held open by the caller, which keeps mmc_core loaded, too
 *
 * The card is the parent of the disk or, for a hardware partition of an eMMC,
 * the grandparent. Its bus is private to mmc_core and is known by its name.
 *
 * Context: process context, may sleep.
 * Return: the card, to be given back with fb_mmc_put(), or NULL if the device
 *	is no SD or MMC card or has been removed.
 */
struct mmc_card *fb_mmc_get(struct block_device *bdev)
{
	struct gendisk *disk = bdev->bd_disk;
	struct mmc_card *card = NULL;
	struct device *dev;

	/* A removed disk no longer holds its parent, but still points to it. */
	if (!fb_disk_lock_live(disk))
		return NULL;
	for (dev = disk_to_dev(disk); dev; dev = dev->parent) {
		if (!dev->bus || strcmp(dev->bus->name, "mmc"))
			continue;
		card = container_of(dev, struct mmc_card, dev);
		get_device(&card->dev);
		get_device(mmc_classdev(card->host));
		break;
	}
	fb_disk_unlock(disk);
	return card;
}

/**
 * fb_mmc_put() - give a card back
 * @card: from fb_mmc_get(), may be NULL
 */
void fb_mmc_put(struct mmc_card *card)
{
	struct mmc_host *host;

	if (!card)
		return;
	host = card->host;
	put_device(&card->dev);
	put_device(mmc_classdev(host));
}
