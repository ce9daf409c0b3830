// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes, times and rates, to and from text.
 */
#include "pure.h"

static int digit_value(char c, unsigned int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (base == 16 && c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (base == 16 && c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * A number at *@s. Also when it overflows, *@s is left behind its last digit:
 * text that is no number at all is the worse fault and must be seen first.
 */
static int scan_u64(const char **s, u64 *val)
{
	const char *p = *s;
	unsigned int base = 10;
	bool overflow = false;
	u64 v = 0;
	int digit;

	if (p[0] == '0' && p[1] == 'x') {
		base = 16;
		p += 2;
	}
	if (digit_value(*p, base) < 0)
		return -EINVAL;
	while ((digit = digit_value(*p, base)) >= 0) {
		if (v > div_u64(U64_MAX - digit, base))
			overflow = true;
		v = v * base + digit;
		p++;
	}
	*s = p;
	*val = v;
	return overflow ? -ERANGE : 0;
}

static unsigned int scan_suffix(const char **s)
{
	const char *p = *s;
	unsigned int shift;

	switch (*p++) {
	case 'k':
	case 'K':
		shift = 10;
		break;
	case 'm':
	case 'M':
		shift = 20;
		break;
	case 'g':
	case 'G':
		shift = 30;
		break;
	default:
		return 0;
	}
	if (p[0] == 'i' && p[1] == 'B')
		p += 2;
	*s = p;
	return shift;
}

static int scan_size(const char **s, u64 *val)
{
	unsigned int shift;
	int ret;

	ret = scan_u64(s, val);
	if (ret == -EINVAL)
		return ret;
	shift = scan_suffix(s);
	if (*val > U64_MAX >> shift)
		return -ERANGE;
	*val <<= shift;
	return ret;
}

/**
 * fb_parse_u64() - a number from text
 * @s: decimal digits, or 0x and hexadecimal ones, and nothing else. A leading
 *	zero does not make it octal.
 * @val: where the number goes; unchanged on error
 *
 * Return: 0, -EINVAL if @s is something else, -ERANGE if it is too large.
 */
int fb_parse_u64(const char *s, u64 *val)
{
	u64 v;
	int ret;

	ret = scan_u64(&s, &v);
	if (ret == -EINVAL || *s)
		return -EINVAL;
	if (!ret)
		*val = v;
	return ret;
}

/**
 * fb_parse_size() - a number of bytes from text
 * @s: a number as for fb_parse_u64(), and perhaps K, M or G (in either case,
 *	alone or followed by "iB"): powers of 1024
 * @val: bytes; unchanged on error
 *
 * Return: 0, -EINVAL if @s is something else, -ERANGE if it is too large.
 */
int fb_parse_size(const char *s, u64 *val)
{
	u64 v;
	int ret;

	ret = scan_size(&s, &v);
	if (ret == -EINVAL || *s)
		return -EINVAL;
	if (!ret)
		*val = v;
	return ret;
}

/**
 * fb_parse_range() - OFFSET+LENGTH from text
 * @s: two sizes as for fb_parse_size(), with '+' between them
 * @start: the first one, bytes; unchanged on error
 * @len: the second one, bytes, never 0; unchanged on error
 *
 * Return: 0, -EINVAL if @s is something else or the length is 0, -ERANGE if a
 * size or the end of the range is too large.
 */
int fb_parse_range(const char *s, u64 *start, u64 *len)
{
	u64 first, bytes;
	int ret, err;

	ret = scan_size(&s, &first);
	if (ret == -EINVAL || *s++ != '+')
		return -EINVAL;
	err = fb_parse_size(s, &bytes);
	if (err == -EINVAL || (!err && !bytes))
		return -EINVAL;
	if (ret || err || bytes > U64_MAX - first)
		return -ERANGE;
	*start = first;
	*len = bytes;
	return 0;
}

/**
 * fb_same_name() - compare names of tests and keys
 * @a: a name
 * @b: another
 *
 * Return: whether they are equal when '-' and '_' are the same.
 */
bool fb_same_name(const char *a, const char *b)
{
	char x, y;

	do {
		x = *a == '_' ? '-' : *a;
		y = *b == '_' ? '-' : *b;
		a++;
		b++;
	} while (x == y && x);
	return x == y;
}

/**
 * fb_format_size() - bytes as text, exactly
 * @buf: where the text goes
 * @size: of @buf, FB_TEXT_LEN is enough
 * @bytes: what to print
 *
 * The unit is the largest in which @bytes is a whole number or has not more
 * than three digits. Those are few: a binary fraction of two decimals is a
 * number of quarters. So 1.5MiB and 1008KiB, but never a rounded size.
 *
 * Return: length of the text, as scnprintf() does.
 */
int fb_format_size(char *buf, size_t size, u64 bytes)
{
	static const char * const unit[] = { "KiB", "MiB", "GiB" };
	static const char * const fraction[] = { "", ".25", ".5", ".75" };
	int i;

	for (i = ARRAY_SIZE(unit) - 1; i >= 0; i--) {
		unsigned int shift = 10 * (i + 1);
		u64 whole = bytes >> shift;
		unsigned int quarters = (bytes >> (shift - 2)) & 3;

		if (!whole || bytes & ((1ULL << (shift - 2)) - 1))
			continue;
		if (quarters && whole >= (quarters == 2 ? 100 : 10))
			continue;
		return scnprintf(buf, size, "%llu%s%s", whole,
				 fraction[quarters], unit[i]);
	}
	return scnprintf(buf, size, "%lluB", bytes);
}

/* @v rounded to whole @div, half of it upwards */
static u64 div_round(u64 v, u64 div)
{
	u64 rem;

	v = div64_u64_rem(v, div, &rem);
	return rem >= div - rem ? v + 1 : v;
}

#define NR_UNITS	4

/*
 * Three significant digits of @v in the unit that leaves one to three of them
 * before the point; each unit is 1000 of the one before. The digits are
 * rounded before the unit is chosen, so that 999.5 becomes 1 of the next one.
 * What is beyond 999 of the last unit is a whole number of it.
 */
static int format_scaled(char *buf, size_t size, const char *sign, u64 v,
			 const char * const unit[NR_UNITS])
{
	u32 digits, exponent = 0, i, decimals;
	u64 div = 1;

	while (div64_u64(v, div) >= 1000) {
		div *= 10;
		exponent++;
	}
	digits = div_round(v, div);
	if (digits == 1000) {
		digits = 100;
		exponent++;
	}
	i = DIV_ROUND_UP(exponent, 3);
	if (i >= NR_UNITS)
		return scnprintf(buf, size, "%s%llu%s", sign,
				 div_round(v, 1000000000), unit[NR_UNITS - 1]);

	for (decimals = 3 * i - exponent; decimals && digits % 10 == 0; decimals--)
		digits /= 10;
	if (!decimals)
		return scnprintf(buf, size, "%s%u%s", sign, digits, unit[i]);
	div = decimals == 1 ? 10 : 100;
	return scnprintf(buf, size, "%s%u.%0*u%s", sign, digits / (u32)div,
			 (int)decimals, digits % (u32)div, unit[i]);
}

/**
 * fb_format_time() - a time as text
 * @buf: where the text goes
 * @size: of @buf, FB_TEXT_LEN is enough
 * @ns: nanoseconds; negative ones are scaled like positive ones
 *
 * Three significant digits without trailing zeros, in ns, µs, ms or s, and
 * whole seconds from 1000 s on.
 *
 * Return: length of the text in bytes (µ has two), as scnprintf() does.
 */
int fb_format_time(char *buf, size_t size, s64 ns)
{
	static const char * const unit[NR_UNITS] = { "ns", "µs", "ms", "s" };

	/* in unsigned arithmetic, because -S64_MIN is not a s64 */
	if (ns < 0)
		return format_scaled(buf, size, "-", -(u64)ns, unit);
	return format_scaled(buf, size, "", ns, unit);
}

/**
 * fb_format_rate() - a rate as text
 * @buf: where the text goes
 * @size: of @buf, FB_TEXT_LEN is enough
 * @bytes_per_s: bytes per second
 *
 * Three significant digits without trailing zeros, in B/s, K/s, M/s or G/s,
 * which are powers of 1000, and whole G/s from 1000 G/s on.
 *
 * Return: length of the text, as scnprintf() does.
 */
int fb_format_rate(char *buf, size_t size, u64 bytes_per_s)
{
	static const char * const unit[NR_UNITS] = {
		"B/s", "K/s", "M/s", "G/s"
	};

	return format_scaled(buf, size, "", bytes_per_s, unit);
}
