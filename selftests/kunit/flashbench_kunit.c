// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit suites of the pure files, as the kernel's compiler flags make them.
 * The tables are those of the unit tests in user space, which do more with
 * them; this is to see that the answers are the same in here.
 */
#include <kunit/test.h>

#include "pure.h"
#include "../unit/cases.h"
#include "../unit/cases_run.h"
#include "../unit/geo_card.h"

#define UNTOUCHED	0x5a5a5a5a5a5a5a5aULL

static void parse_u64_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(number_cases); i++) {
		const struct parse_case *c = &number_cases[i];
		u64 val = UNTOUCHED;

		KUNIT_EXPECT_EQ_MSG(test, fb_parse_u64(c->text, &val), c->ret,
				    "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, val, c->ret ? UNTOUCHED : c->val,
				    "'%s'", c->text);
	}
}

static void parse_size_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(size_cases); i++) {
		const struct parse_case *c = &size_cases[i];
		u64 val = UNTOUCHED;

		KUNIT_EXPECT_EQ_MSG(test, fb_parse_size(c->text, &val), c->ret,
				    "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, val, c->ret ? UNTOUCHED : c->val,
				    "'%s'", c->text);
	}
}

static void parse_range_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(range_cases); i++) {
		const struct range_case *c = &range_cases[i];
		u64 start = UNTOUCHED, len = UNTOUCHED;

		KUNIT_EXPECT_EQ_MSG(test, fb_parse_range(c->text, &start, &len),
				    c->ret, "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, start,
				    c->ret ? UNTOUCHED : c->start,
				    "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, len, c->ret ? UNTOUCHED : c->len,
				    "'%s'", c->text);
	}
}

static void same_name_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(name_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, fb_same_name(name_cases[i].a,
						       name_cases[i].b),
				    name_cases[i].same, "'%s' '%s'",
				    name_cases[i].a, name_cases[i].b);
}

static void format_test(struct kunit *test)
{
	char buf[FB_TEXT_LEN];
	size_t i;
	int len;

	for (i = 0; i < ARRAY_SIZE(size_texts); i++) {
		len = fb_format_size(buf, sizeof(buf), size_texts[i].bytes);
		KUNIT_EXPECT_STREQ(test, buf, size_texts[i].text);
		KUNIT_EXPECT_EQ(test, len, (int)strlen(size_texts[i].text));
	}
	for (i = 0; i < ARRAY_SIZE(time_texts); i++) {
		len = fb_format_time(buf, sizeof(buf), time_texts[i].ns);
		KUNIT_EXPECT_STREQ(test, buf, time_texts[i].text);
		KUNIT_EXPECT_EQ(test, len, (int)strlen(time_texts[i].text));
	}
	for (i = 0; i < ARRAY_SIZE(rate_texts); i++) {
		len = fb_format_rate(buf, sizeof(buf),
				     rate_texts[i].bytes_per_s);
		KUNIT_EXPECT_STREQ(test, buf, rate_texts[i].text);
		KUNIT_EXPECT_EQ(test, len, (int)strlen(rate_texts[i].text));
	}
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(parse_u64_test),
	KUNIT_CASE(parse_size_test),
	KUNIT_CASE(parse_range_test),
	KUNIT_CASE(same_name_test),
	KUNIT_CASE(format_test),
	{}
};

static struct kunit_suite text_suite = {
	.name = "flashbench_text",
	.test_cases = text_cases,
};

static void stat_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stat_cases); i++) {
		const struct stat_case *c = &stat_cases[i];
		struct fb_stat st = { .errors = 3 };
		u64 v[STAT_CASE_MAX];

		memcpy(v, c->v, sizeof(v));
		fb_stat_fill(&st, v, c->n);
		KUNIT_EXPECT_EQ_MSG(test, st.n, (u32)c->n, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.errors, 3U, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.min, c->min, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.median, c->median, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.mean, c->mean, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.p99, c->p99, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.max, c->max, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, st.spread, c->spread, "%s", c->name);
	}
}

static void rate_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rate_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, fb_rate(rate_cases[i].bytes,
						  rate_cases[i].ns),
				    rate_cases[i].rate, "%llu bytes, %llu ns",
				    rate_cases[i].bytes, rate_cases[i].ns);
}

static void fit_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fit_cases); i++) {
		const struct fit_case *c = &fit_cases[i];
		struct fb_fit fit = { 0 };

		KUNIT_EXPECT_EQ_MSG(test, fb_fit_line(c->bytes, c->ns, c->n,
						      &fit),
				    c->ret, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, fit.fixed_ns, c->fit.fixed_ns, "%s",
				    c->name);
		KUNIT_EXPECT_EQ_MSG(test, fit.rate, c->fit.rate, "%s",
				    c->name);
	}
}

static struct kunit_case stats_cases[] = {
	KUNIT_CASE(stat_test),
	KUNIT_CASE(rate_test),
	KUNIT_CASE(fit_test),
	{}
};

static struct kunit_suite stats_suite = {
	.name = "flashbench_stats",
	.test_cases = stats_cases,
};

static void hash_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hash_cases); i++)
		KUNIT_EXPECT_EQ(test, fb_hash(hash_cases[i].x),
				hash_cases[i].hash);
}

/* Every element exactly once */
static void permute_test(struct kunit *test)
{
	u8 *seen = kunit_kzalloc(test, 1 << 17, GFP_KERNEL);
	size_t k;
	u64 i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, seen);
	for (k = 0; k < ARRAY_SIZE(permute_sizes); k++) {
		u64 n = permute_sizes[k], twice = 0;

		if (n > 1 << 17)
			continue;
		memset(seen, 0, n);
		for (i = 0; i < n; i++) {
			u64 at = fb_permute(n, k, i);

			KUNIT_ASSERT_LT(test, at, n);
			twice += seen[at];
			seen[at] = 1;
		}
		KUNIT_EXPECT_EQ_MSG(test, twice, 0ULL, "of %llu", n);
	}
}

/* Any length, and not a byte beyond it */
static void fill_test(struct kunit *test)
{
	u8 whole[40], part[41];
	size_t len;

	fb_fill_random(whole, sizeof(whole), 1);
	for (len = 0; len <= sizeof(whole); len++) {
		memset(part, 0xa5, sizeof(part));
		fb_fill_random(part, len, 1);
		KUNIT_EXPECT_EQ(test, memcmp(part, whole, len), 0);
		KUNIT_EXPECT_EQ(test, (int)part[len], 0xa5);
	}
}

static struct kunit_case order_cases[] = {
	KUNIT_CASE(hash_test),
	KUNIT_CASE(permute_test),
	KUNIT_CASE(fill_test),
	{}
};

static struct kunit_suite order_suite = {
	.name = "flashbench_order",
	.test_cases = order_cases,
};

static void run_line_test(struct kunit *test)
{
	char *reason = kunit_kzalloc(test, FB_REASON_LEN, GFP_KERNEL);
	char *text = kunit_kzalloc(test, FB_LINE_LEN, GFP_KERNEL);
	struct fb_params p;
	size_t i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, reason);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	for (i = 0; i < ARRAY_SIZE(run_cases); i++) {
		const struct run_case *c = &run_cases[i];
		int ret = fb_params_parse(c->line, &p, reason);

		KUNIT_EXPECT_EQ_MSG(test, ret, c->ret, "'%s'", c->line);
		if (ret) {
			/* only its start is in the table */
			reason[strlen(c->text)] = '\0';
			KUNIT_EXPECT_STREQ(test, reason, c->text);
			continue;
		}
		fb_params_text(&p, text, FB_LINE_LEN);
		KUNIT_EXPECT_STREQ(test, text, c->text);
	}
}

static void guard_test(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(guard_cases); i++) {
		const struct guard_case *c = &guard_cases[i];
		struct fb_op op = {
			.opcode = c->opcode,
			.offset = c->offset,
			.length = c->length,
		};

		KUNIT_EXPECT_EQ_MSG(test, fb_guard_check(&c->guard, &op),
				    c->ret, "%s", c->name);
	}
}

/* One plan of each test on a target of 1 GiB: its cost is what it says */
static void plan_test(struct kunit *test)
{
	struct fb_plan *plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	char *reason = kunit_kzalloc(test, FB_REASON_LEN, GFP_KERNEL);
	struct fb_geo geo = {
		.range_len = 1 << 30,
		.logical_block = 512,
	};
	struct fb_guard guard = {
		.armed = true,
		.len = 1 << 30,
		.logical_block = 512,
	};
	struct fb_params p;
	struct fb_cursor c;
	struct fb_op op;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, plan);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, reason);
	for (i = 0; i < fb_nr_tests; i++) {
		u64 ios = 0, timed = 0;

		KUNIT_ASSERT_EQ(test, fb_params_parse(fb_tests[i]->name, &p,
						      reason), 0);
		KUNIT_ASSERT_EQ(test, fb_plan_check(plan, &p, &geo, reason), 0);
		KUNIT_ASSERT_EQ(test, fb_plan_fit(plan, reason), 0);
		fb_cursor_init(&c);
		while (fb_cursor_next(plan, &c, &op)) {
			KUNIT_ASSERT_EQ(test, fb_guard_check(&guard, &op), 0);
			ios++;
			timed += op.timed;
		}
		/* without a schedule it is an estimate */
		if (fb_tests[i]->adaptive) {
			KUNIT_EXPECT_EQ(test, ios, 0);
			continue;
		}
		KUNIT_EXPECT_EQ(test, ios, plan->total.ios);
		KUNIT_EXPECT_EQ(test, timed, plan->nsamples);
	}
}

static struct kunit_case run_line_cases[] = {
	KUNIT_CASE(run_line_test),
	KUNIT_CASE(guard_test),
	KUNIT_CASE(plan_test),
	{}
};

static struct kunit_suite run_line_suite = {
	.name = "flashbench_run",
	.test_cases = run_line_cases,
};

/* What the inference says of a card of a few lines, asked for @only */
static void infer(struct kunit *test, struct card *c, bool writes, u32 only,
		  const char *const *lines, size_t n)
{
	struct fb_probe p = {
		.ask = card_ask, .ctx = c, .disk_size = c->size,
		.end = c->size, .logical_block = 512, .writes = writes,
		.max_collections = FB_MAX_COLLECTIONS, .only = only, .seed = 1,
	};
	struct fb_geometry *g = kvmalloc(fb_geometry_size(), GFP_KERNEL);
	char *line = kunit_kzalloc(test, FB_LINE_LEN, GFP_KERNEL);
	int ret, key;
	size_t i = 0;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, g);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, line);
	c->probe = &p;
	ret = fb_geometry_run(g, &p);
	KUNIT_EXPECT_EQ(test, ret, c->budget == U64_MAX ? 0 : c->error);
	KUNIT_EXPECT_TRUE_MSG(test, !c->fault, "%s", c->fault);
	KUNIT_EXPECT_EQ(test, !!c->writes, writes);
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		if (!fb_geometry_line(g, key, line, FB_LINE_LEN))
			continue;
		KUNIT_EXPECT_LT(test, i, n);
		if (i < n)
			KUNIT_EXPECT_TRUE_MSG(test, !strncmp(line, lines[i],
							     strlen(lines[i])),
					      "'%s', not '%s'", line, lines[i]);
		i++;
	}
	KUNIT_EXPECT_EQ(test, i, n);
	kvfree(g);
}

#define READ_KEYS	(BIT(FB_ERASE_BLOCK) | BIT(FB_SUPER_PAGE) | \
			 BIT(FB_PAGE) | BIT(FB_UNWRITTEN))

static void infer_reads_test(struct kunit *test)
{
	static const char *const usual[] = {
		"erase_block\t2097152\tlikely\t949\tread\t",
		"super_page\t16384\tlikely\t900\tread\t",
		"page\t4096\tlikely\t900\tread\t",
		"unwritten\t0/64\tlikely\t900\tread\t",
	};
	static const char *const three[] = {
		"erase_block\t1572864\tlikely\t949\tread\t",
		"super_page\t24576\tlikely\t",
		"page\t-\tunknown\t",
		"unwritten\t0/64\tlikely\t",
	};
	static const char *const none[] = {
		"erase_block\t-\tunknown\t0\tread\tno step",
		"super_page\t-\tunknown\t",
		"page\t-\tunknown\t",
		"unwritten\t-\tunknown\t",
	};
	struct card c = plain;

	infer(test, &c, false, READ_KEYS, usual, ARRAY_SIZE(usual));
	c = plain;
	c.erase = 1536 * KIB;
	c.super = 24 * KIB;
	c.page = 0;
	infer(test, &c, false, READ_KEYS, three, ARRAY_SIZE(three));
	c = plain;
	c.erase = 0;
	c.super = 1;	/* crossed by all reads */
	c.page = 0;
	infer(test, &c, false, READ_KEYS, none, ARRAY_SIZE(none));
}

static void infer_writes_test(struct kunit *test)
{
	static const char *const lines[] = {
		"erase_block\t2097152\tlikely\t949\tread\t",
		"open_linear\tno_limit\tlikely\t",
		"mapping\tflat\tlikely\t",
	};
	struct card c = plain;

	infer(test, &c, true, BIT(FB_ERASE_BLOCK) | BIT(FB_OPEN_LINEAR) |
	      BIT(FB_MAPPING), lines, ARRAY_SIZE(lines));
}

static void infer_budget_test(struct kunit *test)
{
	static const char *const lines[] = {
		"erase_block\t-\tunknown\t0\t-\ta budget ended first",
		"page\t-\tunknown\t0\t-\ta budget ended first",
	};
	struct card c = plain;

	c.budget = 100;
	c.error = -EDQUOT;
	infer(test, &c, false, BIT(FB_ERASE_BLOCK) | BIT(FB_PAGE), lines,
	      ARRAY_SIZE(lines));
}

static struct kunit_case infer_cases[] = {
	KUNIT_CASE(infer_reads_test),
	KUNIT_CASE(infer_writes_test),
	KUNIT_CASE(infer_budget_test),
	{}
};

static struct kunit_suite infer_suite = {
	.name = "flashbench_geometry",
	.test_cases = infer_cases,
};

kunit_test_suites(&text_suite, &stats_suite, &order_suite, &run_line_suite,
		  &infer_suite);
