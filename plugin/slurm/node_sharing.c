/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sharing.c - what the jobs on a node leave; see node_sharing.h */

#include "plugin/slurm/node_sharing.h"

#include "plugin/slurm/held_cores.h"

static void forget_part(struct sharing_part *entry)
{
	xfree(entry->limit.allowed);
	FREE_NULL_BITMAP(entry->ban[0].nodes);
	FREE_NULL_BITMAP(entry->ban[1].nodes);
	memset(entry, 0, sizeof(*entry));
}

void node_sharing_free(struct node_sharing *sharing)
{
	for (int i = 0; i < SHARING_PARTS; i++)
		forget_part(&sharing->entry[i]);
}

/* Find the entry of the partition, which is emptied if jobs have changed since it was read. */
static struct sharing_part *find_sharing(struct node_sharing *sharing, const part_record_t *part,
					 uint64_t changes)
{
	struct sharing_part *entry = NULL;

	for (int i = 0; i < SHARING_PARTS && !entry; i++)
		if (sharing->entry[i].part == part)
			entry = &sharing->entry[i];
	if (entry && entry->changes == changes)
		return entry;
	if (!entry)
		entry = &sharing->entry[sharing->next++ % SHARING_PARTS];
	forget_part(entry);
	entry->part = part;
	entry->changes = changes;
	return entry;
}

/* -- CPUs of a partition -------------------------------------------------- */

struct held_cpus {
	const part_record_t *part;
	uint32_t *part_cpus, *other_cpus;	/* [nodes] held by its jobs, by other jobs */
};

/* Add the CPUs that a running job holds, by node.  For list_for_each(). */
static int add_held(void *x, void *arg)
{
	const job_record_t *job = x;
	struct held_cpus *held = arg;
	int is_of_part = job->part_ptr == held->part;

	if ((is_of_part || GLUE_LIMIT_COUNTS_OTHERS) && held_cores_keeps_cores(job))
		held_cores_add_cpus(job, is_of_part ? held->part_cpus : held->other_cpus);
	return 0;
}

/* Read how many CPUs of each node the partition may still use, and sum them. */
static void read_allowed(struct node_sharing_limit *limit, const part_record_t *part)
{
	size_t n = (size_t) node_record_count + 1;
	struct held_cpus held = { .part = part,
				  .part_cpus = xcalloc(n, sizeof(*held.part_cpus)),
				  .other_cpus = xcalloc(n, sizeof(*held.other_cpus)) };

	list_for_each(job_list, add_held, &held);
	xfree(limit->allowed);
	limit->allowed = held.part_cpus;
	limit->cpus_per_node = part->max_cpus_per_node;
	/*
	 * As Slurm counts: once the partition holds CPUs of a node, only its own jobs count
	 * against MaxCPUsPerNode there.
	 */
	for (int i = 0; i < node_record_count; i++) {
		uint32_t used = held.part_cpus[i] ? held.part_cpus[i] : held.other_cpus[i];

		limit->allowed[i] = used < limit->cpus_per_node ?
					limit->cpus_per_node - used : 0;
	}
	xfree(held.other_cpus);
	limit->nodes = 0;
	limit->cpus = 0;
	for (int i = 0; part->node_bitmap && i < node_record_count; i++) {
		if (!limit->allowed[i] || !bit_test(part->node_bitmap, i))
			continue;
		limit->nodes++;
		limit->cpus += limit->allowed[i];
	}
}

const struct node_sharing_limit *node_sharing_limit(struct node_sharing *sharing,
						    const job_record_t *job, uint64_t changes)
{
	const part_record_t *part = job->part_ptr;
	struct node_sharing_limit *limit;

	if (!part || part->max_cpus_per_node == INFINITE ||
	    part->max_cpus_per_node == NO_VAL)
		return NULL;
	limit = &find_sharing(sharing, part, changes)->limit;
	if (!limit->allowed || limit->cpus_per_node != part->max_cpus_per_node)
		read_allowed(limit, part);
	return limit;
}

/* -- which jobs may share a node ------------------------------------------ */

/* Return how many jobs may be on one core of the partition at once. */
static int rows_of_part(const part_record_t *part)
{
	return part ? part->max_share & ~SHARED_FORCE : 1;
}

/* Will the job share its cores: OverSubscribe=FORCE, or YES and -s was given? */
static int will_share_cores(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	return part && ((part->max_share & SHARED_FORCE) ||
			(part->max_share > 1 && job->details->share_res == 1));
}

struct ban {
	const job_record_t *job;
	int shares;		/* it will share its cores */
	bitstr_t *rows;		/* nodes where jobs of other partitions that share cores
				   count */
	bitstr_t *nodes;	/* that it may not get */
};

/*
 * Did the job request to share its cores, or must it?  Unlike will_share_cores(), the partition
 * need not allow it.
 */
static int wants_to_share_cores(const job_record_t *job)
{
	return job->details && job->part_ptr &&
	       (job->details->share_res == 1 ||
		(job->part_ptr->max_share & SHARED_FORCE));
}

/* Ban the nodes of @other that are in ban->rows. */
static void ban_in_rows(struct ban *ban, const job_record_t *other)
{
	bitstr_t *both = bit_copy(other->node_bitmap);

	bit_and(both, ban->rows);
	bit_or(ban->nodes, both);
	FREE_NULL_BITMAP(both);
}

/* Is the job suspended but still on its nodes?  If by hand, its cores are free. */
static int is_suspended_on_nodes(const job_record_t *job)
{
	return IS_JOB_SUSPENDED(job) && job->node_bitmap &&
	       bit_size(job->node_bitmap) == node_record_count;
}

/*
 * Ban the nodes of a job.  For list_for_each().  Jobs that own their cores may join jobs that
 * share theirs only within one partition.  Suspended jobs count too in the newer versions;
 * until GLUE_ROWS_ARE_EXACT they count even on nodes that are otherwise idle.
 */
static int add_banned(void *x, void *arg)
{
	const job_record_t *other = x;
	struct ban *ban = arg;
	int is_banned = 0, keeps = held_cores_keeps_cores(other);

	if (!(keeps || is_suspended_on_nodes(other)) || !other->job_resrcs)
		return 0;
	if (ban->shares)
		is_banned = keeps && other->job_resrcs->node_req != NODE_CR_AVAILABLE;
	else if (GLUE_ROWS_BAN)
		is_banned = keeps && other->part_ptr != ban->job->part_ptr &&
			    rows_of_part(other->part_ptr) > 1;
	else if (wants_to_share_cores(other))
		ban_in_rows(ban, other);
	if (is_banned)
		bit_or(ban->nodes, other->node_bitmap);
	return 0;
}

/* Is it another partition with several rows (OverSubscribe)?  For list_find_first(). */
static int has_other_rows(void *x, void *arg)
{
	const part_record_t *part = x;
	const struct ban *ban = arg;

	return part != ban->job->part_ptr && rows_of_part(part) > 1;
}

/* Add the nodes with a job of such a partition.  For list_for_each(). */
static int add_row_job(void *x, void *arg)
{
	const job_record_t *other = x;
	struct ban *ban = arg;

	if (held_cores_keeps_cores(other) && other->part_ptr != ban->job->part_ptr &&
	    rows_of_part(other->part_ptr) > 1)
		bit_or(ban->rows, other->node_bitmap);
	return 0;
}

/*
 * Set ban->rows to the nodes where jobs of such partitions count.  Unless GLUE_ROWS_ARE_EXACT
 * one that ran anywhere counts, and for OverSubscribe=EXCLUSIVE (no rows) one of any partition.
 * 0: there are none.
 */
static int find_row_nodes(struct ban *ban)
{
	if (rows_of_part(ban->job->part_ptr) &&
	    !list_find_first(part_list, has_other_rows, ban))
		return 0;
	if (GLUE_ROWS_ARE_EXACT)
		list_for_each(job_list, add_row_job, ban);
	else
		bit_set_all(ban->rows);
	return bit_ffs(ban->rows) >= 0;
}

bitstr_t *node_sharing_banned(struct node_sharing *sharing, const job_record_t *job,
			      uint64_t changes)
{
	int shares = will_share_cores(job);
	struct sharing_ban *kept = &find_sharing(sharing, job->part_ptr, changes)->ban[!!shares];
	struct ban ban = { .job = job, .shares = shares };

	if (kept->known)
		return kept->nodes;
	ban.rows = bit_alloc(node_record_count);
	if (shares || find_row_nodes(&ban)) {
		ban.nodes = bit_alloc(node_record_count);
		list_for_each(job_list, add_banned, &ban);
	}
	FREE_NULL_BITMAP(ban.rows);
	kept->known = 1;
	kept->nodes = ban.nodes;
	return kept->nodes;
}
