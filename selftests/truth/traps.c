// SPDX-License-Identifier: GPL-2.0-only
/*
 * What has misled tools and people: for each trap a card that is one, in the
 * words of flashsim, with many seeds. selftests/t_traps.sh has the same in the
 * kernel, once each.
 */
#include "config.h"
#include "truth.h"

#define SEEDS		100
#define READS		(BIT(FB_ERASE_BLOCK) | BIT(FB_SUPER_PAGE) | \
			 BIT(FB_PAGE) | BIT(FB_UNWRITTEN))
#define OPEN		(BIT(FB_OPEN_LINEAR) | BIT(FB_OPEN_RANDOM))
#define HOST_NS		15000	/* for each operation, as in the module */
#define JITTER_NS	500

/* All cards of the table, before what is special about them */
#define PLAIN	"page=8K planes=2 read_ns=300us read_bps=20M write_ns=300us " \
		"write_bps=10M "
#define CARD	PLAIN "open=4 open_random=2 "
/* And a collection */
#define DEAR	"gc=20ms copy_bps=20M "
/* What crossing costs: as usual; nothing to speak of */
#define STEPS	"cross_page_ns=15us cross_super_ns=40us cross_erase_ns=120us "
#define FLAT	"cross_page_ns=1us cross_super_ns=3us cross_erase_ns=6us "

/**
 * struct trap - a card, and what may be said of it
 * @name: what the trap is
 * @card: in the words of flashsim
 * @keys: what is asked for: all of it is right or unknown
 * @right: of these, right with nearly every seed
 * @unknown: of these, nobody can know them
 * @writes: writing is allowed
 * @scan: odd periods are looked for
 * @empty_pm: so much of the card has no data, per mille
 * @wrong: so many seeds in a hundred may have a verdict that is not so, or one
 *	that nobody can know: where chance alone looks like something
 */
struct trap {
	const char *name;
	const char *card;
	u32 keys;
	u32 right;
	u32 unknown;
	bool writes;
	bool scan;
	u32 empty_pm;
	u32 wrong;
};

#define E	BIT(FB_ERASE_BLOCK)
#define S	BIT(FB_SUPER_PAGE)
#define P	BIT(FB_PAGE)
#define U	BIT(FB_UNWRITTEN)

static const struct trap traps[] = {
	{ "4.5 MiB", CARD STEPS "size=2G erase=4608K", E, E },
	{ "5 MiB", CARD STEPS "size=8G erase=5M", E, E },
	{ "6 MiB", CARD STEPS "size=2G erase=6M", E, E },
	{ "9 MiB", CARD STEPS "size=4G erase=9M", E, E },
	{ "12 MiB", CARD STEPS "size=4G erase=12M", E, E },
	{ "24 MiB", CARD STEPS "size=8G erase=24M", E, E },
	{ "4128 KiB", CARD STEPS "size=2G erase=4128K", E, 0, E },
	{ "4128 KiB, scan", CARD STEPS "size=2G erase=4128K", E, E, .scan = true },
	{ "dear pages", CARD "size=2G erase=4M cross_page_ns=15us "
	  "cross_super_ns=150us cross_erase_ns=50us", E | S | P, E | S },
	{ "zones", CARD STEPS "size=4G erase=4M zone=32M cross_zone_ns=300us",
	  E },
	{ "zones, checked", CARD STEPS DEAR
	  "size=4G erase=4M zone=32M cross_zone_ns=300us", E, E,
	  .writes = true },
	{ "partly unwritten", CARD STEPS "size=2G erase=4M unwritten_ns=250us",
	  E | U, E | U, .empty_pm = 600 },
	{ "unwritten", CARD STEPS "size=2G erase=4M unwritten_ns=250us",
	  READS, 0, READS, .empty_pm = 1000 },
	{ "the first after a pause",
	  CARD STEPS "size=2G erase=4M idle_ns=500us wake_ns=20ms",
	  READS, E | S },
	{ "outliers", CARD STEPS
	  "size=2G erase=4M outlier_ppm=20000 outlier_pm=100000", READS, E | S },
	{ "one in eight", CARD STEPS
	  "size=2G erase=4M outlier_ppm=125000 outlier_pm=100000", READS, E,
	  .wrong = 4 },
	{ "one in eight, writing", CARD STEPS DEAR
	  "size=2G erase=4M outlier_ppm=125000 outlier_pm=100000", OPEN,
	  .writes = true, .wrong = 8 },
	{ "noise", CARD FLAT "size=2G erase=4M noise=uniform:400",
	  E | S | P, 0, E | S | P, .wrong = 3 },
	{ "noise, writing",
	  CARD FLAT DEAR "size=1G erase=4M noise=lognormal:500",
	  E | OPEN | BIT(FB_MAPPING), .writes = true },
	{ "FAT blocks of 8 MiB beyond 16 MiB",
	  CARD STEPS DEAR "size=4G erase=8M fat=0-3", OPEN, OPEN, .writes = true },
	{ "gradual, with FAT blocks to be looked for", CARD STEPS DEAR
	  "size=4G erase=4M log=1000 log_half=4",
	  OPEN | BIT(FB_MAPPING) | BIT(FB_FAT_AREA), OPEN | BIT(FB_MAPPING),
	  .writes = true },
	{ "begins in the middle", CARD STEPS DEAR
	  "size=1G erase=4M shift=2M", E, 0, E, .writes = true },
	{ "copies ten times faster than it is written", PLAIN STEPS
	  "size=1G erase=4M open=2 open_random=2 gc=2ms copy_bps=100M",
	  OPEN | BIT(FB_MAPPING), OPEN, .writes = true },
	{ "the same, and one open", PLAIN STEPS
	  "size=1G erase=16M open=1 open_random=1 gc=2ms copy_bps=100M",
	  OPEN | BIT(FB_MAPPING), .writes = true },
	{ "nothing to read, and larger than the guess", PLAIN DEAR
	  "size=512M erase=9M open=30 open_random=0",
	  E | OPEN | BIT(FB_FAT_AREA), .writes = true, .wrong = 2 },
	{ "5 MiB on 64 MiB", CARD STEPS "size=64M erase=5M", E },
	{ "5 MiB on 64 MiB, writing", CARD STEPS DEAR "size=64M erase=5M",
	  E, .writes = true },
	{ "10 MiB on 256 MiB, writing", CARD STEPS DEAR "size=256M erase=10M",
	  E, .writes = true, .wrong = 2 },
	{ "dear alternation", CARD STEPS DEAR "size=2G erase=4M switch_ns=4ms",
	  OPEN, OPEN, .writes = true },
};

/**
 * struct caught - what came of a trap
 * @wrong: seeds with a verdict that is not so, or that nobody can know
 * @missed: seeds with a verdict that should have been right, and is unknown
 */
struct caught {
	u32 wrong;
	u32 missed;
};

static void make_card(struct truth_card *c, const struct trap *t, u32 seed)
{
	char reason[FSIM_REASON_LEN];
	struct fsim_config cfg;

	if (fsim_config_parse(&cfg, t->card, reason)) {
		fprintf(stderr, "%s: %s\n", t->name, reason);
		exit(2);
	}
	*c = (struct truth_card) {
		.index = seed,
		.seed = seed,
		.cfg = cfg.ftl,
		.visible = t->empty_pm < 1000,
		.unwritten_pm = t->empty_pm,
		.claims_true = true,
		.overhead_ns = HOST_NS,
		.jitter_ns = JITTER_NS,
	};
	c->cfg.seed = seed;
}

static void judge(struct caught *caught, const struct trap *t,
		  const struct truth_card *c, const struct fb_geometry *g,
		  const char *fault)
{
	bool wrong = *fault, missed = false;
	const struct fb_verdict *v;
	char line[FB_LINE_LEN];
	u32 key;

	for (key = 0; key < FB_NR_VERDICTS; key++) {
		if (!(t->keys & BIT(key)))
			continue;
		v = fb_geometry_verdict(g, key);
		if (v->confidence < FB_LIKELY) {
			missed |= !!(t->right & BIT(key));
			continue;
		}
		if (!(t->unknown & BIT(key)) &&
		    truth_grade(c, key, v, t->writes) == GRADE_RIGHT)
			continue;
		wrong = true;
		fb_geometry_line(g, key, line, sizeof(line));
		printf("# %s, seed %u: %s\n", t->name, c->index, line);
	}
	if (*fault)
		printf("# %s, seed %u: %s\n", t->name, c->index, fault);
	caught->wrong += wrong;
	caught->missed += missed;
}

static bool try_trap(const struct trap *t, struct fb_geometry *g)
{
	struct caught caught = { 0 };
	struct truth_card c;
	struct truth_model m;
	u32 seed;
	bool good;

	for (seed = 1; seed <= SEEDS; seed++) {
		make_card(&c, t, seed);
		if (truth_model_open(&m, &c))
			exit(2);
		m.limits.writes = t->writes;
		m.limits.scan = t->scan;
		truth_model_infer(&m, g, t->keys);
		judge(&caught, t, &c, g, m.fault);
		truth_model_close(&m);
	}
	good = 100 * caught.wrong <= t->wrong * SEEDS &&
	       20 * caught.missed <= SEEDS;
	truth_ok(good, t->name, caught.wrong);
	if (caught.wrong || caught.missed)
		printf("# %s: of %u, %u wrong, %u not found\n", t->name, SEEDS,
		       caught.wrong, caught.missed);
	return good;
}

/**
 * truth_traps() - run the inference on each trap; prints TAP
 *
 * Return: 0 if nothing wrong is said of any of them, and what can be known of
 * them is, else 1.
 */
int truth_traps(void)
{
	struct fb_geometry *g = calloc(1, fb_geometry_size());
	int failed = 0;
	size_t i;

	if (!g)
		exit(2);
	for (i = 0; i < ARRAY_SIZE(traps); i++)
		failed |= !try_trap(&traps[i], g);
	free(g);
	return failed;
}
