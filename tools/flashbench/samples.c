// SPDX-License-Identifier: GPL-2.0-only
/*
 * The .samples files of the module: one line for each operation.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chart.h"
#include "command.h"

/* Columns, from 0, of
 * seq point op offset length submit_ns latency_ns parts status
 */
#define COLUMN_LENGTH	4
#define COLUMN_LATENCY	6
#define COLUMN_STATUS	8

#define MAX_LENGTHS	6	/* more series cannot be told apart */
#define MAX_DOTS	400	/* of a series */

static const char columns[] = "seq\tpoint\top\toffset\tlength\tsubmit_ns\t"
	"latency_ns\tparts\tstatus";

/**
 * samples_are() - is this a .samples file?
 * @path: of the file
 *
 * Return: false also if it cannot be read, or not twice.
 */
bool samples_are(const char *path)
{
	char *line = NULL;
	size_t room = 0;
	struct stat st;
	bool are = false;
	FILE *f;

	/* what is read from a pipe is gone */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	f = fopen(path, "r");
	while (f && getline(&line, &room, f) >= 0) {
		are = !strncmp(line, columns, sizeof(columns) - 1);
		if (*line != '#')
			break;
	}
	free(line);
	if (f)
		fclose(f);
	return are;
}

/* Column @n of @line as a number; false if it is none */
static bool number(const char *line, int n, s64 *v)
{
	char *end;

	while (n--) {
		line = strchr(line, '\t');
		if (!line)
			return false;
		line++;
	}
	errno = 0;
	*v = strtoll(line, &end, 10);
	return end != line && !errno &&
	       (*end == '\t' || *end == '\n' || *end == '\r' || !*end);
}

/* What failed has an error and no time, and is left out */
static bool add_sample(struct samples *s, const char *line)
{
	s64 length, ns, status;

	if (!number(line, COLUMN_LENGTH, &length) || length < 0 ||
	    !number(line, COLUMN_LATENCY, &ns) || ns < 0 ||
	    !number(line, COLUMN_STATUS, &status))
		return false;
	if (status)
		return true;
	if (!(s->n & (s->n - 1)))
		s->v = need_memory(reallocarray(s->v, s->n ? 2 * s->n : 1,
						sizeof(*s->v)));
	s->v[s->n++] = (struct sample){ length, ns };
	return true;
}

static bool read_lines(FILE *f, struct samples *s, size_t *row)
{
	char *line = NULL, *header = NULL;
	size_t room = 0, size = 0;
	bool head = true, good = true;
	FILE *h = need_memory(open_memstream(&header, &size));

	while (good && getline(&line, &room, f) >= 0) {
		++*row;
		if (*line == '#')
			fputs(line, h);
		else if (head)
			head = strncmp(line, columns, sizeof(columns) - 1);
		else
			good = add_sample(s, line);
	}
	fclose(h);
	free(line);
	s->header = header;
	return good;
}

/**
 * samples_read() - the samples in a file
 * @path: of the file
 * @s: filled; to be freed also after an error
 *
 * Return: 0, or -1 after a complaint.
 */
int samples_read(const char *path, struct samples *s)
{
	FILE *f = fopen(path, "r");
	size_t row = 0;
	bool good;

	*s = (struct samples){};
	if (!f) {
		complain("%s: %s", path, strerror(errno));
		return -1;
	}
	good = read_lines(f, s, &row);
	fclose(f);
	if (!good)
		complain("%s:%zu: no sample", path, row);
	else if (!s->n)
		complain("%s: no samples", path);
	return good && s->n ? 0 : -1;
}

/**
 * samples_free() - forget samples
 * @s: as filled by samples_read()
 */
void samples_free(struct samples *s)
{
	free(s->header);
	free(s->v);
	*s = (struct samples){};
}

static int compare_ns(const void *a, const void *b)
{
	const s64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * The share of operations that took no longer, of those of @length, or of all
 * of them if it is ALL.
 */
static void add_distribution(struct chart *c, const struct samples *s,
			     u64 length, const char *name)
{
	s64 *ns = need_memory(calloc(s->n, sizeof(*ns)));
	struct series *series;
	size_t i, n = 0, step;

	for (i = 0; i < s->n; i++)
		if (length == SAMPLES_ALL || s->v[i].length == length)
			ns[n++] = s->v[i].ns;
	qsort(ns, n, sizeof(*ns), compare_ns);
	series = chart_series(c, STYLE_STEPS, "%s (%zu)", name, n);
	step = n / MAX_DOTS + 1;
	for (i = 0; i < n; i += step)
		chart_dot(series, ns[i], 1000 * (i + 1) / n, 0, 0);
	if (n)
		chart_dot(series, ns[n - 1], 1000, 0, 0);
	free(ns);
}

/* Adds @length to those known; returns how many they are now */
static size_t add_length(u64 *known, size_t n, u64 length)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (known[i] == length)
			return n;
	if (n < MAX_LENGTHS)
		known[n] = length;
	return n + 1;
}

/* A series for each length, or one if they are too many */
static void add_lengths(struct chart *c, const struct samples *s)
{
	char size[FB_TEXT_LEN];
	u64 length[MAX_LENGTHS];
	size_t i, n = 0;

	for (i = 0; i < s->n && n <= MAX_LENGTHS; i++)
		n = add_length(length, n, s->v[i].length);
	if (n > MAX_LENGTHS) {
		add_distribution(c, s, SAMPLES_ALL, "all operations");
		return;
	}
	for (i = 0; i < n; i++) {
		fb_format_size(size, sizeof(size), length[i]);
		add_distribution(c, s, length[i], length[i] ? size : "flush");
	}
}

/**
 * chart_of_samples() - how long operations take, and how many of them
 * @s: one or two, which are before and after
 * @n: how many
 * @length: of these operations only; SAMPLES_ALL: all of them
 *
 * Return: the chart, NULL after a complaint.
 */
struct chart *chart_of_samples(const struct samples *s, size_t n, u64 length)
{
	struct chart *c = need_memory(calloc(1, sizeof(*c)));
	char title[64], size[FB_TEXT_LEN] = "";
	size_t i;

	if (length != SAMPLES_ALL)
		fb_format_size(size, sizeof(size), length);
	snprintf(title, sizeof(title), "latencies%s%s", *size ? " of " : "",
		 size);
	chart_title(c, title, s[0].header);
	c->xlabel = "time of an operation";
	c->ylabel = "operations that took no longer";
	c->x = CHART_X_TIME;
	c->y = CHART_Y_SHARE;
	for (i = 0; i < n; i++) {
		chart_run(c, n < 2 ? "" : i ? "after" : "before", s[i].header);
		if (n == 1 && length == SAMPLES_ALL)
			add_lengths(c, &s[i]);
		else
			add_distribution(c, &s[i], length, n < 2 ? size :
					 i ? "after" : "before");
	}
	for (i = 0; i < c->nseries; i++)
		if (!c->series[i].n) {
			complain("no operations of %s in it", size);
			chart_free(c);
			return NULL;
		}
	return c;
}
