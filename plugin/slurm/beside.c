/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beside.c - what the jobs on a node leave; see beside.h */

#include "beside.h"

#include "held.h"

void beside_free(struct beside *b)
{
	xfree(b->allowed);
	memset(b, 0, sizeof(*b));
}

static int is_on_nodes(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       job->node_bitmap &&
	       bit_size(job->node_bitmap) == node_record_count;
}

/* -- CPUs of a partition -------------------------------------------------- */

/* First what its jobs hold. */
static int add_held(void *x, void *arg)
{
	const job_record_t *job = x;
	struct beside *b = arg;

	if (job->part_ptr == b->part && is_on_nodes(job))
		held_add_cpus(job, b->allowed);
	return 0;
}

static void work_out(struct beside *b)
{
	xfree(b->allowed);
	b->allowed = xcalloc(node_record_count + 1, sizeof(*b->allowed));
	list_for_each(job_list, add_held, b);
	for (int i = 0; i < node_record_count; i++)
		b->allowed[i] = b->allowed[i] < b->limit ?
				b->limit - b->allowed[i] : 0;
}

const uint32_t *beside_allowed(struct beside *b, const job_record_t *job,
			       uint64_t changes)
{
	const part_record_t *part = job->part_ptr;

	if (!part || part->max_cpus_per_node == INFINITE ||
	    part->max_cpus_per_node == NO_VAL)
		return NULL;
	if (b->allowed && b->part == part && b->changes == changes &&
	    b->limit == part->max_cpus_per_node)
		return b->allowed;
	b->part = part;
	b->limit = part->max_cpus_per_node;
	b->changes = changes;
	work_out(b);
	return b->allowed;
}

/* -- who joins whom ------------------------------------------------------- */

/* Jobs that may be on a core of the partition at once. */
static int rows_of(const part_record_t *part)
{
	return part ? part->max_share & ~SHARED_FORCE : 1;
}

int beside_shares(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	return part && ((part->max_share & SHARED_FORCE) ||
			(part->max_share > 1 && job->details->share_res == 1));
}

struct ban {
	const job_record_t *job;
	int shares;
	bitstr_t *nodes;
};

/* Cores of one's own stand not beside shared ones, but in the own partition. */
static int add_banned(void *x, void *arg)
{
	const job_record_t *other = x;
	struct ban *ban = arg;
	int is_banned;

	if (!is_on_nodes(other) || !other->job_resrcs)
		return 0;
	if (ban->shares)
		is_banned = other->job_resrcs->node_req != NODE_CR_AVAILABLE;
	else
		is_banned = other->part_ptr != ban->job->part_ptr &&
			    rows_of(other->part_ptr) > 1;
	if (is_banned)
		bit_or(ban->nodes, other->node_bitmap);
	return 0;
}

static int has_rows(void *x, void *arg)
{
	(void) arg;
	return rows_of(x) > 1;
}

bitstr_t *beside_banned(const job_record_t *job)
{
	struct ban ban = { .job = job, .shares = beside_shares(job) };

	if (!ban.shares && !list_find_first(part_list, has_rows, NULL))
		return NULL;
	ban.nodes = bit_alloc(node_record_count);
	list_for_each(job_list, add_banned, &ban);
	return ban.nodes;
}
