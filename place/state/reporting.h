/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reporting.h - report all running jobs, a share of them in each call
 *
 * Reading and reporting thousands of jobs takes longer than slurmctld should wait in one
 * question.  Their ids are recorded first; each call then reports as many as its time allows,
 * at least one.  Until all are reported, no question is answered.
 */
#ifndef SFAB_PLACE_REPORTING_H
#define SFAB_PLACE_REPORTING_H

#include <stdint.h>

#define SFAB_REPORTING_US 5000	/* CPU time of one call, microseconds */

struct sfab_reporting {		/* all 0: nothing to report */
	uint32_t *id;
	uint32_t n;
	uint32_t next;		/* index of the next to report */
};

/* Forget what is left to report. */
void sfab_reporting_clear(struct sfab_reporting *t);
/* Record a job to be reported.  -1: no memory, then it is skipped. */
int sfab_reporting_note(struct sfab_reporting *t, uint32_t id);

/* Report a job, which may have ended since it was recorded. */
typedef void sfab_report_fn(void *context, uint32_t id);
/* Report the next jobs, in the order recorded.  1: all have been reported. */
int sfab_reporting_go_on(struct sfab_reporting *t, sfab_report_fn *report, void *context);

#endif
