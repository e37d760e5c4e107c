/* SPDX-License-Identifier: GPL-2.0-or-later */
/* freeze_tables.c - check the tables that a builder collected; see freeze.c */

#include "core/fabric/builder_private.h"

#include <stdlib.h>
#include <string.h>

/* Entries that have a port. */
static int check_entries(struct freeze *z, const struct node *n)
{
	const uint8_t *marks = z->b->plane[n->key.plane].marks, *port;
	uint32_t lid0 = 0;

	for (; (port = sfab_lid_pages_next(&n->lft, &lid0)); lid0 += SFAB_LID_PAGE)
		for (uint32_t i = 0; i < SFAB_LID_PAGE; i++) {
			uint32_t lid = lid0 + i;
			struct origin at;

			if (port[i] == SFAB_PORT_NONE ||
			    (port[i] <= n->nports && marks[lid] & LID_OWNED))
				continue;
			if (port[i] <= n->nports &&
			    (z->b->forget_unknown || n->facts & SFAB_SWITCH_GROUPS_READ)) {
				z->b->forgotten++;
				continue;
			}
			at = sfab_builder_entry_at(n, lid);
			if (port[i] > n->nports)
				return sfab_builder_fail(&at, z->err, SFAB_EFORMAT,
						    "switch %s, LID 0x%x: port %u (expected 0-%u)",
						    n->name, lid, port[i], n->nports);
			return sfab_builder_fail(&at, z->err, SFAB_EFORMAT,
					    "switch %s: unknown LID 0x%x (expected a LID of the "
					    "topology: files of two fabrics?)",
					    n->name, lid);
		}
	return 0;
}

/* Groups of a switch, and which of them each LID uses. */
static int put_groups(struct freeze *z, const struct node *n,
		      struct sfab_switch *sw, const struct sfab_plane *pl)
{
	struct sfab_group *g;
	uint16_t *by_entry;

	g = sfab_arena_take(&z->f->mem, n->ngroups, sizeof(*g));
	by_entry = sfab_arena_take(&z->f->mem, pl->nlids, sizeof(*by_entry));
	if (!g || !by_entry)
		return sfab_no_memory(z->err);
	for (uint32_t i = 0; i < n->ngroups; i++)
		for (uint32_t k = 0; k < n->group[i].nports; k++)
			if (n->group[i].port[k] < 1 || n->group[i].port[k] > n->nports)
				return sfab_builder_fail(&n->lft_at, z->err, SFAB_EFORMAT,
						    "switch %s: group port %u (expected 1-%u)",
						    n->name, n->group[i].port[k], n->nports);
	for (uint32_t e = 0; e < pl->nlids; e++)
		if (sw->lft[e] != SFAB_PORT_NONE)
			by_entry[e] = sfab_lid_pages_group(&n->lft, pl->lid[e]);
	sw->groups = memcpy(g, n->group, n->ngroups * sizeof(*g));
	sw->ngroups = n->ngroups;
	sw->lft_group = by_entry;
	return 0;
}

/* LIDs without an owner are dropped: they have no entry. */
static int freeze_table(struct freeze *z, struct node *n, struct sfab_switch *sw)
{
	const struct sfab_plane *pl = &z->f->planes[sw->plane];
	uint8_t *lft = sfab_arena_take(&z->f->mem, pl->nlids, 1);

	if (!lft)
		return sfab_no_memory(z->err);
	if (check_entries(z, n) < 0)
		return -1;
	for (uint32_t e = 0; e < pl->nlids; e++)
		lft[e] = sfab_lid_pages_port(&n->lft, pl->lid[e]);
	sw->lft = lft;
	sw->has_lft = n->has_lft != 0;
	if (n->ngroups && put_groups(z, n, sw, pl) < 0)
		return -1;
	/* All tables twice would be most of the memory of an import. */
	sfab_lid_pages_free(&n->lft);
	free(n->group);
	n->group = NULL;
	n->ngroups = 0;
	return 0;
}

int sfab_freeze_tables(struct freeze *z)
{
	int rc = 0;

	for (struct node *n = z->b->nodes; n && rc == 0; n = n->hh.next)
		rc = freeze_table(z, n, (struct sfab_switch *) &z->f->switches[n->id]);
	return rc;
}
