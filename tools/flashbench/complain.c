// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cannot go on, in one way for all subcommands.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "command.h"

/**
 * complain() - say on stderr what is wrong
 * @fmt: as of printf(), without newline
 */
void complain(const char *fmt, ...)
{
	va_list args;

	fputs("flashbench: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

/**
 * need_memory() - end the program if there is none
 * @p: what an allocation returned
 *
 * Return: @p, never NULL.
 */
void *need_memory(void *p)
{
	if (!p) {
		complain("out of memory");
		exit(OUTCOME_FAILURE);
	}
	return p;
}
