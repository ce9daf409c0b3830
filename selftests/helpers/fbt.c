// SPDX-License-Identifier: GPL-2.0-only
/*
 * fbt: what the selftests do to files and the shell cannot, or not with the
 * exact system call and its exact error. Statically linked; runs in the
 * virtual machine.
 *
 *   fbt write [-n] [-b] FILE TEXT	one write() of TEXT and a newline
 *   fbt pipe FILE			one write() of what comes from stdin
 *   fbt pwrite FILE OFFSET TEXT	one pwrite() of TEXT
 *   fbt read FILE [CHUNK]		all of it, by CHUNK bytes a read()
 *   fbt pread FILE OFFSET LENGTH	one pread()
 *   fbt poll FILE MS			read it all, then wait for news
 *   fbt hold FILE ro|rw|excl		open, say so, keep it open till killed
 *
 * -n leaves the newline out, -b opens with O_NONBLOCK. write, pipe, pwrite and
 * hold print OK or the name of the error, poll prints the events or TIMEOUT;
 * read and pread print the data, and on failure only the name of the error.
 * The exit status is 0 when there was no error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int say(ssize_t res)
{
	puts(res < 0 ? strerrorname_np(errno) : "OK");
	fflush(stdout);
	return res < 0;
}

/* Only there so that a signal interrupts the system call */
static void wake(int sig)
{
	(void)sig;
}

static void interruptible(void)
{
	struct sigaction sa = { .sa_handler = wake };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
}

static int do_write(int argc, char **argv)
{
	int opt, fd, nonblock = 0, newline = 1;
	char *text;
	size_t len;

	while ((opt = getopt(argc, argv, "+nb")) != -1) {
		if (opt == 'n')
			newline = 0;
		else if (opt == 'b')
			nonblock = O_NONBLOCK;
		else
			return 2;
	}
	if (argc - optind != 2)
		return 2;
	fd = open(argv[optind], O_WRONLY | nonblock);
	if (fd < 0)
		return say(-1);
	text = argv[optind + 1];
	len = strlen(text);
	if (newline)
		text[len++] = '\n';	/* in place of the final NUL */
	interruptible();
	return say(write(fd, text, len));
}

static int do_pipe(int argc, char **argv)
{
	static char buf[1 << 16];
	size_t len = 0;
	ssize_t got;
	int fd;

	if (argc != 2)
		return 2;
	while ((got = read(0, buf + len, sizeof(buf) - len)) > 0)
		len += got;
	fd = open(argv[1], O_WRONLY);
	if (fd < 0)
		return say(-1);
	return say(write(fd, buf, len));
}

static int do_pwrite(int argc, char **argv)
{
	int fd;

	if (argc != 4)
		return 2;
	fd = open(argv[1], O_WRONLY);
	if (fd < 0)
		return say(-1);
	return say(pwrite(fd, argv[3], strlen(argv[3]),
			  strtoll(argv[2], NULL, 0)));
}

static int do_read(int argc, char **argv)
{
	static char buf[1 << 16];
	size_t chunk = sizeof(buf);
	ssize_t got;
	int fd;

	if (argc < 2)
		return 2;
	if (argc > 2)
		chunk = strtoul(argv[2], NULL, 0);
	if (!chunk || chunk > sizeof(buf))
		return 2;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		return say(-1);
	while ((got = read(fd, buf, chunk)) > 0)
		fwrite(buf, 1, got, stdout);
	return got < 0 ? say(-1) : 0;
}

static int do_pread(int argc, char **argv)
{
	static char buf[1 << 20];
	size_t len;
	ssize_t got;
	int fd;

	if (argc != 4)
		return 2;
	len = strtoul(argv[3], NULL, 0);
	if (len > sizeof(buf))
		return 2;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		return say(-1);
	got = pread(fd, buf, len, strtoll(argv[2], NULL, 0));
	if (got < 0)
		return say(-1);
	fwrite(buf, 1, got, stdout);
	return 0;
}

static int do_poll(int argc, char **argv)
{
	struct pollfd p = { .events = POLLIN | POLLPRI };
	char buf[4096];
	int n;

	if (argc != 3)
		return 2;
	p.fd = open(argv[1], O_RDONLY);
	if (p.fd < 0)
		return say(-1);
	while (read(p.fd, buf, sizeof(buf)) > 0)
		;
	n = poll(&p, 1, atoi(argv[2]));
	if (n < 0)
		return say(-1);
	if (!n)
		puts("TIMEOUT");
	else
		printf("%s%s%s\n", p.revents & POLLIN ? "IN " : "",
		       p.revents & POLLPRI ? "PRI " : "",
		       p.revents & POLLERR ? "ERR " : "");
	return 0;
}

static int do_hold(int argc, char **argv)
{
	int flags;

	if (argc != 3)
		return 2;
	if (!strcmp(argv[2], "ro"))
		flags = O_RDONLY;
	else if (!strcmp(argv[2], "rw"))
		flags = O_RDWR;
	else if (!strcmp(argv[2], "excl"))
		flags = O_RDWR | O_EXCL;
	else
		return 2;
	if (say(open(argv[1], flags)))
		return 1;
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "write", do_write },
		{ "pipe", do_pipe },
		{ "pwrite", do_pwrite },
		{ "read", do_read },
		{ "pread", do_pread },
		{ "poll", do_poll },
		{ "hold", do_hold },
	};
	size_t i;
	int ret = 2;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			ret = commands[i].run(argc - 1, argv + 1);
	if (ret == 2)
		fprintf(stderr, "usage: see the head of fbt.c\n");
	return ret;
}
