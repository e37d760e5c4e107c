/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage_jobstats.c - bytes of jobs from Lustre's job_stats; see usage.h
 *
 *     job_stats:
 *     - job_id:          1234
 *       snapshot_time:   1510782606
 *       read_bytes:      { samples: 2, unit: bytes, min: 4096, max: 4096, sum: 8192 }
 *       write_bytes:     { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }
 *
 * The id of a job is what jobid_var says, in quotes or not; a colon may follow it.
 */

#include "io/readers/usage.h"

#include <stdlib.h>
#include <string.h>

#include "io/scan.h"

struct job_number {
	uint64_t id;
	uint32_t at;			/* in the usage */
};

struct jobstats {
	struct sfab_usage *u;
	struct sfab_scan s;
	struct job_number *by_id;	/* [u->n] in order of id */
	uint8_t *seen;			/* by job: its sums are of servers */
	struct sfab_usage_job *job;	/* that is read, or NULL: none of u */
	int has_list;
};

static int compare_job_numbers(const void *a, const void *b)
{
	uint64_t x = ((const struct job_number *) a)->id;
	uint64_t y = ((const struct job_number *) b)->id;

	return x < y ? -1 : x > y;
}

/*
 * Sorted once: servers list far more jobs than there are in the usage, most of
 * them unknown.
 */
static int open_jobstats(struct jobstats *j)
{
	j->by_id = calloc(j->u->n + 1u, sizeof(*j->by_id));
	j->seen = calloc(j->u->n + 1u, 1);
	if (!j->by_id || !j->seen)
		return -1;
	for (uint32_t i = 0; i < j->u->n; i++)
		j->by_id[i] = (struct job_number){ j->u->job[i].id, i };
	qsort(j->by_id, j->u->n, sizeof(*j->by_id), compare_job_numbers);
	return 0;
}

/* The job of "- job_id:" is of @u, and its sums begin at 0, or it is left out. */
static void begin_stats(struct jobstats *j)
{
	struct job_number key = { 0 }, *found;
	uint32_t id;

	j->job = NULL;
	sfab_scan_blanks(&j->s);
	sfab_scan_take(&j->s, "\"");
	if (!sfab_scan_dec(&j->s, UINT32_MAX, &id))
		return;			/* a program's name: cp.0 */
	if (j->s.at < j->s.end && !memchr("\": \t", *j->s.at, 4))
		return;
	key.id = id;
	found = bsearch(&key, j->by_id, j->u->n, sizeof(key), compare_job_numbers);
	if (!found)
		return;
	j->job = &j->u->job[found->at];
	if (!j->seen[found->at])
		j->job->read = j->job->wrote = 0;
	j->seen[found->at] = 1;
	j->job->known |= SFAB_USAGE_FS;
}

/*
 * Summed in a double, as everywhere for bytes of jobs; 1e18 is more than any
 * file system holds.
 */
static int add_server_sum(struct jobstats *j, double *bytes, struct sfab_err *err)
{
	double x = 0;
	const char *from;

	if (!j->job)
		return 0;
	if (!sfab_scan_past(&j->s, "unit:"))
		return sfab_scan_expect(&j->s, err, "job_stats", "unit: bytes");
	sfab_scan_blanks(&j->s);
	if (!sfab_scan_take(&j->s, "bytes"))
		return sfab_scan_expect(&j->s, err, "unit", "bytes");
	if (!sfab_scan_past(&j->s, "sum:"))
		return sfab_scan_expect(&j->s, err, "job_stats", "sum: BYTES");
	sfab_scan_blanks(&j->s);
	for (from = j->s.at; j->s.at < j->s.end && *j->s.at >= '0' && *j->s.at <= '9'; j->s.at++)
		x = x * 10 + (*j->s.at - '0');
	if (j->s.at == from || x >= 1e18)
		return sfab_scan_expect(&j->s, err, "sum", "BYTES");
	*bytes += x;
	return 0;
}

static int read_line(struct jobstats *j, struct sfab_err *err)
{
	double none;

	sfab_scan_blanks(&j->s);
	if (sfab_scan_take(&j->s, "job_stats:")) {
		j->has_list = 1;
		j->job = NULL;
	} else if (sfab_scan_take(&j->s, "- job_id:")) {
		if (!j->has_list)
			return sfab_scan_fail(&j->s, err, "a job before job_stats:");
		begin_stats(j);
	} else if (sfab_scan_take(&j->s, "read_bytes:")) {
		return add_server_sum(j, j->job ? &j->job->read : &none, err);
	} else if (sfab_scan_take(&j->s, "write_bytes:")) {
		return add_server_sum(j, j->job ? &j->job->wrote : &none, err);
	}
	return 0;		/* other counts, and lctl's own lines */
}

int sfab_usage_jobstats(struct sfab_usage *u, const char *file, const char *text,
			size_t size, struct sfab_err *err)
{
	struct jobstats j = { .u = u };
	int rc = open_jobstats(&j) < 0 ? sfab_no_memory(err) : 0;

	sfab_scan_init(&j.s, file, text, size);
	while (rc == 0 && sfab_scan_line(&j.s))
		rc = read_line(&j, err);
	if (rc == 0 && !j.has_list)
		rc = sfab_scan_fail(&j.s, err, "no job_stats: in it");
	free(j.by_id);
	free(j.seen);
	if (rc < 0)
		sfab_usage_free(u);
	return rc;
}
