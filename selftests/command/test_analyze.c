// SPDX-License-Identifier: GPL-2.0-only
/*
 * analysis.c: each published table, printed as the command of 2011 did and
 * then damaged as people's mails are, has its accepted answer or is unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "posted.h"
#include "tap.h"

/**
 * struct card - a card, and what is said of it
 * @name: file of its tables
 * @answers: the keys that are known with their values, in order
 */
static const struct card {
	const char *name;
	const char *answers;
} cards[] = {
	{ "intel-600p-nvme", "" },
	{ "lexar-cf-16g",
	  "open_linear=11 open_random=11 fat_area=none mapping=block " },
	{ "motorola-emmc-writealign", "" },
	{ "readme-4m", "open_linear=2 mapping=block " },
	{ "samsung-0x1b-sdinfo", "" },
	{ "sandisk-2g-class2", "open_linear=2 mapping=block " },
	{ "sandisk-8g-class2", "" },
	{ "sandisk-sd04g-4g",
	  "erase_block=1572864 super_page=24576 page=4096 fat_area=none " },
	{ "sandisk-sl16g-ultra", "" },
};

/* What may be in the evidence: a candidate is none of the answers */
static const struct {
	const char *name;
	const char *evidence;
} candidates[] = {
	{ "lexar-cf-16g", "candidate 16MiB times an unknown odd factor" },
	{ "readme-4m", "candidate 4MiB times an unknown odd factor" },
	{ "sandisk-2g-class2", "candidate 1MiB times an unknown odd factor" },
	{ "sandisk-8g-class2", "no limit up to 8" },
	{ "samsung-0x1b-sdinfo", "fewer than 5" },
	{ "sandisk-sd04g-4g", "log-structured suspected" },
};

static void known(const char *lines, char *buf, size_t size)
{
	char key[32], value[64], class[16];
	size_t len = 0;

	*buf = 0;
	for (; *lines; lines += strcspn(lines, "\n") + 1)
		if (sscanf(lines, "%31s\t%63s\t%15s", key, value, class) == 3 &&
		    strcmp(class, "unknown"))
			len += snprintf(buf + len, size - len, "%s=%s ", key,
					value);
}

/* Each of the answers is an accepted one */
static bool is_part(const char *answers, const char *all)
{
	char copy[512], *rest = NULL, *part;
	bool good = true;

	snprintf(copy, sizeof(copy), "%s", answers);
	for (part = strtok_r(copy, " ", &rest); part;
	     part = strtok_r(NULL, " ", &rest))
		good &= !!strstr(all, part);
	return good;
}

/* Three digits are all that was published */
static bool is_number(const struct cell *c, const struct number *n)
{
	u64 value = n->is_rate ? fb_rate(c->size, c->median) : (u64)c->median;

	return c->size == n->size && c->column == n->column &&
	       value * 1001 >= n->value * 1000 &&
	       value * 1000 <= n->value * 1001;
}

/* All published numbers and no other */
static bool is_published(const struct archive *a)
{
	size_t i, k, n = 0;

	for (i = 0; i < a->n; i++)
		for (k = 0; k < a->results[i].ncells; k++, n++)
			if (n >= npublished ||
			    !is_number(&a->results[i].cells[k], &published[n]))
				return false;
	return n == npublished;
}

static char *analyze_form(const struct card *card, const struct form *form,
			  const char *text)
{
	char *damaged = NULL, *lines;
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&damaged, &size);

	form->write(f, text);
	fclose(f);
	archive_parse(form->name, damaged, &a);
	if (!form->less && !form->rewritten)
		tap_ok(is_published(&a), "%s: %s: the numbers that were published",
		       card->name, form->name);
	lines = analysis(&a, 1);
	archive_free(&a);
	free(damaged);
	return lines;
}

static void test_card(const struct card *card)
{
	char *text = print_card(card->name), *lines, answers[512];
	size_t i, k;
	bool good;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		lines = analyze_form(card, &forms[i], text);
		known(lines, answers, sizeof(answers));
		good = forms[i].less ? is_part(answers, card->answers) :
		       !strcmp(answers, card->answers);
		if (!tap_ok(good, "%s: %s", card->name, forms[i].name))
			tap_diag("%s", answers);
		for (k = 0; k < ARRAY_SIZE(candidates) && !forms[i].less; k++)
			if (!strcmp(candidates[k].name, card->name))
				tap_ok(!!strstr(lines, candidates[k].evidence),
				       "%s: %s: %s", card->name, forms[i].name,
				       candidates[k].evidence);
		free(lines);
	}
	free(text);
}

/**
 * struct fat_table - a find-fat table of equal rates, and what it says
 * @erase: its erase block
 * @columns: how many
 * @step: of the align table before it
 * @none: there are no FAT blocks
 */
static const struct fat_table {
	u64 erase;
	int columns;
	u64 step;
	bool none;
} fat_tables[] = {
	{ 4 << 20, 6, 0, false },
	/* without sizes of 3 * 2^k the erase block may be 4.5 MiB */
	{ 512 << 10, 6, 512 << 10, false },
	{ 512 << 10, 9, 512 << 10, false },
	{ 512 << 10, 10, 512 << 10, true },
	{ 4 << 20, 6, 512 << 10, true },
	/* and no larger than 48 MiB */
	{ 16 << 20, 3, 16 << 20, false },
	{ 16 << 20, 4, 16 << 20, true },
};

static void test_fat(const struct fat_table *t)
{
	char *text = NULL, *lines, answers[256];
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	u64 at;
	int i;

	for (at = 128 << 20; at >= 1024 && t->step; at /= 2)
		fprintf(f, "align %llu pre 1ms on %sms post 1ms\n", at,
			at >= t->step ? "2" : "1.1");
	fprintf(f, "flashbench -f --erasesize=%llu /dev/sdb\n", t->erase);
	for (at = t->erase; at >= 64 << 10; at /= 2) {
		print_size(f, at);
		for (i = 0; i < t->columns; i++)
			fprintf(f, " 9M/s");
		fputc('\n', f);
	}
	fclose(f);
	archive_parse("equal rates", text, &a);
	lines = analysis(&a, 1);
	known(lines, answers, sizeof(answers));
	if (!tap_ok(!!strstr(answers, "fat_area=none") == t->none,
		    "%d equal erase blocks of %llu, step at %llu", t->columns,
		    t->erase, t->step))
		tap_diag("%s", lines);
	free(lines);
	archive_free(&a);
	free(text);
}

/* Ten times slower without a limit: not known, however much slower it is */
static void test_decline(void)
{
	static const int rate[] = { 1000, 600, 330, 170, 90 };
	char *text = NULL, *lines;
	struct archive a;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	for (i = 0; i < ARRAY_SIZE(rate); i++)
		fprintf(f, "flashbench -O --open-au-nr=%zu /dev/sdb\n"
			"4MiB %dK/s\n2MiB %dK/s\n1MiB %dK/s\n", i + 1, rate[i],
			rate[i], rate[i]);
	fclose(f);
	archive_parse("a decline", text, &a);
	lines = analysis(&a, 1);
	if (!tap_ok(!!strstr(lines, "mapping\t-\tunknown\t0\twrite\t11.11 times slower"),
		    "a decline by 11 does not make a log likely"))
		tap_diag("%s", lines);
	free(lines);
	archive_free(&a);
	free(text);
}

/* Rates fall from 3 to 5 erase blocks of @erase bytes: see @says */
static void test_gap(const char *erase, const char *says)
{
	static const char *const rate[] = { "8.00", "7.95", "7.9", "7.8" };
	static const char *const slow[] = { "1.00", "0.5", "0.25", "0.125" };
	char *text = NULL, *lines;
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int nr, i;

	for (nr = 1; nr <= 5; nr += 2) {
		fprintf(f, "flashbench -O --open-au-nr=%d -e %s /dev/sdb\n", nr,
			erase);
		for (i = 0; i < 4; i++)
			fprintf(f, "%dKiB  %sM/s\n", 2048 >> i,
				nr == 5 ? slow[i] : rate[i]);
	}
	fclose(f);
	archive_parse("a gap", text, &a);
	lines = analysis(&a, 1);
	if (!tap_ok(!!strstr(lines, says), "3 fit, 5 do not, erase block %s: %s",
		    erase, strrchr(says, '\t') + 1))
		tap_diag("%s", lines);
	free(lines);
	archive_free(&a);
	free(text);
}

/* Two files of one card that do not agree */
static void test_conflict(void)
{
	static char text[2][256] = {
		"# format: 1\n# flashbench 1.0 geometry\n"
		"key\tvalue\tclass\tconfidence\tbasis\tevidence\n"
		"erase_block\t4194304\tlikely\t949\tread\tx\n"
		"page\t4096\tlikely\t900\tread\tx\n",
		"# format: 1\n# flashbench 1.0 geometry\n"
		"key\tvalue\tclass\tconfidence\tbasis\tevidence\n"
		"erase_block\t2097152\tlikely\t949\tread\tx\n"
		"page\t4096\tlikely\t900\tread\tx\n",
	};
	struct archive a[2];
	char answers[256], *lines;

	archive_parse("one", text[0], &a[0]);
	archive_parse("other", text[1], &a[1]);
	lines = analysis(a, 2);
	known(lines, answers, sizeof(answers));
	tap_ok(!strcmp(answers, "page=4096 ") && strstr(lines, "contradict"),
	       "results that contradict each other: %s", answers);
	free(lines);
	archive_free(&a[0]);
	archive_free(&a[1]);
}

/* Sizes of 2^k and 3 * 2^k from @least on; steps at 16 KiB and 4 MiB */
static void print_chains(FILE *f, u64 least)
{
	u64 size;
	int three;

	for (size = 64 << 20; size >= least; size /= 2) {
		for (three = 1; three >= 0; three--) {
			u64 align = three ? size / 2 * 3 : size;
			u64 us = 1000 + (align % (16 << 10) ? 0 : 100) +
				 (align % (4 << 20) ? 0 : 300);

			fprintf(f, "align %llu\tpre 1ms\ton %lluus\tpost 1ms\n",
				align, us);
		}
	}
}

static char *analyze_chains(u64 least, const char *more)
{
	char *text = NULL, *lines;
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_chains(f, least);
	fputs(more, f);
	fclose(f);
	archive_parse("two chains", text, &a);
	lines = analysis(&a, 1);
	archive_free(&a);
	free(text);
	return lines;
}

/* With large reads all rows lie across pages, and a step is none of theirs. */
static void test_large_reads(void)
{
	char answers[256], *lines = analyze_chains(2048, "");

	known(lines, answers, sizeof(answers));
	tap_ok(!strcmp(answers, "erase_block=4194304 super_page=16384 "),
	       "small reads: %s", answers);
	free(lines);
	lines = analyze_chains(65536, "");
	known(lines, answers, sizeof(answers));
	tap_ok(!strcmp(answers, "erase_block=4194304 ") &&
	       strstr(lines, "blocksize=1K"), "large reads: %s", answers);
	free(lines);
}

/* What has a limit there is not the card. */
static void test_wrong_erase(void)
{
	static const char right[] =
		"# flashbench -O --erasesize=4194304 --open-au-nr=2 /dev/sdb\n"
		"2MiB 9M/s\n1MiB 9M/s\n512KiB 9M/s\n256KiB 9M/s\n"
		"# flashbench -O --erasesize=4194304 --open-au-nr=3 /dev/sdb\n"
		"2MiB 2M/s\n1MiB 1M/s\n512KiB 500K/s\n256KiB 250K/s\n";
	char wrong[sizeof(right)], answers[256], *lines, *at = wrong;

	lines = analyze_chains(2048, right);
	known(lines, answers, sizeof(answers));
	tap_ok(!!strstr(answers, "open_linear=2 "), "right: %s", answers);
	free(lines);
	strcpy(wrong, right);
	while ((at = strstr(at, "4194304")))
		memcpy(at, "2097152", 7);
	lines = analyze_chains(2048, wrong);
	known(lines, answers, sizeof(answers));
	tap_ok(!strstr(answers, "open_linear") && !strstr(answers, "mapping") &&
	       strstr(lines, "which they are not"),
	       "with half an erase block: %s", answers);
	free(lines);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cards); i++)
		test_card(&cards[i]);
	for (i = 0; i < ARRAY_SIZE(fat_tables); i++)
		test_fat(&fat_tables[i]);
	test_gap("4194304",
		 "open_linear\t-\tunknown\t0\twrite\tcandidates 3 to 4");
	test_gap("$SIZE", "open_linear\t-\tunknown\t0\t-\tnothing in the results");
	test_decline();
	test_conflict();
	test_large_reads();
	test_wrong_erase();
	return tap_done();
}
