/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page about a card.
 */
#ifndef FLASHBENCH_REPORT_H
#define FLASHBENCH_REPORT_H

#include <stdio.h>

#include "archive.h"
#include "chart.h"

/**
 * struct report - all that is known of a card
 * @info: lines of the module's info file, "" if there are none
 * @archives: the results; all that has a serial number in it is masked by now,
 *	unless it was asked for
 * @n: how many archives
 * @geometry: the geometry result among them, NULL: none
 * @pictures: there is a program that draws them
 */
struct report {
	char *info;
	struct archive *archives;
	size_t n;
	const struct result *geometry;
	bool pictures;
};

/**
 * struct fact - a line of the info file that a reader wants
 * @key: in the file
 * @name: in words
 */
struct fact {
	const char *key;
	const char *name;
};

extern const struct fact report_identity[], report_claims[];

const struct result *report_next(const struct report *r,
				 const struct result *last);
void report_title(const struct report *r, char *buf, size_t size);
bool report_fact(const struct report *r, const struct fact *fact, char *buf,
		 size_t size);
bool report_run(const struct result *r, char *buf, size_t size);
const char *report_reading(enum result_kind kind);
struct chart *report_chart(const struct report *r, const struct result *of);

void report_html(const struct report *r, FILE *f);
void report_mail(const struct report *r, FILE *f);

#endif
