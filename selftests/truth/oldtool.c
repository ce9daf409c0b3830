// SPDX-License-Identifier: GPL-2.0-only
/*
 * The old command on the same cards: its schedule, and its tables read by the
 * table interpreter. For open erase blocks it is told the right erase block,
 * and somebody watches it who runs it with one more of them each time, breaks
 * off what has become slow, and knows when to stop.
 */
#include "interpret.h"
#include "truth.h"

#define READ_SIZE	1024u
#define PLACES		7
#define COUNT		8
#define MAX_ROWS	40

#define WRITE_SIZE	16384u
#define FIRST_BLOCK	(16 * MIB)
#define STEP_BLOCKS	12	/* from one open erase block to the next */
#define MOST_OPEN	48
#define MOST_BYTES	(32 * 1024 * MIB)	/* then patience is at its end */
#define MAX_OPEN_ROWS	1024

static struct fb_open_row open_row[MAX_OPEN_ROWS];

static u64 timed(struct truth_model *m, enum fb_opcode opcode, u64 off,
		 u32 len)
{
	const struct fb_ask op = {
		.opcode = opcode, .offset = off, .length = len,
	};
	u64 start = m->now;
	u64 ns = truth_model_do(m, &op);

	m->cost.reads += opcode == FB_READ;
	m->cost.writes += opcode == FB_WRITE;
	if (opcode == FB_WRITE)
		m->cost.written += len;
	m->cost.ns += m->now - start;
	return ns;
}

/* Means over the places of the smallest of several times */
static void align_one(struct truth_model *m, u64 size, u64 step,
		      struct fb_align_row *row)
{
	u64 best[3][PLACES], sum[3] = { 0 }, off;
	u32 k, place, which;

	memset(best, 0xff, sizeof(best));
	for (k = 0; k < COUNT * 3 * PLACES; k++) {
		place = k % PLACES;
		which = k / PLACES % 3;
		off = size + place * step - (2 - which) * READ_SIZE / 2;
		off %= m->card->cfg.size;
		if (off + READ_SIZE > m->card->cfg.size)
			off = 0;
		best[which][place] = min(best[which][place],
					 timed(m, FB_READ, off, READ_SIZE));
	}
	for (which = 0; which < 3; which++)
		for (place = 0; place < PLACES; place++)
			sum[which] += best[which][place];
	*row = (struct fb_align_row) {
		.align = size,
		.pre = sum[0] / PLACES,
		.on = sum[1] / PLACES,
		.post = sum[2] / PLACES,
	};
}

static enum truth_grade grade_align(const struct truth_card *c,
				    enum fb_verdict_key key, u64 value,
				    u32 confidence)
{
	const struct fb_verdict v = {
		.number = value, .confidence = confidence,
	};

	return truth_grade(c, key, &v, false);
}

/**
 * truth_old_align() - run the old command's reading test
 * @c: the card
 * @r: gets the grades and the cost
 */
void truth_old_align(const struct truth_card *c, struct truth_old *r)
{
	struct fb_align_row row[MAX_ROWS];
	struct fb_align_answer a;
	struct truth_model m;
	u64 size, step = READ_SIZE;
	u32 n = 0;

	if (truth_model_open(&m, c))
		exit(2);
	while (step <= c->cfg.size / 6)
		step *= 2;
	for (size = step; size >= 2 * READ_SIZE && n < MAX_ROWS; size /= 2)
		align_one(&m, size, step, &row[n++]);
	fb_interpret_align(row, n, &a);
	r->grade[FB_ERASE_BLOCK] =
		grade_align(c, FB_ERASE_BLOCK, a.erase,
			    a.why == FB_TABLE_TELLS ? FB_LIKELY : 0);
	r->grade[FB_SUPER_PAGE] =
		grade_align(c, FB_SUPER_PAGE, a.super_page,
			    a.super_page ? FB_LIKELY : 0);
	r->grade[FB_PAGE] = grade_align(c, FB_PAGE, a.page,
					a.page ? FB_LIKELY : 0);
	r->align = m.cost;
	truth_model_close(&m);
}

/* The rate at which @nr erase blocks are filled, turn by turn */
static u64 open_rate(struct truth_model *m, u32 nr, u32 size)
{
	const u64 erase = m->card->cfg.erase;
	u64 first = (FIRST_BLOCK + erase - 1) / erase * erase;
	u64 ns = 0, done;
	u32 i;

	for (done = 0; done < erase; done += size)
		for (i = nr; i-- > 0;)
			ns += timed(m, FB_WRITE, first + done +
				    (u64)i * STEP_BLOCKS * erase, size);
	return ns ? nr * erase * NSEC_PER_SEC / ns : 0;
}

/* The rate that the last run had with this block; 0: it had not got there */
static u64 rate_before(u32 rows, u32 nr, u64 block)
{
	while (rows-- > 0)
		if (open_row[rows].nr == nr && open_row[rows].block == block)
			return open_row[rows].rate[0];
	return 0;
}

/* One run of the command; broken off when it has become slow */
static bool open_run(struct truth_model *m, u32 nr, u32 *rows)
{
	u64 size = m->card->cfg.erase;
	u64 rate, before;

	for (; size >= WRITE_SIZE && *rows < MAX_OPEN_ROWS; size /= 2) {
		rate = open_rate(m, nr, size);
		before = rate_before(*rows, nr - 1, size);
		open_row[(*rows)++] = (struct fb_open_row) {
			.nr = nr, .block = size, .n = 1, .rate = { rate },
		};
		if (4 * rate < before || size % 1024)
			return false;
	}
	return true;
}

/**
 * truth_old_open() - run the old command's test of open erase blocks
 * @c: the card
 * @r: gets the grade and the cost
 *
 * With more and more of them, in linear order.
 */
void truth_old_open(const struct truth_card *c, struct truth_old *r)
{
	u64 most = (c->cfg.size - FIRST_BLOCK) / c->cfg.erase / STEP_BLOCKS;
	struct fb_open_answer a = { 0 };
	struct fb_verdict v = { .value = "-" };
	struct truth_model m;
	u32 nr, rows = 0;

	if (truth_model_open(&m, c))
		exit(2);
	for (nr = 1; nr <= min_t(u64, most, MOST_OPEN); nr++) {
		open_run(&m, nr, &rows);
		fb_interpret_open(open_row, rows, c->cfg.erase, &a);
		if (a.kind == FB_OPEN_LIMIT || m.cost.written > MOST_BYTES)
			break;
	}
	if (a.kind == FB_OPEN_LIMIT && a.thrashes == a.fits + 1) {
		v.number = a.fits;
		v.confidence = FB_LIKELY;
	} else if (a.kind == FB_OPEN_NO_LIMIT && nr > MOST_OPEN) {
		strcpy(v.value, "no_limit");
		v.confidence = FB_LIKELY;
	}
	r->grade[FB_OPEN_LINEAR] = truth_grade(c, FB_OPEN_LINEAR, &v, true);
	m.cost.evictions = m.ftl->totals.evictions;
	m.cost.programmed = m.ftl->totals.programmed_bytes;
	r->open = m.cost;
	truth_model_close(&m);
}
