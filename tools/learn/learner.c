/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learner.c - tracks jobs over samples; see learner.h
 *
 * Between two samples the learner keeps each job that runs, with the mean of what was found for
 * it, and for a few half-lives each job that ended, because it is still part of the rates:
 * without it, its traffic would be charged to the jobs that took over its nodes.
 *
 * A sample has four steps: see who ended and put them into the history, take the new list,
 * estimate, and make the new traffic.snap.
 */

#include "tools/learn/learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "tools/ui/xalloc.h"

/*
 * A sample enters the mean of a job only if at least this part of its load is in the rates:
 * multiplying by more than 3 gives mostly noise.
 */
#define PART_MIN 0.3
/* A run that was sampled so often counts in full. */
#define SAMPLES_FULL 2.0
/* Weight of one sample in the mean part of the bytes that follow the tables. */
#define FOLLOWED_PART 0.1
/* A sample counts at least so much in the mean of its job. */
#define SURE_MIN 0.05
/* If a lower bound is above the mean, the mean moves this part of the way to it at once. */
#define BOUND_PART 0.5
/*
 * When the part of a job that is in the rates changes by more than this, the means of its links
 * are restarted.
 */
#define PART_CHANGED 0.03
/* For how many half-lives a job that ended is still estimated. */
#define ENDED_KEPT 4

struct tracked_job {
	struct learner_job job;		/* first, to sort by its id */
	struct sfab_found_job found;
	double weight;			/* of the samples in the mean */
	double exact;			/* weight of those that show IO as it was asked for */
	struct sfab_traffic passed;	/* at the last sample, not as a part of time */
	double part;			/* of its load, in the rates of the last sample */
	uint64_t end_s;			/* 0: it runs */
};

void learner_job_free(struct learner_job *job)
{
	free(job->host);
	free(job->cpus);
	free(job->name);
	free(job->account);
	free(job->partition);
	memset(job, 0, sizeof(*job));
}

struct learner *learner_create(struct sfab_history *history, struct sfab_found *found)
{
	struct learner *l = xcalloc(1, sizeof(*l));

	l->history = history;
	l->found = found ? found : xnonnull(sfab_found_create(0));
	return l;
}

void learner_destroy(struct learner *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->n; i++)
		learner_job_free(&l->job[i].job);
	free(l->job);
	sfab_steady_close(&l->steady);
	sfab_found_destroy(l->found);
	sfab_history_destroy(l->history);
	free(l);
}

/* -- jobs that ended -------------------------------------------------------- */

/*
 * Add a job that ended to the history.  The weight says how sure the mean is: few samples, or
 * low confidence, count for less.  Jobs from a file have no time of their begin, so they cannot
 * be told from repeats.
 */
static int remember_run(struct learner *l, const struct tracked_job *t, struct sfab_err *err)
{
	const struct sfab_history_facts facts = { t->job.user, t->job.name, t->job.account,
						  t->job.partition,
						  t->job.nodes ? t->job.nodes : t->job.n };
	double weight = fmin(1, t->found.samples / SAMPLES_FULL) * t->found.confidence;

	if (!t->found.samples || !(weight > 0) || t->found.flags & SFAB_FOUND_ALIKE)
		return 0;
	l->ended++;
	return sfab_history_add(l->history, &facts, &(struct sfab_history_run){
				.sent = &t->found.mean, .weight = weight, .end_s = t->end_s,
				.job = t->job.start_s ? t->job.id : 0, .start_s = t->job.start_s,
				.at_least = (t->found.flags & SFAB_FOUND_AT_LEAST) != 0 },
				err) < 0 ? -1 : 0;
}

/*
 * End the jobs of the last sample that are not among @job; they stay for a while.  Both lists
 * are sorted by id, so one pass is enough.  An id with another begin is a job that was
 * requeued: the run before has ended.
 */
static int end_learned_jobs(struct learner *l, const struct learner_job *job, uint32_t n,
			    uint64_t now_s, struct sfab_err *err)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		struct tracked_job *t = &l->job[i];

		while (next < n && job[next].id < t->job.id)
			next++;
		if (t->end_s || (next < n && job[next].id == t->job.id &&
				 job[next].start_s == t->job.start_s))
			continue;
		t->end_s = now_s;
		t->part = -1;		/* so the means of its links are restarted */
		if (remember_run(l, t, err) < 0)
			return -1;
	}
	return 0;
}

/* -- the next list ---------------------------------------------------------- */

/*
 * Return the weight of a job's sample @n.  Later ones count for more: their rates are means,
 * and fewer classes are wrong.
 */
static double sample_weight(uint32_t n)
{
	double max = fmin(n, SFAB_STEADY_MAX);

	return max * max;
}

/*
 * Return what is known of the job so far, from the last sample or, after a restart, from
 * traffic.snap.
 */
static struct tracked_job known_job(const struct learner *l, const struct learner_job *job)
{
	struct tracked_job known = { .job = *job,
				   .found = { .id = job->id, .start_s = job->start_s } };
	const struct tracked_job *tracked = l->n ? bsearch(&known, l->job, l->n, sizeof(known),
							   sfab_ascending_u32) : NULL;
	const struct sfab_found_job *f = sfab_found_job(l->found, job->id);

	/* One that ended is another job: its id was used again. */
	if (tracked && !tracked->end_s) {
		known = *tracked;
		known.job = *job;
	} else if (f && f->start_s == job->start_s) {
		known.found = *f;
		known.weight = f->samples * sample_weight(f->samples);
		known.exact = f->exact * sample_weight(f->exact);
	}
	return known;
}

/*
 * Make the new list: the jobs that run now, and those that ended a moment ago whose id is not
 * used again.  Jobs that are dropped are freed; the others move to the new list.
 */
static void take_jobs(struct learner *l, struct learner_job *job, uint32_t n, uint64_t keep_since)
{
	struct tracked_job *next = xcalloc(n + l->n + 1u, sizeof(*next));
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		next[kept++] = known_job(l, &job[i]);
	for (uint32_t i = 0; i < l->n; i++) {
		struct tracked_job *t = &l->job[i];
		struct tracked_job *same = bsearch(t, next, n, sizeof(*next), sfab_ascending_u32);

		if (t->end_s >= keep_since && t->end_s && !same)
			next[kept++] = *t;
		else
			learner_job_free(&t->job);
	}
	qsort(next, kept, sizeof(*next), sfab_ascending_u32);
	free(job);
	free(l->job);
	l->job = next;
	l->n = kept;
}

/* -- the sample ------------------------------------------------------------- */

/* Return the part of an exponential mean that is older than @since: 2^-(time since / half-life). */
static double mean_left(const struct sfab_measured *ms, uint64_t since, uint64_t now_s)
{
	return now_s > since ? exp2(-(double) (now_s - since) / ms->half_life_s) : 1;
}

/*
 * Return the part of the job's load that the exponential means show at this time
 * (core/load/measured.h): 1 for a job that has run for long.  A job whose begin is not known
 * counts as such.
 */
static double part_in_rates(const struct sfab_measured *ms, const struct tracked_job *t,
			    uint64_t now_s)
{
	double began = t->job.start_s ? mean_left(ms, t->job.start_s, now_s) : 0;
	double ended = t->end_s ? mean_left(ms, t->end_s, now_s) : 1;

	return t->job.suspended ? 0 : fmax(0, ended - began);
}

/*
 * Return the mean share with one more sample, @share.  @at_least: servers were full, so that
 * the job asks for this much IO or for more.  A bound above the mean is half believed at once.
 * One below it is one sample of many, and says nothing once there are samples without full
 * servers.
 */
static double next_mean(const struct tracked_job *t, const struct sfab_traffic_part *mean,
			double share, double weight, int at_least)
{
	double distance = share - mean->share;

	if (!sfab_class_is_io(mean->class))
		return mean->share + distance * weight / t->weight;
	if (!at_least)
		return mean->share + distance * weight / t->exact;
	if (distance > 0)
		return mean->share + distance * fmax(BOUND_PART, weight / t->weight);
	return t->exact > 0 ? mean->share : mean->share + distance * (weight / t->weight);
}

/*
 * Add a sample of the job: the mean moves by how sure the sample is, and f->now is what was
 * estimated.  It is less sure while less than half of the load is in the rates.
 */
static void add_sample(struct tracked_job *t, const struct sfab_estimate *e,
		       double part, uint64_t now_s)
{
	double sure = e->confidence * fmin(1, part / 0.5), weight, sum;
	struct sfab_found_job *f = &t->found;
	struct sfab_traffic mean = f->mean, current = f->mean;

	/* Each of the two gets the parts that only the other has, with weight 0. */
	for (uint32_t i = 0; i < current.nparts; i++)
		current.part[i].share = 0;
	for (uint32_t i = 0; i < e->traffic.nparts; i++) {
		const struct sfab_traffic_part *from = &e->traffic.part[i];
		struct sfab_traffic_part *p = sfab_traffic_find_or_add(&current, from);

		sfab_traffic_find_or_add(&mean, from);
		if (p)
			p->share = from->share;
	}
	weight = fmax(sure, SURE_MIN) * sample_weight(++f->samples);
	f->exact += !e->at_least;
	t->weight += weight;
	t->exact += e->at_least ? 0 : weight;
	for (uint32_t i = 0; i < mean.nparts; i++)
		mean.part[i].share = next_mean(t, &mean.part[i], current.part[i].share, weight,
					       e->at_least);
	/* Bounds and means from different samples may sum to more than all of the time. */
	sum = sfab_traffic_net_share(&mean) + sfab_traffic_io_share(&mean);
	for (uint32_t i = 0; sum > 1 && i < mean.nparts; i++)
		mean.part[i].share /= sum;
	f->mean = mean;
	f->latest = current;
	f->flags = (e->misfit ? SFAB_FOUND_MISFIT : 0) | (e->few ? SFAB_FOUND_FEW : 0) |
		   (f->exact ? 0 : SFAB_FOUND_AT_LEAST) | (e->alike ? SFAB_FOUND_ALIKE : 0);
	f->residual = e->residual;
	f->confidence = sure;
	f->time_s = now_s;
	t->passed = e->passed;
}

/*
 * Add the sample @rate to the means by link.  The means of links of jobs that begin or end are
 * restarted.
 */
static int add_steady_rates(struct learner *l, const struct sfab_model *m, const double *rate,
			    const struct sfab_estimate_job *job, double fresh, struct sfab_err *err)
{
	int rc = l->steady.nres == m->nres ? 0 : sfab_steady_open(&l->steady, m, err);

	for (uint32_t i = 0; rc == 0 && i < l->n; i++) {
		if (fabs(job[i].part - l->job[i].part) > PART_CHANGED) {
			rc = sfab_steady_renew(&l->steady, m, &job[i], err);
			l->job[i].part = job[i].part;
		}
	}
	if (rc == 0)
		sfab_steady_add(&l->steady, rate, fresh);
	return rc;
}

/*
 * Estimate the traffic of all jobs.  Jobs that ended are estimated as well, to explain their
 * part of the rates, but what is found for them is not kept.
 */
static int estimate_all(struct learner *l, const struct sfab_model *m,
			const struct sfab_measured *ms, uint64_t now_s, struct sfab_err *err)
{
	struct sfab_estimate_job *job = xcalloc(l->n + 1u, sizeof(*job));
	struct sfab_estimate *out = xcalloc(l->n + 1u, sizeof(*out));
	struct sfab_estimate_options options = sfab_estimate_default;
	double *rate = xcalloc(ms->f->nlinks + 1u, sizeof(*rate));
	int rc;

	/* -1: not known, as for a link without counters. */
	for (uint32_t e = 0; e < ms->f->nlinks; e++)
		rate[e] = ms->time_s[e] + SFAB_MEASURED_FRESH_S >= now_s ? ms->rate[e] : -1;
	for (uint32_t i = 0; i < l->n; i++) {
		struct tracked_job *t = &l->job[i];

		job[i] = (struct sfab_estimate_job){
			.n = t->job.n, .host = t->job.host, .cpus = t->job.cpus,
			.part = part_in_rates(ms, t, now_s),
			.before = t->passed.nparts ? &t->passed : NULL };
	}
	options.wait = ms->wait;
	rc = add_steady_rates(l, m, rate, job,
			      1 - mean_left(ms, l->found->time_ms / 1000, now_s), err);
	options.count = l->steady.count;
	if (rc == 0)
		rc = sfab_estimate(m, job, l->n, l->steady.rate, &options, out, &l->stats, err);
	for (uint32_t i = 0; rc == 0 && i < l->n; i++)
		if (!l->job[i].end_s && job[i].part >= PART_MIN && out[i].confidence > 0)
			add_sample(&l->job[i], &out[i], job[i].part, now_s);
	free(job);
	free(out);
	free(rate);
	return rc;
}

/* Replace l->found by the jobs that run.  They are sorted by id already, as the file needs them. */
static void set_found(struct learner *l, uint64_t fingerprint, uint64_t now_s)
{
	struct sfab_found *f = xnonnull(sfab_found_create(l->n));
	double old_followed = l->found->followed;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n && n < SFAB_FOUND_JOBS_MAX; i++)
		if (!l->job[i].end_s)
			f->job[n++] = l->job[i].found;
	f->n = n;
	f->time_ms = now_s * 1000;
	f->fingerprint = fingerprint;
	/* A mean over samples; new tables begin a new one. */
	f->followed = l->stats.followed;
	if (old_followed >= 0 && l->found->fingerprint == fingerprint)
		f->followed = f->followed >= 0 ?
			      old_followed + FOLLOWED_PART * (f->followed - old_followed) :
			      old_followed;
	sfab_found_destroy(l->found);
	l->found = f;
}

int learner_sample(struct learner *l, const struct sfab_model *m, const struct sfab_measured *ms,
		   uint64_t fingerprint, struct learner_job *job, uint32_t n, uint64_t now_s,
		   struct sfab_err *err)
{
	uint64_t memory_s = (uint64_t) (ENDED_KEPT * ms->half_life_s);
	uint64_t keep_since = now_s > memory_s ? now_s - memory_s : 0;
	int rc = end_learned_jobs(l, job, n, now_s, err);

	/* Ids of hosts differ in another fabric, so jobs that ended are dropped. */
	if (fingerprint != l->found->fingerprint) {
		l->steady.nres = 0;
		keep_since = now_s + 1;
	}
	/* Also after an error: the jobs are the learner's in any case. */
	take_jobs(l, job, n, keep_since);
	if (rc == 0)
		rc = estimate_all(l, m, ms, now_s, err);
	if (rc == 0)
		set_found(l, fingerprint, now_s);
	return rc;
}
