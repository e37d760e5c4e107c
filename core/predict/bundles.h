/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundles.h - flows of jobs with their routes, in the form that maxmin.h fills
 *
 * A bundle is one entry for all flows that cross the same resources.  Hosts of a leaf that send
 * to one destination differ in one link only, their own inject link.  Listing a flow for each
 * pair of N hosts would take N x N entries; here the senders of a leaf are a group, each with
 * its own link, and the group has a bundle for each destination.
 */
#ifndef SFAB_BUNDLES_H
#define SFAB_BUNDLES_H

#include <stdint.h>

#include "core/load/model.h"

/* Senders bundled together: bundles bundle0 .. bundle0 + nbundles - 1, senders likewise. */
struct sfab_bundle_group {
	uint32_t bundle0, nbundles;
	uint32_t sender0, nsenders;
};

/*
 * Bundle i crosses the resources res[first[i]] .. res[first[i+1]-1] with shares share[] (NULL:
 * 1), apart from its senders' own links.  Zero it before the first use.
 */
struct sfab_bundles {
	uint32_t n;
	uint32_t *first;	/* [n + 1]; NULL: no bundle yet */
	double *amount;		/* by bundle: number of its flows, or their demand together */
	uint32_t nhops;
	uint32_t *res;
	int may_split;		/* 1: port groups may split routes */
	double *share;		/* by hop; NULL: routes do not split */
	/* Without groups, no link belongs to one sender alone. */
	uint32_t ngroups, nsenders;
	struct sfab_bundle_group *group;	/* in order, covers all bundles */
	uint32_t *sender;	/* by sender: its own link, which is in no res[] and in no other
				   group */
	uint32_t *except;	/* by bundle: sender of the group that sends nothing in
				   it, or SFAB_NONE; each sender in one bundle at most */
	struct sfab_route walk;	/* scratch */
};

#define SFAB_BUNDLE_HOPS_MAX 100000000u	/* 0.8 GB while they are filled */

/*
 * Append a bundle from end port @src to end port @dst: it crosses the route from the leaf of
 * @src, server @io_res (SFAB_NONE: none), and with @own_link the link of @src.  Nothing is
 * appended if there is no route.  -1: see sfab_bundles_failed().
 */
int sfab_bundles_add(struct sfab_bundles *b, const struct sfab_model *m, uint32_t src,
		     uint32_t dst, uint32_t io_res, int own_link, double amount);

/* Append a hop to the bundle that is being built.  -1: see sfab_bundles_failed(). */
int sfab_bundle_hop(struct sfab_bundles *b, uint32_t res, double share);
/* Complete the bundle that is being built.  -1: see sfab_bundles_failed(). */
int sfab_bundle_end(struct sfab_bundles *b, double amount);

/* Set *@err to why the list cannot grow: SFAB_ENOMEM, or SFAB_ELIMIT.  Return -1. */
int sfab_bundles_failed(const struct sfab_bundles *b, struct sfab_err *err);

/* Keep the first @n bundles. */
void sfab_bundles_cut(struct sfab_bundles *b, uint32_t n);
void sfab_bundles_free(struct sfab_bundles *b);

/* Is the link of @src up, so that it can send? */
static inline int sfab_bundles_can_send(const struct sfab_fabric *f, uint32_t src)
{
	uint32_t link = f->ports[src].inject;

	return link != SFAB_NONE && f->links[link].up;
}

#endif
