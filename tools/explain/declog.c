/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declog.c - the plugin's decision log; see declog.h
 *
 * The file is read twice.  Which start of the job is the last one is known only at the
 * end; then the lines up to it are played, and only what runs at a time is kept.  A log
 * of a year does not fit into memory otherwise.
 */

#include "tools/explain/declog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <uthash.h>

#include "tools/ui/say.h"

/* A longer line was not written by the plugin. */
#define LINE_MAX_BYTES (1 << 20)

struct log_entry {
	struct declog_job job;
	UT_hash_handle hh;
};

static void clear_logged_job(struct declog_job *job)
{
	for (uint32_t i = 0; i < job->ngone; i++)
		free(job->gone[i]);
	free(job->gone);
	json_object_put(job->start);
	memset(job, 0, sizeof(*job));
}

void declog_free(struct declog *d)
{
	for (uint32_t i = 0; i < d->n; i++)
		clear_logged_job(&d->job[i]);
	free(d->job);
	json_object_put(d->start);
	json_object_put(d->end);
	memset(d, 0, sizeof(*d));
}

/* The plugin counts the job itself, so one less. */
uint32_t declog_others(const struct declog *d)
{
	uint64_t ran = declog_count(d->start, "running");

	return ran && ran <= UINT32_MAX ? (uint32_t) ran - 1 : d->n;
}

uint32_t declog_missing_ends(const struct declog *d)
{
	uint32_t others = declog_others(d);

	return d->n > others ? d->n - others : 0;
}

void declog_drop(struct declog *d, const uint8_t *gone)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n; i++)
		if (gone[i])
			clear_logged_job(&d->job[i]);
		else
			d->job[n++] = d->job[i];
	d->n = n;
}

const char *declog_text(struct json_object *line, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(line, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

/*
 * Numbers below 0 and other types are 0: the log is a file that anybody could
 * have changed.
 */
uint64_t declog_count(struct json_object *line, const char *key)
{
	struct json_object *value;
	int64_t n;

	if (!json_object_object_get_ex(line, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return 0;
	n = json_object_get_int64(value);
	return n > 0 ? (uint64_t) n : 0;
}

/* An end that says "waits" is a job that was requeued. */
const char *declog_waits_since(const struct declog *d)
{
	struct json_object *waits;

	if (!d->end || !json_object_object_get_ex(d->end, "waits", &waits) ||
	    !json_object_get_boolean(waits))
		return NULL;
	return declog_text(d->end, "time");
}

/* Four hosts a digit, the first in the lowest bit. */
uint8_t *declog_hosts(struct json_object *line, const char *key,
		      uint32_t nhosts)
{
	static const char digits[] = "0123456789abcdef";
	const char *text = declog_text(line, key);
	uint8_t *host;

	if (!text || strlen(text) != (nhosts + 3) / 4 || strspn(text, digits) != strlen(text))
		return NULL;
	host = need(nhosts, 1);
	for (uint32_t h = 0; h < nhosts; h++) {
		unsigned digit = (unsigned) (strchr(digits, text[h / 4]) - digits);

		host[h] = digit >> (h % 4) & 1;
	}
	return host;
}

/* -- lines ----------------------------------------------------------------- */

struct json_object *declog_line(const char *text)
{
	struct json_object *line = json_tokener_parse(text);

	/* The least that a line must have to be of use. */
	if (line && json_object_is_type(line, json_type_object) &&
	    declog_text(line, "event") && declog_count(line, "job"))
		return line;
	json_object_put(line);
	return NULL;
}

struct json_object *declog_next(FILE *in, uint64_t *number, uint64_t *bad)
{
	struct json_object *line = NULL;
	char *text = NULL;
	size_t room = 0;
	ssize_t n;

	while (!line && (n = getline(&text, &room, in)) >= 0) {
		++*number;
		if (n < LINE_MAX_BYTES)
			line = declog_line(text);
		*bad += !line;
	}
	free(text);
	return line;
}

/* The next line with this event of the job, or NULL; the caller's.  *@number counts lines. */
static struct json_object *next_event(FILE *in, uint64_t id, const char *event,
				      uint64_t *number)
{
	struct json_object *line;
	uint64_t bad = 0;

	while ((line = declog_next(in, number, &bad))) {
		if (declog_count(line, "job") == id &&
		    strcmp(declog_text(line, "event"), event) == 0)
			break;
		json_object_put(line);
	}
	return line;
}

/*
 * -- running jobs ------------------------------------------------------------
 */

static struct log_entry *find_logged_job(struct log_entry *jobs, uint64_t id)
{
	struct log_entry *e;

	HASH_FIND(hh, jobs, &id, sizeof(id), e);
	return e;
}

static void forget_logged_job(struct log_entry **jobs, uint64_t id)
{
	struct log_entry *e = find_logged_job(*jobs, id);

	if (!e)
		return;
	HASH_DEL(*jobs, e);
	clear_logged_job(&e->job);
	free(e);
}

/*
 * Events that are not known are left out, as are those of jobs whose start is
 * not in this file.  A second start without an end between is a restart: the first run is
 * forgotten.
 */
static void take_log_line(struct log_entry **jobs, struct json_object *line,
			  uint64_t number)
{
	const char *event = declog_text(line, "event"), *node = declog_text(line, "nodes");
	uint64_t id = declog_count(line, "job");
	struct log_entry *e = find_logged_job(*jobs, id);

	if (strcmp(event, "start") == 0) {
		forget_logged_job(jobs, id);
		e = need(1, sizeof(*e));
		e->job.id = id;
		e->job.start = json_object_get(line);
		e->job.line = number;
		HASH_ADD(hh, *jobs, job.id, sizeof(e->job.id), e);
	} else if (!e) {
		return;
	} else if (strcmp(event, "end") == 0) {
		forget_logged_job(jobs, id);
	} else if (strcmp(event, "suspend") == 0) {
		e->job.suspended = 1;
	} else if (strcmp(event, "resume") == 0) {
		e->job.suspended = 0;
	} else if (strcmp(event, "shrink") == 0 && node) {
		e->job.gone = need_more(e->job.gone, e->job.ngone, sizeof(*e->job.gone));
		e->job.gone[e->job.ngone++] = need_copy(node);
	}
}

static int compare_logged_jobs(const void *a, const void *b)
{
	const struct declog_job *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Hands over all jobs except @id.  Ascending ids, so that the same log gives
 * the same order of jobs.
 */
static void hand_over_jobs(struct declog *d, struct log_entry *jobs,
			   uint64_t id)
{
	struct log_entry *e, *next;

	forget_logged_job(&jobs, id);
	d->job = need(HASH_COUNT(jobs), sizeof(*d->job));
	HASH_ITER(hh, jobs, e, next) {
		HASH_DEL(jobs, e);
		d->job[d->n++] = e->job;
		free(e);
	}
	if (d->n)
		qsort(d->job, d->n, sizeof(*d->job), compare_logged_jobs);
}

int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id,
		struct sfab_err *err)
{
	uint64_t last = 0, number = 0;
	struct log_entry *jobs = NULL;
	struct json_object *line;

	memset(d, 0, sizeof(*d));
	while ((line = next_event(in, id, "start", &number))) {
		last = number;
		json_object_put(line);
	}
	if (!last && ferror(in))
		return sfab_fail(err, SFAB_EIO, "%s: %s", name, strerror(errno));
	if (!last)
		return sfab_fail(err, SFAB_ENOENT, "no decision for job "
				 "%llu in %s (it did not start, or before "
				 "this log)", (unsigned long long) id, name);
	rewind(in);
	number = 0;
	while (number < last && (line = declog_next(in, &number, &d->bad))) {
		/*
		 * The job's own start is not played: the machine is wanted as
		 * it was just before.
		 */
		if (number == last)
			d->start = json_object_get(line);
		else
			take_log_line(&jobs, line, number);
		json_object_put(line);
	}
	hand_over_jobs(d, jobs, id);
	if (d->start) {
		d->end = next_event(in, id, "end", &number);
		return 0;
	}
	declog_free(d);
	return sfab_fail(err, SFAB_EIO, "%s: changed while it was read", name);
}
