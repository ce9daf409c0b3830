/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * More tables for unit tests and KUnit, see cases.h: run lines, and what may
 * be submitted.
 */
#ifndef FLASHBENCH_CASES_RUN_H
#define FLASHBENCH_CASES_RUN_H

#include "pure.h"

/*
 * fb_params_parse(): the line with every key, or how the reason begins, which
 * is with the key if there is one.
 */
struct run_case {
	const char *line;
	int ret;
	const char *text;
};

#define READ_DEFAULTS	"seed=1 max-time=0 max-write=0 diag=0 dryrun=0"
#define WRITE_DEFAULTS	\
	"pattern=random fua=0 flush=0 noclose=0 discard=0 " READ_DEFAULTS
#define OLD	"old-schedule=0 "
#define RUN_ALIGN	"align blocksize=16384 count=8 "
#define RUN_ALIGN_WRITE	"align-write blocksize=16384 count=1 erasesize=0 "
#define RUN_OPEN_AU	"open-au blocksize=16384 count=1 "
#define RUN_FIND_FAT	"find-fat blocksize=16384 count=1 "
#define RUN_SCATTER	"scatter blocksize=16384 count=8 "
#define RUN_INTERVAL	"interval blocksize=16384 count=8 interval-order=12 "

static const struct run_case run_cases[] = {
	{ "align", 0, RUN_ALIGN OLD READ_DEFAULTS },
	{ "align-write", 0, RUN_ALIGN_WRITE OLD WRITE_DEFAULTS },
	{ "open-au", 0, RUN_OPEN_AU "open-au-nr=2 erasesize=4194304 random=0 "
	  WRITE_DEFAULTS },
	{ "find-fat", 0, RUN_FIND_FAT "fat-nr=6 erasesize=4194304 random=0 "
	  WRITE_DEFAULTS },
	{ "scatter", 0, RUN_SCATTER "scatter-order=9 scatter-span=1 "
	  READ_DEFAULTS },
	{ "interval", 0, RUN_INTERVAL READ_DEFAULTS },

	/* blanks, names, order, numbers */
	{ "  align\t ", 0, RUN_ALIGN OLD READ_DEFAULTS },
	{ "align_write", 0, RUN_ALIGN_WRITE OLD WRITE_DEFAULTS },
	{ "align count=3\tblocksize=32k", 0,
	  "align blocksize=32768 count=3 " OLD READ_DEFAULTS },
	{ "align blocksize=0x8000 count=0x10", 0,
	  "align blocksize=32768 count=16 " OLD READ_DEFAULTS },
	{ "align count=010", 0,
	  "align blocksize=16384 count=10 " OLD READ_DEFAULTS },
	{ "align offset=0", 0, RUN_ALIGN "offset=0 " OLD READ_DEFAULTS },
	{ "align offset=18446744073709551613", 0,
	  RUN_ALIGN "offset=18446744073709551613 " OLD READ_DEFAULTS },
	{ "open_au erasesize=24MiB open_au_nr=65 random", 0,
	  RUN_OPEN_AU "open-au-nr=65 erasesize=25165824 random=1 "
	  WRITE_DEFAULTS },
	{ "align-write discard fua=1 flush=0 pattern=one", 0, RUN_ALIGN_WRITE
	  OLD "pattern=one fua=1 flush=0 noclose=0 discard=1 " READ_DEFAULTS },
	{ "align-write pattern=zero noclose flush", 0, RUN_ALIGN_WRITE
	  OLD "pattern=zero fua=0 flush=1 noclose=1 discard=0 " READ_DEFAULTS },
	{ "align-write erasesize=0", 0, RUN_ALIGN_WRITE OLD WRITE_DEFAULTS },
	{ "find-fat random=0 fat-nr=64", 0,
	  RUN_FIND_FAT "fat-nr=64 erasesize=4194304 random=0 " WRITE_DEFAULTS },
	{ "scatter scatter-order=0 scatter_span=3", 0,
	  RUN_SCATTER "scatter-order=0 scatter-span=3 " READ_DEFAULTS },
	{ "interval seed=18446744073709551615 max-time=60", 0, RUN_INTERVAL
	  "seed=18446744073709551615 max-time=60 max-write=0 diag=0 dryrun=0" },
	{ "interval dryrun max_write=1G diag", 0, RUN_INTERVAL
	  "seed=1 max-time=0 max-write=1073741824 diag=1 dryrun=1" },

	/* the line as a whole */
	{ "", -EINVAL, "empty: " },
	{ " \t ", -EINVAL, "empty: " },
	{ "nosuch", -EINVAL, "nosuch: " },
	{ "alig", -EINVAL, "alig: " },
	{ "align2", -EINVAL, "align2: " },
	{ "RUN_ALIGN", -EINVAL, "RUN_ALIGN: " },
	{ "align\ncount=1", -EINVAL, "character 0x0a at column 6" },
	{ "align\n", -EINVAL, "character 0x0a at column 6" },
	{ "align\r", -EINVAL, "character 0x0d at column 6" },
	{ "align \xc2\xb5", -EINVAL, "character 0xc2 at column 7" },
	{ "align \x7f", -EINVAL, "character 0x7f at column 7" },

	/* keys */
	{ "align nosuch", -EINVAL, "nosuch: " },
	{ "align nosuch=1", -EINVAL, "nosuch: " },
	{ "align junk", -EINVAL, "junk: " },
	{ "align block", -EINVAL, "block: " },
	{ "align pattern=zero", -EINVAL, "pattern: " },
	{ "align erasesize=4M", -EINVAL, "erasesize: " },
	{ "scatter fua", -EINVAL, "fua: " },
	{ "align blocksize", -EINVAL, "blocksize: " },
	{ "align blocksize=", -EINVAL, "blocksize: " },
	{ "align blocksize= 4096", -EINVAL, "blocksize: " },
	{ "align blocksize =4096", -EINVAL, "blocksize: " },
	{ "align blocksize==4096", -EINVAL, "blocksize: " },
	{ "align blocksize=4096=1", -EINVAL, "blocksize: " },
	{ "align blocksize=4K blocksize=4K", -EINVAL, "blocksize: " },
	{ "open-au open-au-nr=2 open_au_nr=2", -EINVAL, "open-au-nr: " },
	{ "open-au random random=0", -EINVAL, "random: " },

	/* values: the old command took all of these */
	{ "align blocksize=0", -EINVAL, "blocksize: " },
	{ "align blocksize=1", -EINVAL, "blocksize: " },
	{ "align blocksize=511", -EINVAL, "blocksize: " },
	{ "align blocksize=4096junk", -EINVAL, "blocksize: " },
	{ "align blocksize=16KB", -EINVAL, "blocksize: " },
	{ "align blocksize=-1", -EINVAL, "blocksize: " },
	{ "align blocksize=-16384", -EINVAL, "blocksize: " },
	{ "align blocksize=65M", -EINVAL, "blocksize: " },
	{ "align blocksize=4294983680", -EINVAL, "blocksize: " },
	{ "align blocksize=99999999999999999999", -EINVAL, "blocksize: " },
	{ "align count=0", -EINVAL, "count: " },
	{ "align count=-1", -EINVAL, "count: " },
	{ "align count=1000001", -EINVAL, "count: " },
	{ "align count=4294967297", -EINVAL, "count: " },
	{ "align count=1K", -EINVAL, "count: " },
	{ "align offset=-1", -EINVAL, "offset: " },
	{ "align offset=18446744073709551615", -EINVAL, "offset: " },
	{ "align offset=18446744073709551616", -EINVAL, "offset: " },
	{ "align seed=18446744073709551616", -EINVAL, "seed: " },
	{ "align max-time=1s", -EINVAL, "max-time: " },
	{ "align diag=2", -EINVAL, "diag: " },
	{ "align diag=yes", -EINVAL, "diag: " },
	{ "align dryrun=", -EINVAL, "dryrun: " },
	{ "open-au erasesize=0", -EINVAL, "erasesize: " },
	{ "open-au erasesize=65M", -EINVAL, "erasesize: " },
	{ "open-au open-au-nr=0", -EINVAL, "open-au-nr: " },
	{ "open-au open-au-nr=4097", -EINVAL, "open-au-nr: " },
	{ "open-au pattern=Zero", -EINVAL, "pattern: " },
	{ "open-au pattern=", -EINVAL, "pattern: " },
	{ "open-au pattern", -EINVAL, "pattern: " },
	{ "find-fat fat-nr=0", -EINVAL, "fat-nr: " },
	{ "scatter scatter-order=21", -EINVAL, "scatter-order: " },
	{ "scatter scatter-span=0", -EINVAL, "scatter-span: " },
	{ "interval interval-order=0", -EINVAL, "interval-order: " },
	{ "interval interval-order=19", -EINVAL, "interval-order: " },
};

/* 4 KiB blocks, 64 KiB from 1 MiB on */
#define GUARD(armed, read_only)	\
	{ armed, read_only, 1 << 20, 64 << 10, 4096 }
#define SAFE	GUARD(false, false)
#define ARMED	GUARD(true, false)
#define LOCKED	GUARD(true, true)

struct guard_case {
	const char *name;
	struct fb_guard guard;
	enum fb_opcode opcode;
	u64 offset;
	u32 length;
	int ret;
};

static const struct guard_case guard_cases[] = {
	{ "read, safe", SAFE, FB_READ, 1 << 20, 4096, 0 },
	{ "read, armed", ARMED, FB_READ, 1 << 20, 4096, 0 },
	{ "read, read-only", GUARD(false, true), FB_READ, 1 << 20, 4096, 0 },
	{ "write, safe", SAFE, FB_WRITE, 1 << 20, 4096, -EPERM },
	{ "discard, safe", SAFE, FB_DISCARD, 1 << 20, 4096, -EPERM },
	{ "flush, safe", SAFE, FB_FLUSH, 0, 0, -EPERM },
	{ "write, safe, read-only", GUARD(false, true), FB_WRITE, 1 << 20,
	  4096, -EPERM },
	{ "write, armed", ARMED, FB_WRITE, 1 << 20, 4096, 0 },
	{ "discard, armed", ARMED, FB_DISCARD, 1 << 20, 4096, 0 },
	{ "flush, armed", ARMED, FB_FLUSH, 0, 0, 0 },
	{ "write, read-only", LOCKED, FB_WRITE, 1 << 20, 4096, -EROFS },
	{ "discard, read-only", LOCKED, FB_DISCARD, 1 << 20, 4096, -EROFS },
	{ "the whole range", ARMED, FB_WRITE, 1 << 20, 64 << 10, 0 },
	{ "the last block", ARMED, FB_WRITE, (1 << 20) + 61440, 4096, 0 },
	{ "a block too many", ARMED, FB_WRITE, 1 << 20, 69632, -EINVAL },
	{ "across the end", ARMED, FB_WRITE, (1 << 20) + 61440, 8192,
	  -EINVAL },
	{ "across the start", ARMED, FB_WRITE, (1 << 20) - 4096, 8192,
	  -EINVAL },
	{ "before the start", ARMED, FB_READ, (1 << 20) - 4096, 4096,
	  -EINVAL },
	{ "behind the end", ARMED, FB_READ, (1 << 20) + 65536, 4096, -EINVAL },
	{ "sector 0", ARMED, FB_WRITE, 0, 4096, -EINVAL },
	{ "the end of all", ARMED, FB_WRITE, U64_MAX - 4095, 4096, -EINVAL },
	{ "wrapping", ARMED, FB_WRITE, U64_MAX - 4095, 1 << 30, -EINVAL },
	{ "nothing", ARMED, FB_READ, 1 << 20, 0, -EINVAL },
	{ "offset in a block", ARMED, FB_READ, (1 << 20) + 512, 4096,
	  -EINVAL },
	{ "length in a block", ARMED, FB_READ, 1 << 20, 512, -EINVAL },
	{ "both in a block", ARMED, FB_WRITE, (1 << 20) + 512, 512, -EINVAL },
};

#endif
