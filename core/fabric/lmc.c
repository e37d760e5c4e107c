/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lmc.c - infer the LMC of end ports whose source does not give it, and say which LIDs have an
 * owner; see builder_private.h
 *
 * OpenSM gives all end ports of a subnet the same LMC, aligns their base LIDs to it, and routes
 * each LID.  With LMC 1 and base LIDs 2, 6, 8 the tables also have 3, 7 and 9, which have no
 * other owner.  With lmc_esp0, port 0 of a switch gets the same LMC.
 */

#include "core/fabric/builder_private.h"

#define LMC_MAX 7

/*
 * Mark the LIDs of an owner.  LID 0 means none.  The LMC of a switch comes unchecked, so its
 * LIDs may end beyond @max.
 */
static void mark_owned(uint8_t *marks, unsigned max, unsigned lid, unsigned lmc)
{
	for (unsigned k = 0; lid && k < 1u << lmc && lid + k <= max; k++)
		marks[lid + k] |= LID_OWNED;
}

static void mark_owners(const struct sfab_builder *b, uint32_t plane, unsigned max,
			uint8_t *marks)
{
	for (const struct built_node *n = b->nodes; n; n = n->hh.next)
		if (n->key.plane == plane)
			mark_owned(marks, max, n->lid, n->lmc);
	for (const struct built_port *p = b->eports; p; p = p->hh.next)
		if (p->key.plane == plane)
			mark_owned(marks, max, p->lid, p->lmc == SFAB_LMC_UNKNOWN ? 0 : p->lmc);
}

static void mark_routed(const struct sfab_builder *b, uint32_t plane, uint8_t *marks)
{
	for (const struct built_node *n = b->nodes; n; n = n->hh.next) {
		const uint8_t *port;
		uint32_t lid = 0;

		for (; n->key.plane == plane && (port = sfab_lid_pages_next(&n->lft, &lid));
		     lid += SFAB_LID_PAGE)
			for (uint32_t i = 0; i < SFAB_LID_PAGE; i++)
				marks[lid + i] |= port[i] != SFAB_PORT_NONE ? LID_ROUTED : 0;
	}
}

/*
 * Are the LIDs after the base routed, and without an owner of their own?  A LID that is aligned
 * by chance only makes the LMC possible: all ports together decide.
 */
static int is_lmc_possible(const uint8_t *marks, unsigned max, unsigned lid,
			   unsigned lmc)
{
	unsigned n = 1u << lmc;

	if (lid % n || lid + n > max + 1)
		return 0;
	for (unsigned k = 1; k < n; k++)
		if (marks[lid + k] != LID_ROUTED)
			return 0;
	return 1;
}

static int is_lmc_unknown(const struct built_port *p, uint32_t plane)
{
	return p->lmc == SFAB_LMC_UNKNOWN && p->key.plane == plane;
}

/*
 * Give ports whose reader gave no LMC the highest that fits all of them, and switches that of
 * the ports, if their LIDs are routed.
 */
static void find_plane_lmcs(struct sfab_builder *b, uint32_t plane, unsigned max,
			    uint8_t *marks)
{
	unsigned lmc = LMC_MAX, max_lmc = 0;
	struct built_port *p;

	mark_routed(b, plane, marks);
	for (p = b->eports; p; p = p->hh.next)
		while (is_lmc_unknown(p, plane) && p->lid && lmc &&
		       !is_lmc_possible(marks, max, p->lid, lmc))
			lmc--;
	for (p = b->eports; p; p = p->hh.next) {
		if (is_lmc_unknown(p, plane))
			p->lmc = p->lid ? lmc : 0;
		if (p->key.plane == plane && p->lmc > max_lmc)
			max_lmc = p->lmc;
	}
	for (struct built_node *n = b->nodes; n; n = n->hh.next)
		if (n->key.plane == plane && n->lid && !n->has_lmc &&
		    is_lmc_possible(marks, max, n->lid, max_lmc))
			n->lmc = max_lmc;
}

int sfab_builder_find_lmcs(struct sfab_builder *b, struct sfab_err *err)
{
	for (uint32_t plane = 0; plane < b->nplanes; plane++) {
		unsigned max = sfab_builder_lid_max(b, plane);
		uint8_t *marks = sfab_arena_take(&b->scratch, max + 1, 1);

		if (!marks)
			return sfab_no_memory(err);
		b->plane[plane].marks = marks;
		mark_owners(b, plane, max, marks);
		find_plane_lmcs(b, plane, max, marks);
		mark_owners(b, plane, max, marks);
	}
	return 0;
}
