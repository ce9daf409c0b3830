/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pictures as data: what is drawn, before gnuplot draws it.
 */
#ifndef FLASHBENCH_CHART_H
#define FLASHBENCH_CHART_H

#include <stdio.h>

#include "archive.h"

#define CHART_MAX_SERIES	64	/* most lines of one chart */
#define CHART_MAX_MARKS		8	/* most things pointed at */
#define CHART_TEXT		256	/* longest text in one, with its NUL */

/**
 * enum chart_x - what the horizontal axis is
 * @CHART_X_SIZE: sizes, by powers of two
 * @CHART_X_PLACE: places on the device, bytes
 * @CHART_X_COUNT: erase blocks, from 0
 * @CHART_X_TIME: times, by powers of ten
 */
enum chart_x {
	CHART_X_SIZE,
	CHART_X_PLACE,
	CHART_X_COUNT,
	CHART_X_TIME,
};

/**
 * enum chart_y - what the vertical axis is
 * @CHART_Y_TIME: ns
 * @CHART_Y_RATE: bytes per second
 * @CHART_Y_SHARE: thousandths
 */
enum chart_y {
	CHART_Y_TIME,
	CHART_Y_RATE,
	CHART_Y_SHARE,
};

/**
 * enum style - how a series is drawn
 * @STYLE_BOTH: symbols joined by a line
 * @STYLE_DOTS: symbols alone
 * @STYLE_LINE: a line alone
 * @STYLE_BARS: symbols joined by a line, and error bars
 * @STYLE_STEPS: symbols joined by steps
 */
enum style {
	STYLE_BOTH,
	STYLE_DOTS,
	STYLE_LINE,
	STYLE_BARS,
	STYLE_STEPS,
};

/**
 * struct dot - one point of a series
 * @x: see enum chart_x
 * @y: see enum chart_y
 * @low: lower end of its error bar; @y if there is none
 * @high: upper end
 */
struct dot {
	u64 x;
	s64 y;
	s64 low;
	s64 high;
};

/**
 * struct series - what belongs together
 * @name: in the legend
 * @style: how it is drawn
 * @dots: in the order they are joined
 * @n: how many
 */
struct series {
	char name[CHART_TEXT];
	enum style style;
	struct dot *dots;
	size_t n;
};

/**
 * struct mark - something found in the picture
 * @x: where; 0: nowhere in particular
 * @name: beside it; "" if it is nowhere
 * @text: all of it, in the legend
 */
struct mark {
	u64 x;
	char name[48];
	char text[CHART_TEXT];
};

/**
 * struct chart - a picture
 * @title: what, and of which card
 * @subtitle: how it was measured; lines, with newlines between them
 * @xlabel: without unit
 * @ylabel: without unit
 * @x: horizontal axis
 * @y: vertical axis
 * @ylog: by powers of ten
 * @series: the lines
 * @nseries: how many
 * @marks: what was found
 * @nmarks: how many
 */
struct chart {
	char title[CHART_TEXT];
	char subtitle[4 * FB_LINE_LEN];
	const char *xlabel;
	const char *ylabel;
	enum chart_x x;
	enum chart_y y;
	bool ylog;
	struct series series[CHART_MAX_SERIES];
	size_t nseries;
	struct mark marks[CHART_MAX_MARKS];
	size_t nmarks;
};

/**
 * struct sample - one operation
 * @length: bytes; 0: a flush
 * @ns: how long it took
 */
struct sample {
	u64 length;
	s64 ns;
};

/**
 * struct samples - the operations in a .samples file
 * @header: its lines without "# ", NUL terminated
 * @v: those that succeeded, in the order of the file
 * @n: how many
 */
struct samples {
	char *header;
	struct sample *v;
	size_t n;
};

struct series *chart_series(struct chart *c, enum style style,
			    const char *fmt, ...)
	__attribute__((__format__(printf, 3, 4)));
void chart_dot(struct series *s, u64 x, s64 y, s64 low, s64 high);
void chart_mark(struct chart *c, u64 x, const char *name, const char *fmt, ...)
	__attribute__((__format__(printf, 4, 5)));
void chart_title(struct chart *c, const char *what, const char *header);
void chart_run(struct chart *c, const char *who, const char *header);
void chart_words(const struct chart *c, FILE *f);
void chart_free(struct chart *c);

bool samples_are(const char *path);
int samples_read(const char *path, struct samples *s);
void samples_free(struct samples *s);

/**
 * struct drawing - what a picture is made of
 * @results: of one kind; two: before and after; open-au: others than these for
 *	more numbers of open erase blocks
 * @n: how many
 * @geometry: a geometry result of the same card, NULL: none
 * @places: of align: the three times, instead of what crossing costs
 */
struct drawing {
	const struct result *const *results;
	size_t n;
	const struct result *geometry;
	bool places;
};

#define SAMPLES_ALL	U64_MAX	/* operations of any length */

bool charts_overlap(const struct drawing *d);
struct chart *chart_of_results(const struct drawing *d);
struct chart *chart_of_samples(const struct samples *s, size_t n, u64 length);

#endif
