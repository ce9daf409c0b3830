// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keys a card is described with.
 */
#include "keys.h"
#include "platform.h"

static const char * const word_replace[] = { "lru", "fifo", "random", NULL };

static const char * const word_type[] = { "sd", "sdsc", "sdhc", "mmc", NULL };

#define KEY(name, kind, member, size, min, max, words) \
	{ name, kind, offsetof(struct fsim_config, member), size, min, max, \
	  words }

#define SIZE32(name, member) \
	KEY(name, FSIM_KEY_SIZE, member, sizeof(u32), 0, U32_MAX, NULL)
#define SIZE64(name, member) \
	KEY(name, FSIM_KEY_SIZE, member, sizeof(u64), 0, 1ULL << 44, NULL)
#define RATE(name, member) \
	KEY(name, FSIM_KEY_RATE, member, sizeof(u64), 0, U32_MAX, NULL)
#define COUNT(name, member, min, max) \
	KEY(name, FSIM_KEY_COUNT, member, sizeof(u32), min, max, NULL)
#define COUNT64(name, member) \
	KEY(name, FSIM_KEY_COUNT, member, sizeof(u64), 0, U64_MAX, NULL)
#define TIME(name, member) \
	KEY(name, FSIM_KEY_TIME, member, sizeof(u64), 0, S64_MAX, NULL)
#define STIME(name, member) \
	KEY(name, FSIM_KEY_STIME, member, sizeof(s64), 0, 1ULL << 40, NULL)
#define WORD(name, member, words) \
	KEY(name, FSIM_KEY_WORD, member, sizeof(u32), 0, 0, words)
#define HEX(name, member, len) \
	KEY(name, FSIM_KEY_HEX, member, len, 0, 0, NULL)
#define SPECIAL(name, kind, member) \
	KEY(name, kind, member, 0, 0, 0, NULL)

const struct fsim_key fsim_keys[] = {
	WORD("type", type, word_type),
	SIZE64("size", ftl.size),
	SIZE32("erase", ftl.erase),
	SIZE32("page", ftl.page),
	COUNT("planes", ftl.planes, 1, 64),
	SIZE32("program", ftl.program),
	SIZE64("zone", ftl.zone),
	SIZE32("shift", ftl.shift),

	TIME("read_ns", ftl.read_ns),
	RATE("read_bps", ftl.read_bps),
	TIME("cross_page_ns", ftl.cross_page_ns),
	TIME("cross_super_ns", ftl.cross_super_ns),
	TIME("cross_erase_ns", ftl.cross_erase_ns),
	TIME("cross_zone_ns", ftl.cross_zone_ns),
	STIME("first_super_ns", ftl.first_super_ns),
	STIME("last_super_ns", ftl.last_super_ns),
	STIME("first_erase_ns", ftl.first_erase_ns),
	STIME("last_erase_ns", ftl.last_erase_ns),
	STIME("slope_ns", ftl.slope_ns),
	SPECIAL("pattern_ns", FSIM_KEY_TIMES, ftl.pattern),
	COUNT("scatter", ftl.scatter, 0, 1000),
	COUNT("lucky", ftl.lucky, 0, U32_MAX),
	TIME("unwritten_ns", ftl.unwritten_ns),
	TIME("buffer_ns", ftl.buffer_ns),
	SIZE64("map_size", ftl.map_size),
	COUNT("map_slots", ftl.map_slots, 1, FTL_MAP_SLOTS),
	TIME("map_miss_ns", ftl.map_miss_ns),

	TIME("write_ns", ftl.write_ns),
	RATE("write_bps", ftl.write_bps),
	TIME("switch_ns", ftl.switch_ns),
	TIME("pad_ns", ftl.pad_ns),
	TIME("jump_ns", ftl.jump_ns),
	TIME("subpage_ns", ftl.subpage_ns),
	TIME("unaligned", ftl.unaligned),
	COUNT("open", ftl.open, 1, FTL_MAX_OPEN / 2),
	COUNT("open_random", ftl.open_random, 0, FTL_MAX_OPEN / 2),
	WORD("replace", ftl.replace, word_replace),
	TIME("gc", ftl.gc),
	RATE("copy_bps", ftl.copy_bps),
	SPECIAL("fat", FSIM_KEY_BLOCKS, ftl.fat),
	COUNT("log", ftl.log_gain, 0, 1000000),
	COUNT("log_half", ftl.log_half, 0, 1000000),
	TIME("log_ns", ftl.log_ns),
	SIZE64("log_window", ftl.log_window),
	TIME("discard_ns", ftl.discard_ns),

	SIZE64("cache", ftl.cache),
	RATE("cache_bps", ftl.cache_bps),
	SIZE64("slc", ftl.slc),
	RATE("slc_bps", ftl.slc_bps),
	RATE("slc_drain_bps", ftl.slc_drain_bps),

	TIME("idle_ns", ftl.idle_ns),
	TIME("wake_ns", ftl.wake_ns),
	SPECIAL("noise", FSIM_KEY_NOISE, ftl.noise),
	COUNT("outlier_ppm", ftl.outlier_ppm, 0, 1000000),
	COUNT("outlier_pm", ftl.outlier_pm, 0, 1000000),
	COUNT64("seed", ftl.seed),
	SPECIAL("written", FSIM_KEY_RANGES, ftl.written),
	SPECIAL("fail", FSIM_KEY_FAULTS, faults),

	HEX("cid", cid, 16),
	HEX("csd", csd, 16),
	HEX("scr", scr, 8),
	HEX("ssr", ssr, 64),
	SIZE64("au", au),
	COUNT("ro", ro, 0, 1),
	COUNT("highspeed", highspeed, 0, 1),
	TIME("cmd_ns", cmd_ns),
	COUNT("cmd23", cmd23, 0, 1),
	TIME("cmd23_ns", cmd23_ns),
	COUNT("cmd23_broken", cmd23_broken, 0, 1),
	COUNT("max_cmd_blocks", max_cmd_blocks, 0, U32_MAX),
	SIZE64("boot", boot),
	COUNT("rel_sectors", rel_sectors, 0, 255),
	SIZE64("erase_group", erase_group),

	COUNT("max_blk_count", max_blk_count, 8, 65535),
	COUNT("max_segs", max_segs, 1, 1024),
	SIZE32("max_seg_size", max_seg_size),
	SIZE32("max_req_size", max_req_size),
	COUNT("clock", clock, 100000, 208000000),
	COUNT("bus_width", bus_width, 1, 8),
	COUNT("host_cmd23", host_cmd23, 0, 1),
	COUNT("wait_busy", wait_busy, 0, 1),
	COUNT("bus_timing", bus_timing, 0, 1),
};

const unsigned int fsim_nr_keys = ARRAY_SIZE(fsim_keys);
