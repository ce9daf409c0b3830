// SPDX-License-Identifier: GPL-2.0-only
/*
 * fbdata: what is on a device, for the selftests. Statically linked; runs in
 * the virtual machine, where the shell would take minutes for it.
 *
 *   fbdata fill FILE SEED [OFFSET [LENGTH]]	no two sectors alike
 *   fbdata sum FILE [OFFSET [LENGTH]]		a number that depends on all
 *   fbdata count FILE BYTE [OFFSET [LENGTH]]	bytes of that value
 *   fbdata kinds FILE [OFFSET [LENGTH]]	how many different sectors
 *   fbdata diff A B				OFFSET LENGTH of what differs
 *   fbdata read FILE OFFSET LENGTH		read() of this length, or errno
 *
 * The page cache is bypassed where that is possible. Numbers are in bytes,
 * multiples of 512.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR	512
#define CHUNK	(1 << 20)

static uint64_t one[CHUNK / 8] __attribute__((aligned(4096)));
static uint64_t two[CHUNK / 8] __attribute__((aligned(4096)));

/* A range of a file */
struct part {
	int fd;
	uint64_t at;
	uint64_t end;
};

static void die(const char *what)
{
	printf("%s: %s\n", what, strerrorname_np(errno));
	exit(1);
}

static int open_direct(const char *name, int flags)
{
	int fd = open(name, flags | O_DIRECT);

	if (fd < 0 && errno == EINVAL)
		fd = open(name, flags);
	if (fd < 0)
		die(name);
	return fd;
}

static void open_part(struct part *p, int argc, char **argv, int flags)
{
	off_t size;

	p->fd = open_direct(argv[0], flags);
	size = lseek(p->fd, 0, SEEK_END);
	if (size < 0)
		die(argv[0]);
	p->at = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	p->end = argc > 2 ? p->at + strtoull(argv[2], NULL, 0) : (uint64_t)size;
}

/* The next chunk of it; 0 at the end */
static size_t next(struct part *p, void *buf)
{
	size_t want = p->end - p->at < CHUNK ? p->end - p->at : CHUNK;
	ssize_t got;

	if (!want)
		return 0;
	got = pread(p->fd, buf, want, p->at);
	if (got < 0)
		die("read");
	if ((size_t)got < want)
		p->end = p->at + got;
	p->at += got;
	return got;
}

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 29;
	return x * 0x9e3779b97f4a7c15ULL;
}

static int do_fill(int argc, char **argv)
{
	uint64_t seed = mix(strtoull(argv[1], NULL, 0) + 1);
	struct part p;
	size_t i, len;

	argv[1] = argv[0];
	open_part(&p, argc - 1, argv + 1, O_RDWR);
	for (; p.at < p.end; p.at += len) {
		len = p.end - p.at < CHUNK ? p.end - p.at : CHUNK;
		for (i = 0; i < len / 8; i++)
			one[i] = mix(seed + p.at + 8 * i);
		if (pwrite(p.fd, one, len, p.at) != (ssize_t)len)
			die("write");
	}
	if (fsync(p.fd))
		die("fsync");
	return 0;
}

static int do_sum(int argc, char **argv)
{
	struct part p;
	uint64_t sum = 0;
	size_t i, len;

	open_part(&p, argc, argv, O_RDONLY);
	while ((len = next(&p, one)))
		for (i = 0; i < len / 8; i++)
			sum = (sum ^ one[i]) * 0x9e3779b97f4a7c15ULL + 1;
	printf("%016llx\n", (unsigned long long)sum);
	return 0;
}

static int do_count(int argc, char **argv)
{
	int byte = strtoul(argv[1], NULL, 0);
	uint64_t count = 0;
	struct part p;
	size_t i, len;

	argv[1] = argv[0];
	open_part(&p, argc - 1, argv + 1, O_RDONLY);
	while ((len = next(&p, one)))
		for (i = 0; i < len; i++)
			count += ((unsigned char *)one)[i] == byte;
	printf("%llu\n", (unsigned long long)count);
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Of up to 64 MiB; two different sectors have the same sum once in 2^30 times */
static int do_kinds(int argc, char **argv)
{
	static uint64_t sums[1 << 17];
	size_t i, len, n = 0, kinds = 0;
	struct part p;

	open_part(&p, argc, argv, O_RDONLY);
	while ((len = next(&p, one)))
		for (i = 0; i < len / 8 && n < sizeof(sums) / 8; i++) {
			sums[n] = mix(sums[n] + one[i]);
			n += i % (SECTOR / 8) == SECTOR / 8 - 1;
		}
	qsort(sums, n, sizeof(*sums), compare);
	for (i = 0; i < n; i++)
		kinds += !i || sums[i] != sums[i - 1];
	printf("%zu\n", kinds);
	return 0;
}

static void show(uint64_t from, uint64_t to)
{
	if (from < to)
		printf("%llu %llu\n", (unsigned long long)from,
		       (unsigned long long)(to - from));
}

/* Adjacent sectors that differ are one line */
static int do_diff(int argc, char **argv)
{
	uint64_t from = 0, to = 0, at = 0;
	struct part a, b;
	size_t i, len;

	(void)argc;
	open_part(&a, 1, argv, O_RDONLY);
	open_part(&b, 1, argv + 1, O_RDONLY);
	while ((len = next(&a, one))) {
		if (next(&b, two) != len) {
			printf("sizes differ\n");
			return 1;
		}
		for (i = 0; i < len; i += SECTOR, at += SECTOR) {
			if (!memcmp((char *)one + i, (char *)two + i, SECTOR))
				continue;
			if (at != to) {
				show(from, to);
				from = at;
			}
			to = at + SECTOR;
		}
	}
	show(from, to);
	return 0;
}

static int do_read(int argc, char **argv)
{
	int fd = open_direct(argv[0], O_RDONLY);
	size_t len = strtoull(argv[2], NULL, 0);

	(void)argc;
	if (len > CHUNK)
		return 2;
	if (pread(fd, one, len, strtoull(argv[1], NULL, 0)) < 0)
		die("read");
	fwrite(one, 1, len, stdout);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int min;
		int max;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "fill", 2, 4, do_fill },
		{ "sum", 1, 3, do_sum },
		{ "count", 2, 4, do_count },
		{ "kinds", 1, 3, do_kinds },
		{ "diff", 2, 2, do_diff },
		{ "read", 3, 3, do_read },
	};
	int ret = 2;
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name) &&
		    argc - 2 >= commands[i].min && argc - 2 <= commands[i].max)
			ret = commands[i].run(argc - 2, argv + 2);
	if (ret == 2)
		fprintf(stderr, "usage: see the head of fbdata.c\n");
	return ret;
}
