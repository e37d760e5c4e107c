/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builder_group.c - LIDs that a switch shares over several ports; see builder.h
 *
 * Thousands of LIDs use the same few groups: each group is stored once per switch.
 */

#include "core/fabric/builder_private.h"
#include "core/resize.h"

#include <math.h>
#include <string.h>

#define GROUPS_MAX (UINT16_MAX - 1)	/* ids have 16 bits and start at 1, 0 means none */

/* Set @share to @shares scaled to sum 1.  NaN fails the first comparison. */
static int normalize_shares(const struct sfab_builder *b, unsigned lid, const double *shares,
			    unsigned n, double share[SFAB_SWITCH_PORTS_MAX], struct sfab_err *err)
{
	double sum = 0;

	if (n < 1 || n > SFAB_SWITCH_PORTS_MAX)
		return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
					 "port group of LID 0x%x: %u ports", lid, n);
	for (unsigned i = 0; i < n; i++) {
		if (!(shares[i] > 0) || !isfinite(shares[i]))
			return sfab_builder_fail(&b->origin, err, SFAB_EFORMAT,
						 "port group of LID 0x%x: share %g (expected > 0)",
						 lid, shares[i]);
		sum += shares[i];
	}
	for (unsigned i = 0; i < n; i++)
		share[i] = shares[i] / sum;
	return 0;
}

/* Store a new group.  Return its index, or -1: out of memory. */
static int add_port_group(struct sfab_builder *b, struct built_node *node, const uint8_t *ports,
			  const double *shares, unsigned n)
{
	uint8_t *port = sfab_arena_take(&b->mem, n, 1);
	double *share = sfab_arena_take(&b->mem, n, sizeof(*share));

	if (!port || !share ||
	    sfab_resize_one_more(&node->group, node->ngroups, sizeof(*node->group)) < 0)
		return -1;
	node->group[node->ngroups] = (struct sfab_group){
		n, memcpy(port, ports, n), memcpy(share, shares, n * sizeof(*share)),
	};
	return (int) node->ngroups++;
}

int sfab_builder_add_group(struct sfab_builder *b, uint32_t plane, uint64_t guid,
			   unsigned lid, const uint8_t *ports, const double *shares,
			   unsigned n, struct sfab_err *err)
{
	double share[SFAB_SWITCH_PORTS_MAX];
	struct built_node *node;
	int g;

	if (normalize_shares(b, lid, shares, n, share, err) < 0)
		return -1;
	node = sfab_builder_node(b, plane, guid, lid, 1, err);
	if (!node)
		return -1;
	/*
	 * Search from the end: neighboring LIDs tend to use the same group.  Readers give equal
	 * groups in equal bits.
	 */
	for (g = (int) node->ngroups - 1; g >= 0; g--)
		if (node->group[g].nports == n && memcmp(node->group[g].port, ports, n) == 0 &&
		    memcmp(node->group[g].share, share, n * sizeof(*share)) == 0)
			break;
	if (g < 0 && node->ngroups == GROUPS_MAX)
		return sfab_builder_fail(&b->origin, err, SFAB_ELIMIT,
					 "LID 0x%x: more than %u port groups", lid,
					 GROUPS_MAX);
	if (g < 0)
		g = add_port_group(b, node, ports, share, n);
	/* Readers of the table alone, and the check for "no route", see the first port. */
	if (g < 0 || sfab_lid_pages_put_group(&node->lft, lid, ports[0],
					      (uint16_t) (g + 1)) < 0)
		return sfab_no_memory(err);
	node->has_lft = 1;
	if (!node->lft_origin.file)
		node->lft_origin = b->origin;
	return 0;
}
