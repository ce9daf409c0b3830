// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module, driven through its files in debugfs.
 *
 * A run is a write that lasts as long as it does, and a signal to who writes
 * cancels it: so whatever ends this program ends the run, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "command.h"
#include "module.h"
#include "progress.h"

#define DEBUGFS		"/sys/kernel/debug"
#define FILES		DEBUGFS "/flashbench"
#define MAX_TEXT	(64UL << 20)

static bool is_held;
static volatile sig_atomic_t is_interrupted;

static char *read_all(const char *name, bool quiet)
{
	char path[256], block[4096], *text = NULL;
	size_t size;
	ssize_t n;
	FILE *out;
	int fd, err;

	snprintf(path, sizeof(path), FILES "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		if (!quiet)
			complain("%s: %s", path, strerror(errno));
		return NULL;
	}
	out = need_memory(open_memstream(&text, &size));
	while ((n = read(fd, block, sizeof(block))) > 0 && size < MAX_TEXT) {
		fwrite(block, 1, n, out);
		fflush(out);
	}
	err = errno;
	close(fd);
	fclose(out);
	if (!n)
		return need_memory(text);
	if (!quiet)
		complain("%s: %s", path, n ? strerror(err) : "too long");
	free(text);
	return NULL;
}

/* The value of a "key: value" line; NULL if there is none */
static char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (!strncmp(line, key, len) && line[len] == ':' &&
		    line[len + 1] == ' ') {
			line += len + 2;
			return need_memory(strndup(line, strcspn(line, "\n")));
		}
	}
	return NULL;
}

/* Why the module refused something, in its own words if it has any */
static void complain_reason(const char *what, int err)
{
	char *status = read_all("status", true);
	char *reason = status ? value_of(status, "reason") : NULL;

	if (reason && *reason && strcmp(reason, "-"))
		complain("%s: %s", what, reason);
	else
		complain("%s: %s", what, strerror(err));
	free(reason);
	free(status);
}

/* Returns 0 or an errno; @text is written at once, or not at all. */
static int write_text(const char *name, const char *text)
{
	size_t len = strlen(text);
	char path[256];
	int fd, err = 0;
	ssize_t n;

	snprintf(path, sizeof(path), FILES "/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	n = write(fd, text, len);
	if (n < 0)
		err = errno;
	else if ((size_t)n != len)
		err = EIO;
	close(fd);
	return err;
}

static int set(const char *name, const char *text)
{
	char what[256];
	int err = write_text(name, text);

	if (!err)
		return 0;
	snprintf(what, sizeof(what), "%s %s", name, text);
	complain_reason(what, err);
	return -1;
}

/**
 * module_open() - is everything there to measure with?
 *
 * Nothing is loaded or mounted: what is missing is named, with the line to
 * type.
 *
 * Return: 0, or -1 after a complaint.
 */
int module_open(void)
{
	struct statfs fs;
	struct stat st;

	if (geteuid()) {
		complain("measuring needs root; type: sudo %s ...",
			 program_invocation_name);
		return -1;
	}
	if (statfs(DEBUGFS, &fs) || fs.f_type != DEBUGFS_MAGIC) {
		complain("debugfs is not mounted; type: "
			 "mount -t debugfs none " DEBUGFS);
		return -1;
	}
	if (stat(FILES "/run", &st)) {
		complain("the module is not loaded; type: modprobe flashbench");
		return -1;
	}
	return 0;
}

/**
 * module_target() - choose the device
 * @device: its name, with or without /dev/, or a link to it
 *
 * Return: 0, or -1 after a complaint.
 */
int module_target(const char *device)
{
	char path[256], number[32];
	struct stat st;
	int err;

	snprintf(path, sizeof(path), "%s%s", strchr(device, '/') ? "" : "/dev/",
		 device);
	if (stat(path, &st)) {
		complain("%s: %s", path, strerror(errno));
		return -1;
	}
	if (!S_ISBLK(st.st_mode)) {
		complain("%s: not a block device", path);
		return -1;
	}
	snprintf(number, sizeof(number), "%u:%u", major(st.st_rdev),
		 minor(st.st_rdev));
	err = write_text("target", number);
	if (err) {
		complain_reason(path, err);
		return -1;
	}
	if (!is_held)
		atexit(module_release);
	is_held = true;
	return 0;
}

/**
 * module_range() - touch nothing else
 * @range: OFFSET+LENGTH
 *
 * Return: 0, or -1 after a complaint.
 */
int module_range(const char *range)
{
	return set("range", range);
}

/**
 * module_arm() - allow writing, or no longer
 * @arming: how
 *
 * Who calls this has asked before.
 *
 * Return: 0, or -1 after a complaint.
 */
int module_arm(enum arming arming)
{
	static const char *const modes[] = {
		[ARM_OFF] = "off",
		[ARM_PRESERVE] = "preserve",
		[ARM_DESTROY] = "destroy",
	};

	return set("write_mode", modes[arming]);
}

/* For write(2) to return, the signal needs a handler */
static void interrupt(int sig)
{
	is_interrupted = 1;
}

static void catch(struct sigaction old[3], bool on)
{
	static const int signals[3] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction now = { .sa_handler = interrupt };
	int i;

	for (i = 0; i < 3; i++)
		sigaction(signals[i], on ? &now : &old[i], on ? &old[i] : NULL);
}

/**
 * module_run() - run a test to its end
 * @line: as the file run takes it
 *
 * With progress if stderr is a terminal. A signal cancels.
 *
 * Return: 0, or -1 after a complaint.
 */
int module_run(const char *line)
{
	struct sigaction old[3];
	int err;

	progress_start(FILES "/status");
	is_interrupted = 0;
	catch(old, true);
	err = is_interrupted ? EINTR : write_text("run", line);
	catch(old, false);
	progress_stop();
	if (err == EINTR || err == ECANCELED)
		complain("cancelled");
	else if (err)
		complain_reason(line, err);
	return err ? -1 : 0;
}

/**
 * module_result() - the latest result of a test
 * @test: its name
 * @view: "tsv", "samples", or NULL: the table for people
 *
 * Return: its text, to be freed; NULL after a complaint.
 */
char *module_result(const char *test, const char *view)
{
	char name[128];

	snprintf(name, sizeof(name), "results/%s%s%s", test, view ? "." : "",
		 view ? view : "");
	return read_all(name, false);
}

/**
 * module_info() - what is known of the device before it is measured
 * @key: in the file info
 *
 * Return: the value, to be freed; NULL if there is none.
 */
char *module_info(const char *key)
{
	char *text = read_all("info", true);
	char *value = text ? value_of(text, key) : NULL;

	free(text);
	return value;
}

/**
 * module_reason() - what the module has to say of the last run
 *
 * Return: that, to be freed; NULL if it is nothing.
 */
char *module_reason(void)
{
	char *text = read_all("status", true);
	char *value = text ? value_of(text, "reason") : NULL;

	free(text);
	if (value && *value && strcmp(value, "-"))
		return value;
	free(value);
	return NULL;
}

/** module_release() - let the device go; harmless without one */
void module_release(void)
{
	if (is_held)
		write_text("target", "\n");
	is_held = false;
}
