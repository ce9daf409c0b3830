// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bios: built, guarded, submitted and timed. No other file submits any.
 *
 * One operation is in progress at a time. It becomes as few bios as the queue
 * allows, in memory that is as contiguous as the system allows, because a bio
 * that the block layer has to split is no longer one command to the card. All
 * of that is done before the clock starts: between the two stamps of a sample
 * there is only the block layer, the driver and the card.
 */
#include <linux/completion.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "blkio.h"
#include "compat.h"

/**
 * struct fb_slot - one bio of the operation in hand
 * @io: whose operation
 * @end_ns: when its completion handler was called
 * @issued_ns: when the driver was first given its request; 0 if it was not
 * @completed_ns: when the driver last completed a part of it; 0 if it did not
 * @offset: where it begins, bytes from the start of the target
 * @length: bytes
 * @good: bytes before its first error; @length if it had none, or if nobody
 *	knows where
 * @bio: the bio; last because it once ended in a flexible array
 */
struct fb_slot {
	struct fb_io *io;
	u64 end_ns;
	u64 issued_ns;
	u64 completed_ns;
	u64 offset;
	u32 length;
	u32 good;
	struct bio bio;
};

/**
 * struct fb_io - all a run needs to do its operations
 * @dev: the device
 * @cfg: what the run wants
 * @cut: where bios have to end
 * @max_len: longest operation it has room for, bytes
 * @buf: its data
 * @slots: the bios
 * @max_slots: how many
 * @vecs: what their data is listed in
 * @nr: slots the operation in hand uses
 * @pending: how many of them have not completed
 * @done: all have
 * @stamp: what the next sector is stamped with, before it is hashed
 * @stale: so many bytes of the buffer hold what was read, not the pattern
 * @failed_sector: see fb_io_failed_sector()
 * @failed_opcode: see fb_io_failed_opcode()
 * @attached: to the tracepoints
 */
struct fb_io {
	struct fb_dev *dev;
	struct fb_io_config cfg;
	struct fb_cut cut;
	u64 max_len;
	struct fb_buffer buf;
	struct fb_slot *slots;
	u32 max_slots;
	struct bio_vec *vecs;
	u32 nr;
	atomic_t pending;
	struct completion done;
	u64 stamp;
	u64 stale;
	u64 failed_sector;
	enum fb_opcode failed_opcode;
	bool attached;
};

static void fb_end_io(struct bio *bio)
{
	struct fb_slot *slot = container_of(bio, struct fb_slot, bio);

	slot->end_ns = ktime_get_ns();
	if (atomic_dec_and_test(&slot->io->pending))
		complete(&slot->io->done);
}

static bool fb_owns(const struct bio *bio)
{
	return bio->bi_end_io == fb_end_io;
}

static void fb_issued(struct bio *bio, u64 now_ns)
{
	struct fb_slot *slot = container_of(bio, struct fb_slot, bio);

	/* a driver that was busy is given the request again */
	if (!slot->issued_ns)
		slot->issued_ns = now_ns;
}

static void fb_completed(struct bio *bio, u64 now_ns)
{
	container_of(bio, struct fb_slot, bio)->completed_ns = now_ns;
}

/* Drivers go on after an error, MMC's sector by sector: the first one counts */
static void fb_failed(struct bio *bio)
{
	struct fb_slot *slot = container_of(bio, struct fb_slot, bio);

	if (slot->good == slot->length)
		slot->good -= bio->bi_iter.bi_size;
}

static const struct fb_diag_ops fb_io_diag_ops = {
	.owns = fb_owns,
	.issued = fb_issued,
	.completed = fb_completed,
	.failed = fb_failed,
};

/*
 * No merging, or two bios could become one command. REQ_SYNC with REQ_IDLE, as
 * direct I/O has it, exempts writes from writeback throttling.
 */
static fb_opf_t fb_opf(enum fb_opcode opcode, bool fua)
{
	switch (opcode) {
	case FB_WRITE:
		return REQ_OP_WRITE | REQ_SYNC | REQ_IDLE | REQ_NOMERGE |
		       (fua ? REQ_FUA : 0);
	case FB_DISCARD:
		return REQ_OP_DISCARD | REQ_NOMERGE;
	case FB_FLUSH:
		return REQ_OP_WRITE | REQ_PREFLUSH;
	case FB_READ:
		break;
	}
	return REQ_OP_READ | REQ_NOMERGE;
}

static void fb_add_data(struct fb_io *io, struct bio *bio, struct fb_place *at,
			u32 len)
{
	while (len) {
		const struct fb_piece *piece = &io->buf.pieces[at->piece];
		u32 bytes = min(len, piece->len - at->off);

		__bio_add_page(bio, piece->page + (at->off >> PAGE_SHIFT),
			       bytes, offset_in_page(at->off));
		fb_advance(&io->buf, at, bytes);
		len -= bytes;
	}
}

/* The part of the buffer a bio gets is aligned for the DMA of the device */
static void fb_build_data(struct fb_io *io, struct fb_slot *slot, u32 left,
			  struct fb_place *at)
{
	u32 len;

	fb_advance(&io->buf, at, ALIGN(at->off, io->cut.align) - at->off);
	len = fb_cut_data(&io->cut, &io->buf, *at, slot->offset, left);
	fb_add_data(io, &slot->bio, at, len);
}

static void fb_release_bios(struct fb_io *io)
{
	u32 i;

	for (i = 0; i < io->nr; i++)
		bio_uninit(&io->slots[i].bio);
	io->nr = 0;
}

/* Make the bios of an operation, which can be the read before a write */
static int fb_build(struct fb_io *io, const struct fb_op *op,
		    enum fb_opcode opcode)
{
	fb_opf_t opf = fb_opf(opcode, op->fua);
	struct bio_vec *vec = io->vecs;
	struct fb_place at = {};
	u32 done = 0;

	do {
		struct fb_slot *slot = &io->slots[io->nr];
		struct bio *bio = &slot->bio;
		u32 left = op->length - done;

		/* fb_io_alloc() has miscalculated if this happens */
		if (WARN_ON_ONCE(io->nr == io->max_slots ||
				 at.piece == io->buf.nr)) {
			fb_release_bios(io);
			return -E2BIG;
		}
		io->nr++;
		slot->issued_ns = 0;
		slot->completed_ns = 0;
		slot->offset = op->offset + done;
		fb_bio_init(bio, fb_dev_bdev(io->dev), vec, FB_BIO_MAX_VECS,
			    opf);
		bio->bi_iter.bi_sector = slot->offset >> SECTOR_SHIFT;
		bio->bi_end_io = fb_end_io;
		if (opcode == FB_DISCARD)
			bio->bi_iter.bi_size =
				fb_cut_discard(&io->cut, slot->offset, left);
		else if (left)
			fb_build_data(io, slot, left, &at);
		slot->length = bio->bi_iter.bi_size;
		slot->good = slot->length;
		vec += bio->bi_vcnt;
		done += slot->length;
	} while (done < op->length);
	return 0;
}

/*
 * A card may recognize what it has stored before, so in random data no two
 * sectors are ever the same.
 */
static void fb_stamp_data(struct fb_io *io, u8 *data, u32 len)
{
	u32 off;

	for (off = 0; off < len; off += SECTOR_SIZE)
		*(__le64 *)(data + off) =
			cpu_to_le64(fb_hash(io->stamp++));
}

/* Make the data of the write in hand what it should be */
static void fb_prepare_data(struct fb_io *io)
{
	struct bvec_iter iter;
	struct bio_vec bv;
	u32 i;

	if (io->stale) {
		fb_buffer_fill(&io->buf, io->stale, io->cfg.pattern,
			       io->cfg.seed);
		io->stale = 0;
	}
	if (io->cfg.pattern != FB_PATTERN_RANDOM)
		return;
	for (i = 0; i < io->nr; i++) {
		bio_for_each_bvec(bv, &io->slots[i].bio, iter)
			fb_stamp_data(io, page_address(bv.bv_page) +
				      bv.bv_offset, bv.bv_len);
	}
}

/*
 * The timed section; returns when it began. What it does not do here was done
 * before or is done after.
 */
static u64 fb_submit(struct fb_io *io)
{
	u32 nr = io->nr;
	u64 start;
	u32 i;

	reinit_completion(&io->done);
	atomic_set(&io->pending, nr);
	start = ktime_get_ns();
	for (i = 0; i < nr; i++)
		submit_bio(&io->slots[i].bio);
	/* a slow card is no hung task */
	while (!wait_for_completion_io_timeout(&io->done, 30 * HZ))
		;
	return start;
}

static u64 fb_driver_time(const struct fb_io *io)
{
	u64 first = U64_MAX;
	u64 last = 0;
	u32 i;

	for (i = 0; i < io->nr; i++) {
		const struct fb_slot *slot = &io->slots[i];

		if (!slot->issued_ns || !slot->completed_ns)
			return 0;
		first = min(first, slot->issued_ns);
		last = max(last, slot->completed_ns);
	}
	return last - first;
}

/*
 * The block layer splits a bio by making the rest of it wait for its front:
 * bio_chain() increments __bi_remaining, which is 1, and every end decrements
 * it. One that was never chained is not counted and still has 1 at the end,
 * one that was has 0.
 */
static bool fb_was_split(struct bio *bio)
{
	return !atomic_read(&bio->__bi_remaining);
}

static u64 fb_failed_sector(const struct fb_slot *slot)
{
	u64 good = slot->good < slot->length ? slot->good : 0;

	return (slot->offset + good) >> SECTOR_SHIFT;
}

/* Submit an operation, wait for it and note how it went */
static int fb_run_op(struct fb_io *io, const struct fb_op *op,
		     enum fb_opcode opcode, struct fb_sample *s)
{
	u64 end = 0;
	int ret = 0;
	u32 i;

	s->submit_ns = fb_submit(io);
	for (i = 0; i < io->nr; i++) {
		struct fb_slot *slot = &io->slots[i];

		end = max(end, slot->end_ns);
		s->split |= fb_was_split(&slot->bio);
		if (slot->bio.bi_status && !ret) {
			ret = blk_status_to_errno(slot->bio.bi_status);
			io->failed_sector = fb_failed_sector(slot);
			io->failed_opcode = opcode;
		}
	}
	s->latency_ns = end - s->submit_ns;
	s->parts = min_t(u32, io->nr, U16_MAX);
	s->driver_ns = s->split ? 0 : fb_driver_time(io);
	if (opcode == FB_READ)
		io->stale = max_t(u64, io->stale, op->length +
				  (u64)io->nr * io->cut.align);
	fb_release_bios(io);
	return ret;
}

static int fb_check_op(struct fb_io *io, const struct fb_op *op)
{
	struct fb_guard guard;

	/* the rest of this file relies on these two */
	if (op->opcode == FB_FLUSH ? op->length : !op->length)
		return -EINVAL;
	if (op->length > io->max_len)
		return -EINVAL;
	if (op->opcode == FB_DISCARD && !io->cut.discard)
		return -EOPNOTSUPP;
	/* nothing could bring back what a discard took */
	if (op->opcode == FB_DISCARD && io->cfg.preserve)
		return -EPERM;
	fb_dev_guard(io->dev, &guard);
	return fb_guard_check(&guard, op);
}

static int fb_read_first(struct fb_io *io, const struct fb_op *op,
			 struct fb_ledger *ledger)
{
	struct fb_sample untimed = {};
	int ret;

	ret = fb_build(io, op, FB_READ);
	if (ret)
		return ret;
	fb_ledger_add(ledger, FB_READ, op->length);
	return fb_run_op(io, op, FB_READ, &untimed);
}

static int fb_do_op(struct fb_io *io, const struct fb_op *op,
		    struct fb_sample *s, struct fb_ledger *ledger)
{
	bool preserve = op->opcode == FB_WRITE && io->cfg.preserve;
	int ret;

	ret = fb_check_op(io, op);
	if (!ret && preserve)
		ret = fb_read_first(io, op, ledger);
	if (!ret)
		ret = fb_build(io, op, op->opcode);
	if (ret)
		return ret;
	if (op->opcode == FB_WRITE && !preserve)
		fb_prepare_data(io);
	fb_ledger_add(ledger, op->opcode, op->length);
	return fb_run_op(io, op, op->opcode, s);
}

/**
 * fb_io_do() - do one operation and time it
 * @io: what fb_io_create() made
 * @op: the operation; not longer than was said there
 * @s: how it went, filled in also if it failed
 * @ledger: every operation that was submitted is added to it
 *
 * This is the second guard: whatever the caller believes, nothing is written
 * unless the device is armed and can be written at this instant, and nothing
 * is read or written outside the range.
 *
 * Context: process context, sleeps until the last bio has completed, whatever
 * happens. Not for two callers at once.
 *
 * Return: 0; -EPERM, -EROFS or -EINVAL if the guard refused, see
 * fb_guard_check(); -EOPNOTSUPP if the device knows no discard; or what the
 * device said, usually -EIO.
 */
int fb_io_do(struct fb_io *io, const struct fb_op *op, struct fb_sample *s,
	     struct fb_ledger *ledger)
{
	*s = (struct fb_sample) {
		.offset = op->offset,
		.length = op->length,
		.point = op->point,
		.pos = op->pos,
		.opcode = op->opcode,
	};
	io->failed_sector = op->offset >> SECTOR_SHIFT;
	io->failed_opcode = op->opcode;
	s->status = fb_do_op(io, op, s, ledger);
	return s->status;
}

/**
 * fb_io_failed_sector() - where the last operation failed
 * @io: what it was done with; the last fb_io_do() failed
 *
 * Return: first sector that failed, in units of 512 bytes from the start of the
 * target, of the first bio that failed. The block layer tells since 5.18;
 * before that, and of devices that are made of others, it is the first sector
 * of that bio. Of an operation that was refused it is the first one.
 */
u64 fb_io_failed_sector(const struct fb_io *io)
{
	return io->failed_sector;
}

/**
 * fb_io_failed_opcode() - what failed in the last operation
 * @io: what it was done with; the last fb_io_do() failed
 *
 * Return: its opcode; FB_READ for the read that comes before a write when
 * data is preserved.
 */
enum fb_opcode fb_io_failed_opcode(const struct fb_io *io)
{
	return io->failed_opcode;
}

static int fb_io_alloc(struct fb_io *io)
{
	u64 bytes = io->max_len;
	int ret;

	/* a device that wants more than sectors makes gaps between bios */
	if (io->cut.align > SECTOR_SIZE)
		bytes *= 2;
	ret = fb_buffer_alloc(&io->buf, bytes, io->cut.logical);
	if (ret)
		return ret;
	io->max_slots = fb_cut_max_bios(&io->cut, &io->buf, io->max_len);
	io->slots = kvcalloc(io->max_slots, sizeof(*io->slots), GFP_KERNEL);
	/* a bio has one more for each end of a piece in it */
	io->vecs = kvcalloc(io->max_slots + io->buf.nr, sizeof(*io->vecs),
			    GFP_KERNEL);
	return io->slots && io->vecs ? 0 : -ENOMEM;
}

/**
 * fb_io_create() - get all that a run needs, so that it needs nothing more
 * @dev: the device; it must stay open until fb_io_destroy()
 * @cfg: what the run wants; copied
 *
 * Context: process context, may sleep.
 *
 * Return: what fb_io_do() wants; or as an ERR_PTR() -EINVAL if the longest
 * operation is longer than FB_MAX_LEN, -ENOMEM, or, if cfg->diag is set, what
 * fb_diag_attach() said.
 */
struct fb_io *fb_io_create(struct fb_dev *dev, const struct fb_io_config *cfg)
{
	struct fb_io *io;
	u32 i;
	int ret;

	if (cfg->max_len > FB_MAX_LEN)
		return ERR_PTR(-EINVAL);
	io = kzalloc(sizeof(*io), GFP_KERNEL);
	if (!io)
		return ERR_PTR(-ENOMEM);
	io->dev = dev;
	io->cfg = *cfg;
	io->stamp = fb_hash(cfg->seed);
	init_completion(&io->done);
	fb_cut_init(&io->cut, dev);
	io->max_len = max_t(u64, cfg->max_len, io->cut.logical);
	ret = fb_io_alloc(io);
	if (ret)
		goto err_destroy;
	for (i = 0; i < io->max_slots; i++)
		io->slots[i].io = io;
	fb_buffer_fill(&io->buf, U64_MAX, cfg->pattern, cfg->seed);
	ret = fb_diag_attach(&fb_io_diag_ops, cfg->diag);
	if (ret)
		goto err_destroy;
	io->attached = true;
	return io;

err_destroy:
	fb_io_destroy(io);
	return ERR_PTR(ret);
}

/**
 * fb_io_destroy() - give it all back
 * @io: what fb_io_create() made; no operation may be in progress
 *
 * Context: process context, may sleep.
 */
void fb_io_destroy(struct fb_io *io)
{
	if (io->attached)
		fb_diag_detach();
	fb_buffer_free(&io->buf);
	kvfree(io->slots);
	kvfree(io->vecs);
	kfree(io);
}
