// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is measured, and what may be written; and the question before that.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "pure.h"
#include "setup.h"

/*
 * What a link leads to is what is overwritten: its name is shown, and typed.
 * Of a bare name as module_target() takes it, too.
 */
static void resolve(const char *device, char *path)
{
	char given[PATH_MAX];

	snprintf(given, sizeof(given), "%s%s",
		 strchr(device, '/') ? "" : "/dev/", device);
	if (!realpath(given, path))
		strcpy(path, given);
}

/* " (512 MiB)", or nothing if it is not known */
static void size_of(const char *path, char *text, size_t size)
{
	u64 bytes;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*text = 0;
	if (fd < 0)
		return;
	if (!ioctl(fd, BLKGETSIZE64, &bytes))
		snprintf(text, size, " (%llu MiB)", bytes >> 20);
	close(fd);
}

static bool is_typed(const char *name)
{
	char answer[PATH_MAX] = "";

	fprintf(stderr, "Type %s to go on: ", name);
	if (fgets(answer, sizeof(answer), stdin))
		answer[strcspn(answer, "\n")] = 0;
	return !strcmp(answer, name);
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
	char path[PATH_MAX], size[64];

	if (s->arming != ARM_DESTROY || s->yes)
		return true;
	resolve(s->device, path);
	if (!isatty(STDIN_FILENO)) {
		complain("this overwrites %s of %s; say --yes if it may, or --preserve",
			 s->range ? s->range : "all", path);
		return false;
	}
	size_of(path, size, sizeof(size));
	fprintf(stderr, "THIS OVERWRITES WHAT IS STORED on %s%s, %s%s.\n",
		path, size, s->range ? "in the range " : "anywhere on it",
		s->range ? s->range : "");
	if (is_typed(strrchr(path, '/') + 1))
		return true;
	complain("nothing was written");
	return false;
}

/**
 * setup_device() - which device a name leads to at this moment
 * @device: its name
 *
 * Return: its number; 0 if it is none.
 */
unsigned long long setup_device(const char *device)
{
	char path[PATH_MAX];
	struct stat st;

	resolve(device, path);
	return stat(path, &st) || !S_ISBLK(st.st_mode) ? 0 : st.st_rdev;
}

/**
 * setup_begin() - prepare the module
 * @s: what for
 *
 * Return: false after a complaint; module_release() undoes it in any case.
 */
bool setup_begin(const struct setup *s)
{
	if (s->confirmed && setup_device(s->device) != s->confirmed) {
		complain("%s is another device than the one that may be overwritten",
			 s->device);
		return false;
	}
	if (module_open() || module_target(s->device) ||
	    (s->range && module_range(s->range)))
		return false;
	if (s->arming == ARM_OFF)
		return true;
	return setup_confirm(s) && !module_arm(s->arming);
}
