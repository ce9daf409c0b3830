// SPDX-License-Identifier: GPL-2.0-only
/*
 * params.c: the run line. And the guard, the last look before an operation.
 */
#include "cases_run.h"
#include "tap.h"

static void test_line(const struct run_case *c)
{
	char reason[FB_REASON_LEN] = "", text[FB_LINE_LEN] = "";
	struct fb_params p;
	int len = 0, ret = fb_params_parse(c->line, &p, reason);
	bool ok = ret == c->ret;

	if (!ret)
		len = fb_params_text(&p, text, sizeof(text));
	if (c->ret)
		ok &= !strncmp(reason, c->text, strlen(c->text));
	else
		ok &= !strcmp(text, c->text) && len == (int)strlen(text);
	if (!tap_ok(ok, "fb_params_parse '%s'", tap_quote(c->line)))
		tap_diag("got %d, reason '%s', text '%s'", ret, reason, text);
}

/* What is printed with every key in force gives the same when it is parsed */
static void test_stable(const struct run_case *c)
{
	char reason[FB_REASON_LEN] = "", text[FB_LINE_LEN];
	struct fb_params p;

	tap_ok(!fb_params_parse(c->text, &p, reason) &&
	       fb_params_text(&p, text, sizeof(text)) > 0 &&
	       !strcmp(text, c->text), "'%s' is stable", c->text);
}

/* The longest line is taken, one more character is not */
static void test_length(void)
{
	char line[FB_LINE_LEN + 1], reason[FB_REASON_LEN] = "";
	struct fb_params p;

	memset(line, ' ', sizeof(line));
	memcpy(line, "align", 5);
	line[FB_LINE_LEN - 1] = '\0';
	tap_ok(!fb_params_parse(line, &p, reason), "a line of %d characters",
	       FB_LINE_LEN - 1);
	line[FB_LINE_LEN - 1] = ' ';
	line[FB_LINE_LEN] = '\0';
	tap_ok(fb_params_parse(line, &p, reason) == -EINVAL &&
	       !strncmp(reason, "line too long", 13),
	       "a line of %d characters is too long", FB_LINE_LEN);

	/* the reason quotes what was given, as far as there is room */
	memset(line, 'x', sizeof(line));
	memcpy(line, "align ", 6);
	line[FB_LINE_LEN - 1] = '\0';
	memset(reason, '!', sizeof(reason));
	tap_ok(fb_params_parse(line, &p, reason) == -EINVAL &&
	       strnlen(reason, FB_REASON_LEN) < FB_REASON_LEN,
	       "a key of 505 characters");
	memcpy(line, "align count=", 12);
	memset(reason, '!', sizeof(reason));
	tap_ok(fb_params_parse(line, &p, reason) == -EINVAL &&
	       !strncmp(reason, "count: ", 7) &&
	       strnlen(reason, FB_REASON_LEN) < FB_REASON_LEN,
	       "a value of 499 characters");
}

/* All keys of all tests are in the description, the limits are true */
static void test_describe(void)
{
	unsigned int i;

	for (i = 0; i < fb_nr_tests; i++) {
		const struct fb_test *t = fb_tests[i];
		char text[4096], line[FB_LINE_LEN], reason[FB_REASON_LEN];
		int len = fb_test_describe(t, text, sizeof(text));
		char *key, *save = NULL, *rest;
		struct fb_params p;
		bool ok = len == (int)strlen(text) && len < 4095;
		int keys = 0;

		ok &= !strncmp(text, t->name, strlen(t->name));
		rest = strchr(text, '\n');
		for (key = strtok_r(rest, "\n", &save); key;
		     key = strtok_r(NULL, "\n", &save)) {
			unsigned long long def, min, max;
			char name[32];

			keys++;
			if (sscanf(key, " %31[a-z-]=NUMBER (default %llu, from %llu to %llu)",
				   name, &def, &min, &max) != 4)
				continue;
			snprintf(line, sizeof(line), "%s %s=%llu", t->name,
				 name, min);
			ok &= !fb_params_parse(line, &p, reason);
			snprintf(line, sizeof(line), "%s %s=%llu", t->name,
				 name, max);
			ok &= !fb_params_parse(line, &p, reason);
			ok &= def >= min && def <= max;
		}
		ok &= keys == __builtin_popcount(t->keys);
		tap_ok(ok, "fb_test_describe %s", t->name);
	}
}

static void test_find(void)
{
	unsigned int i, k;
	bool ok = true;

	for (i = 0; i < fb_nr_tests; i++) {
		ok &= fb_test_find(fb_tests[i]->name) == fb_tests[i];
		for (k = 0; k < i; k++)
			ok &= !fb_same_name(fb_tests[i]->name,
					    fb_tests[k]->name);
	}
	tap_ok(ok, "fb_test_find finds each test, names are unique");
	tap_ok(!fb_test_find("") && !fb_test_find("nosuch"),
	       "fb_test_find finds nothing else");
}

static void test_guard(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(guard_cases); i++) {
		struct fb_op op = {
			.opcode = guard_cases[i].opcode,
			.offset = guard_cases[i].offset,
			.length = guard_cases[i].length,
		};

		tap_ok(fb_guard_check(&guard_cases[i].guard, &op) == guard_cases[i].ret,
		       "fb_guard_check %s", guard_cases[i].name);
	}
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(run_cases); i++) {
		test_line(&run_cases[i]);
		if (!run_cases[i].ret)
			test_stable(&run_cases[i]);
	}
	test_length();
	test_describe();
	test_find();
	test_guard();
	return tap_done();
}
