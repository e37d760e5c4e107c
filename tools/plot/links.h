/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * links.h - the quantity to draw, by link: from routes between sets, from jobs,
 * or measured
 */
#ifndef SFAB_PLOT_LINKS_H
#define SFAB_PLOT_LINKS_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/measured.h"
#include "tools/preview/preview_context.h"

enum links_value {
	LINKS_DEFAULT,		/* not given: routes of sets, load of jobs and counters */
	LINKS_ROUTES,
	LINKS_DLIDS,
	LINKS_LOAD,		/* GB/s */
	LINKS_PERCENT,		/* the same as a fraction of the capacity */
	LINKS_WAIT,		/* measured: % of time spent waiting */
};
#define LINKS_NVALUES 6

/* Words for them, from LINKS_ROUTES on. */
#define LINKS_CHOICES "routes|dlids|load|percent|wait"
const char *links_unit(enum links_value value);
const char *links_name(enum links_value value);

/* @bytes/s of a link as LINKS_LOAD or LINKS_PERCENT. */
double links_in_unit(enum links_value value, double bytes, const struct sfab_link *l);

/*
 * All fill @out [nlinks] and return 0, or -1 with *err.  This one: routes and
 * load from one SET to another, as `sfabric load` counts them.
 */
int links_of_sets(const struct site *site, const char *from, const char *to,
		  enum links_value value, double *out, struct report *r, struct sfab_err *err);

/*
 * For a running job, or all of them (@job NULL): load from its traffic and share, routes
 * from its communicating pairs.  SFAB_EINVAL for other quantities.
 */
int links_of_jobs(const struct preview_context *p, const struct joblist_job *job,
		  enum links_value value, double *out, struct sfab_err *err);

/*
 * Measured load or wait share; unknown is 0.  SFAB_EINVAL for routes and dlids.
 */
int links_measured(const struct sfab_measured *ms, enum links_value value,
		   double *out, struct sfab_err *err);

#endif
