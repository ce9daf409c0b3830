// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth [-n N] [-m MIX] [-s SEED] [-k KEY] [-c INDEX] [-j JOBS] [-votxET]
 *
 * The inference against random cards, and a report. Without -m all that has to
 * be known: 2000 general cards and 600 noisy ones.
 *
 *   -n N      so many cards of the mix
 *   -m MIX    general, noisy or plain
 *   -s SEED   other cards
 *   -k KEY    only this verdict
 *   -c INDEX  only this card, and all of what was found
 *   -j JOBS   processes
 *   -v        a line for each card with a wrong or missing answer
 *   -t        every operation
 *   -E        each card claims its right erase block
 *   -o        the old command, too
 *   -T        thresholds as TAP
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define MAX_JOBS	64
#define OLD_OPEN_EVERY	10	/* cards; the old way writes a lot */

static struct options {
	u32 cards;
	enum truth_mix mix;
	u32 jobs;
	u64 seed;
	s64 only_card;
	u32 keys;
	bool verbose;
	bool trace;
	bool claims;
	bool tap;
	bool old;
	bool traps;
} opt = {
	.mix = NR_MIXES,
	.jobs = 2,
	.seed = 1,
	.only_card = -1,
	.keys = BIT(FB_NR_VERDICTS) - 1,
};

/* What each run is allowed, and asked for */
static const struct run {
	const char *name;
	bool writes;
	u32 keys;
} runs[NR_RUNS] = {
	[RUN_READ] = {
		"reads", false,
		BIT(FB_ERASE_BLOCK) | BIT(FB_SUPER_PAGE) | BIT(FB_PAGE) |
		BIT(FB_UNWRITTEN)
	},
	[RUN_OPEN] = {
		"open", true, BIT(FB_OPEN_LINEAR) | BIT(FB_OPEN_RANDOM)
	},
	[RUN_ALL] = { "all", true, BIT(FB_NR_VERDICTS) - 1 },
};

static void print_verdict(const struct truth_card *c, const struct run *run,
			  const struct fb_geometry *g, enum fb_verdict_key key,
			  enum truth_grade grade)
{
	static const char *const mark[NR_GRADES] = {
		"", "ok", "unknown", "hidden", "WRONG",
	};
	char line[FB_VALUE_LEN + FB_EVIDENCE_LEN + 128], want[64];

	if (!grade || (opt.only_card < 0 && grade != GRADE_UNKNOWN &&
		       grade != GRADE_WRONG))
		return;
	truth_text(c, key, want, sizeof(want));
	fb_geometry_line(g, key, line, sizeof(line));
	line[strcspn(line, "\n")] = '\0';
	printf("%s %u: %s: %s, truth %s: %s\n", truth_mix_name[c->mix],
	       c->index, run->name, mark[grade], want, line);
}

static void print_cost(const struct truth_card *c, const struct run *run,
		       const struct truth_cost *cost)
{
	printf("%s %u: %s: %llu reads, %llu writes, %llu KiB, %llu collections, %.2f s\n",
	       truth_mix_name[c->mix], c->index, run->name, cost->reads,
	       cost->writes, cost->written / KIB, cost->evictions,
	       cost->ns / 1e9);
}

static void run_one(const struct truth_card *c, enum truth_run nr,
		    struct truth_result *r)
{
	struct fb_geometry *g = calloc(1, fb_geometry_size());
	const struct run *run = &runs[nr];
	const u32 keys = run->keys & opt.keys;
	struct truth_model m;
	u32 key;

	if (!g || truth_model_open(&m, c))
		exit(2);
	m.limits.writes = run->writes;
	m.trace = opt.trace;
	truth_model_infer(&m, g, keys);
	if (*m.fault && !*r->fault)
		strcpy(r->fault, m.fault);
	for (key = 0; key < FB_NR_VERDICTS; key++) {
		const struct fb_verdict *v = fb_geometry_verdict(g, key);

		if (!(keys & BIT(key)))
			continue;
		r->confidence[nr][key] = v->confidence;
		r->grade[nr][key] = truth_grade(c, key, v, run->writes);
		if (opt.verbose)
			print_verdict(c, run, g, key, r->grade[nr][key]);
	}
	r->cost[nr] = m.cost;
	r->collections[nr] = fb_geometry_collections(g);
	if (opt.verbose)
		print_cost(c, run, &m.cost);
	truth_model_close(&m);
	free(g);
}

static void run_card(enum truth_mix mix, u32 index, struct truth_result *r)
{
	struct truth_card c;
	u32 nr;

	truth_card_make(&c, mix, index, opt.seed);
	c.claims_true |= opt.claims;
	if (opt.only_card >= 0)
		truth_card_print(&c);
	for (nr = 0; nr < NR_RUNS; nr++)
		if (runs[nr].keys & opt.keys)
			run_one(&c, nr, r);
	if (opt.old)
		truth_old_align(&c, &r->old);
	if (opt.old && index % OLD_OPEN_EVERY == 0)
		truth_old_open(&c, &r->old);
	if (*r->fault)
		printf("%s %u: FAULT: %s\n", truth_mix_name[mix], index,
		       r->fault);
	r->done = true;
}

/* One of the processes: its share of the cards */
static void work(enum truth_mix mix, u32 n, u32 job, struct truth_result *r)
{
	u32 i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = job; i < n; i += opt.jobs)
		run_card(mix, i, &r[i]);
	fflush(stdout);
	_exit(0);
}

static int run_mix(enum truth_mix mix, u32 n)
{
	size_t size = n * sizeof(struct truth_result);
	struct truth_result *r = mmap(NULL, size, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, failed = 0;
	u32 job;

	if (r == MAP_FAILED)
		return 2;
	fflush(stdout);
	for (job = 0; job < opt.jobs; job++)
		if (!fork())
			work(mix, n, job, r);
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		printf("# a process died: status %x\n", failed);
	if (opt.tap)
		failed |= truth_check(mix, opt.seed, r, n);
	else
		truth_report(mix, opt.seed, r, n);
	munmap(r, size);
	return failed ? 1 : 0;
}

static u32 key_mask(const char *name)
{
	u32 key;

	for (key = 0; key < FB_NR_VERDICTS; key++)
		if (!strcmp(name, fb_verdict_names[key]))
			return BIT(key);
	fprintf(stderr, "no such key: %s\n", name);
	exit(2);
}

static enum truth_mix mix_by_name(const char *name)
{
	u32 mix;

	for (mix = 0; mix < NR_MIXES; mix++)
		if (!strcmp(name, truth_mix_name[mix]))
			return mix;
	fprintf(stderr, "no such mix: %s\n", name);
	exit(2);
}

static void usage(void)
{
	fprintf(stderr,
		"truth [-n N] [-m MIX] [-s SEED] [-k KEY] [-c INDEX] [-j JOBS] [-votxET]\n");
	exit(2);
}

static void set_flag(int letter)
{
	opt.verbose |= letter == 'v';
	opt.old |= letter == 'o';
	opt.trace |= letter == 't';
	opt.claims |= letter == 'E';
	opt.tap |= letter == 'T';
	opt.traps |= letter == 'x';
}

static void parse_options(int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "n:m:s:k:c:j:votxET")) != -1) {
		u64 number = optarg ? strtoull(optarg, NULL, 0) : 0;

		switch (o) {
		case 'n':
			opt.cards = number;
			break;
		case 'm':
			opt.mix = mix_by_name(optarg);
			break;
		case 's':
			opt.seed = number;
			break;
		case 'k':
			opt.keys = key_mask(optarg);
			break;
		case 'c':
			opt.only_card = number;
			break;
		case 'j':
			opt.jobs = number;
			break;
		case '?':
			usage();
			break;
		default:
			set_flag(o);
		}
	}
	if (optind < argc || !opt.jobs || opt.jobs > MAX_JOBS)
		usage();
	opt.verbose |= opt.only_card >= 0;
}

int main(int argc, char **argv)
{
	enum truth_mix mix;
	struct truth_result r = { 0 };
	int failed;

	parse_options(argc, argv);
	mix = opt.mix == NR_MIXES ? MIX_GENERAL : opt.mix;
	if (opt.only_card >= 0) {
		run_card(mix, opt.only_card, &r);
		return *r.fault ? 1 : 0;
	}
	if (opt.traps) {
		failed = truth_traps();
		truth_plan();
		return failed;
	}
	if (opt.mix != NR_MIXES || opt.cards)
		return run_mix(mix, opt.cards ? opt.cards : 2000);
	failed = run_mix(MIX_GENERAL, 2000) | run_mix(MIX_NOISY, 600);
	if (opt.tap) {
		failed |= truth_budgets(opt.seed) | truth_traps();
		truth_plan();
	}
	return failed;
}
