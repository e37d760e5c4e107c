/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_jobs.c - jobs that send something else than they said, or elsewhere
 *
 * The caller compares hints with what counters found, and tables with counters; here they
 * become findings.
 */

#include "core/audit/audit_private.h"

#include <stdio.h>

/*
 * Always a warning: it costs the job itself, and maybe others, but nothing is
 * broken.
 */
static int report_wrong_hint(struct auditing *a, const struct sfab_audit_hint *h)
{
	struct sfab_finding *f = sfab_audit_add(a, SFAB_RULE_JOB_HINT, SFAB_WARNING,
						"job %u", h->job);

	if (!f)
		return -1;
	f->number = h->distance;
	f->unit = "of the port's rate";
	snprintf(f->what, sizeof(f->what), "job %u of user %u (%.80s) said %.100s; %u samples "
		 "of the counters show %.100s", h->job, h->user, h->name, h->told,
		 h->samples, h->found);
	snprintf(f->remedy, sizeof(f->remedy), "Tell the user. The job counts with what was "
		 "found while it runs, but its nodes were chosen for what it said.");
	return 0;
}

/* A note while it is as it should be: it is the figure that one wants to see. */
static int report_followed(struct auditing *a)
{
	int bad = a->ask->followed < a->ask->followed_least;
	struct sfab_finding *f;

	if (!a->ask->followed_known)
		return 0;
	f = sfab_audit_add(a, SFAB_RULE_STRAYS, bad ? SFAB_CRITICAL : SFAB_NOTE, "fabric");
	if (!f)
		return -1;
	f->number = 100 * a->ask->followed;
	f->unit = "% of the bytes";
	snprintf(f->what, sizeof(f->what), "%.0f %% of the measured bytes are where the tables "
		 "say", 100 * a->ask->followed);
	if (bad)
		snprintf(f->remedy, sizeof(f->remedy), "Import the tables anew. If it stays so, "
			 "see whether switches adapt, and whether the IO sets name all servers.");
	return 0;
}

int sfab_audit_jobs(struct auditing *a)
{
	if (report_followed(a) < 0)
		return -1;
	for (uint32_t i = 0; i < a->ask->nhints; i++)
		if (report_wrong_hint(a, &a->ask->hint[i]) < 0)
			return -1;
	return 0;
}
