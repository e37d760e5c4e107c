/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - jobs begin, end, shrink, are suspended and resumed, and what that does to loads;
 * see place.h
 *
 * An event changes the table of running jobs, the loads in the generation in use, and last the
 * loader's copy of the table (report_to_loader()), which takes the job as it is then.  Each
 * event also makes all cached answers stale (sfab_place_count_event()).
 *
 * The serial numbers events.  A generation says which was the last one it includes, and
 * recent[] remembers which jobs the last SFAB_RECENT events were about: to catch up, only these
 * jobs are computed again, by what the table says of them now.
 *
 * Slurm may report the same thing twice, so an event is a state and no difference: "job 7 runs
 * like this", not "add job 7".
 */

#include "io/clock.h"
#include "place/place_private.h"

#include <string.h>
#include <time.h>

int sfab_place_job(struct sfab_place *p, uint32_t id, struct sfab_job *spec,
		   struct sfab_traffic *traffic)
{
	const struct sfab_running_job *job = sfab_running_find(&p->running, id);

	if (!job || !p->generation || !p->is_ready || !p->generation_fits)
		return -1;
	*spec = sfab_jobload_spec(p->generation, &p->nodes, job, &p->scratch, traffic);
	return 0;
}

static void load_job(struct sfab_place *p, const struct sfab_running_job *job)
{
	if (p->generation && p->is_ready && p->generation_fits)
		sfab_jobload_add(p->generation, &p->nodes, job, &p->scratch);
}

static void unload_job(struct sfab_place *p, uint32_t id)
{
	if (p->generation && p->generation_fits)
		sfab_jobs_remove(p->generation->jobs, id);
}

void sfab_place_reload(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;

	HASH_ITER(hh, p->running.jobs, job, next) {
		unload_job(p, job->id);
		load_job(p, job);
		p->counts.reloaded++;
	}
}

/*
 * Count these jobs anew.  recent[] still holds their ids: sfab_place_adopt() refuses a
 * generation that lacks more than SFAB_RECENT events.
 */
void sfab_place_catch_up(struct sfab_place *p)
{
	for (uint64_t s = p->generation->serial + 1; s <= p->serial; s++) {
		uint32_t id = p->recent_jobs[s % SFAB_RECENT];
		const struct sfab_running_job *job = sfab_running_find(&p->running, id);

		unload_job(p, id);
		if (!job)
			continue;
		load_job(p, job);
		p->counts.reloaded++;
	}
}

void sfab_place_unload(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;

	HASH_ITER(hh, p->running.jobs, job, next)
		unload_job(p, job->id);
}

/*
 * Report to the loader that job @id changed, and at @end_s ended if it is not in the table.
 * What the event was does not matter: the loader gets the job as it is now.
 */
static void report_to_loader(struct sfab_place *p, uint32_t id, uint64_t end_s)
{
	struct sfab_running_job *job = sfab_running_find(&p->running, id);

	if (p->has_threads)
		sfab_place_report_anew(p);
	p->serial++;
	p->recent_jobs[p->serial % SFAB_RECENT] = id;
	if (p->has_threads)
		sfab_event_queue_push(&p->event_queue, &(struct sfab_event){
			.serial = p->serial, .job = job, .ended_id = id, .end_s = end_s });
}

/*
 * Change base_serial first, so that every generation made of the old copy, which lacks events,
 * is refused.
 */
void sfab_place_report_anew(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;

	if (!sfab_event_queue_begin_anew(&p->event_queue))
		return;
	p->base_serial = ++p->serial;
	sfab_event_queue_push(&p->event_queue, &(struct sfab_event){
		.serial = p->base_serial, .nodes = &p->nodes });
	HASH_ITER(hh, p->running.jobs, job, next) {
		p->recent_jobs[++p->serial % SFAB_RECENT] = job->id;
		sfab_event_queue_push(&p->event_queue, &(struct sfab_event){
			.serial = p->serial, .job = job });
	}
}

/*
 * Count one more job that differs from what was reported before, or has ended.  Beyond
 * SFAB_RECENT of them, recomputing the loads is left to the loader, and Slurm places jobs until
 * its next generation is ready.
 */
static void count_change(struct sfab_place *p)
{
	if (!p->has_threads || !p->generation_fits || ++p->nchanged <= SFAB_RECENT)
		return;
	p->generation_fits = 0;
	p->base_serial = ++p->serial;
	sfab_event_queue_push(&p->event_queue, &(struct sfab_event){
		.serial = p->base_serial, .moves_base = 1 });
}

/*
 * Are all nodes of the job among those chosen for it?  It may have got fewer: Slurm leaves out
 * what it does not need.
 */
static int has_chosen_nodes(const struct sfab_decision *d, const struct sfab_place_run *run)
{
	for (uint32_t i = 0; i < run->n; i++)
		if (!sfab_decision_has(d, run->node[i]))
			return 0;
	return d->n > 0;
}

/*
 * Set p->begin_decision to the decision that led to this begin, if no event came in between.
 * Its reason is REFUSED if the job runs on other nodes.  Return the cached decision if a search
 * made it, else NULL.
 */
static const struct sfab_decision *
commit_decision(struct sfab_place *p, const struct sfab_place_run *run)
{
	const struct sfab_cached_decision *cached = sfab_decision_cache_find(
		&p->decisions, run->asked_id);
	const struct sfab_conf *conf = p->generation ? p->generation->conf : NULL;

	memset(&p->begin_decision, 0, sizeof(p->begin_decision));
	p->begin_decision.id = run->id;
	p->begin_decision.reason = SFAB_STOCK_UNASKED;
	p->gets_comment = 0;
	/* An old part of ours may have to be removed even where none is added. */
	p->may_comment =
	    conf && (conf->admin_comment ||
		     sfab_conf_mode(conf, run->partition) != SFAB_MODE_OFF);
	/* An event came after the answer, so Slurm decided by itself. */
	if (!cached || cached->events != p->events)
		return NULL;
	p->begin_decision = cached->d;
	p->begin_decision.id = run->id;
	if (cached->d.reason == SFAB_PLACED && !has_chosen_nodes(&cached->d, run))
		p->begin_decision.reason = SFAB_STOCK_REFUSED;
	/* The copy must not outlive the slot with the sets. */
	p->begin_decision.node = p->begin_decision.candidate = p->begin_decision.required = NULL;
	p->begin_decision.tree = NULL;
	p->gets_comment = p->generation && p->generation->conf->admin_comment &&
		     cached->d.mode == SFAB_MODE_ON;
	return cached->d.is_scored ? &cached->d : NULL;
}

static void push_log_line(struct sfab_place *p, const struct sfab_logline *entry)
{
	sfab_logline_json(entry, p->line, sizeof(p->line));
	sfab_logring_push(p->ring, p->line);
}

/* Log the begin of a job.  @search_answer is the decision with its sets, or NULL. */
static void log_begin(struct sfab_place *p, const struct sfab_place_run *run,
		      const struct sfab_running_job *job,
		      const struct sfab_decision *search_answer)
{
	struct sfab_traffic traffic;
	struct sfab_logline entry = {
		.event = "start", .id = run->id, .n = run->n,
		.nodes = run->nodes, .partition = run->partition,
		.decision = &p->begin_decision, .running = sfab_place_count_running(p),
		.who = &run->who, .stock = &p->stock, .ranks = &p->ranks,
		.full_hours = p->generation && p->generation->measured ?
			      &p->generation->full_hours : NULL,
		.governor = sfab_governor_word(&p->governor, run->partition),
	};

	if (p->o.log && p->begin_decision.mode != SFAB_MODE_OFF) {
		sfab_logline_text(&entry, p->line, sizeof(p->line));
		p->o.log(SFAB_LOG_INFO, p->line);
	}
	if (!p->ring)
		return;
	if (p->generation && job) {
		sfab_jobload_spec(p->generation, &p->nodes, job, &p->scratch, &traffic);
		entry.traffic = &traffic;
		entry.epoch = p->generation->f->time;
		entry.f = p->generation->f;
	}
	if (p->is_certified)
		entry.certificate = &p->certificate;
	entry.share = p->scratch.job_cpus;
	entry.nshares = job ? job->n : 0;
	/* Share of CPUs that the job holds on each of its nodes. */
	for (uint32_t i = 0; i < entry.nshares; i++)
		p->scratch.job_cpus[i] = sfab_nodes_share(&p->nodes, job->held[i].node,
							  job->held[i].cpus);
	entry.search_answer = search_answer;
	entry.table = &p->nodes;
	push_log_line(p, &entry);
}

/* Log and report what happened to a running job.  @end_s is as for report_to_loader(). */
static void note_event(struct sfab_place *p, struct sfab_logline entry, uint64_t end_s)
{
	entry.running = sfab_place_count_running(p);
	report_to_loader(p, entry.id, end_s);
	if (p->ring)
		push_log_line(p, &entry);
	sfab_place_count_event(p);
}

/* Record a running job and add its load.  NULL: no memory. */
static struct sfab_running_job *put_job(struct sfab_place *p, const struct sfab_place_run *run)
{
	struct sfab_running_job *job;

	unload_job(p, run->id);
	job = sfab_running_put(&p->running, run);
	if (!job)
		return NULL;
	job->hint = sfab_place_hint(p, run->comment, run->network,
				    &job->traffic, NULL);
	job->round = p->round;
	load_job(p, job);
	return job;
}

/*
 * Keep the load of a job that is reported again after a reconfigure, and note that it was.  0:
 * it is another job, or it has changed.
 */
static int keep_known_run(struct sfab_place *p, const struct sfab_place_run *run)
{
	struct sfab_running_job *job = sfab_running_find(&p->running, run->id);
	char old_text[512], new_text[512];
	struct sfab_traffic hint_traffic;
	enum sfab_hint hint;

	if (!(run->flags & SFAB_RUN_KNOWN) || !job ||
	    !sfab_running_same(&p->running, job, run))
		return 0;
	hint = sfab_place_hint(p, run->comment, run->network, &hint_traffic, NULL);
	if (hint != job->hint ||
	    (hint == SFAB_HINT_TRAFFIC &&
	     strcmp(sfab_traffic_text(&hint_traffic, new_text, sizeof(new_text)),
		    sfab_traffic_text(&job->traffic, old_text, sizeof(old_text)))))
		return 0;
	job->round = p->round;
	return 1;
}

/*
 * Remove each job that was last seen in an older round, since a round reports all jobs that
 * run.  It has ended in between, and Slurm does not say when: its end is now.
 */
void sfab_place_sweep(struct sfab_place *p)
{
	struct sfab_running_job *job, *next;
	uint64_t now_s = (uint64_t) time(NULL);

	p->is_reported_again = 0;
	HASH_ITER(hh, p->running.jobs, job, next) {
		uint32_t id = job->id;

		if (job->round == p->round)
			continue;
		count_change(p);
		unload_job(p, id);
		sfab_running_remove(&p->running, id);
		report_to_loader(p, id, now_s);
	}
}

void sfab_place_begin(struct sfab_place *p, const struct sfab_place_run *run)
{
	const struct sfab_decision *search_answer = NULL;
	struct sfab_running_job *job;
	int refused;

	p->may_comment = 0;
	p->stock.is_known = 0;
	p->ranks.is_known = 0;
	if (!p->is_ready || keep_known_run(p, run))
		return;
	if (!(run->flags & SFAB_RUN_KNOWN))
		search_answer = commit_decision(p, run);
	else if (p->is_reported_again)	/* in a first round every job is new */
		count_change(p);
	/* Before the job's load is added: Slurm's nodes are scored without it. */
	if (search_answer)
		sfab_place_score_stock(p, run);
	job = put_job(p, run);
	report_to_loader(p, run->id, 0);
	/* Jobs that ran before are no new decisions. */
	if (!(run->flags & SFAB_RUN_KNOWN)) {
		sfab_place_certify(p, job);
		sfab_place_order_ranks(p, run);
		refused = p->begin_decision.reason == SFAB_STOCK_REFUSED;
		if (p->begin_decision.mode == SFAB_MODE_ON &&
		    (refused || p->begin_decision.reason == SFAB_PLACED))
			sfab_place_log_trip(p, sfab_governor_note_begin(
				&p->governor, run->partition, sfab_clock_monotonic_ns() / 1000,
				refused));
		log_begin(p, run, job, search_answer);
	}
	sfab_place_count_event(p);
}

static void end_job_run(struct sfab_place *p, uint32_t id, uint64_t end_s, int is_requeued)
{
	struct sfab_logline entry = { .event = "end", .id = id, .is_requeued = is_requeued };
	const struct sfab_found_job *found = NULL;
	const struct sfab_running_job *job;
	uint64_t now_s = (uint64_t) time(NULL);

	/* What it sent on average, if that is sure enough.  Needs the job in the table. */
	job = sfab_running_find(&p->running, id);
	if (job && p->generation)
		found = sfab_jobload_found(p->generation, job);
	if (found && found->confidence >= SFAB_FOUND_SURE)
		entry.found_traffic = &found->mean;
	if (!sfab_running_remove(&p->running, id))
		return;
	unload_job(p, id);
	/* Slurm may set an end in the future, or none. */
	note_event(p, entry, end_s && end_s < now_s ? end_s : now_s);
}

void sfab_place_end(struct sfab_place *p, uint32_t id, uint64_t end_s)
{
	end_job_run(p, id, end_s, 0);
}

void sfab_place_requeue(struct sfab_place *p, uint32_t id, uint64_t end_s)
{
	end_job_run(p, id, end_s, 1);
}

void sfab_place_add_past_job(struct sfab_place *p, const struct sfab_place_run *run, uint64_t end_s)
{
	if (!p->is_ready || !p->generation || !p->generation_fits || !put_job(p, run))
		return;
	sfab_jobs_end(p->generation->jobs, run->id, end_s);
	sfab_running_remove(&p->running, run->id);
}

void sfab_place_suspend(struct sfab_place *p, uint32_t id, unsigned flags)
{
	if (!sfab_running_suspend(&p->running, id, flags))
		return;
	if (p->generation && p->generation_fits)
		sfab_jobs_suspend(p->generation->jobs, id);
	note_event(p, (struct sfab_logline){ .event = "suspend", .id = id }, 0);
}

void sfab_place_resume(struct sfab_place *p, uint32_t id)
{
	if (!sfab_running_resume(&p->running, id))
		return;
	if (p->generation && p->generation_fits)
		sfab_jobs_resume(p->generation->jobs, id);
	note_event(p, (struct sfab_logline){ .event = "resume", .id = id }, 0);
}

void sfab_place_shrink(struct sfab_place *p, uint32_t id, uint32_t node)
{
	struct sfab_logline entry = { .event = "shrink", .id = id };

	if (!sfab_running_shrink(&p->running, id, node))
		return;
	unload_job(p, id);
	load_job(p, sfab_running_find(&p->running, id));
	entry.nodes = p->nodes.node[node].name;
	note_event(p, entry, 0);
}

uint32_t sfab_place_count_running(const struct sfab_place *p)
{
	return sfab_running_count(&p->running);
}
