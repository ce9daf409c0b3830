// SPDX-License-Identifier: GPL-2.0-only
/*
 * The description of a card, its faults and its registers.
 */
#include "keys.h"
#include "platform.h"
#include "regs.h"
#include "tap.h"

static struct fsim_config cfg;
static char reason[FSIM_REASON_LEN];

static void good(const char *text)
{
	reason[0] = '\0';
	tap_ok(!fsim_config_parse(&cfg, text, reason), "'%.40s' is a card",
	       text);
}

static void bad(const char *text, const char *why)
{
	reason[0] = '\0';
	tap_ok(fsim_config_parse(&cfg, text, reason) == -EINVAL &&
	       !strncmp(reason, why, strlen(why)), "'%s': %s", text, reason);
}

static void test_values(void)
{
	good("");
	tap_is("a default", 1ull << 30, cfg.ftl.size);
	good("size=2G;erase=1536KiB \"page=4096\"\t read_bps=20M planes=1");
	tap_is("G", 2ull << 30, cfg.ftl.size);
	tap_is("KiB", 1536 << 10, cfg.ftl.erase);
	tap_is("a rate is decimal", 20000000, cfg.ftl.read_bps);
	good("read_ns=5 write_ns=5us gc=5ms wake_ns=5s slope_ns=-3us");
	tap_is("ns", 5, cfg.ftl.read_ns);
	tap_is("us", 5000, cfg.ftl.write_ns);
	tap_is("ms", 5000000, cfg.ftl.gc);
	tap_is("s", 5000000000, cfg.ftl.wake_ns);
	tap_is("a negative time", -3000, cfg.ftl.slope_ns);
	good("noise=lognormal:20 replace=fifo type=mmc");
	tap_is("noise", FTL_NOISE_LOGNORMAL, cfg.ftl.noise);
	tap_is("its size", 20, cfg.ftl.noise_pm);
	tap_is("a word", FTL_FIFO, cfg.ftl.replace);
	good("fat=0-1:5 written=0+64M:1G+4K pattern_ns=0:5us:-7");
	tap_is("ranges of blocks", 2, cfg.ftl.nfat);
	tap_is("from", 0, cfg.ftl.fat[0].start);
	tap_is("to", 2, cfg.ftl.fat[0].len);
	tap_is("one", 1, cfg.ftl.fat[1].len);
	tap_is("ranges of bytes", 1ull << 30, cfg.ftl.written[1].start);
	tap_is("a pattern", -7, cfg.ftl.pattern[2]);
	good("cid=0353445344303447800218eb1900a900");
	tap_is("a register", 0xeb, cfg.cid.byte[11]);
	good("fail=fail:read@5/stall#3=2ms");
	tap_is("faults", 2, cfg.faults.n);
}

static void test_wrong(void)
{
	bad("sise=1G", "sise: unknown key");
	bad("size", "size: needs a value");
	bad("size=", "size: needs a value");
	bad("=5", ": unknown key");
	bad("size=1G size=1G", "size: given twice");
	bad("size=0", "size: must be");
	bad("size=1000", "size: must be");
	bad("size=1T", "size: a size");
	bad("size=99999999999999999999", "size: a size");
	bad("size=18014398509481985K", "size: a size");
	bad("size=32768G", "size: must be");
	bad("size=-1", "size: a size");
	bad("erase=3K page=2K", "erase: must be");
	bad("erase=2G", "erase: must be");
	bad("page=4000", "page: must be");
	bad("size=1024G page=512", "page: must be larger");
	bad("planes=0", "planes: must be");
	bad("open=0", "open: must be");
	bad("open=257", "open: must be");
	bad("read_ns=-5", "read_ns: a time");
	bad("read_ns=2h", "read_ns: a time");
	bad("gc=4000s", "gc: must be");
	bad("read_bps=5G", "read_bps: bytes per second");
	bad("read_bps=5", "read_bps: must be");
	bad("replace=clock", "replace: not");
	bad("replace=lr", "replace: not");
	bad("noise=5", "noise: none");
	bad("noise=uniform", "noise: none");
	bad("noise=none:5", "noise: none");
	bad("noise=lognormal:501", "noise: must be");
	bad("cid=0353", "cid: the whole");
	bad("cid=0353445344303447800218eb1900a9000", "cid: the whole");
	bad("cid=0353445344303447800218eb1900a90g", "cid: the whole");
	bad("fat=1-0", "fat: none");
	bad("fat=0:", "fat: none");
	bad("fat=0-300", "fat: must be");
	bad("written=5", "written: all");
	bad("pattern_ns=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17",
	    "pattern_ns: 1 to 16");
	bad("fail=fall@5", "fail: ACTION");
	bad("bus_width=2", "bus_width: must be");
	bad("boot=1M", "boot: is for type=mmc");
	bad("type=mmc boot=100K", "boot: must be");
	bad("shift=4M", "shift: must be");
}

/* What config shows can be given back */
static void test_lines(void)
{
	static struct fsim_config again;
	static char all[8192], one[256];
	size_t len = 0;
	unsigned int i;

	good("type=mmc size=3G erase=6M page=8K planes=3 program=4K zone=24M "
	     "shift=1M read_ns=1 read_bps=1001 cross_page_ns=2 "
	     "cross_super_ns=3 cross_erase_ns=4 cross_zone_ns=5 "
	     "first_super_ns=-6 last_super_ns=7 first_erase_ns=-8 "
	     "last_erase_ns=9 slope_ns=-10 pattern_ns=11:-12 scatter=13 "
	     "lucky=14 unwritten_ns=15 buffer_ns=16 map_size=17M map_slots=3 "
	     "map_miss_ns=19 write_ns=20 write_bps=21000 switch_ns=22 "
	     "pad_ns=23 jump_ns=24 subpage_ns=25 unaligned=26 open=27 "
	     "open_random=5 replace=random gc=29 copy_bps=30000 fat=1-2:4 "
	     "log=31 log_half=32 log_ns=33 log_window=34M discard_ns=35 "
	     "cache=36K cache_bps=37000 slc=38M slc_bps=39000 "
	     "slc_drain_bps=40000 idle_ns=41 wake_ns=42 noise=uniform:43 "
	     "outlier_ppm=44 outlier_pm=45 seed=1234567890123456789 "
	     "written=0+1M:2M+3M cid=0353445344303447800218eb1900a900 ro=1 "
	     "highspeed=0 cmd_ns=46 cmd23=0 cmd23_ns=47 cmd23_broken=1 "
	     "max_cmd_blocks=48 boot=1M rel_sectors=49 erase_group=1M "
	     "max_blk_count=50 max_segs=51 max_seg_size=8K max_req_size=12K "
	     "clock=400000 bus_width=8 host_cmd23=0 wait_busy=0 bus_timing=1");
	for (i = 0; !fsim_config_line(&cfg, i, one, sizeof(one)); i++)
		if (one[0])
			len += scnprintf(all + len, sizeof(all) - len, "%s ",
					 one);
	tap_ok(i == fsim_nr_keys && i <= FSIM_MAX_KEYS, "%u keys", i);
	tap_ok(!fsim_config_parse(&again, all, reason), "config is a card: %s",
	       reason);
	tap_ok(!memcmp(&cfg, &again, sizeof(cfg)), "and the same one");
}

/* Ten commands of eight sectors each, from sector 0 up: 'x' has failed */
static void faults(const char *rules, const char *want)
{
	struct fsim_faults f = { .n = 0 };
	struct fsim_verdict v;
	char got[11] = "";
	int i;

	if (fsim_faults_add(&f, rules)) {
		tap_ok(false, "%s: no rules", rules);
		return;
	}
	for (i = 0; i < 10; i++) {
		fsim_faults_check(&f, i % 2 ? FSIM_WRITE : FSIM_READ, i * 8, 8,
				  &v);
		got[i] = v.remove ? 'r' : v.die ? 'd' : v.stall_ns ? 's' :
			 v.fail ? '0' + v.good : '.';
	}
	tap_ok(!strcmp(got, want), "%s: %s", rules, got);
}

static void no_faults(const char *rules)
{
	struct fsim_faults f = { .n = 0 };

	tap_ok(fsim_faults_add(&f, rules) < 0 && !f.n, "'%s' is no rule",
	       rules);
}

static void test_faults(void)
{
	struct fsim_faults f = { .n = 0 };
	struct fsim_verdict v;
	char buf[96];

	faults("", "..........");
	faults("fail@16", "..0.......");
	faults("fail@19", "..3.......");
	faults("fail@15-17", ".70.......");
	faults("fail:write@15-17", ".7........");
	faults("fail:any@15-17", ".70.......");
	faults("fail#1", "0.........");
	faults("fail#3*2", "..00......");
	faults("fail:write#2", "...0......");
	faults("stall#2=5ms", ".s........");
	faults("die:read#2 fail:write#1", ".0d.......");
	faults("remove@79/stall@0=1s*1", "s........r");
	faults("fail@0-79*3", "000.......");
	faults("fail@0-7 clear fail@8", ".0........");

	no_faults("fail");
	no_faults("fail@");
	no_faults("fail#0");
	no_faults("fail@5-4");
	no_faults("fail:red@5");
	no_faults("stall#1");
	no_faults("stall#1=2h");
	no_faults("stall#1=4000s");
	no_faults("fail#1=5ms");
	no_faults("fail@1*0");
	no_faults("fail@99999999999999999999");
	no_faults("fail@1 nonsense");
	no_faults("fail@1x");

	tap_ok(!fsim_faults_add(&f, "stall:read#3=5us*2"), "a rule");
	fsim_rule_text(&f.rule[0], buf, sizeof(buf));
	tap_ok(!strcmp(buf, "stall:read#3=5000ns*2"), "as text: %s", buf);
	fsim_faults_check(&f, FSIM_READ, 0, 1, &v);
	fsim_rule_text(&f.rule[0], buf, sizeof(buf));
	tap_ok(!strcmp(buf, "stall:read#2=5000ns*2"), "a command later: %s",
	       buf);
}

static const char *hex(const u8 *reg, size_t len)
{
	static char buf[129];
	size_t i;

	for (i = 0; i < len; i++)
		snprintf(buf + 2 * i, 3, "%02x", reg[i]);
	return buf;
}

static void registers(const char *text, const char *csd, bool block_addr)
{
	static struct fsim_regs regs;

	reason[0] = '\0';
	if (fsim_config_parse(&cfg, text, reason) ||
	    fsim_regs_make(&regs, &cfg, reason)) {
		tap_ok(!csd, "'%s': %s", text, reason);
		return;
	}
	tap_ok(csd && !strncmp(hex(regs.csd, 16), csd, strlen(csd)),
	       "'%s': CSD %s", text, hex(regs.csd, 16));
	tap_is("addressed by sectors", block_addr, regs.block_addr);
}

static void test_registers(void)
{
	/* C_SIZE is bits 73 to 62, C_SIZE_MULT 49 to 47, READ_BL_LEN 83 to 80 */
	registers("size=64M", "000e00325b5983fff6d9", false);
	registers("size=2G", "000e00325b5a83fff6db", false);
	registers("size=1967128576", "000e00325b5a83a9f6db", false);
	registers("size=2G type=sdhc", "400e00325b5900000fff7f80", true);
	registers("size=3965190144", "400e00325b5900001d8a7f80", true);
	registers("size=3965190144 csd=400e00325b5900001d8a7f800a404000",
		  "400e00325b5900001d8a7f800a404000", true);
	registers("size=4G csd=400e00325b5900001d8a7f800a404000", NULL, true);
	registers("size=3000000512", NULL, true);
	registers("size=1000000512 type=sdsc", NULL, true);
	registers("type=mmc size=16005169152", "d00e00320f59", true);
	registers("type=mmc size=128M", "d00e00320f59", false);
	registers("size=64M au=5M", NULL, false);
}

int main(void)
{
	test_values();
	test_wrong();
	test_lines();
	test_faults();
	test_registers();
	return tap_done();
}
