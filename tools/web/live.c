/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.c - the machine as it is now; see live.h
 *
 * What top shows, plus what it leaves out: each job's slowdown, whom it meets and what the
 * audit finds.  Pages show this struct and ask nothing.
 */

#include "tools/web/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/audit/audit_site.h"
#include "tools/site/hosts.h"
#include "tools/ui/xalloc.h"

/*
 * Add a job.  Facts of Slurm (user, name, partition) are there with --slurm only.  Jobs that
 * send nothing have no slowdown and meet nobody.
 */
static int add_live_job(struct live_view *v, const struct joblist_job *job,
			double *load, struct sfab_err *err)
{
	struct preview_context *p = &v->hot.p;
	const struct sfab_fabric *f = p->site.f;
	struct live_job *entry = &v->job[v->njobs++];
	struct sfab_score score;
	int rc;

	entry->job = job;
	entry->facts = p->place ? cluster_job(&p->cluster, (uint32_t) job->id) : NULL;
	entry->leaves = hosts_leaves(f, job->host, job->n, HOSTS_FIRST_PORTS);
	rc = preview_context_score(p, job, &score, err);
	if (rc <= 0)
		return rc;
	entry->slowdown = score.slowdown;
	/* Links of its hosts are full whenever it sends all it can. */
	memset(load, 0, f->nlinks * sizeof(*load));
	sfab_jobs_add_demand(p->jobs, job->id, f->nlinks, load);
	for (uint32_t e = 0; e < f->nlinks; e++)
		if (load[e] > 0 && f->links[e].kind == SFAB_LINK_ISL)
			entry->fullest = fmax(entry->fullest, v->hot.fill[e]);
	entry->has_certificate = 1;
	return sfab_certificate_set_shares(p->jobs, job->id, &entry->certificate, err);
}

/* Compare jobs: the slowest come first, because readers of the page look for those. */
static int compare_live_jobs(const void *a, const void *b)
{
	const struct live_job *x = a, *y = b;

	if (x->slowdown < y->slowdown || x->slowdown > y->slowdown)
		return x->slowdown < y->slowdown ? 1 : -1;
	return x->job->id < y->job->id ? -1 : x->job->id > y->job->id;
}

/*
 * Audit the fabric, without counters if they cannot be read: that was a warning already.  The
 * audit has its own site and reply, as `sfabric audit` would: roles are applied there before
 * the model is made.
 */
static int audit_live(struct live_view *v, const struct hot_links_request *w, struct sfab_err *err)
{
	const struct audit_request request = { .options = w->preview.options,
					       .counters = w->preview.counters,
					       .may_lack_counters = 1 };
	struct answer a = { .options = &w->preview.options };
	size_t size;
	int rc;

	reply_init(&a.reply, "audit");
	a.reply.is_quiet = 1;		/* the same warnings again */
	a.out.file = xnonnull(open_memstream(&v->audit, &size));
	rc = audit_site(&request, &a, err);
	fclose(a.out.file);
	xnonnull(v->audit);
	reply_free(&a.reply);
	return rc < 0 ? -1 : 0;
}

int live_open(struct live_view *v, const struct hot_links_request *w, struct reply *r,
	      struct sfab_err *err)
{
	const struct joblist *list = &v->hot.p.list;
	double *load;
	int rc = 0;

	memset(v, 0, sizeof(*v));
	v->now_s = (uint64_t) time(NULL);
	if (hot_links_find(&v->hot, w, r, err) != 0)
		return -1;
	/* With --measured the list is empty. */
	v->job = xcalloc(list->n, sizeof(*v->job));
	load = xcalloc(v->hot.p.site.f->nlinks, sizeof(*load));
	for (uint32_t i = 0; rc == 0 && i < list->n; i++)
		rc = add_live_job(v, &list->job[i], load, err);
	free(load);
	qsort(v->job, v->njobs, sizeof(*v->job), compare_live_jobs);
	if (rc == 0 && audit_live(v, w, err) == 0)
		return 0;
	live_close(v);
	return -1;
}

void live_close(struct live_view *v)
{
	free(v->audit);
	free(v->job);
	hot_links_free(&v->hot);
	memset(v, 0, sizeof(*v));
}

/* Take the mean slowdown over the jobs that send; 0 if none does. */
struct day_point live_point(const struct live_view *v)
{
	struct day_point p = { .time_s = v->now_s, .jobs = v->njobs,
			       .busy = v->hot.busy_hosts, .overfull = v->hot.nfull };
	uint32_t n = 0;

	for (uint32_t e = 0; e < v->hot.p.site.f->nlinks; e++)
		p.fullest = fmax(p.fullest, v->hot.fill[e]);
	for (uint32_t i = 0; i < v->njobs; i++) {
		n += v->job[i].slowdown > 0;
		p.slowdown += v->job[i].slowdown;
	}
	if (n)
		p.slowdown /= n;
	return p;
}
