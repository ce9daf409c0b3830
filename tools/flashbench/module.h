/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module, driven through its files in debugfs.
 */
#ifndef FLASHBENCH_MODULE_H
#define FLASHBENCH_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * enum arming - what a run may do to the data on a device
 * @ARM_OFF: only read it
 * @ARM_PRESERVE: write back what is there
 * @ARM_DESTROY: overwrite it
 */
enum arming {
	ARM_OFF,
	ARM_PRESERVE,
	ARM_DESTROY,
};

int module_open(void);
int module_target(const char *device);
int module_range(const char *range);
int module_arm(enum arming arming);
int module_run(const char *line);
char *module_result(const char *test, const char *view);
char *module_info(const char *key);
char *module_reason(void);
void module_release(void);

#endif
