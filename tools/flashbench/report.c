// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench report: measure a card and write a page about it.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "gnuplot.h"
#include "identity.h"
#include "measure.h"
#include "report.h"

#define DEFAULT_OUTPUT	"flashbench-report"

/**
 * struct order - the command line
 * @measure: what is to be measured
 * @output: directory, or file that ends in .html
 * @serial: show serial numbers
 * @from: saved results instead of a device
 */
struct order {
	struct measure measure;
	const char *output;
	bool serial;
	bool from;
};

static const char help[] =
"usage: flashbench report [OPTION]... DEVICE\n"
"   or: flashbench report [OPTION]... --from RESULT...\n"
"\n"
"Measure a card, and write a page about it (HTML) and a mail (text). Without\n"
"--preserve or --destroy it is only read.\n"
"\n"
"      --preserve       write, too, what is there already\n"
"      --destroy        write, too: WHAT IS STORED IN THE RANGE IS LOST\n"
"      --yes            do not ask before that\n"
"      --range=RANGE    OFFSET+LENGTH: touch nothing else\n"
"      --serial         show serial numbers, instead of x\n"
"  -o, --output=NAME    a directory (flashbench-report) for page, mail and\n"
"                       results; or NAME.html: page, and mail in NAME.txt\n"
"      --from           all arguments are saved results (.tsv, and the\n"
"                       module's info file) of one card\n"
"      --help           this text\n";

/* 0: go on, else the exit status; below 0: success */
static int parse_options(int argc, char **argv, struct order *o)
{
	static const struct option options[] = {
		{ "preserve", no_argument, NULL, 'p' },
		{ "destroy", no_argument, NULL, 'd' },
		{ "yes", no_argument, NULL, 'y' },
		{ "range", required_argument, NULL, 'r' },
		{ "serial", no_argument, NULL, 's' },
		{ "output", required_argument, NULL, 'o' },
		{ "from", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		switch (c) {
		case 'p':
			o->measure.arming = ARM_PRESERVE;
			break;
		case 'd':
			o->measure.arming = ARM_DESTROY;
			break;
		case 'y':
			o->measure.yes = true;
			break;
		case 'r':
			o->measure.range = optarg;
			break;
		case 's':
			o->serial = true;
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'f':
			o->from = true;
			break;
		default:
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
	}
	if (optind < argc && (o->from || optind + 1 == argc))
		return 0;
	complain("report: %s", o->from ? "no results" : "which device?");
	return OUTCOME_USAGE;
}

/* The whole of a file, NULL after a complaint */
static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r"), *out;
	char *text = NULL, block[4096];
	size_t size, n;

	if (!f) {
		complain("%s: %s", path, strerror(errno));
		return NULL;
	}
	out = need_memory(open_memstream(&text, &size));
	while ((n = fread(block, 1, sizeof(block), f)))
		fwrite(block, 1, n, out);
	if (ferror(f)) {
		complain("%s: %s", path, strerror(errno));
		fclose(out);
		fclose(f);
		free(text);
		return NULL;
	}
	fclose(out);
	fclose(f);
	return need_memory(text);
}

static void mask(struct archive *a)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		identity_mask(a->results[i].header);
		if (a->results[i].verdicts)
			identity_mask(a->results[i].verdicts);
	}
}

/**
 * report_add() - a result, as text, becomes part of a report
 * @r: the report
 * @name: of the text, for complaints
 * @text: it; is changed
 * @serial: show serial numbers
 *
 * Return: false after a complaint.
 */
bool report_add(struct report *r, const char *name, char *text, bool serial)
{
	struct archive *a;

	/* the file info begins like this, and no result does */
	if (!strncmp(text, "device: ", 8)) {
		if (!serial)
			identity_mask(text);
		free(r->info);
		r->info = need_memory(strdup(text));
		return true;
	}
	r->archives = need_memory(reallocarray(r->archives, r->n + 1,
					       sizeof(*r->archives)));
	a = &r->archives[r->n];
	if (archive_parse(name, text, a))
		return false;
	r->n++;
	if (!serial)
		mask(a);
	return true;
}

static bool read_results(struct report *r, char **path, bool serial)
{
	bool good = true;
	char *text;

	for (; good && *path; path++) {
		text = read_text(*path);
		good = text && report_add(r, *path, text, serial);
		free(text);
	}
	return good;
}

static bool write_file(const char *path, const struct report *r,
		       void (*print)(const struct report *r, FILE *f))
{
	FILE *f = fopen(path, "w");
	bool good = f;

	if (f) {
		print(r, f);
		good = !ferror(f);
		if (fclose(f))
			good = false;
	}
	if (!good)
		complain("%s: %s", path, strerror(errno));
	return good;
}

static bool is_page(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && !strcmp(name + n - 5, ".html");
}

static bool write_report(struct report *r, const char *output)
{
	char page[PATH_MAX], mail[PATH_MAX];
	const struct result *result = NULL;

	if (is_page(output)) {
		snprintf(page, sizeof(page), "%s", output);
		snprintf(mail, sizeof(mail), "%.*s.txt",
			 (int)strlen(output) - 5, output);
	} else {
		snprintf(page, sizeof(page), "%s/report.html", output);
		snprintf(mail, sizeof(mail), "%s/report.txt", output);
	}
	while ((result = report_next(r, result)))
		if (result->kind == RESULT_GEOMETRY)
			r->geometry = result;
	r->pictures = gnuplot_there();
	if (!r->pictures)
		complain("no pictures: gnuplot is missing; apt-get install "
			 "gnuplot-nox");
	if (!write_file(page, r, report_html) ||
	    !write_file(mail, r, report_mail))
		return false;
	printf("%s\n%s\n", page, mail);
	return true;
}

static bool make_directory(const char *output)
{
	if (is_page(output) || !mkdir(output, 0777) || errno == EEXIST)
		return true;
	complain("%s: %s", output, strerror(errno));
	return false;
}

/**
 * command_report() - measure a card and write a page about it
 * @argc: as of main()
 * @argv: from "report" on
 *
 * Return: the exit status.
 */
enum outcome command_report(int argc, char **argv)
{
	struct order o = { .output = DEFAULT_OUTPUT };
	struct report r = {};
	int end = parse_options(argc, argv, &o);
	bool good;

	if (end)
		return end < 0 ? OUTCOME_ANSWER : end;
	r.info = need_memory(strdup(""));
	good = make_directory(o.output);
	if (good && o.from) {
		good = read_results(&r, argv + optind, o.serial);
	} else if (good) {
		o.measure.device = argv[optind];
		o.measure.save = is_page(o.output) ? NULL : o.output;
		o.measure.serial = o.serial;
		good = measure(&o.measure, &r);
	}
	good = good && write_report(&r, o.output);
	while (r.n)
		archive_free(&r.archives[--r.n]);
	free(r.archives);
	free(r.info);
	return good ? OUTCOME_ANSWER : OUTCOME_FAILURE;
}
