// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c: sizes, times and rates.
 */
#include "cases.h"
#include "tap.h"

#define UNTOUCHED	0x5a5a5a5a5a5a5a5aULL

typedef int (*parser)(const char *s, u64 *val);

/* A number also after an error: then it must be the old one */
static void check_parser(const char *name, parser parse,
			 const struct parse_case *c, int ret)
{
	u64 want = ret ? UNTOUCHED : c->val;
	u64 val = UNTOUCHED;
	int got = parse(c->text, &val);

	if (!tap_ok(got == ret && val == want, "%s '%s'", name,
		    tap_quote(c->text)))
		tap_diag("got %d, %llu; want %d, %llu", got, val, ret, want);
}

static void test_parse_range(const struct range_case *c)
{
	u64 start = UNTOUCHED, len = UNTOUCHED;
	int ret = fb_parse_range(c->text, &start, &len);
	bool same = c->ret ? start == UNTOUCHED && len == UNTOUCHED :
			     start == c->start && len == c->len;

	if (!tap_ok(ret == c->ret && same, "fb_parse_range '%s'",
		    tap_quote(c->text)))
		tap_diag("got %d, %llu, %llu", ret, start, len);
}

/* What has a byte too many behind it is never a size, whatever the byte */
static void test_every_tail(void)
{
	char text[8] = "4096";
	bool size_ok = true, number_ok = true;
	u64 val;
	int c;

	for (c = 1; c < 256; c++) {
		bool digit = c >= '0' && c <= '9';

		text[4] = c;
		number_ok &= !fb_parse_u64(text, &val) == digit;
		size_ok &= !fb_parse_size(text, &val) ==
			   (digit || strchr("kmgKMG", c));
	}
	tap_ok(number_ok, "fb_parse_u64 4096 and each other byte");
	tap_ok(size_ok, "fb_parse_size 4096 and each other byte");
}

static void test_parsing(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(number_cases); i++) {
		const struct parse_case *c = &number_cases[i];

		check_parser("fb_parse_u64", fb_parse_u64, c, c->ret);
		check_parser("fb_parse_size", fb_parse_size, c, c->ret);
	}
	for (i = 0; i < ARRAY_SIZE(size_cases); i++) {
		const struct parse_case *c = &size_cases[i];

		check_parser("fb_parse_size", fb_parse_size, c, c->ret);
		check_parser("fb_parse_u64", fb_parse_u64, c, -EINVAL);
	}
	for (i = 0; i < ARRAY_SIZE(range_cases); i++)
		test_parse_range(&range_cases[i]);
	for (i = 0; i < ARRAY_SIZE(name_cases); i++)
		tap_ok(fb_same_name(name_cases[i].a, name_cases[i].b) ==
		       name_cases[i].same, "fb_same_name '%s' '%s'",
		       name_cases[i].a, name_cases[i].b);
	test_every_tail();
}

static void check_text(const char *name, const char *got, int len,
		       const char *want)
{
	if (!tap_ok(!strcmp(got, want) && len == (int)strlen(want),
		    "%s %s", name, want))
		tap_diag("got %s, length %d", got, len);
}

static void test_format_tables(void)
{
	char buf[FB_TEXT_LEN];
	size_t i;
	int len;

	for (i = 0; i < ARRAY_SIZE(size_texts); i++) {
		len = fb_format_size(buf, sizeof(buf), size_texts[i].bytes);
		check_text("fb_format_size", buf, len, size_texts[i].text);
	}
	for (i = 0; i < ARRAY_SIZE(time_texts); i++) {
		len = fb_format_time(buf, sizeof(buf), time_texts[i].ns);
		check_text("fb_format_time", buf, len, time_texts[i].text);
	}
	for (i = 0; i < ARRAY_SIZE(rate_texts); i++) {
		len = fb_format_rate(buf, sizeof(buf),
				     rate_texts[i].bytes_per_s);
		check_text("fb_format_rate", buf, len, rate_texts[i].text);
	}
}

/* scnprintf() semantics: what fits, NUL-terminated, and its length */
static void test_short_buffers(void)
{
	bool ok = true;
	size_t size;

	for (size = 0; size < 12; size++) {
		char buf[3][16];
		size_t room = size ? size - 1 : 0;
		int i, len[3];

		memset(buf, '!', sizeof(buf));
		len[0] = fb_format_size(buf[0], size, 1572864);
		len[1] = fb_format_time(buf[1], size, -1500000);
		len[2] = fb_format_rate(buf[2], size, 5950000);
		for (i = 0; i < 3; i++) {
			static const char *const whole[] = {
				"1.5MiB", "-1.5ms", "5.95M/s"
			};
			size_t want = min(room, strlen(whole[i]));

			ok &= len[i] == (int)want;
			ok &= !memcmp(buf[i], whole[i], want);
			ok &= buf[i][want] == (size ? '\0' : '!');
			ok &= buf[i][want + 1] == '!';
		}
	}
	tap_ok(ok, "the formatters stop at the end of the buffer");
}

/*
 * Independent of the code: what is printed is within half a unit of the third
 * digit, has at most three digits below 1000 s, no trailing zero, and the
 * largest unit that leaves a digit before the point.
 */
static bool time_text_right(u64 ns)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {
		{ "ns", 1 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }
	};
	char buf[FB_TEXT_LEN], *end;
	double value, ulp = 1, printed;
	size_t i, digits;

	fb_format_time(buf, sizeof(buf), ns);
	value = strtod(buf, &end);
	for (i = 0; i < ARRAY_SIZE(unit); i++)
		if (!strcmp(end, unit[i].name))
			break;
	if (i == ARRAY_SIZE(unit))
		return false;
	printed = value * unit[i].ns;
	while (ns / ulp >= 1000 && ulp < 1e9)
		ulp *= 10;
	digits = strspn(buf, "0123456789.");
	if (memchr(buf, '.', digits) &&
	    (buf[digits - 1] == '0' || buf[digits - 1] == '.' || digits > 4))
		return false;
	if (value >= 1000 && i != ARRAY_SIZE(unit) - 1)
		return false;
	if (ns && value < 1)
		return false;
	/* and what a double loses on the way */
	ulp += ns / 1e12;
	return printed - ns <= ulp / 2 && ns - printed <= ulp / 2;
}

static void test_format_many(void)
{
	bool near = true, scattered = true;
	u64 edge, ns;
	int i;

	for (edge = 1; edge < 1000000000000000ULL; edge *= 10)
		for (ns = edge > 2000 ? edge - 2000 : 0; ns <= edge + 2000;
		     ns++)
			near &= time_text_right(ns);
	tap_ok(near, "fb_format_time close to each power of ten");

	for (i = 0; i < 200000; i++)
		scattered &= time_text_right(fb_hash(i) >> (14 + i % 50));
	tap_ok(scattered, "fb_format_time 200000 scattered times");
}

/* Sizes are exact: they can be read back, unless they have a fraction */
static void test_size_round_trip(void)
{
	char buf[FB_TEXT_LEN];
	bool ok = true;
	int i;

	for (i = 0; i < 200000; i++) {
		u64 bytes = fb_hash(i) >> (i % 64) << (i % 41);
		u64 back = 0;
		char *end;

		fb_format_size(buf, sizeof(buf), bytes);
		back = strtoull(buf, &end, 10);
		if (*end == '.')	/* then few enough bits for a double */
			back = strtod(buf, &end) * 1024;
		else if (*end != 'B')
			back *= 1024;
		if (*end == 'M')
			back *= 1024;
		else if (*end == 'G')
			back *= 1024 * 1024;
		ok &= back == bytes;
	}
	tap_ok(ok, "fb_format_size is exact for 200000 sizes");
}

int main(void)
{
	test_parsing();
	test_format_tables();
	test_short_buffers();
	test_format_many();
	test_size_round_trip();
	return tap_done();
}
