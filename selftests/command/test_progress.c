// SPDX-License-Identifier: GPL-2.0-only
/*
 * progress.c: the line that is shown for a status.
 */
#include <string.h>

#include "progress.h"
#include "tap.h"

/**
 * struct progress_case - what is shown
 * @status: the module's
 * @columns: of the terminal
 * @line: expected; NULL: nothing is shown
 */
static const struct progress_case {
	const char *status;
	int columns;
	const char *line;
} cases[] = {
	{ "state: idle\ntest: -\nprogress: 0/0\nelapsed_ns: 0\neta_ns: 0\n", 80,
	  NULL },
	{ "state: done\nprogress: 10/10\neta_ns: 0\n", 80, NULL },
	{ "state: running\nprogress: 0/0\neta_ns: 0\n", 80, NULL },
	{ "state: running\n", 80, NULL },
	{ "", 80, NULL },
	{ "state: running\nprogress: 0/7\neta_ns: 0\n", 80,
	  "[                              ]   0 %  0:00 left" },
	{ "state: running\nprogress: 5/10\neta_ns: 61500000000\n", 80,
	  "[===============               ]  50 %  1:02 left" },
	{ "state: running\nprogress: 4194303/4194304\neta_ns: 499999999\n", 80,
	  "[============================= ]  99 %  0:00 left" },
	{ "state: running\nprogress: 10/10\neta_ns: 0\n", 80,
	  "[==============================] 10 I/Os" },
	/* more than was expected; never above 100 % */
	{ "state: running\nprogress: 2345/2000\neta_ns: 0\n", 80,
	  "[==============================] 2345 I/Os" },
	/* the last column stays free, or the line would be wrapped */
	{ "state: running\nprogress: 5/10\neta_ns: 1000000000\n", 20,
	  "[===============   " },
	{ "state: running\nprogress: 5/10\neta_ns: 1000000000\n", 0,
	  "[===============               ]  50 %  0:01 left" },
};

int main(void)
{
	const struct progress_case *c;
	char line[128];
	bool shown;

	for (c = cases; c < cases + ARRAY_SIZE(cases); c++) {
		line[0] = 0;
		shown = progress_text(c->status, c->columns, line,
				      sizeof(line));
		tap_ok(shown == !!c->line && (!shown || !strcmp(line, c->line)),
		       "in %d columns: %s", c->columns,
		       tap_quote(c->status));
	}
	return tap_done();
}
