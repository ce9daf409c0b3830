/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is measured, and what may be written: the same for all subcommands.
 */
#ifndef FLASHBENCH_SETUP_H
#define FLASHBENCH_SETUP_H

#include "module.h"

/**
 * struct setup - a device, and what may be done to it
 * @device: its name
 * @range: "OFFSET+LENGTH", NULL: all of it
 * @arming: how it may be written
 * @yes: do not ask before that
 * @confirmed: setup_device() of what somebody was asked about before; 0: nobody
 */
struct setup {
	const char *device;
	const char *range;
	enum arming arming;
	bool yes;
	unsigned long long confirmed;
};

unsigned long long setup_device(const char *device);
bool setup_begin(const struct setup *s);
bool setup_confirm(const struct setup *s);

#endif
