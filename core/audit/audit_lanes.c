/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_lanes.c - which service level keeps jobs out of IO's lane?  See audit_private.h */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <string.h>

#define VL_DROPPED 15u	/* the VL of service levels whose packets are dropped */
#define NEVER 32u		/* more data VLs than any link has */

/* These engines leave service levels to the site; others choose them to avoid deadlocks. */
static const char indifferent[] = " minhop updn dnup ftree sssp file ar_updn ar_ftree ";

/* Set *@name to the first of "NAME,NAME" that is not indifferent.  Return its length, or 0. */
static unsigned find_choosy_engine(const char *list, const char **name)
{
	size_t n;

	for (; list && *list; list += n + strspn(list + n, ", \t")) {
		char word[sizeof(indifferent) + 1];

		n = strcspn(list, ", \t");
		snprintf(word, sizeof(word), " %.*s ", (int) n, list);
		*name = list;
		if (n && !strstr(indifferent, word))
			return (unsigned) n;
	}
	return 0;
}

/* Return the data VLs with which a link tells @sl from IO: it uses the low bits of a VL only. */
static unsigned vls_to_tell_apart(const struct sfab_lanes *l, unsigned side, unsigned sl)
{
	unsigned vl = l->vl[side][sl], io = l->vl[side][l->io], n = 2;

	if (vl == VL_DROPPED || io == VL_DROPPED || !(l->served[side] >> vl & 1))
		return NEVER;
	while (n < NEVER && !((vl ^ io) & (n - 1)))
		n *= 2;
	return n;
}

/* Return the free level that needs the fewest VLs, and of these the lowest; 16: none. */
static unsigned find_free_level(const struct sfab_lanes *l, unsigned *vls)
{
	unsigned best = 16;

	*vls = l->vls + 1;
	for (unsigned sl = 0; sl < 16; sl++) {
		unsigned host = vls_to_tell_apart(l, 0, sl), needed = vls_to_tell_apart(l, 1, sl);

		needed = host > needed ? host : needed;
		if (needed >= *vls || needed == NEVER)
			continue;
		*vls = needed;
		best = sl;
	}
	return best;
}

/*
 * Report a service level that is out of IO's lane, or why there is none.  One engine that
 * chooses levels is enough to rule it out, whether in use or only asked for.
 */
int sfab_audit_lanes(struct auditing *a)
{
	const struct sfab_lanes *l = a->ask->lanes;
	unsigned sl, vls, n;
	struct sfab_finding *finding;
	const char *name;

	if (!l)
		return 0;
	n = find_choosy_engine(a->ask->engine, &name);
	for (uint32_t p = 0; p < a->f->nplanes && !n; p++)
		n = find_choosy_engine(a->f->planes[p].engine, &name);
	sl = l->enabled && !n ? find_free_level(l, &vls) : 16;
	if (!l->enabled)
		sfab_audit_add(a, SFAB_RULE_LANES, SFAB_NOTE, 0, "fabric", "jobs share the lane of "
			       "IO: the subnet manager sets up no lanes (qos)");
	else if (n)
		sfab_audit_add(a, SFAB_RULE_LANES, SFAB_NOTE, 0, "fabric", "jobs share the lane of "
			       "IO: the routing engine %.*s may choose service levels itself",
			       n < 30 ? (int) n : 30, name);
	else if (sl == 16)
		sfab_audit_add(a, SFAB_RULE_LANES, SFAB_NOTE, 0, "fabric", "jobs share the lane of "
			       "IO: all service levels have it");
	if (sl == 16)
		return 0;
	finding = sfab_audit_add(a, SFAB_RULE_LANES, SFAB_NOTE, 1, "fabric",
				 "service level %u is out of IO's lane (level %u) on links "
				 "with %u data VLs or more",
				 sl, l->io, vls < 16 ? vls : 15);
	snprintf(finding->remedy, sizeof(finding->remedy),
		 "Jobs that should not wait behind IO set NCCL_IB_SL=%u or UCX_IB_SL=%u.", sl, sl);
	return 0;
}
