/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maxmin.h - progressive filling (Bertsekas, Gallager: Data Networks, 6.5.2)
 *
 * All flows grow together at one level.  When a resource is full, the flows that
 * cross it keep that level and the others go on.  So the rate of a flow is the lowest
 * level at which one of its resources became full, and this is the same for all flows
 * that cross the same resources.
 *
 * A bundle is such flows, as one entry.  The hosts of a leaf that send to one
 * destination differ in one link only, the one that they send on.  Listing a flow for
 * each pair of N hosts would take N x N entries; here the senders of a leaf are a group,
 * each with its own link, and the group has a bundle for each destination.  The result
 * is that of single flows, whatever the senders' links still carry: a sender whose own
 * link is full leaves all bundles of its group.
 */
#ifndef SFAB_MAXMIN_H
#define SFAB_MAXMIN_H

#include <stdint.h>

#include "core/err.h"

/* Bundles first .. first + n - 1 are those of the group, senders likewise. */
struct sfab_bundle_group {
	uint32_t bundle0, nbundles;
	uint32_t sender0, nsenders;
};

/*
 * Bundle i crosses the resources res[first[i]] .. res[first[i+1]-1] with shares
 * share[] (NULL: 1), apart from its senders' own links.
 */
struct sfab_bundles {
	uint32_t n;
	const uint32_t *first;	/* [n + 1] */
	const uint32_t *res;
	const double *share;
	const double *amount;	/* by bundle: flows in it, or what they grow by
				   together; NULL: 1 */
	/* Without groups, no link belongs to one sender alone. */
	uint32_t ngroups;
	const struct sfab_bundle_group *group;	/* in order, covers all bundles */
	const uint32_t *sender;	/* its link, which is in no res[] and in no other
				   group */
	const uint32_t *except;	/* by bundle: sender of the group that sends nothing in
				   it, or SFAB_NONE; each sender in one bundle at most */
};

/*
 * Fill the resources of capacity cap[] (bytes/s; INFINITY: no limit) with bundles until
 * all flows are limited, or have reached level @most (INFINITY: none; then each flow
 * must cross a resource with a limit).  rate[i] is set to the sum of the flows of
 * bundle i.  level[] (NULL, or room for @nres) is set to the level at which a resource
 * became full, INFINITY for the others.  SFAB_ENOMEM.
 * O(hops x log resources), and for senders of a group that are full at different levels
 * once more the hops of the group for each.
 */
int sfab_maxmin(uint32_t nres, const double *cap, const struct sfab_bundles *b,
		double most, double *rate, double *level, struct sfab_err *err);

#endif
