// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who a card is, without telling who its owner is.
 *
 * A serial number is one card of all cards; who has seen a page about it knows
 * its owner. It is stated by itself, and is part of the CID.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "identity.h"

#define CID_DIGITS	32
/*
 * The serial number of an SD card is in the digits from 18 to 25, that of an
 * eMMC from 20 to 27; the last two have a checksum of all others, which tells
 * seven bits of it.
 */
#define CID_SERIAL	18
#define CID_DATE	28
#define CID_CHECKSUM	30

/**
 * identity_value() - what stands behind a key
 * @text: lines of "key: value", perhaps with "# " before them
 * @key: the key
 * @buf: where the value goes
 * @size: of @buf
 *
 * Return: true if the key is there, and says more than "n/a".
 */
bool identity_value(const char *text, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);

	for (; text && *text; text = strchr(text, '\n'), text += !!text) {
		const char *line = text;

		if (!strncmp(line, "# ", 2))
			line += 2;
		if (strncmp(line, key, len) || line[len] != ':')
			continue;
		line += len + 1;
		line += strspn(line, " ");
		snprintf(buf, size, "%.*s", (int)strcspn(line, "\r\n"), line);
		return *buf && strcmp(buf, "n/a");
	}
	return false;
}

/**
 * identity_card() - a card's name
 * @header: of a result
 * @buf: where it goes: kind, name, manufacturer
 * @size: of @buf
 *
 * Return: false if the header does not say.
 */
bool identity_card(const char *header, char *buf, size_t size)
{
	char target[512], *name, *end;

	if (!identity_value(header, "target", target, sizeof(target)))
		return false;
	name = strstr(target, " bytes, ");
	if (!name)
		return false;
	name += strlen(" bytes, ");
	end = strstr(name, " serial ");
	if (end)
		*end = '\0';
	snprintf(buf, size, "%s", name);
	return *buf && strcmp(buf, "n/a");
}

static size_t hex_digits(const char *s)
{
	size_t n = 0;

	while (isxdigit((unsigned char)s[n]))
		n++;
	return n;
}

/*
 * CIDs are found by their length, wherever they are; what a CSD looks like
 * exactly, so only what says that it is one is left alone.
 */
static void mask_cids(char *text)
{
	const char *start = text;

	while (*text) {
		size_t n = hex_digits(text);
		bool csd = text - start >= 5 && !memcmp(text - 5, "csd: ", 5);

		if (n == CID_DIGITS && !csd) {
			memset(text + CID_SERIAL, 'x', CID_DATE - CID_SERIAL);
			memset(text + CID_CHECKSUM, 'x', 2);
		}
		text += n ? n : 1;
	}
}

/* The number behind each "serial" */
static void mask_numbers(char *text)
{
	while ((text = strstr(text, "serial"))) {
		text += strlen("serial");
		text += strspn(text, " :\t");
		if (!isdigit((unsigned char)*text))
			continue;
		if (!strncmp(text, "0x", 2))
			text += 2;
		while (isalnum((unsigned char)*text))
			*text++ = 'x';
	}
}

/**
 * identity_mask() - hide serial numbers
 * @text: any text; digits of one become "x"
 */
void identity_mask(char *text)
{
	mask_cids(text);
	mask_numbers(text);
}
