/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.c - which nodes have the GRES that a job wants; see gres.h
 *
 * Only numbers per node are counted.  Which device goes with which core or socket is for the
 * stock plugin to decide: jobs that ask for more than a number per node are left to it
 * (gres_are_simple()).
 */

#include "plugin/slurm/gres.h"

/*
 * Count the devices that each node must have; 0: only the stock plugin can tell.  A number for
 * the whole job (--gpus; Slurm multiplies --gpus-per-task by the tasks) is divided by a fixed
 * number of nodes.  The stock plugin may spread them differently over the nodes that we choose,
 * but it finds enough there.
 */
static uint64_t count_of_node(const job_record_t *job, const gres_job_state_t *want)
{
	uint32_t nodes = job->details->min_nodes;

	if (!want)
		return 0;
	if (want->gres_per_node)
		return want->gres_per_node;
	if (!nodes || nodes != job->details->max_nodes ||
	    want->gres_per_job % nodes)
		return 0;
	return want->gres_per_job / nodes;
}

/* Is the request not just a number of whole devices per node?  For list_find_first(). */
static int is_complex_gres(void *x, void *job)
{
	const gres_state_t *gres = x;
	const gres_job_state_t *want = gres->gres_data;

	/* Some kinds are parts of other devices; only the stock plugin can count them. */
	return !xstrcmp(gres->gres_name, "mps") || !xstrcmp(gres->gres_name, "shard") ||
	       !count_of_node(job, want) ||
	       want->gres_per_socket || want->cpus_per_gres || want->mem_per_gres ||
	       want->def_cpus_per_gres || want->def_mem_per_gres ||
	       (want->ntasks_per_gres && want->ntasks_per_gres != NO_VAL16);
}

int gres_are_simple(const job_record_t *job)
{
	return !job->gres_list_req ||
	       !list_find_first(job->gres_list_req, is_complex_gres, (void *) job);
}

/* Count the free devices of a type (0: any type), of one kind on a node. */
static uint64_t count_free(const gres_node_state_t *node_gres, uint32_t type)
{
	uint64_t all = node_gres->gres_cnt_avail, used = node_gres->gres_cnt_alloc;

	for (int i = 0; type && i < node_gres->type_cnt; i++) {
		if (node_gres->type_id[i] != type)
			continue;
		all = node_gres->type_cnt_avail[i];
		used = node_gres->type_cnt_alloc[i];
		type = 0;
	}
	if (type)
		return 0;
	if (node_gres->no_consume)
		return all;
	return all > used ? all - used : 0;
}

struct gres_wish {
	const job_record_t *job;
	const node_record_t *node;
	const gres_state_t *gres;
	uint64_t free;
};

/* Add what is free of the wanted GRES on a node.  For list_for_each(). */
static int add_free(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const gres_job_state_t *want;
	struct gres_wish *wish = arg;

	want = wish->gres->gres_data;
	if (gres->plugin_id == wish->gres->plugin_id && gres->gres_data)
		wish->free += count_free(gres->gres_data, want->type_id);
	return 0;
}

/* Has the node fewer free devices than the job wants?  For list_find_first(). */
static int is_gres_missing(void *x, void *arg)
{
	struct gres_wish wish = *(const struct gres_wish *) arg;

	wish.gres = x;
	if (wish.node->gres_list)
		list_for_each(wish.node->gres_list, add_free, &wish);
	return wish.free < count_of_node(wish.job, wish.gres->gres_data);
}

/* Do jobs hold some of these devices?  For list_find_first(); the key is not used. */
static int is_gres_held(void *x, void *key)
{
	const gres_state_t *gres = x;
	const gres_node_state_t *node_gres = gres->gres_data;

	return node_gres && node_gres->gres_cnt_alloc > 0;
}

/* Are they free?  Unlike cores, devices are held while their job is suspended. */
int gres_are_free(const job_record_t *job, const node_record_t *node, int whole_nodes)
{
	struct gres_wish wish = { .job = job, .node = node };

	if (whole_nodes && node->gres_list &&
	    list_find_first(node->gres_list, is_gres_held, &wish))
		return 0;
	return !job->gres_list_req ||
	       !list_find_first(job->gres_list_req, is_gres_missing, &wish);
}
