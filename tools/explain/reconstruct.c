/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconstruct.c - the machine when the job was placed; see explain.h
 *
 * The preview context is filled from the log as it otherwise is from a list of jobs: jobs with
 * their traffic and hosts, then free hosts, then the request to the search.  The fabric must be
 * that of the snapshot which the log names; the command checks that.
 *
 * What the log does not have cannot be made up: each gap becomes a warning.
 */

#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "tools/explain/explain.h"
#include "tools/site/hosts.h"
#include "tools/ui/xalloc.h"

/*
 * Return the fraction of its CPUs that node @i gives: the log has one number for all nodes, or
 * one each.
 */
static double cpu_share(struct json_object *start, const char *key, uint32_t i)
{
	struct json_object *value;

	if (!json_object_object_get_ex(start, key, &value))
		return 1;
	if (json_object_is_type(value, json_type_array))
		value = json_object_array_get_idx(value, i);
	return value ? json_object_get_double(value) : 1;
}

/* Parse the traffic in a start line.  Without one the job was assumed to send nothing. */
static int parse_traffic(struct json_object *start, struct sfab_traffic *t,
			 struct sfab_err *err)
{
	const char *text = declog_text(start, "traffic");

	t->nparts = 0;
	return text && *text ? sfab_traffic_parse(text, NULL, t, err) : 0;
}

/* The hosts of a job in the log, without those that it has given back. */
struct logged_hosts {
	uint32_t n, *host;
	double *cpus;		/* [n] the share of its CPUs that the job held */
};

/*
 * Find the job's hosts in the fabric, and what it holds of each.  The numbers in "cpus" follow
 * the node list of the log, so they are indexed by its names, not by the hosts that remain.
 * -1: its nodes are not in the log, or not a host list; nothing to free.
 */
static int find_logged_hosts(struct logged_hosts *logged, const struct sfab_fabric *f,
			     const struct declog_job *job, struct sfab_err *err)
{
	const char *nodes = declog_text(job->start, "nodes");
	struct sfab_names names = { 0 };
	uint8_t *seen;

	if (!nodes || sfab_hostlist_expand(nodes, &names, err) != 0)
		return -1;
	logged->host = xcalloc(names.n, sizeof(*logged->host));
	logged->cpus = xcalloc(names.n, sizeof(*logged->cpus));
	logged->n = 0;
	/* Hosts that it released are marked as seen, and so left out. */
	seen = xcalloc(f->nhosts, 1);
	for (uint32_t i = 0; i < job->nreleased; i++) {
		uint32_t h = sfab_fabric_host(f, job->released[i]);

		if (h != SFAB_NONE)
			seen[h] = 1;
	}
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t h = sfab_fabric_host(f, names.name[i]);

		if (h == SFAB_NONE || seen[h])
			continue;
		seen[h] = 1;
		logged->host[logged->n] = h;
		logged->cpus[logged->n++] = cpu_share(job->start, "cpus", i);
	}
	free(seen);
	sfab_names_free(&names);
	return 0;
}

static void free_logged_hosts(struct logged_hosts *logged)
{
	free(logged->host);
	free(logged->cpus);
}

/* Add a job that ran then.  Its hosts move to the list of jobs; everything else is copied. */
static int start_logged_job(struct preview_context *p, const struct declog_job *job,
			    struct sfab_err *err)
{
	struct logged_hosts logged;
	struct sfab_traffic traffic;
	struct sfab_job spec = { .traffic = &traffic };
	int rc;

	if (parse_traffic(job->start, &traffic, err) != 0 ||
	    find_logged_hosts(&logged, p->site.f, job, err) != 0)
		return -1;
	spec.n = logged.n;
	spec.host = logged.host;
	spec.cpus = logged.cpus;
	rc = spec.n ? sfab_jobs_add(p->jobs, job->id, &spec, err) : 0;
	if (rc == 0 && job->suspended)
		sfab_jobs_suspend(p->jobs, job->id);
	if (rc == 0) {
		joblist_add_take(&p->list, job->id, logged.host, logged.n, &traffic)
			->suspended = job->suspended;
		logged.host = NULL;
	}
	free_logged_hosts(&logged);
	return rc;
}

/*
 * -- jobs that ended without a line in the log --------------------------------
 *
 * The plugin writes no end for a job that ends while slurmctld is down, or after a start before
 * the first question of the scheduler.  Such a job would run forever in the log, and the score
 * would be worked out among jobs that were gone.
 *
 * Two things in later lines prove that it had ended: another job began on CPUs that it held, or
 * the search could choose a node of which it held all CPUs.  Where jobs share CPUs the first
 * proves nothing, so the plugin's own count of jobs decides whether any is missing, and how
 * many at most.  Suspended jobs may have given their CPUs to others: they prove nothing either
 * way.
 */

#define SHARE_ROUNDING 1e-6	/* the log has seven digits of a share */

struct claims {
	const struct sfab_fabric *f;
	uint8_t *was_free;	/* [nhosts] the search could choose it, or NULL */
	double *held_cpus;	/* [nhosts] share that later jobs held */
};

/*
 * Claim the job's CPUs.  1: it must have ended, and claims none.  A job whose line cannot be
 * read claims none, either.
 */
static int claim_cpus(struct claims *c, const struct declog_job *job)
{
	struct logged_hosts logged;
	int has_ended = 0;

	if (job->suspended || find_logged_hosts(&logged, c->f, job, NULL) != 0)
		return 0;
	for (uint32_t i = 0; i < logged.n && !has_ended; i++) {
		uint32_t h = logged.host[i];

		has_ended = c->held_cpus[h] + logged.cpus[i] > 1 + SHARE_ROUNDING ||
			    (c->was_free && c->was_free[h] && logged.cpus[i] > 1 - SHARE_ROUNDING);
	}
	for (uint32_t i = 0; i < logged.n && !has_ended; i++)
		c->held_cpus[logged.host[i]] += logged.cpus[i];
	free_logged_hosts(&logged);
	return has_ended;
}

/* Compare two jobs, the newest first: whoever began last is there for sure. */
static int compare_starts(const void *a, const void *b)
{
	const struct declog_job *x = *(struct declog_job *const *) a;
	const struct declog_job *y = *(struct declog_job *const *) b;

	return x->line > y->line ? -1 : x->line < y->line;
}

/*
 * Drop the jobs that must have ended.  Return how many.  If more seem to have ended than are
 * missing by the plugin's count, the proofs are not to be trusted here, and all jobs stay.
 */
static uint32_t drop_ended_jobs(struct declog *d, const struct sfab_fabric *f)
{
	struct claims c = { .f = f, .held_cpus = xcalloc(f->nhosts, sizeof(*c.held_cpus)) };
	/* The job that is explained began last of all, and its hosts were free. */
	const struct declog_job explained = { .start = d->start };
	uint32_t njobs = HASH_COUNT(d->jobs), nothers = declog_others(d), n = 0, nended = 0;
	struct declog_job **latest = xcalloc(njobs, sizeof(*latest));

	for (struct declog_job *job = d->jobs; job; job = job->hh.next)
		latest[n++] = job;
	qsort(latest, n, sizeof(*latest), compare_starts);
	claim_cpus(&c, &explained);
	c.was_free = declog_hosts(d->start, "free", f->nhosts);
	/* Those that have ended move to the front. */
	for (uint32_t i = 0; i < n; i++)
		if (claim_cpus(&c, latest[i]))
			latest[nended++] = latest[i];
	nended = njobs <= nothers || nended > njobs - nothers ? 0 : nended;
	for (uint32_t i = 0; i < nended; i++)
		declog_forget(d, latest[i]);
	free(latest);
	free(c.held_cpus);
	free(c.was_free);
	return nended;
}

/* -- the whole machine -------------------------------------------------------- */

/* Start the jobs that ran, without those that had ended, and warn of each gap in the log. */
static void start_logged_jobs(struct preview_context *p, struct declog *d, struct reply *r)
{
	uint64_t nlost = 0, nsilent = 0, ran = declog_count(d->start, "running");
	uint32_t nended = drop_ended_jobs(d, p->site.f), n = HASH_COUNT(d->jobs);

	if (nended)
		reply_warning(r, "left out %u jobs that have no end in the log: "
			      "their nodes were free, or other jobs had them",
			      nended);
	for (const struct declog_job *job = d->jobs; job; job = job->hh.next) {
		nlost += start_logged_job(p, job, NULL) != 0;
		nsilent += !declog_text(job->start, "traffic");
	}
	if (nsilent)
		reply_warning(r, "counted %llu running jobs as sending nothing: "
			      "they began without a snapshot",
			      (unsigned long long) nsilent);
	if (nlost)
		reply_warning(r, "left out %llu running jobs that are not "
			      "completely in the log", (unsigned long long) nlost);
	/* A plugin that was not yet counting says 0. */
	if (ran != n + 1)
		reply_warning(r, "%u jobs were running according to the log, %llu "
			      "according to the plugin", n,
			      (unsigned long long) ran - !!ran);
	if (d->nbad)
		reply_warning(r, "skipped %llu unreadable lines of the log",
			      (unsigned long long) d->nbad);
}

/* Return the share of each of its hosts that the search assumed for the job; 1 for other hosts. */
static double *asked_shares(const struct preview_context *p, struct json_object *start,
			    const uint32_t *host, uint32_t n)
{
	double *cpus = xcalloc(p->site.f->nhosts, sizeof(*cpus));

	for (uint32_t h = 0; h < p->site.f->nhosts; h++)
		cpus[h] = 1;
	for (uint32_t i = 0; i < n; i++)
		cpus[host[i]] = cpu_share(start, "asked_cpus", i);
	return cpus;
}

/*
 * Set p->held, the share of each host that Slurm finally gave the job.  The certificate in the
 * log was made with it if the job runs where it was placed.
 */
static void set_held_shares(struct preview_context *p, struct json_object *start)
{
	const struct declog_job job = { .start = start };
	uint32_t nhosts = p->site.f->nhosts;
	struct logged_hosts logged;

	if (find_logged_hosts(&logged, p->site.f, &job, NULL) != 0)
		return;
	p->held_cpus = xcalloc(nhosts, sizeof(*p->held_cpus));
	memcpy(p->held_cpus, p->cpus, nhosts * sizeof(*p->held_cpus));
	for (uint32_t i = 0; i < logged.n; i++)
		p->held_cpus[logged.host[i]] = logged.cpus[i];
	free_logged_hosts(&logged);
}

/* Take the patterns that the plugin certified: the site may have had another MpiMix then. */
static void set_patterns(struct preview_context *p, struct json_object *start)
{
	struct json_object *steps = declog_object(declog_object(start, "certificate"), "steps");

	for (int k = 0; k < SFAB_NPATTERNS; k++)
		if (json_object_object_get_ex(steps, sfab_pattern_name((enum sfab_pattern) k),
					      NULL))
			p->patterns |= 1u << k;
}

/* Return the nodes that the search found; without a search, the job's own. */
static uint32_t *find_chosen_nodes(const struct preview_context *p, struct json_object *start,
				   uint32_t *n, struct sfab_err *err)
{
	const char *nodes = declog_text(start, "nodes");
	uint8_t *flags = declog_hosts(start, "chosen", p->site.f->nhosts);
	uint32_t *host;

	*n = 0;
	for (uint32_t h = 0; flags && h < p->site.f->nhosts; h++)
		*n += flags[h];
	if (!flags && !nodes) {
		sfab_fail(err, SFAB_EFORMAT, "the log does not name its nodes");
		return NULL;
	}
	if (!flags)
		flags = hosts_flags(p->site.f, nodes, n, err);
	if (!flags)
		return NULL;
	host = hosts_ids(p->site.f, flags, *n);
	free(flags);
	return host;
}

/* Rebuild what the search saw, and preview its nodes.  On failure the caller closes the context. */
int explain_reconstruct(struct preview_context *p, struct declog *d, struct preview *v,
			struct reply *r, struct sfab_err *err)
{
	uint32_t nhosts = p->site.f->nhosts, n, *host;
	int rc;

	if (preview_context_parts(p, err) != 0 ||
	    parse_traffic(d->start, &p->traffic, err) != 0)
		return -1;
	start_logged_jobs(p, d, r);
	/* Without the bitmap only the job's own hosts are flagged, and none is counted. */
	p->avail = declog_hosts(d->start, "free", nhosts);
	if (!p->avail)
		p->avail = xcalloc(nhosts, 1);
	for (uint32_t h = 0; h < nhosts; h++)
		p->navail += p->avail[h];
	host = find_chosen_nodes(p, d->start, &n, err);
	if (!host)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		p->navail += p->navail && !p->avail[host[i]];
		p->avail[host[i]] = 1;
	}
	p->cpus = asked_shares(p, d->start, host, n);
	set_held_shares(p, d->start);
	set_patterns(p, d->start);
	p->required = declog_hosts(d->start, "required", nhosts);
	p->request = (struct sfab_request) {
		.n = n,
		.avail = p->avail,
		.required = p->required,
		.cpus = p->cpus,
		.traffic = &p->traffic,
		.weights = p->site.conf->weights,
		.max_steps = p->site.conf->max_steps,
		.seed = p->site.snapshot->fingerprint,
	};
	rc = preview_given(p, host, n, v, err);
	free(host);
	return rc;
}
