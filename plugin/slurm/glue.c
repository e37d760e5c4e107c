/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glue.c - where versions of Slurm differ; see glue.h
 *
 * All #if on SLURM_VERSION_NUMBER are here and in glue.h, so that the rest reads as if there
 * was one Slurm.  What differs at run time (a partition's topology) is looked up here too.
 * tests/slurm/versions.md lists the differences.
 */

#include "plugin/slurm/glue.h"

#include <dlfcn.h>

#include "place/plugin_mark.h"

/*
 * Slurm's loader checks these symbols.  The id is that of the stock plugin, whose own code
 * reads plugin_id and finds ours first.
 */
const char sfabric_version[] = SFAB_PLUGIN_MARK_OF(SFABRIC_VERSION, SLURM_VERSION_NUMBER);
const char plugin_name[] = "Route-aware placement in front of select/cons_tres";
const char plugin_type[] = "select/cons_tres";
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
_Static_assert(SELECT_PLUGIN_CONS_TRES == 109, "id of select/cons_tres");

/* Search with RTLD_NEXT: that is the stock plugin, since DT_NEEDED puts it after this file. */
void *glue_stock(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/*
 * Check what was found: with a wrong RUNPATH it could be this file again, or the plugin of
 * another Slurm on the machine.
 */
int glue_check_stock(void)
{
	const uint32_t *id = glue_stock("plugin_id");
	const uint32_t *version = glue_stock("plugin_version");

	if (!id || !version || !glue_stock("select_p_job_test")) {
		error("sfabric: Slurm's own select/cons_tres was not found");
		return SLURM_ERROR;
	}
	if (*id == plugin_id && *version == plugin_version)
		return SLURM_SUCCESS;
	error("sfabric: Slurm's own select/cons_tres has id %u, version 0x%06x "
	      "(expected %u, 0x%06x)",
	      *id, *version, plugin_id, plugin_version);
	return SLURM_ERROR;
}

node_record_t *glue_node(int i)
{
	return node_record_table_ptr[i];
}

int glue_has_segments(const job_record_t *job)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return job->details->segment_size != 0;
#else
	return 0;
#endif
}

int glue_excludes_cores(const struct glue_question *q)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	return q->excluded && (q->excluded->core_bitmap || q->excluded->exc_cores);
#else
	return q->excluded != NULL;
#endif
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
void glue_free_excluded(glue_excluded *excluded)
{
	for (int i = 0; excluded && i < node_record_count; i++)
		FREE_NULL_BITMAP(excluded->exc_cores[i]);
	if (excluded)
		xfree(excluded->exc_cores);
	xfree(excluded);
}

/* Make a shallow copy: all but exc_cores still belongs to the caller. */
glue_excluded *glue_exclude(const struct glue_question *q, bitstr_t **cores)
{
	glue_excluded *all = xcalloc(1, sizeof(*all));
	bitstr_t **asked = q->excluded ? q->excluded->exc_cores : NULL;
	int fits = 1;

	if (q->excluded)
		*all = *q->excluded;
	all->exc_cores = xcalloc(node_record_count + 1, sizeof(*asked));
	for (int i = 0; i < node_record_count && fits; i++) {
		bitstr_t *first = asked && asked[i] ? asked[i] : cores[i];

		if (!first)
			continue;
		all->exc_cores[i] = bit_copy(first);
		fits = !cores[i] || bit_size(cores[i]) == bit_size(first);
		if (cores[i] && fits)
			bit_or(all->exc_cores[i], cores[i]);
	}
	if (fits)
		return all;
	glue_free_excluded(all);
	return NULL;
}
#else
void glue_free_excluded(glue_excluded *excluded)
{
	FREE_NULL_BITMAP(excluded);
}

/* Make, before 23.11, one bitmap of all nodes' cores, node after node. */
glue_excluded *glue_exclude(const struct glue_question *q, bitstr_t **cores)
{
	uint32_t size = cr_get_coremap_offset((uint32_t) node_record_count);
	glue_excluded *all;

	if (q->excluded && bit_size(q->excluded) != size)
		return NULL;
	all = q->excluded ? bit_copy(q->excluded) : bit_alloc(size);
	for (int i = 0; i < node_record_count; i++) {
		uint32_t first = cr_get_coremap_offset((uint32_t) i);

		for (int c = 0; cores[i] && c < bit_size(cores[i]); c++)
			if (bit_test(cores[i], c))
				bit_set(all, first + c);
	}
	return all;
}
#endif

time_t glue_slot_start(const struct glue_question *q)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	const will_run_data_t *slot = q->will_run;

	return slot ? slot->start : 0;
#else
	return 0;
#endif
}

/* -- topology ------------------------------------------------------------- */

/* From 25.05 on this is the address in the first of several topologies. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
#define NODE_ADDRESS topology_g_get_node_addr
#else
#define NODE_ADDRESS slurm_topo_get_node_addr
#endif

/*
 * Return the name of the top switch above a node, or "" without a topology, or NULL for any
 * other kind of topology.  The caller frees it.  Addresses look like "s0.s4.n17".
 */
static char *top_of(char *name)
{
	char *address = NULL, *pattern = NULL;

	if (NODE_ADDRESS(name, &address, &pattern) != SLURM_SUCCESS)
		xfree(address);
	else if (!xstrcmp(pattern, "node"))
		*address = '\0';
	else if (xstrncmp(pattern, "switch.", 7) || *address == '.')
		xfree(address);
	else
		*strchrnul(address, '.') = '\0';
	xfree(pattern);
	return address;
}

int glue_is_one_tree(void)
{
	char *first = NULL;
	int is_one = 1;

	for (int i = 0; i < node_record_count && is_one; i++) {
		const node_record_t *node = glue_node(i);
		char *top = node ? top_of(node->name) : NULL;

		if (!node)
			continue;
		is_one = top && (!first || !xstrcmp(first, top));
		if (first)
			xfree(top);
		else
			first = top;
	}
	xfree(first);
	return is_one;
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define FREE_TOPOLOGY topology_g_topoinfo_free
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
#define FREE_TOPOLOGY topology_g_topology_free
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
int glue_has_own_topology(const job_record_t *job)
{
	return job->part_ptr && job->part_ptr->topology_idx > 0;
}

/* Return the id of the topology plugin of a partition; 0 if Slurm does not say. */
static uint32_t topology_id(const part_record_t *part)
{
	dynamic_plugin_data_t *topology = NULL;
	uint32_t id;

	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, part->topology_name,
			   &topology) != SLURM_SUCCESS || !topology)
		return 0;
	id = topology->plugin_id;
	FREE_TOPOLOGY(topology);
	return id;
}

/*
 * Has the job's topology blocks?  Remembered by index, because topologies change only with a
 * restart of slurmctld; those of a higher index are looked up each time.
 */
static int has_blocks(const job_record_t *job)
{
	static uint32_t known[64];
	const part_record_t *part = job->part_ptr;
	uint32_t i, id;

	if (!part)
		return 0;
	i = part->topology_idx > 0 ? (uint32_t) part->topology_idx : 0;
	if (i < 64 && known[i])
		return known[i] == TOPOLOGY_PLUGIN_BLOCK;
	id = topology_id(part);
	if (i < 64)
		known[i] = id;
	return id == TOPOLOGY_PLUGIN_BLOCK;
}
#else
int glue_has_own_topology(const job_record_t *job)
{
	return 0;
}

static int has_blocks(const job_record_t *job)
{
	return !xstrcmp(slurm_conf.topology_plugin, "topology/block");
}
#endif

int glue_has_units(const job_record_t *job)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	if (IS_JOB_WHOLE_TOPO(job))
		return 1;
#endif
	return has_blocks(job);
}

/* -- ranks ----------------------------------------------------------------- */

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
int glue_takes_ranks(const job_record_t *job)
{
	uint32_t distribution = job->details->task_dist & SLURM_DIST_STATE_BASE;

	if (slurm_conf.select_type_param & SELECT_NO_DIST_TOPO_BLOCK)
		return 0;
	return distribution == SLURM_DIST_UNKNOWN ||
	       (distribution & SLURM_DIST_NODEMASK) == SLURM_DIST_NODEBLOCK;
}

/* Allocate the array if it is NULL, as topology/flat leaves it. */
void glue_set_ranks(job_record_t *job, const uint32_t *rank)
{
	job_resources_t *res = job->job_resrcs;
	uint32_t j = 0;

	if (!res || (int) res->nhosts != bit_set_count(res->node_bitmap))
		return;
	if (!res->node_ranks)
		res->node_ranks = xcalloc(res->nhosts, sizeof(*res->node_ranks));
	for (int i = 0; i < node_record_count && j < res->nhosts; i++)
		if (bit_test(res->node_bitmap, i))
			res->node_ranks[j++] = rank[i];
}
#else
int glue_takes_ranks(const job_record_t *job)
{
	return 0;
}

void glue_set_ranks(job_record_t *job, const uint32_t *rank)
{
}
#endif

/* -- select_p_job_test() of the stock plugin -------------------------------- */

typedef int job_test_fn(GLUE_TEST_PARAMETERS);

int glue_stock_test(const struct glue_question *q)
{
	static job_test_fn *stock;

	if (!stock)
		stock = glue_stock("select_p_job_test");
	return stock(q->job, q->nodes, q->min_nodes, q->max_nodes,
		     q->req_nodes, q->mode, q->preemptable, q->preempted,
		     q->excluded GLUE_TEST_LAST);
}
