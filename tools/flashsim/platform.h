/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pure files of flashsim (ftl.c, blocks.c, cost.c, faults.c, config.c,
 * keys.c, values.c, regs.c) need of the world, in the kernel and in user space.
 */
#ifndef FLASHSIM_PLATFORM_H
#define FLASHSIM_PLATFORM_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#else
#include <errno.h>
#include <linux/const.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)
#define S64_MAX		((s64)(U64_MAX >> 1))
#define S64_MIN		((s64)(-S64_MAX - 1))
#define NSEC_PER_SEC	1000000000L
#define GFP_KERNEL	0

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP	__KERNEL_DIV_ROUND_UP
/* Different types are a warning, as in the kernel */
#define fsim_select(x, op, y) ({		\
	__typeof__(x) select_x = (x);		\
	__typeof__(y) select_y = (y);		\
	(void)(&select_x == &select_y);		\
	select_x op select_y ? select_x : select_y;	\
})
#define min(x, y)	fsim_select(x, <, y)
#define max(x, y)	fsim_select(x, >, y)
#define min_t(type, x, y)	min((type)(x), (type)(y))
#define max_t(type, x, y)	max((type)(x), (type)(y))
#define fallthrough	__attribute__((__fallthrough__))

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline s64 div_s64(s64 dividend, int divisor)
{
	return dividend / divisor;
}

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *rem)
{
	*rem = dividend % divisor;
	return dividend / divisor;
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

static inline unsigned int hweight64(u64 w)
{
	return __builtin_popcountll(w);
}

/* The length that was written, not the one that would have been */
static inline int scnprintf(char *buf, size_t size, const char *fmt, ...)
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

static inline void *kvcalloc(size_t n, size_t size, int flags)
{
	(void)flags;
	return calloc(n, size);
}

static inline void kvfree(void *p)
{
	free(p);
}
#endif

#endif
