// SPDX-License-Identifier: GPL-2.0-only
/*
 * plan.c and the tests' own files: what a run would do, without doing it. The
 * names of the checks say which fault of the old command they are about.
 */
#include "make.h"
#include "tap.h"
#include "walk.h"

/* Every test on every kind of target: the walk checks the rest */
static void test_walks(void)
{
	static const char *const line[] = {
		"align", "align count=1 blocksize=8K", "align blocksize=40960",
		"align old-schedule", "align-write old-schedule erasesize=4M",
		"align-write", "align-write erasesize=4M",
		"align-write erasesize=1536K blocksize=64K count=2",
		"align-write erasesize=4M noclose",
		"open-au", "open-au random open-au-nr=5 erasesize=1536K",
		"open-au open-au-nr=3 erasesize=1M noclose count=2",
		"open-au erasesize=16K", "open-au open-au-nr=1 offset=0",
		"find-fat", "find-fat random fat-nr=3 erasesize=3M",
		"find-fat fat-nr=1 blocksize=4M",
		"scatter", "scatter scatter-order=0",
		"scatter scatter-order=3 scatter-span=5 count=3",
		"scatter scatter-order=10 blocksize=8K",
		"interval", "interval interval-order=1",
		"interval interval-order=14 count=1",
	};
	static const u64 size[] = { 64 * MIB, 256 * MIB, 2 * GIB, 40 * GIB,
				    1ULL << 57 };
	static const u32 lbs[] = { 512, 4096 };
	size_t l, s, b, kind;
	static struct fb_plan plan;
	char reason[FB_REASON_LEN];

	for (l = 0; l < ARRAY_SIZE(line); l++) {
		const char *wrong = NULL;
		int walked = 0;

		for (kind = 0; kind < 5 * 2 * 6 && !wrong; kind++) {
			struct fb_geo geo;
			int ret;

			s = kind % 5;
			b = kind / 5 % 2;
			geo = whole(size[s], lbs[b]);
			switch (kind / 10) {
			case 1:		/* a partition */
				geo.disk_start = MIB + 4096;
				break;
			case 2:		/* an odd range */
				geo.range_start = 5 * MIB + 4096;
				geo.range_len -= 7 * MIB + 8192;
				break;
			case 3:
				geo.preserve = true;
				break;
			case 4:
				geo.write_cache = true;
				break;
			case 5:
				geo.disk_start = 4 * GIB - 4096;
				geo.range_start = 4096;
				geo.range_len = 40 * MIB;
				break;
			}
			ret = make(&plan, line[l], &geo, reason);
			if (ret && ret != -ENOSPC && ret != -EINVAL)
				wrong = reason;
			if (ret)
				continue;
			wrong = plan_walk(&plan, 1 + fb_hash(kind) % 9999999);
			walked++;
		}
		if (!tap_ok(walked >= 10 && !wrong, "walk of '%s'", line[l]))
			tap_diag("target %zu: %s; %d walked", kind,
				 wrong ? wrong : "no plan", walked);
	}
}

struct refused {
	const char *line;
	u64 size;
	u32 lbs;
	int ret;
	const char *reason;
};

static void test_refused(void)
{
	static const struct refused c[] = {
		/* no multiple of the logical block */
		{ "align blocksize=1000", GIB, 512, -EINVAL, "blocksize: " },
		{ "align blocksize=512", GIB, 4096, -EINVAL, "blocksize: " },
		{ "align blocksize=6144", GIB, 4096, -EINVAL, "blocksize: " },
		{ "open-au erasesize=4195000", GIB, 512, -EINVAL,
		  "erasesize: " },
		{ "align offset=100", GIB, 512, -EINVAL, "offset: " },
		{ "align offset=512", GIB, 4096, -EINVAL, "offset: " },
		/* one block cannot straddle */
		{ "align blocksize=512", GIB, 512, -EINVAL, "blocksize: " },
		{ "align blocksize=4096", GIB, 4096, -EINVAL, "blocksize: " },
		{ "align-write blocksize=512", GIB, 512, -EINVAL,
		  "blocksize: " },
		/* impossible together */
		{ "open-au blocksize=8M", GIB, 512, -EINVAL, "blocksize: " },
		{ "find-fat blocksize=8M", GIB, 512, -EINVAL, "blocksize: " },
		{ "align-write erasesize=64M", GIB, 512, -EINVAL,
		  "erasesize: " },
		{ "scatter scatter-span=131072", GIB, 512, -EINVAL,
		  "scatter-span: " },
		{ "interval interval-order=18", 400 * GIB, 4096, -EINVAL,
		  "interval-order: " },
		/* the device cannot */
		{ "open-au flush", GIB, 512, -EINVAL, "flush: " },
		{ "open-au fua", GIB, 512, -EINVAL, "fua: " },
		{ "open-au discard", GIB, 512, -EINVAL, "discard: " },
		/* too much */
		{ "align count=1000000", GIB, 512, -EINVAL, "count: " },
		{ "scatter scatter-order=20 count=5", 400 * GIB, 512, -EINVAL,
		  "count: " },
		{ "open-au open-au-nr=4096 erasesize=64M blocksize=512",
		  1ULL << 50, 512, -EINVAL, "count: " },
		/* no room */
		{ "geometry scan", GIB, 65536, -EINVAL, "scan: " },
		{ "align", 0, 512, -ENOSPC, "blocksize: " },
		{ "align", 512, 512, -ENOSPC, "blocksize: " },
		{ "align", 32 << 10, 512, -ENOSPC, "blocksize: " },
		{ "align offset=1G", GIB, 512, -ENOSPC, "blocksize: " },
		{ "align offset=2G", GIB, 512, -ENOSPC, "blocksize: " },
		{ "align offset=18446744073709551104", GIB, 512, -ENOSPC,
		  "blocksize: " },
		{ "open-au", 16 * MIB, 512, -ENOSPC, "open-au-nr: " },
		{ "open-au open-au-nr=8", 256 * MIB, 512, -ENOSPC,
		  "open-au-nr: " },
		{ "open-au offset=2G", GIB, 512, -ENOSPC, "open-au-nr: " },
		{ "open-au offset=18446744073709551104", GIB, 512, -ENOSPC,
		  "open-au-nr: " },
		{ "find-fat", 16 * MIB, 512, -ENOSPC, "fat-nr: " },
		{ "scatter", MIB, 512, -ENOSPC, "scatter-order: " },
		{ "scatter scatter-order=0", 0, 512, -ENOSPC,
		  "scatter-order: " },
		{ "scatter offset=18446744073709551104", GIB, 512, -ENOSPC,
		  "scatter-order: " },
		{ "interval", MIB, 512, -ENOSPC, "interval-order: " },
		{ "interval interval-order=1", 0, 512, -ENOSPC,
		  "interval-order: " },
	};
	static struct fb_plan plan;
	char reason[FB_REASON_LEN];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		struct fb_geo geo = whole(c[i].size, c[i].lbs);
		int ret = make(&plan, c[i].line, &geo, reason);

		if (!tap_ok(ret == c[i].ret &&
			    !strncmp(reason, c[i].reason, strlen(c[i].reason)),
			    "'%s' on %llu bytes is refused", c[i].line,
			    c[i].size))
			tap_diag("got %d, '%s'", ret, reason);
	}
}

static void test_names(void)
{
	tap_ok(!strcmp(fb_opcode_name(FB_READ), "read") &&
	       !strcmp(fb_opcode_name(FB_WRITE), "write") &&
	       !strcmp(fb_opcode_name(FB_DISCARD), "discard") &&
	       !strcmp(fb_opcode_name(FB_FLUSH), "flush"),
	       "operations have the names of .samples");
}

/* fua, flush and discard where the device can, and where the mode cannot */
static void test_abilities(void)
{
	static struct fb_plan plan;
	char reason[FB_REASON_LEN];
	struct fb_geo geo = whole(GIB, 512);
	u64 plain, timed;

	geo.write_cache = true;
	geo.max_discard = 64 << 20;
	geo.discard_granularity = 1 << 20;
	make_ok(&plan, "open-au", &geo);
	plain = plan.total.ios;
	timed = plan.nsamples;
	tap_ok(make_ok(&plan, "open-au flush fua", &geo) &&
	       !plan_walk(&plan, 7) && plan.nsamples == 2 * timed &&
	       plan.total.ios == plain + timed,
	       "flush: each write is followed by one, timed apart");
	tap_ok(make_ok(&plan, "open-au discard", &geo) &&
	       !plan_walk(&plan, 7) && plan.total.ios == plain &&
	       plan.total.discarded_bytes, "discard closes erase blocks");
	tap_ok(make_ok(&plan, "open-au noclose", &geo) &&
	       !plan_walk(&plan, 7) && plan.total.ios < plain,
	       "noclose closes none");
	tap_ok(make(&plan, "open-au discard noclose", &geo, reason) == -EINVAL,
	       "discard and noclose contradict each other");
	tap_ok(make(&plan, "open-au discard erasesize=1536K", &geo, reason) ==
	       -EINVAL, "discard of what is no multiple of the granularity");
	geo.preserve = true;
	tap_ok(make(&plan, "open-au discard", &geo, reason) == -EINVAL,
	       "preserve never discards");
	tap_ok(make_ok(&plan, "open-au", &geo) && !plan_walk(&plan, 7) &&
	       plan.total.read_bytes >= plan.total.written_bytes,
	       "preserve reads what it writes");
}

/* "the largest that fits is N": N does, N + 1 does not */
static void test_largest(const char *format, int many,
			 const struct fb_geo *geo)
{
	static struct fb_plan plan;
	char line[FB_LINE_LEN], reason[FB_REASON_LEN];
	const char *number;
	int fits = -1, ret;

	snprintf(line, sizeof(line), format, many);
	ret = make(&plan, line, geo, reason);
	number = strstr(reason, "the largest that fits is ");
	if (number)
		fits = atoi(number + strlen("the largest that fits is "));
	snprintf(line, sizeof(line), format, fits);
	tap_ok(ret == -ENOSPC && fits > 0 && make_ok(&plan, line, geo) &&
	       !plan_walk(&plan, 1000), "'%s' on %llu bytes fits as promised",
	       line, geo->range_len);
	snprintf(line, sizeof(line), format, fits + 1);
	tap_ok(make(&plan, line, geo, reason) == -ENOSPC,
	       "'%s' on %llu bytes does not", line, geo->range_len);
}

static void test_promises(void)
{
	static const struct {
		const char *format;
		int many;
	} c[] = {
		{ "open-au open-au-nr=%d", 60 },
		{ "open-au open-au-nr=%d erasesize=1536K", 60 },
		{ "find-fat fat-nr=%d", 60 },
		{ "find-fat fat-nr=%d erasesize=3M", 60 },
		{ "scatter scatter-order=%d", 18 },
		{ "scatter scatter-order=%d scatter-span=9 count=1", 18 },
		{ "interval interval-order=%d count=3", 18 },
	};
	static const u64 size[] = { 64 * MIB, 64 * MIB - 512, 20 * MIB };
	struct fb_geo geo;
	size_t i, s;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		for (s = 0; s < ARRAY_SIZE(size); s++) {
			geo = whole(size[s], 512);
			test_largest(c[i].format, c[i].many, &geo);
		}
		geo = whole(GIB, 512);
		geo.disk_start = MIB;
		geo.range_start = 8 * MIB + 512;
		geo.range_len = 48 * MIB;
		test_largest(c[i].format, c[i].many, &geo);
	}
}

static bool align_size(u64 size)
{
	while (size % 2 == 0)
		size /= 2;
	return size == 1 || size == 3 || size == 9;
}

/* Each timed read of a row is before, across or after one of its boundaries */
static bool align_row_right(const struct fb_plan *plan, u32 group, u32 *seen)
{
	u64 size = plan->rows[group], ops, i;
	const struct fb_test *t = plan->params.test;
	struct fb_op op;

	ops = t->group_ops(plan, group);
	for (i = 0; i < ops; i++) {
		u64 start, end, inside;

		t->op(plan, group, i, &op);
		if (!op.timed)
			continue;
		start = plan->geo.disk_start + op.offset;
		end = start + op.length;
		inside = size - start % size;	/* to the next boundary */
		seen[op.point % 3]++;
		switch (op.point % 3) {
		case 0:
			if (end % size)
				return false;
			break;
		case 1:
			if (inside >= op.length || !inside ||
			    inside % plan->geo.logical_block ||
			    inside > (end - start) / 2)
				return false;
			break;
		case 2:
			if (start % size)
				return false;
			break;
		}
	}
	return true;
}

static void check_align(const char *line, const struct fb_geo *geo,
			const char *what)
{
	static struct fb_plan plan;
	u32 seen[3] = { 0 }, g;
	bool ok = make_ok(&plan, line, geo);
	u64 blocksize = plan.params.val[FB_KEY_BLOCKSIZE];

	for (g = 0; ok && g < plan.ngroups; g++) {
		ok &= align_size(plan.rows[g]);
		ok &= plan.rows[g] >= 2 * blocksize;
		ok &= !g || plan.rows[g] < plan.rows[g - 1];
		ok &= align_row_right(&plan, g, seen);
	}
	ok &= seen[0] && seen[0] == seen[1] && seen[1] == seen[2];
	ok &= !plan_walk(&plan, 1000000);
	tap_ok(ok, "%s: %s", line, what);
}

/*
 * The boundaries of a row are different ones, multiples of its size that no
 * larger structure shares if there are such, and accesses to one position are
 * as far apart as there are positions.
 */
static bool align_row_random(const struct fb_plan *plan, u32 group)
{
	const struct fb_test *t = plan->params.test;
	u64 size = plan->rows[group], n = 0, turn, k, i;
	u64 before = plan->params.val[FB_KEY_BLOCKSIZE], which[12];
	u32 at[12], placed[12] = { 0 }, first = 0;
	struct fb_op op;

	for (i = 1; i < t->group_ops(plan, group); i++) {
		t->op(plan, group, i, &op);
		n = max_t(u64, n, op.pos + 1);
	}
	if (n != 12)
		return n && plan->geo.range_len / size < 14;
	for (i = 1; i < t->group_ops(plan, group); i++) {
		t->op(plan, group, i, &op);
		turn = (i - 1) % n;
		k = (plan->geo.disk_start + op.offset + before) / size;
		if (i <= n)
			at[turn] = op.pos;
		if (at[turn] != op.pos)
			return false;
		if (i <= n)
			first |= 1u << op.point % 3;
		/* a place comes once in three passes */
		if ((i - 1) / n % 3 == 0)
			placed[op.pos] = 0;
		if (placed[op.pos] & 1u << op.point % 3)
			return false;
		placed[op.pos] |= 1u << op.point % 3;
		if (plan->geo.range_len / size > 1000 &&
		    (!(k % 2) || !(k % 3) || !(k % 5) || !(k % 7)))
			return false;
		which[op.pos] = k;
	}
	for (i = 1; i < n; i++)
		if (which[i] <= which[i - 1])
			return false;
	/* not the same place first everywhere */
	return first & (first - 1);
}

static void test_align_random(const char *line, const struct fb_geo *geo)
{
	static struct fb_plan plan;
	bool ok = make_ok(&plan, line, geo);
	u32 g;

	for (g = 0; ok && g < plan.ngroups; g++)
		ok &= align_row_random(&plan, g);
	tap_ok(ok, "%s: random places and orders", line);
}

/* The old command's: seven in a row, one place after the other */
static void test_align_old(void)
{
	static struct fb_plan plan;
	struct fb_geo geo = whole(GIB, 512);
	struct fb_op op;
	u64 i, start;
	bool ok = make_ok(&plan, "align old-schedule count=2", &geo);
	u32 g = plan.ngroups - 1;	/* 32 KiB */

	for (i = 0; ok && i < 42; i++) {
		fb_test_align.op(&plan, g, 1 + i, &op);
		/* as far apart as the largest row with seven has them */
		start = 32768 + i % 7 * 128 * MIB -
			(2 - i / 7 % 3) * 8192;
		ok &= op.offset == start && op.pos == i % 7 &&
		      op.point % 3 == i / 7 % 3;
	}
	tap_ok(ok, "align old-schedule: the places of the old command");
}

static void test_align(void)
{
	static struct fb_plan plan;
	struct fb_geo geo = whole(GIB, 512);
	u64 want[] = { 768 * MIB, 576 * MIB, 512 * MIB, 384 * MIB, 288 * MIB };

	check_align("align", &geo, "places round each boundary");
	check_align("align blocksize=1024", &geo, "straddles at a sector");
	check_align("align blocksize=1536", &geo, "straddles at a sector");
	check_align("align blocksize=2560", &geo, "straddles at a sector");
	check_align("align-write blocksize=2560", &geo, "straddles at a sector");
	tap_ok(make_ok(&plan, "align", &geo) &&
	       !memcmp(plan.rows, want, sizeof(want)) &&
	       plan.rows[plan.ngroups - 1] == 32768,
	       "align: the largest size first, down to 2 blocks");
	geo = whole(40 * GIB, 4096);
	check_align("align blocksize=12K", &geo, "straddles at 4 KiB");
	check_align("align offset=5G", &geo, "beyond 4 GiB");
	geo.disk_start = 3 * GIB + 8 * MIB + 4096;
	check_align("align", &geo, "boundaries are those of the disk");
	geo.range_start = 37 * GIB + 4096;
	geo.range_len = GIB;
	check_align("align", &geo, "inside a range");
	check_align("align-write erasesize=4M", &geo, "inside a range");
	test_align_random("align count=3 blocksize=8K", &geo);
	geo = whole(4 * GIB, 512);
	test_align_random("align count=3 blocksize=1K", &geo);
	test_align_random("align-write count=2 blocksize=8K seed=7", &geo);
	test_align_old();
	/* three chains of sizes, none of them lost on the largest device */
	geo = whole((1ULL << 63) - 512, 512);
	check_align("align blocksize=1K count=1", &geo, "2^63 bytes");
}

/*
 * A row of open-au: each erase block is written from end to end, once for
 * each repetition, nothing else is, and they begin at multiples of their size.
 */
static bool open_au_row_right(const struct fb_plan *plan, u32 group)
{
	u64 erasesize = plan->params.val[FB_KEY_ERASESIZE];
	u64 nr = plan->params.val[FB_KEY_OPEN_AU_NR];
	u64 blocks = erasesize / plan->rows[group];
	const struct fb_test *t = plan->params.test;
	u64 ops = t->group_ops(plan, group), i;
	u32 *count = calloc(nr * blocks, sizeof(*count));
	bool ok = true;

	for (i = 0; ok && i < ops; i++) {
		u64 at, nth;
		struct fb_op op;

		t->op(plan, group, i, &op);
		if (!op.timed)
			continue;
		at = op.offset - plan->start;
		nth = at / (12 * erasesize);
		at -= nth * 12 * erasesize;
		ok &= nth < nr && at < erasesize && op.length ==
		      plan->rows[group] && at % op.length == 0;
		if (ok)
			count[nth * blocks + at / op.length]++;
	}
	for (i = 0; ok && i < nr * blocks; i++)
		ok &= count[i] == plan->params.val[FB_KEY_COUNT];
	free(count);
	return ok;
}

static void check_open_au(const char *line, const struct fb_geo *geo,
			  u64 start, const u64 *rows, u32 nrows)
{
	static struct fb_plan plan;
	bool ok = make_ok(&plan, line, geo) && plan.start == start &&
		  !plan_walk(&plan, 1000000);
	u32 g;

	for (g = 0; ok && g < plan.ngroups; g++)
		ok &= open_au_row_right(&plan, g);
	if (rows)
		ok &= plan.ngroups == nrows &&
		      !memcmp(plan.rows, rows, nrows * sizeof(*rows));
	if (!tap_ok(ok, "%s", line))
		tap_diag("from %llu on, row %u of %u", plan.start, g,
			 plan.ngroups);
}

static void test_open_au(void)
{
	static const u64 kib4096[] = {
		4096 << 10, 2048 << 10, 1024 << 10, 512 << 10, 256 << 10,
		128 << 10, 64 << 10, 32 << 10, 16 << 10
	};
	static const u64 kib1536[] = {
		1536 << 10, 768 << 10, 384 << 10, 192 << 10, 96 << 10,
		48 << 10, 24 << 10
	};
	static const u64 kib4128[] = {
		4128 << 10, 2064 << 10, 1032 << 10, 516 << 10, 258 << 10,
		129 << 10, 132096 / 2
	};
	struct fb_geo geo = whole(40 * GIB, 512);

	check_open_au("open-au", &geo, 16 * MIB, kib4096, 9);
	check_open_au("open-au random open-au-nr=7", &geo, 16 * MIB, kib4096,
		      9);
	check_open_au("open-au offset=0", &geo, 0, kib4096, 9);
	check_open_au("open-au erasesize=1572864 blocksize=16384 random", &geo,
		      17301504, kib1536, 7);
	check_open_au("open-au erasesize=4128K blocksize=64K", &geo,
		      4 * 4227072, kib4128, 7);
	check_open_au("open-au erasesize=512 blocksize=512", &geo, 16 * MIB,
		      (u64[]){ 512 }, 1);
	/* 32-bit offsets: 64 places of 65, and 24 MiB blocks out of step */
	check_open_au("open-au erasesize=16M open-au-nr=65 blocksize=1M", &geo,
		      16 * MIB, NULL, 0);
	check_open_au("open-au erasesize=24M open-au-nr=100 blocksize=3M", &geo,
		      24 * MIB, NULL, 0);
	/* more than 65535 blocks in random order */
	check_open_au("open-au erasesize=32M open-au-nr=1 blocksize=512 random",
		      &geo, 32 * MIB, NULL, 0);
	check_open_au("open-au erasesize=64M open-au-nr=1 blocksize=512 random",
		      &geo, 64 * MIB, NULL, 0);
	check_open_au("open-au open-au-nr=3 count=4 erasesize=1M random", &geo,
		      16 * MIB, NULL, 0);
	/* a multiple of the erase size on the disk, not in the partition */
	geo.disk_start = 1024 * 1024;
	check_open_au("open-au", &geo, 19 * MIB, kib4096, 9);
	geo.range_start = 100 * MIB + 512;
	geo.range_len = GIB;
	check_open_au("open-au", &geo, 103 * MIB, kib4096, 9);
}

/* The order of all operations as one number */
static u64 order_of(const char *line, const struct fb_geo *geo)
{
	static struct fb_plan plan;
	struct fb_cursor c;
	struct fb_op op;
	u64 hash = 0;

	if (!make_ok(&plan, line, geo))
		return 0;
	fb_cursor_init(&c);
	while (fb_cursor_next(&plan, &c, &op))
		hash = fb_hash(hash ^ op.offset ^ op.length ^
			       (u64)op.opcode << 60 ^ (u64)op.timed << 59);
	return hash;
}

static void test_seeds(void)
{
	static const char *const line[] = {
		"open-au", "open-au random open-au-nr=4", "find-fat random",
		"scatter", "align", "align-write"
	};
	struct fb_geo geo = whole(GIB, 512);
	char other[FB_LINE_LEN];
	size_t i;
	u64 seed, first;

	for (i = 0; i < ARRAY_SIZE(line); i++) {
		bool differ = false;

		first = order_of(line[i], &geo);
		tap_ok(first && first == order_of(line[i], &geo),
		       "'%s' twice: the same operations", line[i]);
		for (seed = 2; seed < 10; seed++) {
			snprintf(other, sizeof(other), "%s seed=%llu", line[i],
				 seed);
			differ |= order_of(other, &geo) != first;
		}
		tap_ok(differ, "'%s' with other seeds: other orders", line[i]);
	}
	tap_ok(order_of("align old-schedule", &geo) ==
	       order_of("align old-schedule seed=2", &geo),
	       "align old-schedule has no random order");
}

int main(void)
{
	test_refused();
	test_names();
	test_abilities();
	test_promises();
	test_align();
	test_open_au();
	test_seeds();
	test_walks();
	return tap_done();
}
