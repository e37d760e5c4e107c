/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the nodes that backfill plans with; see plan.h */

#include "plugin/slurm/plan.h"

#include <time.h>

#define MAX_KINDS 64		/* of nodes; more stay as they are */
#define NEVER INT64_MAX		/* an end that is not known, or not sure */

void plan_forget(struct plan_state *p)
{
	xfree(p->end);
	xfree(p->kind);
	memset(p, 0, sizeof(*p));
}

/* -- which plans ---------------------------------------------------------- */

int plan_is_asked(const struct glue_question *q)
{
	return SELECT_IS_MODE_WILL_RUN(q->mode) &&
	       (q->job->bit_flags & BACKFILL_TEST) &&
	       !(q->job->bit_flags & TEST_NOW_ONLY);
}

/* May other nodes than Slurm's not do for the job, even equivalent ones? */
static int is_tied_to_nodes(const struct glue_question *q)
{
	const job_record_t *job = q->job;
	const glue_details *d = job->details;

	return job->het_job_id || d->contiguous || job->req_switch || job->gres_list_req ||
	       d->feature_list || d->feature_list_use || job->resv_name ||
	       glue_excludes_cores(q) ||
	       (q->preemptable && !list_is_empty(q->preemptable));
}

/*
 * Has its partition a topology of its own?  Below it equivalent nodes may not be equally good.
 * Log this once.
 */
static int has_own_topology(const job_record_t *job)
{
	static int logged;

	if (!glue_has_own_topology(job))
		return 0;
	if (!logged)
		info("sfabric: partition %s has a topology of its own: what backfill plans for "
		     "jobs of such partitions stays as Slurm plans it",
		     job->part_ptr->name);
	logged = 1;
	return 1;
}

int plan_is_plain(struct facts *f, const struct glue_question *q)
{
	if (is_tied_to_nodes(q) || has_own_topology(q->job))
		return 0;
	/* Asked once for each node table, because it costs some 6 us a node. */
	if (f->one_tree == ONE_TREE_NOT_ASKED)
		f->one_tree = glue_is_one_tree() ? ONE_TREE_YES : ONE_TREE_NO;
	return f->one_tree == ONE_TREE_YES;
}

/* Return when the planned job would start. */
static time_t start_of(const struct glue_question *q)
{
	time_t slot = glue_slot_start(q);

	return slot > q->job->start_time ? slot : q->job->start_time;
}

static const struct plan_first *find_first(const struct plan_state *p, const part_record_t *part)
{
	for (int i = 0; i < p->nfirst; i++)
		if (p->first[i].part == part)
			return &p->first[i];
	return NULL;
}

/* Was another job than @id planned in the partition before? */
static int is_taken(const struct plan_state *p, const part_record_t *part, uint32_t id)
{
	const struct plan_first *first = find_first(p, part);

	return first && first->id != id;
}

struct partition_check {
	const struct plan_state *plans;
	uint32_t id;
};

/* Was no other job planned in the partition before?  For list_find_first(). */
static int is_untaken(void *part, void *arg)
{
	const struct partition_check *check = arg;

	return !is_taken(check->plans, part, check->id);
}

/*
 * Look at all partitions of the job: backfill asks about it in each of them, and it may be the
 * first job in one that comes later.
 */
int plan_record(struct plan_state *p, const struct glue_question *q, uint32_t id)
{
	const job_record_t *job = q->job;
	struct partition_check check = { .plans = p, .id = id };

	if (start_of(q) <= time(NULL))
		return 0;
	if (p->cycle != slurmctld_diag_stats.bf_when_last_cycle)
		p->nfirst = 0;
	p->cycle = slurmctld_diag_stats.bf_when_last_cycle;
	if (!find_first(p, job->part_ptr) && p->nfirst < PLAN_PARTS)
		p->first[p->nfirst++] = (struct plan_first){ job->part_ptr, id };
	return is_taken(p, job->part_ptr, id) &&
	       !(job->part_ptr_list &&
		 list_find_first(job->part_ptr_list, is_untaken, &check));
}

/* -- equivalent nodes ----------------------------------------------------- */

static int is_node_in_partition(const node_record_t *node, const part_record_t *part)
{
	for (int i = 0; i < node->part_cnt; i++)
		if (node->part_pptr[i] == part)
			return 1;
	return 0;
}

/* Can the same jobs use both nodes, by partition and feature? */
static int are_wanted_alike(const node_record_t *a, const node_record_t *b)
{
	for (int i = 0; i < a->part_cnt; i++)
		if (!is_node_in_partition(b, a->part_pptr[i]))
			return 0;
	return a->part_cnt == b->part_cnt &&
	       !xstrcmp(a->features, b->features) &&
	       !xstrcmp(a->features_act, b->features_act);
}

/*
 * Are the nodes alike in all that makes nodes different to the scheduler?  Names and addresses
 * do not.
 */
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
 * Number the kinds.  Features, partitions and weights change without an event, so this is not
 * done once for all.
 */
static void number_kinds(struct plan_state *p)
{
	const node_record_t *sample[MAX_KINDS + 1];
	int kinds = 0, k = 0;

	for (int i = 0; i < p->nnodes; i++) {
		const node_record_t *node = glue_node(i);

		p->kind[i] = 0;
		if (!node)
			continue;
		/* Neighbors are mostly alike. */
		if (!k || !are_alike(sample[k], node))
			for (k = 1; k <= kinds && !are_alike(sample[k], node); k++)
				;
		if (k > MAX_KINDS) {
			k = 0;
			continue;
		}
		if (k > kinds)
			sample[++kinds] = node;
		p->kind[i] = (uint8_t) k;
	}
}

/* -- nodes that become free ----------------------------------------------- */

/* Return the end of a job.  If it is suspended, or over its limit, the end is not known. */
static time_t end_of(const job_record_t *job, time_t now)
{
	const part_record_t *part = job->part_ptr;
	uint16_t over = part && part->over_time_limit != NO_VAL16 ?
				part->over_time_limit :
				slurm_conf.over_time_limit;

	if (!IS_JOB_RUNNING(job) || over == INFINITE16 ||
	    job->time_limit == INFINITE || job->end_time <= now)
		return NEVER;
	return job->end_time + (time_t) over * 60;
}

/* Let nodes become free no earlier than @end.  Bitmaps of an older node table are skipped. */
static void raise_ends(struct plan_state *p, bitstr_t *nodes, time_t end)
{
	int last;

	if (!nodes || bit_size(nodes) != p->nnodes)
		return;
	last = (int) bit_fls(nodes);
	for (int i = (int) bit_ffs(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && p->end[i] < end)
			p->end[i] = end;
}

/*
 * Note the end of a job on its nodes.  One with an unknown end keeps the node, even if others
 * on it end in time.
 */
static int note_end(void *x, void *arg)
{
	const job_record_t *job = x;
	struct plan_state *p = arg;

	if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
		raise_ends(p, job->node_bitmap, end_of(job, p->read_time));
	return 0;
}

/* Note the nodes of a future reservation, which may not be available then. */
static int note_reserved(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	struct plan_state *p = arg;

	if (resv->end_time > p->read_time)
		raise_ends(p, resv->node_bitmap, NEVER);
	return 0;
}

/* Read kinds and ends of all nodes, unless they were read in this second and no job changed. */
static void read_ends(struct plan_state *p, const struct facts *f)
{
	time_t now = time(NULL);

	if (p->nnodes == f->nnodes && p->read_time == now && p->changes == f->changes)
		return;
	if (p->nnodes != f->nnodes) {
		p->nnodes = f->nnodes;
		xrecalloc(p->end, p->nnodes + 1, sizeof(*p->end));
		xrecalloc(p->kind, p->nnodes + 1, sizeof(*p->kind));
	}
	p->read_time = now;
	p->changes = f->changes;
	number_kinds(p);
	memset(p->end, 0, (size_t) p->nnodes * sizeof(*p->end));
	list_for_each(job_list, note_end, p);
	if (resv_list)
		list_for_each(resv_list, note_reserved, p);
}

/* Return the nodes of @all that are busy now and not in the plan.  The caller frees them. */
static bitstr_t *find_busy(const struct glue_question *q, bitstr_t *all)
{
	bitstr_t *busy = bit_copy(all);

	bit_and(busy, avail_node_bitmap);
	bit_and_not(busy, cg_node_bitmap);
	bit_and_not(busy, idle_node_bitmap);
	bit_and_not(busy, q->nodes);
	return busy;
}

/* Find the first node of @busy from @i on that is of the kind and free by @latest, or -1. */
static int find_freed(const struct plan_state *p, bitstr_t *busy, int i, uint8_t kind,
		      time_t latest)
{
	for (; i < p->nnodes; i++)
		if (p->kind[i] == kind && p->end[i] && p->end[i] <= latest &&
		    bit_test(busy, i))
			return i;
	return -1;
}

void plan_spare_idle(struct plan_state *p, const struct facts *f,
		     const struct glue_question *q, bitstr_t *all)
{
	bitstr_t *required = q->job->details->req_node_bitmap;
	/* By kind, where to look from; -1: there is no replacement, as for kind 0. */
	int next[MAX_KINDS + 1] = { -1 };
	bitstr_t *busy;
	int last = (int) bit_fls(q->nodes);

	if (!bit_overlap_any(q->nodes, idle_node_bitmap))
		return;
	read_ends(p, f);
	busy = find_busy(q, all);
	for (int i = (int) bit_ffs(q->nodes); i >= 0 && i <= last; i++) {
		int *candidate = &next[p->kind[i]];

		if (*candidate < 0 || !bit_test(q->nodes, i) ||
		    !bit_test(idle_node_bitmap, i) ||
		    (required && bit_test(required, i)))
			continue;
		*candidate = find_freed(p, busy, *candidate, p->kind[i], start_of(q));
		if (*candidate < 0)
			continue;
		bit_clear(q->nodes, i);
		bit_set(q->nodes, *candidate);
		bit_clear(busy, *candidate);
	}
	FREE_NULL_BITMAP(busy);
}
