/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program gnuplot, and what it is told.
 */
#ifndef FLASHBENCH_GNUPLOT_H
#define FLASHBENCH_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "chart.h"

/**
 * enum picture - a format of files
 * @PICTURE_SVG: scalable
 * @PICTURE_PNG: pixels
 */
enum picture {
	PICTURE_SVG,
	PICTURE_PNG,
};

bool gnuplot_there(void);
char *gnuplot_draw(const struct chart *c, enum picture format, size_t *size);
void gnuplot_script(const struct chart *c, enum picture format, FILE *f);
void gnuplot_quote(const char *text, FILE *f);

#endif
