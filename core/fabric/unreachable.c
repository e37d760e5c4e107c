/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unreachable.c - loops, and end ports that some leaf has no route to; see route.h */

#include "core/fabric/lid_walk.h"
#include "core/fabric/route.h"

int sfab_route_find_loop(const struct sfab_fabric *f, uint32_t plane,
			 uint32_t *sw, uint32_t *lid)
{
	const struct sfab_plane *pl = &f->planes[plane];
	struct sfab_arena arena = { 0 };
	struct sfab_lid_walk walk = sfab_lid_walk_open(f, &arena);
	uint32_t n = arena.failed ? 0 : pl->nlids;
	int rc = arena.failed ? -1 : 0;

	for (uint32_t e = 0; e < n && rc == 0; e++) {
		sfab_lid_walk_to(&walk, e, pl->lid_port[e]);
		for (uint32_t i = 0; i < pl->nswitches && walk.loop == SFAB_NONE; i++)
			sfab_lid_walk_from(&walk, pl->switch0 + i);
		if (walk.loop == SFAB_NONE)
			continue;
		*sw = walk.loop;
		*lid = pl->lid[e];
		rc = 1;
	}
	sfab_arena_free(&arena);
	return rc;
}

int sfab_route_unreachable(const struct sfab_fabric *f, uint32_t plane,
			   uint64_t *n, struct sfab_lost_pair *pair,
			   uint32_t max)
{
	struct sfab_arena arena = { 0 };
	struct sfab_lid_walk walk = sfab_lid_walk_open(f, &arena);
	struct sfab_route r = { 0 };
	int rc = arena.failed ? -1 : 0;

	*n = 0;
	for (uint32_t i = 0; i < f->nports && rc == 0; i++) {
		const struct sfab_port *p = &f->ports[i];

		if (p->plane != plane || !p->lid || p->eject == SFAB_NONE)
			continue;
		sfab_lid_walk_to(&walk, p->entry, i);
		for (uint32_t l = 0; l < f->nleaves && rc == 0; l++) {
			const struct sfab_leaf *leaf = &f->leaves[l];

			/* A port that is alone on its leaf needs no route to itself. */
			if (f->switches[leaf->sw].plane != plane ||
			    (leaf->nports == 1 && leaf->port[0] == i) ||
			    sfab_lid_walk_from(&walk, leaf->sw)->arrives)
				continue;
			if (*n < max) {
				rc = sfab_route_from(f, leaf->sw, i, &r);
				pair[*n] = (struct sfab_lost_pair){ l, i, r.status };
			}
			++*n;
		}
	}
	sfab_route_clear(&r);
	sfab_arena_free(&arena);
	return rc;
}
