/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What to do about what is known of a card.
 */
#ifndef FLASHBENCH_ADVICE_H
#define FLASHBENCH_ADVICE_H

#include <stdio.h>

#include "pure.h"

void advice_print(FILE *f, const char *lines, u64 disk);
u32 advice_fat_reserved(u64 sectors, u32 cluster, u64 erase);

#endif
