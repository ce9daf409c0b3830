// SPDX-License-Identifier: GPL-2.0-only
/*
 * The description of a simulated card, to and from text.
 */
#include "keys.h"
#include "platform.h"

static const struct fsim_key *key_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < fsim_nr_keys; i++)
		if (!strcmp(fsim_keys[i].name, name))
			return &fsim_keys[i];
	return NULL;
}

static bool line_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '"';
}

/* The next KEY=VALUE of *@s into @buf; moves *@s behind it */
static int line_next(const char **s, char *buf, size_t size)
{
	size_t len = 0;

	while (line_is_space(**s))
		++*s;
	while ((*s)[len] && !line_is_space((*s)[len]))
		len++;
	if (len >= size)
		return -EINVAL;
	memcpy(buf, *s, len);
	buf[len] = '\0';
	*s += len;
	return len;
}

static int config_one(struct fsim_config *cfg, char *word, u64 *seen,
		      char *reason)
{
	const struct fsim_key *k;
	char *value = strchr(word, '=');
	size_t i;
	int err;

	if (value)
		*value++ = '\0';
	k = key_find(word);
	if (!k || !value || !*value) {
		scnprintf(reason, FSIM_REASON_LEN, "%.40s: %s", word,
			  k ? "needs a value" : "unknown key");
		return -EINVAL;
	}
	i = k - fsim_keys;
	if (seen[i / 64] >> (i % 64) & 1) {
		scnprintf(reason, FSIM_REASON_LEN, "%s: given twice", word);
		return -EINVAL;
	}
	seen[i / 64] |= 1ULL << (i % 64);
	err = fsim_value_parse(k, cfg, value);
	if (err == -ERANGE && (k->kind == FSIM_KEY_COUNT || k->kind == FSIM_KEY_SIZE))
		scnprintf(reason, FSIM_REASON_LEN, "%s: must be %llu to %llu",
			  word, k->min, k->max);
	else if (err)
		scnprintf(reason, FSIM_REASON_LEN, "%s: %s", word,
			  fsim_value_wants(k));
	return err ? -EINVAL : 0;
}

static void config_default(struct fsim_config *cfg)
{
	*cfg = (struct fsim_config) {
		.highspeed = 1,
		.cmd23 = 1,
		.rel_sectors = 1,
		.max_blk_count = 1024,
		.max_segs = 128,
		.max_seg_size = 512 << 10,
		.max_req_size = 512 << 10,
		.clock = 50000000,
		.bus_width = 4,
		.host_cmd23 = 1,
		.wait_busy = 1,
	};
	ftl_default(&cfg->ftl);
}

static const char *config_check(const struct fsim_config *cfg,
				const char **key)
{
	*key = "bus_width";
	if (cfg->bus_width != 1 && cfg->bus_width != 4 && cfg->bus_width != 8)
		return "must be 1, 4 or 8";
	*key = "max_seg_size";
	if (cfg->max_seg_size < 4096 || cfg->max_seg_size % 512)
		return "must be a multiple of 512, at least 4096";
	*key = "max_req_size";
	if (cfg->max_req_size < 4096 || cfg->max_req_size % 512)
		return "must be a multiple of 512, at least 4096";
	*key = "boot";
	if (cfg->boot % (128 << 10) || cfg->boot > 255ULL << 17)
		return "must be a multiple of 128K, 255 times that at most";
	if (cfg->boot && cfg->type != FSIM_MMC)
		return "is for type=mmc";
	*key = "erase_group";
	if (cfg->erase_group % (512 << 10) || cfg->erase_group > 255ULL << 19)
		return "must be a multiple of 512K, 255 times that at most";
	return NULL;
}

/**
 * fsim_config_parse() - a card from its description
 * @cfg: gets it; what is not described has its default
 * @text: KEY=VALUE, separated by white space or ';'; double quotes are ignored
 * @reason: buffer of FSIM_REASON_LEN for what is wrong
 *
 * Return: 0 or -EINVAL.
 */
int fsim_config_parse(struct fsim_config *cfg, const char *text, char *reason)
{
	u64 seen[FSIM_MAX_KEYS / 64] = { 0 };
	const char *key, *why;
	char word[192];
	int err;

	config_default(cfg);
	for (;;) {
		err = line_next(&text, word, sizeof(word));
		if (err < 0) {
			scnprintf(reason, FSIM_REASON_LEN,
				  "a word of more than %zu characters",
				  sizeof(word) - 1);
			return err;
		}
		if (!err)
			break;
		err = config_one(cfg, word, seen, reason);
		if (err)
			return err;
	}
	why = config_check(cfg, &key);
	if (!why && !ftl_check(&cfg->ftl, &key, &why))
		return 0;
	scnprintf(reason, FSIM_REASON_LEN, "%s: %s", key, why);
	return -EINVAL;
}

/**
 * fsim_config_line() - one KEY=VALUE of a card
 * @cfg: the card
 * @line: which one, from 0
 * @buf: gets it; empty if there is no value to show
 * @size: of @buf
 *
 * Return: 0, or -ENOENT when there are no more.
 */
int fsim_config_line(const struct fsim_config *cfg, unsigned int line,
		     char *buf, size_t size)
{
	const struct fsim_key *k;
	int len;

	if (line >= fsim_nr_keys)
		return -ENOENT;
	k = &fsim_keys[line];
	len = scnprintf(buf, size, "%s=", k->name);
	if (!fsim_value_text(k, cfg, buf + len, size - len))
		buf[0] = '\0';
	return 0;
}
