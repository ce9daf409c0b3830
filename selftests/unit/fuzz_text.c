// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzing text.c: no input breaks a parser; what it takes, and only that, is
 * what a plain reading of it says; what is printed can be read back.
 */
#include "pure.h"

#define MUST(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "does not hold: %s\n", #condition);	\
		abort();						\
	}								\
} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As long as it is no number, has no sign and no blank, strtoull() agrees */
static void check_u64(const char *text)
{
	bool hex = text[0] == '0' && text[1] == 'x';
	const char *digits = hex ? text + 2 : text;
	size_t len = strspn(digits, hex ? "0123456789abcdefABCDEF" :
					  "0123456789");
	u64 val = 42, want;
	int ret = fb_parse_u64(text, &val);

	if (!len || digits[len]) {
		MUST(ret == -EINVAL && val == 42);
		return;
	}
	errno = 0;
	want = strtoull(digits, NULL, hex ? 16 : 10);
	if (errno == ERANGE)
		MUST(ret == -ERANGE && val == 42);
	else
		MUST(!ret && val == want);
}

/* A size is a number, and perhaps one of the suffixes */
static void check_size(const char *text, size_t len)
{
	static const struct {
		const char *text;
		unsigned int shift;
	} suffix[] = {
		{ "k", 10 }, { "K", 10 }, { "kiB", 10 }, { "KiB", 10 },
		{ "m", 20 }, { "M", 20 }, { "miB", 20 }, { "MiB", 20 },
		{ "g", 30 }, { "G", 30 }, { "giB", 30 }, { "GiB", 30 },
		{ "", 0 },
	};
	u64 val = 42, number = 0;
	int ret = fb_parse_size(text, &val), want;
	size_t i = 0, tail;
	char *copy;

	for (i = 0; i < ARRAY_SIZE(suffix); i++) {
		tail = strlen(suffix[i].text);
		if (tail <= len && !strcmp(text + len - tail, suffix[i].text))
			break;
	}
	copy = strndup(text, len - tail);
	want = fb_parse_u64(copy, &number);
	free(copy);
	if (!want && number > U64_MAX >> suffix[i].shift)
		want = -ERANGE;
	MUST(ret == want);
	MUST(val == (ret ? 42 : number << suffix[i].shift));
}

static void check_range(const char *text)
{
	u64 start = 42, len = 43, a, b;
	int ret = fb_parse_range(text, &start, &len);
	char *copy, *plus;

	if (ret) {
		MUST(ret == -EINVAL || ret == -ERANGE);
		MUST(start == 42 && len == 43);
		return;
	}
	MUST(len && start + len > start);
	copy = strdup(text);
	plus = strchr(copy, '+');
	*plus = '\0';
	MUST(!fb_parse_size(copy, &a) && a == start);
	MUST(!fb_parse_size(plus + 1, &b) && b == len);
	free(copy);
}

/* Numbers: any eight bytes */
static void check_formats(u64 v)
{
	char buf[FB_TEXT_LEN], more[FB_TEXT_LEN], plain[2 * FB_TEXT_LEN];
	u64 back;
	int len;

	len = fb_format_size(buf, sizeof(buf), v);
	MUST(len == (int)strlen(buf) && len < FB_TEXT_LEN - 1);
	if (buf[len - 2] != 'i')
		buf[len - 1] = '\0';	/* a plain number of bytes */
	if (!strchr(buf, '.'))
		MUST(!fb_parse_size(buf, &back) && back == v);

	len = fb_format_rate(buf, sizeof(buf), v);
	MUST(len == (int)strlen(buf) && len < FB_TEXT_LEN - 1);

	len = fb_format_time(buf, sizeof(buf), v);
	MUST(len == (int)strlen(buf) && len < FB_TEXT_LEN - 1);
	if (v && v != 1ULL << 63) {	/* the other sign, the same digits */
		fb_format_time(more, sizeof(more), -v);
		MUST(!strcmp(more + (*more == '-'), buf + (*buf == '-')));
		MUST((*more == '-') != (*buf == '-'));
	}

	snprintf(plain, sizeof(plain), "%llu", v);
	MUST(!fb_parse_u64(plain, &back) && back == v);
	snprintf(plain, sizeof(plain), "0x%llx", v);
	MUST(!fb_parse_size(plain, &back) && back == v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	char *half;
	u64 v = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	size = strlen(text);
	check_u64(text);
	check_size(text, size);
	check_range(text);
	MUST(fb_same_name(text, text));
	half = strchr(text, '+');
	if (half)
		MUST(fb_same_name(text, half) == fb_same_name(half, text));

	memcpy(&v, text, min(size, sizeof(v)));
	check_formats(v);
	check_formats(v >> (v & 63));
	free(text);
	return 0;
}
