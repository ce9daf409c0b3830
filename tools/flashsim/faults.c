// SPDX-License-Identifier: GPL-2.0-only
/*
 * What goes wrong on purpose.
 */
#include "faults.h"
#include "platform.h"

static const char * const fault_actions[] = {
	[FSIM_FAIL] = "fail",
	[FSIM_STALL] = "stall",
	[FSIM_DIE] = "die",
	[FSIM_REMOVE] = "remove",
};

static const char * const fault_ops[] = {
	[FSIM_READ] = "read",
	[FSIM_WRITE] = "write",
	[FSIM_DISCARD] = "discard",
	[FSIM_ANY] = "any",
};

/* A decimal number at *@s, which is moved behind it */
/**
 * fsim_parse_number() - a decimal number
 * @s: where it begins; moved behind it
 * @val: gets it
 *
 * Return: 0 or -EINVAL, also for what does not fit into 64 bits.
 */
int fsim_parse_number(const char **s, u64 *val)
{
	const char *p = *s;
	u64 v = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (v > (U64_MAX - 9) / 10)
			return -EINVAL;
		v = v * 10 + (*p - '0');
	}
	*val = v;
	*s = p;
	return 0;
}

static int fault_time(const char **s, u64 *ns)
{
	static const struct { const char *name; u64 ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 },
	};
	size_t i, len;

	if (fsim_parse_number(s, ns))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		len = strlen(units[i].name);
		if (strncmp(*s, units[i].name, len))
			continue;
		if (*ns > div64_u64(U64_MAX / 2, units[i].ns))
			return -EINVAL;
		*ns *= units[i].ns;
		*s += len;
		break;
	}
	return 0;
}

/**
 * fsim_parse_time() - a time
 * @s: a number, followed by ns (or nothing), us, ms or s
 * @ns: gets it, at most 2^63 - 1
 *
 * Return: 0 or -EINVAL.
 */
int fsim_parse_time(const char *s, u64 *ns)
{
	if (fault_time(&s, ns))
		return -EINVAL;
	return *s || *ns > S64_MAX ? -EINVAL : 0;
}

/* One of @names at *@s, which is moved behind it */
static int fault_word(const char **s, const char * const *names, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i++) {
		len = strlen(names[i]);
		if (!strncmp(*s, names[i], len)) {
			*s += len;
			return i;
		}
	}
	return -EINVAL;
}

static int fault_where(const char **s, struct fsim_rule *r)
{
	r->by_sector = **s == '@';
	if (**s != '@' && **s != '#')
		return -EINVAL;
	++*s;
	if (fsim_parse_number(s, &r->first))
		return -EINVAL;
	r->last = r->first;
	r->times = r->by_sector ? U64_MAX : 1;
	if (!r->by_sector)
		return r->first-- ? 0 : -EINVAL;
	if (**s != '-')
		return 0;
	++*s;
	return fsim_parse_number(s, &r->last) || r->last < r->first ? -EINVAL : 0;
}

static int fault_stall(const char **s, struct fsim_rule *r)
{
	if (**s != '=')
		return -EINVAL;
	++*s;
	if (fault_time(s, &r->ns) || r->ns > 3600 * (u64)NSEC_PER_SEC)
		return -EINVAL;
	return 0;
}

static int fault_parse(const char **s, struct fsim_rule *r)
{
	int word = fault_word(s, fault_actions, ARRAY_SIZE(fault_actions));

	*r = (struct fsim_rule) { .op = FSIM_ANY };
	if (word < 0)
		return word;
	r->action = word;
	if (**s == ':') {
		++*s;
		word = fault_word(s, fault_ops, ARRAY_SIZE(fault_ops));
		if (word < 0)
			return word;
		r->op = word;
	}
	if (fault_where(s, r))
		return -EINVAL;
	if (r->action == FSIM_STALL && fault_stall(s, r))
		return -EINVAL;
	if (**s == '*') {
		++*s;
		if (fsim_parse_number(s, &r->times) || !r->times)
			return -EINVAL;
	}
	return 0;
}

static bool fault_is_separator(char c)
{
	return c == '/' || c == ' ' || c == '\t' || c == '\n';
}

/**
 * fsim_faults_add() - add rules
 * @f: the rules
 * @text: rules, separated by white space or '/'; "clear" forgets all rules
 *
 * Return: 0; -EINVAL if one of them is none; -ENOSPC if there are too many.
 * In both cases nothing has changed.
 */
int fsim_faults_add(struct fsim_faults *f, const char *text)
{
	struct fsim_rule rule[FSIM_MAX_RULES];
	u32 n = f->n;

	memcpy(rule, f->rule, sizeof(rule));
	for (;;) {
		while (fault_is_separator(*text))
			text++;
		if (!*text)
			break;
		if (!strncmp(text, "clear", 5)) {
			text += 5;
			n = 0;
		} else if (n == FSIM_MAX_RULES) {
			return -ENOSPC;
		} else if (fault_parse(&text, &rule[n++])) {
			return -EINVAL;
		}
		if (*text && !fault_is_separator(*text))
			return -EINVAL;
	}
	memcpy(f->rule, rule, sizeof(rule));
	f->n = n;
	return 0;
}

/**
 * fsim_rule_text() - a rule in the words it was given in
 * @r: the rule
 * @buf: gets it
 * @size: of @buf
 *
 * A rule by count tells how it stands now.
 *
 * Return: the length of the text.
 */
int fsim_rule_text(const struct fsim_rule *r, char *buf, size_t size)
{
	int len;

	len = scnprintf(buf, size, "%s:%s%c%llu", fault_actions[r->action],
			fault_ops[r->op], r->by_sector ? '@' : '#',
			r->by_sector ? r->first : r->first + 1);
	if (r->by_sector && r->last != r->first)
		len += scnprintf(buf + len, size - len, "-%llu", r->last);
	if (r->action == FSIM_STALL)
		len += scnprintf(buf + len, size - len, "=%lluns", r->ns);
	if (r->times != (r->by_sector ? U64_MAX : 1))
		len += scnprintf(buf + len, size - len, "*%llu", r->times);
	return len;
}

static bool fault_applies(struct fsim_rule *r, enum fsim_op op, u64 sector,
			  u64 count)
{
	if (!r->times || (r->op != FSIM_ANY && r->op != op))
		return false;
	if (r->by_sector) {
		if (r->last < sector || r->first >= sector + count)
			return false;
	} else if (r->first) {
		r->first--;
		return false;
	}
	if (r->times != U64_MAX)
		r->times--;
	return true;
}

/**
 * fsim_faults_check() - what happens to a command
 * @f: the rules; those by count are brought up to date
 * @op: what the command does
 * @sector: first sector
 * @count: sectors
 * @v: gets the verdict
 */
void fsim_faults_check(struct fsim_faults *f, enum fsim_op op, u64 sector,
		       u64 count, struct fsim_verdict *v)
{
	struct fsim_rule *r;
	u64 good;

	*v = (struct fsim_verdict) { .good = count };
	for (r = f->rule; r < f->rule + f->n; r++) {
		if (!fault_applies(r, op, sector, count))
			continue;
		good = r->by_sector && r->first > sector ? r->first - sector :
							   0;
		switch (r->action) {
		case FSIM_STALL:
			v->stall_ns += r->ns;
			continue;
		case FSIM_DIE:
			v->die = true;
			break;
		case FSIM_REMOVE:
			v->remove = true;
			break;
		}
		v->fail = true;
		v->good = min(v->good, good);
	}
}
