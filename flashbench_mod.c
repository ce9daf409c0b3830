// SPDX-License-Identifier: GPL-2.0-only
/*
 * flashbench: module entry and the files under debugfs. The interface and
 * nothing else: what the files mean is in session.c.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "flashbench.h"

static struct fb_session fb_session;
static struct dentry *fb_root;

/*
 * What was written, as a string without its one trailing newline. A NUL, and
 * the place where text that is too long is cut, become another control
 * character: no parser takes that, and each has a reason for it.
 */
static char *fb_copy_text(const char __user *ubuf, size_t count)
{
	size_t len = min_t(size_t, count, FB_LINE_LEN);
	char *text = memdup_user_nul(ubuf, len);
	size_t i;

	if (IS_ERR(text))
		return text;
	if (len < count)
		text[len - 1] = '\1';
	else if (len && text[len - 1] == '\n')
		text[--len] = '\0';
	for (i = 0; i < len; i++)
		if (!text[i])
			text[i] = '\1';
	return text;
}

static ssize_t fb_control(const char __user *ubuf, size_t count,
			  int (*set)(struct fb_session *s, const char *text))
{
	char *text = fb_copy_text(ubuf, count);
	int ret;

	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = set(&fb_session, text);
	kfree(text);
	return ret ?: count;
}

static int fb_target_show(struct seq_file *m, void *unused)
{
	fb_session_show_target(&fb_session, m);
	return 0;
}

static ssize_t fb_target_write(struct file *file, const char __user *ubuf,
			       size_t count, loff_t *ppos)
{
	return fb_control(ubuf, count, fb_session_set_target);
}

static int fb_range_show(struct seq_file *m, void *unused)
{
	fb_session_show_range(&fb_session, m);
	return 0;
}

static ssize_t fb_range_write(struct file *file, const char __user *ubuf,
			      size_t count, loff_t *ppos)
{
	return fb_control(ubuf, count, fb_session_set_range);
}

static int fb_write_mode_show(struct seq_file *m, void *unused)
{
	fb_session_show_mode(&fb_session, m);
	return 0;
}

static ssize_t fb_write_mode_write(struct file *file, const char __user *ubuf,
				   size_t count, loff_t *ppos)
{
	return fb_control(ubuf, count, fb_session_set_mode);
}

static ssize_t fb_run_write(struct file *file, const char __user *ubuf,
			    size_t count, loff_t *ppos)
{
	char *text = fb_copy_text(ubuf, count);
	int ret;

	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = fb_session_run(&fb_session, text,
			     !(file->f_flags & O_NONBLOCK));
	kfree(text);
	return ret ?: count;
}

static ssize_t fb_cancel_write(struct file *file, const char __user *ubuf,
			       size_t count, loff_t *ppos)
{
	int ret = fb_session_cancel(&fb_session,
				    !(file->f_flags & O_NONBLOCK));

	return ret ?: count;
}

static int fb_info_file_show(struct seq_file *m, void *unused)
{
	return fb_session_show_info(&fb_session, m);
}

static int fb_tests_show(struct seq_file *m, void *unused)
{
	char *buf = kmalloc(PAGE_SIZE, GFP_KERNEL);
	unsigned int i;

	if (!buf)
		return -ENOMEM;
	for (i = 0; i < fb_nr_tests; i++) {
		fb_test_describe(fb_tests[i], buf, PAGE_SIZE);
		seq_puts(m, buf);
	}
	kfree(buf);
	return 0;
}

/*
 * The locks of our files are a class of their own: to show info, files of sysfs
 * are read, whose locks are made in the same place.
 */
static void fb_set_class(struct file *file)
{
	static struct lock_class_key key;

	lockdep_set_class(&((struct seq_file *)file->private_data)->lock, &key);
}

static int fb_single_open(struct file *file,
			  int (*show)(struct seq_file *m, void *unused),
			  void *data)
{
	int ret = single_open(file, show, data);

	if (!ret)
		fb_set_class(file);
	return ret;
}

/**
 * struct fb_watch - one open status file
 * @seen: number of changes of state up to what was last shown
 * @drained: the reader has read all there is
 */
struct fb_watch {
	unsigned int seen;
	bool drained;
};

static int fb_status_show(struct seq_file *m, void *unused)
{
	struct fb_watch *watch = m->private;

	watch->seen = fb_session_show_status(&fb_session, m);
	return 0;
}

static int fb_status_open(struct inode *inode, struct file *file)
{
	struct fb_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	int ret;

	if (!watch)
		return -ENOMEM;
	watch->seen = READ_ONCE(fb_session.changes);
	ret = fb_single_open(file, fb_status_show, watch);
	if (ret)
		kfree(watch);
	return ret;
}

static ssize_t fb_status_read(struct file *file, char __user *ubuf,
			      size_t count, loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	struct fb_watch *watch = m->private;
	ssize_t ret = seq_read(file, ubuf, count, ppos);

	watch->drained = ret >= 0 && ret < count;
	return ret;
}

/*
 * A text that has not been read to its end can be read: shells poll before
 * they read. After that only a change of state is news.
 */
static __poll_t fb_status_poll(struct file *file, poll_table *wait)
{
	struct seq_file *m = file->private_data;
	struct fb_watch *watch = m->private;

	poll_wait(file, &fb_session.wait, wait);
	if (READ_ONCE(fb_session.changes) != watch->seen)
		return EPOLLIN | EPOLLPRI;
	return watch->drained ? 0 : EPOLLIN;
}

static int fb_status_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kfree(m->private);
	return single_release(inode, file);
}

static int fb_result_open(struct inode *inode, struct file *file)
{
	unsigned long id = (unsigned long)inode->i_private;
	struct fb_reader *r;

	r = __seq_open_private(file, &fb_result_seq_ops, sizeof(*r));
	if (!r)
		return -ENOMEM;
	fb_set_class(file);
	r->view = id % FB_NR_VIEWS;
	r->res = fb_session_result(&fb_session, id / FB_NR_VIEWS);
	return 0;
}

static int fb_result_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct fb_reader *r = m->private;

	fb_result_put(r->res);
	return seq_release_private(inode, file);
}

#define FB_SHOW_OPEN(name)						\
static int name##_open(struct inode *inode, struct file *file)		\
{									\
	return fb_single_open(file, name##_show, NULL);			\
}

FB_SHOW_OPEN(fb_target)
FB_SHOW_OPEN(fb_range)
FB_SHOW_OPEN(fb_write_mode)
FB_SHOW_OPEN(fb_info_file)
FB_SHOW_OPEN(fb_tests)

#define FB_READ_OPS(name)						\
	.owner = THIS_MODULE, .open = name##_open, .read = seq_read,	\
	.llseek = seq_lseek, .release = single_release

#define FB_WRITE_OPS(name)						\
	.owner = THIS_MODULE, .open = simple_open, .write = name##_write, \
	.llseek = noop_llseek

static const struct file_operations fb_target_fops = {
	FB_READ_OPS(fb_target), .write = fb_target_write
};

static const struct file_operations fb_range_fops = {
	FB_READ_OPS(fb_range), .write = fb_range_write
};

static const struct file_operations fb_write_mode_fops = {
	FB_READ_OPS(fb_write_mode), .write = fb_write_mode_write
};

static const struct file_operations fb_run_fops = { FB_WRITE_OPS(fb_run) };
static const struct file_operations fb_cancel_fops = {
	FB_WRITE_OPS(fb_cancel)
};

static const struct file_operations fb_status_fops = {
	.owner = THIS_MODULE,
	.open = fb_status_open,
	.read = fb_status_read,
	.llseek = seq_lseek,
	.poll = fb_status_poll,
	.release = fb_status_release,
};

static const struct file_operations fb_info_fops = {
	FB_READ_OPS(fb_info_file)
};

static const struct file_operations fb_tests_fops = { FB_READ_OPS(fb_tests) };

static const struct file_operations fb_result_fops = {
	.owner = THIS_MODULE,
	.open = fb_result_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = fb_result_release,
};

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} fb_files[] = {
	{ "target", 0600, &fb_target_fops },
	{ "range", 0600, &fb_range_fops },
	{ "write_mode", 0600, &fb_write_mode_fops },
	{ "run", 0200, &fb_run_fops },
	{ "cancel", 0200, &fb_cancel_fops },
	{ "status", 0400, &fb_status_fops },
	{ "info", 0400, &fb_info_fops },
	{ "tests", 0400, &fb_tests_fops },
};

/* debugfs makes directories that all may list */
static struct dentry *fb_create_dir(const char *name, struct dentry *parent)
{
	struct dentry *dir = debugfs_create_dir(name, parent);

	if (!IS_ERR(dir))
		d_inode(dir)->i_mode = S_IFDIR | 0700;
	return dir;
}

static void fb_create_results(void)
{
	static const char *const suffix[FB_NR_VIEWS] = {
		[FB_VIEW_TABLE] = "",
		[FB_VIEW_TSV] = ".tsv",
		[FB_VIEW_SAMPLES] = ".samples",
	};
	struct dentry *dir = fb_create_dir("results", fb_root);
	unsigned long id;
	char name[32];

	for (id = 0; id < fb_nr_tests * FB_NR_VIEWS; id++) {
		snprintf(name, sizeof(name), "%s%s",
			 fb_tests[id / FB_NR_VIEWS]->name,
			 suffix[id % FB_NR_VIEWS]);
		debugfs_create_file(name, 0400, dir, (void *)id,
				    &fb_result_fops);
	}
}

static int __init fb_init(void)
{
	size_t i;
	int ret;

	ret = fb_session_init(&fb_session);
	if (ret)
		return ret;
	fb_root = fb_create_dir("flashbench", NULL);
	if (IS_ERR(fb_root)) {
		/* there is no other interface */
		pr_err("debugfs is not available\n");
		fb_session_exit(&fb_session);
		return PTR_ERR(fb_root);
	}
	for (i = 0; i < ARRAY_SIZE(fb_files); i++)
		debugfs_create_file(fb_files[i].name, fb_files[i].mode,
				    fb_root, NULL, fb_files[i].fops);
	fb_create_results();
	return 0;
}

static void __exit fb_exit(void)
{
	/* a run is asked to stop first: removal waits for open files' callbacks */
	fb_session_cancel(&fb_session, false);
	debugfs_remove_recursive(fb_root);
	fb_session_exit(&fb_session);
}

module_init(fb_init);
module_exit(fb_exit);

MODULE_AUTHOR("The flashbench authors");
MODULE_DESCRIPTION("Measures SD cards, eMMC and other flash from inside the kernel");
MODULE_LICENSE("GPL");
MODULE_VERSION(FB_VERSION);
