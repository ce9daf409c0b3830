// SPDX-License-Identifier: GPL-2.0-only
/*
 * analysis.c: each published table, printed as the command of 2011 did and
 * then damaged as people's mails are, has its accepted answer or is unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "tap.h"

#define TABLES		"../cards/published/"
#define MOST_NUMBERS	12

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

/* ---- as it was printed ---- */

static void print_scaled(FILE *f, double x, const double *unit,
			 const char *const *name, const char *tail)
{
	while (x < *unit && *unit > 1) {
		unit++;
		name++;
	}
	fprintf(f, "%.3g%s%s", x / *unit, *name, tail);
}

static void print_time(FILE *f, s64 ns)
{
	static const double unit[] = { 1e9, 1e6, 1e3, 1 };
	static const char *const name[] = { "s", "ms", "µs", "ns" };

	if (ns < 0)
		fputc('-', f);
	print_scaled(f, llabs(ns), unit, name, "");
}

static void print_rate(FILE *f, u64 rate)
{
	static const double unit[] = { 1e9, 1e6, 1e3, 1 };
	static const char *const name[] = { "G", "M", "K", "B" };

	print_scaled(f, rate, unit, name, "/s");
}

static void print_size(FILE *f, u64 bytes)
{
	if (bytes >= 1 << 20)
		fprintf(f, "%.10gMiB", bytes / 1048576.);
	else if (bytes >= 1 << 10)
		fprintf(f, "%.10gKiB", bytes / 1024.);
	else
		fprintf(f, "%lluB", bytes);
}

/* The section that begins with @line, as a command line */
static void print_command(FILE *f, const char *line, u64 nr)
{
	bool random = strstr(line, "mode=random");
	const char *erase = strstr(line, "erasesize=");

	if (!strncmp(line, "[align]", 7)) {
		fprintf(f, "root@host:~# ./flashbench %s /dev/mmcblk0 --blocksize=1024\n",
			strstr(line, "mode=write") ? "-A" : "-a");
		return;
	}
	fprintf(f, "root@host:~# ./flashbench ");
	if (!strncmp(line, "[fat]", 5))
		fprintf(f, "--findfat");
	else
		fprintf(f, "-O --open-au-nr=%llu", nr);
	fprintf(f, " --erasesize=$[%llu*512] %s/dev/mmcblk0\n",
		strtoull(erase + 10, NULL, 10) / 512, random ? "--random " : "");
}

static void print_row(FILE *f, const char *section, const u64 *v, u32 n)
{
	u32 i;

	if (section[1] == 'a') {
		fprintf(f, "align %llu\tpre ", v[0]);
		print_time(f, v[1]);
		fprintf(f, "\ton ");
		print_time(f, v[2]);
		fprintf(f, "\tpost ");
		print_time(f, v[3]);
		fprintf(f, "\tdiff ");
		print_time(f, v[2] - (v[1] + v[3]) / 2);
	} else if (section[1] == 'f') {
		print_size(f, v[0]);
		for (i = 1; i < n; i++) {
			fputc('\t', f);
			print_rate(f, v[i]);
		}
	} else {
		/* samples of more than one run, as paste puts them together */
		for (i = 2; i < n; i++) {
			if (i > 2)
				fputc('\t', f);
			print_size(f, v[1]);
			fprintf(f, "  ");
			print_rate(f, v[i]);
		}
	}
	fputc('\n', f);
}

static u32 numbers(const char *line, u64 *v)
{
	u32 n = 0;
	char *end;

	for (; n < MOST_NUMBERS; line = end) {
		v[n] = strtoll(line, &end, 10);
		if (end == line)
			break;
		n++;
	}
	return n;
}

static char *print_card(const char *name)
{
	char path[256], line[512], section[512] = "", *text = NULL;
	u64 v[MOST_NUMBERS], nr = 0;
	size_t size;
	FILE *in, *f = open_memstream(&text, &size);
	u32 n;

	snprintf(path, sizeof(path), TABLES "%s.table", name);
	in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in)) {
		if (*line == '[') {
			strcpy(section, line);
			nr = 0;
			if (section[1] == 'a' && section[2] == 'n')
				break;
			if (section[1] != 'o')
				print_command(f, section, 0);
			continue;
		}
		if (*line < '0' || *line > '9' || !*section)
			continue;
		n = numbers(line, v);
		if (section[1] == 'o' && v[0] != nr) {
			nr = v[0];
			print_command(f, section, nr);
		}
		print_row(f, section, v, n);
	}
	if (in)
		fclose(in);
	fclose(f);
	return text;
}

/* ---- and damaged ---- */

static void plain(FILE *f, const char *text)
{
	fputs(text, f);
}

static void each_line(FILE *f, const char *text, const char *before,
		      const char *after)
{
	for (; *text; text += strcspn(text, "\n") + 1)
		fprintf(f, "%s%.*s%s\n", before, (int)strcspn(text, "\n"), text,
			after);
}

static void quoted(FILE *f, const char *text)
{
	fprintf(f, "On Monday somebody wrote:\n> I have run flashbench on it:\n");
	each_line(f, text, "> ", "");
	fprintf(f, "Thanks, that looks like a good card.\n");
}

static void quoted_twice(FILE *f, const char *text)
{
	each_line(f, text, ">> > ", "");
}

static void crlf(FILE *f, const char *text)
{
	each_line(f, text, "", "\r");
}

/* At the last blank before column 40 */
static void wrapped(FILE *f, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), cut = len;

		if (len > 40)
			for (cut = 40; cut && text[cut] != ' ' &&
			     text[cut] != '\t'; cut--)
				;
		if (!cut)
			cut = len;
		fprintf(f, "%.*s\n", (int)cut, text);
		text += cut + !!text[cut];
	}
}

static void split(FILE *f, const char *text)
{
	for (; *text; text++)
		fputc(*text == '\t' ? '\n' : *text, f);
}

static void blanks(FILE *f, const char *text)
{
	for (; *text; text++)
		fputs(*text == '\t' ? "    " : (char[]){ *text, 0 }, f);
}

static void without_micro(FILE *f, const char *text, const char *instead)
{
	const char *at;

	while ((at = strstr(text, "µ"))) {
		fprintf(f, "%.*s%s", (int)(at - text), text, instead);
		text = at + strlen("µ");
	}
	fputs(text, f);
}

static void question_mark(FILE *f, const char *text)
{
	without_micro(f, text, "?");
}

static void latin_u(FILE *f, const char *text)
{
	without_micro(f, text, "u");
}

static void latin1(FILE *f, const char *text)
{
	without_micro(f, text, "\xb5");
}

static void quoted_printable(FILE *f, const char *text)
{
	without_micro(f, text, "=C2=B5");
}

/* Seconds: no access takes that long, so these rows do not count */
static void lost(FILE *f, const char *text)
{
	without_micro(f, text, "");
}

/**
 * struct form - what becomes of a text
 * @name: in words
 * @write: writes it so
 * @less: numbers get lost: less is known, but nothing else
 */
static const struct form {
	const char *name;
	void (*write)(FILE *f, const char *text);
	bool less;
} forms[] = {
	{ "plain", plain },
	{ "quoted in a mail", quoted },
	{ "quoted twice", quoted_twice },
	{ "CR LF", crlf },
	{ "wrapped", wrapped },
	{ "columns in lines of their own", split },
	{ "tabs lost", blanks },
	{ "? for µ", question_mark },
	{ "u for µ", latin_u },
	{ "µ in Latin 1", latin1 },
	{ "µ in quoted-printable", quoted_printable },
	{ "µ lost", lost, .less = true },
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

static char *analyze_form(const struct form *form, const char *text)
{
	char *damaged = NULL, *lines;
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&damaged, &size);

	form->write(f, text);
	fclose(f);
	archive_parse(form->name, damaged, &a);
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
		lines = analyze_form(&forms[i], text);
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

/* A table whose number of erase blocks nobody knows says nothing */
static void test_no_command(void)
{
	char text[] = "4MiB 10M/s\n2MiB 10M/s\n1MiB 10M/s\n512KiB 9M/s\n";
	struct archive a;

	tap_ok(archive_parse("rates without a command line", text, &a) < 0 &&
	       !a.n, "rates without a command line: no result");
	archive_free(&a);
}

/* An access does not take minutes, so this was no second once */
static void test_lost_micro(void)
{
	char text[] = "align 8192\tpre 735s\ton 1.08ms\tpost 788s\tdiff 324s\n"
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

/* 3 fit and 5 do not: nobody knows about 4 */
static void test_gap(void)
{
	static const char *const rate[] = { "8.00", "7.95", "7.9", "7.8" };
	static const char *const slow[] = { "1.00", "0.5", "0.25", "0.125" };
	char *text = NULL, *lines;
	struct archive a;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int nr, i;

	for (nr = 1; nr <= 5; nr += 2) {
		fprintf(f, "flashbench -O --open-au-nr=%d /dev/sdb\n", nr);
		for (i = 0; i < 4; i++)
			fprintf(f, "%dKiB  %sM/s\n", 2048 >> i,
				nr == 5 ? slow[i] : rate[i]);
	}
	fclose(f);
	archive_parse("a gap", text, &a);
	lines = analysis(&a, 1);
	if (!tap_ok(!!strstr(lines, "open_linear\t-\tunknown\t0\twrite\tcandidates 3 to 4"),
		    "3 fit, 5 do not: 3 or 4"))
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

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cards); i++)
		test_card(&cards[i]);
	test_no_command();
	test_lost_micro();
	test_two_tables();
	test_gap();
	test_conflict();
	return tap_done();
}
