/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_declog.c - decision logs, for explain and for report; the job is the number of the first
 * byte
 */

#include <math.h>
#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tools/log/declog.h"
#include "tools/log/past_sums.h"

#define HOSTS 24

static void check(const struct declog *d)
{
	uint8_t *host = declog_hosts(d->start, "free", HOSTS);

	for (uint32_t h = 0; host && h < HOSTS; h++)
		fuzz_check(host[h] <= 1);
	free(host);
	for (const struct declog_job *job = d->jobs, *last = NULL; job; job = job->hh.next) {
		fuzz_check(job->start && (!last || job->id > last->id));
		last = job;
	}
}

static void check_sums(const struct past *p, enum past_group by)
{
	struct past_sum *sums = past_sums(p, by);
	uint32_t jobs = 0;

	for (const struct past_sum *s = sums; s; s = s->hh.next) {
		jobs += s->jobs;
		fuzz_check(s->compared <= s->jobs && s->moved <= s->compared);
		for (int c = 0; c < PAST_CAUSES; c++)
			fuzz_check(s->slurm[c] >= 0 && s->sfabric[c] >= 0);
	}
	fuzz_check(jobs == p->n);
	past_sums_free(sums);
}

static void check_past(FILE *in)
{
	struct past_summary s;
	struct past p;

	past_init(&p, -INFINITY, INFINITY);
	rewind(in);
	past_read(&p, in);
	for (int by = PAST_ALL; by <= PAST_BY_SIZE; by++)
		check_sums(&p, (enum past_group) by);
	s = past_summary(&p, -1);
	fuzz_check(isfinite(s.mode_observe.saved) && isfinite(s.mode_observe.error) &&
		   s.runs.runs <= p.n && !isnan(s.full_hours));
	past_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sfab_err err = { 0 };
	struct declog d;
	FILE *in;

	if (size < 2)
		return 0;
	in = fmemopen((void *) (data + 1), size - 1, "r");
	fuzz_check(in != NULL);
	if (declog_read(&d, in, "log", data[0], &err) == 0)
		check(&d);
	else
		fuzz_check(err.code != SFAB_OK);
	declog_free(&d);
	check_past(in);
	fclose(in);
	return 0;
}
