// SPDX-License-Identifier: GPL-2.0-only
/*
 * ab_runs.c: two settings in turn, on a card of a few lines.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ab.h"
#include "command.h"
#include "tap.h"

#define ROWS	12
#define TRIES	200

/**
 * struct card - what is measured
 * @seed: of its noise
 * @noise: per mille, either way
 * @slower: with the second setting, per mille
 * @drift: slower from run to run, per mille
 * @runs: so far
 * @order: the settings, "A" or "B" each
 * @fail: this run fails; 0: none
 */
struct card {
	u64 seed;
	u32 noise;
	u32 slower;
	u32 drift;
	u32 runs;
	char order[2 * FB_PAIRED_RUNS + 1];
	u32 fail;
};

static bool run(void *ctx, bool b, struct archive *a)
{
	struct card *c = ctx;
	char *text = NULL;
	size_t size, i;
	FILE *f;
	int ret;

	c->order[c->runs++] = b ? 'B' : 'A';
	if (c->runs == c->fail)
		return false;
	f = open_memstream(&text, &size);
	fprintf(f, "# format: 1\n# flashbench 1.0 scatter\n# run: scatter\n"
		"point\toffset_bytes\top\tn\tmin_ns\tmedian_ns\tmean_ns\tp99_ns\tmax_ns\tspread_ns\n");
	for (i = 0; i < ROWS; i++) {
		u64 r = fb_hash(c->seed ^ (c->runs * 1000 + i));
		u64 ns = 1000000 + 1000 * (r % (2 * c->noise + 1)) -
			 1000 * c->noise;

		ns += ns / 1000 * (c->drift * c->runs);
		ns += b ? ns / 1000 * c->slower : 0;
		fprintf(f, "%zu\t%zu\tread\t8\t%llu\t%llu\t%llu\t%llu\t%llu\t5\n",
			i, i * 65536, ns, ns, ns, ns, ns);
	}
	fclose(f);
	ret = archive_parse("card", text, a);
	free(text);
	return !ret;
}

/* Returns whether a difference was found */
static bool differs(struct card *c, u32 pairs, bool early, bool same)
{
	struct ab ab = {
		.pairs = pairs, .seed = c->seed, .early = early, .same = same,
		.run = run, .ctx = c,
	};
	struct comparison result;
	struct change_count n;
	bool found = false, any = false;

	c->runs = 0;
	memset(c->order, 0, sizeof(c->order));
	if (ab_measure(&ab, &result, &found)) {
		n = comparison_count(&result, RESULT_SCATTER);
		any = found && (n.slower || n.faster || n.common ||
				result.whole.change != FB_SAME);
		comparison_free(&result);
	}
	ab_free(&ab);
	return any;
}

static bool is_balanced(const char *order)
{
	for (; *order; order += 4)
		if (strncmp(order, "ABBA", 4) && strncmp(order, "BAAB", 4))
			return false;
	return true;
}

static void test_order(void)
{
	struct card c = { .noise = 5 };
	bool abba = false, baab = false, good = true;

	for (c.seed = 1; c.seed <= 20; c.seed++) {
		differs(&c, 8, false, false);
		good &= c.runs == 16 && is_balanced(c.order);
		abba |= !strncmp(c.order, "ABBA", 4);
		baab |= !strncmp(c.order, "BAAB", 4);
	}
	tap_ok(good, "blocks of ABBA or BAAB, all 16 runs");
	tap_ok(abba && baab, "which of them, the seed decides");
	differs(&c, 8, false, true);
	tap_ok(!strchr(c.order, 'B'), "against itself: the first setting only");
}

static void test_answers(void)
{
	struct card c = { .noise = 10, .slower = 200 };
	u32 wrong = 0, missed = 0, runs = 0;

	for (c.seed = 1; c.seed <= TRIES; c.seed++) {
		missed += !differs(&c, 16, true, false);
		runs = max(runs, c.runs);
	}
	tap_ok(!missed && runs < 32, "20 %% slower is seen, in %u runs at most",
	       runs);
	c.slower = 0;
	for (c.seed = 1; c.seed <= TRIES; c.seed++)
		wrong += differs(&c, 8, true, false);
	tap_ok(100 * wrong <= 3 * TRIES, "no difference: %u of %u say one",
	       wrong, TRIES);
	c.drift = 5;
	for (c.seed = 1, wrong = 0; c.seed <= TRIES; c.seed++)
		wrong += differs(&c, 8, false, false);
	tap_ok(100 * wrong <= 3 * TRIES, "a steady drift: %u of %u say one",
	       wrong, TRIES);
}

static void test_failure(void)
{
	struct card c = { .seed = 1, .noise = 5, .fail = 5 };

	tap_ok(!differs(&c, 8, true, false) && c.runs == 5,
	       "a run that fails is the last one");
}

static const struct {
	const char *command;
	bool good;
	const char *says;
} settings[] = {
	{ "true", true, "" },
	{ "echo knob", true, "knob\n" },
	{ "echo bad; exit 3", false,
	  "bad\nflashbench: echo bad; exit 3: exit status 3\n" },
	{ "kill -9 $$", false, "flashbench: kill -9 $$: signal 9\n" },
	{ "! :", false, "flashbench: ! :: exit status 1\n" },
};

/* With stdout and stderr in files, as the TAP must not have their text */
static void test_setting(unsigned int i)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	FILE *said[2] = { tmpfile(), tmpfile() };
	char text[256] = "";
	bool good, silent;

	fflush(stdout);
	dup2(fileno(said[0]), STDOUT_FILENO);
	dup2(fileno(said[1]), STDERR_FILENO);
	good = ab_setting(settings[i].command);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	silent = !lseek(fileno(said[0]), 0, SEEK_END);
	rewind(said[1]);
	text[fread(text, 1, sizeof(text) - 1, said[1])] = 0;
	fclose(said[0]);
	fclose(said[1]);
	tap_ok(good == settings[i].good && !strcmp(text, settings[i].says),
	       "setting \"%s\": %s", settings[i].command,
	       good ? "made" : "failed");
	tap_ok(silent, "what it prints does not get into the answer");
}

int main(void)
{
	unsigned int i;

	test_order();
	test_answers();
	test_failure();
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		test_setting(i);
	return tap_done();
}
