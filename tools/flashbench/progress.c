// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far a run is, on the terminal: a thread reads the module's status while
 * another one waits for the run.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define NSEC_PER_SEC	1000000000ULL
#define BAR		30	/* columns */

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static const char *file;
static bool is_running;

static bool number_after(const char *status, const char *key,
			 unsigned long long *first, unsigned long long *second)
{
	const char *line = strstr(status, key);

	*second = 0;
	return line && sscanf(line + strlen(key), " %llu/%llu", first,
			      second) >= 1;
}

/**
 * progress_text() - a bar, and how long it will take
 * @status: text of the module's file status
 * @columns: of the terminal
 * @buf: gets the line
 * @size: of @buf
 *
 * Return: false if no run is in progress, or its length is not known.
 */
bool progress_text(const char *status, int columns, char *buf, size_t size)
{
	unsigned long long done, total, eta = 0, dummy;
	char bar[BAR + 1];
	size_t full;

	if (!strstr(status, "state: running") ||
	    !number_after(status, "\nprogress:", &done, &total) || !total)
		return false;
	full = done < total ? done * BAR / total : BAR;
	memset(bar, ' ', BAR);
	memset(bar, '=', full);
	bar[BAR] = 0;
	number_after(status, "\neta_ns:", &eta, &dummy);
	eta = (eta + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
	/* what depends on what is found may take more than is expected */
	if (done < total)
		snprintf(buf, size, "[%s] %3llu %%  %llu:%02llu left", bar,
			 100 * done / total, eta / 60, eta % 60);
	else
		snprintf(buf, size, "[%s] %llu I/Os", bar, done);
	if (columns > 0 && strlen(buf) >= (size_t)columns)
		buf[columns - 1] = 0;
	return true;
}

static void show(void)
{
	struct winsize ws = { .ws_col = 80 };
	char status[4096], text[128];
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, status, sizeof(status) - 1);
	close(fd);
	if (n <= 0)
		return;
	status[n] = 0;
	ioctl(STDERR_FILENO, TIOCGWINSZ, &ws);
	if (progress_text(status, ws.ws_col, text, sizeof(text)))
		fprintf(stderr, "\r\033[K%s", text);
}

static void *loop(void *unused)
{
	struct timespec until;

	pthread_mutex_lock(&lock);
	while (is_running) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		pthread_cond_timedwait(&wake, &lock, &until);
		if (is_running)
			show();
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

/**
 * progress_start() - show it from now on, if stderr is a terminal
 * @status: path of the module's file
 *
 * Signals stay with the thread that calls.
 */
void progress_start(const char *status)
{
	sigset_t all, old;

	if (!isatty(STDERR_FILENO))
		return;
	file = status;
	is_running = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_create(&thread, NULL, loop, NULL))
		is_running = false;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/** progress_stop() - no longer, and leave the line empty */
void progress_stop(void)
{
	if (!is_running)
		return;
	pthread_mutex_lock(&lock);
	is_running = false;
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	fputs("\r\033[K", stderr);
}
