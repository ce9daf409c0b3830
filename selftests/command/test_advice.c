// SPDX-License-Identifier: GPL-2.0-only
/*
 * advice.c: verdicts, and what is advised.
 */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "tap.h"

#define GIB	(1ULL << 30)

/**
 * struct advice_case - a card
 * @name: what it is
 * @lines: its verdicts
 * @disk: bytes
 * @has: each of these, ";" between them, is in the advice
 * @none: none of these is
 */
static const struct advice_case {
	const char *name;
	const char *lines;
	u64 disk;
	const char *has;
	const char *none;
} cases[] = {
	{ "4 MiB",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t16384\tlikely\t900\tread\tx\n"
	  "open_linear\t5\tsure\t980\twrite\tx\n"
	  "fat_area\tnone\tlikely\t900\twrite\tx\n"
	  "program_unit\t16384\tlikely\t900\twrite\tx\n",
	  8 * GIB,
	  "start=8192,size=16769024 |;-E stride=4,stripe-width=1024 PARTITION;mkfs.f2fs -s 2 -z 1 ;active_logs=4;mkfs.vfat -F 32 -a -s 64 -R ;I/O: write multiples of 16KiB, aligned",
	  "not known;FAT area;% more" },
	{ "1.5 MiB",
	  "erase_block\t1572864\tlikely\t949\tread\tx\n"
	  "super_page\t24576\tlikely\t900\tread\tx\n"
	  "open_linear\tno_limit\tlikely\t900\twrite\tx\n",
	  4 * GIB,
	  "start=3072,size=8383488 |;stride=6,stripe-width=384;-s 3 -z 1;4 erase blocks of 1.5MiB;mount as it is;I/O: read multiples of 24KiB;not known: what is prog",
	  "active_logs=;write mult" },
	{ "3 MiB, 6 streams are as many as F2FS has logs",
	  "erase_block\t3145728\tsure\t990\tread+check\tx\n"
	  "super_page\t-\tunknown\t0\tread\tx\n"
	  "page\t12288\tlikely\t900\tread\tx\n"
	  "open_linear\t6\tsure\t980\twrite\tx\n",
	  8 * GIB,
	  "start=6144,;stride=3,stripe-width=768;-s 3 -z 1;2 erase blocks of 3MiB;mount as it is;and stride the page",
	  "active_logs=" },
	{ "4.5 MiB, no pages, one stream",
	  "erase_block\t4718592\tlikely\t949\tread\tx\n"
	  "open_linear\t1\tsure\t980\twrite\tx\n",
	  4 * GIB,
	  "start=9216,;-E stripe-width=1152 ;f2fs: better not;not known: pages",
	  "stride=;mkfs.f2fs;I/O" },
	{ "4.5 MiB, two streams",
	  "erase_block\t4718592\tlikely\t949\tread\tx\n"
	  "open_linear\t2\tsure\t980\twrite\tx\n",
	  8 * GIB, "-s 9 -z 1;4 erase blocks of 4.5MiB;active_logs=2 ",
	  "better not" },
	{ "three streams",
	  "erase_block\t8388608\tsure\t990\tread+check\tx\n"
	  "open_linear\t3\tsure\t980\twrite\tx\n",
	  4 * GIB, "active_logs=2;-s 4 -z 1;1 erase block of 8MiB",
	  "active_logs=4" },
	{ "3 TiB",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n",
	  3072 * GIB, "sfdisk -X gpt;fat: FAT32 has no more", "mkfs.vfat" },
	{ "pages that are no part of an erase block",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t24576\tlikely\t900\tread\tx\n",
	  4 * GIB, "-E stripe-width=1024", "stride=" },
	{ "4128 KiB has no useful section",
	  "erase_block\t4227072\tlikely\t949\tread\tx\n", 4 * GIB,
	  "no section of a useful size;stripe-width=1032;not known: how many",
	  "mkfs.f2fs" },
	{ "24 MiB, with FAT blocks",
	  "erase_block\t25165824\tsure\t990\tread+check\tx\n"
	  "fat_area\t0,1\tlikely\t900\twrite\tx\n", 16 * GIB,
	  "erase blocks 0,1 from 0;are in it;-s 12 -z 1;start=49152,",
	  "active;not in it" },
	{ "24 MiB on a small disk: F2FS would keep much of it",
	  "erase_block\t25165824\tsure\t990\tread+check\tx\n", 2 * GIB,
	  "f2fs: better not;stripe-width=6144", "mkfs.f2fs" },
	{ "FAT blocks before the partition",
	  "erase_block\t131072\tsure\t990\tread+check\tx\n"
	  "fat_area\t0,1,80\tlikely\t900\twrite\tx\n", 2 * GIB,
	  "start=2048,;not in it;-s 1 -z 1;16 erase blocks of 128KiB",
	  "are in it" },
	{ "clusters enough for FAT32",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n", GIB,
	  "mkfs.vfat -F 32 -a -s 16 -R ", "-a -s 32;-a -s 64" },
	{ "clusters as large as pages",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t65536\tlikely\t900\tread\tx\n", 8 * GIB,
	  "mkfs.vfat -F 32 -a -s 128 -R ", "-a -s 64" },
	{ "clusters that divide the erase block",
	  "erase_block\t4227072\tsure\t990\tread+check\tx\n"
	  "super_page\t65536\tlikely\t900\tread\tx\n", 8 * GIB,
	  "mkfs.vfat -F 32 -a -s 64 -R ", "-a -s 128" },
	{ "too small for FAT32",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n", GIB / 4,
	  "fat: nothing;sfdisk", "mkfs.vfat" },
	{ "too small for a partition",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n", 7 << 20,
	  "no advice: no partition", "sfdisk;mkfs" },
	{ "what writing costs",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "program_unit\t32768\tlikely\t900\twrite\tx\n"
	  "subunit_penalty\t87\tlikely\t900\twrite\tx\n"
	  "unaligned_penalty\t0\tlikely\t900\twrite\tx\n", 8 * GIB,
	  "write multiples of 32KiB;half of it costs 87 % more;unaligned it costs 0 % more;stride=8,",
	  "read multiples" },
	{ "unknown", "erase_block\t-\tunknown\t700\tread\tcandidate 4MiB\n",
	  4 * GIB, "no advice: the erase block is not known",
	  "mkfs;sfdisk;4MiB" },
	{ "a guess is nothing, whatever its value",
	  "erase_block\t4194304\tguess\t700\tread\tx\n"
	  "super_page\t16384\tguess\t700\tread\tx\n", 4 * GIB,
	  "no advice: the erase block is not known",
	  "mkfs;sfdisk;16KiB;stripe" },
	{ "guesses beside what is sure",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t16384\tguess\t700\tread\tx\n"
	  "open_linear\t2\tguess\t700\twrite\tx\n"
	  "fat_area\t0,1\tguess\t700\twrite\tx\n"
	  "program_unit\t16384\tguess\t700\twrite\tx\n"
	  "subunit_penalty\t50\tguess\t700\twrite\tx\n", 8 * GIB,
	  "stripe-width=1024;not known: pages;not known: how many;not known: whether;not known: what is prog",
	  "stride=;active_logs;0,1;I/O;% more" },
	{ "a page, and no erase block",
	  "super_page\t16384\tlikely\t900\tread\tx\n", 4 * GIB,
	  "no advice;I/O: read multiples of 16KiB", "mkfs" },
	{ "nothing at all", "", 4 * GIB, "no advice", "mkfs;I/O" },
	{ "an erase block that is no size",
	  "erase_block\t4194305\tsure\t990\tread+check\tx\n", 4 * GIB,
	  "no advice", "mkfs" },
	{ "a page that is not known counts for nothing",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t-\tunknown\t0\tread\tx\n"
	  "program_unit\t8192\tlikely\t900\twrite\tx\n", 0,
	  "stride=2,;start=8192 |;not known: size of the disk",
	  "vfat;,size" },
};

static bool all_in(const char *list, const char *text, bool wanted)
{
	char copy[1024], *rest = NULL, *part;
	bool good = true;

	snprintf(copy, sizeof(copy), "%s", list);
	for (part = strtok_r(copy, ";", &rest); part;
	     part = strtok_r(NULL, ";", &rest))
		good &= !!strstr(text, part) == wanted;
	return good;
}

static void test_case(const struct advice_case *c)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	advice_print(f, c->lines, c->disk);
	fclose(f);
	if (!tap_ok(all_in(c->has, text, true) && all_in(c->none, text, false),
		    "%s", c->name))
		tap_diag("%s", text);
	free(text);
}

/* Reserved sectors and both tables end where an erase block does */
static void test_fat(u64 sectors, u32 cluster, u64 erase)
{
	u32 reserved = advice_fat_reserved(sectors, cluster, erase);
	u64 clusters = ((sectors - reserved) * 512 + 16) / (cluster + 8);
	u64 table = ((clusters + 2) * 4 + 511) / 512;

	tap_ok(reserved >= 32 && !((reserved + 2 * table) * 512 % erase),
	       "FAT of %llu sectors, erase blocks of %llu: %u reserved",
	       sectors, erase, reserved);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_case(&cases[i]);
	test_fat(7744512 - 3072, 32768, 1536 << 10);
	test_fat(15523840 - 8192, 32768, 4 << 20);
	test_fat(62333952 - 9216, 65536, 4608 << 10);
	test_fat(31260096 - 49152, 32768, 24 << 20);
	tap_ok(!advice_fat_reserved(62333952, 32768, 64 << 20),
	       "no such file system: the field has 16 bits");
	return tap_done();
}
