/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_jobs.c - jobs that send something else than they said
 *
 * The caller compares hints with what counters found; here they become findings.
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

int sfab_audit_jobs(struct auditing *a)
{
	for (uint32_t i = 0; i < a->ask->nhints; i++)
		if (report_wrong_hint(a, &a->ask->hint[i]) < 0)
			return -1;
	return 0;
}
