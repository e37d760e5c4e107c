/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundles.h - flows of jobs with their routes, in the form that maxmin.h fills
 */
#ifndef SFAB_BUNDLES_H
#define SFAB_BUNDLES_H

#include <stdint.h>

#include "core/predict/maxmin.h"
#include "core/load/model.h"

/* Zero it before the first use. */
struct sfab_bundle_list {
	uint32_t n;
	uint32_t *first;	/* [n + 1]; NULL: no bundle yet */
	double *amount;
	uint32_t nhops;
	uint32_t *res;
	int splits;		/* routes may */
	double *share;		/* NULL: they do not */
	struct sfab_route walk;	/* scratch */
};

#define SFAB_BUNDLE_HOPS_MAX 100000000u	/* 0.8 GB while they are filled */

/*
 * Append one hop to the bundle that is being made, which begins with its route.  -1: see
 * sfab_bundles_failed().
 */
int sfab_bundle_hop(struct sfab_bundle_list *l, uint32_t res, double share);
/*
 * Append the route from the leaf of end port @src to end port @dst, without the link
 * of @src.  0: there is none, and nothing is appended; 1; -1: as above.
 */
int sfab_bundle_route(struct sfab_bundle_list *l, const struct sfab_model *m,
		      uint32_t src, uint32_t dst);
/* Its hops are complete.  -1: as above. */
int sfab_bundle_end(struct sfab_bundle_list *l, double amount);
/* Why the list cannot grow: SFAB_ENOMEM, or SFAB_ELIMIT.  Returns -1. */
int sfab_bundles_failed(const struct sfab_bundle_list *l, struct sfab_err *err);

/* Keep the first @n bundles. */
void sfab_bundles_cut(struct sfab_bundle_list *l, uint32_t n);
void sfab_bundles_free(struct sfab_bundle_list *l);

/* @n bundles from @first on, without groups; valid until the list is changed. */
struct sfab_bundles sfab_bundles_from(const struct sfab_bundle_list *l, uint32_t first,
				      uint32_t n);

/* 1: the link of @src is up, so it can send. */
static inline int sfab_can_send(const struct sfab_fabric *f, uint32_t src)
{
	uint32_t link = f->ports[src].inject;

	return link != SFAB_NONE && f->links[link].up;
}

#endif
