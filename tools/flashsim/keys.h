/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keys a card is described with, and their values. Pure.
 */
#ifndef FLASHSIM_KEYS_H
#define FLASHSIM_KEYS_H

#include "config.h"

enum fsim_kind {
	FSIM_KEY_SIZE,	/* bytes: K, M, G are powers of 1024 */
	FSIM_KEY_RATE,	/* bytes per second: k, M, G are powers of 1000 */
	FSIM_KEY_COUNT,	/* a number */
	FSIM_KEY_TIME,	/* ns, us, ms, s */
	FSIM_KEY_STIME,	/* the same, may be negative */
	FSIM_KEY_TIMES,	/* such times, separated by ':' */
	FSIM_KEY_WORD,	/* one of some words */
	FSIM_KEY_NOISE,	/* none, uniform:PM, lognormal:PM */
	FSIM_KEY_HEX,	/* a register */
	FSIM_KEY_BLOCKS,	/* A or A-B, separated by ':' */
	FSIM_KEY_RANGES,	/* all, none, or OFFSET+LENGTH, separated by ':' */
	FSIM_KEY_FAULTS,	/* rules, separated by '/' */
};

/**
 * struct fsim_key - one key
 * @name: in lower case
 * @kind: enum fsim_kind
 * @offset: of the value in struct fsim_config
 * @size: of the value; FSIM_KEY_HEX: bytes of the register
 * @min: smallest value
 * @max: largest value
 * @words: of a FSIM_KEY_WORD
 */
struct fsim_key {
	const char *name;
	enum fsim_kind kind;
	size_t offset;
	size_t size;
	u64 min;
	u64 max;
	const char * const *words;
};

extern const struct fsim_key fsim_keys[];
extern const unsigned int fsim_nr_keys;

#define FSIM_MAX_KEYS	128u

/* ---- values.c ---- */

int fsim_value_parse(const struct fsim_key *k, struct fsim_config *cfg,
		     const char *s);
int fsim_value_text(const struct fsim_key *k, const struct fsim_config *cfg,
		    char *buf, size_t size);
const char *fsim_value_wants(const struct fsim_key *k);

#endif
