// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a report tells, before it is known whether as HTML or as mail.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "identity.h"
#include "report.h"

/* Ends with an empty one */
const struct fact report_identity[] = {
	{ "model", "model" },
	{ "card_type", "card type" },
	{ "cid_name", "name" },
	{ "cid_manfid", "manufacturer" },
	{ "cid_oemid", "OEM" },
	{ "cid_hwrev", "hardware revision" },
	{ "cid_fwrev", "firmware revision" },
	{ "cid_prv", "product revision" },
	{ "ext_csd_fw_version", "firmware version" },
	{ "cid_serial", "serial number" },
	{ "cid_date", "made" },
	{ "cid", "CID" },
	{ "csd", "CSD" },
	{ "disk_size_bytes", "size" },
	{ "capacity_factors", "factors of the size" },
	{ "timing", "bus timing" },
	{ "clock_hz", "clock, Hz" },
	{ "bus_width_bits", "bus width, bits" },
	{ "scheduler", "I/O scheduler" },
	{ "max_bio_bytes", "longest command" },
	{ }
};

const struct fact report_claims[] = {
	{ "preferred_erase_bytes", "preferred erase size" },
	{ "ssr_au_bytes", "allocation unit" },
	{ "ssr_uhs_au_bytes", "allocation unit, UHS" },
	{ "ssr_video_au_bytes", "allocation unit, video" },
	{ "ssr_speed_class", "speed class" },
	{ "ssr_uhs_speed_grade", "UHS speed grade" },
	{ "ssr_video_speed_class", "video speed class" },
	{ "ssr_app_class", "application class" },
	{ "csd_erase_sector_bytes", "erase sector (CSD)" },
	{ "ext_csd_hc_erase_bytes", "erase group (EXT_CSD)" },
	{ "ext_csd_cache_size_kib", "cache, KiB" },
	{ "ext_csd_cmdq_depth", "command queue depth" },
	{ "ext_csd_pre_eol", "reserve blocks used (PRE_EOL)" },
	{ "ext_csd_life_time_a", "life time, type A" },
	{ "ext_csd_life_time_b", "life time, type B" },
	{ "write_cache", "write cache" },
	{ }
};

/**
 * report_next() - walk through all results
 * @r: the report
 * @last: the one before, NULL: begin
 *
 * Return: the next one, NULL if there is none.
 */
const struct result *report_next(const struct report *r,
				 const struct result *last)
{
	bool found = !last;
	size_t i, k;

	for (i = 0; i < r->n; i++) {
		for (k = 0; k < r->archives[i].n; k++) {
			const struct result *here = &r->archives[i].results[k];

			if (found)
				return here;
			found = here == last;
		}
	}
	return NULL;
}

/**
 * report_title() - which card it is about
 * @r: the report
 * @buf: where its name goes
 * @size: of @buf
 */
void report_title(const struct report *r, char *buf, size_t size)
{
	const struct result *result = NULL;

	while ((result = report_next(r, result)))
		if (identity_card(result->header, buf, size))
			return;
	if (!identity_value(r->info, "cid_name", buf, size) &&
	    !identity_value(r->info, "model", buf, size))
		snprintf(buf, size, "a device without a name");
}

/**
 * report_fact() - a line of the info file
 * @r: the report
 * @fact: which one
 * @buf: where the value goes, with sizes also in words
 * @size: of @buf
 *
 * Return: false if it is not known.
 */
bool report_fact(const struct report *r, const struct fact *fact, char *buf,
		 size_t size)
{
	char value[256], text[FB_TEXT_LEN], *end;
	u64 bytes;

	if (!identity_value(r->info, fact->key, value, sizeof(value)))
		return false;
	bytes = strtoull(value, &end, 10);
	if (strstr(fact->key, "_bytes") && bytes && (!*end || *end == ' ')) {
		fb_format_size(text, sizeof(text), bytes);
		snprintf(buf, size, "%llu bytes = %s%s", bytes, text, end);
	} else {
		snprintf(buf, size, "%s", value);
	}
	return true;
}

/**
 * report_run() - what was typed to get a result
 * @r: the result
 * @buf: where the run line goes
 * @size: of @buf
 *
 * Return: false if the result does not say.
 */
bool report_run(const struct result *r, char *buf, size_t size)
{
	return identity_value(r->header, "run", buf, size);
}

/**
 * report_reading() - how a result is read
 * @kind: of the result
 *
 * Return: a few sentences.
 */
const char *report_reading(enum result_kind kind)
{
	static const char *const reading[NR_RESULT_KINDS] = {
		[RESULT_ALIGN] =
"A read that crosses a boundary between two pages or erase blocks takes "
"longer than its neighbours. Where the extra time of ever larger sizes jumps, "
"a structure of the card begins.",
		[RESULT_ALIGN_WRITE] =
"A write that crosses a boundary between two pages or erase blocks takes "
"longer than its neighbours.",
		[RESULT_OPEN_AU] =
"Small blocks are written to several erase blocks in turn. As soon as these "
"are more than the card can keep open, each write costs a collection, and the "
"rate falls with the size of the block.",
		[RESULT_FIND_FAT] =
"Each of the first erase blocks is written in small blocks. Some cards treat "
"the first ones, where a FAT file system has its tables, in another way.",
		[RESULT_SCATTER] =
"The shortest read time of many places. Levels and patterns are those of the "
"card's structures, or of what was written there before.",
		[RESULT_INTERVAL] =
"Read times by size. The line has a fixed time for each command and a rate.",
	};

	return reading[kind] ? reading[kind] : "";
}

/**
 * report_chart() - the picture of a result
 * @r: the report
 * @of: the result
 *
 * Return: the chart, NULL if there is none.
 *
 * All open-au results with other numbers of open erase blocks are in the
 * picture of the first one.
 */
struct chart *report_chart(const struct report *r, const struct result *of)
{
	struct drawing d = { .geometry = r->geometry };
	const struct result **same, *result = NULL;
	struct chart *c = NULL;
	size_t n = 0;

	if (of->kind == RESULT_GEOMETRY || !of->ncells)
		return NULL;
	while ((result = report_next(r, result)))
		n++;
	same = need_memory(calloc(n, sizeof(*same)));
	d.results = same;
	same[d.n++] = of;
	for (result = NULL; (result = report_next(r, result));) {
		if (of->kind != RESULT_OPEN_AU || result->kind != of->kind)
			continue;
		if (result != same[0])
			same[d.n++] = result;
		if (charts_overlap(&d))
			d.n--;
	}
	c = chart_of_results(&d);
	free(same);
	return c;
}
