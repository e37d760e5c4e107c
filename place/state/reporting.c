/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reporting.c - all running jobs in shares; see reporting.h
 *
 * Ids are kept and not pointers: between two shares slurmctld may free any job.
 */

#include "place/state/reporting.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/resize.h"

void sfab_reporting_clear(struct sfab_reporting *t)
{
	free(t->id);
	memset(t, 0, sizeof(*t));
}

int sfab_reporting_note(struct sfab_reporting *t, uint32_t id)
{
	if (sfab_resize_one_more(&t->id, t->n, sizeof(*t->id)) < 0)
		return -1;
	t->id[t->n++] = id;
	return 0;
}

/* Return the thread's CPU time: a busy machine must not make the shares smaller. */
static uint64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

int sfab_reporting_go_on(struct sfab_reporting *t, sfab_report_fn *report, void *context)
{
	uint64_t end = t->next < t->n ? cpu_us() + SFAB_REPORTING_US : 0;

	while (t->next < t->n) {
		report(context, t->id[t->next++]);
		if (t->next < t->n && cpu_us() >= end)
			return 0;
	}
	sfab_reporting_clear(t);
	return 1;
}
