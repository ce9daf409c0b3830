// SPDX-License-Identifier: GPL-2.0-only
/*
 * The truth about a simulated card, and what can be done to it:
 * /sys/kernel/debug/flashsim/mmcN/.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "flashsim.h"

#define DEBUGFS_MAX_WRITE	1024

static struct dentry *debugfs_root;

static int config_show(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;
	struct fsim_config *cfg;
	unsigned int line;
	char buf[256];

	cfg = kmalloc(sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;
	*cfg = h->cfg;
	cfg->ftl = h->ftl->cfg;		/* with the defaults resolved */
	for (line = 0; !fsim_config_line(cfg, line, buf, sizeof(buf)); line++)
		if (buf[0])
			seq_printf(m, "%s\n", buf);
	kfree(cfg);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(config);

/* Writing anything starts the counters again, and the noise */
static ssize_t totals_write(struct file *file, const char __user *ubuf,
			    size_t len, loff_t *ppos)
{
	struct fsim_host *h = ((struct seq_file *)file->private_data)->private;

	mutex_lock(&h->card);
	ftl_reset_totals(h->ftl);
	mutex_unlock(&h->card);
	return len;
}

static void totals_span(struct seq_file *m, const struct ftl_totals *t)
{
	if (t->lowest == U64_MAX) {
		seq_puts(m, "lowest_sector: none\nhighest_sector: none\n");
		return;
	}
	seq_printf(m, "lowest_sector: %llu\nhighest_sector: %llu\n",
		   t->lowest >> 9, (t->highest - 1) >> 9);
}

static int totals_show(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;
	struct ftl_totals t;
	u32 streams;

	mutex_lock(&h->card);
	t = h->ftl->totals;
	streams = ftl_streams(h->ftl);
	mutex_unlock(&h->card);
	seq_printf(m, "reads: %llu\nwrites: %llu\ndiscards: %llu\nflushes: %llu\n",
		   t.reads, t.writes, t.discards, t.flushes);
	seq_printf(m, "read_bytes: %llu\nwritten_bytes: %llu\n", t.read_bytes,
		   t.written_bytes);
	seq_printf(m, "discarded_bytes: %llu\n", t.discarded_bytes);
	seq_printf(m, "copied_bytes: %llu\nprogrammed_bytes: %llu\n",
		   t.copied_bytes, t.programmed_bytes);
	seq_printf(m, "erases: %llu\nevictions: %llu\n", t.erases, t.evictions);
	seq_printf(m, "switch_merges: %llu\npartial_merges: %llu\nfull_merges: %llu\n",
		   t.switch_merges, t.partial_merges, t.full_merges);
	seq_printf(m, "open_blocks: %u\n", streams);
	seq_printf(m, "busy_ns: %llu\nlast_ns: %llu\n", t.busy_ns, t.last_ns);
	totals_span(m, &t);
	return 0;
}

static int totals_open(struct inode *inode, struct file *file)
{
	return single_open(file, totals_show, inode->i_private);
}

static const struct file_operations totals_fops = {
	.owner = THIS_MODULE,
	.open = totals_open,
	.read = seq_read,
	.write = totals_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* One line for each erase block: position 0 is the header */
static void *blocks_start(struct seq_file *m, loff_t *pos)
{
	struct fsim_host *h = m->private;

	mutex_lock(&h->card);
	return *pos <= h->ftl->nblocks ? pos : NULL;
}

static void *blocks_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct fsim_host *h = m->private;

	++*pos;
	return *pos <= h->ftl->nblocks ? pos : NULL;
}

static void blocks_stop(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;

	mutex_unlock(&h->card);
}

static int blocks_show(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;
	loff_t pos = *(loff_t *)v;
	u32 block = pos - 1;

	if (!pos)
		seq_puts(m, "block\terases\tvalid_pages\n");
	else
		seq_printf(m, "%u\t%u\t%u\n", block, h->ftl->erased[block],
			   ftl_valid_pages(h->ftl, block));
	return 0;
}

static const struct seq_operations blocks_sops = {
	.start = blocks_start,
	.next = blocks_next,
	.stop = blocks_stop,
	.show = blocks_show,
};
DEFINE_SEQ_ATTRIBUTE(blocks);

static int open_show(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;
	const struct ftl_open *o;
	u32 i;

	seq_puts(m, "block\torder\tpages\tnext\tused\n");
	mutex_lock(&h->card);
	for (i = 0; i < h->ftl->nslots; i++) {
		o = &h->ftl->open[i];
		if (o->block == FTL_NO_BLOCK)
			continue;
		seq_printf(m, "%u\t%s\t%u\t%u\t%llu\n", o->block,
			   o->fat ? "fat" : o->random ? "random" : "linear",
			   o->npages, o->next, o->used);
	}
	mutex_unlock(&h->card);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(open);

static char *debugfs_copy(const char __user *ubuf, size_t len)
{
	if (len > DEBUGFS_MAX_WRITE)
		return ERR_PTR(-E2BIG);
	return memdup_user_nul(ubuf, len);
}

static int fail_show(struct seq_file *m, void *v)
{
	struct fsim_host *h = m->private;
	char buf[96];
	u32 i;

	mutex_lock(&h->card);
	for (i = 0; i < h->faults.n; i++) {
		if (!h->faults.rule[i].times)
			continue;
		fsim_rule_text(&h->faults.rule[i], buf, sizeof(buf));
		seq_printf(m, "%s\n", buf);
	}
	mutex_unlock(&h->card);
	return 0;
}

/* More rules; "clear" forgets them and revives a card that died of one */
static ssize_t fail_write(struct file *file, const char __user *ubuf,
			  size_t len, loff_t *ppos)
{
	struct fsim_host *h = ((struct seq_file *)file->private_data)->private;
	char *text = debugfs_copy(ubuf, len);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&h->card);
	err = fsim_faults_add(&h->faults, text);
	if (!h->faults.n)
		h->dead = false;
	mutex_unlock(&h->card);
	kfree(text);
	return err ? err : len;
}

static int fail_open(struct inode *inode, struct file *file)
{
	return single_open(file, fail_show, inode->i_private);
}

static const struct file_operations fail_fops = {
	.owner = THIS_MODULE,
	.open = fail_open,
	.read = seq_read,
	.write = fail_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int present_get(void *data, u64 *val)
{
	struct fsim_host *h = data;

	*val = READ_ONCE(h->present);
	return 0;
}

static int present_set(void *data, u64 val)
{
	if (val > 1)
		return -EINVAL;
	if (val)
		fsim_host_insert(data);
	else
		fsim_host_eject(data);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(present_fops, present_get, present_set, "%llu\n");

static int readonly_get(void *data, u64 *val)
{
	struct fsim_host *h = data;

	*val = READ_ONCE(h->readonly);
	return 0;
}

/* The card refuses writes at once; the host looks when a card is inserted */
static int readonly_set(void *data, u64 val)
{
	struct fsim_host *h = data;

	if (val > 1)
		return -EINVAL;
	mutex_lock(&h->card);
	h->readonly = val;
	mutex_unlock(&h->card);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(readonly_fops, readonly_get, readonly_set, "%llu\n");

/**
 * fsim_debugfs_init() - the directory for all slots
 */
void fsim_debugfs_init(void)
{
	debugfs_root = debugfs_create_dir(KBUILD_MODNAME, NULL);
}

/**
 * fsim_debugfs_exit() - remove it
 */
void fsim_debugfs_exit(void)
{
	debugfs_remove(debugfs_root);
}

/**
 * fsim_debugfs_add() - the directory of a slot
 * @h: the slot
 */
void fsim_debugfs_add(struct fsim_host *h)
{
	struct dentry *dir = debugfs_create_dir(mmc_hostname(h->mmc),
						debugfs_root);

	h->dir = dir;
	debugfs_create_file("config", 0400, dir, h, &config_fops);
	debugfs_create_file("totals", 0600, dir, h, &totals_fops);
	debugfs_create_file("blocks", 0400, dir, h, &blocks_fops);
	debugfs_create_file("open", 0400, dir, h, &open_fops);
	debugfs_create_file("fail", 0600, dir, h, &fail_fops);
	debugfs_create_file("present", 0600, dir, h, &present_fops);
	debugfs_create_file("readonly", 0600, dir, h, &readonly_fops);
}

/**
 * fsim_debugfs_remove() - remove it; nobody reads or writes any more
 * @h: the slot
 */
void fsim_debugfs_remove(struct fsim_host *h)
{
	debugfs_remove(h->dir);
}
