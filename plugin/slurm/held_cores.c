/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held_cores.c - cores that jobs hold; see held_cores.h
 *
 * The stock plugin has the same facts in the rows of its partitions, which it does not export.
 * They are collected here from the job records, where a job that is suspended by hand still has
 * its cores, although they are free.
 */

#include "plugin/slurm/held_cores.h"

int held_cores_may_share(const job_record_t *job)
{
	uint16_t share = job->part_ptr ? job->part_ptr->max_share : 0;

	return (slurm_conf.preempt_mode & PREEMPT_MODE_GANG) ||
	       (share & SHARED_FORCE) || share > 1;
}

/* Look at the priority: suspending by hand sets it to 0. */
int held_cores_keeps_cores(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || (IS_JOB_SUSPENDED(job) && job->priority)) &&
	       job->node_bitmap && bit_size(job->node_bitmap) == node_record_count;
}

/* -- a job's cores, node by node ------------------------------------------ */

/* The job's bits for a node are [@first..@first + @n) of @res' core_bitmap. */
typedef void node_cores_fn(void *arg, int node, const job_resources_t *res, int first, int n);

/*
 * Call @f for each node.  Slurm run-length encodes the layouts: sock_core_rep_count[kind] nodes
 * in a row have sockets_per_node[kind] sockets.
 */
static void each_node(const job_resources_t *res, node_cores_fn *f, void *arg)
{
	int last = (int) bit_fls(res->node_bitmap), first = 0;
	uint32_t kind = 0, of_kind = 0, nseen = 0;

	for (int i = (int) bit_ffs(res->node_bitmap);
	     i >= 0 && i <= last && nseen < res->nhosts; i++) {
		int n;

		if (!bit_test(res->node_bitmap, i))
			continue;
		n = res->sockets_per_node[kind] * res->cores_per_socket[kind];
		f(arg, i, res, first, n);
		first += n;
		nseen++;
		if (++of_kind >= res->sock_core_rep_count[kind]) {
			of_kind = 0;
			kind++;
		}
	}
}

/* Are the job's cores known by node? */
static int has_cores(const job_resources_t *res)
{
	return res && res->node_bitmap && res->core_bitmap &&
	       res->sockets_per_node && res->cores_per_socket &&
	       res->sock_core_rep_count &&
	       bit_size(res->node_bitmap) == node_record_count;
}

/* -- cores of all jobs ---------------------------------------------------- */

struct core_search {
	bitstr_t **held;
	bitstr_t *nodes;	/* only these are examined */
	const job_record_t *job;
};

static bitstr_t *cores_of(struct core_search *search, int node)
{
	if (!search->held[node])
		search->held[node] = bit_alloc(glue_node(node)->tot_cores);
	return search->held[node];
}

/* Add the cores held on a node: all, if its core count changed since the job began. */
static void add_held_node(void *arg, int i, const job_resources_t *res, int first, int n)
{
	struct core_search *search = arg;
	bitstr_t *cores;

	if (!bit_test(search->nodes, i) || !bit_test(search->job->node_bitmap, i))
		return;
	cores = cores_of(search, i);
	if (n != bit_size(cores) || first + n > bit_size(res->core_bitmap)) {
		bit_set_all(cores);
		return;
	}
	for (int c = 0; c < n; c++)
		if (bit_test(res->core_bitmap, first + c))
			bit_set(cores, c);
}

/* Add the cores of a job, or all cores of its nodes if they are not known.  For list_for_each(). */
static int add_held_job(void *x, void *arg)
{
	struct core_search *search = arg;

	search->job = x;
	if (!held_cores_keeps_cores(search->job) ||
	    !bit_overlap_any(search->job->node_bitmap, search->nodes))
		return 0;
	if (has_cores(search->job->job_resrcs))
		each_node(search->job->job_resrcs, add_held_node, search);
	else
		for (int i = 0; i < node_record_count; i++)
			if (bit_test(search->nodes, i) &&
			    bit_test(search->job->node_bitmap, i))
				bit_set_all(cores_of(search, i));
	return 0;
}

bitstr_t **held_cores_find(bitstr_t *nodes)
{
	struct core_search search = {
		.held = xcalloc(node_record_count + 1, sizeof(*search.held)),
		.nodes = nodes,
	};

	list_for_each(job_list, add_held_job, &search);
	return search.held;
}

void held_cores_free(bitstr_t **held)
{
	for (int i = 0; held && i < node_record_count; i++)
		FREE_NULL_BITMAP(held[i]);
	xfree(held);
}

/* -- in CPUs -------------------------------------------------------------- */

/* Add the CPUs of node @i: its bits @first .. @first + @n - 1, times threads per core. */
static void add_node_cpus(void *arg, int i, const job_resources_t *res, int first, int n)
{
	uint32_t *cpus = arg;
	int size = (int) bit_size(res->core_bitmap);
	int end = first + n < size ? first + n : size;

	if (glue_node(i) && first < end)
		cpus[i] += (uint32_t) bit_set_count_range(res->core_bitmap,
							  first, end) *
			   glue_node(i)->tpc;
}

int held_cores_add_cpus(const job_record_t *job, uint32_t *cpus)
{
	if (!has_cores(job->job_resrcs))
		return 0;
	each_node(job->job_resrcs, add_node_cpus, cpus);
	return 1;
}

/* -- checking an answer --------------------------------------------------- */

struct overlap_check {
	bitstr_t **held;
	int has_overlap;
};

/* Check a node.  If the layouts do not match, assume an overlap: the job then goes to Slurm. */
static void check_node_overlap(void *arg, int i, const job_resources_t *res, int first, int n)
{
	struct overlap_check *check = arg;
	bitstr_t *held = check->held[i];

	for (int c = 0; held && c < n && !check->has_overlap; c++)
		check->has_overlap = c >= bit_size(held) ||
			     first + c >= bit_size(res->core_bitmap) ||
			     (bit_test(held, c) &&
			      bit_test(res->core_bitmap, first + c));
}

int held_cores_has_overlap(bitstr_t **held, const job_record_t *job)
{
	struct overlap_check check = { .held = held };

	if (has_cores(job->job_resrcs))
		each_node(job->job_resrcs, check_node_overlap, &check);
	return check.has_overlap;
}
