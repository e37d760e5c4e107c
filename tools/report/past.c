/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - the jobs of a decision log; see past.h
 *
 * A job is made by its "start" line; its "end" line is found by the id among
 * the jobs that have not ended.  So memory grows with the jobs of the span, not
 * with the log.  Texts repeat (partitions, users, names), so each is kept once
 * and compared as usual.
 *
 * Fields are read as they are and never trusted: a log may be cut, damaged, of
 * an older or a newer version.
 */

#include "tools/report/past.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <uthash.h>

#include "tools/explain/declog.h"
#include "tools/ui/say.h"

#define LOSS_MOST 1e6		/* a line may say anything */

struct past_text {		/* each name is kept once */
	char *text;
	UT_hash_handle hh;
};

struct past_open {
	uint64_t id;
	uint32_t at;		/* index in job[]; PAST_OUTSIDE: not of the span */
	UT_hash_handle hh;
};
#define PAST_OUTSIDE UINT32_MAX

void past_init(struct past *p, double since_s, double until_s)
{
	memset(p, 0, sizeof(*p));
	p->since_s = since_s;
	p->until_s = until_s;
	p->full_before = -1;
}

void past_free(struct past *p)
{
	struct past_text *t, *next_text;
	struct past_open *o, *next_open;

	HASH_ITER(hh, p->texts, t, next_text) {
		HASH_DEL(p->texts, t);
		free(t->text);
		free(t);
	}
	HASH_ITER(hh, p->open, o, next_open) {
		HASH_DEL(p->open, o);
		free(o);
	}
	free(p->job);
	free(p->full);
	memset(p, 0, sizeof(*p));
}

/* Returns a text that lives as long as @p; NULL becomes "". */
static const char *keep_text(struct past *p, const char *text)
{
	struct past_text *t;

	if (!text)
		return "";
	HASH_FIND_STR(p->texts, text, t);
	if (!t) {
		t = need(1, sizeof(*t));
		t->text = need_copy(text);
		HASH_ADD_KEYPTR(hh, p->texts, t->text, strlen(t->text), t);
	}
	return t->text;
}

/* Times are UTC with parts of a second, like "2026-05-04T12:00:01.250Z". */
double past_time(const char *text)
{
	struct tm tm = { 0 };
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	double part = 0;

	if (!rest)
		return -1;
	if (*rest == '.')
		part = strtod(rest, NULL);
	return (double) timegm(&tm) + (part >= 0 && part < 1 ? part : 0);
}

/* A number that JSON may have as 1 or 1.5; @otherwise if there is none. */
static double number_in(struct json_object *o, const char *key, double otherwise)
{
	struct json_object *value;
	double x;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &value) ||
	    !(json_object_is_type(value, json_type_int) ||
	      json_object_is_type(value, json_type_double)))
		return otherwise;
	x = json_object_get_double(value);
	return isfinite(x) ? x : otherwise;
}

int past_reason(const char *word)
{
	return word ? sfab_reason_find(word, strlen(word)) : -1;
}

/* The log has only the number; "" if even that is missing. */
static const char *user_in(struct past *p, struct json_object *line)
{
	double id = number_in(line, "user", -1);
	char text[24];

	if (id < 0 || id > UINT32_MAX)
		return "";
	snprintf(text, sizeof(text), "%" PRIu32, (uint32_t) id);
	return keep_text(p, text);
}

int past_largest_class(const double *share)
{
	int most = -1;

	for (int c = 0; c < SFAB_NCLASSES; c++)
		if (share[c] > 0 && (most < 0 || share[c] > share[most]))
			most = c;
	return most;
}

/*
 * Shares by class; the class with the largest one, or -1.  Text like
 * "mpi=0.3+io-write@scratch=0.1", as in sfabric.conf.
 */
static int shares_in(const char *text, double *share)
{
	struct sfab_traffic t = { 0 };

	memset(share, 0, SFAB_NCLASSES * sizeof(*share));
	if (!text || sfab_traffic_parse(text, NULL, &t, NULL) < 0)
		return -1;
	for (uint32_t i = 0; i < t.nparts; i++)
		share[t.part[i].class] += t.part[i].share;
	return past_largest_class(share);
}

/*
 * @o has the loss of a set, @terms what others lose.  A slowdown below 1 is no
 * prediction.  A log that does not tell the causes apart has all as shape.
 */
static void take_loss(struct past_loss *x, uint32_t nodes, struct json_object *o,
		      struct json_object *terms)
{
	struct json_object *lost = NULL;

	x->slowdown = fmin(number_in(o, "slowdown", 0), LOSS_MOST);
	if (x->slowdown < 1)
		return;
	x->own = nodes * (x->slowdown - 1);
	x->shape = fmin(fmax(nodes * (number_in(o, "alone", x->slowdown) - 1), 0), x->own);
	x->others = fmin(fmax(number_in(terms, "others", 0), 0), LOSS_MOST);
	x->servers = fmin(fmax(number_in(o, "servers", 0), 0), LOSS_MOST);
	json_object_object_get_ex(o, "lost", &lost);
	x->others *= x->slowdown;	/* as long as it runs there */
	for (int c = 0; c < SFAB_NCLASSES; c++)
		x->of_class[c] = fmin(fmax(number_in(lost, sfab_class_name(
					(enum sfab_class) c), 0), 0), LOSS_MOST);
}

/* Below that, a difference is within what the model cannot know. */
int past_moved(const struct past_job *job)
{
	return job->compared && !job->same &&
	       fabs(past_saved(job)) > PAST_EQUAL * job->nodes;
}

static double ratio(double found, double told)
{
	return told > 0 ? fmin(found / told, LOSS_MOST) : 1;
}

/*
 * What is lost, by the traffic that was found.  A job's own loss is linear in the weight
 * of each class; what others lose to it is about linear in all that it sends.
 */
static void correct_loss(struct past_loss *x, uint32_t nodes, const double *told,
			 const double *found)
{
	double own = x->own, t = 0, f = 0, io[2] = { 0 }, longer;

	for (int c = 0; c < SFAB_NCLASSES; c++) {
		own += x->of_class[c] * (ratio(found[c], told[c]) - 1);
		t += told[c];
		f += found[c];
		if (sfab_class_is_io((enum sfab_class) c)) {
			io[0] += told[c];
			io[1] += found[c];
		}
	}
	own = fmax(own, 0);
	longer = nodes ? (nodes + own) / (nodes + x->own) : 1;
	x->shape *= ratio(own, x->own);
	x->own = own;
	x->others *= longer * ratio(f, t);
	x->servers *= ratio(io[1], io[0]);
}

/* -- events ----------------------------------------------------------------- */

static struct past_open *find_open(struct past *p, uint64_t id)
{
	struct past_open *o;

	HASH_FIND(hh, p->open, &id, sizeof(id), o);
	return o;
}

/* A job that is requeued starts again under its id: the newer start counts. */
static void remember_open(struct past *p, uint64_t id, uint32_t at)
{
	struct past_open *o = find_open(p, id);

	if (!o) {
		o = need(1, sizeof(*o));
		o->id = id;
		HASH_ADD(hh, p->open, id, sizeof(o->id), o);
	}
	o->at = at;
}

/*
 * The line itself is of our nodes, "stock" is what Slurm would have taken.  Used for a single
 * line as well, so it does not touch the log's texts.
 */
void past_job_of_line(struct past_job *job, struct json_object *line)
{
	struct json_object *stock = NULL, *score = NULL, *terms = NULL, *same = NULL;
	uint64_t nodes = declog_count(line, "n");
	const char *mode = declog_text(line, "mode");

	memset(job, 0, sizeof(*job));
	job->id = declog_count(line, "job");
	job->nodes = nodes < UINT32_MAX ? (uint32_t) nodes : 0;
	job->reason = past_reason(declog_text(line, "reason"));
	job->observes = mode && strcmp(mode, "observe") == 0;
	job->class = shares_in(declog_text(line, "traffic"), job->told);
	json_object_object_get_ex(line, "stock", &stock);
	json_object_object_get_ex(line, "score", &score);
	if (json_object_is_type(score, json_type_object))
		json_object_object_get_ex(score, "terms", &terms);
	take_loss(&job->ours, job->nodes, line, terms);
	take_loss(&job->slurms, job->nodes, stock, stock);
	job->compared = job->ours.slowdown >= 1 && job->slurms.slowdown >= 1;
	job->assumed_saved = past_saved(job);
	if (job->compared && json_object_object_get_ex(stock, "same", &same))
		job->same = json_object_get_boolean(same);
}

static void begin_past_job(struct past *p, struct json_object *line, double at_s)
{
	struct past_job *job;

	p->job = need_more(p->job, p->n, sizeof(*p->job));
	job = &p->job[p->n];
	past_job_of_line(job, line);
	job->begun_s = at_s;
	job->partition = keep_text(p, declog_text(line, "partition"));
	job->source = keep_text(p, declog_text(line, "source"));
	job->name = keep_text(p, declog_text(line, "name"));
	job->user = user_in(p, line);
	if (!p->n || at_s < p->first_s)
		p->first_s = at_s;
	if (!p->n || at_s > p->last_s)
		p->last_s = at_s;
	remember_open(p, job->id, p->n++);
}

/*
 * A run that is taken back is no run.  An end line with "waits" says that the
 * job waits again, so it did not run to its end.  An end without a start is of
 * a job from before the log.
 */
static void end_past_job(struct past *p, struct json_object *line, double at_s)
{
	struct past_open *o = find_open(p, declog_count(line, "job"));
	struct json_object *waits = NULL;
	struct past_job *job;

	if (!o)
		return;
	job = o->at < p->n ? &p->job[o->at] : NULL;
	HASH_DEL(p->open, o);
	free(o);
	json_object_object_get_ex(line, "waits", &waits);
	if (!job || json_object_get_boolean(waits))
		return;
	if (at_s > job->begun_s)
		job->ran_s = at_s - job->begun_s;
	/* What the counters said the job sent: better than what was assumed. */
	if (declog_text(line, "found")) {
		shares_in(declog_text(line, "found"), job->found);
		job->is_found = 1;
		correct_loss(&job->ours, job->nodes, job->told, job->found);
		correct_loss(&job->slurms, job->nodes, job->told, job->found);
	}
}

/* Hours since the line before; they begin at 0 with each start of slurmctld. */
static void take_full_hours(struct past *p, struct json_object *line, double at_s)
{
	double hours = number_in(line, "full_hours", -1), before = p->full_before;

	if (hours < 0)
		return;
	p->full_before = hours;
	if (at_s < p->since_s || at_s >= p->until_s)
		return;
	p->full = need_more(p->full, p->nfull, sizeof(*p->full));
	p->full[p->nfull++] = (struct past_full){
		at_s, before < 0 ? 0 : hours - (hours < before ? 0 : before) };
}

void past_read(struct past *p, FILE *in)
{
	struct json_object *line;

	while ((line = declog_next(in, &p->lines, &p->bad))) {
		const char *event = declog_text(line, "event");
		double at_s = past_time(declog_text(line, "time"));
		const char *used = declog_text(line, "fingerprint");
		int begins = strcmp(event, "start") == 0;

		if (begins)
			take_full_hours(p, line, at_s);
		if (begins && used && strtoull(used, NULL, 16))
			p->fingerprint = strtoull(used, NULL, 16);
		/*
		 * A start outside the span is remembered too: its end must not
		 * be taken for that of an earlier start of that id.
		 */
		if (begins && at_s >= p->since_s && at_s < p->until_s &&
		    (!*p->only_user ||
		     strcmp(user_in(p, line), p->only_user) == 0))
			begin_past_job(p, line, at_s);
		else if (begins)
			remember_open(p, declog_count(line, "job"), PAST_OUTSIDE);
		else if (strcmp(event, "end") == 0)
			end_past_job(p, line, at_s);
		json_object_put(line);
	}
}
