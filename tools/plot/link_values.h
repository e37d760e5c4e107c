/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_values.h - the quantity to draw, by link: from routes between sets, from jobs, or
 * measured
 */
#ifndef SFAB_LINK_VALUES_H
#define SFAB_LINK_VALUES_H

#include "core/err.h"
#include "core/load/measured.h"
#include "tools/preview/preview_context.h"

enum link_value {
	VALUE_DEFAULT,		/* not given: routes of sets, load of jobs and counters */
	VALUE_ROUTES,
	VALUE_DLIDS,
	VALUE_LOAD,		/* GB/s */
	VALUE_PERCENT,		/* the load as a fraction of the capacity */
	VALUE_WAIT,		/* measured: % of time spent waiting */
};
#define NLINK_VALUES 6

/* The words for enum link_value on the command line, from VALUE_ROUTES on. */
#define LINK_VALUE_CHOICES "routes|dlids|load|percent|wait"
const char *link_value_unit(enum link_value value);
const char *link_value_name(enum link_value value);

/* Convert @bytes/s of a link to VALUE_LOAD or VALUE_PERCENT. */
double link_value_in_unit(enum link_value value, double bytes, const struct sfab_link *l);

/* The three functions below fill @out [nlinks] and return 0, or -1 with *err. */

/* Find the routes or the load from one SET to another, as `sfabric load` counts them. */
int link_values_of_sets(const struct site *site, const char *from, const char *to,
			enum link_value value, double *out, struct reply *r, struct sfab_err *err);

/*
 * Find the load or the routes of a running job, or of all (@job NULL).  Load follows from its
 * traffic and its share of the hosts, routes from its communicating pairs.  SFAB_EINVAL for
 * other quantities.
 */
int link_values_of_jobs(const struct preview_context *p, const struct joblist_job *job,
			enum link_value value, double *out, struct sfab_err *err);

/*
 * Find the measured load or share of time spent waiting; unknown is 0.  SFAB_EINVAL for routes
 * and dlids.
 */
int link_values_measured(const struct sfab_measured *ms, enum link_value value,
			 double *out, struct sfab_err *err);

#endif
