/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview.c - score, predictions and worst links of a set; see preview.h
 *
 * The score is among the running jobs, as the plugin computes it.  The predictions in GB/s are
 * for one class of its traffic at a time: of the job alone, and beside the running jobs.
 *
 * A preview is made in three steps that share one set of hosts: the score among the running
 * jobs, one prediction for each part of the traffic, and the certificate.  The links that
 * suffer most are taken from the score's own loads, so they come last.
 */

#include "tools/preview/preview.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/search/sizes.h"
#include "tools/ui/xalloc.h"

void preview_clear(struct preview *v)
{
	sfab_choice_clear(&v->choice);
	memset(v, 0, sizeof(*v));
}

double *preview_cpus(const struct sfab_choice *c, const double *by_host)
{
	double *cpus = by_host ? xcalloc(c->n, sizeof(*cpus)) : NULL;

	for (uint32_t i = 0; cpus && i < c->n; i++)
		cpus[i] = by_host[c->host[i]];
	return cpus;
}

static struct sfab_job job_of_preview(const struct preview *v, const struct sfab_traffic *traffic)
{
	return (struct sfab_job){
		.n = v->choice.n, .host = v->choice.host, .traffic = traffic,
	};
}

/*
 * Find the max-min slowdown beside the running jobs.  If the list lacks a job that the scorer
 * knows, its flows are unknown, and the slowdown stays 0.
 */
static int find_maxmin(struct preview_context *p, const struct sfab_job *job,
		       struct preview *v, struct sfab_err *err)
{
	int is_built = p->flows != NULL;
	double rate;

	if (p->list.n != sfab_jobs_count(p->jobs))
		return 0;
	if (!is_built)
		p->flows = sfab_throughput_create(p->model);
	if (!p->flows)
		return sfab_no_memory(err);
	/*
	 * Flows of the running jobs, built once for all previews.  A suspended job sends
	 * nothing.
	 */
	for (uint32_t i = 0; !is_built && i < p->list.n; i++) {
		struct sfab_job other = joblist_spec(&p->list.job[i]);

		if (!p->list.job[i].suspended &&
		    sfab_throughput_add(p->flows, &other, err) != 0)
			return -1;
	}
	return sfab_throughput_beside(p->flows, job, &rate, &v->maxmin, err);
}

/*
 * Find what each class of the traffic gets beside the running jobs, if every node sends or
 * reads all it can.  Servers that are busy show here, and not in a slowdown: without the links
 * between switches they would be as busy.
 */
static int find_part_rates(struct preview_context *p, struct preview *v, struct sfab_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < v->nparts && rc == 0; i++) {
		struct sfab_traffic whole = { .nparts = 1, .part = { p->traffic.part[i] } };
		const struct sfab_job job = job_of_preview(v, &whole);

		whole.part[0].share = 1;
		if (!p->list.n) {
			v->rate[i] = v->part[i].maxmin;
			continue;
		}
		rc = sfab_throughput_beside(p->flows, &job, &v->rate[i], NULL, err);
	}
	return rc;
}

/*
 * Order links by fullness, the fullest first; ties keep the order of links.  A thin link may
 * come before one with more bytes.
 */
static int compare_fullness(const void *a, const void *b)
{
	const struct preview_link *x = a, *y = b;

	if (x->full < y->full || x->full > y->full)
		return x->full > y->full ? -1 : 1;
	return x->link < y->link ? -1 : 1;
}

/* The id of the previewed job while it counts as running.  No other job has it. */
#define PREVIEWED UINT64_MAX

/* Find the links that the job would load if it ran, beside what the others send. */
static int find_links(struct preview_context *p, const struct sfab_job *job,
		      struct preview *v, struct sfab_err *err)
{
	uint32_t n = p->site.f->nlinks, loaded = 0;
	const double *background;
	struct preview_link *links;
	double *load;

	if (sfab_jobs_add(p->jobs, PREVIEWED, job, err) != 0)
		return -1;
	load = xcalloc(n, sizeof(*load));
	sfab_jobs_add_demand(p->jobs, PREVIEWED, n, load);
	sfab_jobs_remove(p->jobs, PREVIEWED);
	background = sfab_jobs_background(p->jobs);
	links = xcalloc(n, sizeof(*links));
	for (uint32_t i = 0; i < n; i++)
		if (p->model->isl[i] && load[i] > 0)
			links[loaded++] = (struct preview_link) {
				.link = i, .load = load[i], .background = background[i],
				.full = (load[i] + background[i]) * p->model->inv_cap[i] };
	qsort(links, loaded, sizeof(*links), compare_fullness);
	v->nlinks = loaded < PREVIEW_LINKS ? loaded : PREVIEW_LINKS;
	memcpy(v->link, links, v->nlinks * sizeof(*links));
	free(links);
	free(load);
	return 0;
}

/* Score the chosen hosts, predict and certify what the job gets.  On failure @v is cleared. */
static int finish_preview(struct preview_context *p, struct preview *v,
			  struct sfab_err *err)
{
	double *cpus = preview_cpus(&v->choice, p->request.cpus);
	struct sfab_job job = job_of_preview(v, &p->traffic);
	int rc;

	job.cpus = cpus;
	rc = sfab_score(p->scorer, p->jobs, &job, p->avail, p->request.weights,
			&v->choice.score, err);
	if (rc == 0)
		rc = find_maxmin(p, &job, v, err);
	if (rc == 0)
		rc = find_links(p, &job, v, err);
	for (uint32_t i = 0; rc == 0 && i < p->traffic.nparts; i++)
		rc = sfab_predict(p->model, &job, i, &v->part[i], NULL, err);
	free(cpus);
	v->nparts = p->traffic.nparts;
	if (rc == 0 && v->maxmin > 0)
		rc = find_part_rates(p, v, err);
	if (rc == 0)
		rc = preview_certify(p, v, err);
	if (rc != 0)
		preview_clear(v);
	return rc;
}

static int set_hosts_wanted(void *context, uint32_t n)
{
	struct sfab_request *rq = context;

	rq->n = n;
	return 1;
}

int preview_policy(struct preview_context *p, const struct sfab_request *rq,
		   enum sfab_policy policy, struct preview *v,
		   struct sfab_err *err)
{
	struct sfab_request resized = *rq;
	/* As the plugin does: of a range the count may be less than what is free. */
	const struct sfab_sizing sizing = { p->min_hosts ? p->min_hosts : rq->n,
					    set_hosts_wanted, &resized };
	struct sfab_score searched_score;
	int rc;

	memset(v, 0, sizeof(*v));
	if (policy == SFAB_POLICY_SFABRIC)
		rc = sfab_sizes_search(p->scorer, p->jobs, &resized, &sizing, &v->choice, err);
	else
		rc = sfab_search_by(p->scorer, p->jobs, rq, policy, &v->choice,
				    err);
	if (rc != 0)
		return -1;
	v->name = sfab_policy_name(policy);
	/*
	 * The score by which the set was chosen is kept: finish_preview() computes one of its
	 * own.
	 */
	searched_score = v->choice.score;
	rc = finish_preview(p, v, err);
	v->choice.score = searched_score;
	return rc;
}

int preview_given(struct preview_context *p, const uint32_t *host, uint32_t n,
		  struct preview *v, struct sfab_err *err)
{
	memset(v, 0, sizeof(*v));
	v->name = "given";
	v->choice.n = n;
	v->choice.host = xcalloc(n, sizeof(*host));
	memcpy(v->choice.host, host, n * sizeof(*host));
	qsort(v->choice.host, n, sizeof(*host), sfab_ascending_u32);
	return finish_preview(p, v, err);
}
