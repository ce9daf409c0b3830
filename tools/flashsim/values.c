// SPDX-License-Identifier: GPL-2.0-only
/*
 * The values in the description of a simulated card, to and from text.
 */
#include "keys.h"
#include "platform.h"

static const char * const word_noise[] = {
	"none", "uniform", "lognormal", NULL
};

/* A number with an optional K, M or G at *@s, which is moved behind it */
static int value_scaled(const char **s, u32 thousand, u64 *val)
{
	int steps = 0;

	if (fsim_parse_number(s, val))
		return -EINVAL;
	switch (**s) {
	case 'G':
		steps++;
		fallthrough;
	case 'M':
		steps++;
		fallthrough;
	case 'K':
	case 'k':
		steps++;
		++*s;
		if (thousand == 1024 && !strncmp(*s, "iB", 2))
			*s += 2;
	}
	for (; steps; steps--) {
		if (*val > div_u64(U64_MAX, thousand))
			return -EINVAL;
		*val *= thousand;
	}
	return 0;
}

static int value_store(const struct fsim_key *k, void *at, u64 v)
{
	if (v < k->min || v > k->max)
		return -ERANGE;
	if (k->size == sizeof(u32))
		*(u32 *)at = v;
	else
		*(u64 *)at = v;
	return 0;
}

static int value_scalar(const struct fsim_key *k, void *at, const char *s)
{
	u64 v;

	switch (k->kind) {
	case FSIM_KEY_SIZE:
		if (value_scaled(&s, 1024, &v) || *s)
			return -EINVAL;
		break;
	case FSIM_KEY_RATE:
		if (value_scaled(&s, 1000, &v) || *s)
			return -EINVAL;
		break;
	case FSIM_KEY_TIME:
		if (fsim_parse_time(s, &v))
			return -EINVAL;
		break;
	default:
		if (fsim_parse_number(&s, &v) || *s)
			return -EINVAL;
	}
	return value_store(k, at, v);
}

static int value_stime(const char *s, u64 max, s64 *ns)
{
	bool minus = *s == '-';
	u64 v;

	if (*s == '-' || *s == '+')
		s++;
	if (fsim_parse_time(s, &v))
		return -EINVAL;
	if (v > max)
		return -ERANGE;
	*ns = minus ? -(s64)v : (s64)v;
	return 0;
}

/* The part of *@s up to ':' into @buf; moves *@s behind it, to NULL at last */
static int value_split(const char **s, char *buf, size_t size)
{
	const char *colon = strchr(*s, ':');
	size_t len = colon ? (size_t)(colon - *s) : strlen(*s);

	if (!len || len >= size)
		return -EINVAL;
	memcpy(buf, *s, len);
	buf[len] = '\0';
	*s = colon ? colon + 1 : NULL;
	return 0;
}

static int value_times(struct ftl_config *ftl, const char *s)
{
	char buf[32];

	for (ftl->npattern = 0; s; ftl->npattern++) {
		if (ftl->npattern == FTL_MAX_PATTERN)
			return -ERANGE;
		if (value_split(&s, buf, sizeof(buf)) ||
		    value_stime(buf, 1ULL << 40, &ftl->pattern[ftl->npattern]))
			return -EINVAL;
	}
	return 0;
}

static int value_word(const char * const *words, const char *s, size_t len,
		      u32 *word)
{
	u32 i;

	for (i = 0; words[i]; i++) {
		if (strlen(words[i]) == len && !strncmp(words[i], s, len)) {
			*word = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int value_noise(struct ftl_config *ftl, const char *s)
{
	const char *colon = strchr(s, ':');
	size_t len = colon ? (size_t)(colon - s) : strlen(s);
	u64 pm = 0;

	if (value_word(word_noise, s, len, &ftl->noise) ||
	    !colon == !!ftl->noise)
		return -EINVAL;
	if (colon) {
		s = colon + 1;
		if (fsim_parse_number(&s, &pm) || *s)
			return -EINVAL;
	}
	if (pm > 1000)
		return -ERANGE;
	ftl->noise_pm = pm;
	return 0;
}

static int value_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static int value_hex(const struct fsim_key *k, struct fsim_reg *reg, const char *s)
{
	int high, low;

	for (reg->len = 0; *s && reg->len < k->size; reg->len++, s += 2) {
		high = value_digit(s[0]);
		low = high < 0 ? -1 : value_digit(s[1]);
		if (low < 0)
			return -EINVAL;
		reg->byte[reg->len] = high << 4 | low;
	}
	return *s || reg->len != k->size ? -EINVAL : 0;
}

static int value_blocks(struct ftl_config *ftl, const char *s)
{
	struct ftl_range *r = ftl->fat;
	const char *p;
	char buf[32];

	ftl->nfat = 0;
	if (!strcmp(s, "none"))
		return 0;
	for (; s; r++, ftl->nfat++) {
		if (ftl->nfat == FTL_MAX_RANGES)
			return -ERANGE;
		p = buf;
		if (value_split(&s, buf, sizeof(buf)) ||
		    fsim_parse_number(&p, &r->start))
			return -EINVAL;
		r->len = 1;
		if (*p == '-') {
			p++;
			if (fsim_parse_number(&p, &r->len) || r->len < r->start)
				return -EINVAL;
			r->len += 1 - r->start;
		}
		if (*p)
			return -EINVAL;
	}
	return 0;
}

static int value_ranges(struct ftl_config *ftl, const char *s)
{
	struct ftl_range *r = ftl->written;
	const char *p;
	char buf[48];

	ftl->nwritten = 0;
	if (!strcmp(s, "none"))
		return 0;
	if (!strcmp(s, "all")) {
		*r = (struct ftl_range) { 0, U64_MAX };
		ftl->nwritten = 1;
		return 0;
	}
	for (; s; r++, ftl->nwritten++) {
		if (ftl->nwritten == FTL_MAX_RANGES)
			return -ERANGE;
		p = buf;
		if (value_split(&s, buf, sizeof(buf)) ||
		    value_scaled(&p, 1024, &r->start) || *p++ != '+' ||
		    value_scaled(&p, 1024, &r->len) || *p)
			return -EINVAL;
	}
	return 0;
}

/**
 * fsim_value_parse() - the value of a key
 * @k: the key
 * @cfg: gets it
 * @s: text
 *
 * Return: 0, -EINVAL if it is none, -ERANGE if it is too small or too large.
 */
int fsim_value_parse(const struct fsim_key *k, struct fsim_config *cfg,
		     const char *s)
{
	void *at = (char *)cfg + k->offset;

	switch (k->kind) {
	case FSIM_KEY_STIME:
		return value_stime(s, k->max, at);
	case FSIM_KEY_TIMES:
		return value_times(&cfg->ftl, s);
	case FSIM_KEY_WORD:
		return value_word(k->words, s, strlen(s), at);
	case FSIM_KEY_NOISE:
		return value_noise(&cfg->ftl, s);
	case FSIM_KEY_HEX:
		return value_hex(k, at, s);
	case FSIM_KEY_BLOCKS:
		return value_blocks(&cfg->ftl, s);
	case FSIM_KEY_RANGES:
		return value_ranges(&cfg->ftl, s);
	case FSIM_KEY_FAULTS:
		return fsim_faults_add(&cfg->faults, s);
	default:
		return value_scalar(k, at, s);
	}
}

static int show_ranges(const struct ftl_range *r, u32 n, bool blocks,
		       char *buf, size_t size)
{
	int len = 0;
	u32 i;

	if (!n)
		return scnprintf(buf, size, "none");
	if (!blocks && r->len == U64_MAX)
		return scnprintf(buf, size, "all");
	for (i = 0; i < n; i++, r++)
		len += scnprintf(buf + len, size - len, blocks ?
				 "%s%llu-%llu" : "%s%llu+%llu", i ? ":" : "",
				 r->start, blocks ? r->start + r->len - 1 :
						    r->len);
	return len;
}

/**
 * fsim_value_text() - the value of a key, as fsim_value_parse() takes it
 * @k: the key
 * @cfg: where it is
 * @buf: gets it
 * @size: of @buf
 *
 * Return: the length of the text; 0 if there is nothing to show.
 */
int fsim_value_text(const struct fsim_key *k, const struct fsim_config *cfg,
		    char *buf, size_t size)
{
	const void *at = (const char *)cfg + k->offset;
	const struct fsim_reg *reg = at;
	const struct ftl_config *ftl = &cfg->ftl;
	int len = 0;
	u32 i;

	switch (k->kind) {
	case FSIM_KEY_STIME:
		return scnprintf(buf, size, "%lld", *(const s64 *)at);
	case FSIM_KEY_TIMES:
		for (i = 0; i < ftl->npattern; i++)
			len += scnprintf(buf + len, size - len, "%s%lld",
					 i ? ":" : "", ftl->pattern[i]);
		return len;
	case FSIM_KEY_WORD:
		return scnprintf(buf, size, "%s", k->words[*(const u32 *)at]);
	case FSIM_KEY_NOISE:
		if (!ftl->noise)
			return scnprintf(buf, size, "none");
		return scnprintf(buf, size, "%s:%u", word_noise[ftl->noise],
				 ftl->noise_pm);
	case FSIM_KEY_HEX:
		for (i = 0; i < reg->len; i++)
			len += scnprintf(buf + len, size - len, "%02x",
					 reg->byte[i]);
		return len;
	case FSIM_KEY_BLOCKS:
		return show_ranges(ftl->fat, ftl->nfat, true, buf, size);
	case FSIM_KEY_RANGES:
		return show_ranges(ftl->written, ftl->nwritten, false, buf,
				   size);
	case FSIM_KEY_FAULTS:
		return 0;	/* these change: see the file of their own */
	default:
		return scnprintf(buf, size, "%llu", k->size == sizeof(u32) ?
				 *(const u32 *)at : *(const u64 *)at);
	}
}

/**
 * fsim_value_wants() - what a value must look like
 * @k: the key
 *
 * Return: a phrase for an error message.
 */
const char *fsim_value_wants(const struct fsim_key *k)
{
	switch (k->kind) {
	case FSIM_KEY_SIZE:
		return "a size: bytes, or with K, M, G";
	case FSIM_KEY_RATE:
		return "bytes per second, below 2^32";
	case FSIM_KEY_TIME:
		return "a time: ns, or with us, ms, s";
	case FSIM_KEY_STIME:
		return "a time, perhaps negative: ns, or with us, ms, s";
	case FSIM_KEY_TIMES:
		return "1 to 16 times, separated by ':'";
	case FSIM_KEY_WORD:
		return "not one of its words";
	case FSIM_KEY_NOISE:
		return "none, uniform:PERMILLE or lognormal:PERMILLE";
	case FSIM_KEY_HEX:
		return "the whole register in hexadecimal";
	case FSIM_KEY_BLOCKS:
		return "none, or at most 8 of N or A-B, separated by ':'";
	case FSIM_KEY_RANGES:
		return "all, none, or at most 8 of OFFSET+LENGTH, with ':'";
	case FSIM_KEY_FAULTS:
		return "ACTION[:OP]@SECTOR[-SECTOR] or #N, [=TIME][*TIMES]";
	default:
		return "a number";
	}
}
