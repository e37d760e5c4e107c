/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_usage.c - bytes of jobs become runs of the history; see learn_usage.h */

#include "tools/learn/learn_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "tools/ui/xalloc.h"

/* A run whose IO is only a difference of sums says less. */
#define WEIGHT_WITHOUT_FS 0.5

static void add_usage_part(struct sfab_traffic *t, enum sfab_class class, double share)
{
	if (share < SFAB_HISTORY_SHARE_MIN)
		return;
	t->part[t->nparts].class = class;
	t->part[t->nparts++].share = share;
}

void learn_usage_traffic(const struct sfab_usage_job *j, double rate, struct sfab_traffic *t)
{
	double possible = j->nodes * j->elapsed_s * rate;
	double written = j->wrote, read = j->read, mpi, sum = 0;

	if (!(j->known & SFAB_USAGE_FS)) {
		written = fmax(0, j->sent - j->received);
		read = fmax(0, j->received - j->sent);
	}
	mpi = fmax(0, j->sent - written) / 2 + fmax(0, j->received - read) / 2;
	memset(t, 0, sizeof(*t));
	if (!(possible > 0))
		return;
	add_usage_part(t, SFAB_MPI, mpi / possible);
	add_usage_part(t, SFAB_IO_WRITE, written / possible);
	add_usage_part(t, SFAB_IO_READ, read / possible);
	for (uint32_t i = 0; i < t->nparts; i++)
		sum += t->part[i].share;
	for (uint32_t i = 0; sum > 1 && i < t->nparts; i++)
		t->part[i].share /= sum;
}

/* Return the median of what the ports of a compute host carry together. */
static double host_rate(const struct sfab_fabric *f)
{
	double *rate = xcalloc(f->nhosts + 1u, sizeof(*rate)), median;
	uint32_t n = 0;

	for (uint32_t h = 0; h < f->nhosts; h++) {
		if (f->hosts[h].role != SFAB_HOST_COMPUTE)
			continue;
		for (uint32_t i = 0; i < f->hosts[h].nports; i++)
			rate[n] += f->ports[f->hosts[h].port0 + i].rate;
		n++;
	}
	qsort(rate, n, sizeof(*rate), sfab_ascending_double);
	median = n ? rate[n / 2] : 0;
	free(rate);
	return median;
}

/* Return 1 if the job is a run for the history, else count in @sums why it is left out. */
static int count_usage(const struct sfab_usage_job *j, struct learn_usage_sums *sums)
{
	if (!j->end_s || !j->nodes)
		sums->unfinished++;
	else if (j->elapsed_s < LEARN_USAGE_SECONDS)
		sums->brief++;
	else if (!(j->known & SFAB_USAGE_NET))
		sums->uncounted++;
	else
		return 1;
	if (!(j->known & SFAB_USAGE_NET) && j->known & SFAB_USAGE_PACKETS)
		sums->packets++;
	return 0;
}

int learn_usage(struct sfab_history *h, const struct sfab_usage *u, const struct sfab_fabric *f,
		struct learn_usage_sums *sums, struct sfab_err *err)
{
	double rate = host_rate(f);

	memset(sums, 0, sizeof(*sums));
	for (uint32_t i = 0; i < u->n; i++) {
		const struct sfab_usage_job *j = &u->job[i];
		const struct sfab_history_facts facts = { j->user, j->name, j->account,
							  j->partition, j->nodes };
		struct sfab_traffic sent;
		uint64_t elapsed = (uint64_t) j->elapsed_s;
		/*
		 * This is equal each time that sacct is asked, and is the begin of a job that
		 * was never suspended.
		 */
		struct sfab_history_run run = { .sent = &sent, .end_s = j->end_s, .job = j->id,
			.start_s = j->end_s > elapsed ? j->end_s - elapsed : 0 };
		int rc;

		if (!count_usage(j, sums))
			continue;
		learn_usage_traffic(j, rate, &sent);
		run.weight = j->known & SFAB_USAGE_FS ? 1 : WEIGHT_WITHOUT_FS;
		rc = sfab_history_add(h, &facts, &run, err);
		if (rc < 0)
			return -1;
		sums->repeated += rc > 0;
		sums->added += rc == 0;
	}
	return 0;
}
