// SPDX-License-Identifier: GPL-2.0-only
/*
 * What results tell of a card. Verdicts of the module stand as they are; of
 * tables only what one that has all it takes says, and no other contradicts.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "command.h"
#include "interpret.h"
#include "verdict.h"

#define MOST_ROWS	1024
#define MOST_SIZES	256
#define MOST_NS		(1LL << 47)	/* the interpreter takes no more */
#define LARGEST_ERASE	(64u << 20)	/* of any card */
#define OPEN_PM		850	/* of a limit in a table, per mille */
#define FAT_PM		800
#define PAGE_ROW	(8u << 10)	/* bytes, that a table begins with at most */
#define PAGE_PM		800

/**
 * struct answers - what is printed
 * @verdict: by enum fb_verdict_key
 * @conflict: bits of those that contradict each other
 * @largest: the largest erase block that the align tables leave possible, bytes;
 *	0: they say nothing of it
 */
struct answers {
	struct fb_verdict verdict[FB_NR_VERDICTS];
	u32 conflict;
	u64 largest;
};

/* A candidate is evidence; it does not displace one that is more certain. */
static void propose(struct answers *a, enum fb_verdict_key key, u32 confidence,
		    enum fb_basis basis, const char *value, const char *fmt,
		    ...) __attribute__((__format__(printf, 6, 7)));

static void propose(struct answers *a, enum fb_verdict_key key, u32 confidence,
		    enum fb_basis basis, const char *value, const char *fmt,
		    ...)
{
	struct fb_verdict *v = &a->verdict[key];
	bool known = confidence >= FB_LIKELY;
	va_list args;

	if (known && v->confidence >= FB_LIKELY && strcmp(v->value, value))
		a->conflict |= BIT(key);
	if (*v->evidence && confidence <= v->confidence)
		return;
	snprintf(v->value, sizeof(v->value), "%s", known ? value : "-");
	v->confidence = confidence;
	v->basis = basis;
	va_start(args, fmt);
	vsnprintf(v->evidence, sizeof(v->evidence), fmt, args);
	va_end(args);
}

/* ---- align ---- */

/* Three cells a row; what has more rows than there are sizes is no table. */
static u32 align_rows(const struct result *r, struct fb_align_row *row)
{
	u32 n = 0;
	size_t i;

	if (r->ncells > 3 * MOST_SIZES)
		return 0;
	for (i = 0; i < r->ncells && n < MOST_SIZES; i++) {
		const struct cell *on = &r->cells[i], *pre, *post;

		if (on->column != 1)
			continue;
		pre = result_find(r, on->size, 0, on->opcode);
		post = result_find(r, on->size, 2, on->opcode);
		if (pre && post && pre->median < MOST_NS &&
		    on->median < MOST_NS && post->median < MOST_NS)
			row[n++] = (struct fb_align_row) {
				on->size, pre->median, on->median,
				post->median
			};
	}
	return n;
}

/*
 * The lowest rows are taken for what crossing nothing costs. If their sizes are
 * those of pages or more, what is seen above is something else.
 */
static bool shows_pages(const struct fb_align_row *row, u32 n)
{
	u64 least = U64_MAX;

	while (n--)
		least = min(least, row[n].align);
	return least <= PAGE_ROW;
}

static void say_pages(struct answers *a, const struct fb_align_answer *align,
		      bool shown, bool sure)
{
	u32 pm = sure ? PAGE_PM : 0;
	char value[FB_VALUE_LEN], text[FB_TEXT_LEN];

	if (!shown) {
		propose(a, FB_SUPER_PAGE, 0, FB_BASIS_READ, "-",
			"reads too large for pages; blocksize=1K would show them");
		propose(a, FB_PAGE, 0, FB_BASIS_READ, "-",
			"reads too large for pages; blocksize=1K would show them");
		return;
	}

	if (align->super_page) {
		snprintf(value, sizeof(value), "%llu", align->super_page);
		fb_format_size(text, sizeof(text), align->super_page);
		propose(a, FB_SUPER_PAGE, pm, FB_BASIS_READ, value,
			"%s %s in the table", sure ? "step at" :
			"candidate, no more: step at", text);
	}
	if (align->page) {
		snprintf(value, sizeof(value), "%llu", align->page);
		fb_format_size(text, sizeof(text), align->page);
		propose(a, FB_PAGE, pm, FB_BASIS_READ, value,
			"%s %s in the table", sure ? "step at" :
			"candidate, no more: step at", text);
	}
}

/* Odd factors of erase blocks are 1, 3 and 9 */
static u64 largest_erase(const struct fb_align_answer *align)
{
	u64 odd;

	if (!align->odd_open)
		return align->erase;
	for (odd = 9; odd > 1 && odd * align->erase > LARGEST_ERASE;)
		odd /= 3;
	return odd * align->erase;
}

static void analyze_align(struct answers *a, const struct result *r)
{
	static struct fb_align_row row[MOST_SIZES];
	char value[FB_VALUE_LEN], text[FB_TEXT_LEN];
	struct fb_align_answer align;
	u32 confidence, n = align_rows(r, row);
	bool tells;

	fb_interpret_align(row, n, &align);
	tells = align.why == FB_TABLE_TELLS;
	/* with one chain the odd part may be any */
	confidence = align.odd_open ?
		     min_t(u32, align.confidence, FB_LIKELY - 1) :
		     align.confidence;
	snprintf(value, sizeof(value), "%llu", align.erase);
	fb_format_size(text, sizeof(text), align.erase);
	if (!align.erase)
		propose(a, FB_ERASE_BLOCK, 0, FB_BASIS_READ, "-", "%s",
			align.why == FB_TABLE_FEW_ROWS ?
			"too few rows in the table" : "no step in the table");
	else if (!tells || confidence < FB_LIKELY)
		propose(a, FB_ERASE_BLOCK, tells ? confidence : 0,
			FB_BASIS_READ, "-", "candidate %s%s", text,
			align.odd_open ?
			" times an unknown odd factor: no rows of 3*2^k" :
			", but too much speaks against it");
	else
		propose(a, FB_ERASE_BLOCK, min_t(u32, confidence, FB_SURE - 1),
			FB_BASIS_READ, value, "step at %s in the table", text);
	if (tells)
		a->largest = max(a->largest, largest_erase(&align));
	if (tells)
		say_pages(a, &align, shows_pages(row, n),
			  confidence >= FB_LIKELY);
}

/* ---- open-au ---- */

static bool same_group(const struct result *a, const struct result *b)
{
	return b->kind == RESULT_OPEN_AU && a->erasesize == b->erasesize &&
	       a->random == b->random;
}

/* 0: none that the interpreter could take */
static u64 cell_rate(const struct cell *c)
{
	u64 ns = c->n ? c->mean : c->median, rate;

	if (!ns || c->size >= 1ULL << 48)
		return 0;
	rate = fb_rate(c->size, ns);
	return rate < 1ULL << 47 ? rate : 0;
}

static void add_open(struct fb_open_row *row, u32 *n, const struct result *r)
{
	size_t i;
	u32 k;

	for (i = 0; i < r->ncells; i++) {
		const struct cell *c = &r->cells[i];
		u64 rate = cell_rate(c);

		if (!rate)
			continue;
		for (k = 0; k < *n; k++)
			if (row[k].nr == c->column && row[k].block == c->size)
				break;
		if (k == MOST_ROWS)
			continue;
		if (k == *n)
			row[(*n)++] = (struct fb_open_row) {
				.nr = c->column, .block = c->size,
			};
		if (row[k].n < FB_MAX_REPEATS)
			row[k].rate[row[k].n++] = rate;
	}
}

/*
 * Streams in parts of erase blocks, or in two at once, have a limit of their
 * own, which is none of the card's.
 */
static bool has_wrong_erase(struct answers *a, const struct result *r)
{
	const struct fb_verdict *v = &a->verdict[FB_ERASE_BLOCK];
	enum fb_verdict_key key = r->random ? FB_OPEN_RANDOM : FB_OPEN_LINEAR;
	char text[FB_TEXT_LEN];
	u64 erase;

	if (v->confidence < FB_LIKELY || fb_parse_u64(v->value, &erase) ||
	    !erase || !(r->erasesize % erase))
		return false;
	fb_format_size(text, sizeof(text), r->erasesize);
	propose(a, key, 1, FB_BASIS_WRITE, "-",
		"measured with erase blocks of %s, which they are not", text);
	return true;
}

static void say_open(struct answers *a, const struct fb_open_answer *open,
		     bool random)
{
	enum fb_verdict_key key = random ? FB_OPEN_RANDOM : FB_OPEN_LINEAR;
	char value[FB_VALUE_LEN];

	snprintf(value, sizeof(value), "%u", open->fits);
	if (open->kind == FB_OPEN_LIMIT && open->thrashes == open->fits + 1) {
		propose(a, key, OPEN_PM, FB_BASIS_WRITE, value,
			"%u fit, %u thrash in the tables", open->fits,
			open->thrashes);
		propose(a, FB_MAPPING, OPEN_PM, FB_BASIS_WRITE, "block",
			"sharp limit of open blocks in the tables");
	} else if (open->kind == FB_OPEN_LIMIT) {
		propose(a, key, 2, FB_BASIS_WRITE, "-",
			"candidates %u to %u: %u fit, %u thrash", open->fits,
			open->thrashes - 1, open->fits, open->thrashes);
	} else if (open->kind == FB_OPEN_BELOW) {
		propose(a, key, 2, FB_BASIS_WRITE, "-", "fewer than %u",
			open->thrashes);
	} else if (open->kind == FB_OPEN_NO_LIMIT) {
		propose(a, key, 2, FB_BASIS_WRITE, "-", "no limit up to %u",
			open->fits);
		if (open->gradual)
			propose(a, FB_MAPPING,
				min_t(u32, open->decline, FB_TABLE_LOW - 1),
				FB_BASIS_WRITE, "-",
				"%u.%02u times slower up to %u, by and by: log-structured suspected",
				open->decline / 100, open->decline % 100,
				open->fits);
	} else {
		propose(a, key, 1, FB_BASIS_WRITE, "-", "%s",
			open->why == FB_TABLE_UNSTABLE ?
			"repeats differ: a wrong erase block, or unstable state" :
			"one number of open erase blocks does not tell");
	}
}

/* All results of one erase block size and one order are one table. */
static void analyze_open(struct answers *a, const struct archive *archives,
			 size_t n, const struct result *first)
{
	static struct fb_open_row row[MOST_ROWS];
	struct fb_open_answer open;
	size_t i, k;
	u32 rows = 0;

	if (!first->erasesize || has_wrong_erase(a, first))
		return;
	for (i = 0; i < n; i++) {
		for (k = 0; k < archives[i].n; k++) {
			const struct result *r = &archives[i].results[k];

			if (!same_group(first, r))
				continue;
			if (!rows && r != first)
				return;	/* it had its turn */
			add_open(row, &rows, r);
		}
	}
	fb_interpret_open(row, rows, first->erasesize, &open);
	say_open(a, &open, first->random);
}

/* ---- find-fat ---- */

/* Are the @columns of @size bytes more than a single erase block? */
static bool reaches_next(const struct answers *a, u64 size, u32 columns)
{
	const struct fb_verdict *v = &a->verdict[FB_ERASE_BLOCK];
	u64 erase = a->largest;

	if (v->confidence >= FB_LIKELY && !(a->conflict & BIT(FB_ERASE_BLOCK)))
		erase = strtoull(v->value, NULL, 10);
	return erase && size * (columns - 1) >= erase;
}

static void analyze_fat(struct answers *a, const struct result *r)
{
	static struct fb_fat_row row[64];
	char value[FB_VALUE_LEN] = "";
	u32 n = 0, k, len = 0, columns = 0;
	u64 mask;
	size_t i;

	for (i = 0; i < r->ncells; i++) {
		const struct cell *c = &r->cells[i];
		u64 rate = cell_rate(c);

		if (c->column >= FB_MAX_COLUMNS || !rate)
			continue;
		for (k = 0; k < n && row[k].block != c->size; k++)
			;
		if (k == ARRAY_SIZE(row))
			continue;
		if (k == n)
			row[n++] = (struct fb_fat_row) { .block = c->size };
		row[k].rate[c->column] = rate;
		row[k].n = max(row[k].n, c->column + 1);
		columns = max(columns, row[k].n);
	}
	if (n < 2 || !r->erasesize)
		return;
	mask = fb_interpret_fat(row, n, r->erasesize);
	for (k = 0; k < FB_MAX_COLUMNS && len < sizeof(value); k++)
		if (mask & BIT_ULL(k))
			len += snprintf(value + len, sizeof(value) - len,
					"%s%u", len ? "," : "", k);
	if (!mask && !reaches_next(a, r->erasesize, columns))
		propose(a, FB_FAT_AREA, 1, FB_BASIS_WRITE, "-",
			"no difference in the table, but it may be one erase block");
	else if (!mask)
		propose(a, FB_FAT_AREA, FAT_PM, FB_BASIS_WRITE, "none",
			"no erase block differs in the table");
	else if (a->verdict[FB_ERASE_BLOCK].confidence >= FB_LIKELY &&
		 strtoull(a->verdict[FB_ERASE_BLOCK].value, NULL, 10) ==
		 r->erasesize)
		propose(a, FB_FAT_AREA, FAT_PM, FB_BASIS_WRITE, value,
			"these differ in the table");
	else
		propose(a, FB_FAT_AREA, 1, FB_BASIS_WRITE, "-",
			"candidates %s, but the erase block is not known",
			value);
}

/* ---- geometry ---- */

static void take_geometry(struct answers *a, const struct result *r)
{
	const char *lines = r->verdicts;
	struct verdict v;
	u32 key, basis;

	while ((lines = verdict_next(lines, &v))) {
		for (key = 0; key < FB_NR_VERDICTS; key++)
			if (!strcmp(v.key, fb_verdict_names[key]))
				break;
		if (key == FB_NR_VERDICTS)
			continue;
		for (basis = FB_BASIS_WRITE; basis > FB_BASIS_NONE; basis--)
			if (!strcmp(v.basis, fb_basis_names[basis]))
				break;
		propose(a, key, strtoul(v.confidence, NULL, 10), basis, v.value,
			"%s", v.evidence);
	}
}

static bool has_geometry(const struct archive *archives, size_t n,
			 struct answers *a)
{
	bool found = false;
	size_t i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < archives[i].n; k++) {
			if (archives[i].results[k].kind != RESULT_GEOMETRY)
				continue;
			take_geometry(a, &archives[i].results[k]);
			found = true;
		}
	}
	return found;
}

static void print_answers(FILE *f, struct answers *a)
{
	u32 key;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		struct fb_verdict *v = &a->verdict[key];
		u32 pm = v->confidence;

		if (a->conflict & BIT(key))
			*v = (struct fb_verdict) {
				.evidence = "the results contradict each other",
			};
		else if (!*v->evidence)
			strcpy(v->evidence, "nothing in the results");
		if (v->confidence < FB_LIKELY)
			strcpy(v->value, "-");
		/* the numbers below are only there to rank evidence */
		if (v->confidence < FB_TABLE_LOW)
			pm = 0;
		fprintf(f, "%s\t%s\t%s\t%u\t%s\t%s\n", fb_verdict_names[key],
			v->value, v->confidence >= FB_SURE ? "sure" :
			v->confidence >= FB_LIKELY ? "likely" : "unknown",
			a->conflict & BIT(key) ? 0 : pm,
			fb_basis_names[v->basis], v->evidence);
	}
}

/**
 * analysis() - what results tell of a card
 * @archives: files, all of one card
 * @n: how many
 *
 * Return: verdict lines as of the module, to be freed.
 */
char *analysis(const struct archive *archives, size_t n)
{
	struct answers a = { 0 };
	char *text = NULL;
	size_t i, k, size;
	FILE *f;

	if (!has_geometry(archives, n, &a)) {
		for (i = 0; i < n; i++)
			for (k = 0; k < archives[i].n; k++)
				if (archives[i].results[k].kind == RESULT_ALIGN)
					analyze_align(&a, &archives[i].results[k]);
		for (i = 0; i < n; i++) {
			for (k = 0; k < archives[i].n; k++) {
				const struct result *r = &archives[i].results[k];

				if (r->kind == RESULT_OPEN_AU)
					analyze_open(&a, archives, n, r);
				else if (r->kind == RESULT_FIND_FAT)
					analyze_fat(&a, r);
			}
		}
	}
	f = need_memory(open_memstream(&text, &size));
	print_answers(f, &a);
	fclose(f);
	return need_memory(text);
}
