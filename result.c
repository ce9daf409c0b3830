// SPDX-License-Identifier: GPL-2.0-only
/*
 * A finished run: its samples, what they say of each point, and the three
 * ways to show it. Immutable once published; readers keep the one they opened.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "compat.h"
#include "flashbench.h"

#define FB_FORMAT	1	/* of the .tsv and .samples files */

/* Millions of samples: rather no run than a process killed for its memory */
#define FB_GFP_LARGE	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * fb_result_alloc() - room for everything a plan will measure
 * @plan: a plan that fits
 *
 * Return: the result, or NULL.
 */
struct fb_result *fb_result_alloc(const struct fb_plan *plan)
{
	struct fb_result *res = kvzalloc(sizeof(*res), GFP_KERNEL);

	if (!res)
		return NULL;
	kref_init(&res->ref);
	res->plan = *plan;
	res->stats = kvcalloc(plan->npoints, sizeof(*res->stats),
			      FB_GFP_LARGE);
	res->room = max_t(u64, plan->nsamples, 1);
	res->samples = kvmalloc_array(res->room, sizeof(*res->samples),
				      FB_GFP_LARGE);
	if (!res->stats || !res->samples) {
		fb_result_put(res);
		return NULL;
	}
	return res;
}

static void fb_result_free(struct kref *ref)
{
	struct fb_result *res = container_of(ref, struct fb_result, ref);

	kfree(res->header);
	kvfree(res->verdicts);
	kvfree(res->stats);
	kvfree(res->samples);
	kvfree(res);
}

/**
 * fb_result_get() - keep a result
 * @res: the result
 *
 * Return: @res.
 */
struct fb_result *fb_result_get(struct fb_result *res)
{
	kref_get(&res->ref);
	return res;
}

/**
 * fb_result_put() - let go of a result
 * @res: the result, or NULL
 */
void fb_result_put(struct fb_result *res)
{
	if (res)
		kref_put(&res->ref, fb_result_free);
}

/**
 * fb_result_more() - room for a sample that was not planned
 * @res: the result
 *
 * Return: the place after the last sample, which counts once @res->nsamples is
 * one more; NULL if there is not enough memory.
 */
struct fb_sample *fb_result_more(struct fb_result *res)
{
	struct fb_sample *more;

	if (res->nsamples == res->room) {
		more = kvmalloc_array(2 * res->room, sizeof(*more),
				      FB_GFP_LARGE);
		if (!more)
			return NULL;
		memcpy(more, res->samples, res->room * sizeof(*more));
		kvfree(res->samples);
		res->samples = more;
		res->room *= 2;
	}
	return &res->samples[res->nsamples];
}

/*
 * Numbers of the samples, those of point 0 first: a counting sort. On return,
 * end[p] is where point p ends.
 */
static void fb_sort_by_point(const struct fb_result *res, u32 *order, u32 *end)
{
	u32 point, i, sum = 0;

	for (i = 0; i < res->nsamples; i++)
		end[res->samples[i].point]++;
	for (point = 0; point < res->plan.npoints; point++) {
		u32 n = end[point];

		end[point] = sum;
		sum += n;
	}
	for (i = 0; i < res->nsamples; i++)
		order[end[res->samples[i].point]++] = i;
}

/* Mean over positions of the minimum over repetitions, @best is scratch */
static u64 fb_classic(const struct fb_result *res, const u32 *order, u32 n,
		      u32 positions, u64 *best)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < positions; i++)
		best[i] = U64_MAX;
	for (i = 0; i < n; i++) {
		const struct fb_sample *s = &res->samples[order[i]];

		best[s->pos] = min(best[s->pos], s->latency_ns);
	}
	for (i = 0; i < positions; i++)
		sum += best[i];
	return div_u64(sum, positions);
}

/* How long did the fastest and the slowest repetition take? */
static void fb_repetitions(const struct fb_result *res, struct fb_stat *st,
			   const u32 *order, u32 n)
{
	u32 i, k;

	if (n < 2 * st->positions)
		return;
	for (i = 0; i < n; i += st->positions) {
		u64 sum = 0;

		for (k = 0; k < st->positions; k++)
			sum += res->samples[order[i + k]].latency_ns;
		st->quickest = i ? min(st->quickest, sum) : sum;
		st->slowest = max(st->slowest, sum);
	}
}

/*
 * The most operations in a row that were late, if late ones are few: the card
 * did something else, or somebody else did. When writing, collections are late.
 */
static u32 fb_longest_burst(const struct fb_result *res)
{
	u32 i, run = 0, late = 0, longest = 0;

	if (res->plan.params.test->writes)
		return 0;
	for (i = 0; i < res->nsamples; i++) {
		const struct fb_sample *s = &res->samples[i];

		if (2 * s->latency_ns <= 3 * res->stats[s->point].median) {
			run = 0;
			continue;
		}
		late++;
		longest = max(longest, ++run);
	}
	return 8 * late < res->nsamples ? longest : 0;
}

static void fb_fill_point(const struct fb_result *res, struct fb_stat *st,
			  const u32 *order, u32 n, u64 *scratch)
{
	u32 i, valid = 0;

	for (i = 0; i < n; i++) {
		const struct fb_sample *s = &res->samples[order[i]];

		if (s->status)
			st->errors++;
		else
			scratch[valid++] = s->latency_ns;
	}
	fb_stat_fill(st, scratch, valid);
	if (!fb_stat_complete(st))
		return;
	st->classic = fb_classic(res, order, n, st->positions, scratch);
	fb_repetitions(res, st, order, n);
}

/**
 * fb_result_finish() - work out the statistics of every point
 * @res: a result with all its samples
 *
 * Return: 0 or -ENOMEM.
 */
int fb_result_finish(struct fb_result *res)
{
	u32 npoints = res->plan.npoints;
	u32 *order, *end;
	u32 point, start = 0;
	u64 *scratch;
	int ret = -ENOMEM;

	if (!npoints)
		return 0;
	order = kvmalloc_array(max_t(u64, res->nsamples, 1), sizeof(*order),
			       FB_GFP_LARGE);
	end = kvcalloc(npoints, sizeof(*end), FB_GFP_LARGE);
	scratch = kvmalloc_array(max_t(u64, res->plan.nsamples, 1),
				 sizeof(*scratch), FB_GFP_LARGE);
	if (!order || !end || !scratch)
		goto out;

	fb_plan_points(&res->plan, res->stats);
	fb_sort_by_point(res, order, end);
	for (point = 0; point < npoints; point++) {
		fb_fill_point(res, &res->stats[point], order + start,
			      end[point] - start, scratch);
		start = end[point];
		cond_resched();
	}
	res->burst = fb_longest_burst(res);
	ret = 0;
out:
	kvfree(scratch);
	kvfree(end);
	kvfree(order);
	return ret;
}

static int fb_show_line(struct seq_file *m, const struct fb_result *res,
			u32 line)
{
	char *buf = kmalloc(FB_ROW_LEN, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	if (res->plan.params.test->line(&res->plan, line, res->stats, buf,
					FB_ROW_LEN))
		seq_printf(m, "%s\n", buf);
	kfree(buf);
	return 0;
}

/*
 * A point that a budget cut short is left out: its numbers would rest on
 * missing samples.
 */
static void fb_show_point(struct seq_file *m, const struct fb_result *res,
			  u32 point)
{
	const struct fb_stat *st = &res->stats[point];
	char coords[80];

	if (!fb_stat_complete(st))
		return;
	res->plan.params.test->coords(&res->plan, point, coords,
				      sizeof(coords));
	seq_printf(m, "%u\t%s\t%s\t%u\t%u\t%u\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
		   point, coords,
		   fb_opcode_name(fb_plan_opcode(&res->plan, point)),
		   st->positions, st->n, st->errors, st->min, st->median,
		   st->mean, st->p99, st->max, st->spread);
}

static void fb_show_sample(struct seq_file *m, const struct fb_result *res,
			   u32 nr)
{
	const struct fb_sample *s = &res->samples[nr];

	seq_printf(m, "%u\t%u\t%s\t%llu\t%u\t%llu\t%llu\t%u\t%d", nr,
		   s->point, fb_opcode_name(s->opcode), s->offset, s->length,
		   s->submit_ns - res->start_ns, s->latency_ns, s->parts,
		   s->status);
	if (res->plan.params.val[FB_KEY_DIAG])
		seq_printf(m, "\t%llu", s->driver_ns);
	seq_putc(m, '\n');
}

static void fb_show_head(struct seq_file *m, const struct fb_reader *r)
{
	if (r->view != FB_VIEW_TABLE)
		seq_printf(m, "# format: %d\n", FB_FORMAT);
	seq_puts(m, r->res->header);
	if (r->view == FB_VIEW_TSV && r->res->verdicts)
		seq_printf(m, "%s\n", r->res->plan.params.test->columns);
	else if (r->view == FB_VIEW_TSV)
		seq_printf(m, "point\t%s\top\tpositions\tn\terrors\tmin_ns\tmedian_ns\tmean_ns\tp99_ns\tmax_ns\tspread_ns\n",
			   r->res->plan.params.test->columns);
	if (r->view == FB_VIEW_SAMPLES)
		seq_printf(m, "seq\tpoint\top\toffset\tlength\tsubmit_ns\tlatency_ns\tparts\tstatus%s\n",
			   r->res->plan.params.val[FB_KEY_DIAG] ?
			   "\tdriver_ns" : "");
}

/* Record 0 is the header, what follows is numbered from 1 */
static u64 fb_records(const struct fb_reader *r)
{
	if (r->res->verdicts && r->view != FB_VIEW_SAMPLES)
		return 2;
	switch (r->view) {
	case FB_VIEW_TABLE:
		return 1 + r->res->plan.nlines;
	case FB_VIEW_TSV:
		return 1 + r->res->plan.npoints;
	default:
		return 1 + r->res->nsamples;
	}
}

static void *fb_result_start(struct seq_file *m, loff_t *pos)
{
	const struct fb_reader *r = m->private;

	if (!r->res)
		return ERR_PTR(-ENODATA);
	/* any pointer that is not NULL will do, the record's number is @pos */
	return *pos < fb_records(r) ? pos : NULL;
}

static void *fb_result_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return fb_result_start(m, pos);
}

static void fb_result_stop(struct seq_file *m, void *v)
{
}

static int fb_result_show(struct seq_file *m, void *v)
{
	const struct fb_reader *r = m->private;
	u32 record = *(loff_t *)v;

	if (!record)
		fb_show_head(m, r);
	else if (r->res->verdicts && r->view != FB_VIEW_SAMPLES)
		seq_puts(m, r->res->verdicts);
	else if (r->view == FB_VIEW_TABLE)
		return fb_show_line(m, r->res, record - 1);
	else if (r->view == FB_VIEW_TSV)
		fb_show_point(m, r->res, record - 1);
	else
		fb_show_sample(m, r->res, record - 1);
	return 0;
}

const struct seq_operations fb_result_seq_ops = {
	.start = fb_result_start,
	.next = fb_result_next,
	.stop = fb_result_stop,
	.show = fb_result_show,
};
