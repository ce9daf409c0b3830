// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the right answers are: they follow from the description of the card
 * alone. An unknown is not held against the inference where nothing of what
 * is asked for shows in any time.
 */
#include <math.h>

#include "truth.h"

#define FAT_CANDIDATES	8	/* erase blocks that are tried */
#define LOG_STREAMS	48	/* streams the inference opens at most */
#define LOG_DECLINE	1.3	/* from here on a decline is to be reported */

static enum truth_grade right_if(bool right)
{
	return right ? GRADE_RIGHT : GRADE_WRONG;
}

static u64 super_page(const struct truth_card *c)
{
	return (u64)c->cfg.page * c->cfg.planes;
}

/* With one plane, and no unit smaller than it, there is nothing below */
static bool has_page(const struct truth_card *c)
{
	return c->visible && c->cfg.planes > 1;
}

/* How much dearer @streams make a write than two */
static double log_decline(const struct ftl_config *cfg, double streams)
{
	double half = cfg->log_half, gain = cfg->log_gain / 1000.;

	return (1 + gain * (streams - 1) / (streams - 1 + half)) /
	       (1 + gain / (1 + half));
}

static void fat_text(const struct ftl_config *cfg, char *buf, size_t size)
{
	int len = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; i < FAT_CANDIDATES; i++)
		if (ftl_is_fat(cfg, i))
			len += scnprintf(buf + len, size - len, "%s%u",
					 len ? "," : "", i);
	if (!len)
		scnprintf(buf, size, "none");
}

/* A write of a program unit, and what a write costs with @partial units */
static double penalty(const struct truth_card *c, double size, u32 partial)
{
	const struct ftl_config *cfg = &c->cfg;
	double host = c->overhead_ns * (c->claims_cache ? 2. : 1.);
	double whole = cfg->write_ns + cfg->program * 1e9 / cfg->write_bps;
	double part = cfg->write_ns + size * 1e9 / cfg->write_bps +
		      partial * (double)cfg->subpage_ns;

	host += c->jitter_ns;
	return 100 * (part + host) / (whole + host);
}

static double subunit(const struct truth_card *c)
{
	return penalty(c, c->cfg.program / 2, 1);
}

static double unaligned(const struct truth_card *c)
{
	return penalty(c, c->cfg.program, 2);
}

/* Within a tenth, or none where it is too small to speak of */
static enum truth_grade grade_penalty(double want, u64 percent)
{
	if (!percent)
		return right_if(want < 115);
	return right_if(fabs(100. + percent - want) < want / 10);
}

static enum truth_grade grade_open(const struct truth_card *c, u32 limit,
				   const struct fb_verdict *v)
{
	bool none = !strcmp(v->value, "no_limit");

	if (ftl_is_log(&c->cfg))
		return right_if(none);
	return right_if(!none && v->number == limit);
}

static enum truth_grade grade_mapping(const struct truth_card *c,
				      const struct fb_verdict *v)
{
	if (!ftl_is_log(&c->cfg))
		return right_if(!strcmp(v->value, "block"));
	/* too flat to tell is right of one that is nearly flat */
	if (!strcmp(v->value, "flat"))
		return right_if(log_decline(&c->cfg, LOG_STREAMS) <
				LOG_DECLINE * 1.1);
	return right_if(!strcmp(v->value, "log"));
}

static enum truth_grade grade_cache(const struct truth_card *c,
				    const struct fb_verdict *v)
{
	u64 cache = c->cfg.cache;

	if (!cache)
		return right_if(!strcmp(v->value, "none"));
	if (!strcmp(v->value, "present"))
		return GRADE_RIGHT;
	return right_if(v->number * 10 >= cache * 6 &&
			v->number * 10 <= cache * 16);
}

static double unwritten_contrast(const struct truth_card *c)
{
	double more = c->overhead_ns + KIB * 1e9 / c->cfg.read_bps;

	return (c->cfg.read_ns + more) / (c->cfg.unwritten_ns + more);
}

/* A sample of 64 is within three sigma of the truth */
static enum truth_grade grade_unwritten(const struct truth_card *c,
					const struct fb_verdict *v)
{
	double p = c->unwritten_pm / 1000.;

	if (p > 0 && !v->number && unwritten_contrast(c) < 1.35)
		return GRADE_HIDDEN;
	return right_if(fabs(v->number - 64 * p) <=
			24 * sqrt(p * (1 - p)) + 2);
}

/* Could anybody know? */
static bool hidden(const struct truth_card *c, enum fb_verdict_key key,
		   bool writes)
{
	bool log = ftl_is_log(&c->cfg);

	switch (key) {
	case FB_ERASE_BLOCK:
		return !c->visible && (log || !writes);
	case FB_SUPER_PAGE:
		return !c->visible;
	case FB_PAGE:
		return !has_page(c);
	case FB_FAT_AREA:
		return log || !writes;
	case FB_UNWRITTEN:
		/* all written and nothing to see is like nothing written */
		if (!c->unwritten_pm)
			return !c->visible;
		return unwritten_contrast(c) < 1.35 || c->unwritten_pm > 900;
	default:
		return !writes;
	}
}

static enum truth_grade grade_value(const struct truth_card *c,
				    enum fb_verdict_key key,
				    const struct fb_verdict *v)
{
	const struct ftl_config *cfg = &c->cfg;
	char fat[FB_VALUE_LEN];

	switch (key) {
	case FB_ERASE_BLOCK:
		return right_if(v->number == cfg->erase);
	case FB_SUPER_PAGE:
		return right_if(v->number == super_page(c));
	case FB_PAGE:
		return right_if(v->number == cfg->page);
	case FB_OPEN_LINEAR:
		return grade_open(c, cfg->open, v);
	case FB_OPEN_RANDOM:
		return grade_open(c, cfg->open_random, v);
	case FB_FAT_AREA:
		fat_text(cfg, fat, sizeof(fat));
		return right_if(!strcmp(v->value, fat));
	case FB_PROGRAM_UNIT:
		return right_if(v->number == cfg->program);
	case FB_SUBUNIT_PENALTY:
		return grade_penalty(subunit(c), v->number);
	case FB_UNALIGNED_PENALTY:
		return grade_penalty(unaligned(c), v->number);
	case FB_MAPPING:
		return grade_mapping(c, v);
	case FB_WRITE_CACHE:
		return grade_cache(c, v);
	default:
		return grade_unwritten(c, v);
	}
}

/**
 * truth_grade() - is a verdict right?
 * @c: the card
 * @key: what was asked
 * @v: the answer
 * @writes: writing was allowed
 *
 * Return: the grade.
 */
enum truth_grade truth_grade(const struct truth_card *c,
			     enum fb_verdict_key key,
			     const struct fb_verdict *v, bool writes)
{
	if (v->confidence >= FB_LIKELY)
		return grade_value(c, key, v);
	return hidden(c, key, writes) ? GRADE_HIDDEN : GRADE_UNKNOWN;
}

/**
 * truth_text() - the right answer, for people
 * @c: the card
 * @key: what was asked
 * @buf: gets it
 * @size: of @buf
 */
void truth_text(const struct truth_card *c, enum fb_verdict_key key, char *buf,
		size_t size)
{
	const struct ftl_config *cfg = &c->cfg;
	bool log = ftl_is_log(cfg);
	u64 open = key == FB_OPEN_LINEAR ? cfg->open : cfg->open_random;

	switch (key) {
	case FB_ERASE_BLOCK:
		scnprintf(buf, size, "%u%s", cfg->erase,
			  c->visible ? "" : " (reads do not show it)");
		break;
	case FB_SUPER_PAGE:
		scnprintf(buf, size, "%llu", super_page(c));
		break;
	case FB_PAGE:
		scnprintf(buf, size, has_page(c) ? "%u" : "(%u)", cfg->page);
		break;
	case FB_OPEN_LINEAR:
	case FB_OPEN_RANDOM:
		scnprintf(buf, size, log ? "no_limit" : "%llu", open);
		break;
	case FB_FAT_AREA:
		fat_text(cfg, buf, size);
		break;
	case FB_PROGRAM_UNIT:
		scnprintf(buf, size, "%u", cfg->program);
		break;
	case FB_SUBUNIT_PENALTY:
		scnprintf(buf, size, "%.0f", subunit(c) - 100);
		break;
	case FB_UNALIGNED_PENALTY:
		scnprintf(buf, size, "%.0f", unaligned(c) - 100);
		break;
	case FB_MAPPING:
		scnprintf(buf, size, log ? "log x%.2f" : "block",
			  log_decline(cfg, LOG_STREAMS));
		break;
	case FB_WRITE_CACHE:
		scnprintf(buf, size, cfg->cache ? "%llu" : "none", cfg->cache);
		break;
	default:
		scnprintf(buf, size, "%u/64", c->unwritten_pm * 64 / 1000);
		break;
	}
}
