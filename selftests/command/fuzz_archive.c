// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text as a file of results: read, analyzed, and compared with itself.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "command.h"
#include "comparison.h"

#define LONGEST	65536

static void read_text(const uint8_t *data, size_t size, struct archive *a)
{
	char *text = need_memory(malloc(size + 1));

	memcpy(text, data, size);
	text[size] = 0;
	archive_parse("fuzz", text, a);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct archive runs[2];
	struct comparison c;
	char *lines, *text = NULL;
	size_t len;
	FILE *f;

	if (size > LONGEST)
		return -1;
	read_text(data, size, &runs[0]);
	read_text(data, size, &runs[1]);
	lines = analysis(runs, 1);
	if (strlen(lines) < 12)
		abort();
	free(lines);
	if (compare_archives(&c, runs, 1, 1, false)) {
		json_t *object = comparison_json(&c);

		f = open_memstream(&text, &len);
		json_dumpf(object, f, 0);
		fclose(f);
		free(text);
		json_decref(object);
	}
	comparison_free(&c);
	archive_free(&runs[0]);
	archive_free(&runs[1]);
	return 0;
}
