/* SPDX-License-Identifier: GPL-2.0-or-later */
/* found_traffic.h - what estimate.c says of a job, from the shares of its columns */
#ifndef SFAB_FOUND_TRAFFIC_H
#define SFAB_FOUND_TRAFFIC_H

#include "core/estimate/job_columns.h"

/* Add share @x of column @k to the part of its class and set. */
void sfab_add_found_part(struct sfab_traffic *t, const struct job_columns *c,
			 const struct job_column *k, double x);

/* Leave out parts below @least, and order by class; sums above 1 are noise. */
void sfab_tidy_found(struct sfab_traffic *t, double least);

/* Shares of columns of job @j become mean rates, as parts of that of its ports. */
void sfab_as_rates(struct sfab_traffic *t, const struct job_columns *c, uint32_t j);

/*
 * Has job @j, with shares @x of all columns and traffic @t, IO to servers that are full?
 */
int sfab_meets_full_servers(const struct job_columns *c, const double *x, uint32_t j,
			    const struct sfab_traffic *t);

#endif
