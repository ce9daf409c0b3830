/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far a run is, on the terminal.
 */
#ifndef FLASHBENCH_PROGRESS_H
#define FLASHBENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

void progress_start(const char *status);
void progress_stop(void);
bool progress_text(const char *status, int columns, char *buf, size_t size);

#endif
