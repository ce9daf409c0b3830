// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two settings, measured in turn until the answer is clear.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ab.h"
#include "command.h"

/* Runs in blocks of four have two of each side */
#define BLOCK	4

/* So that those of one side are together; the archives stay where they are */
static void sort_runs(const struct archive *runs, const bool *side, u32 n,
		      struct archive *sorted)
{
	u32 i, k = 0;
	int b;

	for (b = 0; b < 2; b++)
		for (i = 0; i < n; i++)
			if (side[i] == b)
				sorted[k++] = runs[i];
}

/* Looks at what there is after whole blocks; true if that is enough */
static bool is_clear(const struct archive *runs, const bool *side, u32 n)
{
	struct archive sorted[2 * FB_PAIRED_RUNS];
	struct comparison c;
	bool clear;

	if (n % BLOCK || n / 2 < FB_PAIRED_FULL)
		return false;
	sort_runs(runs, side, n, sorted);
	clear = compare_archives(&c, sorted, n / 2, n / 2, true) && c.clear;
	comparison_free(&c);
	return clear;
}

/**
 * ab_measure() - measure and judge
 * @ab: what; ab_free() forgets the runs, whatever came of them
 * @c: gets the comparison, to be freed if true is returned
 * @found: set to whether the runs have a row in common
 *
 * Return: false after a complaint.
 */
bool ab_measure(struct ab *ab, struct comparison *c, bool *found)
{
	struct archive runs[2 * FB_PAIRED_RUNS] = { 0 };
	bool side[2 * FB_PAIRED_RUNS] = { 0 };
	bool good = true;
	u32 n;

	for (n = 0; n < 2 * ab->pairs && good; n++) {
		if (ab->early && is_clear(runs, side, n))
			break;
		side[n] = fb_paired_side(ab->seed, n);
		good = ab->run(ab->ctx, side[n] && !ab->same, &runs[n]);
	}
	sort_runs(runs, side, n, ab->runs);
	ab->n = n;
	if (good)
		*found = compare_archives(c, ab->runs, n / 2, n / 2, false);
	return good;
}

/**
 * ab_free() - forget the runs
 * @ab: of which
 */
void ab_free(struct ab *ab)
{
	while (ab->n)
		archive_free(&ab->runs[--ab->n]);
}

/* What it prints is not our answer, which a program may read: to stderr */
static int run_aside(const char *command)
{
	int out, status, err;

	fflush(stdout);
	out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	status = system(command);
	err = errno;
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		close(out);
	}
	errno = err;
	return status;
}

/**
 * ab_setting() - make a setting
 * @command: for a shell
 *
 * Return: false after a complaint.
 */
bool ab_setting(const char *command)
{
	int status = run_aside(command);

	if (status == -1)
		complain("%s: %s", command, strerror(errno));
	else if (WIFSIGNALED(status))
		complain("%s: signal %d", command, WTERMSIG(status));
	else if (WEXITSTATUS(status))
		complain("%s: exit status %d", command, WEXITSTATUS(status));
	return !status;
}
