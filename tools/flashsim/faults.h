/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes wrong on purpose. Pure.
 *
 * A rule is ACTION[:OP]WHERE[=TIME][*TIMES]:
 *   ACTION	fail, stall, die or remove
 *   OP		read, write, discard or any (the default)
 *   WHERE	@SECTOR[-SECTOR], a command that touches it; or #N, the N-th such
 *		command from now on, 1 is the next
 *   TIME	of a stall, in ns or with us, ms, s
 *   TIMES	how often; by default always for @, once for #
 */
#ifndef FLASHSIM_FAULTS_H
#define FLASHSIM_FAULTS_H

#include "types.h"

#define FSIM_MAX_RULES	16u

enum fsim_action { FSIM_FAIL, FSIM_STALL, FSIM_DIE, FSIM_REMOVE };
enum fsim_op { FSIM_READ, FSIM_WRITE, FSIM_DISCARD, FSIM_ANY };

/**
 * struct fsim_rule - one rule
 * @action: enum fsim_action
 * @op: enum fsim_op
 * @by_sector: by place, else by count
 * @first: first sector; by count: commands still to be let through
 * @last: last sector
 * @times: how often it still applies; U64_MAX: always
 * @ns: of a stall
 */
struct fsim_rule {
	u8 action;
	u8 op;
	bool by_sector;
	u64 first;
	u64 last;
	u64 times;
	u64 ns;
};

/**
 * struct fsim_faults - all rules in force
 * @rule: the rules
 * @n: how many
 */
struct fsim_faults {
	struct fsim_rule rule[FSIM_MAX_RULES];
	u32 n;
};

/**
 * struct fsim_verdict - what happens to one command
 * @stall_ns: it takes so much longer
 * @good: sectors that still go well, all of them if nothing fails
 * @fail: it fails after @good sectors
 * @die: and from now on the card does not answer any more
 * @remove: the card is pulled while it is under way
 */
struct fsim_verdict {
	u64 stall_ns;
	u64 good;
	bool fail;
	bool die;
	bool remove;
};

int fsim_parse_number(const char **s, u64 *val);
int fsim_parse_time(const char *s, u64 *ns);
int fsim_faults_add(struct fsim_faults *f, const char *text);
int fsim_rule_text(const struct fsim_rule *r, char *buf, size_t size);
void fsim_faults_check(struct fsim_faults *f, enum fsim_op op, u64 sector,
		       u64 count, struct fsim_verdict *v);

#endif
