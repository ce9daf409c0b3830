// SPDX-License-Identifier: GPL-2.0-only
/*
 * Erase blocks for file allocation tables: some cards keep the first ones open
 * whatever else is written. Under pressure, only these are fast.
 */
#include "geometry_impl.h"

#define FAT_CANDIDATES	8	/* erase blocks that are tried */
#define FAT_ROUNDS	19	/* the first one does not count */
#define FAT_FEW_ROUNDS	4	/* show whether there is any pressure */
#define FAT_STRAY	50	/* of fast writes look slow at most, per mille */
#define FAT_MOST_SLOW	970	/* of writes to closed ones, per mille */
#define FAT_CLEAR	1000	/* ppm; less likely than that is not so */
#define FAT_MOST_OPEN	40
#define FAT_TURN	8	/* writes asked for at once; each may be slow */
#define FAT_PRESSURE	30	/* per cent of the other writes are slow */
#define FAT_DOUBT	160	/* confidence less for each doubtful one */

/**
 * struct fat - how the erase blocks do under pressure
 * @collections: of each candidate
 * @open: candidates that stay open, a mask
 * @closed: those that do not; it takes as many rounds as it takes to tell
 * @rounds: that count
 * @others: writes of the others
 * @slow: slow ones among them
 */
struct fat {
	u32 collections[FAT_CANDIDATES];
	u32 open;
	u32 closed;
	u32 rounds;
	u32 others;
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
 * costs is not known if only one erase block can be open. What was seen when
 * erase blocks were closed tells where that is far cheaper than to fill one.
 */
static u64 fat_limit(const struct fb_geometry *g)
{
	const struct geo_limit *l = &g->w.linear;
	u64 limit = l->single + geo_whole(g) / 4;

	if (l->pair)
		return div_u64(5 * max(l->pair, l->single), 2);
	if (g->w.closing > l->single)
		limit = min(limit, div_u64(l->single + g->w.closing, 2));
	return limit;
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
		if (fat_candidate(g, first + i, &index)) {
			f->collections[index] += slow;
			continue;
		}
		f->others++;
		f->slow += slow;
	}
}

/*
 * The others one place on: there may be less to copy than we think when one of
 * them is closed, and that must not always be for the same candidate.
 */
static void fat_rotate(struct fb_geometry *g)
{
	struct geo_set *set = &g->w.set;
	struct geo_stream first, *last = NULL;
	u32 i, index;

	for (i = 0; i < set->n; i++) {
		if (fat_candidate(g, i, &index))
			continue;
		if (last)
			*last = set->stream[i];
		else
			first = set->stream[i];
		last = &set->stream[i];
	}
	if (last)
		*last = first;
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
	f->rounds += counts;
	fat_rotate(g);
	return 0;
}

/* ---- closed or not? ---- */

/*
 * How likely are no more than @most of @n writes slow if @pm per mille are?
 * Parts per million.
 */
static u64 fat_chance(u32 n, u32 most, u32 pm)
{
	u64 term = 1000000ULL << 20, sum = 0;
	u32 i;

	for (i = 0; i < n; i++)
		term = div_u64(term * (1000 - pm), 1000);
	for (i = 0; i <= most && i <= n; i++) {
		sum += term;
		term = div_u64(term * (n - i), i + 1);
		term = div_u64(term * pm, 1000 - pm);
	}
	return sum >> 20;
}

/*
 * Writes to erase blocks that are closed are slow that often, per mille. The
 * others tell, but less so if what they close are candidates without data.
 */
static u32 fat_pressure(const struct fat *f)
{
	u32 i, pm = 1000 * f->slow / max_t(u32, f->others, 1);
	u32 slow = 0, writes = FAT_CANDIDATES * f->rounds;

	for (i = 0; i < FAT_CANDIDATES; i++)
		slow += f->collections[i];
	pm = max(pm, 1000 * slow / max_t(u32, writes, 1));
	return min_t(u32, max_t(u32, pm, 1), FAT_MOST_SLOW);
}

/* It would be closed more often if it was not kept open. */
static bool fat_stays_open(const struct fat *f, u32 i)
{
	return fat_chance(f->rounds, f->collections[i], fat_pressure(f)) <
	       FAT_CLEAR;
}

/* So often a write is not slow without a reason. */
static bool fat_is_closed(const struct fat *f, u32 i)
{
	return f->collections[i] &&
	       fat_chance(f->rounds, f->collections[i] - 1, FAT_STRAY) >
	       1000000 - FAT_CLEAR;
}

static void fat_decide(struct fat *f)
{
	u32 i;

	for (i = 0; i < FAT_CANDIDATES; i++) {
		if ((f->open | f->closed) & BIT(i))
			continue;
		if (fat_stays_open(f, i))
			f->open |= BIT(i);
		else if (fat_is_closed(f, i))
			f->closed |= BIT(i);
	}
}

/* More rounds say no more. */
static bool fat_is_clear(const struct fat *f)
{
	return (f->open | f->closed) == BIT(FAT_CANDIDATES) - 1 ||
	       (f->rounds >= FAT_FEW_ROUNDS &&
		fat_pressure(f) < 10 * FAT_PRESSURE / 2);
}

/* ---- under pressure ---- */

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

static void fat_say(struct fb_geometry *g, const struct fat *f)
{
	char value[FB_VALUE_LEN];
	u32 i, n = 0, confidence = FB_SURE - 1;
	int len = 0;

	for (i = 0; i < FAT_CANDIDATES; i++) {
		if (!((f->open | f->closed) & BIT(i)))
			confidence -= FAT_DOUBT;
		if (!(f->open & BIT(i)))
			continue;
		len += scnprintf(value + len, sizeof(value) - len, "%s%u",
				 n++ ? "," : "", i);
	}
	if (!n)
		scnprintf(value, sizeof(value), "none");
	if (fat_pressure(f) < 10 * FAT_PRESSURE)
		geo_unknown(g, FB_FAT_AREA, FB_BASIS_WRITE,
			    "only %u of %u other writes were slow", f->slow,
			    f->others);
	else
		geo_say_text(g, FB_FAT_AREA, value, f->open, confidence,
			     FB_BASIS_WRITE,
			     "%u of %u stay open, %u of %u other writes slow%s",
			     n, FAT_CANDIDATES, f->slow, f->others,
			     f->open >> (FAT_CANDIDATES - 1) ?
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
	int ret = fat_streams(g);
	u32 i;

	for (i = 0; i < FAT_ROUNDS && !ret && !fat_is_clear(f); i++) {
		ret = fat_round(g, f, i > 0);
		if (f->rounds)
			fat_decide(f);
	}
	return ret;
}

static int fat_blocks(struct fb_geometry *g)
{
	const char *obstacle = fat_obstacle(g);
	struct fat f = { .rounds = 0 };
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
