/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobload.c - what a running job sends in a generation; see jobload.h
 *
 * A job's load is never stored with the job: it depends on the tables, the IO sets, the script
 * and what was learned, and all of these change with the generation.
 */

#include "place/state/jobload.h"

#include <time.h>

/* Slurm and the program that found the traffic may round starts differently. */
#define SAME_START_S 60

struct sfab_intent_site sfab_jobload_site(const struct sfab_generation *gen)
{
	return (struct sfab_intent_site){
		.conf = gen->conf, .modes = gen->conf,
		.script_cache = gen->script_cache,
		.f = gen->f, .io = gen->io,
		.history = gen->history,
		.has_strays = gen->conf && sfab_found_strays(gen->found,
							     gen->shared->snap->fingerprint,
							     gen->conf->min_followed),
	};
}

const struct sfab_found_job *sfab_jobload_found(const struct sfab_generation *gen,
						const struct sfab_running_job *job)
{
	const struct sfab_found_job *found_job = sfab_found_job(gen->found, job->id);

	/* An id may be there from an earlier run of a job that was requeued. */
	if (!found_job || (job->start_s && found_job->start_s + SAME_START_S < job->start_s))
		return NULL;
	return found_job;
}

/* Set what was told or learned, and what is found by counters as far as that is sure. */
static void set_sent(const struct sfab_generation *gen,
		     const struct sfab_running_job *job, struct sfab_traffic *traffic)
{
	const struct sfab_intent_job who = {
		.partition = job->partition, .who = job->who, .nodes = job->n,
		.limit_s = job->limit_s,
	};
	struct sfab_intent_site site = sfab_jobload_site(gen);
	const struct sfab_found_job *found_job = sfab_jobload_found(gen, job);

	sfab_intent_traffic(&site, &who, job->hint, &job->traffic, traffic, NULL);
	if (found_job && sfab_found_is_usable(gen->found, found_job, (uint64_t) time(NULL))) {
		struct sfab_traffic found;

		sfab_intent_found(&site, &found_job->latest, &found);
		sfab_found_believe(found_job, &found, traffic);
	}
}

struct sfab_job sfab_jobload_spec(struct sfab_generation *gen,
				  const struct sfab_nodes *nodes,
				  const struct sfab_running_job *job,
				  struct sfab_scratch *scratch,
				  struct sfab_traffic *traffic)
{
	uint32_t n = 0;

	set_sent(gen, job, traffic);
	/* List the job's hosts, each with the share of CPUs that the job holds. */
	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_held *held = &job->held[i];

		if (nodes->host[held->node] == SFAB_NONE)
			continue;
		scratch->job_host[n] = nodes->host[held->node];
		scratch->job_cpus[n++] = sfab_nodes_share(nodes, held->node, held->cpus);
	}
	return (struct sfab_job){
	    .n = n,
	    .host = scratch->job_host,
	    .cpus = scratch->job_cpus,
	    .traffic = traffic,
	};
}

void sfab_jobload_add(struct sfab_generation *gen, const struct sfab_nodes *nodes,
		      const struct sfab_running_job *job,
		      struct sfab_scratch *scratch)
{
	struct sfab_traffic traffic;
	struct sfab_job spec = sfab_jobload_spec(gen, nodes, job, scratch, &traffic);

	if (!spec.n)
		return;
	/* Without memory its load is missing: placement is worse, and nothing fails. */
	sfab_jobs_add(gen->jobs, job->id, &spec, NULL);
	sfab_jobs_set_start(gen->jobs, job->id, job->start_s);
	if (job->flags & SFAB_RUN_SUSPENDED)
		sfab_jobs_suspend(gen->jobs, job->id);
}
