/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_summary.h - the lines that answer the question of the report, for text and page */
#ifndef SFAB_PAST_SUMMARY_H
#define SFAB_PAST_SUMMARY_H

#include "tools/report/past_sums.h"
#include "tools/ui/options.h"

#define PAST_LINES 7
#define PAST_LINE 256		/* bytes */

struct past_summary {
	const struct past *p;		/* borrowed */
	struct past_verdict on, observe;
	double node_hours, lost;	/* of all jobs; where they ran */
	struct past_runs runs;
	struct past_sent sent;
	double full_hours;		/* < 0: no counters */
	double followed;		/* 0..1, followed.h; < 0: not known */
};

struct past_summary past_summary(const struct past *p, double followed);

/*
 * By FoundTraffic of sfabric.conf, if that is of the snapshot that was used last; < 0: not
 * known.  Without a conf nothing is.
 */
double past_followed(const struct past *p, const struct options *o);

/* Line @i < PAST_LINES to @line; 0: there is nothing to say. */
int past_line(const struct past_summary *s, int i, char line[PAST_LINE]);

#endif
