/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * telling.c - all running jobs in shares; see telling.h
 *
 * Ids are kept and not pointers: between two shares slurmctld may free any job.
 */

#include "place/state/telling.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/resize.h"

void sfab_telling_clear(struct sfab_telling *t)
{
	free(t->id);
	memset(t, 0, sizeof(*t));
}

int sfab_telling_note(struct sfab_telling *t, uint32_t id)
{
	if (sfab_one_more(&t->id, t->n, sizeof(*t->id)) < 0)
		return -1;
	t->id[t->n++] = id;
	return 0;
}

/* Thread CPU time: a busy machine must not make the shares smaller. */
static uint64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

int sfab_telling_go_on(struct sfab_telling *t, sfab_tell *tell, void *context)
{
	uint64_t end = t->next < t->n ? cpu_us() + SFAB_TELL_US : 0;

	while (t->next < t->n) {
		tell(context, t->id[t->next++]);
		if (t->next < t->n && cpu_us() >= end)
			return 0;
	}
	sfab_telling_clear(t);
	return 1;
}
