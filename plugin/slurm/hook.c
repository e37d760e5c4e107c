/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hook.c - select_cons_tres.so in front of Slurm's own select_cons_tres.so
 *
 * Slurm loads this file, whose DT_NEEDED entry loads the stock plugin: dlsym() finds there what
 * is not defined here.  We narrow a job's nodes to those that the placement service prefers;
 * then the stock plugin decides.  If it does not start the job on them now, we ask it again
 * with all nodes, as if this plugin did not exist.
 *
 * Threads: slurmctld calls select_p_*() with its job write lock held, so no two run at once;
 * select_p_reconfigure() may come with the write lock of the configuration instead.  init() and
 * fini() run without a lock, also in clients and slurmd, so they start nothing.
 */

#include <time.h>

#include "core/utf8.h"
#include "place/decision.h"
#include "place/state/reporting.h"
#include "plugin/slurm/facts.h"
#include "plugin/slurm/held_cores.h"
#include "plugin/slurm/plan.h"
#include "plugin/slurm/tres.h"

/* What Slurm's loader looks for. */
int init(void);
int fini(void);
int select_p_node_init(void);
int select_p_job_test(GLUE_TEST_PARAMETERS);
int select_p_reconfigure(void);
int select_p_job_begin(job_record_t *job);
int select_p_job_fini(job_record_t *job);
int select_p_job_suspend(job_record_t *job, bool by_hand);
int select_p_job_resume(job_record_t *job, bool by_hand);
int select_p_job_resized(job_record_t *job, node_record_t *node);
int select_p_job_expand(job_record_t *from, job_record_t *to);

static struct sfab_place *place;	/* NULL until the first question */
static struct facts facts;
static struct plan_state plans;	/* of backfill, for Plans=spare */
static int is_foreign;	/* not the Slurm that this was built for: pass everything on */
static int is_stale = 1;	/* nodes and running jobs must be reported again */
static struct sfab_reporting unreported;	/* jobs not reported since then */

/* Log a clean line: user-given names must not begin a line of their own. */
static void write_slurm_log(enum sfab_log_level level, const char *line)
{
	size_t size = strlen(line) + 1;
	char *clean = sfab_utf8_clean(xmalloc(size), size, line, size);

	if (level == SFAB_LOG_ERROR)
		error("sfabric: %s", clean);
	else if (level == SFAB_LOG_INFO)
		info("sfabric: %s", clean);
	else
		debug("sfabric: %s", clean);
	xfree(clean);
}

/* Pass everything on from now on: after a wrong layout no record can be trusted. */
static void give_up(const char *what)
{
	if (!is_foreign)
		error("sfabric: %s is not as in Slurm 0x%06x, for which this plugin was built: "
		      "Slurm places jobs",
		      what, SLURM_VERSION_NUMBER);
	is_foreign = 1;
}

/* Can the job's records be read? */
static int is_record_readable(const job_record_t *job, bitstr_t *nodes)
{
	const char *mismatch = is_foreign ? NULL : facts_check_job(job, nodes);

	if (mismatch)
		give_up(mismatch);
	return !is_foreign;
}

/* -- the service ---------------------------------------------------------- */

#define FILE_MAX (64u << 20)	/* snapshots have their own limit */

/* Start the service.  If it cannot start, pass everything on from then on. */
static void start_place(void)
{
	char path[4096];
	struct sfab_err err = { 0 };
	struct sfab_place_options o = {
		.conf_path = sfab_conf_path(slurm_conf.slurm_conf, path, sizeof(path)),
		.trust = { .check = 1, .uid = slurm_conf.slurm_user_id, .max_size = FILE_MAX },
		.log = write_slurm_log,
	};

	place = sfab_place_create(&o, &err);
	if (place && sfab_place_start(place, &err) == 0)
		return;
	error("sfabric: %s: Slurm places jobs", err.text);
	is_foreign = 1;
}

static int is_record_running(const job_record_t *job)
{
	return IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job);
}

/* Record a running job.  For list_for_each().  -1: no memory, or its record cannot be read. */
static int note_job(void *x, void *arg)
{
	job_record_t *job = x;

	if (!is_record_readable(job, NULL))
		return -1;
	return is_record_running(job) ? sfab_reporting_note(&unreported, job->job_id)
				      : 0;
}

/* Report a job, if it still runs.  An event may have reported it already. */
static void report_running_job(void *context, uint32_t id)
{
	job_record_t *job = find_job_record(id);
	struct sfab_place_run run;

	if (!job || !is_record_readable(job, NULL) || !is_record_running(job) ||
	    facts_run(&facts, job, &run))
		return;
	run.flags |= SFAB_RUN_KNOWN;
	sfab_place_begin(place, &run);
}

/* Report all nodes to the service, and record the running jobs to report later. */
static void begin_reporting(void)
{
	const char *mismatch = facts_check_nodes();
	struct sfab_place_node *nodes;
	struct sfab_err err = { 0 };

	if (mismatch) {
		give_up(mismatch);
		return;
	}
	facts_reset(&facts);
	plan_forget(&plans);
	nodes = facts_nodes();
	if (sfab_place_set_nodes(place, nodes, (uint32_t) facts.nnodes, &err) < 0)
		error("sfabric: %s", err.text);
	xfree(nodes);
	sfab_reporting_clear(&unreported);
	is_stale = list_for_each(job_list, note_job, NULL) < 0;
}

/* Count an event.  1: report it.  0: all jobs will be read before the next question. */
static int note_job_change(const job_record_t *job)
{
	facts.changes++;
	return place && !is_stale && is_record_readable(job, NULL) &&
	       facts.nnodes == node_record_count;
}

/* -- the question --------------------------------------------------------- */

/* A job as it was before the stock plugin was asked. */
struct saved_job {
	job_record_t job;
	glue_details details;
	bitstr_t *nodes;	/* of the question; a copy */
};

/* Undo what the stock plugin changes in a job. */
static void restore_job(const struct saved_job *saved, const struct glue_question *q)
{
	const job_record_t *old_job = &saved->job;
	const glue_details *details = &saved->details;
	job_record_t *job = q->job;

	bit_copybits(q->nodes, saved->nodes);
	job->start_time = old_job->start_time;
	job->total_cpus = old_job->total_cpus;
	job->req_switch = old_job->req_switch;
	job->best_switch = old_job->best_switch;
	job->bit_flags = old_job->bit_flags;
	job->details->pn_min_memory = details->pn_min_memory;
	job->details->min_cpus = details->min_cpus;
	job->details->cpus_per_task = details->cpus_per_task;
	job->details->min_gres_cpu = details->min_gres_cpu;
	job->details->min_job_gres_cpu = details->min_job_gres_cpu;
}

/*
 * Ask the stock plugin to start the job now on at least @min of these nodes, harming no other
 * job.  1: it does.  The job has then what the stock plugin chose.
 */
static int start_now(const struct glue_question *q, uint32_t min, bitstr_t **others_cores)
{
	if (glue_stock_test(q) != SLURM_SUCCESS ||
	    bit_set_count(q->nodes) < (int) min)
		return 0;
	if (others_cores && held_cores_has_overlap(others_cores, q->job))
		return 0;
	return !SELECT_IS_MODE_WILL_RUN(q->mode) || q->job->start_time <= time(NULL);
}

/* Call start_now() for a job that may share cores, without the cores that other jobs hold. */
static int start_on_idle_cores(struct glue_question *q, uint32_t min)
{
	bitstr_t **others_cores = held_cores_find(q->nodes);
	glue_excluded *excluded = glue_exclude(q, others_cores);
	int started = 0;

	q->excluded = excluded;
	if (excluded)
		started = start_now(q, min, others_cores);
	glue_free_excluded(excluded);
	held_cores_free(others_cores);
	return started;
}

/*
 * Set *@stock_tres to what the job would hold on the nodes that Slurm chooses.  0: it would not
 * start now.  The job is restored.
 */
static int find_tres(const struct glue_question *q, const struct saved_job *saved,
		     struct tres *stock_tres)
{
	struct glue_question all = *q;
	int started;

	all.mode = SELECT_MODE_WILL_RUN;
	/* Preempt nobody, as in try_nodes(), whose result is compared with this. */
	all.preemptable = NULL;
	q->job->bit_flags |= TEST_NOW_ONLY;
	started = glue_stock_test(&all) == SLURM_SUCCESS &&
		  q->job->start_time <= time(NULL);
	*stock_tres = tres_of(&all);
	restore_job(saved, q);
	return started;
}

/*
 * Ask the stock plugin with the chosen nodes only, to start the job now, preempting nobody.
 * 1: it does, and the job holds at most @limit (NULL: no limit).  0: the job is restored.
 */
static int try_nodes(const struct glue_question *q, const struct saved_job *saved,
		     const struct sfab_decision *d, const struct tres *limit)
{
	struct glue_question narrowed = *q;
	struct tres our_tres;
	/* Of a range (-N MIN-MAX), as many nodes as were chosen. */
	uint32_t meant = facts_nodes_meant(q), min = d->n < meant ? d->n : meant;
	int started;

	for (int i = 0; i < facts.nnodes; i++)
		if (bit_test(q->nodes, i) && !sfab_decision_has(d, (uint32_t) i))
			bit_clear(q->nodes, i);
	narrowed.preemptable = NULL;
	q->job->bit_flags |= TEST_NOW_ONLY;
	started = held_cores_may_share(q->job) ? start_on_idle_cores(&narrowed, min) :
						 start_now(&narrowed, min, NULL);
	q->job->bit_flags = saved->job.bit_flags;
	our_tres = tres_of(q);
	if (started && limit && !tres_is_within(&our_tres, limit))
		started = 0;
	if (!started)
		restore_job(saved, q);
	return started;
}

/*
 * Try the sets that the service offers, one after the other.  If all fail, the stock plugin
 * gets the unchanged question.
 */
static int place_job(const struct glue_question *q, const struct sfab_ask *ask,
		     const struct sfab_decision *d)
{
	struct saved_job saved = { .job = *q->job, .details = *q->job->details,
				   .nodes = bit_copy(q->nodes) };
	struct tres stock_tres, *limit = NULL;
	int placed = 0;
	glue_details *details = q->job->details;

	/* From 23.11 to 25.05 backfill forgets whole nodes that the partition demands. */
	if ((ask->flags & SFAB_ASK_WHOLE_NODES) && !GLUE_WANTS_WHOLE_NODES(q->job))
		details->whole_node = WHOLE_NODE_REQUIRED;
	if ((ask->flags & SFAB_ASK_SMALL_NODES) && tres_may_differ(q->nodes)) {
		limit = &stock_tres;
		if (!find_tres(q, &saved, limit))
			d = NULL;
	}
	while (d && !placed) {
		placed = try_nodes(q, &saved, d, limit);
		if (!placed)
			d = sfab_place_ask_more(place, ask);
	}
	details->whole_node = saved.details.whole_node;
	FREE_NULL_BITMAP(saved.nodes);
	return placed ? SLURM_SUCCESS : glue_stock_test(q);
}

/* Let Slurm decide, on the nodes of @d if it has some. */
static int ask_slurm(const struct glue_question *q, const struct sfab_ask *ask,
		     const struct sfab_decision *d)
{
	return d->reason == SFAB_PLACED ? place_job(q, ask, d) :
					  glue_stock_test(q);
}

/* Answer.  If Slurm plans for later, equivalent nodes may replace idle ones. */
static int answer_and_spare(const struct glue_question *q,
			    const struct sfab_ask *ask,
			    const struct sfab_decision *d)
{
	int may_spare = sfab_place_may_spare(place, d) && plan_is_plain(&facts, q);
	bitstr_t *all = may_spare ? bit_copy(q->nodes) : NULL;
	int rc = ask_slurm(q, ask, d);

	if (rc == SLURM_SUCCESS && plan_record(&plans, q, ask->id) && all)
		plan_spare_idle(&plans, &facts, q, all);
	FREE_NULL_BITMAP(all);
	return rc;
}

int select_p_job_test(GLUE_TEST_PARAMETERS)
{
	const struct glue_question question = GLUE_QUESTION, *q = &question;
	const struct sfab_decision *d;
	const struct sfab_ask *ask;

	if (!q->job->details)
		return glue_stock_test(q);
	if (!is_record_readable(q->job, q->nodes))
		return glue_stock_test(q);
	if (!place)
		start_place();
	if (!is_foreign && (is_stale || facts.nnodes != node_record_count))
		begin_reporting();
	/* Reporting sets is_foreign if the record of a running job cannot be read. */
	if (is_foreign || is_stale ||
	    !sfab_reporting_go_on(&unreported, report_running_job, NULL) || is_foreign)
		return glue_stock_test(q);
	ask = facts_ask(&facts, q);
	d = sfab_place_ask(place, ask);
	if (sfab_place_conf_spares(place) && plan_is_asked(q))
		return answer_and_spare(q, ask, d);
	return ask_slurm(q, ask, d);
}

/* -- events: the stock plugin's function first, then the service ---------- */

typedef int comment_write_fn(const struct sfab_place *p, const char *old, char *buf, size_t size);

/* Replace our part of AdminComment, and keep the admin's own text. */
static void set_comment(job_record_t *job, comment_write_fn *write)
{
	const char *old = job->admin_comment;
	size_t size = (old ? strlen(old) : 0) + SFAB_COMMENT_MORE;
	char *text = xmalloc(size);

	if (write(place, old, text, size)) {
		xfree(job->admin_comment);
		job->admin_comment = text;
	} else {
		xfree(text);
	}
}

int select_p_job_begin(job_record_t *job)
{
	int (*stock)(job_record_t *) = glue_stock("select_p_job_begin");
	int rc = stock(job);
	struct sfab_place_run run;
	const uint32_t *rank;

	if (rc == SLURM_SUCCESS && note_job_change(job) &&
	    !facts_run(&facts, job, &run)) {
		sfab_place_begin(place, &run);
		rank = sfab_place_ranks(place);
		if (rank)
			glue_set_ranks(job, rank);
		set_comment(job, sfab_place_comment);
	}
	return rc;
}

/*
 * Report the end even if all jobs will be read before the next question, because this one will
 * not be among them.
 */
int select_p_job_fini(job_record_t *job)
{
	int (*stock)(job_record_t *) = glue_stock("select_p_job_fini");

	facts.changes++;
	if (place && is_record_readable(job, NULL)) {
		uint64_t end = (uint64_t) job->end_time;

		if (IS_JOB_PENDING(job)) {	/* for example, its launch failed */
			sfab_place_requeue(place, job->job_id, end);
			set_comment(job, sfab_place_comment_requeued);
		} else {
			sfab_place_end(place, job->job_id, end);
		}
	}
	return stock(job);
}

int select_p_job_suspend(job_record_t *job, bool by_hand)
{
	int (*stock)(job_record_t *, bool) = glue_stock("select_p_job_suspend");
	int rc = stock(job, by_hand);

	if (rc == SLURM_SUCCESS && note_job_change(job))
		sfab_place_suspend(place, job->job_id,
				   by_hand ? SFAB_RUN_FREES_CPUS : 0);
	return rc;
}

int select_p_job_resume(job_record_t *job, bool by_hand)
{
	int (*stock)(job_record_t *, bool) = glue_stock("select_p_job_resume");
	int rc = stock(job, by_hand);

	if (rc == SLURM_SUCCESS && note_job_change(job))
		sfab_place_resume(place, job->job_id);
	return rc;
}

int select_p_job_resized(job_record_t *job, node_record_t *node)
{
	int (*stock)(job_record_t *, node_record_t *) =
		glue_stock("select_p_job_resized");
	int rc = stock(job, node);

	if (note_job_change(job))
		sfab_place_shrink(place, job->job_id, (uint32_t) node->index);
	return rc;
}

int select_p_job_expand(job_record_t *from, job_record_t *to)
{
	int (*stock)(job_record_t *, job_record_t *) =
		glue_stock("select_p_job_expand");
	int rc = stock(from, to);

	is_stale = 1;	/* two jobs changed: read both again */
	return rc;
}

/* Report anew: the node table and all jobs may differ afterwards. */
int select_p_node_init(void)
{
	int (*stock)(void) = glue_stock("select_p_node_init");

	is_stale = 1;
	return stock();
}

int select_p_reconfigure(void)
{
	int (*stock)(void) = glue_stock("select_p_reconfigure");

	is_stale = 1;
	return stock();
}

int init(void)
{
	int (*stock)(void) = glue_stock("init");

	if (glue_check_stock() != SLURM_SUCCESS)
		return SLURM_ERROR;
	return stock ? stock() : SLURM_SUCCESS;
}

int fini(void)
{
	int (*stock)(void) = glue_stock("fini");

	sfab_place_destroy(place);
	place = NULL;
	facts_free(&facts);
	plan_forget(&plans);
	sfab_reporting_clear(&unreported);
	return stock ? stock() : SLURM_SUCCESS;
}
