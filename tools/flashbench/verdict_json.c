// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verdicts for programs: what the lines say, and the advice.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "command.h"
#include "verdict.h"
#include "verdict_json.h"

/**
 * verdict_lines() - the verdicts of a geometry result
 * @text: the result with its header
 *
 * Return: the first line that is a verdict, in @text.
 */
const char *verdict_lines(const char *text)
{
	while (*text == '#' || !strncmp(text, "key\t", 4)) {
		text += strcspn(text, "\n");
		if (*text)
			text++;
	}
	return text;
}

/**
 * verdict_any() - is there an answer?
 * @lines: verdicts
 *
 * Return: whether any of them is known.
 */
bool verdict_any(const char *lines)
{
	struct verdict v;

	while ((lines = verdict_next(lines, &v)))
		if (strcmp(v.class, "unknown"))
			return true;
	return false;
}

/* Sizes are in "bytes", too, so that nobody has to know which keys are sizes */
static json_t *verdict_object(const struct verdict *v)
{
	json_t *object = need_memory(json_object());
	u64 n, bytes;

	json_object_set_new(object, "key", json_string(v->key));
	if (!strcmp(v->value, "-"))
		json_object_set_new(object, "value", json_null());
	else if (!fb_parse_u64(v->value, &n) && n <= S64_MAX)
		json_object_set_new(object, "value", json_integer(n));
	else
		json_object_set_new(object, "value", json_string(v->value));
	if (verdict_bytes(v, &bytes) && bytes <= S64_MAX)
		json_object_set_new(object, "bytes", json_integer(bytes));
	json_object_set_new(object, "class", json_string(v->class));
	json_object_set_new(object, "confidence_permille",
			    json_integer(atoi(v->confidence)));
	json_object_set_new(object, "basis", json_string(v->basis));
	json_object_set_new(object, "evidence", json_string(v->evidence));
	return object;
}

static json_t *advice_array(const char *lines, u64 disk)
{
	json_t *array = need_memory(json_array());
	char *text = NULL, *line, *rest = NULL;
	size_t size;
	FILE *f = need_memory(open_memstream(&text, &size));

	advice_print(f, lines, disk);
	fclose(f);
	for (line = strtok_r(need_memory(text), "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		json_array_append_new(array, json_string(line));
	free(text);
	return array;
}

/**
 * verdict_print_json() - one object: verdicts, and the advice
 * @f: where
 * @lines: verdicts
 * @disk: size, bytes; 0: not known
 */
void verdict_print_json(FILE *f, const char *lines, u64 disk)
{
	json_t *object = need_memory(json_object());
	json_t *array = need_memory(json_array());
	const char *next = lines;
	struct verdict v;

	while ((next = verdict_next(next, &v)))
		json_array_append_new(array, verdict_object(&v));
	json_object_set_new(object, "verdicts", array);
	json_object_set_new(object, "advice", advice_array(lines, disk));
	json_dumpf(object, f, JSON_INDENT(2));
	fputc('\n', f);
	json_decref(object);
}
