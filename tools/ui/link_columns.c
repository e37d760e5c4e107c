/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_columns.c - ends of a link in a table; see link_columns.h
 *
 * Tables of links begin with the same six columns, whatever else they show.
 */

#include "tools/ui/link_columns.h"

/*
 * A link has no plane of its own: it is that of its beginning, which for an
 * inject link is an end port and otherwise a switch.
 */
uint32_t link_plane(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_INJECT ? f->ports[l->from].plane :
					     f->switches[l->from].plane;
}

void link_cells(struct table *t, unsigned first, const struct sfab_fabric *f,
		uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	table_text(t, first + LINK_FABRIC, f->planes[link_plane(f, link)].name);
	table_text(t, first + LINK_SWITCH, sfab_link_from_name(f, link));
	table_guid(t, first + LINK_GUID, sfab_link_from_guid(f, link));
	table_count(t, first + LINK_PORT, l->from_port);
	table_text(t, first + LINK_TO, sfab_link_to_name(f, link));
	table_count(t, first + LINK_TO_PORT, l->to_port);
}
