// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profiles in selftests/cards against what was published of the cards: the
 * schedule of the old command runs against the model. With -v, the tables.
 *
 * A published table has sections. "[align] mode= blocksize= count= offsets=" has
 * rows of size and three times in ns, "[openau] mode= erasesize=" rows of the
 * number of erase blocks, a block size and rates of one or more repetitions.
 * cards.sh does the same with the module, in the virtual machine.
 */
#include <dirent.h>
#include <math.h>

#include "config.h"
#include "platform.h"
#include "regs.h"
#include "tap.h"

#define READ_EXTRA_NS	15000	/* the module and the MMC stack, in the lab */
#define WRITE_EXTRA_NS	18000
#define SPLIT_EXTRA_NS	10000	/* for each further command of a request */
#define BETWEEN_NS	50000
#define FIRST_BLOCK	(16ull << 20)
#define MAX_PLACES	16

/**
 * struct section - of a published table
 * @align: rows of an align test; else of an open-au test
 * @write: with writes
 * @random: in random order
 * @skip: the owner had assumed the wrong erase block
 * @blocksize: bytes
 * @count: repetitions
 * @places: positions of each row
 * @step: between them, the size of the first row
 * @erase: erase block the test assumes
 * @split: the kernel cut commands at multiples of this; 0: it did not
 */
struct section {
	bool align;
	bool write;
	bool random;
	bool skip;
	u64 blocksize;
	u64 count;
	u64 places;
	u64 step;
	u64 erase;
	u64 split;
};

static struct fsim_config cfg;
static struct ftl *card;
static u64 now;
static bool verbose;
static char *known;

static char *slurp(const char *dir, const char *name, const char *suffix)
{
	static char buf[65536], path[256];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", dir, name, suffix);
	f = fopen(path, "r");
	if (!f)
		return NULL;
	len = fread(buf, 1, sizeof(buf) - 1, f);
	buf[len] = '\0';
	fclose(f);
	return strdup(buf);
}

static void strip_comments(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '#')
			text += strcspn(text, "\n");
		else
			*to++ = *text++;
	}
	*to = '\0';
}

/* One read or write of the old command, in commands as they were cut */
static u64 transfer(bool write, u64 off, u64 len, u64 split)
{
	u64 ns = 0, all = write ? WRITE_EXTRA_NS : READ_EXTRA_NS;
	u64 n;

	for (; len; off += n, len -= n) {
		n = min_t(u64, len, cfg.max_req_size);
		if (split)
			n = min(n, split - off % split);
		ns = write ? ftl_write(card, now, off, n) :
			     ftl_read(card, now, off, n);
		now += ns + SPLIT_EXTRA_NS;
		all += ns + (len > n ? SPLIT_EXTRA_NS : 0);
	}
	now += BETWEEN_NS;
	return all;
}

static double off_by(double got, double want)
{
	return want ? 100 * (got / want - 1) : 0;
}

/* Returns whether the row is off */
static bool align_row(struct section *s, const char *line)
{
	u64 min[3][MAX_PLACES], size, off, k, i;
	double want[3], got[3] = { 0 }, err[3];
	bool bad = false;
	int w;

	if (sscanf(line, "%llu %lf %lf %lf", &size, &want[0], &want[1],
		   &want[2]) != 4)
		return false;
	if (!s->step)
		s->step = size;
	memset(min, 0xff, sizeof(min));
	for (k = 0; k < s->count * 3 * s->places; k++) {
		i = k % s->places;
		w = k / s->places % 3;
		off = size + i * s->step - (2 - w) * s->blocksize / 2;
		div64_u64_rem(off, cfg.ftl.size, &off);
		off -= off % FTL_SECTOR;
		if (off + s->blocksize > cfg.ftl.size)
			off = 0;
		min[w][i] = min(min[w][i],
				transfer(s->write, off, s->blocksize,
					 s->split));
	}
	for (w = 0; w < 3; w++) {
		for (i = 0; i < s->places; i++)
			got[w] += (double)min[w][i] / s->places;
		err[w] = off_by(got[w], want[w]);
		bad |= fabs(err[w]) > 10;
	}
	if (!verbose)
		return bad;
	printf("# %11llu  published %7.1f %7.1f %7.1f  ", size, want[0] / 1e3,
	       want[1] / 1e3, want[2] / 1e3);
	printf("here %7.1f %7.1f %7.1f us  ", got[0] / 1e3, got[1] / 1e3,
	       got[2] / 1e3);
	printf("%+5.1f %+5.1f %+5.1f %%%s\n", err[0], err[1], err[2],
	       bad ? " !" : "");
	return bad;
}

/* The order the old command calls random, as far as it matters here */
static void make_order(u64 *order, u64 n, bool random)
{
	static const u64 two[] = { 1, 0 }, four[] = { 2, 1, 3, 0 };
	u64 i, j, swap, x = 12345;

	for (i = 0; i < n; i++)
		order[i] = i;
	if (!random)
		return;
	if (n == 2)
		memcpy(order, two, sizeof(two));
	if (n == 4)
		memcpy(order, four, sizeof(four));
	for (i = n - 1; n > 4 && i > 0; i--) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		j = (x >> 33) % (i + 1);
		swap = order[i];
		order[i] = order[j];
		order[j] = swap;
	}
}

static double open_rate(const struct section *s, u64 blocks, u64 size)
{
	u64 n = s->erase / size, i, b, off, all = 0;
	u64 first = DIV_ROUND_UP(FIRST_BLOCK, s->erase) * s->erase;
	u64 *order = calloc(n, sizeof(*order));

	make_order(order, n, s->random);
	for (i = 0; i < n; i++) {
		for (b = blocks; b-- > 0;) {
			off = first + b * 12 * s->erase + order[i] * size;
			div64_u64_rem(off, cfg.ftl.size, &off);
			if (off + size > cfg.ftl.size)
				off = 0;
			all += transfer(true, off, size, 0);
		}
	}
	free(order);
	return 1e9 * blocks * s->erase / all;
}

/* Returns whether the row is off everything that was measured */
static bool open_row(const struct section *s, const char *line)
{
	double want[5], rate, low, high;
	u64 blocks, size;
	int i, n;
	bool bad;

	n = sscanf(line, "%llu %llu %lf %lf %lf %lf %lf", &blocks, &size,
		   &want[0], &want[1], &want[2], &want[3], &want[4]) - 2;
	if (n < 1)
		return false;
	low = want[0];
	high = want[0];
	for (i = 1; i < n; i++) {
		low = fmin(low, want[i]);
		high = fmax(high, want[i]);
	}
	rate = open_rate(s, blocks, size);
	bad = rate < low * .85 || rate > high * 1.15;
	if (!verbose)
		return bad;
	printf("# %3llu blocks, %8llu  published %8.0f to %8.0f  ", blocks,
	       size, low / 1e3, high / 1e3);
	printf("here %8.0f kB/s  %+5.1f %%%s\n", rate / 1e3,
	       off_by(rate, (low + high) / 2), bad ? " !" : "");
	return bad;
}

static u64 field(const char *line, const char *key, u64 otherwise)
{
	const char *at = strstr(line, key);

	return at ? strtoull(at + strlen(key), NULL, 0) : otherwise;
}

static void section_begin(struct section *s, const char *line)
{
	*s = (struct section) {
		.align = !strncmp(line, "[align]", 7),
		.write = strstr(line, "mode=write"),
		.random = strstr(line, "mode=random"),
		.skip = strstr(line, "note=wrong") ||
			(strncmp(line, "[align]", 7) &&
			 strncmp(line, "[openau]", 8)),
		.blocksize = field(line, "blocksize=", 0),
		.count = field(line, "count=", 1),
		.places = min_t(u64, field(line, "offsets=", 7), MAX_PLACES),
		.erase = field(line, "erasesize=", 0),
		.split = field(line, "run=split_at_", 0),
	};
	ftl_destroy(card);
	card = ftl_create(&cfg.ftl);
	now = 0;
	if (verbose && !s->skip)
		printf("#\n# %s\n", line);
}

/*
 * How many rows of a test may be off: "CARD TEST ROWS REASON" in the file known,
 * from which @why points to the reason. None if it does not say so.
 */
static int known_off(const char *name, const char *test, const char **why)
{
	static char line[256];
	char *at, *end;
	int rows;

	snprintf(line, sizeof(line), "\n%s %s ", name, test);
	at = strstr(known, line);
	*why = "not listed";
	if (!at || sscanf(at + strlen(line), "%d", &rows) != 1)
		return 0;
	at = strchr(at + strlen(line), ' ');
	end = strchr(at, '\n');
	snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
	*why = line + 1;
	return rows;
}

static void report(const char *name, const char *test, int off)
{
	const char *why;
	int rows = known_off(name, test, &why);

	tap_ok(off <= rows, "%s: %d rows of %s off, %d are known: %s", name,
	       off, test, rows, why);
}

static void test_table(const char *name, char *table)
{
	struct section s = { .skip = true };
	int align = 0, open = 0, aligns = 0, opens = 0;
	char *line;

	for (line = strtok(table, "\n"); line; line = strtok(NULL, "\n")) {
		if (*line == '[')
			section_begin(&s, line);
		else if (*line == '#' || s.skip)
			continue;
		else if (s.align && ++aligns)
			align += align_row(&s, line);
		else if (++opens)
			open += open_row(&s, line);
	}
	if (aligns)
		report(name, "align", align);
	if (opens)
		report(name, "open-au", open);
}

static void test_card(const char *dir, const char *name)
{
	char *text = slurp(dir, name, ".card");
	char *table;
	char published[200], reason[FSIM_REASON_LEN] = "";
	struct fsim_regs regs;

	snprintf(published, sizeof(published), "%s/published", dir);
	table = slurp(published, name, ".table");
	if (!text || !table) {
		tap_ok(false, "%s is there", name);
		return;
	}
	strip_comments(text);
	tap_ok(!fsim_config_parse(&cfg, text, reason) &&
	       !fsim_regs_make(&regs, &cfg, reason), "%s is a card %s",
	       name, reason);
	tap_ok(strlen(text) <= 1024, "%s fits into a module parameter: %zu",
	       name, strlen(text));
	test_table(name, table);
	free(text);
	free(table);
}

static int is_card(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".card");
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[argc - 1] : "../cards";
	struct dirent **cards;
	int i, n;

	verbose = argc > 2 && !strcmp(argv[1], "-v");
	known = slurp(dir, "known", "");
	n = scandir(dir, &cards, is_card, alphasort);
	tap_ok(known && n > 0, "%s has %d cards", dir, n);
	for (i = 0; known && i < n; i++) {
		*strrchr(cards[i]->d_name, '.') = '\0';
		test_card(dir, cards[i]->d_name);
		free(cards[i]);
	}
	ftl_destroy(card);
	free(known);
	free(cards);
	return tap_done();
}
