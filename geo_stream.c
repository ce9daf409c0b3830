// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of writes in erase blocks that nothing was written to before.
 */
#include "geometry_impl.h"

#define STREAM_SKIP	(16ULL << 20)	/* bytes at the start of the disk, */
#define STREAM_SKIP_UNITS	9	/* but at least so many erase blocks */
#define STREAM_GRANULE	(64u << 10)
#define STREAM_ROOM	128	/* blocks used in one place, */
#define STREAM_LARGE_ROOM	512	/* more, up to half of an erase block */
#define STREAM_BLOCK	(16u << 10)

/* ---- places ---- */

static u64 greatest_divisor(u64 a, u64 b)
{
	u64 rest;

	while (b) {
		div64_u64_rem(a, b, &rest);
		a = b;
		b = rest;
	}
	return a;
}

/* About 0.618 of n, and coprime to it: the next places are far away */
static u64 golden_step(u64 n)
{
	u64 step = max_t(u64, div_u64(n * 618, 1000), 1);

	while (greatest_divisor(step, n) != 1)
		step++;
	return step;
}

/**
 * geo_walk_start() - list places in a range, none of them twice
 * @walk: the list
 * @start: of the range, bytes
 * @end: its end
 * @align: they are the multiples of this, bytes
 * @size: of what is wanted there, bytes
 * @erase: what an erase block is likely to be, bytes
 * @random: where to begin
 *
 * The start of the disk is left out: the card may treat it in its own way.
 */
void geo_walk_start(struct geo_walk *walk, u64 start, u64 end, u64 align,
		    u64 size, u64 erase, u64 random)
{
	u64 skip = max(STREAM_SKIP, STREAM_SKIP_UNITS * erase);
	u64 first = fb_round_up(max(start, skip), align);

	*walk = (struct geo_walk) {
		.align = align, .size = size, .first = first,
	};
	if (end > first)
		walk->n = div64_u64(end - first, align);
	if (!walk->n)
		return;
	walk->left = walk->n;
	walk->step = golden_step(walk->n);
	div64_u64_rem(random, walk->n, &walk->at);
}

static void writer_prepare(struct fb_geometry *g)
{
	const struct fb_probe *p = &g->probe;
	struct geo_writer *w = &g->w;

	if (w->ready)
		return;
	w->ready = true;
	w->granule = STREAM_GRANULE;
	while (div64_u64(p->end - p->start, w->granule) >= GEO_GRANULES)
		w->granule *= 2;
}

/**
 * geo_take() - note that a place is going to be written
 * @g: the inference
 * @base: where, bytes from the start of the disk
 * @size: bytes
 *
 * Return: false if it is not inside of the range or was taken before.
 */
bool geo_take(struct fb_geometry *g, u64 base, u64 size)
{
	struct geo_writer *w = &g->w;
	u64 from, to, i;

	writer_prepare(g);
	if (base < g->probe.start || base > g->probe.end ||
	    size > g->probe.end - base)
		return false;
	from = div64_u64(base - g->probe.start, w->granule);
	to = div64_u64(base + size - 1 - g->probe.start, w->granule);
	for (i = from; i <= to; i++)
		if (w->used[i / 64] & BIT_ULL(i % 64))
			return false;
	for (i = from; i <= to; i++)
		w->used[i / 64] |= BIT_ULL(i % 64);
	return true;
}

/**
 * geo_walk_next() - the next place of a list
 * @walk: the list
 * @exact: once all were visited there is none; else the room behind what was
 *	used there is next
 * @base: gets where it is, bytes from the start of the disk
 *
 * Return: false if there is none left.
 */
bool geo_walk_next(struct geo_walk *walk, bool exact, u64 *base)
{
	if (!walk->left && !exact && walk->behind + 2 * walk->size <= walk->align) {
		walk->left = walk->n;
		walk->behind += walk->size;
	}
	if (!walk->left)
		return false;
	*base = walk->first + walk->at * walk->align + walk->behind;
	walk->at += walk->step;
	if (walk->at >= walk->n)
		walk->at -= walk->n;
	walk->left--;
	return true;
}

/**
 * geo_has_data() - on some cards it shows that nothing was ever written here
 * @g: the inference
 * @base: where, bytes from the start of the disk
 * @size: bytes; a read in the middle is tried
 * @data: gets false if there is none
 *
 * Return: as geo_ask().
 */
int geo_has_data(struct fb_geometry *g, u64 base, u64 size, bool *data)
{
	u32 length = geo_read_length(g);
	int ret;

	*data = true;
	if (!g->read.cut)
		return 0;
	base += size / 2;
	geo_want(g, FB_READ, base - fb_modulo(base, length), length);
	ret = geo_ask(g);
	*data = g->ns[0] >= g->read.cut;
	return ret;
}

/**
 * geo_set_is_near() - is there a stream in that erase block?
 * @g: the inference
 * @base: a place, bytes from the start of the disk
 * @unit: assumed erase block, bytes
 *
 * Two streams in one would look like one that is closed.
 *
 * Return: whether there is.
 */
bool geo_set_is_near(const struct fb_geometry *g, u64 base, u64 unit)
{
	const struct geo_set *set = &g->w.set;
	u64 other;
	u32 i;

	base -= fb_modulo(base, unit);
	for (i = 0; i < set->n; i++) {
		other = set->stream[i].base;
		if (other - fb_modulo(other, unit) == base)
			return true;
	}
	return false;
}

static int stream_find(struct fb_geometry *g, bool exact, u64 *base)
{
	struct geo_walk *walk = &g->w.walk;
	u32 tries = 0;
	bool data;
	int ret;

	/* once all of the range is used there may be very many to try in vain */
	while (tries++ < 4 * GEO_GRANULES && geo_walk_next(walk, exact, base)) {
		if (geo_set_is_near(g, *base, walk->align) ||
		    !geo_take(g, *base, walk->size))
			continue;
		ret = geo_has_data(g, *base, walk->size, &data);
		if (ret || data)
			return ret;
	}
	return -ENOSPC;
}

/**
 * geo_fresh() - a place that no part of the inference has written to
 * @g: the inference
 * @align: it is a multiple of this, bytes
 * @size: bytes
 * @exact: it must be; else it may lie behind one that is used up
 * @base: gets where it is, bytes from the start of the disk
 *
 * One with data in it, if that can be told: there is nothing to copy when an
 * empty erase block is closed, and it may not show that it is.
 *
 * The first erase blocks are left to the search for FAT blocks. As long as
 * nobody knows how large they are, more is left, but only while there is room.
 *
 * Return: 0; -ENOSPC if there is none left; what geo_ask() returns.
 */
int geo_fresh(struct fb_geometry *g, u64 align, u64 size, bool exact,
	      u64 *base)
{
	u64 erase = g->erase ? g->erase : g->w.set.unit;
	struct geo_walk *walk = &g->w.walk;
	int ret;

	if (walk->align != align || walk->size != size || exact)
		geo_walk_start(walk, g->probe.start, g->probe.end, align,
			       size, max(size, erase), geo_random(g));
	ret = stream_find(g, exact, base);
	if (ret != -ENOSPC || erase == g->erase)
		return ret;
	geo_walk_start(walk, g->probe.start, g->probe.end, align, size, size,
		       geo_random(g));
	return stream_find(g, exact, base);
}

/**
 * geo_write_block() - how much to write at a time
 * @g: the inference
 * @unit: assumed erase block, bytes
 *
 * A multi-plane page, for less costs as much; but no less than 16 KiB if that
 * leaves enough writes in an erase block.
 *
 * Return: bytes.
 */
u32 geo_write_block(const struct fb_geometry *g, u64 unit)
{
	const struct fb_verdict *page = &g->verdict[FB_SUPER_PAGE];
	u32 block = STREAM_BLOCK;

	if (page->confidence >= FB_LIKELY && page->number &&
	    page->number <= unit)
		block = page->number;
	if (STREAM_BLOCK % block == 0 && unit >= 64 * STREAM_BLOCK)
		block = STREAM_BLOCK;
	return max(block, g->probe.logical_block);
}

/* ---- streams ---- */

/*
 * A stream that goes elsewhere leaves an erase block open. But small devices
 * have no room for large places.
 */
static u64 stream_room(u64 unit, u32 block)
{
	u64 room = max_t(u64, div_u64(unit, 2), (u64)STREAM_ROOM * block);

	room -= fb_modulo(room, block);
	room = min_t(u64, room, (u64)STREAM_LARGE_ROOM * block);
	return min(room, unit);
}

/**
 * geo_set_start() - no streams yet
 * @g: the inference
 * @order: of the writes in each that is going to be added
 * @unit: assumed erase block, bytes
 * @block: of one write, bytes
 */
void geo_set_start(struct fb_geometry *g, enum geo_order order, u64 unit,
		   u32 block)
{
	struct geo_set *set = &g->w.set;

	set->n = 0;
	set->next = 0;
	set->order = order;
	set->unit = unit;
	set->room = stream_room(unit, block);
	set->block = block;
	set->plain = false;
	set->stays = false;
}

static int stream_move(struct fb_geometry *g, struct geo_stream *s)
{
	const struct geo_set *set = &g->w.set;
	u32 blocks = div64_u64(set->room, set->block);
	u64 base;
	int ret;

	ret = geo_fresh(g, set->unit, set->room, false, &base);
	if (ret)
		return ret;
	*s = (struct geo_stream) {
		.base = base, .blocks = blocks, .stride = 1, .limit = blocks,
	};
	if (set->order == GEO_RANDOM && blocks > 1) {
		/* to write to its start would begin an erase block anew */
		s->base += set->block;
		s->blocks = --blocks;
		s->limit = blocks;
		s->first = blocks / 2;
		s->stride = golden_step(blocks);
	}
	return 0;
}

/**
 * geo_set_shuffle() - go on out of order, in the same erase blocks
 * @g: the inference; its streams are in order
 * @n: only the first so many of them stay
 *
 * First each writes to the start of its erase block, which begins it anew.
 */
void geo_set_shuffle(struct fb_geometry *g, u32 n)
{
	struct geo_set *set = &g->w.set;
	struct geo_stream *s;

	set->n = n;
	set->next = 0;
	set->order = GEO_RANDOM;
	for (s = set->stream; s < set->stream + n; s++) {
		s->stride = golden_step(s->blocks);
		s->done = 0;
	}
}

/**
 * geo_set_add() - one more stream, in a fresh erase block
 * @g: the inference
 *
 * Return: 0 or -ENOSPC.
 */
int geo_set_add(struct fb_geometry *g)
{
	struct geo_set *set = &g->w.set;
	int ret;

	if (set->n == GEO_MAX_STREAMS)
		return -ENOSPC;
	ret = stream_move(g, &set->stream[set->n]);
	if (!ret)
		set->next = set->n++;
	return ret;
}

/**
 * geo_set_add_at() - one more stream, that stays where it is
 * @g: the inference
 * @base: where it begins, bytes from the start of the disk; all of it must
 *	have been taken
 * @blocks: so many blocks, written in order again and again
 */
void geo_set_add_at(struct fb_geometry *g, u64 base, u32 blocks)
{
	struct geo_set *set = &g->w.set;

	set->stream[set->n++] = (struct geo_stream) {
		.base = base, .blocks = blocks, .stride = 1,
	};
}

/*
 * Writes that may open an erase block: out of order, only the second one shows
 * that it is.
 */
static u32 stream_opening(const struct geo_set *set,
			  const struct geo_stream *s)
{
	return set->order == GEO_RANDOM || !s->limit ? 2 : 1;
}

static void stream_ask(struct fb_geometry *g, struct geo_stream *s)
{
	const struct geo_set *set = &g->w.set;
	u32 opening = stream_opening(set, s);
	u32 index;

	div_u64_rem(s->first + (u64)s->done * s->stride, s->blocks, &index);
	if (s->done >= opening)
		g->w.counts |= BIT_ULL(g->nask);
	g->ask[g->nask++] = (struct fb_ask) {
		.offset = s->base + (u64)index * set->block,
		.length = set->block,
		.opcode = FB_WRITE,
		.flush = g->probe.write_cache && !set->plain,
	};
	s->done++;
}

/*
 * At the end of its room. Elsewhere nothing was written before; but what is
 * left open stays for long on a card that closes any of them.
 */
static int stream_go_on(struct fb_geometry *g, struct geo_stream *s)
{
	if (!g->w.set.stays && ((!g->w.sporadic && !g->w.stray) ||
				g->w.set.order != GEO_LINEAR))
		return stream_move(g, s);
	s->done = 0;
	return 0;
}

/**
 * geo_turn() - the next writes of the streams
 * @g: the inference; gets their times, and in w.counts which of them do not
 *	open an erase block
 * @n: how many, at most 64
 *
 * Return: 0 or an error.
 */
int geo_turn(struct fb_geometry *g, u32 n)
{
	struct geo_set *set = &g->w.set;
	u32 each = DIV_ROUND_UP(n, set->n);
	struct geo_stream *s;
	int ret;

	for (s = set->stream; s < set->stream + set->n; s++) {
		if (!s->limit || s->done + each < s->limit)
			continue;
		ret = stream_go_on(g, s);
		if (ret)
			return ret;
	}
	g->w.counts = 0;
	while (g->nask < n) {
		s = &set->stream[set->next];
		stream_ask(g, s);
		/* what opening it costs is over before the next one's turn */
		if (s->limit && s->done < stream_opening(set, s))
			continue;
		if (++set->next >= set->n)
			set->next = 0;
	}
	return geo_ask(g);
}

/**
 * geo_set_rest() - move the streams that would have to soon
 * @g: the inference
 *
 * What a stream opens or leaves behind when it goes elsewhere hides what is to
 * be seen.
 *
 * Return: 0 or an error.
 */
int geo_set_rest(struct fb_geometry *g)
{
	struct geo_set *set = &g->w.set;
	struct geo_stream *s;
	int ret = 0;

	for (s = set->stream; s < set->stream + set->n && !ret; s++)
		if (s->limit && s->done + min_t(u32, s->limit / 2, GEO_ROUNDS) >
				s->limit)
			ret = stream_go_on(g, s);
	return ret;
}

/* ---- saying ---- */

/**
 * geo_wants() - was this asked for?
 * @g: the inference
 * @key: which verdict
 *
 * Return: whether it was.
 */
bool geo_wants(const struct fb_geometry *g, enum fb_verdict_key key)
{
	return g->probe.only & BIT(key);
}

/**
 * geo_no() - an answer that an error kept from being found
 * @g: the inference
 * @key: which verdict
 * @err: -EDQUOT or -ENOSPC
 */
void geo_no(struct fb_geometry *g, enum fb_verdict_key key, int err)
{
	const struct fb_probe *p = &g->probe;
	u64 unit = g->w.set.unit;
	u64 enough = STREAM_SKIP + 2 * GEO_MAX_STREAMS * unit;
	char text[FB_TEXT_LEN], range[FB_TEXT_LEN];

	if (err == -EDQUOT) {
		geo_unknown(g, key, FB_BASIS_WRITE, "a budget ended first");
		return;
	}
	fb_format_size(text, sizeof(text), unit);
	fb_format_size(range, sizeof(range), enough);
	if (!unit)
		geo_unknown(g, key, FB_BASIS_NONE, "too little room");
	else if (p->end - p->start < enough && enough <= p->disk_size)
		geo_unknown(g, key, FB_BASIS_WRITE,
			    "no fresh block of %s left in the range; %s would do",
			    text, range);
	else
		geo_unknown(g, key, FB_BASIS_WRITE,
			    "no fresh block of %s left", text);
}
