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
#define F2FS_RESERVE	30		/* sections mkfs.f2fs keeps, or less */
#define FAT_CLUSTER	(32 * KIB)	/* the usual one of SD cards */
#define FAT_LARGEST	(64 * KIB)
#define FAT_SMALLEST	(4 * KIB)
#define FAT_RESERVED	32		/* sectors, usual and least */
#define FAT_MOST	65535		/* sectors, the field has 16 bits */
#define FAT32_LEAST	(512 * MIB)	/* below this FAT16 is usual */
#define FAT32_CLUSTERS	65525		/* with fewer it would be FAT16 */

/**
 * struct facts - what is sure or likely; 0 is not known
 * @disk: size, bytes
 * @erase: erase block, bytes
 * @page: super page, or else page, or program unit, bytes
 * @page_key: which of them
 * @unit: program unit, bytes
 * @streams: erase blocks that can be open; U64_MAX: no limit
 * @subunit: per cent that writing less than a unit costs, "" if not known
 * @unaligned: per cent that writing a unit unaligned costs, the same way
 * @fat_area: erase blocks for tables, "none", or "" if not known
 */
struct facts {
	u64 disk;
	u64 erase;
	u64 page;
	const char *page_key;
	u64 unit;
	u64 streams;
	char subunit[FB_VALUE_LEN];
	char unaligned[FB_VALUE_LEN];
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

static void take_size(struct facts *facts, const struct verdict *v)
{
	static const char *const pages[] = {
		"super_page", "page", "program_unit",
	};
	size_t i;

	if (!strcmp(v->key, "erase_block"))
		verdict_bytes(v, &facts->erase);
	if (!strcmp(v->key, "program_unit"))
		verdict_bytes(v, &facts->unit);
	/* they come in the order of preference */
	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		if (!strcmp(v->key, pages[i]) && !facts->page &&
		    verdict_bytes(v, &facts->page))
			facts->page_key = pages[i];
	}
}

static void take_word(const struct verdict *v, const char *key, char *word)
{
	if (!strcmp(v->key, key))
		snprintf(word, FB_VALUE_LEN, "%s", v->value);
}

/* What is neither sure nor likely is not known, whatever stands there */
static void take_verdict(struct facts *facts, const struct verdict *v)
{
	u64 n;

	if (strcmp(v->class, "sure") && strcmp(v->class, "likely"))
		return;
	take_size(facts, v);
	take_word(v, "subunit_penalty", facts->subunit);
	take_word(v, "unaligned_penalty", facts->unaligned);
	take_word(v, "fat_area", facts->fat_area);
	if (strcmp(v->key, "open_linear"))
		return;
	if (!strcmp(v->value, "no_limit"))
		facts->streams = U64_MAX;
	else if (!fb_parse_u64(v->value, &n))
		facts->streams = n;
}

/* The first multiple of the erase block from 1 MiB on, as partitions begin */
static u64 partition_start(const struct facts *facts)
{
	return fb_round_up(MIB, facts->erase);
}

/* Whole erase blocks up to the end of the disk; 0 if there are none */
static u64 partition_size(const struct facts *facts)
{
	u64 start = partition_start(facts);
	u64 end = facts->disk - facts->disk % facts->erase;

	return end > start ? end - start : 0;
}

static bool is_listed(const char *list, u64 block)
{
	char *rest;

	while (*list) {
		if (strtoull(list, &rest, 10) == block && rest != list)
			return true;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return false;
}

/* The tables of FAT follow the start of their partition: see advise_fat() */
static void advise_fat_area(FILE *f, const struct facts *facts)
{
	u64 block = partition_start(facts) / facts->erase;

	if (!*facts->fat_area || !strcmp(facts->fat_area, "none"))
		return;
	fprintf(f, "partition: the card has a FAT area, erase blocks %s from 0, which takes small writes well; the tables of a FAT file system in a partition that starts as said are %s\n",
		facts->fat_area, is_listed(facts->fat_area, block) ?
		"in it" : "not in it");
}

static void advise_partition(FILE *f, const struct facts *facts)
{
	u64 size = partition_size(facts);
	char text[FB_TEXT_LEN];

	fprintf(f, "partition: echo start=%llu",
		partition_start(facts) / SECTOR);
	if (size)
		fprintf(f, ",size=%llu", size / SECTOR);
	fprintf(f, " | sfdisk -X %s DISK replaces all partitions by one; else start each at a multiple of %s, because an erase block that belongs to two partitions is collected for both\n",
		facts->disk / SECTOR > U32_MAX ? "gpt" : "dos",
		size_text(facts->erase, text));
	advise_fat_area(f, facts);
}

/*
 * By Documentation/geometry.rst a write of less than the program unit, or
 * across two of them, takes longer by the penalties. Crossing pages costs time,
 * or they had not been found.
 */
static void advise_io(FILE *f, const struct facts *facts)
{
	u64 size = facts->unit ? facts->unit : facts->page;
	char text[FB_TEXT_LEN];

	if (!size)
		return;
	fprintf(f, "I/O: %s multiples of %s, aligned to that, because ",
		facts->unit ? "write" : "read", size_text(size, text));
	if (!facts->unit) {
		fprintf(f, "crossing a %s takes longer\n",
			verdict_title(facts->page_key));
		return;
	}
	fprintf(f, "that is what is programmed at once");
	if (*facts->subunit)
		fprintf(f, "; half of it costs %s %% more", facts->subunit);
	if (*facts->unaligned)
		fprintf(f, "; unaligned it costs %s %% more",
			facts->unaligned);
	fputc('\n', f);
}

/*
 * mkfs.ext4(8), -E: stride is what is written before the next chip, and
 * stripe-width what the allocator tries to fill and to align to; both in file
 * system blocks.
 */
static void advise_ext4(FILE *f, const struct facts *facts)
{
	bool stride = facts->page >= EXT4_BLOCK &&
		      !(facts->page % EXT4_BLOCK) &&
		      !(facts->erase % facts->page);

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
 * Each active log of F2FS fills a section of its own; there are 6, 4 or 2 of
 * them (active_logs in the kernel's Documentation/filesystems/f2fs.rst).
 */
static void advise_logs(FILE *f, const struct facts *facts)
{
	if (!facts->streams)
		return;
	if (facts->streams >= 6)
		fprintf(f, "f2fs: mount as it is, because its 6 logs can be open at once\n");
	else
		fprintf(f, "f2fs: mount -o active_logs=%d PARTITION DIRECTORY, because only %llu erase blocks can be open at once\n",
			facts->streams >= 4 ? 4 : 2, facts->streams);
}

/*
 * A section is what F2FS cleans at once, in segments of 2 MiB (mkfs.f2fs(8),
 * -s): the least common multiple with the erase block ends both together, and
 * the first section begins with a zone of the disk, which mkfs.f2fs sees to.
 * Zones (-z, in sections) of more than one keep logs in different parts of a
 * disk; nothing that is measured here tells such parts. The larger the
 * sections, the more is lost: mkfs.f2fs 1.15 keeps 21 to 30 of them.
 */
static void advise_f2fs(FILE *f, const struct facts *facts)
{
	u64 section = facts->erase / greatest_divisor(facts->erase,
						      F2FS_SEGMENT) *
		      F2FS_SEGMENT;
	char size[FB_TEXT_LEN], erase[FB_TEXT_LEN];

	size_text(facts->erase, erase);
	if (section > F2FS_LARGEST) {
		fprintf(f, "f2fs: no section of a useful size, up to 64MiB in segments of 2MiB, ends where erase blocks of %s do\n",
			erase);
		return;
	}
	if (facts->streams == 1) {
		fprintf(f, "f2fs: better not, because only 1 erase block can be open at once, and it has 2 logs at least\n");
		return;
	}
	size_text(section, size);
	if (facts->disk && facts->disk / 4 < F2FS_RESERVE * section) {
		fprintf(f, "f2fs: better not, because of sections of %s, which erase blocks of %s take, it keeps up to %d for itself, more than a quarter of the disk\n",
			size, erase, F2FS_RESERVE);
		return;
	}
	fprintf(f, "f2fs: mkfs.f2fs -s %llu -z 1 PARTITION, because a section of %s is %llu erase block%s of %s\n",
		section / F2FS_SEGMENT, size, section / facts->erase,
		section == facts->erase ? "" : "s", erase);
	advise_logs(f, facts);
}

/*
 * Clusters of FAT32 behind the reserved sectors, as mkfs.fat without -a reckons
 * them: each of them takes 4 bytes of both tables, and there are 2 entries more.
 */
static u64 fat_clusters(u64 sectors, u32 reserved, u32 cluster)
{
	return ((sectors - reserved) * SECTOR + 2 * 8) / (cluster + 2 * 4);
}

/* Sectors of one table */
static u64 fat_sectors(u64 sectors, u32 reserved, u32 cluster)
{
	u64 clusters = fat_clusters(sectors, reserved, cluster);

	return ((clusters + 2) * 4 + SECTOR - 1) / SECTOR;
}

/**
 * advice_fat_reserved() - align the data of a FAT32 file system
 * @sectors: of the partition, which begins with an erase block
 * @cluster: bytes
 * @erase: erase block, bytes
 *
 * Data follow the reserved sectors and two tables (Microsoft's FAT32 File System
 * Specification: first data sector): these three together have to be whole
 * erase blocks. Each sector more that is reserved is one less for clusters, and
 * may shorten the tables; so it is tried until it fits.
 *
 * Return: reserved sectors for mkfs.fat -a -R; 0 if the field is too small.
 */
u32 advice_fat_reserved(u64 sectors, u32 cluster, u64 erase)
{
	u64 unit = erase / SECTOR, reserved = FAT_RESERVED, tables, all;
	int i;

	for (i = 0; i < 16 && unit; i++) {
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

/*
 * The usual clusters of SD cards, or larger ones for larger pages; smaller ones
 * if they do not divide the erase block, or if there were so few of them that
 * others take it for FAT16, as the specification wants.
 */
static u32 fat_cluster(const struct facts *facts, u64 sectors)
{
	u32 cluster = FAT_CLUSTER;

	while (cluster < facts->page && cluster < FAT_LARGEST)
		cluster *= 2;
	while (cluster > FAT_SMALLEST &&
	       (facts->erase % cluster ||
		fat_clusters(sectors, FAT_MOST, cluster) < FAT32_CLUSTERS))
		cluster /= 2;
	return cluster;
}

static void advise_fat(FILE *f, const struct facts *facts)
{
	u64 sectors = partition_size(facts) / SECTOR, tables;
	char size[FB_TEXT_LEN], erase[FB_TEXT_LEN];
	u32 reserved, cluster;

	if (!facts->disk)
		return;
	if (sectors * SECTOR < FAT32_LEAST) {
		fprintf(f, "fat: nothing is known to say of FAT32 in less than 512MiB\n");
		return;
	}
	if (sectors > U32_MAX) {
		fprintf(f, "fat: FAT32 has no more than 2TiB\n");
		return;
	}
	size_text(facts->erase, erase);
	cluster = fat_cluster(facts, sectors);
	reserved = advice_fat_reserved(sectors, cluster, facts->erase);
	if (!reserved) {
		fprintf(f, "fat: the field for reserved sectors is too small to align clusters with erase blocks of %s\n",
			erase);
		return;
	}
	tables = fat_sectors(sectors, reserved, cluster);
	fprintf(f, "fat: mkfs.vfat -F 32 -a -s %llu -R %u PARTITION, if it starts as said, has %llu sectors and type c, because then %u reserved ones and 2 tables of %llu are %llu times %s, and clusters of %s begin with an erase block\n",
		cluster / SECTOR, reserved, sectors, reserved, tables,
		(reserved + 2 * tables) * SECTOR / facts->erase, erase,
		size_text(cluster, size));
}

static void say_not_known(FILE *f, const struct facts *facts)
{
	if (!facts->page)
		fprintf(f, "not known: pages; ext4 goes without a stride\n");
	if (!facts->unit)
		fprintf(f, "not known: what is programmed at once\n");
	if (!facts->streams)
		fprintf(f, "not known: how many erase blocks can be open at once\n");
	if (!*facts->fat_area)
		fprintf(f, "not known: whether there is a FAT area\n");
	if (!facts->disk)
		fprintf(f, "not known: size of the disk, which FAT depends on\n");
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
	if (!facts.erase || facts.erase % SECTOR) {
		fprintf(f, "no advice: the erase block is not known\n");
		advise_io(f, &facts);
		return;
	}
	if (disk && !partition_size(&facts)) {
		fprintf(f, "no advice: no partition can begin with an erase block on a disk that small\n");
		return;
	}
	advise_partition(f, &facts);
	advise_ext4(f, &facts);
	advise_f2fs(f, &facts);
	advise_fat(f, &facts);
	advise_io(f, &facts);
	say_not_known(f, &facts);
}
