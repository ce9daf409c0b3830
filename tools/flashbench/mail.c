// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report as plain text, for a mail: 72 columns, ASCII but for µ.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "identity.h"
#include "report.h"
#include "tables.h"
#include "verdict.h"

#define WIDTH	72

/* Control characters and what is no ASCII would be somebody's terminal */
static void plain(const char *text, size_t n, FILE *f)
{
	for (; n && *text; text++, n--) {
		if (!strncmp(text, "µ", 2) && n > 1) {
			fputs("µ", f);
			text++;
			n--;
		} else {
			fputc(*text < ' ' || *text > '~' ? '?' : *text, f);
		}
	}
}

/* Broken at blanks; all lines but the first begin with @indent blanks */
static void wrapped(const char *text, size_t first, size_t indent, FILE *f)
{
	size_t room = WIDTH - first;

	while (*text) {
		size_t n = strlen(text);

		if (n > room) {
			for (n = room; n && text[n] != ' '; n--)
				;
			if (!n)
				n = room;
		}
		plain(text, n, f);
		text += n;
		text += strspn(text, " ");
		fputc('\n', f);
		if (*text)
			fprintf(f, "%*s", (int)indent, "");
		room = WIDTH - indent;
	}
}

static void heading(const char *text, FILE *f)
{
	size_t i, n = strlen(text);

	fprintf(f, "\n\n%s\n", text);
	for (i = 0; i < n; i++)
		fputc('-', f);
	fprintf(f, "\n\n");
}

static void print_facts(const struct report *r, const struct fact *fact,
			FILE *f)
{
	char value[512];

	for (; fact->key; fact++) {
		if (!report_fact(r, fact, value, sizeof(value)))
			continue;
		fprintf(f, "%-31s ", fact->name);
		/* registers are longer than the rest of a line */
		if (strlen(value) > WIDTH - 32)
			fprintf(f, "\n    ");
		wrapped(value, strlen(value) > WIDTH - 32 ? 4 : 32, 4, f);
	}
}

static void print_verdicts(const struct report *r, FILE *f)
{
	const char *lines = r->geometry ? r->geometry->verdicts : NULL;
	char value[VERDICT_TEXT];
	struct verdict v;

	heading("Verdicts", f);
	if (!lines || !*lines)
		fprintf(f, "None: there is no geometry result.\n");
	while ((lines = verdict_next(lines, &v))) {
		char line[4 * VERDICT_TEXT];

		verdict_value(&v, value, sizeof(value));
		snprintf(line, sizeof(line), "%s: %s (%s, %s of 1000, %s)",
			 verdict_title(v.key), value, v.class, v.confidence,
			 v.basis);
		wrapped(line, 0, 4, f);
		fprintf(f, "    ");
		wrapped(v.evidence, 4, 4, f);
	}
}

static size_t text_width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static size_t column_width(const struct table *t, size_t k)
{
	size_t i, width = 0;

	for (i = 0; i < t->n; i++)
		width = max(width, text_width(t->rows[i].cell[k]));
	return width;
}

/* Columns from @from to before @end, and the first one before them */
static void print_columns(const struct table *t, size_t from, size_t end,
			  FILE *f)
{
	size_t i, k;

	for (i = 0; i < t->n; i++) {
		const struct table_row *row = &t->rows[i];

		fprintf(f, "%-*s", (int)column_width(t, 0), row->cell[0]);
		for (k = from; k < end; k++)
			fprintf(f, "%*s%s", (int)(2 + column_width(t, k) -
				text_width(row->cell[k])), "", row->cell[k]);
		fputc('\n', f);
	}
}

/* As many columns as fit beside each other, then the next ones below */
static void print_table(const struct table *t, FILE *f)
{
	size_t from = 1, end, width;

	fprintf(f, "%s:\n\n", t->caption);
	while (from < t->columns) {
		width = column_width(t, 0);
		for (end = from; end < t->columns; end++) {
			width += 2 + column_width(t, end);
			if (width > WIDTH && end > from)
				break;
		}
		print_columns(t, from, end, f);
		fputc('\n', f);
		from = end;
	}
}

static void print_results(const struct report *r, FILE *f)
{
	const struct result *result = NULL, *last = NULL;
	char run[FB_LINE_LEN];
	struct table t;

	while ((result = report_next(r, result))) {
		if (!table_of_result(result, &t))
			continue;
		if (!last || last->kind != result->kind) {
			heading(result_name(result->kind), f);
			wrapped(report_reading(result->kind), 0, 0, f);
			fputc('\n', f);
		}
		if (report_run(result, run, sizeof(run))) {
			fprintf(f, "# ");
			wrapped(run, 2, 4, f);
			fputc('\n', f);
		}
		print_table(&t, f);
		table_free(&t);
		last = result;
	}
}

static void print_system(const struct report *r, FILE *f)
{
	static const char *const key[] = {
		"flashbench", "target", "range", "kernel", "limits", "date",
	};
	const struct result *first = report_next(r, NULL);
	char value[FB_LINE_LEN];
	const char *version;
	size_t i;

	heading("System", f);
	version = first ? strstr(first->header, "flashbench ") : NULL;
	if (version) {
		fprintf(f, "module: ");
		plain(version, strcspn(version, "\n"), f);
		fputc('\n', f);
	}
	for (i = 1; first && i < ARRAY_SIZE(key); i++) {
		if (!identity_value(first->header, key[i], value,
				    sizeof(value)))
			continue;
		fprintf(f, "%s: ", key[i]);
		wrapped(value, strlen(key[i]) + 2, 4, f);
	}
}

/**
 * report_mail() - the report as a mail
 * @r: the report
 * @f: where it goes
 */
void report_mail(const struct report *r, FILE *f)
{
	char title[CHART_TEXT];

	report_title(r, title, sizeof(title));
	fprintf(f, "Subject: flashbench: ");
	plain(title, strlen(title), f);
	fputc('\n', f);
	print_verdicts(r, f);
	if (*r->info) {
		heading("The card", f);
		print_facts(r, report_identity, f);
		heading("What it claims", f);
		print_facts(r, report_claims, f);
	}
	print_results(r, f);
	print_system(r, f);
}
