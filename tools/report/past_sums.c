/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sums.c - past jobs in groups; see past_sums.h
 *
 * Everything is made from an array of references to the jobs, sorted so that
 * the jobs of a group are neighbors; a group is then a range.
 */

#include "tools/report/past_sums.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/moment.h"
#include "tools/ui/say.h"

#define SLOWED 1.05		/* less is within what the model cannot know */
#define ERRORS_95 1.96		/* standard deviations on both sides of 95 % */

typedef const struct past_job *past_ref;

static int compare_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* 0 means: the same group.  Days are those of UTC, as times in the log. */
static int compare_jobs(past_ref a, past_ref b, enum past_group by)
{
	int c;

	switch (by) {
	case PAST_BY_REASON:
		return a->reason - b->reason;
	case PAST_BY_SOURCE:
		return strcmp(a->source, b->source);
	case PAST_BY_PARTITION:
		return strcmp(a->partition, b->partition);
	case PAST_BY_DAY:
		return compare_numbers(floor(a->begun_s / 86400),
				       floor(b->begun_s / 86400));
	case PAST_BY_PROGRAM:
		c = strcmp(a->user, b->user);
		return c ? c : strcmp(a->name, b->name);
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

/* What the first column of a table shows.  Caller frees. */
static char *name_of_group(past_ref job, enum past_group by)
{
	char moment[MOMENT_TEXT];

	switch (by) {
	case PAST_BY_REASON:
		return need_copy(job->reason < 0 ? "unknown" :
				 sfab_reason_word((enum sfab_reason) job->reason));
	case PAST_BY_SOURCE:
		return need_copy(job->source);
	case PAST_BY_PARTITION:
		return need_copy(job->partition);
	case PAST_BY_DAY:
		return need_text("%.10s", moment_text(job->begun_s, moment));
	case PAST_BY_PROGRAM:
		return need_copy(job->name);
	default:
		return need_copy("all");
	}
}

static void add_loss(double cause[PAST_CAUSES], const struct past_loss *x, double hours)
{
	cause[PAST_SHAPE] += hours * x->shape;
	cause[PAST_JOBS] += hours * (x->own - x->shape + x->others);
	cause[PAST_SERVERS] += hours * x->servers;
}

static void sum_group(struct past_sum *s, const past_ref *ref, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		double hours = past_ideal_hours(ref[i]);

		s->jobs++;
		s->node_hours += past_node_hours(ref[i]);
		s->found += (uint32_t) ref[i]->is_found;
		s->other_class += ref[i]->is_found &&
				  ref[i]->class != past_largest_class(ref[i]->found);
		for (int c = 0; ref[i]->is_found && c < SFAB_NCLASSES; c++) {
			s->assumed += ref[i]->told[c];
			s->measured += ref[i]->found[c];
		}
		if (!ref[i]->compared)
			continue;
		s->compared++;
		s->moved += (uint32_t) past_moved(ref[i]);
		add_loss(s->slurm, &ref[i]->slurms, hours);
		add_loss(s->sfabric, &ref[i]->ours, hours);
		s->lost += hours * past_lost(past_here(ref[i]));
		s->assumed_saved += hours * ref[i]->assumed_saved;
	}
	s->user = need_copy(ref[0]->user);
}

/* Largest groups first; equal ones by name, so that reports compare. */
static int compare_sums(const void *a, const void *b)
{
	const struct past_sum *x = a, *y = b;
	int c = compare_numbers(y->node_hours, x->node_hours);

	c = c ? c : compare_numbers(y->jobs, x->jobs);
	return c ? c : strcmp(x->name, y->name);
}

static struct past_sum *sum_refs(past_ref *ref, uint32_t nrefs, enum past_group by, uint32_t *n)
{
	struct past_sum *sum = NULL;
	uint32_t first = 0;

	*n = 0;
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
	return sum;
}

struct past_sum *past_sums(const struct past *p, enum past_group by, uint32_t *n)
{
	past_ref *ref = need(p->n, sizeof(*ref));
	struct past_sum *sum;

	for (uint32_t i = 0; i < p->n; i++)
		ref[i] = &p->job[i];
	sum = sum_refs(ref, p->n, by, n);
	free(ref);
	return sum;
}

void past_sums_free(struct past_sum *sum, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(sum[i].name);
		free(sum[i].user);
	}
	free(sum);
}

struct past_verdict past_verdict(const struct past *p, int observes)
{
	past_ref *ref = need(p->n, sizeof(*ref));
	struct past_verdict v = { 0 };
	struct past_sum *sum;
	double square = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		past_ref job = &p->job[i];

		if (job->observes != observes)
			continue;
		v.jobs++;
		v.node_hours += past_node_hours(job);
		if (!job->compared || !(observes || job->reason == SFAB_PLACED))
			continue;
		v.moved += (uint32_t) past_moved(job);
		ref[n++] = job;
	}
	sum = sum_refs(ref, n, PAST_BY_PROGRAM, &n);
	for (uint32_t i = 0; i < n; i++) {
		double saved = past_sum_saved(&sum[i]);

		v.saved += saved;
		square += saved * saved;
	}
	v.error = ERRORS_95 * sqrt(square);
	past_sums_free(sum, n);
	free(ref);
	return v;
}

struct past_sent past_sent(const struct past *p)
{
	struct past_sent s = { 0 };
	double sum[SFAB_NCLASSES] = { 0 };

	for (uint32_t i = 0; i < p->n; i++) {
		const struct past_job *job = &p->job[i];

		if (!job->is_found)
			continue;
		s.jobs++;
		s.node_hours += past_node_hours(job);
		for (int c = 0; c < SFAB_NCLASSES; c++)
			sum[c] += past_node_hours(job) * job->found[c];
	}
	for (int c = 0; c < SFAB_NCLASSES && s.node_hours > 0; c++) {
		double weight = round(1000 * sum[c] / s.node_hours) / 1000;

		if (weight > 0)		/* smaller parts are none */
			s.mean.part[s.mean.nparts++] = (struct sfab_traffic_part) {
				.class = (enum sfab_class) c, .share = weight,
			};
	}
	return s;
}

double past_full_hours(const struct past *p, double from_s, double to_s)
{
	double sum = 0;

	for (uint32_t i = 0; i < p->nfull; i++)
		if (p->full[i].at_s >= from_s && p->full[i].at_s < to_s)
			sum += p->full[i].hours;
	return p->full_before < 0 ? -1 : sum;
}

/* -- predicted and measured ------------------------------------------------- */

/* Does the fabric slow it, by prediction? */
static int is_slowed(past_ref job)
{
	return past_here(job)->slowdown > SLOWED;
}

/*
 * The log does not know programs: user, name and number of nodes stand for one.
 */
static int compare_programs(const void *a, const void *b)
{
	past_ref x = *(const past_ref *) a, y = *(const past_ref *) b;
	int c = compare_jobs(x, y, PAST_BY_PROGRAM);

	return c ? c : compare_numbers(x->nodes, y->nodes);
}

/*
 * Runs of one program, some slowed and some not.  Run times are divided by the mean of
 * those that are not, so that programs of minutes and of days can be summed.
 */
static void add_run_times(const past_ref *ref, uint32_t n, struct past_runs *runs)
{
	double unslowed_s = 0;
	uint32_t unslowed = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!is_slowed(ref[i])) {
			unslowed_s += ref[i]->ran_s;
			unslowed++;
		}
	if (!unslowed || unslowed == n)
		return;
	runs->programs++;
	for (uint32_t i = 0; i < n; i++)
		if (is_slowed(ref[i])) {
			runs->runs++;
			runs->predicted += past_here(ref[i])->slowdown;
			runs->measured += ref[i]->ran_s / (unslowed_s / unslowed);
		}
}

struct past_runs past_run_times(const struct past *p)
{
	past_ref *ref = need(p->n, sizeof(*ref));
	struct past_runs runs = { 0 };
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < p->n; i++)
		if (p->job[i].compared && p->job[i].ran_s > 0 && *p->job[i].name)
			ref[n++] = &p->job[i];
	if (n)
		qsort(ref, n, sizeof(*ref), compare_programs);
	for (uint32_t i = 1; i <= n; i++) {
		if (i < n && !compare_programs(&ref[first], &ref[i]))
			continue;
		add_run_times(ref + first, i - first, &runs);
		first = i;
	}
	runs.predicted /= runs.runs ? runs.runs : 1;
	runs.measured /= runs.runs ? runs.runs : 1;
	free(ref);
	return runs;
}

/* -- the lines that answer the question of the report ---------------------------- */

struct past_summary past_summary(const struct past *p, double followed)
{
	struct past_summary s = {
		.p = p, .on = past_verdict(p, 0), .observe = past_verdict(p, 1),
		.runs = past_run_times(p), .sent = past_sent(p),
		.full_hours = past_full_hours(p, -INFINITY, INFINITY), .followed = followed,
	};
	uint32_t n;
	struct past_sum *all = past_sums(p, PAST_ALL, &n);

	s.node_hours = n ? all[0].node_hours : 0;
	s.lost = n ? all[0].lost : 0;
	past_sums_free(all, n);
	return s;
}

#define PROGRAMS 2	/* of fewer the run times say nothing */

/* A first day in a test has few, a month of a site many. */
static int decimals_of(double node_hours)
{
	return node_hours < 1 ? 4 : node_hours < 100 ? 1 : 0;
}

static int verdict_line(const struct past_verdict *v, const char *begin,
			char line[PAST_LINE])
{
	int k = decimals_of(v->node_hours);

	snprintf(line, PAST_LINE, "Mode=on %s moved %u of %u jobs and saved %.*f (%.*f to %.*f) "
		 "of %.*f node hours.%s", begin, v->moved, v->jobs, k, v->saved,
		 k, v->saved - v->error, k, v->saved + v->error, k, v->node_hours,
		 v->error > fabs(v->saved) ? " Too few jobs to tell." : "");
	return v->jobs > 0;
}

int past_line(const struct past_summary *s, int i, char line[PAST_LINE])
{
	char first[MOMENT_TEXT], last[MOMENT_TEXT], traffic[160];

	switch (i) {
	case 0:
		return verdict_line(&s->observe, "would have", line);
	case 1:
		return verdict_line(&s->on, "has", line);
	case 2:
		snprintf(line, PAST_LINE, "%u job%s began from %s to %s. Where jobs ran, they "
			 "lost %.*f node hours to the fabric, %.1f %% of what they used.",
			 s->p->n, s->p->n == 1 ? "" : "s", moment_text(s->p->first_s, first),
			 moment_text(s->p->last_s, last), decimals_of(s->node_hours), s->lost,
			 s->node_hours > 0 ? 100 * s->lost / s->node_hours : 0);
		return s->p->n > 0;
	case 3:
		snprintf(line, PAST_LINE, "%u runs of %u programs were slowed %.2f times, by "
			 "prediction. They took %.2f times as long as other runs.", s->runs.runs,
			 s->runs.programs, s->runs.predicted, s->runs.measured);
		return s->runs.programs >= PROGRAMS;
	case 4:
		snprintf(line, PAST_LINE, "Links between switches were full for %.1f hours in "
			 "all, by counters.", s->full_hours);
		return s->full_hours >= 0;
	case 5:
		/* The mean is the line for sfabric.conf, as it is written there. */
		snprintf(line, PAST_LINE, "%u jobs, of %.*f node hours, sent DefaultTraffic=%s on "
			 "average, by counters.", s->sent.jobs, decimals_of(s->sent.node_hours),
			 s->sent.node_hours,
			 sfab_traffic_text(&s->sent.mean, traffic, sizeof(traffic)));
		return s->sent.mean.nparts > 0;
	default:
		snprintf(line, PAST_LINE, "%.0f %% of the measured bytes are where the tables "
			 "say.", 100 * s->followed);
		return s->followed >= 0;
	}
}
