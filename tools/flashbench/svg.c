// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pictures for pages. gnuplot writes its own name as the title and description
 * of each SVG; here they say what is to be seen, for who does not see it.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "gnuplot.h"
#include "svg.h"

/**
 * xml_text() - text in XML or HTML, also in an attribute
 * @text: any bytes
 * @f: where it goes
 *
 * Control characters are not allowed there at all, and neither is a byte that
 * is no UTF-8; the micro sign of times is.
 */
void xml_text(const char *text, FILE *f)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", f);
		else if (*text == '<')
			fputs("&lt;", f);
		else if (*text == '>')
			fputs("&gt;", f);
		else if (*text == '"')
			fputs("&quot;", f);
		else if (*text == '\'')
			fputs("&#39;", f);
		else if (!strncmp(text, "µ", 2))
			fputc(*text++, f), fputc(*text, f);
		else if (*text == '\n' || *text == '\t')
			fputc(*text, f);
		else
			fputc(*text < ' ' || *text > '~' ? '?' : *text, f);
	}
}

/* What describes @c, as elements with ids that begin with @id */
static void print_words(const struct chart *c, const char *id, FILE *f)
{
	char *words = NULL;
	size_t size;
	FILE *w = need_memory(open_memstream(&words, &size));

	chart_words(c, w);
	fclose(w);
	fprintf(f, "<title id=\"%stitle\">", id);
	xml_text(c->title, f);
	fprintf(f, "</title>\n<desc id=\"%sdesc\">", id);
	xml_text(words, f);
	fprintf(f, "</desc>\n");
	free(words);
}

/*
 * Copies a picture. All ids, and what refers to them, get @id in front. The
 * prefix of links is left out, which in HTML is not needed and not declared.
 */
static void copy_body(const char *s, const char *end, const char *id, FILE *f)
{
	static const char *const before[] = {
		"id=\"", "id='", "href='#", "href=\"#", "url(#",
	};
	size_t i;

	while (s < end) {
		if (!strncmp(s, "xlink:", 6))
			s += 6;
		for (i = 0; i < ARRAY_SIZE(before); i++) {
			size_t n = strlen(before[i]);

			if (strncmp(s, before[i], n))
				continue;
			fprintf(f, "%s%s", before[i], id);
			s += n;
			break;
		}
		if (i == ARRAY_SIZE(before))
			fputc(*s++, f);
	}
}

/* Behind the description that gnuplot wrote, NULL if it is not found */
static const char *find_body(const char *data)
{
	const char *end = strstr(data, "</desc>");

	return end ? end + strlen("</desc>") : NULL;
}

/**
 * svg_file() - a chart as a file
 * @c: the chart
 * @size: set to the bytes in it
 *
 * Return: the file, to be freed; NULL after a complaint.
 */
char *svg_file(const struct chart *c, size_t *size)
{
	char *data = gnuplot_draw(c, PICTURE_SVG, size), *out = NULL;
	const char *title = data ? strstr(data, "<title>") : NULL;
	const char *body = data ? find_body(data) : NULL;
	FILE *f;

	if (!title || !body) {
		if (data)
			complain("gnuplot's picture is no SVG");
		free(data);
		return NULL;
	}
	f = need_memory(open_memstream(&out, size));
	fwrite(data, 1, title - data, f);
	print_words(c, "", f);
	fputs(body, f);
	fclose(f);
	free(data);
	return need_memory(out);
}

/**
 * svg_inline() - a chart in a page of HTML
 * @c: the chart
 * @number: of the picture in the page; ids have to differ
 * @f: the page
 *
 * Return: false after a complaint.
 */
bool svg_inline(const struct chart *c, unsigned int number, FILE *f)
{
	size_t size;
	char *data = gnuplot_draw(c, PICTURE_SVG, &size), id[16];
	const char *body = data ? find_body(data) : NULL;
	const char *end = data ? strstr(data, "</svg>") : NULL;
	const char *box = data ? strstr(data, "viewBox=") : NULL;

	if (!body || !end || !box) {
		if (data)
			complain("gnuplot's picture is no SVG");
		free(data);
		return false;
	}
	snprintf(id, sizeof(id), "p%u-", number);
	fprintf(f, "<svg %.*s role=\"img\" aria-labelledby=\"%stitle %sdesc\">",
		(int)(strcspn(box + 9, "\"'") + 10), box, id, id);
	print_words(c, id, f);
	copy_body(body, end, id, f);
	fprintf(f, "</svg>\n");
	free(data);
	return true;
}
