/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lmc.c - infer the LMC of end ports whose source does not give it
 *
 * OpenSM gives all end ports of a subnet the same LMC, aligns their base LIDs
 * to it, and routes each LID.  With LMC 1 and base LIDs 2, 6, 8 the tables also
 * have 3, 7 and 9, which have no other owner.  With lmc_esp0, port 0 of a
 * switch gets the same LMC.
 */

#include "core/fabric/builder_private.h"

#include <stdlib.h>

#define LMC_MAX 7

enum { OWNED = 1, ROUTED = 2 };

/* LID 0 is none. */
static void mark_owned(uint8_t *marks, unsigned lid, unsigned lmc)
{
	for (unsigned k = 0; lid && k < 1u << lmc; k++)
		marks[lid + k] |= OWNED;
}

/* Which LIDs have an owner, and which any table routes. */
static void mark_lids(const struct sfab_builder *b, uint32_t plane,
		      uint8_t *marks)
{
	const struct node *n;
	const struct eport *p;

	for (n = b->nodes; n; n = n->hh.next) {
		const uint8_t *port;
		uint32_t lid = 0;

		if (n->key.plane != plane)
			continue;
		mark_owned(marks, n->lid, 0);
		for (; (port = sfab_lid_pages_next(&n->lft, &lid)); lid += SFAB_LID_PAGE)
			for (uint32_t i = 0; i < SFAB_LID_PAGE; i++)
				marks[lid + i] |= port[i] != SFAB_PORT_NONE ? ROUTED : 0;
	}
	for (p = b->eports; p; p = p->hh.next)
		if (p->key.plane == plane)
			mark_owned(marks, p->lid,
				   p->lmc == SFAB_LMC_UNKNOWN ? 0 : p->lmc);
}

/*
 * The LIDs after the base must be routed and have no owner of their own.  A LID
 * that is aligned by chance only makes the LMC possible; all ports together
 * decide.
 */
static int is_lmc_possible(const uint8_t *marks, unsigned max, unsigned lid,
			   unsigned lmc)
{
	unsigned n = 1u << lmc;

	if (lid % n || lid + n > max + 1)
		return 0;
	for (unsigned k = 1; k < n; k++)
		if (marks[lid + k] != ROUTED)
			return 0;
	return 1;
}

static int is_lmc_open(const struct eport *p, uint32_t plane)
{
	return p->lmc == SFAB_LMC_UNKNOWN && p->key.plane == plane;
}

/*
 * Ports whose reader gave no LMC get the highest that fits all of them, and switches that
 * of the ports, if their LIDs are routed.
 */
static int find_plane_lmcs(struct sfab_builder *b, uint32_t plane, struct sfab_err *err)
{
	unsigned lmc = LMC_MAX, most = 0, max = sfab_builder_lid_max(b, plane);
	struct eport *p;
	uint8_t *marks;

	for (p = b->eports; p; p = p->hh.next)
		if (p->key.plane == plane && p->lmc > most)
			most = p->lmc;
	if (!most)
		return 0;
	marks = calloc(max + 1, 1);
	if (!marks)
		return sfab_no_memory(err);
	mark_lids(b, plane, marks);
	for (p = b->eports; p; p = p->hh.next)
		while (is_lmc_open(p, plane) && p->lid && lmc &&
		       !is_lmc_possible(marks, max, p->lid, lmc))
			lmc--;
	most = 0;
	for (p = b->eports; p; p = p->hh.next) {
		if (is_lmc_open(p, plane))
			p->lmc = p->lid ? lmc : 0;
		if (p->key.plane == plane)
			mark_owned(marks, p->lid, p->lmc);
		if (p->key.plane == plane && p->lmc > most)
			most = p->lmc;
	}
	for (struct node *n = b->nodes; n; n = n->hh.next)
		if (n->key.plane == plane && n->lid && !n->has_lmc &&
		    is_lmc_possible(marks, max, n->lid, most))
			n->lmc = most;
	free(marks);
	return 0;
}

int sfab_builder_find_lmcs(struct sfab_builder *b, struct sfab_err *err)
{
	for (uint32_t plane = 0; plane < b->nplanes; plane++)
		if (find_plane_lmcs(b, plane, err) < 0)
			return -1;
	return 0;
}
