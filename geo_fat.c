// SPDX-License-Identifier: GPL-2.0-only
/*
 * Erase blocks for file allocation tables: some cards keep the first ones open
 * whatever else is written. Under pressure, only these are fast.
 */
#include "geometry_impl.h"

#define FAT_CANDIDATES	8	/* erase blocks that are tried */
#define FAT_ROUNDS	6	/* the first one does not count */
#define FAT_SURE	3	/* rounds won or lost that decide */
#define FAT_MORE_ROUNDS	18	/* if not always the same block is closed */
#define FAT_MOST_OPEN	40
#define FAT_TURN	8	/* writes asked for at once; each may be slow */
#define FAT_PRESSURE	30	/* per cent of the other writes are slow */

/**
 * struct fat - how the erase blocks do under pressure
 * @score: of each candidate: fast writes less collections
 * @collections: of each candidate
 * @rounds: of each candidate
 * @writes: of all erase blocks
 * @slow: slow ones among them
 */
struct fat {
	int score[FAT_CANDIDATES];
	u32 collections[FAT_CANDIDATES];
	u32 rounds[FAT_CANDIDATES];
	u32 writes;
	u32 slow;
};

/*
 * As many others as can be open, so many candidates, and so on: what a card
 * that closes the oldest closes for a candidate is one of the others, of which
 * we know that there is data to copy.
 */
static bool fat_candidate(const struct fb_geometry *g, u32 stream, u32 *index)
{
	u32 open = g->w.linear.number;
	u32 turn = stream / open;

	*index = turn / 2 * open + stream % open;
	return turn % 2 && *index < FAT_CANDIDATES;
}

/*
 * More than this is slow. There may be little to copy; but what going elsewhere
 * costs is not known if only one erase block can be open.
 */
static u64 fat_limit(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;

	if (l->pair)
		return div_u64(5 * max(l->pair, l->single), 2);
	return l->single + geo_whole(g) / 4;
}

/* The last @n writes, of the streams from @first on */
static void fat_count(struct fb_geometry *g, struct fat *f, u32 first, u32 n)
{
	u64 limit = fat_limit(g);
	u32 i, index;
	bool slow;

	for (i = 0; i < n; i++) {
		slow = g->ns[i] > limit;
		g->collections += slow;
		f->writes++;
		f->slow += slow;
		if (!fat_candidate(g, first + i, &index))
			continue;
		f->rounds[index]++;
		f->collections[index] += slow;
		f->score[index] += slow ? -1 : 1;
	}
}

static int fat_round(struct fb_geometry *g, struct fat *f, bool counts)
{
	u32 n, at, streams = g->w.set.n;
	int ret;

	for (at = 0; at < streams; at += n) {
		n = min_t(u32, streams - at, FAT_TURN);
		ret = geo_turn(g, n);
		if (ret)
			return ret;
		if (counts)
			fat_count(g, f, at, n);
	}
	return 0;
}

/* Every candidate was always fast, or always slow: more rounds say no more. */
static bool fat_is_clear(const struct fb_geometry *g, const struct fat *f)
{
	u32 i;

	if (g->w.sporadic)
		return false;
	for (i = 0; i < FAT_CANDIDATES; i++)
		if (f->score[i] < FAT_SURE && f->score[i] > -FAT_SURE)
			return false;
	return true;
}

/* The candidates' place. It is ours already as far as we have been here. */
static bool fat_take(struct fb_geometry *g)
{
	u64 from = FAT_CANDIDATES * g->w.fat_erase;
	u64 to = FAT_CANDIDATES * g->erase;

	if (from < to && !geo_take(g, from, to - from))
		return false;
	g->w.fat_erase = g->erase;
	return true;
}

static int fat_streams(struct fb_geometry *g)
{
	u32 block = geo_write_block(g, g->erase);
	u32 i, index, left = FAT_CANDIDATES;
	int ret = 0;

	if (!fat_take(g))
		return -ENOSPC;
	geo_set_start(g, GEO_LINEAR, g->erase, block);
	for (i = 0; left && !ret; i++) {
		if (!fat_candidate(g, i, &index)) {
			ret = geo_set_add(g);
			continue;
		}
		geo_set_add_at(g, index * g->erase,
			       div64_u64(g->erase, block));
		left--;
	}
	g->w.set.next = 0;
	return ret;
}

/* An ordinary one is closed again and again. */
static bool fat_stays_open(const struct fat *f, u32 i)
{
	return f->collections[i] * 5 <= f->rounds[i];
}

/* If any of them is closed, ordinary ones may be in half of the rounds. */
static bool fat_is_doubtful(const struct fb_geometry *g, const struct fat *f,
			    u32 i)
{
	if (g->w.sporadic)
		return !fat_stays_open(f, i) &&
		       f->collections[i] * 5 < f->rounds[i] * 2;
	return f->score[i] < FAT_SURE && f->score[i] > -FAT_SURE;
}

static void fat_say(struct fb_geometry *g, const struct fat *f)
{
	char value[FB_VALUE_LEN];
	u32 i, n = 0, confidence = FB_SURE - 1, others = f->writes;
	u64 mask = 0;
	int len = 0;

	for (i = 0; i < FAT_CANDIDATES; i++) {
		if (fat_is_doubtful(g, f, i))
			confidence -= 120;
		if (!fat_stays_open(f, i))
			continue;
		len += scnprintf(value + len, sizeof(value) - len, "%s%u",
				 n++ ? "," : "", i);
		mask |= BIT_ULL(i);
		others -= f->rounds[i];
	}
	if (!n)
		scnprintf(value, sizeof(value), "none");
	if (100 * f->slow < FAT_PRESSURE * others)
		geo_unknown(g, FB_FAT_AREA, FB_BASIS_WRITE,
			    "only %u of %u other writes were slow", f->slow,
			    others);
	else
		geo_say_text(g, FB_FAT_AREA, value, mask, confidence,
			     FB_BASIS_WRITE,
			     "%u of %u stay open, %u of %u other writes slow%s",
			     n, FAT_CANDIDATES, f->slow, others,
			     mask >> (FAT_CANDIDATES - 1) ?
			     ", perhaps more" : "");
}

/* Why it cannot be found, or NULL */
static const char *fat_obstacle(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;

	if (!g->erase)
		return "erase block not known";
	if (!l->known)
		return "limit of open blocks not known";
	if (l->number == GEO_NO_LIMIT)
		return "no limit of open blocks, hence no pressure";
	if (l->number > FAT_MOST_OPEN)
		return "too many open blocks";
	if (g->probe.start)
		return "start of the disk not in the range";
	if (g->probe.end < FAT_CANDIDATES * g->erase)
		return "range too short";
	return NULL;
}

static int fat_measure(struct fb_geometry *g, struct fat *f)
{
	u32 i, rounds = g->w.sporadic ? FAT_MORE_ROUNDS : FAT_ROUNDS;
	int ret = fat_streams(g);

	for (i = 0; i < rounds && !ret && !fat_is_clear(g, f); i++)
		ret = fat_round(g, f, i > 0);
	return ret;
}

static int fat_blocks(struct fb_geometry *g)
{
	const char *obstacle = fat_obstacle(g);
	struct fat f = { .writes = 0 };
	int ret;

	if (obstacle) {
		geo_unknown(g, FB_FAT_AREA, FB_BASIS_NONE, "%s", obstacle);
		return 0;
	}
	ret = fat_measure(g, &f);
	if (ret == -ENOSPC || ret == -EDQUOT)
		geo_no(g, FB_FAT_AREA, ret);
	else if (!ret)
		fat_say(g, &f);
	return ret == -ENOSPC ? 0 : ret;
}

/**
 * geo_fat_blocks() - erase blocks kept open for file allocation tables
 * @g: the inference
 *
 * Writes to the start of the disk. Before the erase block is checked, if reads
 * have named one: the check may take all the collections that are allowed.
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_fat_blocks(struct fb_geometry *g)
{
	return g->erase ? fat_blocks(g) : 0;
}

/**
 * geo_fat_again() - the same, if the erase block has turned out to be another
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_fat_again(struct fb_geometry *g)
{
	if (g->erase && g->w.fat_erase == g->erase)
		return 0;
	return fat_blocks(g);
}
