// SPDX-License-Identifier: GPL-2.0-only
/*
 * What mail programs and terminals do to tables, undone as far as it is certain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "archive_impl.h"

/*
 * That an access can take. What has lost its µ would take longer: no card and no
 * disk answers within 4 µs.
 */
#define LONGEST_NS	4e9

/**
 * mend() - remove the marks of quotations, and what ends lines elsewhere
 * @text: changed in place
 */
void mend(char *text)
{
	char *to = text;
	bool begin = true;

	for (; *text; text++) {
		if (*text == '\r')
			continue;
		if (begin && *text == '>') {
			if (text[1] == ' ')
				text++;
			continue;
		}
		/* blanks between two marks */
		if (begin && *text == ' ' && text[1] == '>')
			continue;
		begin = *text == '\n';
		*to++ = *text;
	}
	*to = 0;
}

/* What is left of a µ: nothing is not among it, that would be a second */
static bool is_micro(const char *s, size_t len)
{
	static const char *const rests[] = {
		"u", "?", "??", "\xb5", "\xc2\xb5", "\xce\xbc", "\xef\xbf\xbd",
		"\xc3\x82\xc2\xb5", "=B5", "=C2=B5", "&micro;", "\xe6",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rests); i++)
		if (strlen(rests[i]) == len && !memcmp(rests[i], s, len))
			return true;
	return false;
}

/**
 * mended_time() - a time as the command of 2011 printed it
 * @word: as somebody posted it
 * @ns: set to it
 *
 * Return: false if it is none, or cannot be one of an access.
 */
bool mended_time(const char *word, s64 *ns)
{
	char *unit;
	double x;
	size_t len;

	if (!strchr("-.0123456789", *word) || !*word)
		return false;
	x = strtod(word, &unit);
	len = strlen(unit);
	if (unit == word || !len || unit[len - 1] != 's' || !isfinite(x))
		return false;
	if (len == 1)
		x *= 1e9;
	else if (len == 2 && *unit == 'm')
		x *= 1e6;
	else if (is_micro(unit, len - 1))
		x *= 1e3;
	else if (len != 2 || *unit != 'n')
		return false;
	if (fabs(x) >= LONGEST_NS)
		return false;
	*ns = llround(x);
	return true;
}

/* A number and one of some units; returns the factor of the unit, 0: none */
static double scaled(const char *word, const char *tail, double kilo,
		     double *x)
{
	static const char prefixes[] = "KMGT";
	const char *at;
	double factor = 1;
	char *unit;
	int i;

	if (!strchr(".0123456789", *word) || !*word)
		return 0;
	*x = strtod(word, &unit);
	if (unit == word || !isfinite(*x))
		return 0;
	at = *unit ? strchr(prefixes, *unit == 'k' ? 'K' : *unit) : NULL;
	for (i = 0; at && i <= at - prefixes; i++)
		factor *= kilo;
	unit += !!at;
	return strcmp(unit, tail) && (at || strcmp(unit, "B/s")) ? 0 : factor;
}

/**
 * mended_rate() - a rate, decimal
 * @word: as somebody posted it
 * @rate: bytes per second
 *
 * Return: false if it is none.
 */
bool mended_rate(const char *word, u64 *rate)
{
	double x, factor = scaled(word, "/s", 1000, &x);

	if (!factor || x * factor < 1 || x * factor > 1e12)
		return false;
	*rate = llround(x * factor);
	return true;
}

/**
 * mended_size() - a size, binary, with its unit
 * @word: as somebody posted it
 * @bytes: set to it
 *
 * Return: false if it is none.
 */
bool mended_size(const char *word, u64 *bytes)
{
	double x, factor = scaled(word, "iB", 1024, &x);

	if (!factor)
		factor = scaled(word, "B", 1, &x) == 1 ? 1 : 0;
	if (!factor || x * factor < 1 || x * factor > 1e15 ||
	    x * factor != floor(x * factor))
		return false;
	*bytes = llround(x * factor);
	return true;
}

/**
 * mended_number() - the value of an option
 * @word: as typed: a number, a size, or a product that the shell reckons
 * @n: set to it
 *
 * Return: false if it cannot be told.
 */
bool mended_number(const char *word, u64 *n)
{
	const char *end = !strncmp(word, "$[", 2) ? "]" : "))";
	char part[64], *rest = NULL, *factor;
	size_t len = strlen(word), begin = 1 + strlen(end);
	u64 x;

	if (!fb_parse_size(word, n))
		return true;
	if (strncmp(word, "$[", 2) && strncmp(word, "$((", 3))
		return false;
	/* with blanks in it the rest is in the words that follow */
	if (len <= 2 * begin - 1 || len >= sizeof(part) ||
	    strcmp(word + len - strlen(end), end) || strstr(word, "**"))
		return false;
	snprintf(part, sizeof(part), "%.*s", (int)(len - 2 * begin + 1),
		 word + begin);
	*n = 1;
	for (factor = strtok_r(part, "*", &rest); factor;
	     factor = strtok_r(NULL, "*", &rest)) {
		if (fb_parse_u64(factor, &x) || !x || *n > (1ULL << 62) / x)
			return false;
		*n *= x;
	}
	return *n > 1;
}
