// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module, driven through its files in debugfs.
 *
 * A run is a write that lasts as long as it does, and a signal to who writes
 * cancels it: so whatever ends this program ends the run, too. Between runs, a
 * signal lets the device go before it ends the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "command.h"
#include "module.h"
#include "progress.h"
#include "pure.h"

#define DEBUGFS		"/sys/kernel/debug"
#define FILES		DEBUGFS "/flashbench"
#define MAX_TEXT	(64UL << 20)

/* Another directory than the module's, for tests */
#define ELSEWHERE	"FLASHBENCH_DEBUGFS"

static const int signals[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2,
	SIGXCPU, SIGXFSZ,
};

static bool is_held;
static int lock = -1;
static struct sigaction before[ARRAY_SIZE(signals)];
static char target_path[PATH_MAX];	/* for the signal handler */
static volatile sig_atomic_t is_running;
static volatile sig_atomic_t is_interrupted;

/* Returns @buf, of PATH_MAX bytes */
static char *path_of(const char *name, char *buf)
{
	const char *dir = getenv(ELSEWHERE);

	snprintf(buf, PATH_MAX, "%s%s%s", dir ? dir : FILES, *name ? "/" : "",
		 name);
	return buf;
}

static char *read_all(const char *name, bool quiet)
{
	char path[PATH_MAX], block[4096], *text = NULL;
	size_t size = 0;	/* not set before there is something */
	ssize_t n;
	FILE *out;
	int fd, err;

	fd = open(path_of(name, path), O_RDONLY | O_CLOEXEC);
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
		complain("%s: %s", path, n < 0 ? strerror(err) : "too long");
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

/*
 * Why something was refused: in the module's own words if it has any. What did
 * not even get to it (@err below 0) it does not know of, and its reason would
 * be an older one.
 */
static void complain_reason(const char *what, int err)
{
	char *reason = err > 0 ? module_reason() : NULL;

	if (reason)
		complain("%s: %s", what, reason);
	else if (err == -EPERM)
		complain("%s: %s; a kernel in lockdown lets nobody measure",
			 what, strerror(EPERM));
	else
		complain("%s: %s", what, strerror(abs(err)));
	free(reason);
}

/*
 * Returns 0, an errno of the module, or a negative one if the file could not be
 * opened; @text is written at once, or not at all.
 */
static int write_text(const char *name, const char *text)
{
	size_t len = strlen(text);
	char path[PATH_MAX];
	int fd, err = 0;
	ssize_t n;

	fd = open(path_of(name, path), O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
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

/* What is missing is named, with the line to type. */
static bool is_there(void)
{
	char path[PATH_MAX];
	struct statfs fs;
	struct stat st;

	if (!getenv(ELSEWHERE) && geteuid()) {
		complain("measuring needs root; type: sudo %s ...",
			 program_invocation_name);
		return false;
	}
	if (!getenv(ELSEWHERE) &&
	    (statfs(DEBUGFS, &fs) || fs.f_type != DEBUGFS_MAGIC)) {
		complain("debugfs is not mounted; type: "
			 "mount -t debugfs none " DEBUGFS);
		return false;
	}
	if (stat(path_of("run", path), &st)) {
		complain("the module is not loaded; type: modprobe flashbench");
		return false;
	}
	return true;
}

/**
 * module_open() - is everything there to measure with?
 *
 * Nothing is loaded or mounted. The module has one target: a second command
 * that chose another one between our question and our run would have that
 * written to, so each locks the module against the others until
 * module_release().
 *
 * Return: 0, or -1 after a complaint.
 */
int module_open(void)
{
	char path[PATH_MAX];

	if (!is_there())
		return -1;
	if (lock < 0)
		lock = open(path_of("", path),
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0) {
		complain("%s: %s", path, strerror(errno));
		return -1;
	}
	if (!flock(lock, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		complain("another flashbench is measuring; wait for its end");
	else
		complain("%s: %s", path_of("", path), strerror(errno));
	close(lock);
	lock = -1;
	return -1;
}

/*
 * In a run: for write(2) to return, the signal needs a handler. Else the device
 * is let go, and the signal does what it does.
 */
static void interrupt(int sig)
{
	int fd;

	is_interrupted = 1;
	if (is_running)
		return;
	fd = open(target_path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "\n", 1) == 1)
		close(fd);
	signal(sig, SIG_DFL);
	raise(sig);
}

/*
 * What is ignored stays ignored, as nohup(1) wants it of a hangup; but a shell
 * ignores ^C and ^\ for all that is in the background.
 */
static void catch_signals(void)
{
	struct sigaction now = { .sa_handler = interrupt };
	size_t i;

	path_of("target", target_path);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &now, &before[i]);
		if (signals[i] != SIGINT && signals[i] != SIGQUIT &&
		    before[i].sa_handler == SIG_IGN)
			sigaction(signals[i], &before[i], NULL);
	}
}

static void leave_signals(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &before[i], NULL);
}

/**
 * module_target() - choose the device
 * @device: its name, with or without /dev/, or a link to it
 *
 * Return: 0, or -1 after a complaint.
 */
int module_target(const char *device)
{
	static bool is_registered;
	char path[PATH_MAX], number[32];
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
	if (!is_registered)
		atexit(module_release);
	is_registered = true;
	if (!is_held)
		catch_signals();
	err = write_text("target", number);
	if (!err) {
		is_held = true;
		return 0;
	}
	complain_reason(path, err);
	if (!is_held)
		leave_signals();
	return -1;
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
	char status[PATH_MAX];
	int err;

	is_interrupted = 0;
	is_running = 1;
	progress_start(path_of("status", status));
	err = is_interrupted ? EINTR : write_text("run", line);
	progress_stop();
	is_running = 0;
	/* one that came too late is heeded, too: no other run follows */
	if (is_interrupted || abs(err) == EINTR || err == ECANCELED)
		complain("cancelled");
	else if (err)
		complain_reason(line, err);
	return is_interrupted || err ? -1 : 0;
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
	if (is_held) {
		write_text("target", "\n");
		leave_signals();
	}
	is_held = false;
	if (lock >= 0)
		close(lock);
	lock = -1;
}
