// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flash translation layer: what each operation costs, to the nanosecond.
 */
#include "check.h"
#include "config.h"
#include "tap.h"

#define MS	1000000ull
#define US	1000ull

static struct ftl *card;
static u64 now;

/* A small card with round costs, but for what @more says */
static void make(const char *more)
{
	static const char * const usual[] = {
		"size=64M", "erase=1M", "page=4K", "planes=2", "read_bps=0",
		"write_bps=0", "read_ns=100us", "write_ns=1ms",
	};
	static struct fsim_config cfg;
	char text[512], reason[FSIM_REASON_LEN] = "";
	size_t i, len;

	/* a blank before every key of it, so that size is not in map_size */
	len = scnprintf(text, sizeof(text), " %s", more);
	for (i = 0; i < ARRAY_SIZE(usual); i++) {
		char key[16] = " ";

		strncat(key, usual[i], strcspn(usual[i], "=") + 1);
		if (!strstr(text, key))
			len += scnprintf(text + len, sizeof(text) - len, " %s",
					 usual[i]);
	}
	ftl_destroy(card);
	card = NULL;
	now = 0;
	if (fsim_config_parse(&cfg, text, reason)) {
		printf("Bail out! %s: %s\n", text, reason);
		exit(1);
	}
	card = ftl_create(&cfg.ftl);
	if (!card)
		exit(1);
}

static u64 step(u64 ns)
{
	const char *wrong = check_card(card);

	if (wrong)
		tap_ok(false, "after %llu writes: %s", card->totals.writes,
		       wrong);
	now += ns;
	return ns;
}

static u64 rd(u64 off, u64 len)
{
	return step(ftl_read(card, now, off, len));
}

static u64 wr(u64 off, u64 len)
{
	return step(ftl_write(card, now, off, len));
}

static void test_reads(void)
{
	make("cross_page_ns=1us cross_super_ns=20us cross_erase_ns=300us "
	     "zone=4M cross_zone_ns=4ms");
	tap_is("in a page", 100 * US, rd(512, 1024));
	tap_is("across a page", 101 * US, rd(4096 - 512, 1024));
	tap_is("across a multi-plane page", 121 * US, rd(8192 - 512, 1024));
	tap_is("across an erase block", 421 * US, rd((1 << 20) - 512, 1024));
	tap_is("across a zone", 4421 * US, rd((4 << 20) - 512, 1024));
	tap_is("32 KiB: 7 pages, 3 of them multi-plane", 167 * US,
	       rd(0, 32768));
	tap_is("the last sector", 100 * US, rd((64 << 20) - 512, 512));

	make("read_bps=1M");
	tap_is("the transfer", 100 * US + 512 * MS / 1000, rd(0, 512));

	make("erase=1536K planes=3 cross_super_ns=20us cross_erase_ns=300us");
	tap_is("three planes", 120 * US, rd(12288 - 512, 1024));
	tap_is("not at two", 100 * US, rd(8192 - 512, 1024));
	tap_is("1.5 MiB", 420 * US, rd((1536 << 10) - 512, 1024));
	tap_is("not at 1 MiB", 100 * US, rd((1 << 20) - 512, 1024));
	tap_is("3 MiB", 420 * US, rd((3 << 20) - 512, 1024));

	make("erase=4128K planes=1 cross_erase_ns=300us");
	tap_is("4128 KiB", 400 * US, rd(4128 * 1024 - 512, 1024));
	make("shift=64K cross_erase_ns=300us");
	tap_is("shifted", 400 * US, rd((64 << 10) - 512, 1024));
	tap_is("also the second", 400 * US, rd((1088 << 10) - 512, 1024));
	tap_is("and not in between", 100 * US, rd((1 << 20) - 512, 1024));
}

static void test_places(void)
{
	make("first_super_ns=1us last_super_ns=-2us first_erase_ns=10us "
	     "last_erase_ns=-20us");
	tap_is("first page of a multi-plane page", 101 * US, rd(8192, 512));
	tap_is("last one", 98 * US, rd(8192 + 4096, 512));
	tap_is("first page of a block", 111 * US, rd(1 << 20, 512));
	tap_is("last one", 78 * US, rd((1 << 20) - 512, 512));
	tap_is("the dearest counts", 111 * US, rd((1 << 20) - 512, 1024));
	make("slope_ns=256us");
	tap_is("the slope begins with nothing", 100 * US, rd(0, 512));
	tap_is("and grows by the page", 101 * US, rd(4096, 512));
	tap_is("to the end", 355 * US, rd((1 << 20) - 512, 512));
	make("pattern_ns=0:5us:-7us");
	tap_is("a pattern", 105 * US, rd(4096, 512));
	tap_is("of three", 93 * US, rd(8192, 512));
	tap_is("repeats", 100 * US, rd(12288, 512));
	make("written=1M+1M unwritten_ns=9us");
	tap_is("nothing was written here", 9 * US, rd(0, 4096));
	tap_is("but here", 100 * US, rd(1 << 20, 4096));
	wr(0, 512);
	tap_is("and now here, too", 100 * US, rd(2048, 512));
	make("buffer_ns=3us");
	rd(0, 512);
	tap_is("the page buffer", 3 * US, rd(4096, 512));
	tap_is("holds one multi-plane page", 100 * US, rd(8192, 512));
	make("map_size=8M map_slots=2 map_miss_ns=1ms");
	rd(0, 512);
	tap_is("the map is in memory", 100 * US, rd(4096, 512));
	rd(8 << 20, 512);
	tap_is("two pieces of it", 100 * US, rd(4096, 512));
	rd(16 << 20, 512);
	tap_is("not three", 1100 * US, rd(8 << 20, 512));
	make("idle_ns=10ms wake_ns=2ms");
	rd(0, 512);
	tap_is("awake", 100 * US, rd(0, 512));
	now += 10 * MS;
	tap_is("asleep", 2100 * US, rd(0, 512));
}

/* 256 pages of 4 KiB copied at 4096 MB/s are 256 us */
#define COPY	"copy_bps=4096M gc=5ms "

static void test_eviction(void)
{
	u32 i;

	make(COPY "open=2");
	tap_is("one", MS, wr(0, 4096));
	tap_is("two", MS, wr(2 << 20, 4096));
	tap_is("again", MS, wr(4096, 4096));
	tap_is("a third closes the second", 6 * MS + 255 * US,
	       wr(4 << 20, 4096));
	tap_is("the first is still open", MS, wr(8192, 4096));
	tap_is("that copied 255 pages", 255 * 4096, card->totals.copied_bytes);
	tap_is("and erased the block", 1, card->erased[2]);
	for (i = 3; i < 256; i++)
		wr(i * 4096, 4096);
	tap_is("full, it is closed for nothing", 1,
	       card->totals.switch_merges);
	tap_is("and leaves its place", 1, ftl_streams(card));
	tap_is("to another", MS, wr(6 << 20, 4096));

	make(COPY "open=1");
	for (i = 0; i < 20; i++)
		wr((u64)i << 20, 1 << 20);
	tap_is("whole blocks never collect", 20 * MS, card->totals.busy_ns);
	/* of the one before it the last page is new, so 255 are old */
	tap_is("a write over two blocks opens and closes both",
	       6 * MS + 255 * US, wr((3 << 20) - 4096, 8192));

	make(COPY "open=2 written=none");
	wr(0, 4096);
	wr(2 << 20, 4096);
	tap_is("nothing valid, nothing to copy", 6 * MS, wr(4 << 20, 4096));

	make(COPY "open=2 replace=fifo");
	wr(0, 4096);
	wr(2 << 20, 4096);
	wr(4096, 4096);
	wr(4 << 20, 4096);
	tap_is("first in, first out", 6 * MS + 255 * US, wr(8192, 4096));
}

static void test_order(void)
{
	u32 i;

	make(COPY "open=3 open_random=1");
	wr(0, 4096);
	tap_is("out of order", MS, wr(16384, 4096));
	wr(1 << 20, 4096);
	/* a full merge copies the new pages, too */
	tap_is("a second one closes the first", 6 * MS + 256 * US,
	       wr((1 << 20) + 16384, 4096));
	tap_is("as a full merge", 1, card->totals.full_merges);

	make(COPY "open=3 open_random=0 ");
	wr(0, 4096);
	tap_is("no random writing at all", 6 * MS + 255 * US,
	       wr(16384, 4096));
	make(COPY "open=3 jump_ns=50us");
	wr(0, 4096);
	tap_is("a jump", MS + 50 * US, wr(16384, 4096));
	make(COPY "open=3");
	wr(4096, 4096);
	wr(8192, 4096);
	tap_is("from the start again", MS, wr(0, 4096));
	tap_is("is no jump", 0, card->nrandom);

	make(COPY "open=1");
	wr(4096, 4096);
	wr(0, 4096);
	wr(16384, 4096);
	for (i = 0; i < 254; i++)
		wr(32768, 4096);
	tap_is("the log block is not full", 0, card->totals.full_merges);
	wr(32768, 4096);
	tap_is("now it is, and merged", 1, card->totals.full_merges);

	make(COPY "open=1 fat=0:5");
	wr(0, 4096);
	wr(5 << 20, 4096);
	wr(1 << 20, 4096);
	tap_is("FAT blocks do not count", MS, wr(16384, 4096));
	tap_is("none of them", MS, wr((5 << 20) + 16384, 4096));
	tap_is("nor evict", MS, wr((1 << 20) + 4096, 4096));
	tap_is("others do", 6 * MS + 254 * US, wr(2 << 20, 4096));
}

static void test_small(void)
{
	make("subpage_ns=10us unaligned=1ms switch_ns=100us pad_ns=200us");
	tap_is("a whole unit", MS, wr(0, 4096));
	tap_is("half a unit", MS + 10 * US, wr(4096, 2048));
	tap_is("the other half", MS + 10 * US, wr(6144, 2048));
	tap_is("half and half, in one multi-plane page", 2 * MS + 20 * US,
	       wr((1 << 20) + 2048, 4096));
	make("subpage_ns=10us unaligned=1ms");
	tap_is("across two of them", MS + 20 * US, wr(8192 - 512, 1024));
	tap_is("aligned, one and a half", MS + 10 * US, wr(16384, 6144));
	make("switch_ns=100us pad_ns=200us subpage_ns=10us");
	wr(0, 8192);
	tap_is("another block", MS + 100 * US, wr(1 << 20, 4096));
	tap_is("and back, leaving half a multi-plane page", MS + 300 * US,
	       wr(8192, 4096));
	tap_is("which hides the small write", MS + 300 * US,
	       wr((1 << 20) + 4096, 512));
	make("program=8K subpage_ns=10us");
	tap_is("a program unit of its own", MS + 10 * US, wr(0, 4096));
}

static void test_log(void)
{
	u32 i;

	make("log=1000 log_half=1 log_window=1M open=1");
	tap_is("one stream", MS, wr(0, 4096));
	tap_is("two: half of the gain", 1500 * US, wr(2 << 20, 4096));
	tap_is("out of order is no matter", 1500 * US, wr(65536, 4096));
	tap_is("three: two thirds", 1666 * US, wr(4 << 20, 4096));
	for (i = 0; i < 300; i++)
		wr((4 << 20) + i % 256 * 4096, 4096);
	tap_is("old streams are forgotten", 1, ftl_streams(card));
	tap_is("nothing is ever collected", 0, card->totals.evictions);
	make("log=1000 log_half=1 log_ns=10us");
	wr(0, 4096);
	wr(2 << 20, 4096);
	tap_is("a limit for each stream", MS + 20 * US, wr(4 << 20, 4096));
}

static void test_memory(void)
{
	make("cache=64K cache_bps=4096M write_ns=1us write_bps=4096k");
	tap_is("into the cache", 2 * US, wr(0, 4096));
	tap_is("is not programmed", 1, card->totals.writes);
	tap_is("until the flush: 1 ms and 1 us less", 999 * US,
	       ftl_flush(card, now));
	tap_is("which is all", 0, ftl_flush(card, now));
	for (now = 0; now < 16; now++)
		ftl_write(card, 0, now * 4096, 4096);
	tap_is("a full cache makes room first", 1001 * US, wr(1 << 20, 4096));
	tap_is("a large write goes past it", 32001 * US,
	       wr(1 << 20, 128 << 10));
	card->cache_off = true;
	tap_is("as do all when it is off", 1001 * US, wr(2 << 20, 4096));

	make("slc=8K slc_bps=4096k slc_drain_bps=4096k write_bps=2048k");
	tap_is("the burst area", 2 * MS, wr(0, 4096));
	tap_is("has room for two", 2 * MS, wr(4096, 4096));
	now += MS / 2;
	tap_is("and a half", 2500 * US, wr(8192, 4096));
	now += 10 * MS;
	tap_is("and all when it is empty again", 2 * MS, wr(12288, 4096));
}

static void test_noise(void)
{
	static u64 ns[1000];
	u32 i, low = 0, out = 0, same = 0;

	make("noise=uniform:100");
	for (i = 0; i < 1000; i++) {
		ns[i] = rd(0, 512);
		out += ns[i] < 90 * US || ns[i] > 110 * US;
		low += ns[i] < 100 * US;
	}
	tap_is("uniform noise stays in its limits", 0, out);
	tap_ok(low > 400 && low < 600, "and in the middle: %u of 1000", low);
	make("noise=uniform:100");
	for (i = 0; i < 1000; i++)
		same += ns[i] == rd(0, 512);
	tap_is("the same seed, the same noise", 1000, same);
	make("noise=uniform:100 seed=2");
	for (i = 0, same = 0; i < 1000; i++)
		same += ns[i] == rd(0, 512);
	tap_ok(same < 20, "another seed, another noise");
	make("noise=lognormal:200");
	for (i = 0, low = 0, out = 0; i < 1000; i++) {
		ns[i] = rd(0, 512);
		low += ns[i] < 100 * US;
		out += ns[i] > 122140;	/* e^0.2 */
	}
	tap_ok(low > 450 && low < 550, "lognormal: half is lower: %u", low);
	tap_ok(out > 120 && out < 200, "a sixth beyond sigma: %u", out);
	make("outlier_ppm=10000 outlier_pm=50000");
	for (i = 0, out = 0; i < 10000; i++)
		out += rd(0, 512) == 5 * MS;
	tap_ok(out > 70 && out < 130, "one in a hundred an outlier: %u", out);
	make("last_erase_ns=1ms lucky=100");
	for (i = 0, low = 0; i < 10000; i++)
		low += rd((1 << 20) - 512, 512) == 100 * US;
	tap_ok(low > 70 && low < 130, "one in a hundred is lucky: %u", low);
	make("scatter=100");
	tap_is("a page is always the same", rd(4096, 512), rd(4096, 512));
	tap_ok(rd(4096, 512) != rd(8192, 512), "but not as the next one");
}

static void test_discard(void)
{
	make("discard_ns=7us open=2");
	wr(0, 4096);
	tap_is("two blocks and a half", 21 * US,
	       step(ftl_discard(card, now, 0, (2 << 20) + (512 << 10))));
	tap_is("empty", 0, ftl_valid_pages(card, 1));
	tap_is("half empty", 128, ftl_valid_pages(card, 2));
	tap_is("not open any more", 0, ftl_streams(card));
	tap_is("two erased", 2, card->totals.erases);
	tap_is("a page and two halves", 7 * US,
	       step(ftl_discard(card, now, (4 << 20) + 2048, 8192)));
	tap_is("is one page", 255, ftl_valid_pages(card, 4));
	tap_is("lowest byte", 0, card->totals.lowest);
	tap_is("highest byte", (4 << 20) + 10240, card->totals.highest);
	ftl_reset_totals(card);
	tap_is("totals begin anew", 0, card->totals.erases);
}

/* The last erase block may be shorter */
static void test_end(void)
{
	make("erase=1536K planes=1 open=1 " COPY);
	tap_is("43 blocks", 43, card->nblocks);
	tap_is("the last one has 256 pages", 256, ftl_valid_pages(card, 42));
	wr(63 << 20, 1 << 20);
	tap_is("and is full with them", 1, card->totals.switch_merges);
	make("shift=64K open=1 " COPY);
	wr(0, 64 << 10);
	tap_is("so may the first one", 1, card->totals.switch_merges);
}

int main(void)
{
	test_reads();
	test_places();
	test_eviction();
	test_order();
	test_small();
	test_log();
	test_memory();
	test_noise();
	test_discard();
	test_end();
	ftl_destroy(card);
	return tap_done();
}
