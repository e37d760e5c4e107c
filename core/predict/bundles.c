/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bundles.c - a growing list of bundles; see bundles.h
 *
 * Shares are stored only from the first route on that splits: without groups of ports
 * all are 1, and a third of the memory is enough.
 */

#include "core/predict/bundles.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"

static int room_for_hop(struct sfab_bundle_list *l)
{
	uint32_t cap = l->caphops ? l->caphops + l->caphops / 2 : 4096;

	if (l->nhops < l->caphops)
		return 0;
	if (l->nhops >= SFAB_BUNDLE_HOPS_MAX)
		return -1;
	if (sfab_resize(&l->res, cap, sizeof(*l->res)) < 0 ||
	    (l->share && sfab_resize(&l->share, cap, sizeof(*l->share)) < 0))
		return -1;
	l->caphops = cap;
	return 0;
}

int sfab_bundle_hop(struct sfab_bundle_list *l, uint32_t res, double share)
{
	if (room_for_hop(l) < 0)
		return -1;
	/* The first share that is not 1; those before it are. */
	if (share != 1 && !l->share) {
		l->share = malloc(l->caphops * sizeof(*l->share));
		if (!l->share)
			return -1;
		for (uint32_t i = 0; i < l->nhops; i++)
			l->share[i] = 1;
	}
	if (l->share)
		l->share[l->nhops] = share;
	l->res[l->nhops++] = res;
	return 0;
}

static int add_path(struct sfab_bundle_list *l, const struct sfab_paths *p,
		    uint32_t leaf, const struct sfab_fabric *f, uint32_t dst)
{
	const uint16_t *row = sfab_path(p, leaf, dst);

	if (row[0] == SFAB_PATH_LOST)
		return 0;
	for (uint32_t i = 0; i < p->width && row[i] != SFAB_PATH_END; i++)
		if (sfab_bundle_hop(l, row[i], 1) < 0)
			return -1;
	return sfab_bundle_hop(l, f->ports[dst].eject, 1) < 0 ? -1 : 1;
}

int sfab_bundle_route(struct sfab_bundle_list *l, const struct sfab_model *m,
		      uint32_t src, uint32_t dst)
{
	const struct sfab_fabric *f = m->f;
	const struct sfab_port *from = &f->ports[src], *to = &f->ports[dst];

	if (m->paths && from->leaf != SFAB_NONE && to->leaf != SFAB_NONE &&
	    from->plane == to->plane)
		return add_path(l, m->paths, from->leaf, f, dst);
	if (sfab_route_from(f, from->sw, dst, &l->route) < 0)
		return -1;
	if (l->route.status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < l->route.n; i++)
		if (sfab_bundle_hop(l, l->route.hop[i].link, l->route.hop[i].share) < 0)
			return -1;
	return 1;
}

int sfab_bundle_end(struct sfab_bundle_list *l, double amount)
{
	if (l->n == l->cap) {
		uint32_t cap = l->cap ? l->cap + l->cap / 2 : 1024;

		if (sfab_resize(&l->first, cap + 1u, sizeof(*l->first)) < 0 ||
		    sfab_resize(&l->amount, cap, sizeof(*l->amount)) < 0)
			return -1;
		l->first[0] = 0;
		l->cap = cap;
	}
	l->amount[l->n] = amount;
	l->first[++l->n] = l->nhops;
	return 0;
}

int sfab_bundles_failed(const struct sfab_bundle_list *l, struct sfab_err *err)
{
	if (l->nhops < SFAB_BUNDLE_HOPS_MAX)
		return sfab_no_memory(err);
	return sfab_fail(err, SFAB_ELIMIT, "prediction: routes of more than %u links",
			 SFAB_BUNDLE_HOPS_MAX);
}

void sfab_bundles_drop(struct sfab_bundle_list *l, uint32_t first, uint32_t n)
{
	uint32_t hop, nhops, cap;

	/* Hops of a bundle that was never completed go in any case. */
	l->nhops = l->n ? l->first[l->n] : 0;
	if (!n)
		return;
	hop = l->first[first];
	nhops = l->first[first + n] - hop;
	memmove(l->res + hop, l->res + hop + nhops,
		(l->nhops - hop - nhops) * sizeof(*l->res));
	if (l->share)
		memmove(l->share + hop, l->share + hop + nhops,
			(l->nhops - hop - nhops) * sizeof(*l->share));
	memmove(l->amount + first, l->amount + first + n,
		(l->n - first - n) * sizeof(*l->amount));
	for (uint32_t i = first; i + n <= l->n; i++)
		l->first[i] = l->first[i + n] - nhops;
	l->n -= n;
	l->nhops -= nhops;
	/* After a large job the room shrinks; on failure the old one stays. */
	cap = l->nhops + 4096;
	if (l->caphops / 2 < cap)
		return;
	sfab_resize(&l->res, cap, sizeof(*l->res));
	if (l->share)
		sfab_resize(&l->share, cap, sizeof(*l->share));
	l->caphops = cap;
}

void sfab_bundles_free(struct sfab_bundle_list *l)
{
	free(l->first);
	free(l->amount);
	free(l->res);
	free(l->share);
	sfab_route_clear(&l->route);
	memset(l, 0, sizeof(*l));
}

struct sfab_bundles sfab_bundles_from(const struct sfab_bundle_list *l, uint32_t first,
				      uint32_t n)
{
	return (struct sfab_bundles) {
		.n = n, .first = l->first + first, .res = l->res, .share = l->share,
		.amount = l->amount + first,
	};
}
