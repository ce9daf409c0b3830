// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any two texts, with a zero between them, as results before and after: one run
 * a side, and three, of which two are the same and one is the other side's.
 */
#include <stdlib.h>
#include <string.h>

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

static void check_row(const struct fb_difference *d)
{
	if (d->low > d->high || d->low < -FB_PAIRED_UNIT || d->before <= 0 ||
	    d->after <= 0)
		abort();
}

static void dump(const struct comparison *c)
{
	json_t *object = comparison_json(c);
	char *text = json_dumps(object, 0);

	/* text that is no UTF-8 must not get into it */
	if (!text)
		abort();
	free(text);
	json_decref(object);
}

static void compare(const struct archive *runs, u32 each, bool interim)
{
	struct comparison c;
	struct change_count n;
	u32 i;

	compare_archives(&c, runs, each, each, interim);
	for (i = 0; i < c.nrows; i++)
		check_row(&c.rows[i].diff);
	n = comparison_count(&c, NR_RESULT_KINDS);
	if (n.rows != c.nrows || n.faster + n.slower + n.common > n.rows ||
	    n.first > n.alone || n.alone > n.faster + n.slower)
		abort();
	dump(&c);
	comparison_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t first = zero ? (size_t)(zero - data) : size;
	size_t skip = zero ? first + 1 : size;
	struct archive a, b;

	if (size > LONGEST)
		return -1;
	read_text(data, first, &a);
	read_text(data + skip, size - skip, &b);
	compare((struct archive []){ a, b }, 1, false);
	compare((struct archive []){ a, a, b, b, b, a }, 3, false);
	compare((struct archive []){ a, a, a, b, b, b }, 3, true);
	archive_free(&a);
	archive_free(&b);
	return 0;
}
