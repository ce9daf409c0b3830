// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is measured, and what may be written; and the question before that.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "setup.h"

/* The last part of a path */
static const char *name_of(const char *device)
{
	const char *slash = strrchr(device, '/');

	return slash ? slash + 1 : device;
}

/**
 * setup_confirm() - may what is stored there be lost?
 * @s: which device, how
 *
 * Nobody is asked if nothing can be lost. Who is not at a terminal has to say
 * so beforehand.
 *
 * Return: false after a complaint.
 */
bool setup_confirm(const struct setup *s)
{
	const char *name = name_of(s->device);
	char answer[128] = "";

	if (s->arming != ARM_DESTROY || s->yes)
		return true;
	if (!isatty(STDIN_FILENO)) {
		complain("this overwrites %s of %s; say --yes if it may, or --preserve",
			 s->range ? s->range : "all", s->device);
		return false;
	}
	fprintf(stderr,
		"THIS OVERWRITES WHAT IS STORED on %s, %s%s.\n"
		"Type %s to go on: ", s->device,
		s->range ? "in the range " : "anywhere on it",
		s->range ? s->range : "", name);
	if (fgets(answer, sizeof(answer), stdin))
		answer[strcspn(answer, "\n")] = 0;
	if (!strcmp(answer, name))
		return true;
	complain("nothing was written");
	return false;
}

/**
 * setup_begin() - prepare the module
 * @s: what for
 *
 * Return: false after a complaint; module_release() undoes it in any case.
 */
bool setup_begin(const struct setup *s)
{
	if (module_open() || module_target(s->device) ||
	    (s->range && module_range(s->range)))
		return false;
	if (s->arming == ARM_OFF)
		return true;
	return setup_confirm(s) && !module_arm(s->arming);
}
