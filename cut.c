// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much of an operation goes into one bio.
 *
 * A bio that the block layer has to split is several commands to the card, and
 * the first of them is not where we meant it to be. So what block/blk-merge.c
 * does with a bio is foreseen here, and bios are made to pass in one piece.
 */
#include <linux/mm.h>
#include "blkio.h"
#include "compat.h"

static void fb_cut_init_discard(struct fb_cut *cut, struct block_device *bdev)
{
	const struct queue_limits *lim = &bdev_get_queue(bdev)->limits;
	u32 max = min_t(u32, fb_max_discard_sectors(bdev),
			U32_MAX >> SECTOR_SHIFT) << SECTOR_SHIFT;

	cut->granule = max(lim->discard_granularity, cut->logical);
	cut->granule_offset = lim->discard_alignment % cut->granule;
	/* a granule can be more than a card erases at once */
	if (max >= cut->granule)
		cut->discard = max - max % cut->granule;
	else
		cut->discard = round_down(max, cut->logical);
}

/**
 * fb_cut_init() - learn the limits of a device
 * @cut: is filled in
 * @dev: the device
 */
void fb_cut_init(struct fb_cut *cut, struct fb_dev *dev)
{
	struct block_device *bdev = fb_dev_bdev(dev);
	struct request_queue *q = bdev_get_queue(bdev);
	u64 segment, bytes;

	cut->chunk = (u64)q->limits.chunk_sectors << SECTOR_SHIFT;
	cut->seg_mask = queue_segment_boundary(q);
	cut->virt_mask = queue_virt_boundary(q);
	cut->disk_start = fb_dev_disk_start(dev);
	cut->physical = queue_physical_block_size(q);
	cut->logical = queue_logical_block_size(q);
	cut->seg_bytes = queue_max_segment_size(q);
	cut->max_segs = queue_max_segments(q);
	cut->align = max_t(u32, queue_dma_alignment(q) + 1, SECTOR_SIZE);

	segment = min_t(u64, cut->seg_bytes - 1, cut->seg_mask) + 1;
	bytes = min3((u64)queue_max_sectors(q) << SECTOR_SHIFT,
		     segment * cut->max_segs, (u64)U32_MAX);
	cut->max_bytes = round_down((u32)bytes, cut->logical);
	fb_cut_init_discard(cut, bdev);
}

/**
 * fb_dev_limits() - what one bio to a device can be
 * @dev: the device
 * @lim: is filled in
 *
 * Some limits can be changed in sysfs at any time. A run takes them as they
 * are when it begins.
 */
void fb_dev_limits(struct fb_dev *dev, struct fb_limits *lim)
{
	struct fb_cut cut;

	fb_cut_init(&cut, dev);
	lim->logical_block = cut.logical;
	lim->max_bio_bytes = cut.max_bytes;
	lim->max_discard_bytes = cut.discard;
	lim->discard_granularity = cut.discard ? cut.granule : 0;
	lim->write_cache = fb_write_cache(fb_dev_bdev(dev));
}

/*
 * As get_max_io_size() has it: what must be cut is cut where a physical block
 * ends, if one does.
 */
static u32 fb_cut_size(const struct fb_cut *cut, u64 offset, u32 len)
{
	u64 disk = cut->disk_start + offset;
	u32 into = disk & (cut->physical - 1);
	u64 max = cut->max_bytes;
	u64 end;

	if (cut->chunk)
		max = min(max, cut->chunk - fb_modulo(disk, cut->chunk));
	end = round_down(into + max, cut->physical);
	max = end > into ? end - into : round_down(max, cut->logical);
	return min_t(u64, len, max);
}

/* As bvec_split_segs() has it; each piece of the buffer takes a bio_vec */
static u32 fb_cut_segments(const struct fb_cut *cut,
			   const struct fb_buffer *buf, struct fb_place at,
			   u32 len)
{
	const u32 end = at.piece + FB_BIO_MAX_VECS;
	u32 fit = 0;
	u32 segs;

	for (segs = 0; segs < cut->max_segs && fit < len; segs++) {
		const struct fb_piece *piece = &buf->pieces[at.piece];
		u64 phys = page_to_phys(piece->page) + at.off;
		u32 seg = min3(len - fit, piece->len - at.off, cut->seg_bytes);

		seg = min_t(u64, seg - 1,
			    cut->seg_mask - (phys & cut->seg_mask)) + 1;
		fit += seg;
		fb_advance(buf, &at, seg);
		if ((phys + seg) & cut->virt_mask || at.piece == end)
			break;
	}
	return fit;
}

/**
 * fb_cut_data() - how much of a read or write goes into the next bio
 * @cut: the limits
 * @buf: where its data is
 * @at: where in there that of this bio begins
 * @offset: where the bio begins, bytes from the start of the target
 * @len: what is left of the operation, bytes; the buffer has that much
 *
 * Return: bytes, at least a logical block.
 */
u32 fb_cut_data(const struct fb_cut *cut, const struct fb_buffer *buf,
		struct fb_place at, u64 offset, u32 len)
{
	len = fb_cut_size(cut, offset, len);
	len = fb_cut_segments(cut, buf, at, len);
	return max(round_down(len, cut->logical), cut->logical);
}

/**
 * fb_cut_discard() - how much of a discard goes into the next bio
 * @cut: the limits
 * @offset: where the bio begins, bytes from the start of the target
 * @len: what is left of the operation, bytes
 *
 * What must be cut is cut where a granule ends, or the device would round both
 * parts and leave a hole.
 *
 * Return: bytes, at least one.
 */
u32 fb_cut_discard(const struct fb_cut *cut, u64 offset, u32 len)
{
	u64 end = cut->disk_start + offset + cut->discard;
	u32 over;

	if (len <= cut->discard)
		return len;
	over = fb_modulo(end + cut->granule - cut->granule_offset,
			 cut->granule);
	return over < cut->discard ? cut->discard - over : cut->discard;
}

/**
 * fb_cut_max_bios() - how many bios an operation can become
 * @cut: the limits
 * @buf: where its data is
 * @len: its length, bytes
 *
 * Each bio but the last ends because it is as large as it may be, because a
 * chunk ends, or because it has as many segments or bio_vecs as it may. Those
 * end because they are as long as they may be, at a boundary, or with a piece.
 * What rounding takes off is less than half of any of that.
 *
 * Return: a number that is large enough wherever the operation begins.
 */
u32 fb_cut_max_bios(const struct fb_cut *cut, const struct fb_buffer *buf,
		    u64 len)
{
	u64 segs = div_u64(len, cut->seg_bytes) + buf->nr + 1;
	u64 n = buf->nr / FB_BIO_MAX_VECS;

	if (cut->seg_mask < len)
		segs += div64_u64(len, cut->seg_mask + 1);
	n += div_u64(len, cut->max_bytes) + div_u64(segs, cut->max_segs);
	if (cut->chunk)
		n += div64_u64(len, cut->chunk);
	if (cut->discard)
		n = max(n, div_u64(len, cut->discard));
	return 2 * n + 4;
}
