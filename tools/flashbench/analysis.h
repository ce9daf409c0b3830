/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What results tell of a card.
 */
#ifndef FLASHBENCH_ANALYSIS_H
#define FLASHBENCH_ANALYSIS_H

#include "archive.h"

char *analysis(const struct archive *archives, size_t n);

#endif
