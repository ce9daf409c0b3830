// SPDX-License-Identifier: GPL-2.0-only
/*
 * What to do about what is known of a card: where partitions begin, and how
 * file systems are made. Nothing is said on what is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "command.h"
#include "verdict.h"

#define SECTOR		512ULL
#define KIB		1024ULL
#define MIB		(1024 * KIB)
#define EXT4_BLOCK	(4 * KIB)
#define F2FS_SEGMENT	(2 * MIB)
#define F2FS_LARGEST	(64 * MIB)	/* section that is of any use */
#define FAT_CLUSTER	(32 * KIB)	/* the usual one of SD cards */
#define FAT_LARGEST	(64 * KIB)
#define FAT_RESERVED	32		/* sectors, usual and least */
#define FAT_MOST	65535		/* sectors, the field has 16 bits */
#define FAT32_LEAST	(512 * MIB)	/* below this FAT16 is usual */

/**
 * struct facts - what is sure or likely; 0 is not known
 * @disk: size, bytes
 * @erase: erase block, bytes
 * @page: super page, or else page, or program unit, bytes
 * @page_key: which of them
 * @streams: erase blocks that can be open; U64_MAX: no limit
 * @fat_area: erase blocks for tables, "" if none or not known
 */
struct facts {
	u64 disk;
	u64 erase;
	u64 page;
	const char *page_key;
	u64 streams;
	char fat_area[FB_VALUE_LEN];
};

static u64 greatest_divisor(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static const char *size_text(u64 bytes, char *buf)
{
	fb_format_size(buf, FB_TEXT_LEN, bytes);
	return buf;
}

static void take_verdict(struct facts *facts, const struct verdict *v)
{
	static const char *const pages[] = {
		"super_page", "page", "program_unit",
	};
	size_t i;
	u64 n;

	if (strcmp(v->class, "sure") && strcmp(v->class, "likely"))
		return;
	if (!strcmp(v->key, "erase_block"))
		verdict_bytes(v, &facts->erase);
	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		if (!strcmp(v->key, pages[i]) && !facts->page &&
		    verdict_bytes(v, &facts->page))
			facts->page_key = pages[i];
	}
	if (!strcmp(v->key, "open_linear") && !strcmp(v->value, "no_limit"))
		facts->streams = U64_MAX;
	else if (!strcmp(v->key, "open_linear") && !fb_parse_u64(v->value, &n))
		facts->streams = n;
	if (!strcmp(v->key, "fat_area") && strcmp(v->value, "none"))
		snprintf(facts->fat_area, sizeof(facts->fat_area), "%s",
			 v->value);
}

/* The first multiple of the erase block from 1 MiB on, as partitions begin */
static u64 partition_start(const struct facts *facts)
{
	return fb_round_up(MIB, facts->erase);
}

static void advise_partition(FILE *f, const struct facts *facts)
{
	char size[FB_TEXT_LEN];
	u64 start = partition_start(facts);

	fprintf(f, "partition: start at a multiple of %s, sector %llu for the first, because an erase block that belongs to two partitions is collected for both\n",
		size_text(facts->erase, size), start / SECTOR);
	if (*facts->fat_area)
		fprintf(f, "partition: erase blocks %s of the card take small writes well; a file allocation table or a journal there profits\n",
			facts->fat_area);
}

/*
 * mkfs.ext4(8), -E: stride is what is written before the next chip, and
 * stripe-width what the allocator tries to fill and to align to; both in file
 * system blocks.
 */
static void advise_ext4(FILE *f, const struct facts *facts)
{
	bool stride = facts->page >= EXT4_BLOCK &&
		      !(facts->page % EXT4_BLOCK);

	if (facts->erase % EXT4_BLOCK || facts->erase < EXT4_BLOCK)
		return;
	fprintf(f, "ext4: mkfs.ext4 -b 4096 -E ");
	if (stride)
		fprintf(f, "stride=%llu,", facts->page / EXT4_BLOCK);
	fprintf(f, "stripe-width=%llu PARTITION, because that is an erase block",
		facts->erase / EXT4_BLOCK);
	if (stride)
		fprintf(f, ", and stride the %s",
			verdict_title(facts->page_key));
	fputc('\n', f);
}

/*
 * A section is what F2FS cleans at once, in segments of 2 MiB (mkfs.f2fs(8),
 * -s): the least common multiple with the erase block ends both together. Each
 * of the active logs fills a section of its own: 6, 4 or 2 of them (F2FS in
 * the kernel's documentation, active_logs).
 */
static void advise_f2fs(FILE *f, const struct facts *facts)
{
	u64 section = facts->erase / greatest_divisor(facts->erase,
						      F2FS_SEGMENT) *
		      F2FS_SEGMENT;
	char size[FB_TEXT_LEN];

	if (section > F2FS_LARGEST) {
		fprintf(f, "f2fs: no section of a useful size ends where erase blocks of %s do\n",
			size_text(facts->erase, size));
		return;
	}
	fprintf(f, "f2fs: mkfs.f2fs -s %llu -z 1 PARTITION, because a section of %s is whole erase blocks\n",
		section / F2FS_SEGMENT, size_text(section, size));
	if (!facts->streams)
		return;
	if (facts->streams >= 6)
		fprintf(f, "f2fs: mount as it is, because its 6 logs can be open at once\n");
	else if (facts->streams >= 2)
		fprintf(f, "f2fs: mount -o active_logs=%d, because only %llu erase blocks can be open at once\n",
			facts->streams >= 4 ? 4 : 2, facts->streams);
	else
		fprintf(f, "f2fs: better not, because only 1 erase block can be open at once, and it has 2 logs at least\n");
}

/* Sectors of one FAT32, as mkfs.fat(8) without -a reckons it */
static u64 fat_sectors(u64 sectors, u32 reserved, u32 cluster)
{
	u64 data = sectors - reserved;
	u64 clusters = (data * SECTOR + 2 * 8) / (cluster + 2 * 4);

	return ((clusters + 2) * 4 + SECTOR - 1) / SECTOR;
}

/**
 * advice_fat_reserved() - align the data of a FAT32 file system
 * @sectors: of the partition, which begins with an erase block
 * @cluster: bytes
 * @erase: erase block, bytes
 *
 * Data follow the reserved sectors and two tables: these three together have to
 * be whole erase blocks. Each sector more that is reserved is one less for
 * clusters, and may shorten the tables.
 *
 * Return: reserved sectors for mkfs.fat -a -R; 0 if the field is too small.
 */
u32 advice_fat_reserved(u64 sectors, u32 cluster, u64 erase)
{
	u64 unit = erase / SECTOR, reserved = FAT_RESERVED, tables, all;
	int i;

	for (i = 0; i < 16; i++) {
		if (reserved > FAT_MOST || reserved >= sectors)
			return 0;
		tables = 2 * fat_sectors(sectors, reserved, cluster);
		all = reserved + tables;
		if (!(all % unit))
			return reserved;
		reserved = fb_round_up(FAT_RESERVED + tables, unit) - tables;
	}
	return 0;
}

static void advise_fat(FILE *f, const struct facts *facts)
{
	u64 start = partition_start(facts), cluster = FAT_CLUSTER;
	char size[FB_TEXT_LEN];
	u32 reserved;

	if (facts->disk < start + FAT32_LEAST)
		return;
	while (cluster < facts->page && cluster < FAT_LARGEST)
		cluster *= 2;
	reserved = advice_fat_reserved((facts->disk - start) / SECTOR, cluster,
				       facts->erase);
	if (!reserved) {
		fprintf(f, "fat: the field for reserved sectors is too small to align clusters with erase blocks of %s\n",
			size_text(facts->erase, size));
		return;
	}
	fprintf(f, "fat: mkfs.vfat -F 32 -a -s %llu -R %u PARTITION, if it begins at sector %llu and takes all the rest: then clusters of %s begin with an erase block\n",
		cluster / SECTOR, reserved, start / SECTOR,
		size_text(cluster, size));
}

/**
 * advice_print() - what to do about a card
 * @f: where
 * @lines: the verdicts, as the module prints them
 * @disk: size, bytes; 0: not known
 */
void advice_print(FILE *f, const char *lines, u64 disk)
{
	struct facts facts = { .disk = disk };
	struct verdict v;

	while ((lines = verdict_next(lines, &v)))
		take_verdict(&facts, &v);
	if (!facts.erase) {
		fprintf(f, "no advice: the erase block is not known\n");
		return;
	}
	advise_partition(f, &facts);
	advise_ext4(f, &facts);
	advise_f2fs(f, &facts);
	advise_fat(f, &facts);
	if (!facts.page)
		fprintf(f, "not known: pages; ext4 goes without a stride\n");
	if (!facts.streams)
		fprintf(f, "not known: how many erase blocks can be open at once\n");
}
