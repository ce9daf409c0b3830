// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench plot: results as pictures.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "command.h"
#include "gnuplot.h"
#include "svg.h"

/**
 * struct inputs - what is to be drawn
 * @archives: all that was read
 * @narchives: how many
 * @results: of one kind
 * @nresults: how many
 * @geometry: the result that is drawn in, NULL: none
 * @samples: single times
 * @nsamples: how many files of them
 */
struct inputs {
	struct archive *archives;
	size_t narchives;
	const struct result **results;
	size_t nresults;
	const struct result *geometry;
	struct samples *samples;
	size_t nsamples;
};

/**
 * struct wishes - the command line
 * @output: name of the picture
 * @format: by the end of that
 * @places: see struct drawing
 * @length: of operations, see chart_of_samples()
 */
struct wishes {
	const char *output;
	enum picture format;
	bool places;
	u64 length;
};

static const char help[] =
"usage: flashbench plot [OPTION]... RESULT... -o OUT.svg|OUT.png\n"
"\n"
"Draw results of one test: .tsv files or tables of align, open-au, find-fat,\n"
"scatter or interval, or .samples files. Two of them are before and after. A\n"
"geometry result among them says where the erase block is.\n"
"\n"
"  -o, --output=FILE  the picture; its name ends in .svg or .png\n"
"      --places       align: the times before, across and behind a boundary,\n"
"                     instead of what crossing it costs\n"
"      --size=SIZE    .samples: operations of this size only\n"
"      --help         this text\n";

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static bool parse_output(struct wishes *w)
{
	if (!w->output)
		complain("plot: no -o FILE");
	else if (ends_in(w->output, ".svg"))
		w->format = PICTURE_SVG;
	else if (ends_in(w->output, ".png"))
		w->format = PICTURE_PNG;
	else
		complain("plot: %s: a picture is .svg or .png", w->output);
	return w->output && (ends_in(w->output, ".svg") ||
			     ends_in(w->output, ".png"));
}

/* 0: go on, else the exit status */
static int parse_options(int argc, char **argv, struct wishes *w)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "places", no_argument, NULL, 'p' },
		{ "size", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (c == 'o') {
			w->output = optarg;
		} else if (c == 'p') {
			w->places = true;
		} else if (c == 's') {
			if (fb_parse_size(optarg, &w->length)) {
				complain("plot: %s is no size", optarg);
				return OUTCOME_USAGE;
			}
		} else {
			fputs(help, c == 'h' ? stdout : stderr);
			return c == 'h' ? -1 : OUTCOME_USAGE;
		}
	}
	if (!parse_output(w))
		return OUTCOME_USAGE;
	if (optind == argc) {
		complain("plot: no results to draw");
		return OUTCOME_USAGE;
	}
	return 0;
}

static bool add_result(struct inputs *in, const struct result *r,
		       const char *path)
{
	if (r->kind == RESULT_GEOMETRY) {
		if (in->geometry)
			complain("plot: %s: a second geometry result", path);
		return !in->geometry && (in->geometry = r);
	}
	if (in->nsamples || (in->nresults && in->results[0]->kind != r->kind)) {
		complain("plot: %s: %s does not go with %s into one picture",
			 path, result_name(r->kind), in->nsamples ?
			 "samples" : result_name(in->results[0]->kind));
		return false;
	}
	in->results = need_memory(reallocarray(in->results, in->nresults + 1,
					       sizeof(*in->results)));
	in->results[in->nresults++] = r;
	return true;
}

static bool read_samples(struct inputs *in, const char *path)
{
	if (in->nresults) {
		complain("plot: %s: samples do not go with %s into one picture",
			 path, result_name(in->results[0]->kind));
		return false;
	}
	if (in->nsamples == 2) {
		complain("plot: %s: more than two files of samples", path);
		return false;
	}
	return !samples_read(path, &in->samples[in->nsamples++]);
}

static bool read_input(struct inputs *in, const char *path)
{
	struct archive *a;
	size_t i;

	if (samples_are(path))
		return read_samples(in, path);
	a = &in->archives[in->narchives];
	if (archive_read(path, a))
		return false;
	in->narchives++;
	for (i = 0; i < a->n; i++)
		if (!add_result(in, &a->results[i], path))
			return false;
	return true;
}

static void free_inputs(struct inputs *in)
{
	while (in->narchives)
		archive_free(&in->archives[--in->narchives]);
	while (in->nsamples)
		samples_free(&in->samples[--in->nsamples]);
	free(in->archives);
	free(in->samples);
	free(in->results);
}

static struct chart *make_chart(const struct inputs *in,
				const struct wishes *w)
{
	struct drawing d = {
		in->results, in->nresults, in->geometry, w->places,
	};

	if (in->nsamples)
		return chart_of_samples(in->samples, in->nsamples, w->length);
	if (in->nresults)
		return chart_of_results(&d);
	complain(in->geometry ?
		 "plot: a geometry result alone is no picture" :
		 "plot: nothing to plot");
	return NULL;
}

static bool write_file(const char *path, const char *data, size_t size)
{
	FILE *f = fopen(path, "wb");
	bool good = f && fwrite(data, 1, size, f) == size;

	if (f && fclose(f))
		good = false;
	if (!good)
		complain("%s: %s", path, strerror(errno));
	return good;
}

static bool draw(const struct chart *c, const struct wishes *w)
{
	size_t size;
	char *data = w->format == PICTURE_SVG ? svg_file(c, &size) :
		gnuplot_draw(c, w->format, &size);
	bool good = data && write_file(w->output, data, size);

	free(data);
	return good;
}

/**
 * command_plot() - draw results
 * @argc: as of main()
 * @argv: from "plot" on
 *
 * Return: the exit status.
 */
enum outcome command_plot(int argc, char **argv)
{
	struct wishes w = { .length = SAMPLES_ALL };
	struct inputs in = {};
	struct chart *c = NULL;
	int end = parse_options(argc, argv, &w);
	bool good = true;

	if (end)
		return end < 0 ? OUTCOME_ANSWER : end;
	in.archives = need_memory(calloc(argc, sizeof(*in.archives)));
	in.samples = need_memory(calloc(argc, sizeof(*in.samples)));
	while (good && optind < argc)
		good = read_input(&in, argv[optind++]);
	if (good)
		c = make_chart(&in, &w);
	good = c && draw(c, &w);
	chart_free(c);
	free_inputs(&in);
	return good ? OUTCOME_ANSWER : OUTCOME_FAILURE;
}
