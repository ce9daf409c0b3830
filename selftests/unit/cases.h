/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pure functions must answer: tables for the unit tests in user
 * space and for the KUnit suite, which sees the same code as the kernel's
 * compiler flags make it.
 */
#ifndef FLASHBENCH_CASES_H
#define FLASHBENCH_CASES_H

#include "pure.h"

struct parse_case {
	const char *text;
	int ret;
	u64 val;
};

/* fb_parse_u64(); the size parser takes all of them in the same way */
static const struct parse_case number_cases[] = {
	{ "0", 0, 0 },
	{ "1", 0, 1 },
	{ "10", 0, 10 },
	{ "010", 0, 10 },
	{ "0000000000000000000000000000000007", 0, 7 },
	{ "08", 0, 8 },
	{ "2147483647", 0, 2147483647ULL },
	{ "2147483648", 0, 2147483648ULL },
	{ "4294967295", 0, 4294967295ULL },
	{ "4294967296", 0, 4294967296ULL },
	{ "9223372036854775807", 0, 9223372036854775807ULL },
	{ "9223372036854775808", 0, 9223372036854775808ULL },
	{ "18446744073709551615", 0, 18446744073709551615ULL },
	{ "0x0", 0, 0 },
	{ "0x10", 0, 16 },
	{ "0x0000000000000000000000001", 0, 1 },
	{ "0xffffffffffffffff", 0, 18446744073709551615ULL },
	{ "0xFfFf", 0, 65535 },
	{ "0xDEADBEEF", 0, 0xdeadbeefULL },

	{ "18446744073709551616", -ERANGE },
	{ "18446744073709551620", -ERANGE },
	{ "28446744073709551615", -ERANGE },
	{ "99999999999999999999", -ERANGE },
	{ "184467440737095516150", -ERANGE },
	{ "340282366920938463463374607431768211456", -ERANGE },
	{ "0x10000000000000000", -ERANGE },
	{ "0xfffffffffffffffff", -ERANGE },

	{ "", -EINVAL },
	{ " ", -EINVAL },
	{ " 4", -EINVAL },
	{ "4 ", -EINVAL },
	{ "\t4", -EINVAL },
	{ "4\n", -EINVAL },
	{ "4 4", -EINVAL },
	{ "-1", -EINVAL },
	{ "-0", -EINVAL },
	{ "+1", -EINVAL },
	{ "- 1", -EINVAL },
	{ "4096junk", -EINVAL },
	{ "4096.0", -EINVAL },
	{ "4,096", -EINVAL },
	{ "1e3", -EINVAL },
	{ "1_000", -EINVAL },
	{ "0x", -EINVAL },
	{ "0xg", -EINVAL },
	{ "0x 1", -EINVAL },
	{ "0x-1", -EINVAL },
	{ "0x0x1", -EINVAL },
	{ "00x10", -EINVAL },
	{ "0X10", -EINVAL },
	{ "x10", -EINVAL },
	{ "10h", -EINVAL },
	{ "ff", -EINVAL },
	{ "a", -EINVAL },
	{ "/", -EINVAL },
	{ ":", -EINVAL },
	{ "99999999999999999999junk", -EINVAL },
	{ "0x10000000000000000 ", -EINVAL },
	{ "\xc2\xb2", -EINVAL },
};

/* Sizes to fb_parse_size(), -EINVAL to fb_parse_u64() */
static const struct parse_case size_cases[] = {
	{ "16k", 0, 16384 },
	{ "16K", 0, 16384 },
	{ "16KiB", 0, 16384 },
	{ "16kiB", 0, 16384 },
	{ "0x10K", 0, 16384 },
	{ "0xfM", 0, 15728640 },
	{ "010k", 0, 10240 },
	{ "0K", 0, 0 },
	{ "0GiB", 0, 0 },
	{ "4m", 0, 4194304 },
	{ "4M", 0, 4194304 },
	{ "4MiB", 0, 4194304 },
	{ "4miB", 0, 4194304 },
	{ "3g", 0, 3221225472ULL },
	{ "3G", 0, 3221225472ULL },
	{ "3GiB", 0, 3221225472ULL },
	{ "3giB", 0, 3221225472ULL },
	{ "17179869183G", 0, 17179869183ULL << 30 },
	{ "17592186044415M", 0, 17592186044415ULL << 20 },
	{ "18014398509481983K", 0, 18014398509481983ULL << 10 },
	{ "0x3ffffffffG", 0, 17179869183ULL << 30 },

	{ "17179869184G", -ERANGE },
	{ "17592186044416M", -ERANGE },
	{ "18014398509481984K", -ERANGE },
	{ "18446744073709551615K", -ERANGE },
	{ "18446744073709551616K", -ERANGE },
	{ "99999999999999999999KiB", -ERANGE },

	{ "K", -EINVAL },
	{ "KiB", -EINVAL },
	{ "iB", -EINVAL },
	{ "4B", -EINVAL },
	{ "4iB", -EINVAL },
	{ "4KB", -EINVAL },
	{ "4kB", -EINVAL },
	{ "4kb", -EINVAL },
	{ "4Ki", -EINVAL },
	{ "4Kib", -EINVAL },
	{ "4KIB", -EINVAL },
	{ "4KiBs", -EINVAL },
	{ "4KK", -EINVAL },
	{ "4KM", -EINVAL },
	{ "4 K", -EINVAL },
	{ "4K ", -EINVAL },
	{ "-4K", -EINVAL },
	{ "1.5M", -EINVAL },
	{ "4T", -EINVAL },
	{ "0xK", -EINVAL },
	{ "0x10X", -EINVAL },
	{ "99999999999999999999KB", -EINVAL },
};

struct range_case {
	const char *text;
	int ret;
	u64 start;
	u64 len;
};

static const struct range_case range_cases[] = {
	{ "0+1", 0, 0, 1 },
	{ "16M+1G", 0, 16777216, 1073741824 },
	{ "0x1000+0x200", 0, 4096, 512 },
	{ "4KiB+4MiB", 0, 4096, 4194304 },
	{ "0+18446744073709551615", 0, 0, 18446744073709551615ULL },
	{ "18446744073709551614+1", 0, 18446744073709551614ULL, 1 },

	{ "18446744073709551615+1", -ERANGE },
	{ "1+18446744073709551615", -ERANGE },
	{ "9223372036854775808+9223372036854775808", -ERANGE },
	{ "17179869183G+1G", -ERANGE },
	{ "99999999999999999999+1", -ERANGE },
	{ "1+99999999999999999999", -ERANGE },

	{ "", -EINVAL },
	{ "+", -EINVAL },
	{ "1", -EINVAL },
	{ "1+", -EINVAL },
	{ "+1", -EINVAL },
	{ "1+0", -EINVAL },
	{ "0+0", -EINVAL },
	{ "0+0K", -EINVAL },
	{ "1++1", -EINVAL },
	{ "1+-1", -EINVAL },
	{ "-1+1", -EINVAL },
	{ "1+1+1", -EINVAL },
	{ "1 + 1", -EINVAL },
	{ "1-1", -EINVAL },
	{ "1+1\n", -EINVAL },
	{ "K+1", -EINVAL },
	{ "1+K", -EINVAL },
	{ "1KB+1", -EINVAL },
	{ "99999999999999999999+0", -EINVAL },
	{ "99999999999999999999+junk", -EINVAL },
	{ "99999999999999999999 1", -EINVAL },
};

struct name_case {
	const char *a;
	const char *b;
	bool same;
};

static const struct name_case name_cases[] = {
	{ "", "", true },
	{ "align", "align", true },
	{ "open-au", "open_au", true },
	{ "open_au", "open-au", true },
	{ "-_-", "_-_", true },
	{ "-", "_", true },
	{ "align", "Align", false },
	{ "align", "alig", false },
	{ "alig", "align", false },
	{ "", "-", false },
	{ "_", "", false },
	{ "open-au", "openau", false },
	{ "open-au", "open au", false },
	{ "open-au", "open--au", false },
	{ "open-au-", "open-au", false },
};

struct size_text {
	u64 bytes;
	const char *text;
};

static const struct size_text size_texts[] = {
	{ 0, "0B" },
	{ 1, "1B" },
	{ 512, "512B" },
	{ 1023, "1023B" },
	{ 1024, "1KiB" },
	{ 1025, "1025B" },
	{ 1280, "1.25KiB" },
	{ 1536, "1.5KiB" },
	{ 1792, "1.75KiB" },
	{ 1664, "1664B" },
	{ 2560, "2.5KiB" },
	{ 10496, "10496B" },
	{ 10752, "10.5KiB" },
	{ 101888, "99.5KiB" },
	{ 102912, "102912B" },
	{ 16384, "16KiB" },
	{ 524288, "512KiB" },
	{ 1032192, "1008KiB" },
	{ 1047552, "1023KiB" },
	{ 1048064, "1048064B" },
	{ 1048576, "1MiB" },
	{ 1049600, "1025KiB" },
	{ 1310720, "1.25MiB" },
	{ 1572864, "1.5MiB" },
	{ 4194304, "4MiB" },
	{ 4227072, "4128KiB" },
	{ 4718592, "4.5MiB" },
	{ 25165824, "24MiB" },
	{ 67108864, "64MiB" },
	{ 1073741824, "1GiB" },
	{ 1342177280, "1.25GiB" },
	{ 1610612736, "1.5GiB" },
	{ 3221225472ULL, "3GiB" },
	{ 3222274048ULL, "3073MiB" },
	{ 1099511627776ULL, "1024GiB" },
	{ 31914983424ULL, "31166976KiB" },
	{ 1ULL << 63, "8589934592GiB" },
	{ 18446744073709551615ULL, "18446744073709551615B" },
};

struct time_text {
	s64 ns;
	const char *text;
};

static const struct time_text time_texts[] = {
	{ 0, "0ns" },
	{ 1, "1ns" },
	{ 10, "10ns" },
	{ 100, "100ns" },
	{ 999, "999ns" },
	{ 1000, "1µs" },
	{ 1001, "1µs" },
	{ 1004, "1µs" },
	{ 1005, "1.01µs" },
	{ 1050, "1.05µs" },
	{ 1100, "1.1µs" },
	{ 9994, "9.99µs" },
	{ 9995, "10µs" },
	{ 9999, "10µs" },
	{ 10000, "10µs" },
	{ 10049, "10µs" },
	{ 10050, "10.1µs" },
	{ 99949, "99.9µs" },
	{ 99950, "100µs" },
	{ 100499, "100µs" },
	{ 100500, "101µs" },
	{ 106000, "106µs" },
	{ 791000, "791µs" },
	{ 999499, "999µs" },
	{ 999500, "1ms" },
	{ 999600, "1ms" },
	{ 999999, "1ms" },
	{ 1000000, "1ms" },
	{ 1500000, "1.5ms" },
	{ 3050000, "3.05ms" },
	{ 3054999, "3.05ms" },
	{ 3055000, "3.06ms" },
	{ 400000000, "400ms" },
	{ 999499999, "999ms" },
	{ 999500000, "1s" },
	{ 1000000000, "1s" },
	{ 1039000000, "1.04s" },
	{ 59950000000LL, "60s" },
	{ 999000000000LL, "999s" },
	{ 999499999999LL, "999s" },
	{ 999500000000LL, "1000s" },
	{ 1000000000000LL, "1000s" },
	{ 1000499999999LL, "1000s" },
	{ 1000500000000LL, "1001s" },
	{ 86400000000000LL, "86400s" },
	{ S64_MAX, "9223372037s" },

	{ -1, "-1ns" },
	{ -999, "-999ns" },
	{ -1005, "-1.01µs" },
	{ -106663, "-107µs" },
	{ -999499, "-999µs" },
	{ -999500, "-1ms" },
	{ -1500000, "-1.5ms" },
	{ -2000000000, "-2s" },
	{ -86400000000000LL, "-86400s" },
	{ -S64_MAX, "-9223372037s" },
	{ S64_MIN, "-9223372037s" },
};

struct rate_text {
	u64 bytes_per_s;
	const char *text;
};

static const struct rate_text rate_texts[] = {
	{ 0, "0B/s" },
	{ 1, "1B/s" },
	{ 500, "500B/s" },
	{ 999, "999B/s" },
	{ 1000, "1K/s" },
	{ 1004, "1K/s" },
	{ 1005, "1.01K/s" },
	{ 912000, "912K/s" },
	{ 999499, "999K/s" },
	{ 999500, "1M/s" },
	{ 5950000, "5.95M/s" },
	{ 6470000, "6.47M/s" },
	{ 10000000, "10M/s" },
	{ 999499999, "999M/s" },
	{ 999500000, "1G/s" },
	{ 999700000, "1G/s" },
	{ 1039000000, "1.04G/s" },
	{ 12345678901ULL, "12.3G/s" },
	{ 999499999999ULL, "999G/s" },
	{ 999500000000ULL, "1000G/s" },
	{ 1234567890123456ULL, "1234568G/s" },
	{ 18446744073709551615ULL, "18446744074G/s" },
};

#define STAT_CASE_MAX	12

struct stat_case {
	const char *name;
	u64 v[STAT_CASE_MAX];
	size_t n;
	u64 min, median, mean, p99, max, spread;
};

static const struct stat_case stat_cases[] = {
	{ "none", { 0 }, 0, 0, 0, 0, 0, 0, 0 },
	{ "one", { 7 }, 1, 7, 7, 7, 7, 7, 0 },
	{ "one zero", { 0 }, 1, 0, 0, 0, 0, 0, 0 },
	{ "two", { 9, 4 }, 2, 4, 6, 6, 9, 9, 2 },
	{ "two equal", { 5, 5 }, 2, 5, 5, 5, 5, 5, 0 },
	{ "three", { 3, 1, 8 }, 3, 1, 3, 4, 8, 8, 2 },
	{ "four", { 4, 1, 3, 2 }, 4, 1, 2, 2, 4, 4, 1 },
	{ "an outlier", { 100, 102, 101, 99, 100000 }, 5,
	  99, 101, 20080, 100000, 100000, 1 },
	{ "two values", { 1, 9, 1, 9, 1, 9 }, 6, 1, 5, 5, 9, 9, 4 },
	{ "halves apart", { 0, 0, 0, 10, 10 }, 5, 0, 0, 4, 10, 10, 0 },
	{ "large", { 1ULL << 62, (1ULL << 62) - 2 }, 2, (1ULL << 62) - 2,
	  (1ULL << 62) - 1, (1ULL << 62) - 1, 1ULL << 62, 1ULL << 62, 1 },
};

struct rate_case {
	u64 bytes;
	u64 ns;
	u64 rate;
};

static const struct rate_case rate_cases[] = {
	{ 0, 0, 0 },
	{ 1, 0, 0 },
	{ 0, 1, 0 },
	{ 0, U64_MAX, 0 },
	{ 1, 1, 1000000000 },
	{ 1, 1000000000, 1 },
	{ 1, 1000000001, 0 },
	{ 1, 3, 333333333 },
	{ 2, 3, 666666666 },
	{ 16384, 1000000, 16384000 },
	{ 4194304, 648000, 6472691358ULL },
	{ 16384, 2532303, 6469999 },
	{ 1099511627776ULL, 1000000000, 1099511627776ULL },
	{ 1099511627776ULL, 1099511627776ULL, 1000000000 },
	{ 1099511627776ULL, 1099511627775ULL, 1000000000 },
	{ 1099511627775ULL, 1099511627776ULL, 999999999 },
	{ 1099511627776ULL, 60, 18325193796266666666ULL },
	{ 1099511627776ULL, 59, U64_MAX },
	{ 1099511627776ULL, 1, U64_MAX },
	{ 1099511627776ULL, U64_MAX, 59 },
	{ 1099511627776ULL, 1ULL << 63, 119 },
	{ U64_MAX, U64_MAX, 1000000000 },
	{ U64_MAX - 1, U64_MAX, 999999999 },
	{ U64_MAX, 1, U64_MAX },
};

#define FIT_CASE_MAX	8

struct fit_case {
	const char *name;
	u64 bytes[FIT_CASE_MAX];
	u64 ns[FIT_CASE_MAX];
	size_t n;
	int ret;
	struct fb_fit fit;
};

static const struct fit_case fit_cases[] = {
	{ "no point", { 0 }, { 0 }, 0, -EINVAL, { 0 } },
	{ "one point", { 512 }, { 1000 }, 1, -EINVAL, { 0 } },
	{ "equal sizes", { 4096, 4096, 4096 }, { 1, 2, 3 }, 3, -EINVAL, { 0 } },
	{ "too large", { 512, (64 << 20) + 512 }, { 1, 2 }, 2, -EINVAL, { 0 } },
	{ "too long", { 512, 1024 }, { 1, 1ULL << 40 }, 2, -EINVAL, { 0 } },
	{ "two points", { 512, 1024 }, { 1000, 1512 }, 2, 0,
	  { 488, 1000000000 } },
	{ "neighbours far out", { (64 << 20) - 512, 64 << 20 },
	  { 1000000000, 1000000001 }, 2, 0,
	  { 1000000001 - 131072, 512000000000ULL } },
	{ "exact line", { 4096, 16384, 65536, 1048576 },
	  { 304096, 316384, 365536, 1348576 }, 4, 0, { 300000, 1000000000 } },
	{ "any order", { 1048576, 4096, 65536, 16384 },
	  { 1348576, 304096, 365536, 316384 }, 4, 0, { 300000, 1000000000 } },
	{ "through zero", { 512, 1024, 2048 }, { 512, 1024, 2048 }, 3, 0,
	  { 0, 1000000000 } },
	{ "below zero", { 1024, 2048 }, { 24, 1048 }, 2, 0,
	  { -1000, 1000000000 } },
	{ "flat", { 512, 1024, 2048 }, { 700, 700, 700 }, 3, 0, { 700, 0 } },
	{ "falling", { 512, 1024 }, { 2000, 1488 }, 2, 0, { 2512, 0 } },
	{ "noise", { 512, 1024, 1536 }, { 1000, 2600, 3000 }, 3, 0,
	  { 200, 512000000 } },
	{ "zero size", { 0, 512 }, { 100, 612 }, 2, 0, { 100, 1000000000 } },
};

struct hash_case {
	u64 x;
	u64 hash;
};

/* The first three numbers of splitmix64 from the seed 0 */
static const struct hash_case hash_cases[] = {
	{ 0, 0xe220a8397b1dcdafULL },
	{ 0x9e3779b97f4a7c15ULL, 0x6e789e6aa1b965f4ULL },
	{ 0x3c6ef372fe94f82aULL, 0x06c45d188009454fULL },
};

static const u64 permute_sizes[] = {
	1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 65535, 65536, 65537, 1 << 20
};

#endif
