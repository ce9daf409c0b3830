/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pictures for pages: with a title and a description in them.
 */
#ifndef FLASHBENCH_SVG_H
#define FLASHBENCH_SVG_H

#include <stdio.h>

#include "chart.h"

char *svg_file(const struct chart *c, size_t *size);
bool svg_inline(const struct chart *c, unsigned int number, FILE *f);
void xml_text(const char *text, FILE *f);

#endif
