/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_sums.c - past jobs in groups; see past_sums.h
 *
 * A group is found by a text that its jobs have in common; each job is added to one.
 */

#include "tools/log/past_sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/moment.h"
#include "tools/ui/xalloc.h"

#define SLOWED 1.05		/* less is within what the model cannot know */
#define ERRORS_95 1.96		/* standard deviations on both sides of 95 % */

/* Return what the jobs of a group have in common.  Days are those of UTC.  Caller frees. */
static char *group_key(const struct past_job *job, enum past_group group)
{
	char moment[MOMENT_TEXT];

	switch (group) {
	case PAST_BY_REASON:
		return xstrdup(job->reason < 0 ? "unknown" :
			       sfab_reason_word((enum sfab_reason) job->reason));
	case PAST_BY_SOURCE:
		return xstrdup(job->source);
	case PAST_BY_PARTITION:
		return xstrdup(job->partition);
	case PAST_BY_DAY:
		return xstrfmt("%.10s", moment_text(job->begun_s, moment));
	case PAST_BY_PROGRAM:
		return xstrfmt("%s %s", job->user, job->name);
	case PAST_BY_SIZE:
		return xstrfmt("%s %s %" PRIu32, job->user, job->name, job->nodes);
	default:
		return xstrdup("all");
	}
}

static void add_loss(double cause[PAST_CAUSES], const struct past_loss *x, double hours)
{
	cause[PAST_SHAPE] += hours * x->shape;
	cause[PAST_JOBS] += hours * (x->own_loss - x->shape + x->others_loss);
	cause[PAST_SERVERS] += hours * x->servers;
}

static void add_run_time(struct past_sum *s, const struct past_job *job)
{
	double slowdown = past_here(job)->slowdown;

	if (slowdown > SLOWED) {
		s->slowed++;
		s->slowed_s += job->ran_s;
		s->slowdowns += slowdown;
	} else {
		s->unslowed++;
		s->unslowed_s += job->ran_s;
	}
}

/*
 * Add a job to the sum.  In what is lost and saved only jobs count for which the loss is known
 * on both sets of nodes.
 */
static void add_job(struct past_sum *s, const struct past_job *job)
{
	double hours = past_ideal_hours(job);

	s->jobs++;
	s->node_hours += past_node_hours(job);
	if (job->is_found) {
		s->nfound++;
		s->found_hours += past_node_hours(job);
		s->other_class += job->class != past_largest_class(job->found);
		for (int c = 0; c < SFAB_NCLASSES; c++) {
			s->assumed += job->assumed[c];
			s->measured += job->found[c];
			s->sent[c] += past_node_hours(job) * job->found[c];
		}
	}
	if (!job->is_compared)
		return;
	s->compared++;
	s->moved += (uint32_t) past_nodes_differ(job);
	add_loss(s->slurm, &job->slurms, hours);
	add_loss(s->sfabric, &job->ours, hours);
	s->lost += hours * past_lost(past_here(job));
	s->assumed_saved += hours * job->assumed_saved;
	if (job->ran_s > 0)
		add_run_time(s, job);
}

static void add_to_group(struct past_sum **sums, const struct past_job *job, enum past_group group)
{
	char *key = group_key(job, group);
	struct past_sum *s;

	HASH_FIND_STR(*sums, key, s);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->key = xstrdup(key);
		s->first = job;
		HASH_ADD_KEYPTR(hh, *sums, s->key, strlen(s->key), s);
	}
	add_job(s, job);
	free(key);
}

static int compare_doubles(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct past_sum *x, const struct past_sum *y)
{
	return strcmp(x->key, y->key);
}

/* Compare two groups, the largest first; equal ones by name, so that reports can be compared. */
static int compare_sums(const struct past_sum *x, const struct past_sum *y)
{
	int c = compare_doubles(y->node_hours, x->node_hours);

	c = c ? c : compare_doubles(y->jobs, x->jobs);
	return c ? c : compare_keys(x, y);
}

struct past_sum *past_sums(const struct past *p, enum past_group group)
{
	struct past_sum *sums = NULL;

	for (uint32_t i = 0; i < p->n; i++)
		add_to_group(&sums, p->job[i], group);
	if (group == PAST_BY_DAY)
		HASH_SORT(sums, compare_keys);
	else
		HASH_SORT(sums, compare_sums);
	return sums;
}

void past_sums_free(struct past_sum *sum)
{
	struct past_sum *s, *next;

	HASH_ITER(hh, sum, s, next) {
		HASH_DEL(sum, s);
		free(s->key);
		free(s);
	}
}

/*
 * Sum up the jobs of mode observe, or of all others.  Programs and not jobs are the samples:
 * the runs of one save alike.
 */
static struct past_verdict sum_verdict(const struct past *p, int observes)
{
	struct past_verdict v = { 0 };
	struct past_sum *sums = NULL;
	double square = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct past_job *job = p->job[i];

		if (job->observes != observes)
			continue;
		v.jobs++;
		v.node_hours += past_node_hours(job);
		if (!job->is_compared || !(observes || job->reason == SFAB_PLACED))
			continue;
		v.moved += (uint32_t) past_nodes_differ(job);
		add_to_group(&sums, job, PAST_BY_PROGRAM);
	}
	for (const struct past_sum *s = sums; s; s = s->hh.next) {
		v.saved += past_sum_saved(s);
		square += past_sum_saved(s) * past_sum_saved(s);
	}
	v.error = ERRORS_95 * sqrt(square);
	past_sums_free(sums);
	return v;
}

double past_full_hours(const struct past *p, double from_s, double to_s)
{
	double sum = 0;

	for (uint32_t i = 0; i < p->nfull; i++)
		if (p->full[i].at_s >= from_s && p->full[i].at_s < to_s)
			sum += p->full[i].hours;
	return p->full_before < 0 ? -1 : sum;
}

/*
 * Compute how much longer slowed jobs ran, as predicted and as measured.  The log does not know
 * programs: user, name and number of nodes stand for one.  Run times are divided by the mean of
 * those that are not slowed, so that programs of minutes and of days can be summed.
 */
static struct past_runs sum_runs(const struct past *p)
{
	struct past_sum *sums = past_sums(p, PAST_BY_SIZE);
	struct past_runs runs = { 0 };

	for (const struct past_sum *s = sums; s; s = s->hh.next) {
		if (!s->slowed || !s->unslowed || !*s->first->name)
			continue;
		runs.programs++;
		runs.runs += s->slowed;
		runs.predicted += s->slowdowns;
		runs.measured += s->slowed_s / (s->unslowed_s / s->unslowed);
	}
	runs.predicted /= runs.runs ? runs.runs : 1;
	runs.measured /= runs.runs ? runs.runs : 1;
	past_sums_free(sums);
	return runs;
}

/* -- the lines that answer the question of the report ---------------------------- */

struct past_summary past_summary(const struct past *p, double followed)
{
	struct past_summary s = {
		.p = p, .runs = sum_runs(p), .mode_on = sum_verdict(p, 0),
		.mode_observe = sum_verdict(p, 1),
		.full_hours = past_full_hours(p, -INFINITY, INFINITY), .followed = followed,
	};

	for (uint32_t i = 0; i < p->n; i++)
		add_job(&s.all, p->job[i]);
	for (int c = 0; c < SFAB_NCLASSES && s.all.found_hours > 0; c++) {
		double weight = round(1000 * s.all.sent[c] / s.all.found_hours) / 1000;

		if (weight > 0)		/* smaller parts are none */
			s.sent.part[s.sent.nparts++] = (struct sfab_traffic_part) {
				.class = (enum sfab_class) c, .share = weight,
			};
	}
	return s;
}

#define PROGRAMS 2	/* of fewer the run times say nothing */

/*
 * Return the digits behind the point: a first day in a test has few node hours, a month of a
 * site many.
 */
static int decimals_of(double node_hours)
{
	return node_hours < 1 ? 4 : node_hours < 100 ? 1 : 0;
}

static void add_verdict_line(char **text, const struct past_verdict *v, const char *begin)
{
	int n = decimals_of(v->node_hours);

	if (v->jobs)
		xjoin(text, "\n", "Mode=on %s moved %u of %u jobs and saved %.*f (%.*f to "
		      "%.*f) of %.*f node hours.%s", begin, v->moved, v->jobs, n, v->saved,
		      n, v->saved - v->error, n, v->saved + v->error, n, v->node_hours,
		      v->error > fabs(v->saved) ? " Too few programs to tell." : "");
}

char *past_lines(const struct past_summary *s)
{
	char first[MOMENT_TEXT], last[MOMENT_TEXT], traffic[160], *text = NULL;

	add_verdict_line(&text, &s->mode_observe, "would have");
	add_verdict_line(&text, &s->mode_on, "has");
	if (s->p->n)
		xjoin(&text, "\n", "%u job%s began from %s to %s. Where jobs ran, they "
		      "lost %.*f node hours to the fabric, %.1f %% of what they used.",
		      s->p->n, s->p->n == 1 ? "" : "s", moment_text(s->p->first_s, first),
		      moment_text(s->p->last_s, last), decimals_of(s->all.node_hours),
		      s->all.lost,
		      s->all.node_hours > 0 ? 100 * s->all.lost / s->all.node_hours : 0);
	if (s->runs.programs >= PROGRAMS)
		xjoin(&text, "\n", "%u runs of %u programs were slowed %.2f times, by "
		      "prediction. They took %.2f times as long as other runs.",
		      s->runs.runs, s->runs.programs, s->runs.predicted, s->runs.measured);
	if (s->full_hours >= 0)
		xjoin(&text, "\n", "Links between switches were full for %.1f hours in all, "
		      "by counters.", s->full_hours);
	/* The mean is the line for sfabric.conf, as it is written there. */
	if (s->sent.nparts)
		xjoin(&text, "\n", "%u jobs, of %.*f node hours, sent DefaultTraffic=%s on "
		      "average, by counters.", s->all.nfound, decimals_of(s->all.found_hours),
		      s->all.found_hours,
		      sfab_traffic_text(&s->sent, traffic, sizeof(traffic)));
	if (s->followed >= 0)
		xjoin(&text, "\n", "%.0f %% of the measured bytes are where the tables say.",
		      100 * s->followed);
	return text ? text : xstrdup("");
}
