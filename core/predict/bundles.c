/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundles.c - a growing list of bundles; see bundles.h
 *
 * Shares are stored only where switches have groups of ports: without them all are 1, and a
 * third of the memory is enough.
 */

#include "core/predict/bundles.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"

int sfab_bundle_hop(struct sfab_bundles *b, uint32_t res, double share)
{
	if (b->nhops >= SFAB_BUNDLE_HOPS_MAX ||
	    sfab_resize_one_more(&b->res, b->nhops, sizeof(*b->res)) < 0 ||
	    (b->may_split && sfab_resize_one_more(&b->share, b->nhops, sizeof(*b->share)) < 0))
		return -1;
	if (b->may_split)
		b->share[b->nhops] = share;
	b->res[b->nhops++] = res;
	return 0;
}

/* There is one first[] more than there are bundles. */
int sfab_bundle_end(struct sfab_bundles *b, double amount)
{
	if (sfab_resize_one_more(&b->first, b->n + 1u, sizeof(*b->first)) < 0 ||
	    sfab_resize_one_more(&b->amount, b->n, sizeof(*b->amount)) < 0)
		return -1;
	b->first[0] = 0;
	b->amount[b->n] = amount;
	b->first[++b->n] = b->nhops;
	return 0;
}

int sfab_bundles_add(struct sfab_bundles *b, const struct sfab_model *m, uint32_t src,
		     uint32_t dst, uint32_t io_res, int own_link, double amount)
{
	const struct sfab_port *from = &m->f->ports[src];
	struct sfab_leaf_route route;
	int rc = sfab_model_leaf_route(m, from->leaf, dst, &b->walk, &route);

	if (rc <= 0)
		return rc;
	/* Can a route of this fabric split? */
	if (!b->nhops)
		for (uint32_t i = b->may_split = 0; i < m->f->nswitches; i++)
			b->may_split |= m->f->switches[i].ngroups > 0;
	for (uint32_t i = 0; i < route.n; i++) {
		struct sfab_hop hop = sfab_leaf_route_hop(&route, i);

		if (sfab_bundle_hop(b, hop.link, hop.share) < 0)
			return -1;
	}
	if (sfab_bundle_hop(b, m->f->ports[dst].eject, 1) < 0 ||
	    (io_res != SFAB_NONE && sfab_bundle_hop(b, io_res, 1) < 0) ||
	    (own_link && sfab_bundle_hop(b, from->inject, 1) < 0))
		return -1;
	return sfab_bundle_end(b, amount);
}

int sfab_bundles_failed(const struct sfab_bundles *b, struct sfab_err *err)
{
	if (b->nhops < SFAB_BUNDLE_HOPS_MAX)
		return sfab_no_memory(err);
	return sfab_fail(err, SFAB_ELIMIT, "prediction: routes of more than %u links",
			 SFAB_BUNDLE_HOPS_MAX);
}

/* Hops of a bundle that was never completed go in any case. */
void sfab_bundles_cut(struct sfab_bundles *b, uint32_t n)
{
	b->n = n;
	b->nhops = n ? b->first[n] : 0;
}

void sfab_bundles_free(struct sfab_bundles *b)
{
	free(b->first);
	free(b->amount);
	free(b->res);
	free(b->share);
	free(b->group);
	free(b->sender);
	free(b->except);
	sfab_route_clear(&b->walk);
	memset(b, 0, sizeof(*b));
}
