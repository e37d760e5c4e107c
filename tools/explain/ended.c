/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ended.c - jobs that ended without a line in the log; see explain.h
 *
 * The plugin writes no end for a job that ends while slurmctld is down, or after a
 * start before the first question of the scheduler.  Such a job would run forever in
 * the log, and the score would be worked out among jobs that were gone.
 *
 * Two things in later lines prove that it had ended: another job began on CPUs that
 * it held, or the search could choose a node of which it held all CPUs.  Where jobs
 * share CPUs the first proves nothing, so the plugin's own count of jobs decides
 * whether any is missing, and how many at most.  Suspended jobs may have given their
 * CPUs to others: they prove nothing either way.
 */

#include <stdlib.h>

#include "tools/explain/explain.h"
#include "tools/site/hosts.h"
#include "tools/ui/say.h"

#define SHARE_ROUNDING 1e-6	/* the log has seven digits of a share */

struct claims {
	const struct sfab_fabric *f;
	uint8_t *free;		/* [nhosts] the search could choose it, or NULL */
	double *held;		/* [nhosts] share that later jobs held */
};

/* What cannot be read claims nothing. */
static void add_claim(struct claims *c, const struct declog_job *job)
{
	struct logged_hosts on;

	if (job->suspended || logged_hosts_take(&on, c->f, job, NULL) != 0)
		return;
	for (uint32_t i = 0; i < on.n; i++)
		c->held[on.host[i]] += on.cpus[i];
	logged_hosts_free(&on);
}

static int has_ended(const struct claims *c, const struct declog_job *job)
{
	struct logged_hosts on;
	int ended = 0;

	if (job->suspended || logged_hosts_take(&on, c->f, job, NULL) != 0)
		return 0;
	for (uint32_t i = 0; i < on.n && !ended; i++) {
		uint32_t h = on.host[i];

		ended = c->held[h] + on.cpus[i] > 1 + SHARE_ROUNDING ||
			(c->free && c->free[h] &&
			 on.cpus[i] > 1 - SHARE_ROUNDING);
	}
	logged_hosts_free(&on);
	return ended;
}

/* The newest first: whoever began last is there for sure. */
static int is_later(const void *a, const void *b)
{
	const struct declog_job *x = *(struct declog_job *const *) a;
	const struct declog_job *y = *(struct declog_job *const *) b;

	return x->line > y->line ? -1 : x->line < y->line;
}

/* Flags of the jobs that have ended, by index in d->job; returns how many. */
static uint32_t flag_ended(struct claims *c, struct declog *d, uint8_t *ended)
{
	struct declog_job **latest = need(d->n, sizeof(*latest));
	/* The job that is explained began last of all. */
	const struct declog_job own = { .start = d->start };
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n; i++)
		latest[i] = &d->job[i];
	qsort(latest, d->n, sizeof(*latest), is_later);
	add_claim(c, &own);
	for (uint32_t i = 0; i < d->n; i++) {
		if (has_ended(c, latest[i])) {
			ended[latest[i] - d->job] = 1;
			n++;
		} else {
			add_claim(c, latest[i]);
		}
	}
	free(latest);
	return n;
}

/*
 * If more seem to have ended than are missing, the proofs are not to be trusted
 * here, and all jobs stay.
 */
uint32_t ended_drop(struct declog *d, const struct sfab_fabric *f)
{
	struct claims c = { .f = f };
	uint32_t missing = declog_missing_ends(d), n;
	uint8_t *ended;

	if (!missing)
		return 0;
	c.free = declog_hosts(d->start, "free", f->nhosts);
	c.held = need(f->nhosts, sizeof(*c.held));
	ended = need(d->n, 1);
	n = flag_ended(&c, d, ended);
	if (n <= missing)
		declog_drop(d, ended);
	free(ended);
	free(c.held);
	free(c.free);
	return n <= missing ? n : 0;
}
