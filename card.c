// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the block layer says of the target: the first part of `info`, and the
 * lines that go into the header of every result. The registers of an SD or
 * MMC card are in mmc.c.
 */
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "compat.h"
#include "flashbench.h"

#define FB_ATTR_LEN	128	/* longest sysfs attribute we look at */
#define FB_MAX_FACTOR	65535	/* largest prime divisor that is searched for */

/*
 * The elevator's name and the model of a SCSI or NVMe disk are behind types
 * which the kernel keeps to itself; sysfs is where it gives them away, with
 * the same names in every version.
 */
static int fb_sysfs_read(struct gendisk *disk, const char *attr, char *buf,
			 size_t size)
{
	dev_t devt = disk_devt(disk);
	char path[64];
	struct file *file;
	loff_t pos = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", MAJOR(devt),
		 MINOR(devt), attr);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	n = kernel_read(file, buf, size - 1, &pos);
	filp_close(file, NULL);
	if (n < 0)
		return n;

	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

/* "mq-deadline" of "none [mq-deadline] bfq" */
static void fb_scheduler(struct block_device *bdev, char *buf, size_t size)
{
	char line[FB_ATTR_LEN];
	char *name, *end;

	if (!READ_ONCE(bdev_get_queue(bdev)->elevator)) {
		strscpy(buf, "none", size);
		return;
	}

	strscpy(buf, "unknown", size);
	if (fb_sysfs_read(bdev->bd_disk, "queue/scheduler", line, sizeof(line)))
		return;
	name = strchr(line, '[');
	end = name ? strchr(name, ']') : NULL;
	if (end) {
		*end = '\0';
		strscpy(buf, name + 1, size);
	}
}

/* Vendor and model of a SCSI disk, model of NVMe, product name of a card. */
static void fb_model(struct gendisk *disk, char *buf, size_t size)
{
	char vendor[FB_ATTR_LEN], model[FB_ATTR_LEN];

	strscpy(buf, "n/a", size);
	if (fb_sysfs_read(disk, "device/model", model, sizeof(model))) {
		if (!fb_sysfs_read(disk, "device/name", model, sizeof(model)))
			strscpy(buf, strim(model), size);
		return;
	}
	if (fb_sysfs_read(disk, "device/vendor", vendor, sizeof(vendor)))
		strscpy(buf, strim(model), size);
	else
		snprintf(buf, size, "%s %s", strim(vendor), strim(model));
}

static void fb_put(struct seq_file *m, const char *key, u64 val)
{
	seq_printf(m, "%s: %llu\n", key, val);
}

/*
 * The odd part as its prime factors. Trial division finds all of them below
 * 2^32 bytes of odd part; a factor that could still be a product is marked.
 */
static void fb_put_odd_factors(struct seq_file *m, u64 odd)
{
	const char *sep = "";
	u32 p, rem;
	u64 quot;

	seq_puts(m, "capacity_odd_factors: ");
	for (p = 3; p <= FB_MAX_FACTOR && (u64)p * p <= odd; p += 2) {
		while (quot = div_u64_rem(odd, p, &rem), !rem) {
			seq_printf(m, "%s%u", sep, p);
			sep = "*";
			odd = quot;
		}
	}
	if (odd > 1 || !*sep)
		seq_printf(m, "%s%llu%s", sep, odd,
			   (u64)p * p <= odd ? "?" : "");
	seq_putc(m, '\n');
}

/* A capacity is often a whole number of erase blocks: its factors are hints. */
static void fb_put_factors(struct seq_file *m, u64 bytes)
{
	unsigned int k;

	if (!bytes) {
		seq_puts(m, "capacity_factors: n/a\ncapacity_odd_factors: n/a\n");
		return;
	}
	k = __ffs64(bytes);
	seq_printf(m, "capacity_factors: 2^%u*%llu\n", k, bytes >> k);
	fb_put_odd_factors(m, bytes >> k);
}

static void fb_show_place(struct seq_file *m, struct block_device *bdev)
{
	struct gendisk *disk = bdev->bd_disk;
	u64 disk_bytes = (u64)get_capacity(disk) << SECTOR_SHIFT;
	char model[FB_ATTR_LEN];

	fb_model(disk, model, sizeof(model));
	seq_printf(m, "device: %pg\n", bdev);
	seq_printf(m, "dev: %u:%u\n", MAJOR(bdev->bd_dev), MINOR(bdev->bd_dev));
	seq_printf(m, "model: %s\n", model);
	seq_printf(m, "disk: %s\n", disk->disk_name);
	fb_put(m, "partition_start_bytes",
	       (u64)get_start_sect(bdev) << SECTOR_SHIFT);
	fb_put(m, "size_bytes", fb_bdev_bytes(bdev));
	fb_put(m, "size_sectors", fb_bdev_bytes(bdev) >> SECTOR_SHIFT);
	fb_put(m, "disk_size_bytes", disk_bytes);
	fb_put_factors(m, disk_bytes);
}

static void fb_show_limits(struct seq_file *m, struct block_device *bdev,
			   const struct fb_limits *lim)
{
	struct request_queue *q = bdev_get_queue(bdev);

	fb_put(m, "logical_block_bytes", lim->logical_block);
	fb_put(m, "physical_block_bytes", queue_physical_block_size(q));
	fb_put(m, "io_min_bytes", queue_io_min(q));
	fb_put(m, "io_opt_bytes", queue_io_opt(q));
	seq_printf(m, "alignment_offset_bytes: %d\n",
		   bdev_alignment_offset(bdev));
	fb_put(m, "max_sectors", queue_max_sectors(q));
	fb_put(m, "max_hw_sectors", queue_max_hw_sectors(q));
	fb_put(m, "max_segments", queue_max_segments(q));
	fb_put(m, "max_segment_bytes", queue_max_segment_size(q));
	seq_printf(m, "segment_boundary_mask: 0x%lx\n",
		   queue_segment_boundary(q));
	seq_printf(m, "virt_boundary_mask: 0x%lx\n", queue_virt_boundary(q));
	fb_put(m, "chunk_sectors", q->limits.chunk_sectors);
	fb_put(m, "max_bio_bytes", lim->max_bio_bytes);
}

static void fb_show_queue(struct seq_file *m, struct block_device *bdev,
			  const struct fb_limits *lim)
{
	struct request_queue *q = bdev_get_queue(bdev);
	char sched[FB_ATTR_LEN];

	if (queue_is_mq(q)) {
		fb_put(m, "queue_depth", q->nr_requests);
		fb_put(m, "hw_queues", q->nr_hw_queues);
	} else {
		seq_puts(m, "queue_depth: n/a\nhw_queues: n/a\n");
	}
	fb_scheduler(bdev, sched, sizeof(sched));
	seq_printf(m, "scheduler: %s\n", sched);
	fb_put(m, "write_cache", lim->write_cache);
	fb_put(m, "fua", fb_fua(bdev));
	fb_put(m, "discard_granularity_bytes", lim->discard_granularity);
	fb_put(m, "discard_max_bytes", lim->max_discard_bytes);
	fb_put(m, "secure_erase_max_bytes",
	       (u64)fb_secure_erase_sectors(bdev) << SECTOR_SHIFT);
	fb_put(m, "write_zeroes_max_bytes",
	       (u64)bdev_write_zeroes_sectors(bdev) << SECTOR_SHIFT);
	fb_put(m, "rotational", fb_rotational(bdev));
	fb_put(m, "read_only", !!bdev_read_only(bdev));
	fb_put(m, "removable", !!(bdev->bd_disk->flags & GENHD_FL_REMOVABLE));
	fb_put(m, "openers", fb_dev_openers(bdev));
}

/**
 * fb_info_show() - write the content of the `info` file
 * @m: where to; one "key: value" line for each fact. The keys and their order
 *	are the same for every device; what a device does not have is "n/a"
 * @bdev: the target, held open by the caller
 * @lim: its limits, as fb_dev_limits() gave them
 *
 * Context: process context, may sleep.
 */
void fb_info_show(struct seq_file *m, struct block_device *bdev,
		  const struct fb_limits *lim)
{
	struct mmc_card *card = fb_mmc_get(bdev);

	fb_show_place(m, bdev);
	fb_show_limits(m, bdev, lim);
	fb_show_queue(m, bdev, lim);
	fb_mmc_show(m, card);
	fb_mmc_put(card);
}

/**
 * fb_card_identity() - which device this is, for the header of a result
 * @bdev: the target, held open by the caller
 * @buf: receives one line without newline: type, name, manufacturer, serial
 *	number and CID of a card, the model of another disk, else "n/a"
 * @size: of @buf, bytes
 *
 * Context: process context, may sleep.
 */
void fb_card_identity(struct block_device *bdev, char *buf, size_t size)
{
	struct mmc_card *card = fb_mmc_get(bdev);

	if (card)
		fb_mmc_identity(card, buf, size);
	else
		fb_model(bdev->bd_disk, buf, size);
	fb_mmc_put(card);
}

/**
 * fb_card_claims() - what a card says its erase block is, as evidence
 * @bdev: the target, held open by the caller
 * @buf: receives bytes, as text; empty if it says nothing
 * @size: of @buf, bytes
 *
 * Context: process context, may sleep.
 */
void fb_card_claims(struct block_device *bdev, char *buf, size_t size)
{
	struct mmc_card *card = fb_mmc_get(bdev);
	u64 erase = card ? fb_mmc_erase_claim(card) : 0;

	buf[0] = '\0';
	if (erase)
		scnprintf(buf, size, "%llu", erase);
	fb_mmc_put(card);
}

/**
 * fb_limits_text() - the queue limits, for the header of a result
 * @bdev: the target, held open by the caller
 * @lim: its limits, as fb_dev_limits() gave them
 * @buf: receives one line of "name=value" without newline; bytes, except
 *	max_sectors (512 bytes each), segments, depth and flags
 * @size: of @buf, bytes
 *
 * Context: process context, may sleep.
 */
void fb_limits_text(struct block_device *bdev, const struct fb_limits *lim,
		    char *buf, size_t size)
{
	struct request_queue *q = bdev_get_queue(bdev);
	char sched[FB_ATTR_LEN];

	fb_scheduler(bdev, sched, sizeof(sched));
	scnprintf(buf, size,
		  "logical_block=%u physical_block=%u max_bio=%u max_sectors=%u segments=%u segment_size=%u scheduler=%s write_cache=%d fua=%d discard_granularity=%u read_only=%d depth=%lu",
		  lim->logical_block, queue_physical_block_size(q),
		  lim->max_bio_bytes, queue_max_sectors(q),
		  queue_max_segments(q), queue_max_segment_size(q), sched,
		  lim->write_cache, fb_fua(bdev), lim->discard_granularity,
		  !!bdev_read_only(bdev),
		  queue_is_mq(q) ? (unsigned long)q->nr_requests : 0);
}
