/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declog.c - the plugin's decision log; see declog.h
 *
 * The file is read twice.  Which start of the job is the last one is known only at the end;
 * then the lines up to it are played, and only what runs at a time is kept.  A log of a year
 * does not fit into memory otherwise.
 */

#include "tools/log/declog.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "place/request/reason.h"
#include "tools/ui/xalloc.h"

/* A longer line was not written by the plugin. */
#define LINE_MAX_BYTES (1 << 20)

void declog_forget(struct declog *d, struct declog_job *job)
{
	HASH_DEL(d->jobs, job);
	for (uint32_t i = 0; i < job->nreleased; i++)
		free(job->released[i]);
	free(job->released);
	json_object_put(job->start);
	free(job);
}

void declog_free(struct declog *d)
{
	while (d->jobs)
		declog_forget(d, d->jobs);
	json_object_put(d->start);
	json_object_put(d->end);
	memset(d, 0, sizeof(*d));
}

/* Count the jobs that ran besides this one.  The plugin's count includes the job itself. */
uint32_t declog_others(const struct declog *d)
{
	uint64_t ran = declog_count(d->start, "running");

	return ran && ran <= UINT32_MAX ? (uint32_t) ran - 1 : HASH_COUNT(d->jobs);
}

/* -- fields ---------------------------------------------------------------- */

/* Return a field; NULL: it is missing, or of another type. */
static struct json_object *field_of(struct json_object *line, const char *key, json_type type)
{
	struct json_object *value;

	return json_object_object_get_ex(line, key, &value) &&
	       json_object_is_type(value, type) ? value : NULL;
}

const char *declog_text(struct json_object *line, const char *key)
{
	struct json_object *value = field_of(line, key, json_type_string);

	return value ? json_object_get_string(value) : NULL;
}

/* Return a count; numbers below 0 are 0. */
uint64_t declog_count(struct json_object *line, const char *key)
{
	int64_t n = json_object_get_int64(field_of(line, key, json_type_int));

	return n > 0 ? (uint64_t) n : 0;
}

/* Return a number, which JSON may have as 1 or 1.5. */
double declog_number(struct json_object *line, const char *key, double fallback)
{
	struct json_object *value = field_of(line, key, json_type_double);
	double number;

	value = value ? value : field_of(line, key, json_type_int);
	number = value ? json_object_get_double(value) : fallback;
	return isfinite(number) ? number : fallback;
}

int declog_flag(struct json_object *line, const char *key)
{
	return json_object_get_boolean(field_of(line, key, json_type_boolean));
}

struct json_object *declog_object(struct json_object *line, const char *key)
{
	return field_of(line, key, json_type_object);
}

int declog_is(struct json_object *line, const char *event)
{
	return strcmp(declog_text(line, "event"), event) == 0;
}

/* Read the time, UTC with parts of a second, like "2026-05-04T12:00:01.250Z". */
double declog_time(struct json_object *line)
{
	const char *text = declog_text(line, "time");
	struct tm tm = { 0 };
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	double part = 0;

	if (!rest)
		return -1;
	if (*rest == '.')
		part = strtod(rest, NULL);
	return (double) timegm(&tm) + (part >= 0 && part < 1 ? part : 0);
}

/* Read the fingerprint; strtoull() takes the "0x" that it begins with. */
uint64_t declog_fingerprint(struct json_object *line)
{
	const char *text = declog_text(line, "fingerprint");

	return text ? strtoull(text, NULL, 16) : 0;
}

int declog_reason(struct json_object *line)
{
	const char *word = declog_text(line, "reason");

	return word ? sfab_reason_find(word, strlen(word)) : -1;
}

/* Read a bitmap of hosts: four a digit, the first in the lowest bit. */
uint8_t *declog_hosts(struct json_object *line, const char *key,
		      uint32_t nhosts)
{
	static const char digits[] = "0123456789abcdef";
	const char *text = declog_text(line, key);
	uint8_t *host;

	if (!text || strlen(text) != (nhosts + 3) / 4 || strspn(text, digits) != strlen(text))
		return NULL;
	host = xcalloc(nhosts, 1);
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

struct json_object *declog_next(FILE *in, uint64_t *number, uint64_t *nbad)
{
	struct json_object *line = NULL;
	char *text = NULL;
	size_t capacity = 0;
	ssize_t n;

	while (!line && (n = getline(&text, &capacity, in)) >= 0) {
		++*number;
		if (n < LINE_MAX_BYTES)
			line = declog_line(text);
		*nbad += !line;
	}
	free(text);
	return line;
}

/*
 * Return the next line with this event of the job, or NULL; the caller's.  *@number counts
 * lines.
 */
static struct json_object *next_job_line(FILE *in, uint64_t id, const char *event,
					 uint64_t *number)
{
	struct json_object *line;
	uint64_t nbad = 0;

	while ((line = declog_next(in, number, &nbad))) {
		if (declog_count(line, "job") == id && declog_is(line, event))
			break;
		json_object_put(line);
	}
	return line;
}

/* -- running jobs ----------------------------------------------------------- */

static struct declog_job *find_logged_job(struct declog *d, uint64_t id)
{
	struct declog_job *job;

	HASH_FIND(hh, d->jobs, &id, sizeof(id), job);
	return job;
}

/*
 * Apply a line to the list of jobs.  Events that are not known are left out, as are those of
 * jobs whose start is not in this file.  A second start without an end between is a restart:
 * the first run is forgotten.
 */
static void take_log_line(struct declog *d, struct json_object *line, uint64_t number)
{
	struct declog_job *job = find_logged_job(d, declog_count(line, "job"));
	const char *node = declog_text(line, "nodes");
	int is_start = declog_is(line, "start");

	if (job && (is_start || declog_is(line, "end")))
		declog_forget(d, job);
	if (is_start) {
		job = xcalloc(1, sizeof(*job));
		job->id = declog_count(line, "job");
		job->start = json_object_get(line);
		job->line = number;
		HASH_ADD(hh, d->jobs, id, sizeof(job->id), job);
	} else if (!job) {
		return;
	} else if (declog_is(line, "suspend")) {
		job->suspended = 1;
	} else if (declog_is(line, "resume")) {
		job->suspended = 0;
	} else if (declog_is(line, "shrink") && node) {
		job->released = xgrow(job->released, job->nreleased, sizeof(*job->released));
		job->released[job->nreleased++] = xstrdup(node);
	}
}

/* Compare by id, so that the same log gives the same order of jobs. */
static int compare_logged_jobs(const struct declog_job *x, const struct declog_job *y)
{
	return x->id < y->id ? -1 : x->id > y->id;
}

int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id,
		struct sfab_err *err)
{
	uint64_t last = 0, number = 0;
	struct json_object *line;
	struct declog_job *earlier;

	memset(d, 0, sizeof(*d));
	while ((line = next_job_line(in, id, "start", &number))) {
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
	while (number < last && (line = declog_next(in, &number, &d->nbad))) {
		/*
		 * The job's own start is not played: the machine is wanted as it was just
		 * before.
		 */
		if (number == last)
			d->start = json_object_get(line);
		else
			take_log_line(d, line, number);
		json_object_put(line);
	}
	/* An earlier run of the job does not count as another job. */
	earlier = find_logged_job(d, id);
	if (earlier)
		declog_forget(d, earlier);
	HASH_SORT(d->jobs, compare_logged_jobs);
	if (d->start) {
		d->end = next_job_line(in, id, "end", &number);
		return 0;
	}
	declog_free(d);
	return sfab_fail(err, SFAB_EIO, "%s: changed while it was read", name);
}
