/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_usage.h - runs for the history from what sacct counted */
#ifndef SFAB_LEARN_USAGE_H
#define SFAB_LEARN_USAGE_H

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/learn/history.h"
#include "io/readers/sacct.h"

struct learn_usage_sums {
	uint32_t added;		/* runs */
	uint32_t repeated;	/* left out: added before */
	uint32_t unfinished;	/* left out: not ended */
	uint32_t brief;		/* left out: shorter than LEARN_USAGE_SECONDS */
	uint32_t uncounted;	/* left out: no ic/ofed */
	uint32_t packets;	/* of uncounted: with ic/sysfs */
};

#define LEARN_USAGE_SECONDS 60

/*
 * Set @t to what the job sent on average, as shares of @rate (bytes/s of a host's ports).  With
 * fs/lustre: IO as counted, and mpi what else passed.  Without: mpi is what was sent and
 * received alike, because it stays within the job, and IO the rest.
 */
void learn_usage_traffic(const struct sfab_usage_job *j, double rate, struct sfab_traffic *t);

/* Add to @h all runs that count and were not added before.  -1: SFAB_ENOMEM. */
int learn_usage(struct sfab_history *h, const struct sfab_usage *u, const struct sfab_fabric *f,
		struct learn_usage_sums *sums, struct sfab_err *err);

#endif
