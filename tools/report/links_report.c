/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * links_report.c - the links that running jobs share; see links_report.h
 *
 * Pairs of jobs are counted link by link in a hash.  On a link with very many jobs only the
 * largest are paired, so that the work is bounded by the number of links.
 */

#include "tools/report/links_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "tools/site/jobs_by_link.h"
#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

#define PAIRED 64	/* jobs of a link: 2,016 pairs */

struct job_pair {
	uint32_t job[2];	/* indices, the smaller first: the key */
	uint32_t shared, overloaded;
	double worst;		/* load over capacity */
	double time[2];		/* of each, beside the other / alone; 0: not found out */
	UT_hash_handle hh;
};

/* All that is found out before anything is printed. */
struct shared_links {
	const struct links_request *request;
	struct preview_context p;
	struct jobs_by_link jobs;
	uint32_t n, noverloaded;	/* shared links, and those too full */
	uint32_t *link;			/* [n] fullest first */
	uint32_t npairs, ncollide;
	struct job_pair *pairs;		/* hash, worst first */
};

static int compare_shared_links(const void *a, const void *b, void *jobs)
{
	return jobs_by_link_order(jobs, *(const uint32_t *) a, *(const uint32_t *) b);
}

/*
 * List the shared links between switches: those of a host are shared only by jobs on that host.
 * With --user one of the user's jobs must use them.
 */
static void find_shared_links(struct shared_links *s)
{
	const struct sfab_fabric *f = s->p.site.f;
	const struct jobs_by_link *l = &s->jobs;

	s->link = xcalloc(f->nlinks, sizeof(*s->link));
	for (uint32_t e = 0; e < f->nlinks; e++) {
		int is_wanted = 0;

		if (f->links[e].kind != SFAB_LINK_ISL || jobs_by_link_count(l, e) < 2)
			continue;
		for (uint32_t i = l->first[e]; i < l->first[e + 1]; i++)
			is_wanted |= jobs_by_link_is_of_user(&l->list->job[l->part[i].job],
							     s->request->user);
		if (!is_wanted)
			continue;
		s->link[s->n++] = e;
		s->noverloaded += (uint32_t) jobs_by_link_is_overloaded(&s->jobs, e);
	}
	qsort_r(s->link, s->n, sizeof(*s->link), compare_shared_links, &s->jobs);
}

/* -- pairs ------------------------------------------------------------------ */

/*
 * Count a link that two jobs share.  With --user, pairs of two other users are not counted,
 * although both are on the link.
 */
static void count_pair(struct shared_links *s, uint32_t link, uint32_t a, uint32_t b)
{
	const struct joblist_job *job = s->p.list.job;
	const uint32_t key[2] = { a < b ? a : b, a < b ? b : a };
	struct job_pair *pair;

	if (!jobs_by_link_is_of_user(&job[a], s->request->user) &&
	    !jobs_by_link_is_of_user(&job[b], s->request->user))
		return;
	/* Jobs meet on hundreds of links; the pair is one entry with counts. */
	HASH_FIND(hh, s->pairs, key, sizeof(key), pair);
	if (!pair) {
		pair = xcalloc(1, sizeof(*pair));
		memcpy(pair->job, key, sizeof(key));
		HASH_ADD(hh, s->pairs, job, sizeof(pair->job), pair);
	}
	pair->shared++;
	pair->overloaded += (uint32_t) jobs_by_link_is_overloaded(&s->jobs, link);
	if (jobs_by_link_fill(&s->jobs, link) > pair->worst)
		pair->worst = jobs_by_link_fill(&s->jobs, link);
}

/* Compare by overloaded links first, as only these slow a job; sharing alone may cost nothing. */
static int compare_pairs(const struct job_pair *x, const struct job_pair *y)
{
	if (x->overloaded != y->overloaded)
		return x->overloaded < y->overloaded ? 1 : -1;
	if (x->worst != y->worst)
		return x->worst < y->worst ? 1 : -1;
	if (x->shared != y->shared)
		return x->shared < y->shared ? 1 : -1;
	return memcmp(x->job, y->job, sizeof(x->job));
}

/*
 * Find the pairs of jobs that meet.  The parts of a link are largest first, so the PAIRED that
 * are looked at are those that matter.
 */
static void find_pairs(struct shared_links *s)
{
	const struct jobs_by_link *l = &s->jobs;

	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t from = l->first[s->link[k]];
		uint32_t n = jobs_by_link_count(l, s->link[k]);

		n = n < PAIRED ? n : PAIRED;
		for (uint32_t a = 1; a < n; a++)
			for (uint32_t b = 0; b < a; b++)
				count_pair(s, s->link[k], l->part[from + a].job,
					   l->part[from + b].job);
	}
	s->npairs = HASH_COUNT(s->pairs);
	for (const struct job_pair *pair = s->pairs; pair; pair = pair->hh.next)
		s->ncollide += pair->overloaded > 0;
	HASH_SORT(s->pairs, compare_pairs);
}

/* -- the answer ------------------------------------------------------------- */

static const struct column pair_columns[] = {
	{ "job", "one job", COLUMN_COUNT, 0, SHOWN },
	{ "user", "whose", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "with", "and the job that it meets", COLUMN_COUNT, 0, SHOWN },
	{ "with_user", "whose", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "shared", "links that both use", COLUMN_COUNT, 0, SHOWN },
	{ "overloaded", "of these, links asked for more than they carry",
	  COLUMN_COUNT, 0, SHOWN },
	{ "worst_fill", "load of all jobs over capacity, of the worst of them",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "job_time", "run time of the job beside the other / alone", COLUMN_NUMBER, 2, SHOWN },
	{ "with_time", "run time of the other beside the job / alone", COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

/* Find how many times as long @job takes beside @other as alone. */
static int find_time_beside(const struct shared_links *s, const struct joblist_job *job,
			    const struct joblist_job *other, double *time, struct sfab_err *err)
{
	struct sfab_jobs *js = xnonnull(sfab_jobs_create(s->p.model));
	struct sfab_job spec = joblist_spec(job), beside = joblist_spec(other);
	struct sfab_score score;
	int rc = sfab_jobs_add(js, other->id, &beside, err);

	if (rc == 0)
		rc = sfab_score(s->p.scorer, js, &spec, NULL, NULL, &score, err);
	if (rc == 0)
		*time = score.slowdown / score.alone;
	sfab_jobs_destroy(js);
	return rc;
}

/* Find the times of the first --top pairs only, as each takes milliseconds. */
static int find_times(struct shared_links *s, struct sfab_err *err)
{
	const struct joblist_job *job = s->p.list.job;
	struct job_pair *pair = s->pairs;

	for (uint32_t i = 0; pair && i < s->request->top; i++, pair = pair->hh.next) {
		const struct joblist_job *a = &job[pair->job[0]], *b = &job[pair->job[1]];

		if (find_time_beside(s, a, b, &pair->time[0], err) < 0 ||
		    find_time_beside(s, b, a, &pair->time[1], err) < 0)
			return -1;
	}
	return 0;
}

/* Make the table of the first @n pairs.  A row is like "333 anna 341 bert 12 3 1.80 1.06 1.31". */
static struct table *pair_table(const struct shared_links *s, uint32_t n)
{
	struct table *t = table_create(pair_columns);
	const struct job_pair *pair = s->pairs;

	for (uint32_t i = 0; i < n; i++, pair = pair->hh.next) {
		const struct joblist_job *a = &s->p.list.job[pair->job[0]];
		const struct joblist_job *b = &s->p.list.job[pair->job[1]];

		table_row(t);
		table_count(t, "job", a->id);
		table_count(t, "with", b->id);
		table_text(t, "user", a->user);
		table_text(t, "with_user", b->user);
		table_count(t, "shared", pair->shared);
		table_count(t, "overloaded", pair->overloaded);
		table_number(t, "worst_fill", pair->worst);
		if (!(pair->time[0] > 0))
			continue;
		table_number(t, "job_time", pair->time[0]);
		table_number(t, "with_time", pair->time[1]);
	}
	return t;
}

/* Print a heading, a table that is then destroyed, and how many rows were left out. */
static void print_part(const char *title, struct table *t, uint32_t more, FILE *out)
{
	fprintf(out, "\n%s\n", title);
	table_take_print(t, out);
	if (more)
		fprintf(out, "and %" PRIu32 " more\n", more);
}

/* Print two lines of totals, then the first --top pairs and links. */
static void print_shared_links(const struct shared_links *s, FILE *out)
{
	uint32_t top = s->request->top;
	uint32_t links = s->n < top ? s->n : top;
	uint32_t pairs = s->npairs < top ? s->npairs : top;
	char *user = s->request->user ? printable(s->request->user, 0) : NULL;

	fprintf(out, "Running jobs: %" PRIu32 ".  Links with two or more of them%s%s: "
		"%" PRIu32 ", overloaded: %" PRIu32 ".\nPairs of jobs that meet: %"
		PRIu32 ", that collide on an overloaded link: %" PRIu32 ".\n",
		s->p.list.n, user ? ", one of " : "", user ? user : "", s->n,
		s->noverloaded, s->npairs, s->ncollide);
	free(user);
	if (pairs)
		print_part("Jobs that meet, those with most overloaded links first",
			   pair_table(s, pairs), s->npairs - pairs, out);
	if (links)
		print_part("Shared links, fullest first",
			   jobs_by_link_table(&s->jobs, s->link, links), s->n - links, out);
}

/* Add all pairs and links: a program can choose by itself. */
static void add_links_json(const struct shared_links *s, struct json_object *data)
{
	struct table *t = pair_table(s, s->npairs);

	json_add(data, "jobs", json_object_new_uint64(s->p.list.n));
	json_add(data, "shared", json_object_new_uint64(s->n));
	json_add(data, "overloaded", json_object_new_uint64(s->noverloaded));
	json_add(data, "collisions", json_object_new_uint64(s->ncollide));
	json_add(data, "pairs", table_json(t));
	json_add(data, "links", jobs_by_link_json(&s->jobs, s->link, s->n));
	table_destroy(t);
}

int links_report(const struct links_request *r, struct answer *a,
		 struct sfab_err *err)
{
	struct shared_links s = { .request = r };
	struct job_pair *pair, *next;
	int rc = 0;

	if (preview_context_open(&s.p, &r->preview, &a->reply, err) != 0)
		return -1;
	if (r->user)
		rc = jobs_by_link_check_user(&s.p.list, r->user, err);
	if (rc == 0) {
		/* Jobs of all users count: whoever the user meets is wanted too. */
		jobs_by_link_find(&s.jobs, s.p.site.f, &s.p.list, s.p.jobs);
		jobs_by_link_warn(&s.p.list, s.p.site.io, &a->reply);
		find_shared_links(&s);
		find_pairs(&s);
		rc = find_times(&s, err);
		if (rc == 0 && a->options->json)
			add_links_json(&s, a->reply.data);
		else if (rc == 0)
			print_shared_links(&s, a->out.file);
	}
	HASH_ITER(hh, s.pairs, pair, next) {
		HASH_DEL(s.pairs, pair);
		free(pair);
	}
	free(s.link);
	jobs_by_link_free(&s.jobs);
	preview_context_close(&s.p);
	return rc == 0 ? 0 : -1;
}
