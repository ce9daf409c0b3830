// SPDX-License-Identifier: GPL-2.0-only
/*
 * A chart as a script of gnuplot.
 *
 * Series differ by colour, by lightness and by symbol, so that colour-blind
 * readers and grey printers have one of them left. The colours are those of
 * Okabe and Ito.
 */
#include <stdlib.h>

#include "gnuplot.h"

#define WIDTH		860	/* pixels */
#define HEIGHT		560
#define SUBTITLE_LINE	15

static const char *const colours[] = {
	"#0072b2", "#d55e00", "#000000", "#009e73", "#cc79a7", "#56b4e9",
	"#e69f00", "#666666",
};

/* Point types of gnuplot: filled and empty in turn */
static const int symbols[] = { 7, 5, 2, 9, 13, 4, 6, 8 };

/**
 * struct unit - how numbers are written on an axis
 * @div: of the smaller unit
 * @name: its name
 */
struct unit {
	u64 div;
	const char *name;
};

static const struct unit times[] = {
	{ 1, "ns" }, { 1000, "µs" }, { 1000000, "ms" }, { 1000000000, "s" },
};

static const struct unit rates[] = {
	{ 1, "B/s" }, { 1000, "kB/s" }, { 1000000, "MB/s" },
	{ 1000000000, "GB/s" },
};

static const struct unit places[] = {
	{ 1, "B" }, { 1 << 10, "KiB" }, { 1 << 20, "MiB" }, { 1 << 30, "GiB" },
};

static const struct unit counts[] = { { 1, "" } };
static const struct unit shares[] = { { 10, "%" } };

/**
 * struct extent - what an axis has to show
 * @min: smallest value above 0
 * @max: largest value
 */
struct extent {
	u64 min;
	u64 max;
};

static void extend(struct extent *e, s64 v)
{
	if (v <= 0)
		v = -v;
	else if ((u64)v < e->min)
		e->min = v;
	if ((u64)v > e->max)
		e->max = v;
}

static void find_extents(const struct chart *c, struct extent *x,
			 struct extent *y)
{
	size_t i, k;

	*x = (struct extent){ U64_MAX, 0 };
	*y = *x;
	for (i = 0; i < c->nseries; i++) {
		for (k = 0; k < c->series[i].n; k++) {
			const struct dot *d = &c->series[i].dots[k];

			extend(x, d->x);
			extend(y, d->y);
			extend(y, d->low);
			extend(y, d->high);
		}
	}
	/* nothing above 0 is as good as 1 */
	extend(x, x->max ? x->max : 1);
	extend(y, y->max ? y->max : 1);
}

/* The largest unit of which there are two */
static const struct unit *choose_unit(const struct unit *unit, size_t n,
				      u64 max)
{
	while (n > 1 && max < 2 * unit[n - 1].div)
		n--;
	return &unit[n - 1];
}

/* "64K": what run lines take */
static void print_size(u64 size, FILE *f)
{
	static const char letter[] = "KMGT";
	int i = -1;

	while (size && !(size & 1023) && i < 3) {
		size >>= 10;
		i++;
	}
	if (i < 0)
		fprintf(f, "%llu", size);
	else
		fprintf(f, "%llu%c", size, letter[i]);
}

/* Powers of two: 15 names at most, or they run into each other */
static void size_tics(const struct extent *e, FILE *f)
{
	int first = 63 - __builtin_clzll(e->min);
	int last = 63 - __builtin_clzll(e->max);
	int step = (last - first) / 15 + 1, i;

	fprintf(f, "set logscale x 2\nset xtics (");
	for (i = first; i <= last + 1 && i < 64; i++) {
		fprintf(f, "%s'", i == first ? "" : ", ");
		if (i % step == 0)
			print_size(1ULL << i, f);
		fprintf(f, "' %llu %d", 1ULL << i, i % step ? 1 : 0);
	}
	fprintf(f, ") scale 1,0.5\n");
}

/* 1, 2, 5, 10...: all of them if they are few, else powers of ten */
static void decade_tics(const char *axis, const struct unit *units, size_t n,
			const struct extent *e, FILE *f)
{
	static const u64 factor[] = { 1, 2, 5 };
	bool few = e->max / 1000 < e->min, more = false;
	u64 decade = 1;
	size_t i;

	while (decade <= e->min / 10)
		decade *= 10;
	fprintf(f, "set logscale %s\nset %stics (", axis, axis);
	for (; decade <= e->max && decade < U64_MAX / 100; decade *= 10) {
		for (i = 0; i < (few ? 3 : 1); i++) {
			u64 v = decade * factor[i];
			const struct unit *u = choose_unit(units, n, 2 * v);

			fprintf(f, "%s'%llu %s' %llu",
				more ? ", " : "", v / u->div, u->name, v);
			more = true;
		}
	}
	fprintf(f, ")\n");
}

/* The label of an axis, and what numbers on it are divided by */
static u64 linear_axis(const char *axis, const char *label,
		       const struct unit *units, size_t n,
		       const struct extent *e, FILE *f)
{
	const struct unit *u = choose_unit(units, n, e->max);

	fprintf(f, "set %slabel '%s%s%s%s'\n", axis, label,
		*u->name ? " (" : "", u->name, *u->name ? ")" : "");
	return u->div;
}

static u64 print_x(const struct chart *c, const struct extent *e, FILE *f)
{
	switch (c->x) {
	case CHART_X_PLACE:
		return linear_axis("x", c->xlabel, places, ARRAY_SIZE(places),
				   e, f);
	case CHART_X_COUNT:
		fprintf(f, "set xtics 1\nset xrange [-0.3:%llu.3]\n", e->max);
		return linear_axis("x", c->xlabel, counts, 1, e, f);
	case CHART_X_SIZE:
		fprintf(f, "set xlabel '%s (bytes)'\n", c->xlabel);
		size_tics(e, f);
		return 1;
	case CHART_X_TIME:
		fprintf(f, "set xlabel '%s'\n", c->xlabel);
		decade_tics("x", times, ARRAY_SIZE(times), e, f);
		return 1;
	}
	return 1;
}

static u64 print_y(const struct chart *c, const struct extent *e, FILE *f)
{
	const struct unit *unit = c->y == CHART_Y_RATE ? rates : times;

	if (c->y == CHART_Y_SHARE) {
		fprintf(f, "set yrange [0:100]\n");
		return linear_axis("y", c->ylabel, shares, 1, e, f);
	}
	if (c->y == CHART_Y_RATE && e->max / 4 < e->min) {
		/* no need of powers: show how large a difference really is */
		fprintf(f, "set yrange [0:*]\n");
		return linear_axis("y", c->ylabel, unit, ARRAY_SIZE(rates), e,
				   f);
	}
	if (!c->ylog)
		return linear_axis("y", c->ylabel, unit, ARRAY_SIZE(times), e,
				   f);
	fprintf(f, "set ylabel '%s'\n", c->ylabel);
	decade_tics("y", unit, ARRAY_SIZE(times), e, f);
	return 1;
}

static void print_titles(const struct chart *c, FILE *f)
{
	char lines[sizeof(c->subtitle)], *line, *rest = lines;
	int top = 38, row = 0;

	fprintf(f, "set label ");
	gnuplot_quote(c->title, f);
	fprintf(f, " at screen 0.015, screen %.4f font ',15' noenhanced\n",
		1 - 18. / HEIGHT);
	memcpy(lines, c->subtitle, sizeof(lines));
	while (*rest && (line = strsep(&rest, "\n"))) {
		fprintf(f, "set label ");
		gnuplot_quote(line, f);
		fprintf(f, " at screen 0.015, screen %.4f font ',10' "
			"textcolor '#444444' noenhanced\n",
			1 - (top + SUBTITLE_LINE * row++) / (double)HEIGHT);
		if (!rest)
			break;
	}
	/* room for the names of marks, in two rows */
	fprintf(f, "set tmargin at screen %.4f\n",
		1 - (top + SUBTITLE_LINE * row + 34) / (double)HEIGHT);
}

static void print_marks(const struct chart *c, u64 xdiv, FILE *f)
{
	size_t i, row = 0;

	for (i = 0; i < c->nmarks; i++) {
		double x = (double)c->marks[i].x / xdiv;

		if (!c->marks[i].x)
			continue;
		fprintf(f, "set arrow from first %.10g, graph 0 to first %.10g,"
			" graph 1 nohead lw 1.5 dt 2 lc '#000000' back\n", x, x);
		fprintf(f, "set label ");
		gnuplot_quote(c->marks[i].name, f);
		fprintf(f, " at first %.10g, graph 1 offset 0,%s center "
			"noenhanced\n", x, row++ % 2 ? "1.6" : "0.6");
	}
}

static void print_data(const struct chart *c, u64 xdiv, u64 ydiv, FILE *f)
{
	size_t i, k;

	for (i = 0; i < c->nseries; i++) {
		const struct series *s = &c->series[i];

		fprintf(f, "$s%zu << END\n", i);
		for (k = 0; k < s->n; k++) {
			const struct dot *d = &s->dots[k];

			fprintf(f, "%.10g %.10g %.10g %.10g\n",
				(double)d->x / xdiv, (double)d->y / ydiv,
				(double)d->low / ydiv, (double)d->high / ydiv);
		}
		fprintf(f, "END\n");
	}
}

/*
 * Steps have no symbols and error bars no lines: these take two goes, and steps
 * a third for the legend.
 */
static void print_series(const struct series *s, size_t i, FILE *f)
{
	const char *colour = colours[i % ARRAY_SIZE(colours)];
	int symbol = symbols[i % ARRAY_SIZE(symbols)];
	/* a line of a thousand symbols is a smear */
	size_t every = s->n > 40 ? s->n / 20 : 1;
	double size = s->n > 200 && s->style == STYLE_DOTS ? 0.35 : 0.9;
	char look[96];

	snprintf(look, sizeof(look), "lc '%s' pt %d ps %g lw 1.5 dt %zu",
		 colour, symbol, size, i % 4 + 1);
	switch (s->style) {
	case STYLE_DOTS:
		fprintf(f, "$s%zu using 1:2 with points lc '%s' pt %d ps %g",
			i, colour, symbol, size);
		break;
	case STYLE_LINE:
		fprintf(f, "$s%zu using 1:2 with lines lc '%s' lw 1.5 dt 2", i,
			colour);
		break;
	case STYLE_BARS:
		fprintf(f, "$s%zu using 1:2:3:4 with yerrorbars lc '%s' pt %d "
			"ps %g lw 1.5 notitle, ", i, colour, symbol, size);
		/* fall through */
	case STYLE_BOTH:
		fprintf(f, "$s%zu using 1:2 with linespoints %s pi %zu", i,
			look, every);
		break;
	case STYLE_STEPS:
		fprintf(f, "$s%zu using 1:2 with steps lc '%s' lw 1.5 notitle, "
			"$s%zu every %zu using 1:2 with points lc '%s' pt %d "
			"ps %g notitle, NaN with linespoints lc '%s' pt %d "
			"ps %g lw 1.5", i, colour, i, every, colour, symbol,
			size, colour, symbol, size);
		break;
	}
	fprintf(f, " title ");
	gnuplot_quote(s->name, f);
}

/**
 * gnuplot_script() - a chart as a script
 * @c: the chart
 * @format: of the picture
 * @f: where the script goes
 */
void gnuplot_script(const struct chart *c, enum picture format, FILE *f)
{
	struct extent x, y;
	u64 xdiv, ydiv;
	size_t i;

	find_extents(c, &x, &y);
	if (format == PICTURE_SVG)
		fprintf(f, "set terminal svg size %d,%d font 'sans-serif,13' "
			"background '#ffffff' noenhanced\n", WIDTH, HEIGHT);
	else
		fprintf(f, "set terminal pngcairo size %d,%d font 'Sans,11' "
			"background '#ffffff' noenhanced\n", WIDTH, HEIGHT);
	fprintf(f, "set encoding utf8\n"
		"set grid lc '#bbbbbb' lw 1 dt 1\n"
		"set border 3\nset tics nomirror\n"
		"set key outside below left Left reverse vertical samplen 3\n"
		"set rmargin 4\n");
	xdiv = print_x(c, &x, f);
	ydiv = print_y(c, &y, f);
	print_titles(c, f);
	print_marks(c, xdiv, f);
	print_data(c, xdiv, ydiv, f);
	fprintf(f, "plot ");
	for (i = 0; i < c->nseries; i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_series(&c->series[i], i, f);
	}
	for (i = 0; i < c->nmarks; i++) {
		fprintf(f, ", NaN with lines lw 1.5 dt 2 lc '%s' title ",
			c->marks[i].x ? "#000000" : "#ffffff");
		gnuplot_quote(c->marks[i].text, f);
	}
	fputc('\n', f);
}
