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
	{ "-a", NULL },
	{ "/dev/sdb", NULL },
	{ "-a /dev/sdb /dev/sdc", NULL },
	{ "-a --blocksize=0 /dev/sdb", NULL },
	{ "-a --blocksize=nonsense /dev/sdb", NULL },
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
