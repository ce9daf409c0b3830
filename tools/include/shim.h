/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What include/pure.h needs of the kernel, in user space.
 *
 * The same names with the same meaning and types, so that a format string or
 * a mixed comparison that would be wrong in the kernel is wrong here, too. What
 * the kernel leaves undefined, such as a division by 0, stays so: the sanitizers
 * see it.
 */
#ifndef FLASHBENCH_SHIM_H
#define FLASHBENCH_SHIM_H

#include <errno.h>
#include <linux/const.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
/* long long, as in the kernel, on every machine */
typedef unsigned long long u64;
typedef long long s64;

#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)
#define S64_MAX		((s64)(U64_MAX >> 1))
#define S64_MIN		((s64)(-S64_MAX - 1))

#define NSEC_PER_SEC	1000000000L

#define __maybe_unused	__attribute__((__unused__))
#define __printf(a, b)	__attribute__((__format__(printf, a, b)))

#define BIT(n)		(1UL << (n))
#define cond_resched()	do { } while (0)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT_ULL(n)	(1ULL << (n))
#define DIV_ROUND_UP	__KERNEL_DIV_ROUND_UP

/* Different types are a warning, as in the kernel */
#define shim_select(x, op, y) ({		\
	__typeof__(x) shim_x = (x);		\
	__typeof__(y) shim_y = (y);		\
	(void)(&shim_x == &shim_y);		\
	shim_x op shim_y ? shim_x : shim_y;	\
})
#define min(x, y)	shim_select(x, <, y)
#define max(x, y)	shim_select(x, >, y)
#define min_t(type, x, y)	min((type)(x), (type)(y))
#define max_t(type, x, y)	max((type)(x), (type)(y))

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned long __ffs(unsigned long x)
{
	return __builtin_ctzl(x);
}

static inline unsigned int hweight32(u32 w)
{
	return __builtin_popcount(w);
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
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

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *rem)
{
	*rem = dividend % divisor;
	return dividend / divisor;
}

static inline s64 div64_s64(s64 dividend, s64 divisor)
{
	return dividend / divisor;
}

static inline s64 div_s64(s64 dividend, int32_t divisor)
{
	return dividend / divisor;
}

static inline u32 int_sqrt64(u64 x)
{
	u64 root = 0;
	int bit;

	for (bit = 31; bit >= 0; bit--)
		if ((root | BIT_ULL(bit)) * (root | BIT_ULL(bit)) <= x)
			root |= BIT_ULL(bit);
	return root;
}

/* The length that was written, not the one that would have been */
static inline __printf(3, 0) int vscnprintf(char *buf, size_t size,
					    const char *fmt, va_list args)
{
	int len = vsnprintf(buf, size, fmt, args);

	if (!size)
		return 0;
	return (size_t)len < size ? len : (int)size - 1;
}

static inline __printf(3, 4) int scnprintf(char *buf, size_t size,
					   const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vscnprintf(buf, size, fmt, args);
	va_end(args);
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
