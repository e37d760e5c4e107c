/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lid_pages.h - the forwarding table of one switch while a fabric is built
 *
 * LIDs may have 24 bits and be far apart: Omni-Path's hierarchical LIDs hold the numbers of a
 * pod, a switch and a terminal.  A table therefore consists of pages of neighboring LIDs, each
 * allocated with its first entry.  Memory grows with the LIDs that have entries, and by one
 * pointer a page with the greatest one.
 *
 * A frozen fabric has no pages: it knows all its LIDs and numbers them (fabric.h).
 */
#ifndef SFAB_LID_PAGES_H
#define SFAB_LID_PAGES_H

#include <stdint.h>

#include "core/fabric/fabric.h"

#define SFAB_LID_PAGE 4096u	/* LIDs of a page */

struct sfab_lid_pages {		/* all zero: a table without entries */
	uint32_t n;
	struct sfab_lid_page **page;	/* [n]; NULL: no LID of it has an entry */
};

/* Free all pages.  The table then has no entries. */
void sfab_lid_pages_free(struct sfab_lid_pages *t);

/* Set the ports of LIDs @lid0 .. @lid0 + @n - 1, at most SFAB_LID_MAX.  -1: out of memory. */
int sfab_lid_pages_put(struct sfab_lid_pages *t, uint32_t lid0, const uint8_t *ports,
		       uint32_t n);

/* Give @lid a port and a group; 0 means none. */
int sfab_lid_pages_put_group(struct sfab_lid_pages *t, uint32_t lid, uint8_t port,
			     uint16_t group);

/* Return the port of @lid, or SFAB_PORT_NONE, and its group, or 0. */
uint8_t sfab_lid_pages_port(const struct sfab_lid_pages *t, uint32_t lid);
uint16_t sfab_lid_pages_group(const struct sfab_lid_pages *t, uint32_t lid);

/*
 * Find the next page that begins at *@lid or above, and set *@lid to its first LID.  Return its
 * ports.  NULL: there is no such page.
 */
const uint8_t *sfab_lid_pages_next(const struct sfab_lid_pages *t, uint32_t *lid);

#endif
