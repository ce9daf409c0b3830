/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verdicts for programs.
 */
#ifndef FLASHBENCH_VERDICT_JSON_H
#define FLASHBENCH_VERDICT_JSON_H

#include <stdio.h>

#include "pure.h"

const char *verdict_lines(const char *text);
bool verdict_any(const char *lines);
void verdict_print_json(FILE *f, const char *lines, u64 disk);

#endif
