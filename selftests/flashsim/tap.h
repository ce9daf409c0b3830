/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TAP for flashsim's unit tests. A program has one file, hence the state here.
 */
#ifndef FLASHSIM_TAP_H
#define FLASHSIM_TAP_H

#include <stdarg.h>
#include <stdio.h>

#include "types.h"

static int tap_count, tap_failed;

static void tap_ok(bool pass, const char *fmt, ...)
{
	va_list args;

	printf("%sok %d ", pass ? "" : "not ", ++tap_count);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	tap_failed += !pass;
}

static inline void tap_is(const char *name, u64 want, u64 got)
{
	tap_ok(want == got, "%s", name);
	if (want != got)
		printf("# wanted: %llu\n# got:    %llu\n", want, got);
}

static int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
