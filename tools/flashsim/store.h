/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is on a simulated card: sparse, in memory.
 */
#ifndef FLASHSIM_STORE_H
#define FLASHSIM_STORE_H

#include <linux/types.h>
#include <linux/xarray.h>

/**
 * struct fsim_store - content
 * @pages: by offset / FSIM_STORE_PAGE: a page of data, or a value, which is
 *	the one byte the whole page consists of; nothing is @erased
 * @erased: what is read where nothing was written
 */
struct fsim_store {
	struct xarray pages;
	u8 erased;
};

#define FSIM_STORE_PAGE	4096u

void fsim_store_init(struct fsim_store *s, u8 erased);
void fsim_store_free(struct fsim_store *s);
void fsim_store_read(struct fsim_store *s, u64 off, void *buf, size_t len);
int fsim_store_write(struct fsim_store *s, u64 off, const void *buf,
		     size_t len);
int fsim_store_erase(struct fsim_store *s, u64 off, u64 len);

#endif
