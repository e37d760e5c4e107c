/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundles.c - a growing list of bundles; see bundles.h
 *
 * Shares are stored only where switches have groups of ports: without them all are 1, and
 * a third of the memory is enough.
 */

#include "core/predict/bundles.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"

int sfab_bundle_hop(struct sfab_bundles *l, uint32_t res, double share)
{
	if (l->nhops >= SFAB_BUNDLE_HOPS_MAX ||
	    sfab_resize_one_more(&l->res, l->nhops, sizeof(*l->res)) < 0 ||
	    (l->splits && sfab_resize_one_more(&l->share, l->nhops, sizeof(*l->share)) < 0))
		return -1;
	if (l->splits)
		l->share[l->nhops] = share;
	l->res[l->nhops++] = res;
	return 0;
}

/* End a bundle.  There is one first[] more than there are bundles. */
int sfab_bundle_end(struct sfab_bundles *l, double amount)
{
	if (sfab_resize_one_more(&l->first, l->n + 1u, sizeof(*l->first)) < 0 ||
	    sfab_resize_one_more(&l->amount, l->n, sizeof(*l->amount)) < 0)
		return -1;
	l->first[0] = 0;
	l->amount[l->n] = amount;
	l->first[++l->n] = l->nhops;
	return 0;
}

int sfab_bundles_add(struct sfab_bundles *l, const struct sfab_model *m, uint32_t src,
		     uint32_t dst, uint32_t io_res, int own_link, double amount)
{
	const struct sfab_port *from = &m->f->ports[src];
	struct sfab_leaf_route route;
	int rc = sfab_model_leaf_route(m, from->leaf, dst, &l->walk, &route);

	if (rc <= 0)
		return rc;
	/* Can a route of this fabric split? */
	if (!l->nhops)
		for (uint32_t i = l->splits = 0; i < m->f->nswitches; i++)
			l->splits |= m->f->switches[i].ngroups > 0;
	for (uint32_t i = 0; i < route.n; i++) {
		struct sfab_hop hop = sfab_leaf_route_hop(&route, i);

		if (sfab_bundle_hop(l, hop.link, hop.share) < 0)
			return -1;
	}
	if (sfab_bundle_hop(l, m->f->ports[dst].eject, 1) < 0 ||
	    (io_res != SFAB_NONE && sfab_bundle_hop(l, io_res, 1) < 0) ||
	    (own_link && sfab_bundle_hop(l, from->inject, 1) < 0))
		return -1;
	return sfab_bundle_end(l, amount);
}

int sfab_bundles_failed(const struct sfab_bundles *l, struct sfab_err *err)
{
	if (l->nhops < SFAB_BUNDLE_HOPS_MAX)
		return sfab_no_memory(err);
	return sfab_fail(err, SFAB_ELIMIT, "prediction: routes of more than %u links",
			 SFAB_BUNDLE_HOPS_MAX);
}

/* Drop all bundles from @n on.  Hops of one that was never completed go in any case. */
void sfab_bundles_cut(struct sfab_bundles *l, uint32_t n)
{
	l->n = n;
	l->nhops = n ? l->first[n] : 0;
}

void sfab_bundles_free(struct sfab_bundles *l)
{
	free(l->first);
	free(l->amount);
	free(l->res);
	free(l->share);
	free(l->group);
	free(l->sender);
	free(l->except);
	sfab_route_clear(&l->walk);
	memset(l, 0, sizeof(*l));
}
