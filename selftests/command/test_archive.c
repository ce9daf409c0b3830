// SPDX-License-Identifier: GPL-2.0-only
/*
 * archive.c: what counts as a result in a text, and what does not.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "tap.h"

/* A table whose number of erase blocks nobody knows says nothing */
static void test_no_command(void)
{
	char text[] = "4MiB 10M/s\n2MiB 10M/s\n1MiB 10M/s\n512KiB 9M/s\n";
	struct archive a;

	tap_ok(archive_parse("rates without a command line", text, &a) < 0 &&
	       !a.n, "rates without a command line: no result");
	archive_free(&a);
}

/* What a command line before rates says, if it says enough of them */
static const struct command_case {
	const char *line;
	size_t n;
	u32 nr;
	u64 erase;
	bool random;
} command_cases[] = {
	{ "flashbench -O /dev/sdb", 1, 2, 4 << 20 },
	{ "flashbench -O --open-au-nr=7 --erasesize=$[3 * 512] /dev/sdb", 0 },
	{ "flashbench -O --open-au-nr=7 /dev/sdb --erasesize=$[3 * 512]", 1, 7,
	  0 },
	{ "flashbench -O --open-au-nr=7 --erasesize=$[3*512*1024] /dev/sdb", 1,
	  7, 3 << 19 },
	{ "flashbench -O --open-au-nr=7 --erasesize=$((3*512*1024)) /dev/sdb",
	  1, 7, 3 << 19 },
	{ "flashbench -O --erasesize=$[2**22] /dev/sdb", 1, 2, 0 },
	{ "flashbench -O --erasesize=$[] /dev/sdb", 1, 2, 0 },
	{ "flashbench -O --erasesize=$SIZE /dev/sdb", 1, 2, 0 },
	{ "flashbench -O --open-au-nr=$i /dev/sdb", 0 },
	{ "flashbench /dev/sdb -Or -e 8388608 --open-au-nr 5", 1, 5, 8 << 20,
	  true },
	{ "flashbench -Ore8388608 /dev/sdb --random", 1, 2, 8 << 20, true },
	{ "flashbench -O --count=9 -o /dev/null -v --offset 0 /dev/sdb", 1, 2,
	  4 << 20 },
	{ "flashbench -O --erase=8388608 /dev/sdb", 0 },
	{ "flashbench -O -x /dev/sdb", 0 },
	{ "flashbench -O - /dev/sdb", 0 },
	{ "flashbench -O -f /dev/sdb", 0 },
	{ "flashbench -a /dev/sdb", 0 },
	{ "I ran flashbench -O with two", 0 },
	{ "flashbench -O /dev/sdb \\\n--open-au-nr=3", 1, 3, 4 << 20 },
	{ "# flashbench -O /dev/sdb --open-au-nr=3", 1, 3, 4 << 20 },
	{ "# format: 1\n# ./flashbench -O /dev/sdb --open-au-nr=3", 1, 3,
	  4 << 20 },
};

static void test_command(const struct command_case *c)
{
	char text[256];
	struct archive a;
	const struct result *r;
	bool good;
	const char *name = strstr(c->line, "flashbench");

	snprintf(text, sizeof(text), "%s\n4MiB 10M/s\n2MiB 10M/s\n", c->line);
	archive_parse("a command", text, &a);
	r = a.results;
	good = a.n == c->n;
	if (good && c->n)
		good = r->ncells == 2 && r->cells[1].column == c->nr &&
		       r->erasesize == c->erase && r->random == c->random;
	if (!tap_ok(good, "command: %.*s",
		    (int)strcspn(name, "\n"), name))
		tap_diag("%zu results", a.n);
	archive_free(&a);
}

/* The second one may have been measured in any way */
static void test_two_tables_of_rates(void)
{
	char text[] = "flashbench -O --open-au-nr=2 /dev/sdb\n"
		      "4MiB 10M/s\n2MiB 10M/s\nand with three\n"
		      "4MiB 9M/s\n2MiB 3M/s\n1MiB 2M/s\n";
	struct archive a;

	archive_parse("two tables of rates", text, &a);
	tap_ok(a.n == 1 && a.results[0].ncells == 2,
	       "a command line is that of one table of rates");
	archive_free(&a);
}

/* An access does not take minutes, so this was no second once */
static void test_lost_micro(void)
{
	char text[] = "align 8192\tpre 735s\ton 1.08ms\tpost 788s\tdiff 324s\n"
		      "align 8192\tpre 47.5s\ton 5s\tpost 47.5s\tdiff 5.1s\n"
		      "align 4096\tpre 735ms\ton 1.08s\tpost 788ms\n";
	struct archive a;

	archive_parse("without its µ", text, &a);
	tap_ok(a.n == 1 && a.results[0].ncells == 3 &&
	       a.results[0].cells[1].size == 4096 &&
	       a.results[0].cells[1].median == 1080000000,
	       "a row without its µ is left out, one of seconds is not");
	archive_free(&a);
}

/* One after the other, with nothing between them */
static void test_two_tables(void)
{
	char text[] = "align 8192\tpre 1ms\ton 2ms\tpost 1ms\tdiff 1ms\n"
		      "align 4096\tpre 1ms\ton 2ms\tpost 1ms\tdiff 1ms\n"
		      "align 8192\tpre 3ms\ton 4ms\tpost 3ms\tdiff 1ms\n";
	struct archive a;

	archive_parse("two tables", text, &a);
	tap_ok(a.n == 2 && a.results[0].ncells == 6 &&
	       a.results[1].ncells == 3, "sizes grow again: another table");
	archive_free(&a);
}

/* Without end, or nearly: what is too much does not count, nor take minutes */
static void test_much(const char *what, const char *begin, const char *line)
{
	char *text = NULL, *lines;
	struct archive a;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	fputs(begin, f);
	for (i = 0; i < 500000; i++)
		fputs(line, f);
	fclose(f);
	archive_parse(what, text, &a);
	lines = analysis(&a, 1);
	tap_ok(strlen(lines) < 10000, "half a million of %s", what);
	free(lines);
	archive_free(&a);
	free(text);
}

int main(void)
{
	size_t i;

	test_no_command();
	for (i = 0; i < ARRAY_SIZE(command_cases); i++)
		test_command(&command_cases[i]);
	test_lost_micro();
	test_two_tables();
	test_two_tables_of_rates();
	test_much("header lines", "# format: 1\n", "# warning: x\n");
	test_much("verdicts",
		  "key\tvalue\tclass\tconfidence\tbasis\tevidence\n",
		  "page\t1\tlikely\t900\tread\tx\n");
	test_much("rows", "", "align 8192 pre 1ms on 1ms post 1ms\n");
	test_much("rates", "flashbench -O /dev/sdb\n4MiB ", "9M/s\n");
	return tap_done();
}
