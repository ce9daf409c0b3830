// SPDX-License-Identifier: GPL-2.0-only
/*
 * The run line: TEST [KEY=VALUE | FLAG]..., to parameters and back.
 *
 * Pure: see include/pure.h.
 */
#include "geometry.h"

enum fb_kind { FB_SIZE, FB_NUMBER, FB_FLAG, FB_NAME, FB_LIST };

#define FB_ALL_VERDICTS	(BIT(FB_NR_VERDICTS) - 1)

/**
 * struct fb_keydef - one key of the run line
 * @name: its name; '-' and '_' are the same
 * @kind: how its value is written
 * @min: smallest value allowed
 * @max: largest value allowed
 * @def: default, where the test does not have its own
 */
struct fb_keydef {
	const char *name;
	enum fb_kind kind;
	u64 min;
	u64 max;
	u64 def;
};

static const struct fb_keydef fb_keys[FB_NR_KEYS] = {
	[FB_KEY_BLOCKSIZE] = { "blocksize", FB_SIZE, 512, FB_MAX_LEN, 16384 },
	[FB_KEY_COUNT] = { "count", FB_NUMBER, 1, 1000000, 8 },
	[FB_KEY_OFFSET] = { "offset", FB_SIZE, 0, FB_OFFSET_AUTO - 1,
			    FB_OFFSET_AUTO },
	[FB_KEY_OPEN_AU_NR] = { "open-au-nr", FB_NUMBER, 1, 4096,
				FB_AU_DEFAULT },
	[FB_KEY_FAT_NR] = { "fat-nr", FB_NUMBER, 1, FB_MAX_COLUMNS, 6 },
	[FB_KEY_ERASESIZE] = { "erasesize", FB_SIZE, 512, FB_MAX_LEN,
			       4 << 20 },
	[FB_KEY_RANDOM] = { "random", FB_FLAG, 0, 1, 0 },
	[FB_KEY_SCATTER_ORDER] = { "scatter-order", FB_NUMBER, 0, 20, 9 },
	[FB_KEY_SCATTER_SPAN] = { "scatter-span", FB_NUMBER, 1, 131072, 1 },
	[FB_KEY_INTERVAL_ORDER] = { "interval-order", FB_NUMBER, 1, 18, 12 },
	[FB_KEY_OLD_SCHEDULE] = { "old-schedule", FB_FLAG, 0, 1, 0 },
	[FB_KEY_ONLY] = { "only", FB_LIST, 1, FB_ALL_VERDICTS,
			  FB_ALL_VERDICTS },
	[FB_KEY_MAX_COLLECTIONS] = { "max-collections", FB_NUMBER, 0, 1000000,
				     FB_MAX_COLLECTIONS },
	[FB_KEY_SCAN] = { "scan", FB_FLAG, 0, 1, 0 },
	[FB_KEY_PATTERN] = { "pattern", FB_NAME, FB_PATTERN_RANDOM,
			     FB_PATTERN_ONE, FB_PATTERN_RANDOM },
	[FB_KEY_FUA] = { "fua", FB_FLAG, 0, 1, 0 },
	[FB_KEY_FLUSH] = { "flush", FB_FLAG, 0, 1, 0 },
	[FB_KEY_NOCLOSE] = { "noclose", FB_FLAG, 0, 1, 0 },
	[FB_KEY_DISCARD] = { "discard", FB_FLAG, 0, 1, 0 },
	[FB_KEY_SEED] = { "seed", FB_NUMBER, 0, ~0ULL, 1 },
	[FB_KEY_MAX_TIME] = { "max-time", FB_NUMBER, 0, 1000000000, 0 },
	[FB_KEY_MAX_WRITE] = { "max-write", FB_SIZE, 0, ~0ULL, 0 },
	[FB_KEY_DIAG] = { "diag", FB_FLAG, 0, 1, 0 },
	[FB_KEY_DRYRUN] = { "dryrun", FB_FLAG, 0, 1, 0 },
};

static const char *const fb_patterns[] = {
	[FB_PATTERN_RANDOM] = "random",
	[FB_PATTERN_ZERO] = "zero",
	[FB_PATTERN_ONE] = "one",
};

static u64 fb_default(const struct fb_test *t, enum fb_key key)
{
	if (key == FB_KEY_COUNT)
		return t->count;
	if (key == FB_KEY_ERASESIZE && t->erasesize_optional)
		return 0;
	return fb_keys[key].def;
}

static bool fb_takes(const struct fb_test *t, unsigned int key)
{
	return t->keys & BIT(key);
}

static int fb_parse_pattern(const char *value, u64 *val)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fb_patterns); i++) {
		if (!strcmp(value, fb_patterns[i])) {
			*val = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int fb_verdict_find(const char *name)
{
	int key;

	for (key = 0; key < FB_NR_VERDICTS; key++)
		if (fb_same_name(name, fb_verdict_names[key]))
			return key;
	return -ENOENT;
}

/* Names of verdicts with commas between them, to a mask */
static int fb_parse_list(const char *value, u64 *val)
{
	char name[FB_TEXT_LEN];
	size_t len;
	int key;

	*val = FB_ALL_VERDICTS;
	if (!strcmp(value, "all"))
		return 0;
	*val = 0;
	for (;; value += len + 1) {
		len = strcspn(value, ",");
		if (len >= sizeof(name))
			return -EINVAL;
		memcpy(name, value, len);
		name[len] = '\0';
		key = fb_verdict_find(name);
		if (key < 0 || *val & BIT(key))
			return -EINVAL;
		*val |= BIT(key);
		if (!value[len])
			return 0;
	}
}

static int fb_list_text(u64 val, char *buf, size_t size)
{
	int key, len = 0;

	if (val == FB_ALL_VERDICTS)
		return scnprintf(buf, size, "all");
	for (key = 0; key < FB_NR_VERDICTS; key++)
		if (val & BIT(key))
			len += scnprintf(buf + len, size - len, "%s%s",
					 len ? "," : "", fb_verdict_names[key]);
	return len;
}

static int fb_find_key(const struct fb_test *t, const char *name)
{
	int key;

	for (key = 0; key < FB_NR_KEYS; key++)
		if (fb_takes(t, key) && fb_same_name(name, fb_keys[key].name))
			return key;
	return -ENOENT;
}

static void fb_bad_value(const struct fb_test *t, enum fb_key key,
			 const char *value, char *reason)
{
	const struct fb_keydef *k = &fb_keys[key];
	static const char *const what[] = {
		[FB_SIZE] = "a size in bytes (suffix K, M, G, or 0x...)",
		[FB_NUMBER] = "a number",
		[FB_FLAG] = "0 or 1, or no value at all",
		[FB_NAME] = "random, zero or one",
		[FB_LIST] = "all, or a list of different verdicts like erase_block,page",
	};

	if (k->kind == FB_FLAG || k->kind == FB_NAME || k->kind == FB_LIST)
		snprintf(reason, FB_REASON_LEN, "%s: \"%s\" is not %s",
			 k->name, value, what[k->kind]);
	else
		snprintf(reason, FB_REASON_LEN,
			 "%s: \"%s\" is not %s from %llu to %llu%s", k->name,
			 value, what[k->kind], k->min, k->max,
			 key == FB_KEY_OPEN_AU_NR ? ", or auto" :
			 k->min && !fb_default(t, key) ? ", or 0" : "");
}

static int fb_parse_value(const struct fb_test *t, enum fb_key key,
			  const char *value, u64 *val)
{
	const struct fb_keydef *k = &fb_keys[key];
	int ret = -EINVAL;

	if (key == FB_KEY_OPEN_AU_NR && !strcmp(value, "auto")) {
		*val = FB_AU_AUTO;
		return 0;
	}
	switch (k->kind) {
	case FB_SIZE:
		ret = fb_parse_size(value, val);
		break;
	case FB_NUMBER:
	case FB_FLAG:
		ret = fb_parse_u64(value, val);
		break;
	case FB_NAME:
		ret = fb_parse_pattern(value, val);
		break;
	case FB_LIST:
		ret = fb_parse_list(value, val);
		break;
	}
	if (ret)
		return ret;
	/* a key whose default is 0 can be given as 0, whatever its minimum */
	if (!*val && !fb_default(t, key))
		return 0;
	return *val < k->min || *val > k->max ? -ERANGE : 0;
}

static int fb_parse_token(struct fb_params *p, u32 *seen, char *token,
			  char *reason)
{
	char *value = strchr(token, '=');
	int key;

	if (value)
		*value++ = '\0';
	key = fb_find_key(p->test, token);
	if (key < 0) {
		snprintf(reason, FB_REASON_LEN,
			 "%s: %s has no such key; see the file tests",
			 *token ? token : "=", p->test->name);
		return -EINVAL;
	}
	if (*seen & BIT(key)) {
		snprintf(reason, FB_REASON_LEN, "%s: given twice",
			 fb_keys[key].name);
		return -EINVAL;
	}
	*seen |= 1u << key;
	if (!value && fb_keys[key].kind != FB_FLAG) {
		snprintf(reason, FB_REASON_LEN, "%s: needs a value, %s=...",
			 fb_keys[key].name, fb_keys[key].name);
		return -EINVAL;
	}
	if (!value) {
		p->val[key] = 1;
		return 0;
	}
	if (fb_parse_value(p->test, key, value, &p->val[key])) {
		fb_bad_value(p->test, key, value, reason);
		return -EINVAL;
	}
	return 0;
}

/* The next blank-separated word of *@s, or NULL */
static char *fb_word(char **s)
{
	char *start;

	while (**s == ' ' || **s == '\t')
		(*s)++;
	if (!**s)
		return NULL;
	start = *s;
	while (**s && **s != ' ' && **s != '\t')
		(*s)++;
	if (**s)
		*(*s)++ = '\0';
	return start;
}

static int fb_parse_words(char *rest, struct fb_params *p, char *reason)
{
	char *word = fb_word(&rest);
	u32 seen = 0;
	int key, ret;

	if (!word) {
		snprintf(reason, FB_REASON_LEN,
			 "empty: want TEST [KEY=VALUE | FLAG]...; see the file tests");
		return -EINVAL;
	}
	p->test = fb_test_find(word);
	if (!p->test) {
		snprintf(reason, FB_REASON_LEN,
			 "%s: no such test; see the file tests", word);
		return -EINVAL;
	}
	for (key = 0; key < FB_NR_KEYS; key++)
		p->val[key] = fb_takes(p->test, key) ?
			fb_default(p->test, key) : 0;

	while ((word = fb_word(&rest))) {
		ret = fb_parse_token(p, &seen, word, reason);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * fb_params_parse() - parse a run line
 * @line: TEST [KEY=VALUE | FLAG]..., NUL-terminated, without a newline
 * @p: where the parameters go; undefined after an error
 * @reason: %FB_REASON_LEN bytes; what is wrong and what would be right
 *
 * Values are checked against what each key can be on any device; what depends
 * on the target is fb_plan_check()'s.
 *
 * Return: 0 or -EINVAL.
 */
int fb_params_parse(const char *line, struct fb_params *p, char *reason)
{
	char copy[FB_LINE_LEN];
	size_t i;

	for (i = 0; line[i]; i++) {
		if (i == sizeof(copy) - 1) {
			snprintf(reason, FB_REASON_LEN,
				 "line too long: at most %zu characters",
				 sizeof(copy) - 1);
			return -EINVAL;
		}
		if ((line[i] < ' ' && line[i] != '\t') || line[i] > '~') {
			snprintf(reason, FB_REASON_LEN,
				 "character 0x%02x at column %zu: want one line of plain text",
				 (unsigned char)line[i], i + 1);
			return -EINVAL;
		}
		copy[i] = line[i];
	}
	copy[i] = '\0';
	return fb_parse_words(copy, p, reason);
}

/**
 * fb_params_text() - the run line with every key that is in force
 * @p: the parameters
 * @buf: where the text goes
 * @size: of @buf; %FB_LINE_LEN is enough
 *
 * The text can be parsed again and gives the same parameters. An offset that
 * is still the test's to choose is left out.
 *
 * Return: the length.
 */
int fb_params_text(const struct fb_params *p, char *buf, size_t size)
{
	int key, len = scnprintf(buf, size, "%s", p->test->name);

	for (key = 0; key < FB_NR_KEYS; key++) {
		if (!fb_takes(p->test, key) ||
		    (key == FB_KEY_OFFSET && p->val[key] == FB_OFFSET_AUTO))
			continue;
		len += scnprintf(buf + len, size - len, " %s=",
				 fb_keys[key].name);
		if (fb_keys[key].kind == FB_NAME)
			len += scnprintf(buf + len, size - len, "%s",
					 fb_patterns[p->val[key]]);
		else if (key == FB_KEY_OPEN_AU_NR &&
			 p->val[key] == FB_AU_AUTO)
			len += scnprintf(buf + len, size - len, "auto");
		else if (fb_keys[key].kind == FB_LIST)
			len += fb_list_text(p->val[key], buf + len, size - len);
		else
			len += scnprintf(buf + len, size - len, "%llu",
					 p->val[key]);
	}
	return len;
}

static int fb_describe_key(const struct fb_test *t, enum fb_key key,
			   char *buf, size_t size)
{
	const struct fb_keydef *k = &fb_keys[key];
	char min[FB_TEXT_LEN], max[FB_TEXT_LEN], def[FB_TEXT_LEN];
	u64 d = fb_default(t, key);

	if (key == FB_KEY_OFFSET)
		return scnprintf(buf, size, "\toffset=SIZE (default: %s)\n",
				 t->offset);
	switch (k->kind) {
	case FB_FLAG:
		return scnprintf(buf, size, "\t%s (flag)\n", k->name);
	case FB_NAME:
		return scnprintf(buf, size,
				 "\t%s=random|zero|one (default random)\n",
				 k->name);
	case FB_LIST:
		return scnprintf(buf, size,
				 "\t%s=LIST (verdicts with commas between them; default all)\n",
				 k->name);
	case FB_SIZE:
		if (k->max == ~0ULL)
			break;
		fb_format_size(min, sizeof(min), k->min);
		fb_format_size(max, sizeof(max), k->max);
		fb_format_size(def, sizeof(def), d);
		return scnprintf(buf, size,
				 "\t%s=SIZE (default %s, from %s to %s)\n",
				 k->name, d ? def : "0, not known", min, max);
	case FB_NUMBER:
		break;
	}
	return scnprintf(buf, size, "\t%s=%s (default %llu, from %llu to %llu%s)\n",
			 k->name, k->kind == FB_SIZE ? "SIZE" : "NUMBER",
			 d, k->min, k->max,
			 key == FB_KEY_OPEN_AU_NR ? ", or auto" : "");
}

/**
 * fb_test_describe() - a test, its keys, their defaults and limits, as text
 * @t: the test
 * @buf: where the text goes; a page is enough
 * @size: of @buf
 *
 * Return: the length.
 */
int fb_test_describe(const struct fb_test *t, char *buf, size_t size)
{
	int key, len;

	len = scnprintf(buf, size, "%s: %s: %s\n", t->name,
			t->writes ? "writes" :
			t->adaptive ? "writes if armed" : "reads only",
			t->summary);
	for (key = 0; key < FB_NR_KEYS; key++)
		if (fb_takes(t, key))
			len += fb_describe_key(t, key, buf + len, size - len);
	return len;
}
