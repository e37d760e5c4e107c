/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot_links.c - the hottest links now; see hot_links.h
 *
 * A link's load is what the running jobs would send over it, its rate what counters saw.  A
 * link is as hot as the larger of both: loads show what will be slow, rates what is, and links
 * of jobs that nobody knows.
 */

#include "tools/top/hot_links.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/link_columns.h"
#include "tools/ui/xalloc.h"

const struct column hot_links_columns[] = {
	LINK_COLUMNS,
	{ "kind", "isl (switch to switch), eject (to host), inject (from host)",
	  COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "load_gbs", "GB/s that the running jobs ask of it", COLUMN_NUMBER, 2,
	  SHOWN_IF_ANY },
	{ "fill", "that over what it can carry", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "rate_gbs", "GB/s measured on it, smoothed", COLUMN_NUMBER, 2,
	  SHOWN_IF_ANY },
	{ "used", "that over what it can carry", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "wait_share", "measured share of its words that had to wait",
	  COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "capacity_gbs", "GB/s of data it can carry", COLUMN_NUMBER, 2,
	  SHOWN_IF_ASKED },
	{ "jobs", "how many ask for it", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ "job_ids", "which, who asks most first", COLUMN_TEXT, 0,
	  SHOWN_IF_ANY },
	{ 0 }
};

const struct option_row hot_links_options[] = {
	{ "jobs", "FILE", 1, "Running jobs, lines of ID HOSTLIST [TRAFFIC] (default: ask Slurm)",
	  KEEP_TEXT, .offset = offsetof(struct hot_links_request, preview.options.jobs) },
	{ "measured", NULL, 1, "Show counters only, without asking for jobs", KEEP_YES,
	  .offset = offsetof(struct hot_links_request, only_measured) },
	{ "counters", "FILE", 1, "Measured load (default: Counters of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct hot_links_request, preview.counters) },
	{ 0 }
};

error_t hot_links_parse_option(int key, char *arg, struct argp_state *state)
{
	struct hot_links_request *rq = state->input;

	if (key == ARGP_KEY_END && rq->only_measured && rq->preview.options.jobs)
		argp_error(state, "--measured asks for no jobs: not with --jobs");
	rq->preview.slurm = !rq->only_measured && !rq->preview.options.jobs;
	return ARGP_ERR_UNKNOWN;
}

/*
 * Open the site, its jobs and its counters.  Counters may be missing unless --measured asked
 * for them.  With --measured no jobs are read, so Slurm need not be there.
 */
static int open_parts(struct hot_links *h, const struct hot_links_request *rq,
		      struct reply *r, struct sfab_err *err)
{
	struct preview_context *p = &h->p;
	uint32_t unknown;

	h->has_jobs = !rq->only_measured;
	if ((h->has_jobs ? preview_context_open(p, &rq->preview, r, err) :
			   site_open(&p->site, &rq->preview.options, r, err)) != 0)
		return -1;
	if (!p->counters.c &&
	    site_counters_open(&p->counters, &p->site, rq->preview.counters,
			       rq->only_measured ? SITE_COUNTERS_NEEDED : SITE_COUNTERS_IF_THERE,
			       r, err) != 0)
		return -1;
	/* The preview context added its counters to the jobs' background. */
	if (p->counters.c && !p->counters.ms)
		p->counters.ms = sfab_counters_measure(p->counters.c, p->site.f,
						       &unknown);
	if (p->counters.c && !p->counters.ms)
		return sfab_no_memory(err);
	return 0;
}

/* Count links with load, and hosts with jobs, each once, however many jobs it has. */
static void count_busy(struct hot_links *h)
{
	const struct sfab_fabric *f = h->p.site.f;
	uint8_t *busy = xcalloc(f->nhosts, sizeof(*busy));

	for (uint32_t i = 0; i < h->p.list.n; i++) {
		const struct joblist_job *job = &h->p.list.job[i];

		for (uint32_t k = 0; k < job->n; k++) {
			h->busy_hosts += !busy[job->host[k]];
			busy[job->host[k]] = 1;
		}
	}
	for (uint32_t e = 0; e < f->nlinks; e++) {
		h->nloaded += h->jobs.load[e] > 0;
		h->nfull += (uint32_t) jobs_by_link_is_overloaded(&h->jobs, e);
	}
	free(busy);
}

/* Compare links, the fullest first.  Equal ones stay in the fabric's order: no view flickers. */
static int compare_hot_links(const void *a, const void *b, void *by_link)
{
	const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
	const double *fill = by_link;

	if (fill[x] != fill[y])
		return fill[x] < fill[y] ? 1 : -1;
	return x > y ? 1 : -1;
}

int hot_links_find(struct hot_links *h, const struct hot_links_request *rq, struct reply *r,
		   struct sfab_err *err)
{
	const struct sfab_fabric *f;
	const struct sfab_measured *ms;

	memset(h, 0, sizeof(*h));
	if (open_parts(h, rq, r, err) != 0) {
		hot_links_free(h);
		return -1;
	}
	jobs_by_link_find(&h->jobs, h->p.site.f, &h->p.list, h->p.jobs);
	count_busy(h);
	f = h->p.site.f;
	ms = h->p.counters.ms;
	h->fill = xcalloc(f->nlinks, sizeof(*h->fill));
	h->link = xcalloc(f->nlinks, sizeof(*h->link));
	for (uint32_t e = 0; e < f->nlinks; e++) {
		h->fill[e] = fmax(h->jobs.load[e], ms ? ms->rate[e] : 0) / f->links[e].capacity;
		if (h->fill[e] > 0 && (rq->kind < 0 || (int) f->links[e].kind == rq->kind))
			h->link[h->n++] = e;
	}
	qsort_r(h->link, h->n, sizeof(*h->link), compare_hot_links, h->fill);
	h->n = h->n > rq->max ? rq->max : h->n;
	return 0;
}

void hot_links_free(struct hot_links *h)
{
	free(h->fill);
	free(h->link);
	jobs_by_link_free(&h->jobs);
	preview_context_close(&h->p);
	memset(h, 0, sizeof(*h));
}

/* A clock of another machine may run ahead: that gives 0. */
double hot_links_age(const struct hot_links *h, uint64_t now_s)
{
	const struct sfab_counters *c = h->p.counters.c;

	return c ? fmax(0, (double) now_s - (double) c->time_ms / 1000) : -1;
}

/* Make the table.  Columns of jobs stay empty with --measured, and so do not show. */
struct table *hot_links_table(const struct hot_links *h)
{
	const struct sfab_fabric *f = h->p.site.f;
	const struct sfab_measured *ms = h->p.counters.ms;
	const struct jobs_by_link *l = &h->jobs;
	struct table *t = table_create(hot_links_columns);

	for (uint32_t k = 0; k < h->n; k++) {
		const uint32_t e = h->link[k];
		char *ids = NULL;	/* "12,7,30", the job with the largest load first */

		for (uint32_t i = l->first[e]; i < l->first[e + 1]; i++)
			xjoin(&ids, ",", "%" PRIu64, l->list->job[l->part[i].job].id);
		table_row(t);
		link_columns_cells(t, f, e);
		if (h->has_jobs) {
			table_gbs(t, "load_gbs", l->load[e]);
			table_number(t, "fill", jobs_by_link_fill(l, e));
			table_count(t, "jobs", jobs_by_link_count(l, e));
		}
		table_text(t, "job_ids", ids);
		if (ms && ms->rate[e] >= 0) {
			table_gbs(t, "rate_gbs", ms->rate[e]);
			table_number(t, "used", ms->rate[e] / f->links[e].capacity);
		}
		if (ms && ms->wait[e] >= 0)
			table_number(t, "wait_share", ms->wait[e]);
		free(ids);
	}
	return t;
}
