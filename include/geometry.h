/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a card is, from the times of its reads and writes. Pure: see pure.h.
 *
 * The inference submits nothing. It asks for a batch of operations and is
 * given their times, so it runs in the module, on a model of a card, or on
 * what was recorded. It sees the whole disk: all offsets here are bytes from
 * its start, since the structures of a card do not begin with a partition.
 */
#ifndef FLASHBENCH_GEOMETRY_H
#define FLASHBENCH_GEOMETRY_H

#include "pure.h"

#define FB_VALUE_LEN	64	/* longest value of a verdict, with its NUL */
#define FB_EVIDENCE_LEN	160	/* longest evidence, with its NUL */

#define FB_MAX_COLLECTIONS	400	/* default budget of slow writes */
#define FB_ASK_MAX_LEN	1048576u	/* longest operation, bytes */
#define FB_SCAN_STEP	32768u	/* from place to place of a scan, bytes */

#define FB_SURE		950	/* from so many per mille a verdict is sure, */
#define FB_LIKELY	800	/* likely; below this it is unknown */

/* In the order they are printed */
enum fb_verdict_key {
	FB_ERASE_BLOCK,
	FB_SUPER_PAGE,
	FB_PAGE,
	FB_OPEN_LINEAR,
	FB_OPEN_RANDOM,
	FB_FAT_AREA,
	FB_PROGRAM_UNIT,
	FB_SUBUNIT_PENALTY,
	FB_UNALIGNED_PENALTY,
	FB_MAPPING,
	FB_WRITE_CACHE,
	FB_UNWRITTEN,
	FB_NR_VERDICTS
};

/**
 * enum fb_basis - what a verdict rests on
 * @FB_BASIS_NONE: nothing was measured
 * @FB_BASIS_READ: reads alone
 * @FB_BASIS_CHECKED: reads, and writes that agree
 * @FB_BASIS_WRITE: writes
 */
enum fb_basis {
	FB_BASIS_NONE,
	FB_BASIS_READ,
	FB_BASIS_CHECKED,
	FB_BASIS_WRITE,
};

/**
 * struct fb_verdict - one answer
 * @value: as printed; "-" if it is unknown
 * @number: the same as a number where it is one: bytes, erase blocks, per
 *	cent; only valid if @confidence is at least FB_LIKELY
 * @confidence: per mille
 * @basis: what it rests on
 * @evidence: in few words; for an unknown one why, and what the candidate was
 */
struct fb_verdict {
	char value[FB_VALUE_LEN];
	u64 number;
	u32 confidence;
	enum fb_basis basis;
	char evidence[FB_EVIDENCE_LEN];
};

/**
 * struct fb_ask - an operation whose time is wanted
 * @offset: bytes from the start of the disk
 * @length: bytes; 0 for a flush alone
 * @opcode: FB_READ, FB_WRITE or FB_FLUSH
 * @flush: a write with a flush behind it, timed together
 * @key: enum fb_verdict_key: what it is done for
 */
struct fb_ask {
	u64 offset;
	u32 length;
	enum fb_opcode opcode;
	bool flush;
	u8 key;
};

/**
 * struct fb_probe - a card to ask, and what may be asked
 * @ask: do @n operations in this order, one at a time, after an access that
 *	wakes the card, and give their times in ns. Returns 0; -EDQUOT if a
 *	budget does not allow all of them; any other errno is passed on
 * @ctx: for @ask
 * @claims: what the card says of itself, for evidence; may be NULL
 * @disk_size: bytes
 * @start: first byte that may be touched
 * @end: the byte after the last one
 * @logical_block: bytes
 * @max_piece: longest operation that the device is given in one piece, bytes;
 *	0: no limit
 * @writes: may write
 * @write_cache: a flush does something
 * @scan: look for odd periods, too (thousands of reads more)
 * @max_collections: writes as slow as a collection, so many at most; 0: no
 *	limit
 * @only: mask of BIT(enum fb_verdict_key): what is wanted
 * @erase: the erase block, bytes, if it is given; 0: to be found
 * @seed: of all positions and orders
 */
struct fb_probe {
	int (*ask)(void *ctx, const struct fb_ask *ask, u64 *ns, u32 n);
	void *ctx;
	const char *claims;
	u64 disk_size;
	u64 start;
	u64 end;
	u32 logical_block;
	u32 max_piece;
	bool writes;
	bool write_cache;
	bool scan;
	u32 max_collections;
	u32 only;
	u64 erase;
	u64 seed;
};

struct fb_geometry;

extern const char *const fb_verdict_names[FB_NR_VERDICTS];
extern const char *const fb_basis_names[];

void fb_geometry_expect(u32 only, bool writes, struct fb_ledger *total);
size_t fb_geometry_size(void);
int fb_geometry_run(struct fb_geometry *g, const struct fb_probe *probe);
const struct fb_verdict *fb_geometry_verdict(const struct fb_geometry *g,
					     enum fb_verdict_key key);
int fb_geometry_line(const struct fb_geometry *g, enum fb_verdict_key key,
		     char *buf, size_t size);
u32 fb_geometry_collections(const struct fb_geometry *g);

#endif
