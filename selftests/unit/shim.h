/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What include/pure.h needs of the kernel, in user space.
 *
 * The same names with the same meaning and types, so that a format string or
 * a mixed comparison that would be wrong in the kernel is wrong here, too. What
 * the kernel leaves undefined (a division by 0, n = 0 for GENMASK()) stays so:
 * the sanitizers see it.
 */
#ifndef FLASHBENCH_SHIM_H
#define FLASHBENCH_SHIM_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
/* long long, as in the kernel, on every machine */
typedef unsigned long long u64;
typedef long long s64;

#define U8_MAX		((u8)~0U)
#define U16_MAX		((u16)~0U)
#define U32_MAX		((u32)~0U)
#define S32_MAX		((s32)(U32_MAX >> 1))
#define S32_MIN		((s32)(-S32_MAX - 1))
#define U64_MAX		((u64)~0ULL)
#define S64_MAX		((s64)(U64_MAX >> 1))
#define S64_MIN		((s64)(-S64_MAX - 1))

#define NSEC_PER_USEC	1000L
#define NSEC_PER_MSEC	1000000L
#define NSEC_PER_SEC	1000000000L

#define __maybe_unused	__attribute__((__unused__))
#define __always_unused	__attribute__((__unused__))
#define __printf(a, b)	__attribute__((__format__(printf, a, b)))
#ifndef fallthrough
#define fallthrough	__attribute__((__fallthrough__))
#endif
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)

#define fb_shim_cmp(x, op, y) ({			\
	__typeof__(x) fb_x = (x);			\
	__typeof__(y) fb_y = (y);			\
	(void)(&fb_x == &fb_y);				\
	fb_x op fb_y ? fb_x : fb_y;			\
})
#define min(x, y)	fb_shim_cmp(x, <, y)
#define max(x, y)	fb_shim_cmp(x, >, y)
#define min_t(type, x, y)	min((type)(x), (type)(y))
#define max_t(type, x, y)	max((type)(x), (type)(y))
#define min3(x, y, z)	min(min(x, y), z)
#define max3(x, y, z)	max(max(x, y), z)
#define clamp(v, low, high)	min(max(v, low), high)
#define clamp_t(type, v, low, high) \
	clamp((type)(v), (type)(low), (type)(high))
#define swap(a, b) do {				\
	__typeof__(a) fb_swap = (a);		\
	(a) = (b);				\
	(b) = fb_swap;				\
} while (0)

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline s64 div64_s64(s64 dividend, s64 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *rem)
{
	*rem = dividend % divisor;
	return dividend / divisor;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline s64 div_s64(s64 dividend, s32 divisor)
{
	return dividend / divisor;
}

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *rem)
{
	*rem = dividend % divisor;
	return dividend / divisor;
}

static inline u64 mul_u32_u32(u32 a, u32 b)
{
	return (u64)a * b;
}

/* The length that was written, not the one that would have been */
static inline __printf(3, 4) int scnprintf(char *buf, size_t size,
					   const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, size, fmt, args);
	va_end(args);
	if (!size)
		return 0;
	return (size_t)len < size ? len : (int)size - 1;
}

static inline ssize_t strscpy(char *dst, const char *src, size_t size)
{
	size_t len = strnlen(src, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(dst, src, len + 1);
	return len;
}

typedef void (*swap_func_t)(void *a, void *b, int size);
typedef int (*cmp_func_t)(const void *a, const void *b);

static inline void sort(void *base, size_t num, size_t size, cmp_func_t cmp,
			swap_func_t swap_func)
{
	(void)swap_func;
	if (num)	/* qsort() wants no null pointer even for nothing */
		qsort(base, num, size, cmp);
}

#endif
