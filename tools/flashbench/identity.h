/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who a card is, without telling who its owner is.
 */
#ifndef FLASHBENCH_IDENTITY_H
#define FLASHBENCH_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

bool identity_value(const char *text, const char *key, char *buf, size_t size);
bool identity_card(const char *header, char *buf, size_t size);
void identity_mask(char *text);

#endif
