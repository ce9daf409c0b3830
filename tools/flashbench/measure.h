/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All measurements of a report, one after the other.
 */
#ifndef FLASHBENCH_MEASURE_H
#define FLASHBENCH_MEASURE_H

#include <stdbool.h>

#include "module.h"
#include "report.h"

/**
 * struct measure - what is to be measured
 * @device: of which device
 * @range: "OFFSET+LENGTH", NULL: all of it
 * @arming: how it may be written
 * @yes: do not ask before that
 * @save: directory where the results are kept, NULL: nowhere
 * @serial: keep serial numbers
 */
struct measure {
	const char *device;
	const char *range;
	enum arming arming;
	bool yes;
	const char *save;
	bool serial;
};

bool measure(const struct measure *m, struct report *r);

/* report.c */
bool report_add(struct report *r, const char *name, char *text, bool serial);

#endif
