/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glue.h - where versions of Slurm differ; no other file may test for a version
 *
 * Slurm's internal headers are valid for one exact version only: the order of struct members
 * changes even between micro versions.  So this is compiled against the source of exactly the
 * Slurm that will load it.
 */
#ifndef SFAB_SLURM_GLUE_H
#define SFAB_SLURM_GLUE_H

#include "src/common/slurm_xlator.h"
#include "slurm/slurm_version.h"
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#include "src/interfaces/topology.h"
#else
#include "src/common/gres.h"
#include "src/common/select.h"
#include "src/common/slurm_topology.h"
#endif
#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "place/slurm_versions.h"

#ifndef error
#error "Slurm's config.h was not found: error() would be the C library's"
#endif

/*
 * Data of slurmctld.  Clients and slurmd, which lack it, load this plugin too, so the
 * references must be weak: the linker never binds data references lazily.
 */
extern bitstr_t *avail_node_bitmap __attribute__((weak));
extern bitstr_t *cg_node_bitmap __attribute__((weak));
extern bitstr_t *idle_node_bitmap __attribute__((weak));
extern bitstr_t *share_node_bitmap __attribute__((weak));
extern diag_stats_t slurmctld_diag_stats __attribute__((weak));

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
typedef list_t *glue_list;
typedef list_t **glue_list_out;
#else
typedef List glue_list;
typedef List *glue_list_out;
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
typedef resv_exc_t glue_excluded;
#else
typedef bitstr_t glue_excluded;
#endif
extern glue_list job_list __attribute__((weak));
extern glue_list part_list __attribute__((weak));
extern glue_list resv_list __attribute__((weak));

/* Bits of slurm.conf's select_type_param and of a partition's cr_type */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define GLUE_LLN SELECT_LLN
#define GLUE_MEMORY SELECT_MEMORY
#define GLUE_ONE_TASK SELECT_ONE_TASK_PER_CORE
#else
#define GLUE_LLN CR_LLN
#define GLUE_MEMORY CR_MEMORY
#define GLUE_ONE_TASK CR_ONE_TASK_PER_CORE
#endif

/* Whether the rules of place/slurm_versions.h hold for this Slurm: 1 or 0 */
#define GLUE_IS_WITHIN(from, before) \
	(SLURM_VERSION_NUMBER >= (from) && SLURM_VERSION_NUMBER < (before))
#define GLUE_HOLDS(...) GLUE_IS_WITHIN(__VA_ARGS__)	/* a pair of bounds expands first */
#define GLUE_ROWS_BAN GLUE_HOLDS(SLURM_BOUNDS_ROWS_BAN)
#define GLUE_ROWS_ARE_EXACT GLUE_HOLDS(SLURM_BOUNDS_ROWS_ARE_EXACT)
#define GLUE_LIMIT_COUNTS_OTHERS GLUE_HOLDS(SLURM_BOUNDS_LIMIT_COUNTS_OTHERS)
#define GLUE_COUNTS_ANY_CPUS GLUE_HOLDS(SLURM_BOUNDS_COUNTS_ANY_CPUS)

/* --exclusive: one of several values before 24.05, a bit among others since then */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#define GLUE_WANTS_WHOLE_NODES(job) \
	(((job)->details->whole_node & WHOLE_NODE_REQUIRED) != 0)
#else
#define GLUE_WANTS_WHOLE_NODES(job) \
	((job)->details->whole_node == WHOLE_NODE_REQUIRED)
#endif

/* The type is struct job_details in old versions, job_details_t in later ones. */
typedef __typeof__(*((job_record_t *) 0)->details) glue_details;

/* One call of select_p_job_test(), whatever its version's signature. */
struct glue_question {
	job_record_t *job;
	bitstr_t *nodes;
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	glue_list preemptable;
	glue_list_out preempted;
	glue_excluded *excluded;
	void *will_run;		/* 24.11 and later */
};

/*
 * GLUE_TEST_PARAMETERS declares the parameters of select_p_job_test(), and GLUE_QUESTION is the
 * struct glue_question made of them.  24.11 added the last parameter.
 */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define GLUE_PARAMETER_LAST , will_run_data_t *will_run
#define GLUE_QUESTION_LAST , .will_run = will_run
#define GLUE_TEST_LAST , q->will_run
#else
#define GLUE_PARAMETER_LAST
#define GLUE_QUESTION_LAST
#define GLUE_TEST_LAST
#endif
#define GLUE_TEST_PARAMETERS                                                  \
	job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,               \
		uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,        \
		glue_list preemptable, glue_list_out preempted,               \
		glue_excluded *excluded GLUE_PARAMETER_LAST
#define GLUE_QUESTION {                                                       \
	.job = job, .nodes = nodes, .min_nodes = min_nodes,                   \
	.max_nodes = max_nodes, .req_nodes = req_nodes, .mode = mode,         \
	.preemptable = preemptable, .preempted = preempted,                   \
	.excluded = excluded GLUE_QUESTION_LAST }

/* Ask the stock plugin.  glue_check_stock() must have succeeded. */
int glue_stock_test(const struct glue_question *q);

/* Find a function or data of the stock plugin, or NULL. */
void *glue_stock(const char *name);

/* Is the stock plugin of our version loaded after us?  SLURM_SUCCESS, or an error is logged. */
int glue_check_stock(void);

/* Return the node at an index; NULL: the table has a gap there. */
node_record_t *glue_node(int i);

/* Were segments of a block topology requested (24.05 and later)? */
int glue_has_segments(const job_record_t *job);

/*
 * Does Slurm pack the job into units of its topology?  It packs all jobs with topology/block
 * (23.11 and later), and those that take whole units (--exclusive=topo, 24.05 and later).  From
 * 25.05 on each partition may have a topology of its own; one not seen before is looked up,
 * O(nodes).
 */
int glue_has_units(const job_record_t *job);

/* Are cores set aside for reservations? */
int glue_excludes_cores(const struct glue_question *q);

/*
 * Return what the question excludes, plus @cores, by node (NULL: none of that node).  Free the
 * result with glue_free_excluded().  NULL: the question's own bitmaps do not fit the node
 * table.
 */
glue_excluded *glue_exclude(const struct glue_question *q, bitstr_t **cores);
void glue_free_excluded(glue_excluded *excluded);

/* Return the time from which backfill wants nodes (24.11 and later); 0: from now. */
time_t glue_slot_start(const struct glue_question *q);

/*
 * 1: topology/tree accepts any set of free nodes for a job, because there is no topology or all
 * nodes are below one switch.  0: it does not, or this is unknown.  Of several topologies, this
 * is about that of partitions which name none.  About 6 us a node.
 */
int glue_is_one_tree(void);

/*
 * Has the job's partition a topology of its own (25.05 and later), which glue_is_one_tree()
 * says nothing about?
 */
int glue_has_own_topology(const job_record_t *job);

/*
 * Does Slurm order the nodes of the job's steps by ranks that it keeps with the job (26.05 and
 * later)?  It does not if the user wants another distribution, and clients other than sbatch
 * that name none ask for the cyclic one.
 */
int glue_takes_ranks(const job_record_t *job);

/*
 * Set the ranks, by node index, of the nodes of a job that begins.  Slurm packs, copies and
 * frees them with the job's resources.
 */
void glue_set_ranks(job_record_t *job, const uint32_t *rank);

#endif
