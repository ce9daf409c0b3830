// SPDX-License-Identifier: GPL-2.0-only
/*
 * All measurements of a report. What only reads comes first, so that it finds
 * the card as it was; what needs the erase block comes after geometry.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "identity.h"
#include "measure.h"
#include "setup.h"
#include "verdict.h"

static bool save(const struct measure *m, const char *name, const char *text)
{
	char path[PATH_MAX];
	bool good;
	FILE *f;

	if (!m->save)
		return true;
	snprintf(path, sizeof(path), "%s/%s", m->save, name);
	f = fopen(path, "w");
	good = f && fputs(text, f) >= 0;
	if (f && fclose(f))
		good = false;
	if (!good)
		complain("%s: %s", path, strerror(errno));
	return good;
}

/* Takes @text, which may be NULL: then there was a complaint */
static bool keep(const struct measure *m, struct report *r, const char *name,
		 char *text)
{
	bool good = text;

	if (good && !m->serial)
		identity_mask(text);
	good = good && save(m, name, text) &&
	       report_add(r, name, text, m->serial);
	free(text);
	return good;
}

/* Runs a line; @suffix tells two runs of a test apart */
static bool run(const struct measure *m, struct report *r, const char *suffix,
		const char *fmt, ...)
	__attribute__((__format__(printf, 4, 5)));

static bool run(const struct measure *m, struct report *r, const char *suffix,
		const char *fmt, ...)
{
	char line[FB_LINE_LEN], test[32], name[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	snprintf(test, sizeof(test), "%.*s", (int)strcspn(line, " "), line);
	snprintf(name, sizeof(name), "%s%s.tsv", test, suffix);
	if (module_run(line))
		return false;
	return keep(m, r, name, module_result(test, "tsv"));
}

static bool info(const struct measure *m, struct report *r)
{
	static const struct fact *const lists[] = {
		report_identity, report_claims,
	};
	const struct fact *fact;
	char *text = NULL;
	size_t i, size;
	FILE *f = need_memory(open_memstream(&text, &size));

	/* so begins the file that these lines are from */
	fprintf(f, "device: %s\n", m->device);
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (fact = lists[i]; fact->key; fact++) {
			char *value = module_info(fact->key);

			if (value)
				fprintf(f, "%s: %s\n", fact->key, value);
			free(value);
		}
	}
	fclose(f);
	return keep(m, r, "info", need_memory(text));
}

/* Blocks of two logical blocks are the smallest that can lie across */
static bool reads(const struct measure *m, struct report *r)
{
	char *text = module_info("logical_block_bytes");
	unsigned long block = text ? strtoul(text, NULL, 10) : 0;

	free(text);
	return run(m, r, "", "align blocksize=%lu", block ? 2 * block : 1024) &&
	       run(m, r, "", "interval") && run(m, r, "", "scatter");
}

/* With the limit that geometry has found, and one more, or a search */
static bool open_au(const struct measure *m, struct report *r, u64 erase,
		    const char *limit)
{
	u64 nr;

	if (fb_parse_u64(limit, &nr) || !nr)
		return run(m, r, "", "open-au erasesize=%llu open-au-nr=auto",
			   erase);
	return run(m, r, "-fits", "open-au erasesize=%llu open-au-nr=%llu",
		   erase, nr) &&
	       run(m, r, "-thrashes", "open-au erasesize=%llu open-au-nr=%llu",
		   erase, nr + 1);
}

static bool writes(const struct measure *m, struct report *r)
{
	const struct result *geometry = NULL;
	struct verdict v;
	u64 erase;

	if (module_arm(m->arming))
		return false;
	if (!run(m, r, "", "geometry"))
		return false;
	while ((geometry = report_next(r, geometry)))
		if (geometry->kind == RESULT_GEOMETRY)
			break;
	/* the tests of erase blocks say nothing with a wrong size */
	if (!verdict_find(geometry, "erase_block", &v) ||
	    !verdict_bytes(&v, &erase))
		return true;
	if (!verdict_find(geometry, "open_linear", &v))
		strcpy(v.value, "-");
	return open_au(m, r, erase, v.value) &&
	       run(m, r, "", "find-fat erasesize=%llu blocksize=64K", erase);
}

/**
 * measure() - measure all of a report
 * @m: of which device, and how
 * @r: gets the results
 *
 * Return: false after a complaint.
 */
bool measure(const struct measure *m, struct report *r)
{
	const struct setup setup = {
		.device = m->device, .range = m->range,
		.arming = m->arming, .yes = m->yes,
	};
	/* the question comes first: what reads takes its time */
	bool good = !module_open() && setup_confirm(&setup) &&
		    !module_target(m->device) &&
		    (!m->range || !module_range(m->range)) &&
		    info(m, r) && reads(m, r) &&
		    (m->arming == ARM_OFF ? run(m, r, "", "geometry") :
		     writes(m, r));

	module_release();
	return good;
}
