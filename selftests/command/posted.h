/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The published tables as the command of 2011 printed them, as people's mails
 * have damaged them, and as the module would have written them.
 */
#ifndef POSTED_H
#define POSTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"

#define TABLES		"../cards/published/"
#define MOST_NUMBERS	12
#define MOST_CELLS	4096

/**
 * struct number - one of a published table
 * @size: of its row, bytes
 * @column: as in struct cell
 * @value: ns, or bytes per second
 * @is_rate: the latter
 */
static struct number {
	u64 size;
	u32 column;
	u64 value;
	bool is_rate;
} published[MOST_CELLS];

static size_t npublished;

static void remember(u64 size, u32 column, u64 value, bool is_rate)
{
	if (npublished < MOST_CELLS)
		published[npublished++] = (struct number) {
			size, column, value, is_rate
		};
}

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
		for (i = 0; i < 3; i++)
			remember(v[0], i, v[i + 1], false);
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
			remember(v[0], i - 1, v[i], true);
			fputc('\t', f);
			print_rate(f, v[i]);
		}
	} else {
		/* samples of more than one run, as paste puts them together */
		for (i = 2; i < n; i++) {
			remember(v[1], v[0], v[i], true);
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
	u64 v[MOST_NUMBERS], nr = 0, last = 0;
	size_t size;
	FILE *in, *f = open_memstream(&text, &size);
	u32 n;

	npublished = 0;
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
		/* sizes fall, so if they do not it was run again */
		if (section[1] == 'o' && (v[0] != nr || v[1] > last)) {
			nr = v[0];
			print_command(f, section, nr);
		}
		last = v[1];
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

/* At the last blank before column @width */
static void wrap(FILE *f, const char *text, size_t width, const char *before)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), cut = len;

		if (len > width)
			for (cut = width; cut && text[cut] != ' ' &&
			     text[cut] != '\t'; cut--)
				;
		if (!cut)
			cut = len;
		fprintf(f, "%s%.*s\n", before, (int)cut, text);
		text += cut + !!text[cut];
	}
}

static void wrapped(FILE *f, const char *text)
{
	wrap(f, text, 40, "");
}

static void wrapped_72(FILE *f, const char *text)
{
	wrap(f, text, 72, "");
}

static void quoted_and_wrapped(FILE *f, const char *text)
{
	wrap(f, text, 72, "> > ");
}

static void indented_quotation(FILE *f, const char *text)
{
	wrap(f, text, 40, " >  > ");
}

/* As mail programs do that wrap what is quoted already */
static void wrapped_after_quoting(FILE *f, const char *text)
{
	char *twice = NULL;
	size_t size;
	FILE *out = open_memstream(&twice, &size);

	each_line(out, text, "> ", "");
	fclose(out);
	wrap(f, twice, 40, "");
	free(twice);
}

static void instead_of(FILE *f, const char *text, const char *what,
		       const char *instead)
{
	const char *at;

	while ((at = strstr(text, what))) {
		fprintf(f, "%.*s%s", (int)(at - text), text, instead);
		text = at + strlen(what);
	}
	fputs(text, f);
}

static void roots_prompt(FILE *f, const char *text)
{
	instead_of(f, text, "root@host:~# ", "# ");
}

static void no_prompt(FILE *f, const char *text)
{
	instead_of(f, text, "root@host:~# ./", "");
}

static void by_sudo(FILE *f, const char *text)
{
	instead_of(f, text, "root@host:~# .", "me@host:~/flashbench$ time sudo /usr/bin");
}

static void two_runs(FILE *f, const char *text)
{
	fprintf(f, "The first time it says\n%sand then\n%sas before.\n", text,
		text);
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

static void question_mark(FILE *f, const char *text)
{
	instead_of(f, text, "µ", "?");
}

static void latin_u(FILE *f, const char *text)
{
	instead_of(f, text, "µ", "u");
}

static void latin1(FILE *f, const char *text)
{
	instead_of(f, text, "µ", "\xb5");
}

static void quoted_printable(FILE *f, const char *text)
{
	instead_of(f, text, "µ", "=C2=B5");
}

/* Seconds: no access takes that long, so these rows do not count */
static void lost(FILE *f, const char *text)
{
	instead_of(f, text, "µ", "");
}

/* ---- or as the module would have written it ---- */

static void print_header(FILE *f, const struct result *r)
{
	u32 nr = r->ncells ? r->cells[0].column : 0;

	fprintf(f, "# format: 1\n# flashbench 1.0 %s\n# run: %s ",
		result_name(r->kind), result_name(r->kind));
	if (r->kind == RESULT_OPEN_AU)
		fprintf(f, "open-au-nr=%u ", nr);
	if (r->kind == RESULT_OPEN_AU || r->kind == RESULT_FIND_FAT)
		fprintf(f, "erasesize=%llu random=%d ", r->erasesize,
			r->random);
	fprintf(f, "blocksize=%llu seed=1\n# errors: 0\n", r->blocksize);
}

static void print_tsv(FILE *f, const struct result *r)
{
	static const char *const place[] = { "pre", "on", "post" };
	bool align = r->kind == RESULT_ALIGN || r->kind == RESULT_ALIGN_WRITE;
	size_t i;

	print_header(f, r);
	fprintf(f, "point\t%s\top\t%s\tn\terrors\tmin_ns\tmedian_ns\tmean_ns"
		"\tp99_ns\tmax_ns\tspread_ns\n",
		align ? "align_bytes" : "block_bytes", align ? "place" :
		r->kind == RESULT_OPEN_AU ? "open_aus" : "erase_block");
	for (i = 0; i < r->ncells; i++) {
		const struct cell *c = &r->cells[i];

		fprintf(f, "%zu\t%llu\t%s\t", i, c->size,
			fb_opcode_name(c->opcode));
		if (align)
			fputs(place[c->column], f);
		else
			fprintf(f, "%u", c->column);
		fprintf(f, "\t1\t0\t%lld\t%lld\t%lld\t%lld\t%lld\t0\n", c->min,
			c->median, c->mean, c->p99, c->max);
	}
}

/* All repeats of a cell are in one result, as the table had them */
static void print_classic(FILE *f, const struct result *r)
{
	const struct cell *c = r->cells;
	size_t i;

	print_header(f, r);
	for (i = 0; i < r->ncells; i++, c++) {
		if (r->kind == RESULT_ALIGN || r->kind == RESULT_ALIGN_WRITE) {
			if (!c->column)
				fprintf(f, "align %llu", c->size);
			fprintf(f, "\t%s ", !c->column ? "pre" :
				c->column == 1 ? "on" : "post");
			print_time(f, c->median);
			if (c->column == 2)
				fprintf(f, "\tdiff 1ns\n");
			continue;
		}
		if (r->kind != RESULT_FIND_FAT || !c->column)
			print_size(f, c->size);
		fprintf(f, "  ");
		print_rate(f, fb_rate(c->size, c->median));
		fputc(i + 1 < r->ncells && c->size == c[1].size ? '\t' : '\n',
		      f);
	}
}

static void print_results(FILE *f, const char *text,
			  void (*print)(FILE *f, const struct result *r))
{
	char *copy = strdup(text);
	struct archive a;
	size_t i;

	archive_parse("plain", copy, &a);
	for (i = 0; i < a.n; i++)
		print(f, &a.results[i]);
	archive_free(&a);
	free(copy);
}

static void module_tsv(FILE *f, const char *text)
{
	print_results(f, text, print_tsv);
}

static void module_table(FILE *f, const char *text)
{
	print_results(f, text, print_classic);
}

/**
 * struct form - what becomes of a text
 * @name: in words
 * @write: writes it so
 * @less: numbers get lost: less is known, but nothing else
 * @rewritten: there are other numbers than the published ones
 */
static const struct form {
	const char *name;
	void (*write)(FILE *f, const char *text);
	bool less;
	bool rewritten;
} forms[] = {
	{ "plain", plain },
	{ "quoted in a mail", quoted },
	{ "quoted twice", quoted_twice },
	{ "CR LF", crlf },
	{ "wrapped", wrapped },
	{ "wrapped at 72", wrapped_72 },
	{ "wrapped at 72 and quoted twice", quoted_and_wrapped },
	{ "wrapped and quoted with more blanks", indented_quotation },
	{ "quoted and then wrapped", wrapped_after_quoting },
	{ "a prompt that is #", roots_prompt },
	{ "no prompt", no_prompt },
	{ "by sudo", by_sudo },
	{ "two runs", two_runs, .rewritten = true },
	{ "the module's .tsv", module_tsv, .rewritten = true },
	{ "the module's tables", module_table, .rewritten = true },
	{ "columns in lines of their own", split },
	{ "tabs lost", blanks },
	{ "? for µ", question_mark },
	{ "u for µ", latin_u },
	{ "µ in Latin 1", latin1 },
	{ "µ in quoted-printable", quoted_printable },
	{ "µ lost", lost, .less = true },
};

#endif
