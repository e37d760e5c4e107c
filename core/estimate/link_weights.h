/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link_weights.h - how much the rate of each link counts */
#ifndef SFAB_LINK_WEIGHTS_H
#define SFAB_LINK_WEIGHTS_H

#include "core/estimate/estimate_private.h"

/* Set s->sigma, the error of each rate, if links carry @carried, bytes/s by link. */
void sfab_link_weights_set_errors(struct estimate_solver *s, const double *carried);

/* Set s->w, the weight of each link.  @forgive: rates that exceed the solution count less. */
void sfab_link_weights_set(struct estimate_solver *s, int forgive);

/*
 * Return the median of s->residual over the links into (@eject) or out of the job's hosts, at
 * least 0: in errors of their rates, or as a part of their capacity (@as_share).
 */
double sfab_link_weights_median_excess(struct estimate_solver *s,
				       const struct sfab_estimate_job *job,
				       int eject, int as_share);

/* Set s->noise to the relative error that the links of hosts show.  Uses s->scratch. */
void sfab_link_weights_find_noise(struct estimate_solver *s);

/*
 * Return N of estimate.h, the part of the measured bytes that is where the tables say.  -1:
 * there is too little traffic to say, less than a thousandth of what the links whose rate is
 * known can carry.
 */
double sfab_link_weights_bytes_followed(const struct estimate_solver *s);

#endif
