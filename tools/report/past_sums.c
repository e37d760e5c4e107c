/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sums.c - past jobs in groups; see past_sums.h
 *
 * Everything is made from an array of references to the jobs, sorted so that
 * the jobs of a group are neighbors; a group is then a range.
 *
 * Means are over jobs, not node hours: the question is what users notice.
 */

#include "tools/report/past_sums.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/ui/say.h"

typedef const struct past_job *past_ref;

static int compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* 0 means: the same group.  Days are those of UTC, as times in the log. */
static int compare_jobs(past_ref a, past_ref b, enum past_group by)
{
	switch (by) {
	case PAST_BY_REASON:
		return a->reason - b->reason;
	case PAST_BY_CLASS:
		return a->class - b->class;
	case PAST_BY_PARTITION:
		return strcmp(a->partition, b->partition);
	case PAST_BY_ACCOUNT:
		return strcmp(a->account, b->account);
	case PAST_BY_USER:
		return strcmp(a->user, b->user);
	case PAST_BY_DAY:
		return compare_numbers(floor(a->begun_s / 86400),
				       floor(b->begun_s / 86400));
	default:
		return 0;
	}
}

static int compare_refs(const void *a, const void *b, void *by)
{
	return compare_jobs(*(const past_ref *) a, *(const past_ref *) b,
			    *(enum past_group *) by);
}

/* The name the machine has today, else the number.  Caller frees. */
char *past_user(const char *number)
{
	struct passwd *user = *number ?
			      getpwuid((uid_t) strtoul(number, NULL, 10)) : NULL;

	return need_copy(user ? user->pw_name : number);
}

static char *name_of_day(double at_s)
{
	time_t at = (time_t) at_s;
	char text[20] = "";
	struct tm tm;

	if (gmtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	return need_copy(text);
}

/* What the first column of a table shows.  Caller frees. */
static char *name_of_group(past_ref job, enum past_group by)
{
	switch (by) {
	case PAST_BY_REASON:
		return need_copy(job->reason < 0 ? "unknown" :
				 sfab_reason_word((enum sfab_reason) job->reason));
	case PAST_BY_CLASS:
		return need_copy(job->class < 0 ? "none" :
				 sfab_class_name((enum sfab_class) job->class));
	case PAST_BY_PARTITION:
		return need_copy(job->partition);
	case PAST_BY_ACCOUNT:
		return need_copy(job->account);
	case PAST_BY_USER:
		return past_user(job->user);
	case PAST_BY_DAY:
		return name_of_day(job->begun_s);
	default:
		return need_copy("all");
	}
}

static int cmp_slowdowns(const void *a, const void *b)
{
	return compare_numbers(*(const double *) a, *(const double *) b);
}

/*
 * Mean and 95 % of @x, which is sorted here.  The nearest rank: the smallest
 * value that at least 95 % do not exceed.
 */
static void take_mean(struct past_mean *m, double *x, uint32_t n)
{
	double sum = 0;

	qsort(x, n, sizeof(*x), cmp_slowdowns);
	for (uint32_t i = 0; i < n; i++)
		sum += x[i];
	m->slowdown = sum / n;
	m->p95 = x[(uint32_t) ceil(n * 0.95) - 1];
}

/*
 * All jobs of the group count, but only those with both predictions are
 * compared.
 */
static void sum_group(struct past_sum *s, const past_ref *ref, uint32_t n)
{
	double *ours = need(n, sizeof(*ours)), *slurms = need(n, sizeof(*slurms));
	double part;

	for (uint32_t i = 0; i < n; i++) {
		s->jobs++;
		s->node_hours += past_node_hours(ref[i]);
		if (!ref[i]->compared)
			continue;
		ours[s->compared] = ref[i]->ours.slowdown;
		slurms[s->compared] = ref[i]->slurms.slowdown;
		part = ref[i]->ours.slowdown / ref[i]->slurms.slowdown - 1;
		s->compared++;
		s->elsewhere += !ref[i]->same;
		/* Small differences are within what the model cannot know. */
		s->better += part < -PAST_EQUAL;
		s->worse += part > PAST_EQUAL;
		s->ours.others += ref[i]->ours.others;
		s->slurms.others += ref[i]->slurms.others;
	}
	if (s->compared) {
		take_mean(&s->ours, ours, s->compared);
		take_mean(&s->slurms, slurms, s->compared);
	}
	free(ours);
	free(slurms);
}

/* Largest groups first; equal ones by name, so that reports compare. */
static int compare_sums(const void *a, const void *b)
{
	const struct past_sum *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct past_sum *past_sums(const struct past *p, enum past_group by, uint32_t *n)
{
	past_ref *ref = need(p->n, sizeof(*ref));
	struct past_sum *sum = NULL;
	uint32_t nrefs = 0, first = 0;

	*n = 0;
	for (uint32_t i = 0; i < p->n; i++)
		if (by != PAST_ELSEWHERE ||
		    (p->job[i].compared && !p->job[i].same))
			ref[nrefs++] = &p->job[i];
	if (nrefs)
		qsort_r(ref, nrefs, sizeof(*ref), compare_refs, &by);
	/* One step beyond the last reference closes the last group. */
	for (uint32_t i = 1; i <= nrefs; i++) {
		if (i < nrefs && !compare_jobs(ref[first], ref[i], by))
			continue;
		sum = need_more(sum, *n, sizeof(*sum));
		memset(&sum[*n], 0, sizeof(*sum));
		sum[*n].name = name_of_group(ref[first], by);
		sum_group(&sum[(*n)++], ref + first, i - first);
		first = i;
	}
	/* Days stay in their order. */
	if (*n && by != PAST_BY_DAY)
		qsort(sum, *n, sizeof(*sum), compare_sums);
	free(ref);
	return sum;
}

void past_sums_free(struct past_sum *sum, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(sum[i].name);
	free(sum);
}

/* -- predicted and measured ------------------------------------------------- */

/* -1: it sends nothing. */
static int largest_class(const double *share)
{
	int most = -1;

	for (int c = 0; c < SFAB_NCLASSES; c++)
		if (share[c] > 0 && (most < 0 || share[c] > share[most]))
			most = c;
	return most;
}

/*
 * Means over the jobs that have the class, assumed or found.  *@wrong counts
 * the jobs whose largest class was another one.  Returns how many were
 * compared.
 */
uint32_t past_told(const struct past *p, struct past_told told[SFAB_NCLASSES],
		   uint32_t *wrong)
{
	uint32_t jobs = 0;

	*wrong = 0;
	memset(told, 0, SFAB_NCLASSES * sizeof(*told));
	for (uint32_t i = 0; i < p->n; i++) {
		const struct past_job *job = &p->job[i];

		if (!job->is_found)
			continue;
		jobs++;
		*wrong += largest_class(job->told) != largest_class(job->found);
		for (int c = 0; c < SFAB_NCLASSES; c++) {
			if (!(job->told[c] > 0) && !(job->found[c] > 0))
				continue;
			told[c].jobs++;
			told[c].told += job->told[c];
			told[c].found += job->found[c];
			told[c].error += fabs(job->told[c] - job->found[c]);
		}
	}
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		double n = told[c].jobs ? told[c].jobs : 1;

		told[c].told /= n;
		told[c].found /= n;
		told[c].error /= n;
	}
	return jobs;
}

/* Upper ends of the ranges of predicted slowdown; the first is "not slowed". */
const double past_step[PAST_STEPS] = { 1.05, 1.25, 1.5, 2, INFINITY };

static int step_of_job(past_ref job)
{
	int k = 0;

	while (past_here(job)->slowdown > past_step[k])
		k++;
	return k;
}

/*
 * The log does not know programs: user, name and number of nodes stand for one.
 */
static int compare_programs(const void *a, const void *b)
{
	past_ref x = *(const past_ref *) a, y = *(const past_ref *) b;
	int c = strcmp(x->user, y->user);

	if (c == 0)
		c = strcmp(x->name, y->name);
	return c ? c : (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

/*
 * Runs of one program.  1: they are in several ranges, and in the first.  Run
 * times are divided by the mean of the runs that were predicted to be not
 * slowed, so that programs of minutes and of days can be summed.  Without any
 * run in another range there is nothing to compare.
 */
static int add_run_times(const past_ref *ref, uint32_t n,
			 struct past_runs runs[PAST_STEPS])
{
	double first_s = 0;
	uint32_t nfirst = 0;

	for (uint32_t i = 0; i < n; i++)
		if (step_of_job(ref[i]) == 0) {
			first_s += ref[i]->ran_s;
			nfirst++;
		}
	if (!nfirst || nfirst == n)
		return 0;
	first_s /= nfirst;
	for (uint32_t i = 0; i < n; i++) {
		struct past_runs *r = &runs[step_of_job(ref[i])];

		r->runs++;
		r->predicted += past_here(ref[i])->slowdown;
		r->ran += ref[i]->ran_s / first_s;
	}
	return 1;
}

/* Returns how many programs have been compared. */
uint32_t past_run_times(const struct past *p, struct past_runs runs[PAST_STEPS])
{
	past_ref *ref = need(p->n, sizeof(*ref));
	uint32_t n = 0, first = 0, programs = 0;

	memset(runs, 0, PAST_STEPS * sizeof(*runs));
	for (uint32_t i = 0; i < p->n; i++)
		if (p->job[i].compared && p->job[i].ran_s > 0 && *p->job[i].name)
			ref[n++] = &p->job[i];
	if (n)
		qsort(ref, n, sizeof(*ref), compare_programs);
	for (uint32_t i = 1; i <= n; i++) {
		if (i < n && !compare_programs(&ref[first], &ref[i]))
			continue;
		programs += (uint32_t) add_run_times(ref + first, i - first, runs);
		first = i;
	}
	for (int k = 0; k < PAST_STEPS; k++)
		if (runs[k].runs) {
			runs[k].predicted /= runs[k].runs;
			runs[k].ran /= runs[k].runs;
		}
	free(ref);
	return programs;
}
