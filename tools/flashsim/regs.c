// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of a simulated card.
 *
 * Fields and positions: SD Physical Layer Simplified Specification 6.00,
 * chapters 4.10.2 and 5; JEDEC JESD84-B51, chapter 7.
 */
#include "platform.h"
#include "regs.h"

#define SDSC_MAX	(2ULL << 30)

/* @width bits at bit @pos, counted from the end, of a register of @len bytes */
static void reg_set(u8 *reg, u32 len, u32 pos, u32 width, u32 val)
{
	u32 i, bit;

	for (i = 0; i < width; i++) {
		bit = pos + i;
		if (val >> i & 1)
			reg[len - 1 - bit / 8] |= 1 << (bit % 8);
		else
			reg[len - 1 - bit / 8] &= ~(1 << (bit % 8));
	}
}

static u32 reg_get(const u8 *reg, u32 len, u32 pos, u32 width)
{
	u32 i, bit, val = 0;

	for (i = 0; i < width; i++) {
		bit = pos + i;
		val |= (u32)(reg[len - 1 - bit / 8] >> (bit % 8) & 1) << i;
	}
	return val;
}

static void make_cid_sd(u8 *cid, u32 serial)
{
	/* 0xfe is no manufacturer; F S; FLSIM; 1.0; 2025-01 */
	static const u8 fixed[] = { 0xfe, 'F', 'S', 'F', 'L', 'S', 'I', 'M',
				    0x10 };

	memcpy(cid, fixed, sizeof(fixed));
	reg_set(cid, 16, 24, 32, serial);
	reg_set(cid, 16, 8, 12, 25 << 4 | 1);
	reg_set(cid, 16, 0, 1, 1);
}

static void make_cid_mmc(u8 *cid, u32 serial)
{
	static const u8 fixed[] = { 0xfe, 0x01, 'F', 'F', 'L', 'S', 'I', 'M',
				    ' ', 0x10 };

	memcpy(cid, fixed, sizeof(fixed));
	reg_set(cid, 16, 16, 32, serial);
	/* years wrap round: 2025 = 2013 + 12 with EXT_CSD_REV 5 and later */
	reg_set(cid, 16, 8, 8, 1 << 4 | 12);
	reg_set(cid, 16, 0, 1, 1);
}

/* What all our CSDs have in common */
static void make_csd_common(u8 *csd, u32 structure, u32 classes)
{
	reg_set(csd, 16, 126, 2, structure);
	reg_set(csd, 16, 112, 8, 0x0e);		/* TAAC: 1 ms */
	reg_set(csd, 16, 96, 8, 0x32);		/* 25 (SD) or 26 MHz */
	reg_set(csd, 16, 84, 12, classes);
	reg_set(csd, 16, 80, 4, 9);		/* READ_BL_LEN */
	reg_set(csd, 16, 26, 3, 2);		/* R2W_FACTOR */
	reg_set(csd, 16, 22, 4, 9);		/* WRITE_BL_LEN */
	reg_set(csd, 16, 0, 1, 1);
}

/* C_SIZE, C_SIZE_MULT and READ_BL_LEN: (a + 1) << (b + 2) << c bytes */
static int make_csd_capacity(u8 *csd, u64 size)
{
	u32 shift, len;

	for (shift = 11; shift <= 20; shift++)
		if (size <= 4096ULL << shift && !(size & ((1ULL << shift) - 1)))
			break;
	if (shift > 20)
		return -EINVAL;
	/* the multiplier goes up to 7, which is a shift by 9 */
	len = max(shift - 9, 9u);
	reg_set(csd, 16, 80, 4, len);
	reg_set(csd, 16, 62, 12, (u32)(size >> shift) - 1);
	reg_set(csd, 16, 47, 3, shift - len - 2);
	reg_set(csd, 16, 22, 4, len);
	return 0;
}

static int make_csd_sdsc(u8 *csd, u64 size)
{
	make_csd_common(csd, 0, 0x5b5);
	reg_set(csd, 16, 79, 1, 1);		/* READ_BL_PARTIAL */
	reg_set(csd, 16, 50, 12, 0xdb6);	/* currents: 35 and 45 mA */
	reg_set(csd, 16, 46, 1, 1);		/* ERASE_BLK_EN */
	reg_set(csd, 16, 39, 7, 127);		/* SECTOR_SIZE */
	return make_csd_capacity(csd, size);
}

static int make_csd_sdhc(u8 *csd, u64 size)
{
	if (size & ((512 << 10) - 1) || size >> 19 > 1 << 22)
		return -EINVAL;
	make_csd_common(csd, 1, 0x5b5);
	reg_set(csd, 16, 48, 22, (u32)(size >> 19) - 1);
	reg_set(csd, 16, 46, 1, 1);
	reg_set(csd, 16, 39, 7, 127);
	return 0;
}

static int make_csd_mmc(u8 *csd, u64 size)
{
	make_csd_common(csd, 3, 0x0f5);
	reg_set(csd, 16, 122, 4, 4);		/* SPEC_VERS */
	/* erase group without ERASE_GROUP_DEF: 32 * 32 sectors */
	reg_set(csd, 16, 42, 5, 31);
	reg_set(csd, 16, 37, 5, 31);
	if (size <= SDSC_MAX)
		return make_csd_capacity(csd, size);
	/* the capacity is in the EXT_CSD */
	reg_set(csd, 16, 62, 12, 0xfff);
	reg_set(csd, 16, 47, 3, 7);
	return 0;
}

/* What a CSD says the capacity is; 0 if it is in the EXT_CSD */
static u64 csd_size(const u8 *csd, bool mmc)
{
	u32 c = reg_get(csd, 16, 62, 12) + 1;
	u32 shift = reg_get(csd, 16, 47, 3) + 2 + reg_get(csd, 16, 80, 4);

	if (!mmc && reg_get(csd, 16, 126, 2))
		return (u64)(reg_get(csd, 16, 48, 22) + 1) << 19;
	if (mmc && c == 4096 && reg_get(csd, 16, 47, 3) == 7)
		return 0;
	return (u64)c << shift;
}

/* The code of an allocation unit, 0 if there is none */
static u32 au_code(u64 au)
{
	static const u16 kib[] = {
		0, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192,
		12288, 16384, 24576, 32768,
	};
	u32 i;

	for (i = 1; i < ARRAY_SIZE(kib); i++)
		if (au == (u64)kib[i] << 10)
			return i;
	return au == 64 << 20 ? 15 : 0;
}

static int make_sd(struct fsim_regs *r, const struct fsim_config *cfg,
		   char *reason)
{
	u64 au = cfg->au ? cfg->au : cfg->ftl.erase;
	u64 size = cfg->ftl.size;
	bool sdsc = cfg->type == FSIM_SDSC ||
		    (cfg->type == FSIM_SD && size <= SDSC_MAX);

	make_cid_sd(r->cid, cfg->ftl.seed);
	if (!cfg->csd.len && (sdsc ? make_csd_sdsc(r->csd, size) :
				     make_csd_sdhc(r->csd, size))) {
		scnprintf(reason, FSIM_REASON_LEN, sdsc ?
			  "size: no CSD 1.0 can say that" :
			  "size: must be a multiple of 512K, 2T at most");
		return -EINVAL;
	}
	reg_set(r->scr, 8, 56, 4, 2);		/* SD_SPEC 2, */
	reg_set(r->scr, 8, 47, 1, 1);		/* SD_SPEC3: 3.0x */
	reg_set(r->scr, 8, 52, 3, sdsc ? 2 : 3);	/* SD_SECURITY */
	reg_set(r->scr, 8, 48, 4, 5);		/* 1 and 4 lines */
	reg_set(r->scr, 8, 33, 1, cfg->cmd23);

	reg_set(r->ssr, 64, 440, 8, 2);		/* class 4 */
	reg_set(r->ssr, 64, 428, 4, au_code(au));
	reg_set(r->ssr, 64, 408, 16, au_code(au) ? 1 : 0);
	reg_set(r->ssr, 64, 402, 6, au_code(au) ? 1 : 0);
	if (cfg->au && !au_code(cfg->au)) {
		scnprintf(reason, FSIM_REASON_LEN, "au: there is no code for it");
		return -EINVAL;
	}
	return 0;
}

static void make_ext_csd(u8 *e, const struct fsim_config *cfg)
{
	u64 sectors = cfg->ftl.size >> 9;
	u64 group = cfg->erase_group >> 19;
	u64 cache = cfg->ftl.cache >> 7;	/* Kibit */
	u32 i;

	if (!group)
		group = min_t(u64, max_t(u64, cfg->ftl.erase >> 19, 1), 255);
	e[160] = 0;				/* PARTITIONING_SUPPORT */
	e[166] = 4;				/* WR_REL_PARAM: EN_REL_WR */
	e[192] = 7;				/* EXT_CSD_REV: 5.0 */
	e[194] = 2;				/* CSD_STRUCTURE */
	e[196] = cfg->highspeed ? 3 : 0;	/* 26 and 52 MHz */
	e[199] = 1;				/* PARTITION_SWITCH_TIME */
	for (i = 0; i < 4; i++) {
		e[212 + i] = sectors >> (8 * i);
		e[249 + i] = cache >> (8 * i);
	}
	e[217] = 16;				/* S_A_TIMEOUT */
	e[221] = 1;				/* HC_WP_GRP_SIZE */
	e[222] = cfg->rel_sectors;
	e[223] = 1;				/* ERASE_TIMEOUT_MULT */
	e[224] = group;
	e[226] = cfg->boot >> 17;
	e[231] = 0x10;				/* TRIM */
	e[232] = 1;				/* TRIM_MULT */
	e[247] = 10;				/* POWER_OFF_LONG_TIME */
	e[248] = 10;				/* GENERIC_CMD6_TIME */
	memcpy(e + 254, "FLASHSIM", 8);		/* FIRMWARE_VERSION */
	e[267] = 1;				/* PRE_EOL_INFO: normal */
	e[268] = 1;				/* life time used: 0-10 % */
	e[269] = 1;
	e[504] = 1;				/* S_CMD_SET */
}

static void given(u8 *reg, const struct fsim_reg *r)
{
	if (r->len)
		memcpy(reg, r->byte, r->len);
}

/**
 * fsim_regs_make() - the registers of a card
 * @regs: gets them
 * @cfg: the card; registers given there are taken as they are
 * @reason: buffer of FSIM_REASON_LEN for what is wrong
 *
 * Return: 0, or -EINVAL if a register cannot say what it should.
 */
int fsim_regs_make(struct fsim_regs *regs, const struct fsim_config *cfg,
		   char *reason)
{
	u64 size;

	memset(regs, 0, sizeof(*regs));
	regs->mmc = cfg->type == FSIM_MMC;
	if (regs->mmc) {
		make_cid_mmc(regs->cid, cfg->ftl.seed);
		if (!cfg->csd.len && make_csd_mmc(regs->csd, cfg->ftl.size)) {
			scnprintf(reason, FSIM_REASON_LEN,
				  "size: no CSD can say that");
			return -EINVAL;
		}
		make_ext_csd(regs->ext_csd, cfg);
	} else if (make_sd(regs, cfg, reason)) {
		return -EINVAL;
	}
	given(regs->cid, &cfg->cid);
	given(regs->csd, &cfg->csd);
	given(regs->scr, &cfg->scr);
	given(regs->ssr, &cfg->ssr);

	size = csd_size(regs->csd, regs->mmc);
	if (size && size != cfg->ftl.size) {
		scnprintf(reason, FSIM_REASON_LEN,
			  "size: %llu, but the CSD says %llu", cfg->ftl.size,
			  size);
		return -EINVAL;
	}
	if (regs->mmc)
		regs->block_addr = cfg->ftl.size > SDSC_MAX;
	else
		regs->block_addr = reg_get(regs->csd, 16, 126, 2) != 0;
	return 0;
}
