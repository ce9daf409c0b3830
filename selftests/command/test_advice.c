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
	  "open_linear\t5\tsure\t980\twrite\tx\n",
	  8 * GIB,
	  "sector 8192 for;stride=4,stripe-width=1024;-s 2 -z 1;active_logs=4;mkfs.vfat -F 32 -a -s 64 -R ",
	  "not known" },
	{ "1.5 MiB",
	  "erase_block\t1572864\tlikely\t949\tread\tx\n"
	  "super_page\t24576\tlikely\t900\tread\tx\n"
	  "open_linear\tno_limit\tlikely\t900\twrite\tx\n",
	  4 * GIB,
	  "sector 3072 for;stride=6,stripe-width=384;-s 3 -z 1;mount as it is",
	  "active_logs=" },
	{ "4.5 MiB, no pages, one stream",
	  "erase_block\t4718592\tlikely\t949\tread\tx\n"
	  "open_linear\t1\tsure\t980\twrite\tx\n",
	  4 * GIB,
	  "-E stripe-width=1152;-s 9 -z 1;better not;not known: pages",
	  "stride=" },
	{ "three streams",
	  "erase_block\t8388608\tsure\t990\tread+check\tx\n"
	  "open_linear\t3\tsure\t980\twrite\tx\n",
	  4 * GIB, "active_logs=2;-s 4 -z 1", "active_logs=4" },
	{ "4128 KiB has no useful section",
	  "erase_block\t4227072\tlikely\t949\tread\tx\n", 4 * GIB,
	  "no section of a useful size;stripe-width=1032;not known: how many",
	  "mkfs.f2fs" },
	{ "24 MiB, with FAT blocks",
	  "erase_block\t25165824\tsure\t990\tread+check\tx\n"
	  "fat_area\t0,1\tlikely\t900\twrite\tx\n", 16 * GIB,
	  "erase blocks 0,1;-s 12 -z 1;sector 49152 for", "active" },
	{ "unknown", "erase_block\t-\tunknown\t700\tread\tcandidate 4MiB\n",
	  4 * GIB, "no advice", "mkfs" },
	{ "a page that is not known counts for nothing",
	  "erase_block\t4194304\tsure\t990\tread+check\tx\n"
	  "super_page\t-\tunknown\t0\tread\tx\n"
	  "program_unit\t8192\tlikely\t900\twrite\tx\n", 0,
	  "stride=2,", "vfat" },
};

static bool all_in(const char *list, const char *text, bool wanted)
{
	char copy[512], *rest = NULL, *part;
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
