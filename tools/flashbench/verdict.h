/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a card: the lines of a geometry result, and what tables say.
 */
#ifndef FLASHBENCH_VERDICT_H
#define FLASHBENCH_VERDICT_H

#include "archive.h"

#define VERDICT_TEXT	160

/**
 * struct verdict - a line of a geometry result
 * @key: what is asked
 * @value: "-" if it is unknown
 * @class: sure, likely or unknown
 * @confidence: per mille
 * @basis: what it rests on
 * @evidence: in few words
 */
struct verdict {
	char key[32];
	char value[FB_VALUE_LEN];
	char class[16];
	char confidence[16];
	char basis[16];
	char evidence[FB_EVIDENCE_LEN];
};

const char *verdict_next(const char *lines, struct verdict *v);
bool verdict_find(const struct result *geometry, const char *key,
		  struct verdict *v);
bool verdict_bytes(const struct verdict *v, u64 *bytes);
const char *verdict_title(const char *key);
void verdict_value(const struct verdict *v, char *buf, size_t size);

#endif
