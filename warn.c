// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the numbers of a finished run say against it: warnings in the header
 * of its results. They decide nothing.
 *
 * Pure: see include/pure.h.
 */
#include "pure.h"

#define UNSTEADY	2	/* the slowest repetition to the fastest one */
#define UNSTEADY_CELLS	5	/* one cell in so many may be unsteady */

/**
 * fb_warn_add() - add a warning
 * @buf: where it goes
 * @size: of @buf
 * @fmt: the warning, without newline
 *
 * Return: its length.
 */
int fb_warn_add(char *buf, size_t size, const char *fmt, ...)
{
	int len = scnprintf(buf, size, "# warning: ");
	va_list args;

	va_start(args, fmt);
	len += vscnprintf(buf + len, size - len, fmt, args);
	va_end(args);
	return len + scnprintf(buf + len, size - len, "\n");
}

/*
 * Cards do the same thing in the same time, again and again, as long as erase
 * blocks are what they are thought to be. If not, what one repetition leaves
 * behind is paid for by another one.
 */
static int warn_unsteady(const struct fb_plan *plan, const struct fb_stat *st,
			 char *buf, size_t size)
{
	u32 point, cells = 0, unsteady = 0;

	for (point = 0; point < plan->npoints; point++) {
		if (!st[point].quickest)
			continue;
		cells++;
		unsteady += st[point].slowest > UNSTEADY * st[point].quickest;
	}
	if (unsteady * UNSTEADY_CELLS <= cells)
		return 0;
	return fb_warn_add(buf, size,
			   "erasesize %llu may be wrong: repetitions differ by more than %u times in %u of %u cells",
			   plan->params.val[FB_KEY_ERASESIZE], UNSTEADY,
			   unsteady, cells);
}

/**
 * fb_warn() - what the points of a run say against its parameters
 * @plan: the run
 * @st: its points
 * @buf: gets header lines
 * @size: of @buf
 *
 * Return: their length, 0 if there is nothing to say.
 */
int fb_warn(const struct fb_plan *plan, const struct fb_stat *st, char *buf,
	    size_t size)
{
	const struct fb_test *t = plan->params.test;
	int len = 0;

	if (plan->params.val[FB_KEY_ERASESIZE])
		len = warn_unsteady(plan, st, buf, size);
	if (t->warn)
		len += t->warn(plan, st, buf + len, size - len);
	return len;
}
