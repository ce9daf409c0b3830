// SPDX-License-Identifier: GPL-2.0-only
/*
 * The erase block by writes: with as many erase blocks open as the card can
 * keep, one more place that is written to costs nothing if it lies in one of
 * them, and a collection for each write if it does not.
 */
#include "geometry_impl.h"

#define CHECK_MOST_OPEN	33	/* each question costs so many collections */
#define CHECK_BEHIND	(64u << 10)
#define CHECK_ROOM	32	/* blocks of one of the others */
#define CHECK_STREAM	24	/* blocks of a stream in order */
#define CHECK_BASES	8	/* places there should be for a check, */
#define CHECK_SEARCH_BASES	16	/* and for a search */
#define CHECK_MIN_BLOCKS	8	/* writes in an erase block, */
#define CHECK_NAMED_BLOCKS	16	/* and to refute what reads have found */
/* In none of the sizes of the table a stream that begins there soon ends */
#define CHECK_APART	(72ULL << 20)
#define CHECK_CONFIRMED	990
#define CHECK_CORRECTED	900
#define CHECK_SEARCHED	940

/* What the erase block turns out to be, against what was assumed */
enum check_result { CHECK_AGREES, CHECK_LARGER, CHECK_SMALLER };

#define KIB(n)	((n) << 10)

static const u32 check_sizes[] = {
	KIB(128), KIB(192), KIB(256), KIB(384), KIB(512), KIB(768), KIB(1024),
	KIB(1536), KIB(2048), KIB(3072), KIB(4096), KIB(6144), KIB(8192),
	KIB(12288), KIB(16384), KIB(24576), KIB(32768), KIB(49152), KIB(65536),
};

/* They have no multiples in common with those */
static const u32 check_odd_sizes[] = {
	KIB(4608), KIB(5120), KIB(7168), KIB(9216), KIB(10240), KIB(14336),
	KIB(18432), KIB(4128),
};

/**
 * struct check - of the erase block
 * @open: erase blocks open at once
 * @rewrites: the card takes writes out of order in an open erase block
 * @block: of one write, bytes
 * @apart: what others are multiples of, bytes
 */
struct check {
	u32 open;
	bool rewrites;
	u32 block;
	u64 apart;
};

/* ---- one question ---- */

static bool check_room(const struct fb_geometry *g, u64 distance)
{
	u32 bases = g->erase ? CHECK_BASES : CHECK_SEARCH_BASES;

	return div64_u64(g->probe.end - g->probe.start, 2 * distance) >= bases;
}

/*
 * Multiples of what the base is aligned to are erase block boundaries also if
 * the erase block is 2, 3, 4, 6 or 12 times as large, or a fraction of it.
 */
static u64 check_align(const struct fb_geometry *g, u64 erase)
{
	static const u8 multiples[] = { 12, 6, 4, 2 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(multiples) - 1; i++)
		if (check_room(g, multiples[i] * erase / 2))
			break;
	return multiples[i] * erase;
}

/* The smallest multiple of @size that all sizes of the table up to it divide */
static u64 check_span(u64 size)
{
	return size & (size - 1) ? 2 * size : 3 * size;
}

/* Boundaries of whatever the erase block can be, up to @size */
static u64 check_search_align(const struct fb_geometry *g, u64 size)
{
	u64 span = check_span(size);

	return check_room(g, 2 * span) ? 2 * span : span;
}

/*
 * Streams that keep all but one of the open erase blocks busy, far apart in
 * case the erase block is larger. When it is a matter of luck which one is
 * closed, they are kept from question to question: it takes long to get rid of
 * others.
 */
static int check_crowd(struct fb_geometry *g, const struct check *c)
{
	struct geo_set *set = &g->w.set;
	u32 i, crowd = c->rewrites ? c->open - 1 : 0;
	int ret = 0;

	if (!set->stays || set->unit != c->apart || set->n < crowd) {
		geo_set_start(g, GEO_LINEAR, c->apart, c->block);
		set->room = min_t(u64, set->room, CHECK_ROOM * c->block);
		set->stays = true;
	}
	set->n = min(set->n, crowd);
	/* the last question may have closed them */
	for (i = 0; i < set->n && !g->w.sporadic; i++)
		set->stream[i].done = 0;
	while (set->n < crowd && !ret)
		ret = geo_set_add(g);
	set->next = 0;
	return ret;
}

/* Could a stream of the crowd be in an erase block with this place? */
static bool check_near(const struct fb_geometry *g, u64 align, u64 at)
{
	const struct geo_set *set = &g->w.set;
	u64 other;
	u32 i;

	at -= fb_modulo(at, align);
	for (i = 0; i < set->n; i++) {
		other = set->stream[i].base;
		if (other - fb_modulo(other, align) == at)
			return true;
	}
	return false;
}

/*
 * Where all multiples of @align were written to: what was opened there has long
 * been closed, and a stream from the start of an erase block begins it anew.
 * Each of them once, so that no two answers are about the same place.
 */
static int check_base_again(struct fb_geometry *g, const struct check *c,
			    u64 align, u64 delta, u64 *base)
{
	struct geo_walk *walk = &g->w.again;
	u64 room = (u64)CHECK_STREAM * c->block;
	bool data;
	int ret;

	if (walk->align != align)
		geo_walk_start(walk, g->probe.start, g->probe.end, align, room,
			       max(room, g->erase), geo_random(g));
	while (geo_walk_next(walk, true, base)) {
		if (*base + delta + room > g->probe.end ||
		    check_near(g, align, *base) ||
		    check_near(g, align, *base + delta))
			continue;
		ret = geo_has_data(g, *base, min(room, delta), &data);
		if (ret || data)
			return ret;
	}
	return -ENOSPC;
}

/* A multiple of @align, where nothing was written to nor @delta behind it */
static int check_base(struct fb_geometry *g, const struct check *c, u64 align,
		      u64 delta, u64 *base)
{
	u64 room = (u64)CHECK_STREAM * c->block;
	int tries, ret;

	for (tries = 0; tries < CHECK_BASES; tries++) {
		ret = geo_fresh(g, align, min(room, delta), true, base);
		if (ret == -ENOSPC)
			break;
		if (ret)
			return ret;
		if (geo_take(g, *base + fb_round_up(delta, g->w.granule), room))
			return 0;
	}
	return check_base_again(g, c, align, delta, base);
}

/* Are a multiple of @align and the place @delta on in one erase block? */
static int check_same(struct fb_geometry *g, const struct check *c, u64 align,
		      u64 delta, bool *same)
{
	u64 room = min_t(u64, delta, (u64)CHECK_STREAM * c->block);
	enum geo_fit fit;
	u64 base;
	int ret;

	ret = check_crowd(g, c);
	if (!ret)
		ret = check_base(g, c, align, delta, &base);
	if (ret)
		return ret;
	geo_set_add_at(g, base, div_u64(room, c->block));
	geo_set_add_at(g, base + delta, c->rewrites ? 2 : CHECK_STREAM);
	ret = geo_passes(g, &fit);
	*same = (fit == GEO_FITS) == c->rewrites;
	return ret;
}

/*
 * The same question on other places: is the answer @want? Two of three answers
 * count for what reads have found, too. If the size is only a guess, @strict,
 * both answers may be as likely at any place, and more have to agree.
 */
static int check_vote(struct fb_geometry *g, const struct check *c, u64 erase,
		      u64 delta, bool want, bool strict, bool *agreed)
{
	u64 align = check_align(g, erase);
	u32 yes = 0, no = 0;
	bool same;
	int ret;

	while (no < 2 && yes < (strict ? 3 + 3 * no : 2)) {
		ret = check_same(g, c, align, delta, &same);
		if (ret)
			return ret;
		if (same == want)
			yes++;
		else
			no++;
	}
	*agreed = no < 2;
	return 0;
}

/* ---- one erase block ---- */

/* The last place that is still in the erase block, if that is @erase */
static u64 check_last(const struct check *c, u64 erase)
{
	u64 behind = min_t(u64, CHECK_BEHIND, div_u64(erase, 4));

	if (!c->rewrites)
		behind = min_t(u64, div_u64(erase, 3),
			       (u64)CHECK_STREAM * c->block);
	behind -= fb_modulo(behind, c->block);
	return erase - max_t(u64, behind, 2 * c->block);
}

static int check_one(struct fb_geometry *g, const struct check *c, u64 erase,
		     bool strict, enum check_result *result)
{
	bool agreed;
	int ret;

	ret = check_vote(g, c, erase, erase, false, strict, &agreed);
	*result = CHECK_LARGER;
	if (ret || !agreed)
		return ret;
	ret = check_vote(g, c, erase, check_last(c, erase), true, strict,
			 &agreed);
	*result = agreed ? CHECK_AGREES : CHECK_SMALLER;
	return ret;
}

/*
 * Find the smallest size, of @low to before @high in the table, at which there
 * is another erase block, and check it.
 */
static int check_search(struct fb_geometry *g, const struct check *c, u32 low,
			u32 high, u64 *found)
{
	enum check_result result;
	u32 mid, end;
	bool same;
	int ret;

	/* no larger than there is room for questions */
	while (low < high &&
	       !check_room(g, check_span(check_sizes[high - 1])))
		high--;
	end = high;
	while (low < high) {
		mid = (low + high) / 2;
		/* aligned to whatever it can still be */
		ret = check_same(g, c,
				 check_search_align(g, check_sizes[high - 1]),
				 check_sizes[mid], &same);
		if (ret)
			return ret;
		if (same)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == end)
		return 0;
	ret = check_one(g, c, check_sizes[low], true, &result);
	if (!ret && result == CHECK_AGREES)
		*found = check_sizes[low];
	return ret;
}

/* The odd ones, one by one: first what is least likely if it is another one */
static int check_search_odd(struct fb_geometry *g, const struct check *c,
			    u64 *found)
{
	enum check_result result;
	u64 erase;
	bool same;
	u32 i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(check_odd_sizes); i++) {
		erase = check_odd_sizes[i];
		ret = check_same(g, c, check_align(g, erase),
				 check_last(c, erase), &same);
		if (!ret && !same)
			continue;
		if (!ret)
			ret = check_one(g, c, erase, true, &result);
		if (ret)
			return ret;
		if (result == CHECK_AGREES) {
			*found = erase;
			return 0;
		}
	}
	return 0;
}

/* The first size in the table that is larger than @size */
static u32 check_above(u64 size)
{
	u32 i = 0;

	while (i < ARRAY_SIZE(check_sizes) && check_sizes[i] <= size)
		i++;
	return i;
}

/* The read answer is refuted: what else reads saw, or any other size. */
static int check_correct(struct fb_geometry *g, const struct check *c,
			 enum check_result result, u64 *found)
{
	bool larger = result == CHECK_LARGER;
	bool runner_larger = g->runner_up > g->erase;
	u32 above = check_above(g->erase);
	int ret;

	*found = 0;
	if (g->runner_up && larger == runner_larger) {
		ret = check_one(g, c, g->runner_up, true, &result);
		if (ret)
			return ret;
		if (result == CHECK_AGREES) {
			*found = g->runner_up;
			return 0;
		}
	}
	if (larger)
		ret = check_search(g, c, above, ARRAY_SIZE(check_sizes), found);
	else
		ret = check_search(g, c,
				   check_above(CHECK_MIN_BLOCKS * c->block - 1),
				   check_above(g->erase - 1), found);
	if (ret || *found)
		return ret;
	return check_search_odd(g, c, found);
}

/* ---- what can be asked ---- */

/*
 * Does an open erase block take writes out of order? Two streams in one, the
 * second going back and forth between two blocks behind the first.
 */
static int check_rewrites(struct fb_geometry *g, struct check *c, u64 unit)
{
	const struct geo_limit *random = &g->w.random;
	enum geo_fit fit;
	u64 base, behind;
	int ret;

	if (random->known) {
		c->rewrites = random->number > 0;
		return 0;
	}
	geo_set_start(g, GEO_LINEAR, unit, c->block);
	ret = geo_fresh(g, unit, CHECK_STREAM * c->block, false, &base);
	if (ret)
		return ret;
	geo_set_add_at(g, base, CHECK_STREAM);
	/* aligned: a part of a program unit may cost as much as a collection */
	behind = min_t(u64, min_t(u64, CHECK_BEHIND, unit / 2),
		       (CHECK_STREAM - 2) * c->block);
	behind = max_t(u64, behind - fb_modulo(behind, c->block), c->block);
	geo_set_add_at(g, base + behind, 2);
	ret = geo_passes(g, &fit);
	c->rewrites = fit == GEO_FITS;
	return ret;
}

/* Others are far apart even if the erase block is larger, if there is room. */
static u64 check_apart(const struct fb_geometry *g, u64 unit, u32 open)
{
	u64 range = g->probe.end - g->probe.start;

	if (g->erase && div64_u64(range, 4 * unit) >= 4 * open)
		return 4 * unit;
	if (!g->erase && div64_u64(range, CHECK_APART) >= 4 * open)
		return CHECK_APART;
	return unit;
}

/* Why nothing can be asked, or NULL */
static const char *check_obstacle(const struct fb_geometry *g,
				  const struct check *c)
{
	const struct geo_limit *l = &g->w.linear;

	if (!g->erase && g->read.shifted)
		return "erase blocks may begin anywhere";
	if (!l->known)
		return "open blocks not known";
	if (l->number == GEO_NO_LIMIT)
		return "no limit of open blocks";
	if (l->number > CHECK_MOST_OPEN)
		return "too many open blocks";
	if (g->erase && g->erase < CHECK_NAMED_BLOCKS * c->block)
		return "too few writes in a block";
	return NULL;
}

/* ---- saying ---- */

/* What was said, without its candidate, and what writes say of it */
static void check_say(struct fb_geometry *g, u64 erase, u32 confidence,
		      enum fb_basis basis, const char *what)
{
	const struct fb_verdict *v = &g->verdict[FB_ERASE_BLOCK];
	const char *text = v->evidence;
	char said[FB_EVIDENCE_LEN];

	if (!strncmp(text, "candidate ", 10) && strchr(text, ';'))
		text = strchr(text, ';') + 2;
	scnprintf(said, sizeof(said), "%s", text);
	if (confidence)
		geo_say(g, FB_ERASE_BLOCK, erase, confidence, basis,
			"%s; %s", said, what);
	else
		geo_unknown(g, FB_ERASE_BLOCK, basis, "%s; %s", said, what);
}

static int check_found(struct fb_geometry *g, u64 erase, u32 confidence,
		       enum fb_basis basis, const char *what)
{
	bool same = g->erase == erase;

	g->erase = erase;
	g->w.checked = true;
	g->w.guessed = false;
	check_say(g, erase, confidence, basis, what);
	if (same) {
		geo_say_open(g);
		return 0;
	}
	return geo_open_again(g, erase);
}

/* Reads have named an erase block. */
static int check_named(struct fb_geometry *g, const struct check *c)
{
	char refuted[64], size[FB_TEXT_LEN];
	enum check_result result;
	u64 found;
	int ret;

	ret = check_one(g, c, g->erase, false, &result);
	if (ret)
		return ret;
	if (result == CHECK_AGREES)
		return check_found(g, g->erase, CHECK_CONFIRMED,
				   FB_BASIS_CHECKED, "co-location confirmed");
	fb_format_size(size, sizeof(size), g->erase);
	scnprintf(refuted, sizeof(refuted), "%s refuted by co-location", size);
	ret = check_correct(g, c, result, &found);
	if (found)
		return check_found(g, found, CHECK_CORRECTED, FB_BASIS_WRITE,
				   refuted);
	check_say(g, 0, 0, FB_BASIS_CHECKED, refuted);
	return ret;
}

/* Reads have found nothing. */
static int check_unnamed(struct fb_geometry *g, const struct check *c)
{
	u64 found = 0;
	int ret;

	ret = check_search(g, c, check_above(CHECK_MIN_BLOCKS * c->block - 1),
			   ARRAY_SIZE(check_sizes), &found);
	if (!ret && !found)
		ret = check_search_odd(g, c, &found);
	if (ret)
		return ret;
	if (!found) {
		check_say(g, 0, 0, FB_BASIS_WRITE,
			  "co-location found no size that fits");
		return 0;
	}
	return check_found(g, found, CHECK_SEARCHED, FB_BASIS_WRITE,
			   "found by co-location");
}

/**
 * geo_check_erase() - the erase block, checked or searched by writes
 * @g: the inference
 *
 * Return: 0, -EDQUOT, or what geo_ask() returns.
 */
int geo_check_erase(struct fb_geometry *g)
{
	u64 unit = g->erase ? g->erase : g->w.set.unit;
	struct check c = { .open = g->w.linear.number };
	const char *obstacle;
	int ret;

	c.block = geo_write_block(g, unit);
	c.apart = check_apart(g, unit, c.open);
	obstacle = check_obstacle(g, &c);
	if (!obstacle) {
		ret = check_rewrites(g, &c, unit);
		if (!ret && !c.rewrites && c.open < 2)
			obstacle = "only one open block, in order";
		else if (!ret)
			ret = g->erase ? check_named(g, &c) :
					 check_unnamed(g, &c);
		if (ret == -ENOSPC)
			obstacle = "no room";
		else if (ret)
			return ret;
	}
	if (obstacle)
		check_say(g, g->erase, g->verdict[FB_ERASE_BLOCK].confidence,
			  g->verdict[FB_ERASE_BLOCK].basis, obstacle);
	return 0;
}
