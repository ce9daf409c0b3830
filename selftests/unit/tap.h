/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TAP for the unit tests: a line for each check, a plan at the end. A program
 * has one file, hence the state here.
 */
#ifndef FLASHBENCH_TAP_H
#define FLASHBENCH_TAP_H

#include "pure.h"

static int tap_count, tap_failed;

static __printf(2, 3) bool tap_ok(bool pass, const char *fmt, ...)
{
	va_list args;

	printf("%sok %d ", pass ? "" : "not ", ++tap_count);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	if (!pass)
		tap_failed++;
	return pass;
}

/* Why the check before failed; no part of the verdict */
#define tap_diag(fmt, ...)	printf("# " fmt "\n", ##__VA_ARGS__)

static int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Control characters would break the line */
static __maybe_unused const char *tap_quote(const char *text)
{
	static char buf[4 * FB_LINE_LEN];
	size_t len = 0;

	for (; *text && len < sizeof(buf) - 5; text++)
		len += scnprintf(buf + len, sizeof(buf) - len,
				 *text < ' ' || *text == '#' || *text > '~' ?
				 "\\x%02x" : "%c", (unsigned char)*text);
	buf[len] = '\0';
	return buf;
}

#endif
