// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is on a simulated card: sparse, in memory.
 *
 * Benchmarks write gigabytes of pages that consist of a single byte: of those
 * only the byte is kept.
 */
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "store.h"

/**
 * fsim_store_init() - an empty store
 * @s: the store
 * @erased: what is read where nothing was written
 */
void fsim_store_init(struct fsim_store *s, u8 erased)
{
	xa_init(&s->pages);
	s->erased = erased;
}

static void store_free(void *entry)
{
	if (entry && !xa_is_value(entry))
		free_page((unsigned long)entry);
}

/**
 * fsim_store_free() - forget everything
 * @s: the store; empty, but usable afterwards
 */
void fsim_store_free(struct fsim_store *s)
{
	unsigned long index;
	void *entry;

	xa_for_each(&s->pages, index, entry)
		store_free(entry);
	xa_destroy(&s->pages);
}

static u8 store_byte(const struct fsim_store *s, void *entry)
{
	return entry ? xa_to_value(entry) : s->erased;
}

static void store_read_page(struct fsim_store *s, unsigned long index,
			    u32 in_page, void *buf, size_t len)
{
	void *entry = xa_load(&s->pages, index);

	if (entry && !xa_is_value(entry))
		memcpy(buf, entry + in_page, len);
	else
		memset(buf, store_byte(s, entry), len);
}

/* A real page at @index, with what is there now */
static void *store_expand(struct fsim_store *s, unsigned long index)
{
	void *entry = xa_load(&s->pages, index);
	void *page;

	if (entry && !xa_is_value(entry))
		return entry;
	page = (void *)__get_free_page(GFP_NOIO);
	if (!page)
		return NULL;
	memset(page, store_byte(s, entry), FSIM_STORE_PAGE);
	if (xa_is_err(xa_store(&s->pages, index, page, GFP_NOIO))) {
		free_page((unsigned long)page);
		return NULL;
	}
	return page;
}

/* The page at @index consists of nothing but @byte */
static int store_uniform(struct fsim_store *s, unsigned long index, u8 byte)
{
	void *old;

	if (byte == s->erased)
		old = xa_erase(&s->pages, index);
	else
		old = xa_store(&s->pages, index, xa_mk_value(byte), GFP_NOIO);
	if (xa_is_err(old))
		return xa_err(old);
	store_free(old);
	return 0;
}

static int store_write_page(struct fsim_store *s, unsigned long index,
			    u32 in_page, const void *buf, size_t len)
{
	u8 byte = *(const u8 *)buf;
	void *page;

	if (len == FSIM_STORE_PAGE && !memchr_inv(buf, byte, len))
		return store_uniform(s, index, byte);
	page = store_expand(s, index);
	if (!page)
		return -ENOMEM;
	memcpy(page + in_page, buf, len);
	return 0;
}

/**
 * fsim_store_read() - read
 * @s: the store
 * @off: byte offset
 * @buf: gets the data
 * @len: bytes
 */
void fsim_store_read(struct fsim_store *s, u64 off, void *buf, size_t len)
{
	u32 in_page, n;

	for (; len; off += n, buf += n, len -= n) {
		in_page = off % FSIM_STORE_PAGE;
		n = min_t(size_t, len, FSIM_STORE_PAGE - in_page);
		store_read_page(s, off / FSIM_STORE_PAGE, in_page, buf, n);
	}
}

/**
 * fsim_store_write() - write
 * @s: the store
 * @off: byte offset
 * @buf: data
 * @len: bytes
 *
 * Return: 0 or -ENOMEM. May sleep.
 */
int fsim_store_write(struct fsim_store *s, u64 off, const void *buf, size_t len)
{
	u32 in_page, n;
	int err;

	for (; len; off += n, buf += n, len -= n) {
		in_page = off % FSIM_STORE_PAGE;
		n = min_t(size_t, len, FSIM_STORE_PAGE - in_page);
		err = store_write_page(s, off / FSIM_STORE_PAGE, in_page, buf,
				       n);
		if (err)
			return err;
	}
	return 0;
}

/* All pages from @first up to but not including @end */
static void store_erase_pages(struct fsim_store *s, unsigned long first,
			      unsigned long end)
{
	unsigned long index;
	void *entry;

	if (first >= end)
		return;
	xa_for_each_range(&s->pages, index, entry, first, end - 1) {
		xa_erase(&s->pages, index);
		store_free(entry);
	}
}

static int store_erase_part(struct fsim_store *s, unsigned long index,
			    u32 in_page, u32 len)
{
	void *page;

	if (!len || !xa_load(&s->pages, index))
		return 0;
	page = store_expand(s, index);
	if (!page)
		return -ENOMEM;
	memset(page + in_page, s->erased, len);
	return 0;
}

/**
 * fsim_store_erase() - forget what is there
 * @s: the store
 * @off: byte offset
 * @len: bytes
 *
 * Return: 0 or -ENOMEM. May sleep.
 */
int fsim_store_erase(struct fsim_store *s, u64 off, u64 len)
{
	u64 end = off + len;
	unsigned long first = DIV_ROUND_UP_ULL(off, FSIM_STORE_PAGE);
	unsigned long last = end / FSIM_STORE_PAGE;
	u32 head = off % FSIM_STORE_PAGE;
	u32 tail = end % FSIM_STORE_PAGE;
	int err;

	if (first > last)
		return store_erase_part(s, last, head, len);
	store_erase_pages(s, first, last);
	err = store_erase_part(s, first - 1, head,
			       head ? FSIM_STORE_PAGE - head : 0);
	return err ? err : store_erase_part(s, last, 0, tail);
}
