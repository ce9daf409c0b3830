/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types, also in user space: all that the headers of the pure
 * files need, so that they can be included together with any others.
 */
#ifndef FLASHSIM_TYPES_H
#define FLASHSIM_TYPES_H

#ifdef __KERNEL__
#include <linux/limits.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
/* long long, as in the kernel, on every machine */
typedef unsigned long long u64;
typedef long long s64;
#endif

#endif
