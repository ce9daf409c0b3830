/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must hold of a card after every operation, for unit tests and fuzzing.
 */
#ifndef FLASHSIM_CHECK_H
#define FLASHSIM_CHECK_H

#include "ftl.h"
#include "platform.h"

static u32 check_count(const u64 *map, u32 words)
{
	u32 i, n = 0;

	for (i = 0; i < words; i++)
		n += hweight64(map[i]);
	return n;
}

/* An open erase block of a block-mapped card; returns what is wrong */
static const char *check_slot(const struct ftl *ftl, const struct ftl_open *o)
{
	u32 i;

	if (o->block >= ftl->nblocks)
		return "an open block is none";
	if (check_count(o->pages, ftl->words) != o->npages)
		return "npages is not the number of pages";
	if (o->next > ftl->cfg.erase)
		return "next is beyond the block";
	if (o->fat != ftl_is_fat(&ftl->cfg, o->block))
		return "FAT or not?";
	for (i = 0; i < ftl->nslots; i++)
		if (&ftl->open[i] != o && ftl->open[i].block == o->block)
			return "a block is open twice";
	return NULL;
}

/* The whole card; returns what is wrong, or NULL */
static const char *check_card(const struct ftl *ftl)
{
	u32 i, nopen = 0, nrandom = 0;
	const char *wrong;

	for (i = 0; i < ftl->nslots; i++) {
		const struct ftl_open *o = &ftl->open[i];

		if (o->block == FTL_NO_BLOCK)
			continue;
		if (!ftl_is_log(&ftl->cfg)) {
			wrong = check_slot(ftl, o);
			if (wrong)
				return wrong;
		}
		nopen += !o->fat;
		nrandom += o->random && !o->fat;
	}
	if (nopen != ftl->nopen)
		return "nopen is wrong";
	if (nrandom != ftl->nrandom)
		return "nrandom is wrong";
	if (!ftl_is_log(&ftl->cfg) && nopen > ftl->cfg.open)
		return "more blocks are open than can be";
	if (!ftl_is_log(&ftl->cfg) && nrandom > ftl->cfg.open_random)
		return "more are open out of order than can be";
	if (ftl->cached > ftl->cfg.cache)
		return "the cache is fuller than full";
	if (ftl->totals.programmed_bytes < ftl->totals.copied_bytes)
		return "more copied than programmed";
	return NULL;
}

#endif
