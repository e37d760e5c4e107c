/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - the jobs of a decision log; see past.h
 *
 * A job is made by its "start" line; its "end" line is found by the id among the jobs that have
 * not ended.  So memory grows with the jobs of the span, not with the log.
 *
 * Fields are read as they are and never trusted: a log may be cut, damaged, of an older or a
 * newer version.
 */

#include "tools/log/past.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/log/declog.h"
#include "tools/ui/xalloc.h"

#define LOSS_MAX 1e6		/* a line may say anything */

void past_init(struct past *p, double since_s, double until_s)
{
	memset(p, 0, sizeof(*p));
	p->since_s = since_s;
	p->until_s = until_s;
	p->log_s = INFINITY;
	p->full_before = -1;
}

void past_free(struct past *p)
{
	HASH_CLEAR(hh, p->running);
	for (uint32_t i = 0; i < p->n; i++) {
		free(p->job[i]->partition);
		free(p->job[i]->name);
		free(p->job[i]->source);
		free(p->job[i]);
	}
	free(p->job);
	free(p->full);
	memset(p, 0, sizeof(*p));
}

/* Copy a text of the line; "" if the line has it not.  Caller frees it. */
static char *copy_field(struct json_object *line, const char *key)
{
	const char *text = declog_text(line, key);

	return xstrdup(text ? text : "");
}

/* Copy the user's number, as the log has no name; "" if even that is missing. */
static void copy_user_number(char user[12], struct json_object *line)
{
	double id = declog_number(line, "user", -1);

	*user = '\0';
	if (id >= 0 && id <= UINT32_MAX)
		snprintf(user, 12, "%" PRIu32, (uint32_t) id);
}

int past_largest_class(const double *share)
{
	int max = -1;

	for (int c = 0; c < SFAB_NCLASSES; c++)
		if (share[c] > 0 && (max < 0 || share[c] > share[max]))
			max = c;
	return max;
}

/*
 * Read the shares by class from a text like "mpi=0.3+io-write@scratch=0.1", as in sfabric.conf.
 * Return the class with the largest share, or -1.
 */
static int read_shares(const char *text, double *share)
{
	struct sfab_traffic t = { 0 };

	memset(share, 0, SFAB_NCLASSES * sizeof(*share));
	if (!text || sfab_traffic_parse(text, NULL, &t, NULL) < 0)
		return -1;
	for (uint32_t i = 0; i < t.nparts; i++)
		share[t.part[i].class] += t.part[i].share;
	return past_largest_class(share);
}

/* Read a number of a loss; 0 if the log has none or it makes no sense. */
static double read_loss_field(struct json_object *o, const char *key)
{
	return fmin(fmax(declog_number(o, key, 0), 0), LOSS_MAX);
}

/*
 * Read the loss on a set of nodes: @o has the job's own, @terms what others lose.  A slowdown
 * below 1 is no prediction.  A log that does not tell the causes apart has all as shape.
 */
static void read_loss(struct past_loss *x, uint32_t nodes, struct json_object *o,
		      struct json_object *terms)
{
	struct json_object *lost = declog_object(o, "lost");

	x->slowdown = read_loss_field(o, "slowdown");
	if (x->slowdown < 1)
		return;
	x->own_loss = nodes * (x->slowdown - 1);
	x->shape = fmin(fmax(nodes * (declog_number(o, "alone", x->slowdown) - 1), 0), x->own_loss);
	/* As long as it runs there. */
	x->others_loss = read_loss_field(terms, "others") * x->slowdown;
	x->servers = read_loss_field(o, "servers");
	for (int c = 0; c < SFAB_NCLASSES; c++)
		x->by_class[c] = read_loss_field(lost, sfab_class_name((enum sfab_class) c));
}

/*
 * Do our nodes lose more or less than Slurm's?  A difference below PAST_EQUAL is within what
 * the model cannot know.
 */
int past_nodes_differ(const struct past_job *job)
{
	return job->is_compared && !job->is_same &&
	       fabs(past_saved(job)) > PAST_EQUAL * job->nodes;
}

static double capped_ratio(double found, double assumed)
{
	return assumed > 0 ? fmin(found / assumed, LOSS_MAX) : 1;
}

/*
 * Correct a predicted loss for the traffic that was measured.  A job's own loss is linear in
 * the weight of each class; what others lose to it is about linear in all that it sends.
 */
static void correct_loss(struct past_loss *x, uint32_t nodes, const double *assumed,
			 const double *found)
{
	double own_loss = x->own_loss, assumed_sum = 0, found_sum = 0, stretch;
	double assumed_io = 0, found_io = 0;

	for (int c = 0; c < SFAB_NCLASSES; c++) {
		own_loss += x->by_class[c] * (capped_ratio(found[c], assumed[c]) - 1);
		assumed_sum += assumed[c];
		found_sum += found[c];
		if (sfab_class_is_io((enum sfab_class) c)) {
			assumed_io += assumed[c];
			found_io += found[c];
		}
	}
	own_loss = fmax(own_loss, 0);
	stretch = nodes ? (nodes + own_loss) / (nodes + x->own_loss) : 1;
	x->shape *= capped_ratio(own_loss, x->own_loss);
	x->own_loss = own_loss;
	x->others_loss *= stretch * capped_ratio(found_sum, assumed_sum);
	x->servers *= capped_ratio(found_io, assumed_io);
}

/* -- events ----------------------------------------------------------------- */

/*
 * Read a job from its start line.  The line itself describes our nodes; its field "stock" those
 * that Slurm would have taken.  This is used for a single line as well, so it does not touch
 * the log's texts.
 */
void past_job_of_line(struct past_job *job, struct json_object *line)
{
	struct json_object *stock = declog_object(line, "stock");
	uint64_t nodes = declog_count(line, "n");
	const char *mode = declog_text(line, "mode");

	memset(job, 0, sizeof(*job));
	job->id = declog_count(line, "job");
	job->nodes = nodes < UINT32_MAX ? (uint32_t) nodes : 0;
	job->reason = declog_reason(line);
	job->observes = mode && strcmp(mode, "observe") == 0;
	job->class = read_shares(declog_text(line, "traffic"), job->assumed);
	read_loss(&job->ours, job->nodes, line,
		  declog_object(declog_object(line, "score"), "terms"));
	read_loss(&job->slurms, job->nodes, stock, stock);
	job->is_compared = job->ours.slowdown >= 1 && job->slurms.slowdown >= 1;
	job->assumed_saved = past_saved(job);
	job->is_same = declog_flag(stock, "same");
}

static void begin_past_job(struct past *p, struct json_object *line, double at_s)
{
	struct past_job *job = xcalloc(1, sizeof(*job));

	past_job_of_line(job, line);
	job->begun_s = at_s;
	job->partition = copy_field(line, "partition");
	job->source = copy_field(line, "source");
	job->name = copy_field(line, "name");
	copy_user_number(job->user, line);
	p->first_s = p->n ? fmin(p->first_s, at_s) : at_s;
	p->last_s = p->n ? fmax(p->last_s, at_s) : at_s;
	p->job = xgrow(p->job, p->n, sizeof(*p->job));
	p->job[p->n++] = job;
	HASH_ADD(hh, p->running, id, sizeof(job->id), job);
}

/*
 * Set the job's run time, and correct its losses for what was measured.  An end line with
 * "waits" says that the job was requeued: it did not run to its end, and its run time does not
 * count.
 */
static void end_past_job(struct past_job *job, struct json_object *line, double at_s)
{
	if (declog_flag(line, "waits"))
		return;
	if (at_s > job->begun_s)
		job->ran_s = at_s - job->begun_s;
	/* What the counters measured is better than what was assumed. */
	if (declog_text(line, "found")) {
		read_shares(declog_text(line, "found"), job->found);
		job->is_found = 1;
		correct_loss(&job->ours, job->nodes, job->assumed, job->found);
		correct_loss(&job->slurms, job->nodes, job->assumed, job->found);
	}
}

/*
 * Add the hours of full links since the line before.  The log's count begins at 0 with each
 * start of slurmctld.
 */
static void take_full_hours(struct past *p, struct json_object *line, double at_s)
{
	double hours = declog_number(line, "full_hours", -1), before = p->full_before;

	if (hours < 0)
		return;
	p->full_before = hours;
	if (at_s < p->since_s || at_s >= p->until_s)
		return;
	p->full = xgrow(p->full, p->nfull, sizeof(*p->full));
	p->full[p->nfull++] = (struct past_full){
		at_s, before < 0 ? 0 : hours - (hours < before ? 0 : before) };
}

/*
 * Take a line of the log.  A job that is requeued starts again under its id: the newer start
 * counts, also if it is not of the span, since the end is that of the newer one.  An end
 * without a start is of a job from before the log.
 */
static void take_past_line(struct past *p, struct json_object *line)
{
	uint64_t id = declog_count(line, "job"), fingerprint = declog_fingerprint(line);
	double at_s = declog_time(line);
	int is_start = declog_is(line, "start");
	struct past_job *running;
	char user[12];

	p->log_s = at_s >= 0 ? fmin(p->log_s, at_s) : p->log_s;
	HASH_FIND(hh, p->running, &id, sizeof(id), running);
	if (running && (is_start || declog_is(line, "end")))
		HASH_DEL(p->running, running);
	if (running && declog_is(line, "end"))
		end_past_job(running, line, at_s);
	if (!is_start)
		return;
	take_full_hours(p, line, at_s);
	p->fingerprint = fingerprint ? fingerprint : p->fingerprint;
	copy_user_number(user, line);
	if (at_s >= p->since_s && at_s < p->until_s &&
	    (!*p->only_user || strcmp(user, p->only_user) == 0))
		begin_past_job(p, line, at_s);
}

void past_read(struct past *p, FILE *in)
{
	struct json_object *line;

	while ((line = declog_next(in, &p->nlines, &p->nbad))) {
		take_past_line(p, line);
		json_object_put(line);
	}
}
