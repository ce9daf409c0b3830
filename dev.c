// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device under test: opened, held, claimed, and gone.
 *
 * It is opened twice. The first open only reads and is there as long as the
 * device is the target, so that the answers are about one device. The second
 * one claims it exclusively, and is there as long as a session may write.
 */
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/kdev_t.h>
#include <linux/slab.h>
#include "blkio.h"
#include "compat.h"

/* How long others may take to close the device: 10 times 50 ms */
#define FB_CLAIM_TRIES	10
#define FB_CLAIM_PAUSE	50

/* The session itself has it open twice while it tries to claim it */
#define FB_CLAIM_OPENERS	2

/**
 * struct fb_dev - a device under test
 * @held: the shared open; always there
 * @claim: the exclusive open; there while the session may write
 * @size: bytes, when it was opened
 * @diskseq: number of the medium, when it was opened
 * @start: first byte that may be touched, from the start of the target
 * @len: how many may be
 * @armed: the session allows writing
 */
struct fb_dev {
	struct fb_bdev held;
	struct fb_bdev claim;
	u64 size;
	u64 diskseq;
	u64 start;
	u64 len;
	bool armed;
};

/* What is no such device to a user has many names in the kernel */
static int fb_open_error(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
	case -ENXIO:
	case -ENOTBLK:
	case -ENOMEDIUM:
		return -ENODEV;
	case -ENAMETOOLONG:
		return -EINVAL;
	default:
		return err;
	}
}

/* "179:0". The caller has seen a digit, so this cannot be a path. */
static int fb_parse_devt(const char *text, dev_t *devt)
{
	const char *colon = strchr(text, ':');
	unsigned int major, minor;
	char digits[12];

	if (!colon || colon - text >= sizeof(digits) || !isdigit(colon[1]) ||
	    strchr(colon, '\n'))
		return -EINVAL;
	strscpy(digits, text, colon - text + 1);
	if (kstrtouint(digits, 10, &major) || kstrtouint(colon + 1, 10, &minor))
		return -EINVAL;
	*devt = MKDEV(major, minor);
	if (MAJOR(*devt) != major || MINOR(*devt) != minor)
		return -EINVAL;
	return 0;
}

static int fb_find_devt(const char *name, dev_t *devt)
{
	char *path;
	int ret;

	if (!*name)
		return -EINVAL;
	if (isdigit(*name))
		return fb_parse_devt(name, devt);
	path = kasprintf(GFP_KERNEL, "%s%s", *name == '/' ? "" : "/dev/", name);
	if (!path)
		return -ENOMEM;
	ret = fb_lookup_bdev(path, devt);
	kfree(path);
	return ret;
}

/**
 * fb_dev_open() - open a device for reading and hold it
 * @name: "mmcblk0", an absolute path, or "MAJOR:MINOR"
 * @devp: where the device goes
 *
 * Others may use the device meanwhile. The range is the whole device.
 *
 * Context: process context, may sleep. Names are looked up in the mount
 * namespace of the caller.
 *
 * Return: 0; -EINVAL if @name is no name of a device; -ENODEV if there is no
 * such block device, or nothing in it; -ENOMEM; or what its driver said.
 */
int fb_dev_open(const char *name, struct fb_dev **devp)
{
	struct fb_dev *dev;
	dev_t devt;
	int ret;

	ret = fb_find_devt(name, &devt);
	if (ret)
		return fb_open_error(ret);
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	ret = fb_bdev_open(&dev->held, devt, NULL);
	if (ret) {
		kfree(dev);
		return fb_open_error(ret);
	}
	dev->diskseq = fb_disk_seq(dev->held.bdev->bd_disk);
	dev->size = fb_bdev_bytes(dev->held.bdev);
	dev->len = dev->size;
	if (!dev->size) {
		fb_dev_close(dev);
		return -ENODEV;
	}
	*devp = dev;
	return 0;
}

/**
 * fb_dev_close() - let go of a device
 * @dev: the device; no operation may be in progress
 *
 * Context: process context, may sleep.
 */
void fb_dev_close(struct fb_dev *dev)
{
	fb_dev_unclaim(dev);
	fb_bdev_close(&dev->held);
	kfree(dev);
}

/* Our bios go past the page cache of the device */
static int fb_drop_cache(struct block_device *bdev)
{
	int ret = sync_blockdev(bdev);

	invalidate_bdev(bdev);
	return ret;
}

static int fb_dev_try_claim(struct fb_dev *dev)
{
	struct block_device *bdev = dev->held.bdev;
	int ret;

	if (bdev_read_only(bdev))
		return -EROFS;
	/* not tried in vain: a claim given up still counts, see fb_bdev_close() */
	if (fb_dev_openers(bdev) >= FB_CLAIM_OPENERS)
		return -EBUSY;
	ret = fb_bdev_open(&dev->claim, bdev->bd_dev, dev);
	if (ret == -EACCES || ret == -EPERM)
		return -EROFS;
	if (ret)
		return fb_open_error(ret);
	/* the number may be that of another disk by now */
	if (dev->claim.bdev != bdev) {
		fb_bdev_close(&dev->claim);
		return -ENODEV;
	}
	/* the claim keeps out mounts and other claims, but no plain opener */
	if (fb_dev_openers(bdev) > FB_CLAIM_OPENERS)
		ret = -EBUSY;
	else
		ret = fb_drop_cache(bdev);
	if (ret)
		fb_bdev_close(&dev->claim);
	return ret;
}

/**
 * fb_dev_claim() - have a device for oneself
 * @dev: the device; nothing happens if it is claimed
 *
 * Nothing can mount it until fb_dev_unclaim(). Whoever is just passing, as udev
 * is after each close, gets half a second to finish. From 6.9 on the last
 * fb_dev_unclaim() counts as such a one until its system call has ended, so
 * one call cannot both unclaim and claim.
 *
 * Context: process context, may sleep.
 *
 * Return: 0; -EBUSY if somebody else holds it, has mounted it or has it or a
 * partition of it open; -EROFS if it cannot be written; -EINTR on a signal;
 * -ENODEV if it has gone; -EIO if what others wrote to it could not be stored.
 */
int fb_dev_claim(struct fb_dev *dev)
{
	int tries = FB_CLAIM_TRIES;
	int ret;

	if (dev->claim.bdev)
		return 0;
	while ((ret = fb_dev_try_claim(dev)) == -EBUSY && tries--) {
		if (msleep_interruptible(FB_CLAIM_PAUSE))
			return -EINTR;
	}
	return ret;
}

/**
 * fb_dev_unclaim() - let others have a device again
 * @dev: the device, claimed or not; it is disarmed, too
 *
 * Context: process context, may sleep.
 */
void fb_dev_unclaim(struct fb_dev *dev)
{
	dev->armed = false;
	if (!dev->claim.bdev)
		return;
	/* nobody could write past us, and if it failed nobody could help it */
	fb_drop_cache(dev->claim.bdev);
	fb_bdev_close(&dev->claim);
}

/**
 * fb_dev_arm() - allow blkio to write, or forbid it
 * @dev: the device; without a claim it is not written, armed or not
 * @armed: allow
 */
void fb_dev_arm(struct fb_dev *dev, bool armed)
{
	dev->armed = armed;
}

/**
 * fb_dev_set_range() - say which part of a device may be touched
 * @dev: the device; no run may be in progress
 * @start: first byte, from the start of the target
 * @len: bytes
 */
void fb_dev_set_range(struct fb_dev *dev, u64 start, u64 len)
{
	dev->start = start;
	dev->len = len;
}

/**
 * fb_dev_guard() - say what may be done to a device at this instant
 * @dev: the device
 * @guard: is filled in
 */
void fb_dev_guard(struct fb_dev *dev, struct fb_guard *guard)
{
	struct block_device *bdev = dev->held.bdev;

	guard->armed = dev->armed && dev->claim.bdev;
	guard->read_only = bdev_read_only(bdev);
	guard->start = dev->start;
	guard->len = dev->len;
	guard->logical_block = bdev_logical_block_size(bdev);
}

/**
 * fb_dev_gone() - was a device removed?
 * @dev: the device
 *
 * Context: any.
 *
 * Return: true if it was, or if its medium was.
 */
bool fb_dev_gone(struct fb_dev *dev)
{
	struct gendisk *disk = dev->held.bdev->bd_disk;

	/*
	 * A removed disk has no capacity, with all its partitions. One in a
	 * reader stays, and has another number when it has another medium.
	 */
	return !get_capacity(disk) || fb_disk_seq(disk) != dev->diskseq;
}

/**
 * fb_dev_read_only() - is a device write-protected at this instant?
 * @dev: the device
 *
 * Return: true if it is.
 */
bool fb_dev_read_only(struct fb_dev *dev)
{
	return bdev_read_only(dev->held.bdev);
}

/**
 * fb_dev_bdev() - the kernel's view of a device
 * @dev: the device
 *
 * Return: the block device, valid until fb_dev_close().
 */
struct block_device *fb_dev_bdev(struct fb_dev *dev)
{
	return dev->held.bdev;
}

/**
 * fb_dev_size() - size of a device
 * @dev: the device
 *
 * Return: bytes, as they were when it was opened.
 */
u64 fb_dev_size(struct fb_dev *dev)
{
	return dev->size;
}

/**
 * fb_dev_disk_start() - where on its disk a device begins
 * @dev: the device
 *
 * Return: bytes; 0 if it is the whole disk.
 */
u64 fb_dev_disk_start(struct fb_dev *dev)
{
	return (u64)get_start_sect(dev->held.bdev) << SECTOR_SHIFT;
}

/**
 * fb_dev_disk_size() - size of the disk a device is on, or is
 * @dev: the device
 *
 * Return: bytes.
 */
u64 fb_dev_disk_size(struct fb_dev *dev)
{
	return (u64)get_capacity(dev->held.bdev->bd_disk) << SECTOR_SHIFT;
}

/**
 * fb_dev_openers() - how often a device is open
 * @bdev: the device; an open partition counts as an opener of its disk
 *
 * Return: number of openers, this module included.
 */
int fb_dev_openers(struct block_device *bdev)
{
	return fb_bdev_openers(bdev);
}
