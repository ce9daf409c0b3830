// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data of a run: memory as contiguous as the system has it, and what is
 * in it.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "blkio.h"
#include "compat.h"

/* Longest piece. It is larger than what one command to a card usually takes. */
#define FB_PIECE_MAX	SZ_4M

/* What is filled from one seed; no piece and no page is smaller */
#define FB_FILL_BLOCK	SZ_4K

static struct page *fb_alloc_piece(u64 bytes, u32 min_order, u32 *order)
{
	const gfp_t gfp = GFP_KERNEL | __GFP_COMP | __GFP_NOWARN;
	struct page *page;

	*order = min_t(u32, get_order(min_t(u64, bytes, FB_PIECE_MAX)),
		       FB_MAX_PAGE_ORDER);
	for (; *order > min_order; --*order) {
		page = alloc_pages(gfp | __GFP_NORETRY, *order);
		if (page)
			return page;
	}
	/* rather no run than a process killed for its memory */
	*order = min_order;
	return alloc_pages(gfp | __GFP_RETRY_MAYFAIL, min_order);
}

/**
 * fb_buffer_alloc() - get memory
 * @buf: all zero; to be freed with fb_buffer_free() in any case
 * @bytes: how much is needed
 * @unit: the length of each piece is a multiple of this; a power of two
 *
 * Return: 0 or -ENOMEM.
 */
int fb_buffer_alloc(struct fb_buffer *buf, u64 bytes, u32 unit)
{
	u32 min_order = get_order(unit);
	u64 got = 0;

	buf->pieces = kvcalloc((bytes >> (PAGE_SHIFT + min_order)) + 1,
			       sizeof(*buf->pieces), GFP_KERNEL);
	if (!buf->pieces)
		return -ENOMEM;
	while (got < bytes) {
		struct fb_piece *piece = &buf->pieces[buf->nr];
		u32 order;

		piece->page = fb_alloc_piece(bytes - got, min_order, &order);
		if (!piece->page)
			return -ENOMEM;
		piece->len = PAGE_SIZE << order;
		got += piece->len;
		buf->nr++;
	}
	return 0;
}

/**
 * fb_buffer_free() - give it back
 * @buf: the memory, also if fb_buffer_alloc() failed
 */
void fb_buffer_free(struct fb_buffer *buf)
{
	u32 i;

	for (i = 0; i < buf->nr; i++)
		__free_pages(buf->pieces[i].page,
			     get_order(buf->pieces[i].len));
	kvfree(buf->pieces);
}

static void fb_fill_block(void *data, u64 block, int pattern, u64 seed)
{
	if (pattern == FB_PATTERN_RANDOM)
		fb_fill_random(data, FB_FILL_BLOCK, fb_hash(seed) + block);
	else
		memset(data, pattern == FB_PATTERN_ONE ? 0xff : 0,
		       FB_FILL_BLOCK);
}

/**
 * fb_buffer_fill() - put data into the start of a buffer
 * @buf: the buffer
 * @bytes: how much at least
 * @pattern: enum fb_pattern
 * @seed: of the random pattern
 *
 * What a place then holds depends on nothing but its distance from the start:
 * not on the pieces, which depend on the day.
 *
 * Context: process context, may sleep.
 */
void fb_buffer_fill(struct fb_buffer *buf, u64 bytes, int pattern, u64 seed)
{
	u64 block = 0;
	u32 i, off;

	for (i = 0; i < buf->nr; i++) {
		void *data = page_address(buf->pieces[i].page);

		for (off = 0; off < buf->pieces[i].len; off += FB_FILL_BLOCK) {
			if (block * FB_FILL_BLOCK >= bytes)
				return;
			fb_fill_block(data + off, block++, pattern, seed);
		}
		cond_resched();
	}
}

/**
 * fb_advance() - go on in a buffer
 * @buf: the buffer
 * @at: the place
 * @bytes: by how much; at most to the end of the piece
 */
void fb_advance(const struct fb_buffer *buf, struct fb_place *at, u32 bytes)
{
	at->off += bytes;
	if (at->off >= buf->pieces[at->piece].len) {
		at->piece++;
		at->off = 0;
	}
}
