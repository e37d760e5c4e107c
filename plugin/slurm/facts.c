/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - from Slurm's records to plain arrays; see facts.h
 *
 * Most of what the plugin knows of Slurm's job, node and partition records is read here;
 * HACKING.md ("Add a Slurm version") lists the other readers.  All of it runs with slurmctld's
 * job write lock held, so records do not change while we read them, and strings are borrowed
 * instead of copied.
 *
 * The plugin is compiled against one version's structures.  Their magic numbers are looked at
 * before the first member is: if a package was updated under us, this is where it is noticed
 * (facts_check_job()).
 */

#include "plugin/slurm/facts.h"

#include <time.h>

#include "plugin/slurm/gres.h"
#include "plugin/slurm/held_cores.h"

void facts_free(struct facts *f)
{
	xfree(f->node);
	xfree(f->weight);
	xfree(f->job_node);
	xfree(f->job_cpus);
	xfree(f->memory_mb);
	xfree(f->node_cpus);
	node_sharing_free(&f->sharing);
	memset(f, 0, sizeof(*f));
}

void facts_reset(struct facts *f)
{
	const char *params = slurm_conf.sched_params;
	int n = node_record_count;

	facts_free(f);
	f->nnodes = n;
	f->node = xcalloc(n + 1, sizeof(*f->node));
	f->weight = xcalloc(n + 1, sizeof(*f->weight));
	f->job_node = xcalloc(n + 1, sizeof(*f->job_node));
	f->job_cpus = xcalloc(n + 1, sizeof(*f->job_cpus));
	f->memory_mb = xcalloc(n + 1, sizeof(*f->memory_mb));
	f->node_cpus = xcalloc(n + 1, sizeof(*f->node_cpus));
	f->packs_serial_at_end = !!xstrcasestr(params, "pack_serial_at_end");
	f->prefers_busy_nodes = !!xstrcasestr(params, "bf_busy_nodes");
}

const char *facts_check_job(const job_record_t *job, bitstr_t *nodes)
{
	if (job->magic != JOB_MAGIC)
		return "a job record";
	if (job->details && job->details->magic != DETAILS_MAGIC)
		return "a job's details";
	if (job->part_ptr && job->part_ptr->magic != PART_MAGIC)
		return "a partition record";
	if (nodes && bit_size(nodes) != node_record_count)
		return "the size of a node bitmap";
	return NULL;
}

const char *facts_check_nodes(void)
{
	for (int i = 0; i < node_record_count; i++)
		if (glue_node(i) && glue_node(i)->magic != NODE_MAGIC)
			return "a node record";
	return NULL;
}

struct sfab_place_node *facts_nodes(void)
{
	struct sfab_place_node *table =
		xcalloc(node_record_count + 1, sizeof(*table));

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = glue_node(i);

		if (!node)
			continue;
		table[i].name = node->name;
		/* Without the CPUs of CoreSpecCount, which no job gets. */
		table[i].cpus = node->cpus_efctv ? node->cpus_efctv : node->cpus;
		table[i].memory_mb = node->real_memory - node->mem_spec_limit;
		table[i].sockets = node->tot_sockets;
		table[i].threads = node->tpc;
	}
	return table;
}

/*
 * Return the id that questions about the job use: of an array, the scheduler asks about the
 * whole array, while events name one task.
 */
static uint32_t asked_id_of(const job_record_t *job)
{
	return job->array_job_id ? job->array_job_id : job->job_id;
}

/* Does the job get whole nodes: by --exclusive, or by OverSubscribe=EXCLUSIVE of its partition? */
static int takes_whole_nodes(const job_record_t *job)
{
	return GLUE_WANTS_WHOLE_NODES(job) ||
	       (job->part_ptr && job->part_ptr->max_share == 0);
}

/*
 * Is the question about a later time?  Backfill and reservations ask these, too.  What is idle
 * now says nothing about them.
 */
static int is_about_future(const struct glue_question *q)
{
	const job_record_t *job = q->job;
	time_t now = time(NULL);

	return job->details->begin_time > now || glue_slot_start(q) > now ||
	       (job->resv_ptr && job->resv_ptr->start_time > now);
}

/* Is memory consumable?  A partition's SelectTypeParameters override those of slurm.conf. */
static int is_memory_counted(const job_record_t *job)
{
	uint16_t type = slurm_conf.select_type_param;

	if (job->part_ptr && job->part_ptr->cr_type)
		type = job->part_ptr->cr_type;
	return type & GLUE_MEMORY;
}

/*
 * Collect SFAB_ASK_* for all that is true of the job or of this call.  A table, so that a new
 * kind is one row here, one in place/place.h and its reason in place/request/reason.h.
 */
static unsigned flags_of_question(const struct facts *f, const struct glue_question *q)
{
	const job_record_t *job = q->job;
	const struct {
		int applies;
		unsigned flag;
	} flags[] = {
		{ SELECT_IS_MODE_TEST_ONLY(q->mode), SFAB_ASK_TEST_ONLY },
		{ SELECT_IS_MODE_RESV(q->mode), SFAB_ASK_RESERVATION },
		{ is_about_future(q), SFAB_ASK_FUTURE },
		{ !!job->het_job_id, SFAB_ASK_HET },
		{ (slurm_conf.select_type_param & GLUE_LLN) ||
		  (job->part_ptr && (job->part_ptr->flags & PART_FLAG_LLN)),
		  SFAB_ASK_LLN },
		{ !!(job->bit_flags & SPREAD_JOB), SFAB_ASK_SPREAD },
		{ f->packs_serial_at_end && job->details->min_cpus == 1 && q->req_nodes == 1,
		  SFAB_ASK_SERIAL },
		{ f->prefers_busy_nodes, SFAB_ASK_BUSY_NODES },
		{ glue_has_segments(job), SFAB_ASK_SEGMENT },
		{ glue_has_units(job), SFAB_ASK_TOPOLOGY },
		{ GLUE_COUNTS_ANY_CPUS, SFAB_ASK_ANY_CPUS },
		{ !gres_are_simple(job), SFAB_ASK_GRES },
		{ takes_whole_nodes(job), SFAB_ASK_WHOLE_NODES },
		{ job->details->overcommit, SFAB_ASK_OVERCOMMIT },
		{ is_memory_counted(job), SFAB_ASK_COUNT_MEMORY },
		{ job->details->contiguous, SFAB_ASK_CONTIGUOUS },
		{ slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS,
		  SFAB_ASK_FEW_CPUS },
	};
	unsigned result = 0;

	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].applies)
			result |= flags[i].flag;
	return result;
}

/* Return @n, or 0 if it is unset (NO_VAL) or unlimited (INFINITE). */
static uint32_t u32_or_zero(uint32_t n)
{
	return n == NO_VAL || n == INFINITE ? 0 : n;
}

/* Return the time limit in seconds.  A job without its own has its partition's.  0: none. */
static uint64_t limit_of_record(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;
	uint32_t minutes = job->time_limit;

	if (minutes == NO_VAL && part)
		minutes = part->default_time != NO_VAL ? part->default_time :
							 part->max_time;
	return (uint64_t) u32_or_zero(minutes) * 60;
}

static struct sfab_place_who who_of_record(const job_record_t *job)
{
	return (struct sfab_place_who){
		.account = job->account,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.name = job->name,
		.user = job->user_id,
	};
}

static uint32_t u16_or_zero(uint16_t n)
{
	return n == NO_VAL16 || n == INFINITE16 ? 0 : n;
}

/*
 * Set what the job says about sockets, cores and threads.  A job without such options has no
 * mc_ptr before its first test.
 */
static void set_record_layout(const job_record_t *job, struct sfab_ask *ask)
{
	const multi_core_data_t *mc = job->details->mc_ptr;

	if (!mc) {
		ask->tasks_per_core =
			!!(slurm_conf.select_type_param & GLUE_ONE_TASK);
		return;
	}
	ask->sockets_per_node = u16_or_zero(mc->sockets_per_node);
	ask->cores_per_socket = u16_or_zero(mc->cores_per_socket);
	ask->threads_per_core = u16_or_zero(mc->threads_per_core);
	ask->tasks_per_socket = u16_or_zero(mc->ntasks_per_socket);
	ask->tasks_per_core = u16_or_zero(mc->ntasks_per_core);
}

/* Return @n, but never more nodes than tasks, unless the job asked for more nodes. */
static uint32_t cut_nodes_to_tasks(const struct glue_question *q, uint32_t n)
{
	uint32_t tasks = u32_or_zero(q->job->details->num_tasks);

	if (!tasks || n <= tasks)
		return n;
	return tasks > q->min_nodes ? tasks : q->min_nodes;
}

uint32_t facts_nodes_meant(const struct glue_question *q)
{
	return cut_nodes_to_tasks(
	    q, q->req_nodes > q->min_nodes ? q->req_nodes : q->min_nodes);
}

/*
 * Fill in the facts of nodes.  Called back by the service, and only if it gets as far as
 * looking at nodes: filling these arrays is the expensive part of a question.
 */
static void add_node_facts(void *context)
{
	struct facts *f = context;
	const struct glue_question *q = f->question;
	bitstr_t *required = q->job->details->req_node_bitmap, *banned;
	int first, last, whole_nodes = takes_whole_nodes(q->job);

	f->ask.node = f->node;
	f->ask.weight = f->weight;
	set_record_layout(q->job, &f->ask);
	banned = whole_nodes && (GLUE_ROWS_BAN || GLUE_ROWS_ARE_EXACT) ? NULL :
		 node_sharing_banned(&f->sharing, q->job, f->changes);
	first = bit_ffs(q->nodes);
	last = bit_fls(q->nodes);
	memset(f->node, 0, (size_t) f->nnodes);
	for (int i = first; i >= 0 && i <= last; i++) {
		const node_record_t *node = glue_node(i);
		uint8_t flags = 0;

		if (!node || !bit_test(q->nodes, i) ||
		    (banned && bit_test(banned, i)))
			continue;
		if (bit_test(avail_node_bitmap, i) &&
		    !bit_test(cg_node_bitmap, i) && gres_are_free(q->job, node, whole_nodes))
			flags |= SFAB_NODE_USABLE;
		if (bit_test(idle_node_bitmap, i))
			flags |= SFAB_NODE_IDLE;
		if (bit_test(share_node_bitmap, i))
			flags |= SFAB_NODE_SHARE;
		f->node[i] = flags;
		f->weight[i] = node->sched_weight;
	}
	first = required ? bit_ffs(required) : -1;
	for (int i = first; i >= 0 && i < f->nnodes; i++)
		if (bit_test(required, i))
			f->node[i] |= SFAB_NODE_REQUIRED;
}

const struct sfab_ask *facts_ask(struct facts *f, const struct glue_question *q)
{
	const job_record_t *job = q->job;
	const glue_details *d = job->details;
	const struct node_sharing_limit *limit = node_sharing_limit(&f->sharing, job, f->changes);
	int n;

	f->question = q;
	/* An upper bound from bitmaps alone: enough to leave most jobs to Slurm. */
	n = takes_whole_nodes(q->job) ?
		bit_overlap(q->nodes, idle_node_bitmap) :
		bit_set_count(q->nodes);
	if (limit && n > (int) limit->nodes)
		n = (int) limit->nodes;
	f->ask = (struct sfab_ask){
	    .id = job->job_id ? asked_id_of(job) : 0,
	    .flags = flags_of_question(f, q),
	    .min_nodes = q->min_nodes,
	    .max_nodes = cut_nodes_to_tasks(q, q->max_nodes),
	    .req_nodes = facts_nodes_meant(q),
	    .tasks = u32_or_zero(d->num_tasks),
	    .min_cpus = u32_or_zero(d->min_cpus),
	    .cpus_per_task = u16_or_zero(d->cpus_per_task),
	    .tasks_per_node = u16_or_zero(d->ntasks_per_node),
	    .cpus_per_node = u32_or_zero(d->pn_min_cpus),
	    .memory_mb = d->pn_min_memory & ~MEM_PER_CPU,
	    .memory_per_cpu = !!(d->pn_min_memory & MEM_PER_CPU),
	    .switches = job->req_switch,
	    .limit_s = limit_of_record(job),
	    .partition = job->part_ptr ? job->part_ptr->name : NULL,
	    .comment = job->comment,
	    .network = job->network,
	    .who = who_of_record(job),
	    .max_usable = n > 0 ? (uint32_t) n : 1,
	    .allowed = limit ? limit->allowed : NULL,
	    .allowed_cpus = limit ? limit->cpus + !limit->cpus : 0,
	    .look = add_node_facts,
	    .context = f,
	};
	return &f->ask;
}

/* List the nodes that the job still holds.  After a shrink job_resrcs may have more. */
static uint32_t list_nodes(struct facts *f, const job_record_t *job)
{
	const job_resources_t *res = job->job_resrcs;
	uint32_t n = 0, j = 0;
	int known;

	memset(f->node_cpus, 0, (size_t) f->nnodes * sizeof(*f->node_cpus));
	known = held_cores_add_cpus(job, f->node_cpus);
	for (int i = 0; i < f->nnodes && j < res->nhosts; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		f->job_node[n] = (uint32_t) i;
		f->job_cpus[n] = known ? f->node_cpus[i] : res->cpus ? res->cpus[j] : 0;
		f->memory_mb[n] = res->memory_allocated ?
			       res->memory_allocated[j] : 0;
		j++;
		n += !!bit_test(job->node_bitmap, i);
	}
	return n;
}

int facts_run(struct facts *f, const job_record_t *job, struct sfab_place_run *run)
{
	const job_resources_t *res = job->job_resrcs;

	if (!job->node_bitmap || !res || !res->node_bitmap || !job->details ||
	    bit_size(job->node_bitmap) != f->nnodes ||
	    bit_size(res->node_bitmap) != f->nnodes)
		return -1;
	*run = (struct sfab_place_run){
	    .id = job->job_id,
	    .asked_id = asked_id_of(job),
	    .flags = takes_whole_nodes(job) ? SFAB_RUN_WHOLE_NODES : 0,
	    .n = list_nodes(f, job),
	    .node = f->job_node,
	    .cpus = f->job_cpus,
	    .memory_mb = f->memory_mb,
	    .start_s = (uint64_t) job->start_time,
	    .limit_s = limit_of_record(job),
	    .nodes = res->nodes,
	    .partition = job->part_ptr ? job->part_ptr->name : NULL,
	    .comment = job->comment,
	    .network = job->network,
	    .who = who_of_record(job),
	};
	if (glue_takes_ranks(job))
		run->flags |= SFAB_RUN_RANKS;
	if (IS_JOB_SUSPENDED(job))	/* priority 0: suspended by hand, not by gang */
		run->flags |= SFAB_RUN_SUSPENDED |
			      (job->priority ? 0 : SFAB_RUN_FREES_CPUS);
	return 0;
}
