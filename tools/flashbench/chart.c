// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pictures as data: made piece by piece, and told in words.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "chart.h"
#include "command.h"
#include "identity.h"

#define SUBTITLE_WIDTH	112	/* characters of a line */

/**
 * chart_series() - begin a series
 * @c: the chart
 * @style: how it is drawn
 * @fmt: its name
 *
 * Return: the series; the last one again if there are too many.
 */
struct series *chart_series(struct chart *c, enum style style,
			    const char *fmt, ...)
{
	struct series *s;
	va_list args;

	if (c->nseries == CHART_MAX_SERIES)
		return &c->series[CHART_MAX_SERIES - 1];
	s = &c->series[c->nseries++];
	s->style = style;
	va_start(args, fmt);
	vsnprintf(s->name, sizeof(s->name), fmt, args);
	va_end(args);
	return s;
}

/**
 * chart_dot() - the next point of a series
 * @s: the series
 * @x: see enum chart_x
 * @y: see enum chart_y
 * @low: lower end of its error bar; @y if there is none
 * @high: upper end
 */
void chart_dot(struct series *s, u64 x, s64 y, s64 low, s64 high)
{
	/* room grows by doubling, at each power of two */
	if (!(s->n & (s->n - 1))) {
		size_t room = s->n ? 2 * s->n : 1;

		s->dots = need_memory(reallocarray(s->dots, room,
						   sizeof(*s->dots)));
	}
	s->dots[s->n++] = (struct dot){ x, y, low, high };
}

/**
 * chart_mark() - point at something
 * @c: the chart
 * @x: where; 0: nowhere in particular
 * @name: beside it
 * @fmt: all of it, in the legend
 */
void chart_mark(struct chart *c, u64 x, const char *name, const char *fmt, ...)
{
	struct mark *m;
	va_list args;

	if (c->nmarks == CHART_MAX_MARKS)
		return;
	m = &c->marks[c->nmarks++];
	m->x = x;
	snprintf(m->name, sizeof(m->name), "%s", name);
	va_start(args, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, args);
	va_end(args);
}

/**
 * chart_title() - say what is shown, and of which card
 * @c: the chart
 * @what: is shown
 * @header: of the result
 */
void chart_title(struct chart *c, const char *what, const char *header)
{
	char card[CHART_TEXT];

	if (identity_card(header, card, sizeof(card)))
		snprintf(c->title, sizeof(c->title), "%s: %.200s", what, card);
	else
		snprintf(c->title, sizeof(c->title), "%s", what);
}

/* @text in lines, each as long as fits, broken at blanks */
static void add_lines(char *buf, size_t size, const char *text)
{
	size_t len = strlen(buf);

	while (*text && len + SUBTITLE_WIDTH + 2 < size) {
		size_t n = strlen(text);

		if (n > SUBTITLE_WIDTH)
			for (n = SUBTITLE_WIDTH; n && text[n] != ' '; n--)
				;
		if (!n)
			n = min_t(size_t, strlen(text), SUBTITLE_WIDTH);
		len += snprintf(buf + len, size - len, "%s%.*s",
				len ? "\n" : "", (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
}

/**
 * chart_run() - say how it was measured
 * @c: the chart
 * @who: of several results which; "": there is one
 * @header: of the result
 *
 * The same line twice is there once.
 */
void chart_run(struct chart *c, const char *who, const char *header)
{
	char line[2 * FB_LINE_LEN], run[FB_LINE_LEN], kernel[64];

	if (!identity_value(header, "run", run, sizeof(run)))
		return;
	if (!identity_value(header, "kernel", kernel, sizeof(kernel)))
		kernel[0] = '\0';
	snprintf(line, sizeof(line), "%s%s%s%s%s", who, *who ? ": " : "", run,
		 *kernel ? "; kernel " : "", kernel);
	add_lines(c->subtitle, sizeof(c->subtitle), line);
}

/**
 * chart_words() - the picture for who does not see it
 * @c: the chart
 * @f: where to write
 */
void chart_words(const struct chart *c, FILE *f)
{
	size_t i;

	fprintf(f, "%s by %s.", c->ylabel, c->xlabel);
	for (i = 0; i < c->nseries; i++)
		fprintf(f, "%s%s", i ? ", " : " Shown: ", c->series[i].name);
	fputs(c->nseries ? "." : "", f);
	for (i = 0; i < c->nmarks; i++)
		fprintf(f, " %s.", c->marks[i].text);
}

/**
 * chart_free() - forget a chart
 * @c: it; may be NULL
 */
void chart_free(struct chart *c)
{
	size_t i;

	for (i = 0; c && i < c->nseries; i++)
		free(c->series[i].dots);
	free(c);
}
