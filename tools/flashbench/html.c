// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page: one file, without scripts, without anything from elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "identity.h"
#include "report.h"
#include "svg.h"
#include "tables.h"
#include "verdict.h"

static const char style[] =
":root { color-scheme: light dark; --line: #bbb; --soft: #f4f4f4; }\n"
"@media (prefers-color-scheme: dark) { :root { --line: #555; --soft: #222; } }\n"
"body { font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 0 auto;\n"
"  padding: 0 1rem 3rem; overflow-wrap: anywhere; }\n"
"h1 { font-size: 1.5rem; line-height: 1.25; }\n"
"h2 { font-size: 1.2rem; margin-top: 2.5rem;\n"
"  border-bottom: 1px solid var(--line); }\n"
".box { overflow-x: auto; margin: 1rem 0; }\n"
"table { border-collapse: collapse; overflow-wrap: normal; }\n"
"caption { text-align: left; font-weight: bold; padding: .3rem 0; }\n"
"th, td { padding: .15rem .7rem .15rem 0; text-align: left;\n"
"  vertical-align: top; border-bottom: 1px solid var(--line); }\n"
"th { font-weight: 600; }\n"
".numbers td, .numbers thead th { text-align: right;\n"
"  font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
".numbers th:first-child { text-align: left; white-space: nowrap; }\n"
".facts td { overflow-wrap: anywhere; }\n"
".verdicts td:nth-child(2) { white-space: nowrap; }\n"
".verdicts td:last-child { min-width: 16rem; }\n"
".unknown { opacity: .7; }\n"
"figure svg { display: block; width: 100%; min-width: 38rem;\n"
"  max-width: 54rem; height: auto; background: #fff; color: #000; }\n"
"pre { overflow-x: auto; background: var(--soft); padding: .6rem;\n"
"  font-size: .85rem; }\n"
"@media print { body { max-width: none; font-size: 10pt; }\n"
"  figure, tr { break-inside: avoid; } h2 { break-after: avoid; }\n"
"  .box, pre { overflow: visible; } pre { white-space: pre-wrap; }\n"
"  figure svg { min-width: 0; } }\n";

static void element(FILE *f, const char *name, const char *attributes,
		    const char *text)
{
	fprintf(f, "<%s%s>", name, attributes);
	xml_text(text, f);
	fprintf(f, "</%s>", name);
}

static void heading(FILE *f, const char *text)
{
	element(f, "h2", "", text);
	fputc('\n', f);
}

static void print_facts(const struct report *r, const struct fact *fact,
			const char *caption, FILE *f)
{
	bool any = false;
	char value[512];

	for (; fact->key; fact++) {
		if (!report_fact(r, fact, value, sizeof(value)))
			continue;
		if (!any) {
			fprintf(f, "<div class=\"box\" tabindex=\"0\">"
				"<table class=\"facts\">");
			element(f, "caption", "", caption);
			fprintf(f, "<tbody>\n");
		}
		any = true;
		fprintf(f, "<tr>");
		element(f, "th", " scope=\"row\"", fact->name);
		element(f, "td", "", value);
		fprintf(f, "</tr>\n");
	}
	if (any)
		fprintf(f, "</tbody></table></div>\n");
	else
		fprintf(f, "<p>Nothing is known.</p>\n");
}

static void print_identity(const struct report *r, FILE *f)
{
	const struct result *first = report_next(r, NULL);
	char value[512];

	heading(f, "The card");
	if (*r->info) {
		print_facts(r, report_identity, "What it is", f);
		print_facts(r, report_claims, "What it claims", f);
	} else if (first && identity_value(first->header, "target", value,
					   sizeof(value))) {
		element(f, "p", "", value);
		fputc('\n', f);
	} else {
		fprintf(f, "<p>Nothing is known of the card itself.</p>\n");
	}
}

static void print_verdicts(const struct report *r, FILE *f)
{
	static const char *const names[] = {
		"what", "value", "class", "of 1000", "rests on", "evidence",
	};
	const char *lines = r->geometry ? r->geometry->verdicts : NULL;
	char value[VERDICT_TEXT];
	struct verdict v;
	size_t i;

	heading(f, "Verdicts");
	if (!lines || !*lines) {
		fprintf(f, "<p>Nobody has asked for them: there is no geometry "
			"result.</p>\n");
		return;
	}
	fprintf(f, "<div class=\"box\" tabindex=\"0\">"
		"<table class=\"verdicts\">");
	element(f, "caption", "", "What the measurements say, and how sure it is");
	fprintf(f, "<thead><tr>");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		element(f, "th", " scope=\"col\"", names[i]);
	fprintf(f, "</tr></thead><tbody>\n");
	while ((lines = verdict_next(lines, &v))) {
		verdict_value(&v, value, sizeof(value));
		fprintf(f, strcmp(v.class, "unknown") ? "<tr>" :
			"<tr class=\"unknown\">");
		element(f, "th", " scope=\"row\"", verdict_title(v.key));
		element(f, "td", "", value);
		element(f, "td", "", v.class);
		element(f, "td", "", v.confidence);
		element(f, "td", "", v.basis);
		element(f, "td", "", v.evidence);
		fprintf(f, "</tr>\n");
	}
	fprintf(f, "</tbody></table></div>\n");
}

static void print_table(const struct table *t, FILE *f)
{
	size_t i, k;

	fprintf(f, "<div class=\"box\" tabindex=\"0\">"
		"<table class=\"numbers\">");
	element(f, "caption", "", t->caption);
	for (i = 0; i < t->n; i++) {
		fprintf(f, "%s<tr>", i == 0 ? "<thead>" : "");
		for (k = 0; k < t->columns; k++)
			element(f, i && k ? "td" : "th", i == 0 ?
				" scope=\"col\"" : k ? "" : " scope=\"row\"",
				t->rows[i].cell[k]);
		fprintf(f, "</tr>%s\n", i == 0 ? "</thead><tbody>" : "");
	}
	fprintf(f, "</tbody></table></div>\n");
}

static void print_picture(const struct report *r, const struct result *result,
			  unsigned int *number, FILE *f)
{
	struct chart *c = report_chart(r, result);

	if (c) {
		fprintf(f, "<figure class=\"box\" tabindex=\"0\">\n");
		svg_inline(c, (*number)++, f);
		fprintf(f, "</figure>\n");
	}
	chart_free(c);
}

static void print_results(const struct report *r, FILE *f)
{
	const struct result *result = NULL, *last = NULL;
	unsigned int number = 0;
	struct table t;

	while ((result = report_next(r, result))) {
		bool again = last && last->kind == result->kind;

		if (!table_of_result(result, &t))
			continue;
		if (!again) {
			heading(f, result_name(result->kind));
			element(f, "p", "", report_reading(result->kind));
			fputc('\n', f);
		}
		if (r->pictures && !(again && result->kind == RESULT_OPEN_AU))
			print_picture(r, result, &number, f);
		print_table(&t, f);
		table_free(&t);
		last = result;
	}
}

static void print_runs(const struct report *r, FILE *f)
{
	const struct result *result = NULL;
	char run[FB_LINE_LEN];

	heading(f, "To do it again");
	fprintf(f, "<p>Written to the module's file <code>run</code>, these "
		"lines do the same again, and what is above them is all that "
		"was noted of the system.</p>\n");
	while ((result = report_next(r, result))) {
		if (!*result->header)
			continue;
		fprintf(f, "<pre tabindex=\"0\">");
		xml_text(result->header, f);
		if (report_run(result, run, sizeof(run))) {
			fprintf(f, "<strong>");
			xml_text(run, f);
			fprintf(f, "</strong>");
		}
		fprintf(f, "</pre>\n");
	}
}

/**
 * report_html() - the report as a page
 * @r: the report
 * @f: where it goes
 */
void report_html(const struct report *r, FILE *f)
{
	char title[CHART_TEXT], value[256];
	const struct result *first = report_next(r, NULL);

	report_title(r, title, sizeof(title));
	fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width, "
		"initial-scale=1\"/>\n<title>flashbench: ");
	xml_text(title, f);
	fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n"
		"<h1>", style);
	xml_text(title, f);
	fprintf(f, "</h1>\n");
	if (first && identity_value(first->header, "kernel", value,
				    sizeof(value))) {
		fprintf(f, "<p>Measured by flashbench on kernel ");
		xml_text(value, f);
		fprintf(f, ".</p>\n");
	}
	print_verdicts(r, f);
	print_identity(r, f);
	if (!r->pictures)
		fprintf(f, "<p>There are no pictures: gnuplot was missing when "
			"this page was made.</p>\n");
	print_results(r, f);
	print_runs(r, f);
	fprintf(f, "</main>\n</body>\n</html>\n");
}
