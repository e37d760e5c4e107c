/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct.c - tables of sacct, and bytes of jobs from their TRES; see sacct.h */

#include "io/readers/sacct.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"

#define DURATION_PART 999999999u	/* more is no number of days or seconds */
#define AMOUNT_SIZE 64	/* bytes; no amount is longer */

int sfab_sacct_heading(struct sfab_csv *c, struct sfab_scan *s,
		       const struct sfab_csv_column *column, unsigned n,
		       struct sfab_err *err)
{
	size_t size = (size_t) (s->end - s->pos);
	const char *from = memchr(s->pos, '@', size), *to = NULL;
	char separator[SFAB_SEPARATOR_MAX] = "|";

	if (from)
		to = memchr(from + 1, '@', (size_t) (s->end - from - 1));
	if (to && to - from < SFAB_SEPARATOR_MAX - 1)
		snprintf(separator, sizeof(separator), "%.*s", (int) (to - from + 1), from);
	return sfab_csv_heading(c, s, separator, column, n, "JobName", err);
}

int sfab_sacct_leave_out(struct sfab_sacct_bad *bad, const struct sfab_err *err)
{
	if (err->code != SFAB_EFORMAT)
		return -1;
	if (!bad->n++)
		bad->first = *err;
	return 0;
}

const char *sfab_sacct_step(const struct sfab_csv_field *id)
{
	const char *dot = memchr(id->begin, '.', (size_t) (id->end - id->begin));

	return dot ? dot + 1 : NULL;
}

/*
 * Format the time again: a different text shows that a digit was missing.  A second of 60 is a
 * leap second.
 */
int sfab_sacct_time(const struct sfab_csv_field *f, struct tm *tm)
{
	static const char form[] = "%Y-%m-%dT%H:%M:%S";
	char text[24], again[24];

	*tm = (struct tm) { .tm_isdst = -1 };
	sfab_scan_copy(text, sizeof(text), f->begin, f->end);
	if (!strptime(text, form, tm) || tm->tm_year < 70 || tm->tm_sec > 60)
		return -1;
	strftime(again, sizeof(again), form, tm);
	return strcmp(text, again) == 0 ? 0 : -1;
}

int sfab_sacct_duration(const struct sfab_csv_field *f, double max, double *seconds)
{
	struct sfab_scan s = { .pos = f->begin, .end = f->end };
	uint32_t days = 0, part;

	if (!sfab_scan_dec(&s, DURATION_PART, &part))
		return -1;
	if (sfab_scan_take(&s, "-")) {
		days = part;
		if (!sfab_scan_dec(&s, DURATION_PART, &part))
			return -1;
	}
	for (*seconds = part; sfab_scan_take(&s, ":"); *seconds = *seconds * 60 + part)
		if (!sfab_scan_dec(&s, 59, &part))
			return -1;
	*seconds += days * 86400.0;
	return (s.pos == s.end || *s.pos == '.') && *seconds <= max ? 0 : -1;
}

enum { JOB_ID, UID, ACCOUNT, PARTITION, NNODES, NTASKS, ELAPSED, END, IN, OUT, NAME,
       NCOLUMNS };

static const struct sfab_csv_column columns[NCOLUMNS] = {
	[JOB_ID] = SFAB_COLUMN("JobIDRaw"), [UID] = SFAB_COLUMN("UID"),
	[ACCOUNT] = SFAB_COLUMN("Account"), [PARTITION] = SFAB_COLUMN("Partition"),
	[NNODES] = SFAB_COLUMN("NNodes"), [NTASKS] = SFAB_MAYBE("NTasks"),
	[ELAPSED] = SFAB_COLUMN("ElapsedRaw"), [END] = SFAB_COLUMN("End"),
	[IN] = SFAB_COLUMN("TRESUsageInTot"), [OUT] = SFAB_COLUMN("TRESUsageOutTot"),
	[NAME] = SFAB_COLUMN("JobName"),
};

/* Which steps count the same, because they run at the same time. */
enum step_kind { STEP_EXTERN, STEP_BATCH, STEP_NUMBERED, NSTEPS };

struct tres_bytes {
	double net, fs;
	unsigned known;
};

/* The job whose steps are read. */
struct sacct_job {
	struct sfab_usage_job usage;
	struct tres_bytes in[NSTEPS], out[NSTEPS];
	int is_open;
};

struct sacct_reader {
	struct sfab_usage *usage;
	struct sfab_csv csv;
	struct sacct_job job;
};

void sfab_usage_free(struct sfab_usage *u)
{
	free(u->job);
	memset(u, 0, sizeof(*u));
}

/* -- usage: the TRES of steps ------------------------------------------------ */

/* Parse "123", "1.5K" or "3M".  0: it is something else. */
static int parse_amount(const char *from, const char *to, double *value)
{
	static const char unit[] = "KMGTP";
	char text[AMOUNT_SIZE], *end;
	const char *prefix;

	if ((size_t) (to - from) >= sizeof(text))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int) (to - from), from);
	*value = strtod(text, &end);
	if (!isdigit((unsigned char) *text) || end != text + strspn(text, "0123456789."))
		return 0;	/* strtod() takes more: blanks, signs, exponents */
	prefix = *end ? strchr(unit, *end) : NULL;
	if (prefix) {
		*value = ldexp(*value, 10 * (int) (prefix - unit + 1));
		end++;
	}
	return end == text + (to - from) && *value < 1e18;	/* a NUL is no end */
}

static int is_tres(const char *from, const char *to, const char *name)
{
	size_t n = strlen(name);

	return (size_t) (to - from) == n && memcmp(from, name, n) == 0;
}

/* Add all of NAME=AMOUNT,NAME=AMOUNT, times @scale. */
static void add_all_tres(struct tres_bytes *t, const struct sfab_csv_field *f,
			 double scale)
{
	const char *equal, *end;
	double amount;

	for (const char *item = f->begin; item < f->end; item = end + 1) {
		end = memchr(item, ',', (size_t) (f->end - item));
		if (!end)
			end = f->end;
		equal = memchr(item, '=', (size_t) (end - item));
		if (!equal || !parse_amount(equal + 1, end, &amount))
			continue;
		if (is_tres(item, equal, "ic/ofed")) {
			t->net += amount * scale;
			t->known |= SFAB_USAGE_NET;
		} else if (is_tres(item, equal, "fs/lustre")) {
			t->fs += amount * scale;
			t->known |= SFAB_USAGE_FS;
		} else if (is_tres(item, equal, "ic/sysfs")) {
			t->known |= SFAB_USAGE_PACKETS;
		}
	}
}

static void sum_steps(const struct tres_bytes *t, double *net, double *fs, unsigned *known)
{
	*net = *fs = 0;
	for (int i = 0; i < NSTEPS; i++) {
		*net = t[i].net > *net ? t[i].net : *net;
		*fs = t[i].fs > *fs ? t[i].fs : *fs;
		*known |= t[i].known;
	}
}

/* -- usage: lines ------------------------------------------------------------ */

static int close_job(struct sacct_reader *r, struct sfab_err *err)
{
	struct sfab_usage_job *j = &r->job.usage;

	if (!r->job.is_open)
		return 0;
	r->job.is_open = 0;
	sum_steps(r->job.in, &j->received, &j->read, &j->known);
	sum_steps(r->job.out, &j->sent, &j->wrote, &j->known);
	return sfab_resize_append(&r->usage->job, &r->usage->n, j, sizeof(*j), err);
}

/* Return a time of the local clock, or seconds since 1970.  0: it is neither. */
static uint64_t end_time(const struct sfab_csv_field *f)
{
	struct tm tm;
	uint64_t seconds;
	time_t t;

	if (sfab_csv_field_number(f, UINT32_MAX, &seconds))
		return seconds;
	t = sfab_sacct_time(f, &tm) == 0 ? mktime(&tm) : -1;
	return t > 0 ? (uint64_t) t : 0;
}

/*
 * Close the job before, and begin the next.  A row that cannot be right leaves no job open, so
 * that its steps are skipped, too.
 */
static int open_job(struct sacct_reader *r, uint64_t id, struct sfab_err *err)
{
	const struct sfab_csv_field *f = r->csv.field;
	struct sfab_usage_job *j = &r->job.usage;
	uint64_t user, nodes, elapsed;

	if (close_job(r, err) < 0)
		return -1;
	memset(&r->job, 0, sizeof(r->job));
	if (sfab_csv_number(&r->csv, UID, UINT32_MAX - 1, &user, err) < 0 ||
	    sfab_csv_number(&r->csv, NNODES, 1000000, &nodes, err) < 0 ||
	    sfab_csv_number(&r->csv, ELAPSED, UINT32_MAX, &elapsed, err) < 0)
		return -1;
	*j = (struct sfab_usage_job){ .id = id, .user = (uint32_t) user,
				      .nodes = (uint32_t) nodes, .elapsed_s = (double) elapsed,
				      .end_s = end_time(&f[END]) };
	sfab_scan_copy(j->name, sizeof(j->name), f[NAME].begin, f[NAME].end);
	sfab_scan_copy(j->account, sizeof(j->account), f[ACCOUNT].begin, f[ACCOUNT].end);
	sfab_scan_copy(j->partition, sizeof(j->partition), f[PARTITION].begin,
		       f[PARTITION].end);
	r->job.is_open = 1;
	return 0;
}

/*
 * Return what a total over tasks must be multiplied by: each task of a step counts all that its
 * node sent.  1 where the tasks are not known.
 */
static double nodes_per_task(const struct sfab_csv_field *f)
{
	uint64_t nodes, tasks;

	if (!sfab_csv_field_number(&f[NNODES], 1000000, &nodes) || !nodes ||
	    !sfab_csv_field_number(&f[NTASKS], UINT32_MAX, &tasks) || !tasks)
		return 1;
	return (double) nodes / (double) tasks;
}

/* Read a job's row, or that of a step, "7.extern", which adds to the job above it. */
static int read_usage_row(struct sacct_reader *r, const struct sfab_scan *s,
			  struct sfab_err *err)
{
	const struct sfab_csv_field *f = r->csv.field;
	struct sfab_csv_field id;
	const char *step;
	uint64_t number;
	enum step_kind kind = STEP_NUMBERED;
	double scale;

	if (sfab_csv_row(&r->csv, s, err) < 0)
		return -1;
	id = f[JOB_ID];
	step = sfab_sacct_step(&id);
	if (step)
		id.end = step - 1;
	if (!sfab_csv_field_number(&id, UINT64_MAX >> 1, &number))
		return sfab_csv_number(&r->csv, JOB_ID, UINT64_MAX >> 1, &number, err);
	if (!step && open_job(r, number, err) < 0)
		return -1;
	if (!r->job.is_open || number != r->job.usage.id)
		return 0;	/* a step whose job is not in the output */
	if (step && is_tres(step, f[JOB_ID].end, "extern"))
		kind = STEP_EXTERN;
	else if (step && is_tres(step, f[JOB_ID].end, "batch"))
		kind = STEP_BATCH;
	scale = nodes_per_task(f);
	add_all_tres(&r->job.in[kind], &f[IN], scale);
	add_all_tres(&r->job.out[kind], &f[OUT], scale);
	return 0;
}

int sfab_usage_sacct(struct sfab_usage *u, const char *file, const char *text,
		     size_t size, struct sfab_err *err)
{
	struct sacct_reader r = { .usage = u };
	struct sfab_scan s;
	struct sfab_err fault = { 0 };
	int rc = 0;

	sfab_scan_init(&s, file, text, size);
	if (!sfab_scan_line(&s))
		rc = sfab_scan_fail(&s, err, "empty");
	else
		rc = sfab_sacct_heading(&r.csv, &s, columns, NCOLUMNS, err);
	/* Users can forge rows: a bar can be in their texts. */
	u->may_lie = strcmp(r.csv.separator, "|") == 0;
	while (rc == 0 && sfab_scan_line(&s))
		if (read_usage_row(&r, &s, &fault) < 0 && sfab_sacct_leave_out(&u->bad, &fault) < 0)
			rc = sfab_fail(err, fault.code, "%s", fault.text);
	if (rc == 0)
		rc = close_job(&r, err);
	if (rc == 0 && !u->n && u->bad.n)
		rc = sfab_fail(err, u->bad.first.code, "%s", u->bad.first.text);
	if (rc < 0)
		sfab_usage_free(u);
	return rc;
}
