/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_service.c - the plugin's placement service, fed with scontrol's output; see
 * preview_context.h
 *
 * Makes the same calls in the same order as the plugin in slurmctld, so that the same question
 * gets the same answer.  The plugin tells the service about nodes when they change, about jobs
 * as they begin and end, and asks.  Here all jobs are told in one go, those that ended first.
 */

#include "tools/preview/preview_context.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place/state/generation.h"
#include "tools/ui/xalloc.h"

#define HIDDEN_ID UINT32_MAX	/* stands for all jobs that are not shown */

/*
 * Make the service with this cluster's nodes.  It takes over the site's conf and snapshot, also
 * on failure (NULL with *err); @site may still read them.
 */
static struct sfab_place *make_service(struct site *site, const struct cluster *c,
				       struct sfab_err *err)
{
	const struct sfab_place_options o = { 0 };
	struct sfab_place *place = sfab_place_create(&o, err);
	int rc;

	if (!place)
		return NULL;
	site->is_lent = 1;
	rc = sfab_place_use_snapshot(place, site->snapshot, site->conf, err);
	if (rc == 0) {
		struct sfab_place_node *node = xcalloc(c->nodes.n, sizeof(*node));

		for (uint32_t i = 0; i < c->nodes.n; i++) {
			const struct scontrol_node *reported = &c->nodes.node[i];
			/* MemSpecLimit is memory that Slurm keeps for its own daemons. */
			uint64_t kept = reported->memory_kept_mb;

			node[i].name = reported->name;
			node[i].cpus = reported->cpus_effective
					   ? reported->cpus_effective
					   : reported->cpus;
			node[i].memory_mb = reported->memory_mb > kept ?
					    reported->memory_mb - kept : 0;
			node[i].sockets = reported->sockets;
			node[i].threads = reported->threads;
		}
		rc = sfab_place_set_nodes(place, node, c->nodes.n, err);
		free(node);
	}
	if (rc != 0) {
		sfab_place_destroy(place);
		return NULL;
	}
	/* The service makes its own IO sets, and the site shows those. */
	site->io = sfab_place_generation(place)->io;
	return place;
}

/* Copy an array of the service, which is only valid until the service is told something else. */
static void *copy_array(const void *array, uint32_t n, size_t size)
{
	void *copy = xcalloc(n, size);

	return n ? memcpy(copy, array, n * size) : copy;
}

/* List a job with the service's hosts and traffic, not scontrol's: the model uses those. */
static void list_job(struct sfab_place *place, const struct scontrol_job *job,
		     struct joblist *list)
{
	struct sfab_traffic traffic;
	const struct passwd *user;
	struct joblist_job *listed;
	struct sfab_job spec;
	uint32_t *host;

	if (sfab_place_job(place, job->run.id, &spec, &traffic) != 0)
		return;
	host = copy_array(spec.host, spec.n, sizeof(*host));
	listed = joblist_add_take(list, job->run.id, host, spec.n, &traffic);
	listed->suspended = job->state == JOB_SUSPENDED;
	/* The number if it has no name. */
	user = getpwuid(job->run.who.user);
	listed->user = user ? xstrdup(user->pw_name) :
			      xstrfmt("%u", job->run.who.user);
	if (spec.cpus)
		listed->cpus = copy_array(spec.cpus, spec.n,
					  sizeof(*listed->cpus));
}

/* Tell the service of a job that is running, or ran until its end. */
static void report_job_state(struct sfab_place *place, const struct scontrol_job *job)
{
	struct sfab_place_run run = job->run;

	run.asked_id = run.id;
	run.flags = SFAB_RUN_KNOWN;
	if (job->exclusive)
		run.flags |= SFAB_RUN_WHOLE_NODES;
	if (job->state == JOB_SUSPENDED)
		run.flags |= SFAB_RUN_SUSPENDED;
	if (!cluster_job_holds_cpus(job))
		run.flags |= SFAB_RUN_FREES_CPUS;
	if (cluster_job_runs(job))
		sfab_place_begin(place, &run);
	else
		sfab_place_add_past_job(place, &run, job->end_s);
}

/*
 * Begin one job that stands for all hidden ones.  It sends nothing, because their traffic is
 * not known, but it holds their CPUs and memory.
 */
static void begin_hidden(struct sfab_place *place, const struct cluster *c,
			 struct reply *r)
{
	struct sfab_place_run run = c->hidden;
	uint64_t cpus = 0;

	if (!run.n)
		return;
	for (uint32_t i = 0; i < run.n; i++)
		cpus += run.cpus[i];
	reply_warning(r, "jobs are hidden (PrivateData, or they just began): they "
		      "hold %llu CPUs on %u nodes, and their traffic is unknown",
		      (unsigned long long) cpus, run.n);
	run.id = run.asked_id = HIDDEN_ID;
	run.flags = SFAB_RUN_KNOWN | SFAB_RUN_SUSPENDED;
	sfab_place_begin(place, &run);
}

/*
 * Report jobs that ended since @since (seconds since the epoch), then running jobs, which are
 * also added to @list.  A warning says how much is held by jobs that this user cannot see.
 */
static void report_jobs(struct sfab_place *place, const struct cluster *c, uint64_t since,
			struct joblist *list, struct reply *r)
{
	/* Of jobs that squeue alone lists nothing else is known. */
	if (c->lost.n)
		reply_warning(
		    r,
		    "%u jobs are left out, for example job %u: scontrol shows "
		    "them in an unknown form, or they just ended",
		    c->lost.n, c->lost.id);
	/* Jobs that ended may still be in the measured load, so the plugin counts them, too. */
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (cluster_job_ended(job) && job->end_s >= since)
			report_job_state(place, job);
	}
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (!cluster_job_runs(job))
			continue;
		report_job_state(place, job);
		list_job(place, job, list);
	}
	begin_hidden(place, c, r);
}

/* Flag the hosts of idle nodes in @avail ([nhosts]).  Return how many there are. */
static uint32_t flag_idle(const struct sfab_place *place, const struct cluster *c,
			  uint8_t *avail)
{
	const unsigned relevant = NODE_UP | NODE_RESERVED;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nodes.n; i++) {
		const struct scontrol_node *node = &c->nodes.node[i];
		uint32_t host = sfab_place_host(place, i);

		if (host == SFAB_NONE || node->cpus_held ||
		    (node->state & relevant) != NODE_UP)
			continue;
		n += !avail[host];
		avail[host] = 1;
	}
	return n;
}

/*
 * Make the placement service from the site's parts and what Slurm says.  The order is that of
 * slurmctld's start: nodes, then jobs.
 */
int preview_context_ask_slurm(struct preview_context *p, struct reply *r,
			      struct sfab_err *err)
{
	uint64_t since = UINT64_MAX;	/* no job that ended matters */

	if (cluster_ask(&p->cluster, err) != 0)
		return -1;
	p->place = make_service(&p->site, &p->cluster, err);
	if (!p->place)
		return -1;
	p->model = sfab_place_generation(p->place)->model;
	p->jobs = sfab_place_generation(p->place)->jobs;
	p->scorer = sfab_place_generation(p->place)->scorer;
	p->avail = xcalloc(p->site.f->nhosts, sizeof(*p->avail));
	p->navail = flag_idle(p->place, &p->cluster, p->avail);
	if (!p->slurm_version)
		p->slurm_version = slurmfacts_release(p->cluster.config.version);
	/* The counters do not contain jobs that ended before they were read. */
	if (p->counters.ms)
		since = sfab_measured_forgotten_before(p->counters.ms->half_life_s,
						       (uint64_t) time(NULL));
	report_jobs(p->place, &p->cluster, since, &p->list, r);
	if (p->counters.ms)
		sfab_place_use_measured(p->place, p->counters.ms);
	p->counters.ms = NULL;	/* the service's now */
	return 0;
}
