/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the nodes that backfill plans with; see plan.h */

#include "plugin/slurm/plan.h"

#include <time.h>

#define MAX_KINDS 16		/* of nodes in a plan; more stay as they are */

/* Would equivalent nodes not do?  Then the stock plugin's answer stays. */
static int is_picky(const struct glue_question *q)
{
	const job_record_t *job = q->job;
	const glue_details *d = job->details;

	return d->contiguous || job->req_switch || job->gres_list_req ||
	       d->feature_list || d->feature_list_use || job->resv_name ||
	       glue_excludes_cores(q) ||
	       (q->preemptable && !list_is_empty(q->preemptable));
}

/* Below a topology of its partition equivalent nodes may not be equally good. */
static int has_own_topology(const job_record_t *job)
{
	static int said;

	if (!glue_has_own_topology(job))
		return 0;
	if (!said)
		info("sfabric: partition %s has a topology of its own: what backfill plans for jobs of such partitions stays as Slurm plans it",
		     job->part_ptr->name);
	said = 1;
	return 1;
}

/* Once for each node table: the walk costs some 6 us a node. */
static int is_one_tree(struct facts *f)
{
	if (!f->trees)
		f->trees = glue_is_one_tree() ? 1 : 2;
	return f->trees == 1;
}

int plan_is_plain(struct facts *f, const struct glue_question *q)
{
	return SELECT_IS_MODE_WILL_RUN(q->mode) &&
	       (q->job->bit_flags & BACKFILL_TEST) && !is_picky(q) &&
	       !has_own_topology(q->job) && is_one_tree(f);
}

/* -- nodes that become free ----------------------------------------------- */

struct job_ends {
	time_t now, by;
	bitstr_t *free;		/* nodes of jobs that end by then */
	bitstr_t *kept;		/* nodes of other jobs, and reserved nodes */
};

/* The end of a job that is suspended, or over its limit, is not known. */
static int note_end(void *x, void *arg)
{
	const job_record_t *job = x;
	struct job_ends *e = arg;
	time_t end;
	int ends;
	const part_record_t *part = job->part_ptr;
	uint16_t over;

	if ((!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)) ||
	    !job->node_bitmap || bit_size(job->node_bitmap) != bit_size(e->free))
		return 0;
	over = part && part->over_time_limit != NO_VAL16 ?
			part->over_time_limit : slurm_conf.over_time_limit;
	end = over == INFINITE16 || job->time_limit == INFINITE
		  ? 0
		  : job->end_time + (time_t) over * 60;
	ends = IS_JOB_RUNNING(job) && end && job->end_time > e->now &&
	       end <= e->by;
	bit_or(ends ? e->free : e->kept, job->node_bitmap);
	return 0;
}

/* Nodes of a future reservation may not be available then. */
static int note_reserved(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	struct job_ends *e = arg;

	if (resv->end_time > e->now && resv->node_bitmap &&
	    bit_size(resv->node_bitmap) == bit_size(e->kept))
		bit_or(e->kept, resv->node_bitmap);
	return 0;
}

/* Nodes of @all that are busy now, free by then, and not in the plan. */
static bitstr_t *find_freed(const struct glue_question *q, bitstr_t *all,
			    time_t by)
{
	struct job_ends e = {
	    .now = time(NULL),
	    .by = by,
	    .free = bit_alloc(bit_size(all)),
	    .kept = bit_alloc(bit_size(all)),
	};

	list_for_each(job_list, note_end, &e);
	if (resv_list)
		list_for_each(resv_list, note_reserved, &e);
	bit_and(e.free, all);
	bit_and(e.free, avail_node_bitmap);
	/*
	 * One job with an unknown end keeps the node, even if others on it end
	 * in time.
	 */
	bit_and_not(e.free, e.kept);
	bit_and_not(e.free, cg_node_bitmap);
	bit_and_not(e.free, idle_node_bitmap);
	bit_and_not(e.free, q->nodes);
	FREE_NULL_BITMAP(e.kept);
	return e.free;
}

/* -- equivalent nodes ----------------------------------------------------- */

/* Does the node belong to @part? */
static int is_node_in_partition(const node_record_t *node,
				const part_record_t *part)
{
	for (int i = 0; i < node->part_cnt; i++)
		if (node->part_pptr[i] == part)
			return 1;
	return 0;
}

/*
 * Can the same jobs use both?  A job of another partition, or one that wants a
 * feature, may have no other node.
 */
static int are_wanted_alike(const node_record_t *a, const node_record_t *b)
{
	for (int i = 0; i < a->part_cnt; i++)
		if (!is_node_in_partition(b, a->part_pptr[i]))
			return 0;
	return a->part_cnt == b->part_cnt &&
	       !xstrcmp(a->features, b->features) &&
	       !xstrcmp(a->features_act, b->features_act);
}

/* All that makes nodes different to the scheduler.  Names and addresses do not. */
static int are_alike(const node_record_t *a, const node_record_t *b)
{
	return are_wanted_alike(a, b) && a->sched_weight == b->sched_weight &&
	       a->cpus == b->cpus && a->cpus_efctv == b->cpus_efctv &&
	       a->boards == b->boards && a->tot_sockets == b->tot_sockets &&
	       a->tot_cores == b->tot_cores && a->threads == b->threads &&
	       a->tpc == b->tpc && a->core_spec_cnt == b->core_spec_cnt &&
	       a->real_memory == b->real_memory &&
	       a->mem_spec_limit == b->mem_spec_limit &&
	       a->tmp_disk == b->tmp_disk && !xstrcmp(a->gres, b->gres);
}

/*
 * The first node of a set, from @i on, equivalent to @kind; the set's size if
 * none.
 */
static int find_alike(bitstr_t *set, int i, const node_record_t *kind)
{
	int n = (int) bit_size(set);

	while (i < n && !(bit_test(set, i) && are_alike(glue_node(i), kind)))
		i++;
	return i;
}

/*
 * Swaps all idle nodes of the first idle node's kind, and removes them from
 * @idle.
 */
static void swap_kind(bitstr_t *nodes, bitstr_t *idle, bitstr_t *freed)
{
	const node_record_t *kind = glue_node((int) bit_ffs(idle));
	int n = (int) bit_size(nodes);
	int in = find_alike(freed, 0, kind);

	for (int out = find_alike(idle, 0, kind); out < n;
	     out = find_alike(idle, out + 1, kind)) {
		bit_clear(idle, out);
		if (in == n)
			continue;
		bit_clear(nodes, out);
		bit_set(nodes, in);
		in = find_alike(freed, in + 1, kind);
	}
}

void plan_spare_idle(const struct glue_question *q, bitstr_t *all)
{
	time_t slot = glue_slot_start(q);
	time_t by = slot > q->job->start_time ? slot : q->job->start_time;
	bitstr_t *idle, *freed;
	bitstr_t *required = q->job->details->req_node_bitmap;

	if (by <= time(NULL) || !bit_overlap_any(q->nodes, idle_node_bitmap))
		return;
	idle = bit_copy(q->nodes);
	bit_and(idle, idle_node_bitmap);
	if (required)
		bit_and_not(idle, required);
	freed = find_freed(q, all, by);
	for (int i = 0; i < MAX_KINDS && bit_ffs(idle) >= 0; i++)
		swap_kind(q->nodes, idle, freed);
	FREE_NULL_BITMAP(idle);
	FREE_NULL_BITMAP(freed);
}
