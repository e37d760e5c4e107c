/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link_weights.h - how much the rate of each link counts */
#ifndef SFAB_LINK_WEIGHTS_H
#define SFAB_LINK_WEIGHTS_H

#include "core/estimate/estimate_solver.h"

/* s->sigma: what each rate may err by, if the fabric carries @carried. */
void sfab_set_link_errors(struct estimate_solver *s, const double *carried);

/* s->w: weight of each link.  @forgive: what exceeds the solution counts less. */
void sfab_weigh_links(struct estimate_solver *s, int forgive);

/*
 * The median of s->left on the links into (@in) or out of the job's hosts, in errors, or
 * as a share of their capacity.  Not below 0.
 */
double sfab_median_excess(struct estimate_solver *s, const struct sfab_estimate_job *job,
			  int in, int as_share);

/* s->noise: what the hosts' own links show; uses s->room. */
void sfab_find_noise(struct estimate_solver *s);

/*
 * N of estimate.h, or -1 if there is too little traffic to say: less than a thousandth of
 * what the links whose rate is known can carry.
 */
double sfab_followed(const struct estimate_solver *s);

#endif
