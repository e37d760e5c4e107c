/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_private.h - one hop: what a switch does with a LID, by its entry */
#ifndef SFAB_ROUTE_PRIVATE_H
#define SFAB_ROUTE_PRIVATE_H

#include "core/fabric/fabric.h"

/*
 * A switch's ports toward a LID: a group, or one port in the form of a group.
 */
struct choice {
	uint32_t n;		/* 0: no route */
	const uint8_t *port;
	const double *share;
};

static inline struct choice look_up(const struct sfab_switch *sw, uint32_t entry)
{
	static const double whole = 1.0;
	uint16_t g = sw->lft_group ? sw->lft_group[entry] : 0;
	struct choice c = { 0 };

	if (g) {
		c.n = sw->groups[g - 1].nports;
		c.port = sw->groups[g - 1].port;
		c.share = sw->groups[g - 1].share;
	} else if (sw->has_lft && sw->lft[entry] != SFAB_PORT_NONE) {
		c.n = 1;
		c.port = &sw->lft[entry];
		c.share = &whole;
	}
	return c;
}

/* The link out of @port if it exists and is up, else SFAB_NONE. */
static inline uint32_t out_link(const struct sfab_fabric *f,
				const struct sfab_switch *sw, uint8_t port)
{
	uint32_t link = port <= sw->nports ? sw->out[port] : SFAB_NONE;

	return link != SFAB_NONE && f->links[link].up ? link : SFAB_NONE;
}

#endif
