/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_service.c - scontrol's records to the placement service; see
 * slurm_service.h
 *
 * The plugin tells the service about nodes when they change, about jobs as they
 * begin and end, and asks.  Here all jobs are told in one go, those that ended
 * first.
 */

#include "tools/preview/slurm_service.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "place/state/generation.h"
#include "tools/ui/say.h"

#define HIDDEN_ID UINT32_MAX	/* stands for all jobs that are not shown */

struct sfab_place *slurm_place(struct site *site, const struct cluster *c,
			       struct sfab_err *err)
{
	const struct sfab_place_options o = { 0 };
	struct sfab_place *place = sfab_place_create(&o, err);
	int rc;

	if (!place)
		return NULL;
	site->lent = 1;
	rc = sfab_place_take(place, site->snapshot, site->conf, err);
	if (rc == 0) {
		struct sfab_place_node *node = need(c->nodes.n, sizeof(*node));

		for (uint32_t i = 0; i < c->nodes.n; i++) {
			const struct scontrol_node *from = &c->nodes.node[i];
			/*
			 * MemSpecLimit is memory that Slurm keeps for its own
			 * daemons.
			 */
			uint64_t kept = from->memory_kept_mb;

			node[i].name = from->name;
			node[i].cpus = from->cpus_effective
					   ? from->cpus_effective
					   : from->cpus;
			node[i].memory_mb = from->memory_mb > kept ?
					    from->memory_mb - kept : 0;
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

/* The service's arrays are only valid until it is told something else. */
static void *need_array(const void *from, uint32_t n, size_t size)
{
	void *copy = need(n, size);

	return n ? memcpy(copy, from, n * size) : copy;
}

/*
 * From the service, not from scontrol: its hosts and traffic are what the model
 * uses.
 */
static void list_job(struct sfab_place *place, const struct scontrol_job *job,
		     struct joblist *list)
{
	struct sfab_traffic traffic;
	const struct passwd *user;
	struct joblist_job *listed;
	struct sfab_job spec;
	uint32_t *host;

	if (sfab_place_job(place, job->id, &spec, &traffic) != 0)
		return;
	host = need_array(spec.host, spec.n, sizeof(*host));
	listed = joblist_add_take(list, job->id, host, spec.n, &traffic);
	listed->suspended = job->state == JOB_SUSPENDED;
	/* The number if it has no name. */
	user = getpwuid(job->user);
	listed->user = user ? need_copy(user->pw_name) : need_text("%u", job->user);
	if (spec.cpus)
		listed->cpus = need_array(spec.cpus, spec.n,
					  sizeof(*listed->cpus));
}

static struct sfab_place_run run_of(const struct cluster_hold *h)
{
	return (struct sfab_place_run){
		.n = h->n, .node = h->node, .cpus = h->cpus,
		.memory_mb = h->memory_mb,
	};
}

/*
 * A job that is running, or ran until its end.  What a job holds by node is in
 * @h, which is used for one job after another.
 */
static int tell_job_state(struct sfab_place *place, const struct cluster *c,
			  const struct scontrol_job *job,
			  struct cluster_hold *h, struct sfab_err *err)
{
	struct sfab_place_run run;
	unsigned flags = SFAB_RUN_KNOWN;

	if (cluster_job_hold(c, job, h, err) != 0)
		return -1;
	run = run_of(h);
	run.id = run.asked_id = job->id;
	if (job->exclusive)
		flags |= SFAB_RUN_WHOLE_NODES;
	if (job->state == JOB_SUSPENDED)
		flags |= SFAB_RUN_SUSPENDED;
	if (!cluster_job_holds_cpus(job))
		flags |= SFAB_RUN_FREES_CPUS;
	run.flags = flags;
	run.partition = job->partition;
	run.comment = job->comment;
	run.network = job->network;
	run.who = (struct sfab_place_who){ .account = job->account, .qos = job->qos,
					   .name = job->name, .user = job->user };
	run.start_s = job->start_s;
	run.limit_s = job->limit_s;
	if (cluster_job_runs(job))
		sfab_place_begin(place, &run);
	else
		sfab_place_add_past_job(place, &run, job->end_s);
	return 0;
}

/* Their traffic is not known, so none; but the nodes lack what they hold. */
static int begin_hidden(struct sfab_place *place, const struct cluster *c,
			struct cluster_hold *h, struct report *r,
			struct sfab_err *err)
{
	struct sfab_place_run run;
	uint64_t cpus = 0;

	if (cluster_hidden(c, h, err) != 0)
		return -1;
	if (!h->n)
		return 0;
	for (uint32_t i = 0; i < h->n; i++)
		cpus += h->cpus[i];
	report_warning(r, "jobs are hidden (PrivateData, or they just began): they "
		       "hold %llu CPUs on %u nodes, and their traffic is unknown",
		       (unsigned long long) cpus, h->n);
	run = run_of(h);
	run.id = run.asked_id = HIDDEN_ID;
	run.flags = SFAB_RUN_KNOWN | SFAB_RUN_SUSPENDED;
	sfab_place_begin(place, &run);
	return 0;
}

int slurm_begin(struct sfab_place *place, const struct cluster *c,
		uint64_t since, struct joblist *list, struct report *r,
		struct sfab_err *err)
{
	struct cluster_hold hold;
	int rc = 0;

	/* All that is known of them is that they exist. */
	if (c->lost.n)
		report_warning(
		    r,
		    "%u jobs are left out, for example job %u: scontrol shows "
		    "them in an unknown form, or they just ended",
		    c->lost.n, c->lost.id);
	cluster_hold_init(&hold, c);
	/* What ended may still be in the measured load; the plugin knows of it, too. */
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (cluster_job_ended(job) && job->end_s >= since)
			rc = tell_job_state(place, c, job, &hold, err);
	}
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (!cluster_job_runs(job))
			continue;
		rc = tell_job_state(place, c, job, &hold, err);
		if (rc == 0)
			list_job(place, job, list);
	}
	if (rc == 0)
		rc = begin_hidden(place, c, &hold, r, err);
	cluster_hold_free(&hold);
	return rc;
}

uint32_t slurm_idle(const struct sfab_place *place, const struct cluster *c,
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
