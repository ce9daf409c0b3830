/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels flashbench supports: 5.10 and later.
 *
 * The code is written for the newest kernel, and this is the only place that
 * looks at a version. The names begin with fb_, so that a change which a stable
 * kernel picks up later cannot collide with them. A gate names the release the
 * change is in, and the stable release where it was picked up.
 */
#ifndef FLASHBENCH_COMPAT_H
#define FLASHBENCH_COMPAT_H

#include <linux/bio.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mmzone.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "flashbench needs Linux 5.10 or later"
#endif

/* ---- opening a block device ---- */

/*
 * 6.9, f3a608827d1f: an open block device is a file
 * 6.7, e719b4d15674: it is a handle
 * 6.5, 05bdb9965305: it is opened with a blk_mode_t instead of an fmode_t, and
 * 6.5, 2736e8eeb0cc: closed with its holder; who has one has it exclusively
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
typedef struct file fb_bdev_handle;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
typedef struct bdev_handle fb_bdev_handle;
#else
typedef struct block_device fb_bdev_handle;
#endif

/**
 * struct fb_bdev - an open block device
 * @bdev: the device; NULL if it is not open
 * @handle: what the kernel wants back to close it
 * @holder: who holds it exclusively; NULL if nobody does
 */
struct fb_bdev {
	struct block_device *bdev;
	fb_bdev_handle *handle;
	void *holder;
};

/*
 * 6.8, ed5cc702d311: BLK_OPEN_RESTRICT_WRITES keeps other writers out
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#define FB_OPEN_CLAIM	(BLK_OPEN_READ | BLK_OPEN_WRITE | \
			 BLK_OPEN_RESTRICT_WRITES)
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
#define FB_OPEN_CLAIM	(BLK_OPEN_READ | BLK_OPEN_WRITE)
#endif

/**
 * fb_bdev_open() - open a block device
 * @b: filled in on success, untouched otherwise
 * @dev: which device
 * @holder: NULL to read it and share it, else who claims it for reading and
 *	writing
 *
 * Return: 0 or the negative errno of the kernel.
 */
static inline int fb_bdev_open(struct fb_bdev *b, dev_t dev, void *holder)
{
	fb_bdev_handle *handle;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	handle = bdev_file_open_by_dev(dev,
				       holder ? FB_OPEN_CLAIM : BLK_OPEN_READ,
				       holder, NULL);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	handle = bdev_open_by_dev(dev, holder ? FB_OPEN_CLAIM : BLK_OPEN_READ,
				  holder, NULL);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	handle = blkdev_get_by_dev(dev, holder ? FB_OPEN_CLAIM : BLK_OPEN_READ,
				   holder, NULL);
#else
	handle = blkdev_get_by_dev(dev, holder ?
				   FMODE_READ | FMODE_WRITE | FMODE_EXCL :
				   FMODE_READ, holder);
#endif
	if (IS_ERR(handle))
		return PTR_ERR(handle);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	b->bdev = file_bdev(handle);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	b->bdev = handle->bdev;
#else
	b->bdev = handle;
#endif
	b->handle = handle;
	b->holder = holder;
	return 0;
}

/**
 * fb_bdev_close() - close it again
 * @b: an open device; it is not open afterwards. From 6.9 on the claim ends at
 *	once, but the device counts as open until the caller returns to user
 *	space or, in a kernel thread, for a moment
 */
static inline void fb_bdev_close(struct fb_bdev *b)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	bdev_fput(b->handle);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	bdev_release(b->handle);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	blkdev_put(b->handle, b->holder);
#else
	blkdev_put(b->handle, b->holder ?
		   FMODE_READ | FMODE_WRITE | FMODE_EXCL : FMODE_READ);
#endif
	b->bdev = NULL;
}

/* 5.11, 4e7b5671c6a8: lookup_bdev() no longer takes a reference */
static inline int fb_lookup_bdev(const char *path, dev_t *dev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	return lookup_bdev(path, dev);
#else
	struct block_device *bdev = lookup_bdev(path);

	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	*dev = bdev->bd_dev;
	bdput(bdev);
	return 0;
#endif
}

/* 5.19, 9acf381f3e8f: the number of openers is atomic */
static inline unsigned int fb_bdev_openers(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return atomic_read(&bdev->bd_openers);
#else
	return READ_ONCE(bdev->bd_openers);
#endif
}

/* ---- what a block device is ---- */

/* 5.15, cf179948554a: every medium that a disk is given has a number */
static inline u64 fb_disk_seq(struct gendisk *disk)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
	return READ_ONCE(disk->diskseq);
#else
	return 0;
#endif
}

/* 5.16, 6436bd90f76e: bdev_nr_bytes() */
static inline u64 fb_bdev_bytes(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
	return bdev_nr_bytes(bdev);
#else
	return i_size_read(bdev->bd_inode);
#endif
}

/* 5.19, 70200574cc22: no discard means a limit of 0; the flag is gone */
static inline unsigned int fb_max_discard_sectors(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return bdev_max_discard_sectors(bdev);
#else
	struct request_queue *q = bdev_get_queue(bdev);

	return blk_queue_discard(q) ? q->limits.max_discard_sectors : 0;
#endif
}

/* 5.19, 08e688fdb8f7: bdev_write_cache() */
static inline bool fb_write_cache(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return bdev_write_cache(bdev);
#else
	return test_bit(QUEUE_FLAG_WC, &bdev_get_queue(bdev)->queue_flags);
#endif
}

/* 5.19: bdev_fua() */
static inline bool fb_fua(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return bdev_fua(bdev);
#else
	return test_bit(QUEUE_FLAG_FUA, &bdev_get_queue(bdev)->queue_flags);
#endif
}

/* 5.19, 44abff2c0b97: secure erase has a limit of its own */
static inline unsigned int fb_secure_erase_sectors(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return bdev_max_secure_erase_sectors(bdev);
#else
	struct request_queue *q = bdev_get_queue(bdev);

	return blk_queue_secure_erase(q) ? q->limits.max_discard_sectors : 0;
#endif
}

/* 7.0, da562d92e675: bdev_rot() */
static inline bool fb_rotational(struct block_device *bdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
	return bdev_rot(bdev);
#else
	return !blk_queue_nonrot(bdev_get_queue(bdev));
#endif
}

/**
 * fb_disk_lock_live() - keep a disk from being removed
 * @disk: held open by the caller
 *
 * del_gendisk() takes the same lock to mark the disk as removed before it
 * drops anything else.
 * 5.15: that lock is open_mutex, and disk_live() shows the mark
 *
 * Return: true with the disk locked, to be unlocked with fb_disk_unlock();
 *	false without if it has been removed already.
 */
static inline bool fb_disk_lock_live(struct gendisk *disk)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
	mutex_lock(&disk->open_mutex);
	if (disk_live(disk))
		return true;
	mutex_unlock(&disk->open_mutex);
#else
	down_read(&disk->lookup_sem);
	if (disk->flags & GENHD_FL_UP)
		return true;
	up_read(&disk->lookup_sem);
#endif
	return false;
}

/**
 * fb_disk_unlock() - let it go
 * @disk: locked by fb_disk_lock_live()
 */
static inline void fb_disk_unlock(struct gendisk *disk)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
	mutex_unlock(&disk->open_mutex);
#else
	up_read(&disk->lookup_sem);
#endif
}

/* ---- bios and their memory ---- */

/* 6.0, 342a72a33407: blk_opf_t */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
typedef blk_opf_t fb_opf_t;
#else
typedef unsigned int fb_opf_t;
#endif

/* 5.12, a8affc03a9b3: BIO_MAX_PAGES is called BIO_MAX_VECS */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
#define FB_BIO_MAX_VECS	BIO_MAX_VECS
#else
#define FB_BIO_MAX_VECS	BIO_MAX_PAGES
#endif

/* 5.18, 49add4966d79: bio_init() takes the device and the operation */
static inline void fb_bio_init(struct bio *bio, struct block_device *bdev,
			       struct bio_vec *table, unsigned short max_vecs,
			       fb_opf_t opf)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
	bio_init(bio, bdev, table, max_vecs, opf);
#else
	bio_init(bio, table, max_vecs);
	bio_set_dev(bio, bdev);
	bio->bi_opf = opf;
#endif
}

/*
 * 6.8, 5e0a760b4441: MAX_ORDER is called MAX_PAGE_ORDER
 * 6.4, 23baf831a32c: MAX_ORDER is the largest order, not the one after it
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#define FB_MAX_PAGE_ORDER	MAX_PAGE_ORDER
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define FB_MAX_PAGE_ORDER	MAX_ORDER
#else
#define FB_MAX_PAGE_ORDER	(MAX_ORDER - 1)
#endif

/* ---- tracepoints ---- */

/*
 * 5.11, a54895fa057c, and 5.10.137: block_rq_issue has no queue. The argument
 * list of a probe for it, with the data of its registration in front.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 10, 137)
#define FB_PROBE_RQ_ISSUE(data, rq) \
	void *data, struct request *rq
#else
#define FB_PROBE_RQ_ISSUE(data, rq) \
	void *data, struct request_queue *q, struct request *rq
#endif

/* 5.16, 8a7d267b4a2c: block_rq_complete has a blk_status_t, not an errno */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
typedef blk_status_t fb_rq_error_t;
#else
typedef int fb_rq_error_t;
#endif

/*
 * 5.18: block_rq_error, which tells where in a request an error
 * was. Its probe is as that of block_rq_complete.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define fb_check_probe_rq_error(probe) \
	check_trace_callback_type_block_rq_error(probe)
#else
#define fb_check_probe_rq_error(probe) ((void)(probe))
#endif

/* ---- timers (flashsim) ---- */

/* 6.13, 908a1d775422: hrtimer_setup() takes the callback; 7.x has no other */
static inline void fb_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*fn)(struct hrtimer *),
				    clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fn, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
#endif
}

#endif
