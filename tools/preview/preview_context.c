/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_context.c - all that a placement depends on; see preview_context.h
 *
 * Offline it is made from the snapshot and a list of jobs.  With --slurm the placement service
 * is filled from scontrol, and everything is taken from it, so that both sides see the same.
 */

#include "tools/preview/preview_context.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/load/stepper.h"
#include "place/decision.h"
#include "tools/site/hosts.h"
#include "tools/site/warnings.h"
#include "tools/slurm/hint.h"
#include "tools/ui/xalloc.h"

static void take_version(struct argp_state *state, const struct option_row *row, void *version,
			 char *arg)
{
	uint32_t *release = version;

	*release = slurmfacts_release(arg);
	if (!*release)
		argp_error(state, "--slurm-version: no version of Slurm (found \"%s\", expected "
			   "one like 24.11)", arg);
}

const struct option_row preview_options_rows[] = {
	{ "traffic", "TRAFFIC", 0, "What the job does, CLASS[@SET][=PART][+...] in parts of "
	  "its time: mpi, alltoall, allreduce, ring, uniform, neighbor, io-write, io-read "
	  "(default: DefaultTraffic of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct preview_options, traffic) },
	{ "jobs", "FILE", 0, "Running jobs, lines of ID HOSTLIST [TRAFFIC]", KEEP_TEXT,
	  .offset = offsetof(struct preview_options, options.jobs) },
	{ "slurm", NULL, 0, "Ask Slurm (scontrol) which jobs run and which nodes are free",
	  KEEP_YES, .offset = offsetof(struct preview_options, slurm) },
	{ "counters", "FILE", 0, "Measured load (default with --slurm: Counters of sfabric.conf)",
	  KEEP_TEXT, .offset = offsetof(struct preview_options, counters) },
	{ "available", "HOSTLIST", 0, "Hosts that may be used (default: compute hosts without a "
	  "job)", KEEP_TEXT, .offset = offsetof(struct preview_options, available) },
	{ "max-steps", "N", 0, "Limit of the search in steps (default: MaxSteps of sfabric.conf)",
	  KEEP_COUNT, .offset = offsetof(struct preview_options, max_steps), 1, UINT32_MAX },
	{ "slurm-version", "VERSION", 0, "Compare with topology/tree of this Slurm (default "
	  "with --slurm: the cluster's, else 22.05)", KEEP_CALL,
	  .offset = offsetof(struct preview_options, slurm_version), .call = take_version },
	{ 0 }
};

void preview_options_check(const struct preview_options *o, struct argp_state *state)
{
	if (o->slurm && (o->options.jobs || o->available))
		argp_error(state, "--slurm knows jobs and free nodes: not with --jobs or "
			   "--available");
}

/* Make model, jobs and scorer.  After a failure preview_context_close() frees what was made. */
int preview_context_parts(struct preview_context *p, struct sfab_err *err)
{
	struct sfab_packing packing;

	p->model = site_model(&p->site);
	p->jobs = xnonnull(sfab_jobs_create(p->model));
	p->scorer = xnonnull(sfab_scorer_create(p->model));
	if (sfab_site_view_packing(p->model, p->site.conf, p->site.snapshot->packing,
				   &packing, err) < 0)
		return -1;
	p->scorer->packing = packing;
	return 0;
}

/* Read --traffic; without it take the traffic of a job about which nothing is known. */
static int read_traffic(struct preview_context *p, const struct preview_options *o,
			struct sfab_err *err)
{
	struct sfab_intent_site site = site_intent(&p->site);

	p->traffic = site_traffic(&p->site);
	p->is_traffic_given = o->traffic != NULL;
	if (!p->is_traffic_given)
		return 0;
	if (sfab_traffic_parse(o->traffic, site.conf->share, &p->traffic, err) != 0)
		return -1;
	return sfab_intent_check(&site, &p->traffic, err);
}

/* Remove the excluded hosts from the available ones, whatever else says that they are. */
static int exclude_hosts(struct preview_context *p, const struct preview_options *o,
			 struct sfab_err *err)
{
	uint8_t *excluded;
	uint32_t n;

	if (!o->exclude)
		return 0;
	excluded = hosts_flags(p->site.f, o->exclude, &n, err);
	if (!excluded)
		return -1;
	for (uint32_t h = 0; h < p->site.f->nhosts; h++) {
		p->navail -= p->avail[h] && excluded[h];
		p->avail[h] &= !excluded[h];
	}
	free(excluded);
	return 0;
}

/*
 * Find the hosts that may be used: those of jobs only if they are named.  With --available the
 * user's word counts, also for hosts that are no compute hosts.
 */
static int find_available(struct preview_context *p, const struct preview_options *o,
			  struct sfab_err *err)
{
	const struct sfab_fabric *f = p->site.f;

	if (o->available) {
		p->avail = hosts_flags(f, o->available, &p->navail, err);
		return p->avail ? 0 : -1;
	}
	p->avail = xcalloc(f->nhosts, sizeof(*p->avail));
	for (uint32_t h = 0; h < f->nhosts; h++)
		p->avail[h] = site_role(&p->site, h) == ROLE_COMPUTE;
	for (uint32_t i = 0; i < p->list.n; i++)
		for (uint32_t k = 0; k < p->list.job[i].n; k++)
			p->avail[p->list.job[i].host[k]] = 0;
	for (uint32_t h = 0; h < f->nhosts; h++)
		p->navail += p->avail[h];
	return 0;
}

static int open_offline(struct preview_context *p, const struct preview_options *o,
			struct sfab_err *err)
{
	if (preview_context_parts(p, err) != 0 ||
	    (o->options.jobs && joblist_read(&p->list, o->options.jobs, p->site.f,
					     p->site.conf, err) != 0))
		return -1;
	for (uint32_t i = 0; i < p->list.n; i++)
		/* A job without traffic in the file sends what one without a hint would. */
		if (p->list.job[i].has_default_traffic)
			p->list.job[i].traffic = site_traffic(&p->site);
	if (joblist_start(&p->list, p->jobs, err) != 0 || find_available(p, o, err) != 0)
		return -1;
	if (p->counters.ms)
		sfab_measured_apply(p->counters.ms, p->jobs, (uint64_t) time(NULL));
	return 0;
}

/*
 * Open the site, take jobs and free hosts from Slurm or from files, and prepare the request.
 * With and without --slurm measured load is added last, because it is reduced by what the known
 * jobs send.  The plugin does the same.
 *
 * The seed is the fingerprint, as in the plugin: the same snapshot gives the same nodes.
 */
int preview_context_open(struct preview_context *p, const struct preview_options *o,
			 struct reply *r, struct sfab_err *err)
{
	int rc = 0;

	memset(p, 0, sizeof(*p));
	if (site_open(&p->site, &o->options, r, err) != 0)
		return -1;
	if (!o->needs_packing && !p->site.conf->packing)
		p->site.conf->packing = 1;
	if (o->max_steps)
		p->site.conf->max_steps = o->max_steps;
	p->slurm_version = o->slurm_version;
	/* Without the groups of ports, figures about routes may be wrong. */
	if (p->site.f->adaptive == SFAB_ADAPTIVE_UNKNOWN)
		reply_warning(r, "%s", warnings_adaptive_text(p->site.f));
	if (o->counters || o->slurm)
		rc = site_counters_open(&p->counters, &p->site, o->counters,
					SITE_COUNTERS_IF_THERE, r, err);
	if (rc == 0)
		rc = o->slurm ? preview_context_ask_slurm(p, r, err) :
				open_offline(p, o, err);
	if (rc == 0)
		rc = read_traffic(p, o, err);
	if (rc == 0)
		rc = exclude_hosts(p, o, err);
	if (rc != 0) {
		preview_context_close(p);
		return rc;
	}
	p->request = (struct sfab_request) {
		.avail = p->avail,
		.traffic = &p->traffic,
		.weights = p->site.conf->weights,
		.max_steps = p->site.conf->max_steps,
		.seed = p->site.snapshot->fingerprint,
		.slurm = p->slurm_version,
	};
	return 0;
}

enum sfab_reason preview_context_intent(struct preview_context *p, const struct sfab_ask *ask,
					struct reply *r)
{
	struct sfab_intent_site site = site_intent(&p->site);
	struct sfab_intent_job job = sfab_intent_asked(ask);
	struct sfab_decision d;
	enum sfab_reason reason;

	job.hint_traffic = p->is_traffic_given ? &p->traffic : NULL;
	reason = sfab_intent_find(&site, &job, &d);
	p->traffic = d.traffic;
	memcpy(p->weights, d.weights, sizeof(p->weights));
	p->request.weights = p->weights;
	hint_warn_decided(&d, site.script_cache, r);
	return reason;
}

/* Score a running job, suspended meanwhile, so that it does not count among the others. */
int preview_context_score(struct preview_context *p, const struct joblist_job *job,
			  struct sfab_score *out, struct sfab_err *err)
{
	struct sfab_job spec = joblist_spec(job);
	int rc;

	if (job->suspended || !sfab_jobs_has(p->jobs, job->id))
		return 0;
	sfab_jobs_suspend(p->jobs, job->id);
	rc = sfab_score(p->scorer, p->jobs, &spec, NULL, NULL, out, err);
	sfab_jobs_resume(p->jobs, job->id);
	return rc < 0 ? -1 : 1;
}

/*
 * Take over the service's last request.  Its arrays change with its next question, so the flags
 * are copied.
 */
void preview_context_take(struct preview_context *p, const uint32_t *host, uint32_t n)
{
	const struct sfab_request *last = sfab_place_request(p->place);
	uint32_t nhosts = p->site.f->nhosts;

	memset(p->avail, 0, nhosts);
	if (last) {
		p->request = *last;
		memcpy(p->avail, last->avail, nhosts);
	} else {
		p->request.n = n;
		for (uint32_t i = 0; i < n; i++)
			p->avail[host[i]] = 1;
	}
	p->request.avail = p->avail;
	p->request.slurm = p->slurm_version;
	p->request.traffic = &p->traffic;
	p->navail = 0;
	for (uint32_t h = 0; h < nhosts; h++)
		p->navail += p->avail[h];
}

/* Free the parts of the context.  With --slurm the service owns model, jobs and scorer. */
void preview_context_close(struct preview_context *p)
{
	if (p->place) {
		sfab_place_destroy(p->place);
	} else {
		sfab_scorer_destroy(p->scorer);
		sfab_jobs_destroy(p->jobs);
		sfab_model_destroy(p->model);
	}
	sfab_stepper_destroy(p->stepper);
	site_counters_close(&p->counters);
	cluster_free(&p->cluster);
	joblist_free(&p->list);
	sfab_throughput_destroy(p->flows);
	free(p->avail);
	free(p->required);
	free(p->cpus);
	free(p->held_cpus);
	site_close(&p->site);
	memset(p, 0, sizeof(*p));
}
