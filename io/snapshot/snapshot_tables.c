/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_tables.c - decode forwarding tables and port groups; see snapshot_private.h
 *
 * Both belong to switches; each entry is checked against the ports of its switch.
 */

#include "io/snapshot/snapshot_private.h"

#include <math.h>
#include <string.h>

#define SHARE_SLACK 1e-6	/* shares of a group must sum to 1 within this */
#define LANES 16		/* table entries checked in parallel */

/*
 * Return a switch to write to: the fabric is const for everybody else, but here it is still
 * being made.
 */
static struct sfab_switch *writable_switch(struct sfab_decoder *d, uint32_t i)
{
	return (struct sfab_switch *) &d->f->switches[i];
}

/* -- forwarding tables ------------------------------------------------------ */

/*
 * Keep the higher entry.  With one added, "no route" is the lowest value and needs no case of
 * its own.
 */
static void keep_highest(uint8_t *highest, uint8_t entry)
{
	uint8_t one_more = (uint8_t) (entry + 1);	/* SFAB_PORT_NONE wraps to 0 */

	*highest = one_more > *highest ? one_more : *highest;
}

/*
 * Is each of the @n entries a port of the switch, or SFAB_PORT_NONE?  This visits every byte of
 * the largest section, so it is written in lanes that compilers vectorize.
 */
static int entries_are_ports(const uint8_t *lft, size_t n, unsigned nports)
{
	uint8_t highest[LANES] = { 0 };
	size_t i, k;

	for (i = 0; i + LANES <= n; i += LANES)
		for (k = 0; k < LANES; k++)
			keep_highest(&highest[k], lft[i + k]);
	for (; i < n; i++)
		keep_highest(&highest[0], lft[i]);
	for (k = 0; k < LANES; k++)
		if (highest[k] > nports + 1)
			return 0;
	return 1;
}

/*
 * Return the bytes of a table of plane @p in the file.  Format 2 has one for each LID from 0 to
 * the greatest, format 3 one for each that exists.
 */
static uint32_t table_length(const struct sfab_decoder *d,
			     const struct sfab_plane *p)
{
	return d->version < SFAB_SNAPSHOT_WIDE ? p->lid_end : p->nlids;
}

/*
 * Make one shared table without entries, for all switches that have none.  As long as the
 * longest table, so any LID's entry can be looked up in it.
 */
static uint8_t *empty_table(struct sfab_decoder *d)
{
	uint32_t longest = 0, i;
	uint8_t *table;

	for (i = 0; i < d->f->nplanes; i++)
		if (d->f->planes[i].nlids > longest)
			longest = d->f->planes[i].nlids;
	table = sfab_arena_take(&d->f->mem, longest, 1);
	if (table)
		memset(table, SFAB_PORT_NONE, longest);
	return table;
}

/*
 * Count the entries of all tables in the file.  -1: it has another number of bytes, or is of
 * format 2 with LIDs above those of InfiniBand.
 */
static int count_entries(struct sfab_decoder *d, size_t *entries)
{
	const struct sfab_fabric *f = d->f;
	size_t nbytes = d->n[SFAB_S_TABLES];
	uint32_t i, length;

	*entries = 0;
	for (i = 0; i < f->nplanes && d->version < SFAB_SNAPSHOT_WIDE; i++)
		if (f->planes[i].lid_end > SFAB_IB_LID_MAX + 1u)
			return sfab_fail(d->err, SFAB_EFORMAT, "plane %u: LIDs up "
					 "to 0x%x (expected at most 0x%x)", i,
					 f->planes[i].lid_end - 1, SFAB_IB_LID_MAX);
	for (i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = writable_switch(d, i);

		if (!sw->has_lft)
			continue;
		length = table_length(d, &f->planes[sw->plane]);
		if (length > nbytes)
			return sfab_fail(d->err, SFAB_EFORMAT,
					 "switch %s: table too short", sw->name);
		nbytes -= length;
		*entries += f->planes[sw->plane].nlids;
	}
	return nbytes ? sfab_fail(d->err, SFAB_EFORMAT, "section TABLES: %zu "
				  "bytes more than the switches have", nbytes) : 0;
}

int sfab_snapshot_decode_tables(struct sfab_decoder *d)
{
	const uint8_t *bytes = d->begin[SFAB_S_TABLES];
	uint8_t *lft, *empty;
	size_t entries;
	uint32_t i, length, n;

	if (count_entries(d, &entries) < 0)
		return -1;
	lft = sfab_arena_take(&d->f->mem, entries, 1);
	empty = empty_table(d);
	if (!lft || !empty)
		return sfab_no_memory(d->err);
	for (i = 0; i < d->f->nswitches; i++) {
		struct sfab_switch *sw = writable_switch(d, i);
		const struct sfab_plane *p = &d->f->planes[sw->plane];

		sw->lft = sw->has_lft ? lft : empty;
		if (!sw->has_lft)
			continue;
		length = table_length(d, p);
		if (!entries_are_ports(bytes, length, sw->nports))
			return sfab_fail(d->err, SFAB_EFORMAT, "switch %s: a port "
					 "above %u", sw->name, sw->nports);
		/* The entries of LIDs that exist. */
		if (d->version >= SFAB_SNAPSHOT_WIDE)
			memcpy(lft, bytes, p->nlids);
		else
			for (uint32_t e = 0; (n = sfab_plane_run(p, e)) > 0; e += n)
				memcpy(lft + e, bytes + p->lid[e], n);
		lft += p->nlids;
		bytes += length;
	}
	return 0;
}

/* -- port groups ------------------------------------------------------------ */

/* Ports and shares of all groups, in two arrays of the fabric that the groups share. */
struct group_ports {
	const uint8_t *port;
	const double *share;
	size_t n;		/* that are in no group yet */
};

/* Make the next @nports ports a group of @sw. */
static int take_port_group(struct sfab_decoder *d, struct group_ports *gp,
			   const struct sfab_switch *sw, uint32_t nports,
			   struct sfab_group *g)
{
	double sum = 0;
	uint32_t i;

	if (!nports || nports > gp->n)
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "switch %s: a group of %u ports", sw->name,
				 nports);
	*g = (struct sfab_group){ nports, gp->port, gp->share };
	for (i = 0; i < nports; i++) {
		if (g->port[i] < 1 || g->port[i] > sw->nports ||
		    !(g->share[i] > 0))
			return sfab_fail(d->err, SFAB_EFORMAT, "switch %s: "
					 "group port %u with share %g",
					 sw->name, g->port[i], g->share[i]);
		sum += g->share[i];
	}
	if (!(fabs(sum - 1) <= SHARE_SLACK))
		return sfab_fail(d->err, SFAB_EFORMAT, "switch %s: shares of a "
				 "group sum to %g (expected 1)", sw->name, sum);
	gp->port += nports;
	gp->share += nports;
	gp->n -= nports;
	return 0;
}

/*
 * Attach its groups to each switch.  Rows are in the order of the switches: all groups of a
 * switch are together, so one pointer and a number are enough.
 */
static int give_groups(struct sfab_decoder *d,
		       const struct sfab_flat_group *row, struct group_ports *gp)
{
	size_t n = d->n[SFAB_S_GROUPS], i;
	struct sfab_group *group = sfab_arena_take(&d->f->mem, n, sizeof(*group));
	struct sfab_switch *sw;

	if (!group)
		return sfab_no_memory(d->err);
	for (i = 0; i < n; i++) {
		if (row[i].sw >= d->f->nswitches ||
		    (i && row[i].sw < row[i - 1].sw))
			return sfab_fail(d->err, SFAB_EFORMAT, "section GROUPS, "
					 "record %zu: switch out of range or "
					 "order", i);
		sw = writable_switch(d, row[i].sw);
		if (!sw->has_lft || sw->ngroups == UINT16_MAX - 1)
			return sfab_fail(d->err, SFAB_EFORMAT, "switch %s: groups "
					 "without a table, or too many",
					 sw->name);
		if (take_port_group(d, gp, sw, row[i].nports, &group[i]) < 0)
			return -1;
		if (sw->ngroups++ == 0)
			sw->groups = &group[i];
	}
	return gp->n ? sfab_fail(d->err, SFAB_EFORMAT, "section GRPPORTS: "
				 "%zu more than the groups have", gp->n)
			: 0;
}

/*
 * Assign a group to LID @row->lid of its switch.  by_entry counts from 1, because 0 is a LID
 * without a group.
 */
static int use_group(struct sfab_decoder *d,
		     const struct sfab_flat_group_lid *row)
{
	struct sfab_switch *sw;
	uint16_t *by_entry;
	uint32_t nlids, entry;

	if (row->sw >= d->f->nswitches)
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section GRPLIDS: switch %u of %u", row->sw,
				 d->f->nswitches);
	sw = writable_switch(d, row->sw);
	nlids = d->f->planes[sw->plane].nlids;
	entry = sfab_plane_entry(&d->f->planes[sw->plane], row->lid);
	if (entry == SFAB_NONE || row->group >= sw->ngroups)
		return sfab_fail(d->err, SFAB_EFORMAT, "switch %s: LID 0x%x "
				 "uses group %u of %u", sw->name, row->lid,
				 row->group, sw->ngroups);
	if (!sw->lft_group)
		sw->lft_group = sfab_arena_take(&d->f->mem, nlids, sizeof(*by_entry));
	if (!sw->lft_group)
		return sfab_no_memory(d->err);
	by_entry = (uint16_t *) sw->lft_group;
	by_entry[entry] = row->group + 1;
	return 0;
}

int sfab_snapshot_decode_groups(struct sfab_decoder *d)
{
	const struct sfab_flat_group *groups = sfab_snapshot_decode_rows(d, &d->scratch,
									 SFAB_S_GROUPS);
	const struct sfab_flat_group_lid *lids =
		sfab_snapshot_decode_rows(d, &d->scratch, SFAB_S_GROUP_LIDS);
	struct group_ports gp = {
		.port = SFAB_DECODE_COLUMN(d, &d->f->mem, SFAB_S_GROUP_PORTS,
					   sfab_flat_group_port, port),
		.share = SFAB_DECODE_COLUMN(d, &d->f->mem, SFAB_S_GROUP_PORTS,
					    sfab_flat_group_port, share),
		.n = d->n[SFAB_S_GROUP_PORTS],
	};

	if (!groups || !lids || !gp.port || !gp.share || give_groups(d, groups, &gp) < 0)
		return -1;
	for (size_t i = 0; i < d->n[SFAB_S_GROUP_LIDS]; i++)
		if (use_group(d, &lids[i]) < 0)
			return -1;
	return 0;
}
