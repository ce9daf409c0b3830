/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that make blkio share among themselves: dev.c (the device),
 * cut.c (how much of an operation goes into one bio), buffer.c (its data) and
 * blkio.c (the bios).
 */
#ifndef FLASHBENCH_BLKIO_H
#define FLASHBENCH_BLKIO_H

#include "flashbench.h"

struct page;

/* ---- dev.c ---- */

void fb_dev_guard(struct fb_dev *dev, struct fb_guard *guard);

/* ---- buffer.c: the data of a run ---- */

/**
 * struct fb_piece - physically contiguous part of a buffer
 * @page: its first page; always mapped
 * @len: bytes, a multiple of the page size
 */
struct fb_piece {
	struct page *page;
	u32 len;
};

/**
 * struct fb_buffer - memory for data, in pieces as long as there were
 * @pieces: them
 * @nr: how many
 */
struct fb_buffer {
	struct fb_piece *pieces;
	u32 nr;
};

/**
 * struct fb_place - a place in a buffer
 * @piece: which piece; the number of pieces at the end of the buffer
 * @off: bytes from its start, less than its length
 */
struct fb_place {
	u32 piece;
	u32 off;
};

int fb_buffer_alloc(struct fb_buffer *buf, u64 bytes, u32 unit);
void fb_buffer_free(struct fb_buffer *buf);
void fb_buffer_fill(struct fb_buffer *buf, u64 bytes, int pattern, u64 seed);
void fb_advance(const struct fb_buffer *buf, struct fb_place *at, u32 bytes);

/* ---- cut.c: how much of an operation goes into one bio ---- */

/**
 * struct fb_cut - where the block layer would cut a bio
 * @chunk: no bio may cross a multiple of this on the disk; 0 if it may
 * @seg_mask: a segment ends at the latest where these bits become all zero
 * @virt_mask: a segment that is not the last ends where these bits are zero
 * @disk_start: where the target begins on its disk
 * @max_bytes: largest bio
 * @physical: a bio that is cut at @max_bytes ends at a multiple of this
 * @logical: the length of a bio is a multiple of this
 * @seg_bytes: longest segment
 * @max_segs: most segments of a bio
 * @align: the data of a bio begins at a multiple of this
 * @discard: longest discard; 0 if there is none
 * @granule: a discard that is cut at @discard ends at a multiple of this...
 * @granule_offset: ...plus this on the disk
 *
 * All but @max_segs are in bytes.
 */
struct fb_cut {
	u64 chunk;
	u64 seg_mask;
	u64 virt_mask;
	u64 disk_start;
	u32 max_bytes;
	u32 physical;
	u32 logical;
	u32 seg_bytes;
	u32 max_segs;
	u32 align;
	u32 discard;
	u32 granule;
	u32 granule_offset;
};

void fb_cut_init(struct fb_cut *cut, struct fb_dev *dev);
u32 fb_cut_data(const struct fb_cut *cut, const struct fb_buffer *buf,
		struct fb_place at, u64 offset, u32 len);
u32 fb_cut_discard(const struct fb_cut *cut, u64 offset, u32 len);
u32 fb_cut_max_bios(const struct fb_cut *cut, const struct fb_buffer *buf,
		    u64 len);

#endif
