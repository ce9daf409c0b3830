// SPDX-License-Identifier: GPL-2.0-only
/*
 * old.c: the command lines that people typed, and what the module is asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "old.h"
#include "tap.h"

#define MOST_WORDS	16

/**
 * struct old_case - a command line
 * @words: behind the program's name
 * @lines: for the module, ";" between them; NULL: refused
 * @arming: how it writes
 */
static const struct old_case {
	const char *words;
	const char *lines;
	enum arming arming;
} cases[] = {
	{ "-a /dev/mmcblk0 --blocksize=1024 --count=100",
	  "align old-schedule blocksize=1024 count=100" },
	{ "-a /dev/sdb", "align old-schedule" },
	{ "--align --blocksize=3072 /dev/sdb", "align old-schedule blocksize=3072" },
	{ "-A -b 1024 /dev/mmcblk0p9", "align-write old-schedule noclose pattern=zero blocksize=1024 count=8",
	  ARM_DESTROY },
	{ "-A -c 3 /dev/mmcblk0p9",
	  "align-write old-schedule noclose pattern=zero count=3",
	  ARM_DESTROY },
	{ "-O --open-au-nr=5 --erasesize=4194304 --blocksize=262144 --random --offset=67108864 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=262144 offset=67108864 erasesize=4194304 open-au-nr=5 random",
	  ARM_DESTROY },
	{ "/dev/sdb --open-au --open-au-nr=2 --preserve",
	  "open-au noclose pattern=zero open-au-nr=2", ARM_PRESERVE },
	{ "-O -c 100 /dev/sdb", "open-au noclose pattern=zero", ARM_DESTROY },
	{ "--findfat --fat-nr=10 --erasesize=0x400000 /dev/sdb",
	  "find-fat noclose pattern=zero erasesize=0x400000 fat-nr=10", ARM_DESTROY },
	{ "--find-fat --random --blocksize=512 /dev/sdb",
	  "find-fat noclose pattern=zero blocksize=512 random", ARM_DESTROY },
	{ "-f -F 8 /dev/sdb", "find-fat noclose pattern=zero fat-nr=8", ARM_DESTROY },
	{ "-s --scatter-order=10 --scatter-span=2 -o out.plot /dev/sdb",
	  "scatter scatter-order=10 scatter-span=2" },
	{ "-i --interval-order=6 /dev/sdb", "interval interval-order=6" },
	{ "-a -s /dev/sdb --preserve", "scatter;align old-schedule" },
	{ "-a --erasesize=4M --open-au-nr=3 /dev/sdb", "align old-schedule" },
	/* those that the tables of selftests/cards were made with */
	{ "-a /dev/sdb --blocksize=1024",
	  "align old-schedule blocksize=1024" },
	{ "-a --blocksize=1024 --count=32 /dev/sdb",
	  "align old-schedule blocksize=1024 count=32" },
	{ "-a /dev/mmcblk0 --blocksize=1024 --count=1000",
	  "align old-schedule blocksize=1024 count=1000" },
	{ "-a --blocksize=4096 /dev/mmcblk0",
	  "align old-schedule blocksize=4096" },
	{ "-a --blocksize=3072 --count=100 /dev/mmcblk0",
	  "align old-schedule blocksize=3072 count=100" },
	{ "-A --blocksize=1024 /dev/mmcblk0p9",
	  "align-write old-schedule noclose pattern=zero blocksize=1024 count=8",
	  ARM_DESTROY },
	{ "-O --erasesize=4194304 --blocksize=262144 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=262144 erasesize=4194304 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=4194304 --blocksize=4096 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=4096 erasesize=4194304 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=4194304 --blocksize=4096 --open-au-nr=3 --random /dev/sdb",
	  "open-au noclose pattern=zero blocksize=4096 erasesize=4194304 open-au-nr=3 random",
	  ARM_DESTROY },
	{ "-O --erasesize=16777216 --blocksize=8192 --open-au-nr=3 --random /dev/sdb",
	  "open-au noclose pattern=zero blocksize=8192 erasesize=16777216 open-au-nr=3 random",
	  ARM_DESTROY },
	{ "-O --erasesize=16777216 --blocksize=16384 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=16384 erasesize=16777216 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=8388608 --blocksize=8192 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=8192 erasesize=8388608 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=524288 --blocksize=16384 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=16384 erasesize=524288 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=524288 --blocksize=16384 --open-au-nr=3 --random /dev/sdb",
	  "open-au noclose pattern=zero blocksize=16384 erasesize=524288 open-au-nr=3 random",
	  ARM_DESTROY },
	{ "-O --erasesize=1572864 --blocksize=1536 --open-au-nr=3 /dev/sdb",
	  "open-au noclose pattern=zero blocksize=1536 erasesize=1572864 open-au-nr=3",
	  ARM_DESTROY },
	{ "-O --erasesize=1572864 --blocksize=1536 --open-au-nr=3 --random /dev/sdb",
	  "open-au noclose pattern=zero blocksize=1536 erasesize=1572864 open-au-nr=3 random",
	  ARM_DESTROY },
	{ "-O --erasesize=1572864 --blocksize=1572864 --open-au-nr=3 --random /dev/sdb",
	  "open-au noclose pattern=zero blocksize=1572864 erasesize=1572864 open-au-nr=3 random",
	  ARM_DESTROY },
	{ "/dev/sdb --find-fat --fat-nr=6 --random --erasesize=16777216 --blocksize=512",
	  "find-fat noclose pattern=zero blocksize=512 erasesize=16777216 fat-nr=6 random",
	  ARM_DESTROY },
	{ "/dev/sdb --find-fat --fat-nr=10 --random --erasesize=524288 --blocksize=16384",
	  "find-fat noclose pattern=zero blocksize=16384 erasesize=524288 fat-nr=10 random",
	  ARM_DESTROY },
	/* options cut short, sizes as they may be written, the last word counts */
	{ "/dev/sdb --block=0x400 --align",
	  "align old-schedule blocksize=0x400" },
	{ "-O -e 4M -b 256KiB /dev/sdb",
	  "open-au noclose pattern=zero blocksize=256KiB erasesize=4M",
	  ARM_DESTROY },
	{ "-Orv -e4M /dev/sdb",
	  "open-au noclose pattern=zero erasesize=4M random",
	  ARM_DESTROY },
	{ "-f --destroy --preserve /dev/sdb",
	  "find-fat noclose pattern=zero",
	  ARM_PRESERVE },
	{ "-f --preserve --destroy /dev/sdb",
	  "find-fat noclose pattern=zero",
	  ARM_DESTROY },
	{ "-aO --yes /dev/sdb",
	  "align old-schedule;open-au noclose pattern=zero",
	  ARM_DESTROY },
	{ "-a --destroy /dev/sdb",
	  "align old-schedule" },
	{ "-a", NULL },
	{ "/dev/sdb", NULL },
	{ "-a /dev/sdb /dev/sdc", NULL },
	{ "-a --blocksize=0 /dev/sdb", NULL },
	{ "-a --blocksize=nonsense /dev/sdb", NULL },
	{ "-O --erasesize=4X /dev/sdb", NULL },
	{ "-O --open-au-nr=-1 /dev/sdb", NULL },
	{ "--open /dev/sdb", NULL },
	{ "-x /dev/sdb", NULL },
};

static int parse(const char *words, struct old *old)
{
	static char text[512];
	char *argv[MOST_WORDS + 1] = { "flashbench" }, *rest = NULL, *word;
	int argc = 1;

	snprintf(text, sizeof(text), "%s", words);
	for (word = strtok_r(text, " ", &rest); word && argc < MOST_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	memset(old, 0, sizeof(*old));
	return old_parse(argc, argv, old);
}

static void test_case(const struct old_case *c)
{
	struct old old;
	char lines[1024] = "";
	int ret = parse(c->words, &old);
	unsigned int i;

	for (i = 0; i < old.n; i++)
		snprintf(lines + strlen(lines), sizeof(lines) - strlen(lines),
			 "%s%s", i ? ";" : "", old.line[i]);
	if (!c->lines) {
		tap_ok(ret == OUTCOME_USAGE, "refused: %s", c->words);
		return;
	}
	if (!tap_ok(!ret && !strcmp(lines, c->lines) &&
		    old.setup.arming == c->arming &&
		    !strncmp(old.setup.device, "/dev/", 5), "%s", c->words))
		tap_diag("%d, %s, arming %d", ret, lines, old.setup.arming);
}

int main(void)
{
	struct old old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_case(&cases[i]);
	tap_ok(!parse("-s -o x.plot -v --yes /dev/sdb", &old) &&
	       !strcmp(old.output, "x.plot") && old.verbose && old.setup.yes,
	       "output, verbose, yes");
	return tap_done();
}
