// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of tests. A test is data and a few pure functions: parameters in,
 * schedule and table out. It never submits anything.
 *
 * Pure: see include/pure.h.
 */
#include "pure.h"

const struct fb_test *const fb_tests[] = {
	&fb_test_align,
	&fb_test_align_write,
	&fb_test_open_au,
	&fb_test_find_fat,
	&fb_test_scatter,
	&fb_test_interval,
	&fb_test_geometry,
};

const unsigned int fb_nr_tests = ARRAY_SIZE(fb_tests);

/**
 * fb_test_find() - a test by name
 * @name: its name; '-' and '_' are the same
 *
 * Return: the test, or NULL.
 */
const struct fb_test *fb_test_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < fb_nr_tests; i++)
		if (fb_same_name(name, fb_tests[i]->name))
			return fb_tests[i];
	return NULL;
}
