/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.c - check the primary arrays of a fabric and derive the rest; see fabric_arrays.h
 *
 * fabric_arrays.h lists the primary arrays.  They are const for all other code; here they are
 * still under construction, hence the casts.  Input may be a damaged snapshot: every index is
 * checked before it is used, and the number of LIDs is bounded before memory is taken for them.
 */

#include "core/ascending.h"
#include "core/fabric/fabric_arrays.h"

#include <stdlib.h>

static struct sfab_switch *writable_switches(struct sfab_fabric *f)
{
	return (struct sfab_switch *) f->switches;
}

static struct sfab_port *writable_ports(struct sfab_fabric *f)
{
	return (struct sfab_port *) f->ports;
}

/* Give each plane its range of switches, which are sorted by plane. */
static int index_switches(struct sfab_fabric *f, struct sfab_err *err)
{
	struct sfab_plane *pl = (struct sfab_plane *) f->planes;
	struct sfab_switch *sw = writable_switches(f);

	for (uint32_t i = 0; i < f->nswitches; i++) {
		if (sw[i].plane >= f->nplanes)
			return sfab_fail(err, SFAB_EFORMAT,
					 "switch %s: no such plane", sw[i].name);
		if (i && (sw[i].plane < sw[i - 1].plane ||
			  (sw[i].plane == sw[i - 1].plane &&
			   sw[i].guid <= sw[i - 1].guid)))
			return sfab_fail(err, SFAB_EFORMAT,
					 "switch %s: out of order, or duplicate GUID",
					 sw[i].name);
		if (sw[i].nports > SFAB_SWITCH_PORTS_MAX)
			return sfab_fail(err, SFAB_EFORMAT,
					 "switch %s: %u ports (expected at most %u)",
					 sw[i].name, sw[i].nports,
					 SFAB_SWITCH_PORTS_MAX);
		if (pl[sw[i].plane].nswitches++ == 0)
			pl[sw[i].plane].switch0 = i;
		sw[i].leaf = SFAB_NONE;
		sw[i].out = sfab_arena_take_ones(&f->mem, sw[i].nports + 1u, sizeof(uint32_t));
		if (!sw[i].out)
			return sfab_no_memory(err);
	}
	return 0;
}

/* Are the ports in the order of fabric.h? */
static int are_ports_in_order(const struct sfab_port *a, const struct sfab_port *b)
{
	return sfab_ascending_keys((uint64_t[]){ a->host, a->plane, a->guid },
				   (uint64_t[]){ b->host, b->plane, b->guid }, 3) <= 0;
}

/*
 * Are both ends in range and in one plane, with port numbers that the switches have?  A link to
 * another plane cannot exist: planes have no cable in common.
 */
static int has_valid_ends(const struct sfab_fabric *f, const struct sfab_link *l)
{
	const struct sfab_switch *sw;
	uint32_t swid = l->kind == SFAB_LINK_INJECT ? l->to : l->from;
	uint8_t num = l->kind == SFAB_LINK_INJECT ? l->to_port : l->from_port;

	if (l->kind > SFAB_LINK_INJECT || swid >= f->nswitches)
		return 0;
	sw = &f->switches[swid];
	if (num < 1 || num > sw->nports)
		return 0;
	if (l->kind == SFAB_LINK_ISL)
		return l->to < f->nswitches && l->to_port >= 1 &&
		       l->to_port <= f->switches[l->to].nports &&
		       f->switches[l->to].plane == sw->plane;
	swid = l->kind == SFAB_LINK_EJECT ? l->to : l->from;
	return swid < f->nports && f->ports[swid].plane == sw->plane;
}

int sfab_fabric_link_cmp(const void *a, const void *b)
{
	const struct sfab_link *x = a, *y = b;

	return sfab_ascending_keys(
		(uint64_t[]){ x->kind == SFAB_LINK_INJECT, x->from, x->from_port },
		(uint64_t[]){ y->kind == SFAB_LINK_INJECT, y->from, y->from_port }, 3);
}

/* Record a link at the switch or end port where it starts. */
static int index_link(struct sfab_fabric *f, uint32_t id, struct sfab_err *err)
{
	const struct sfab_link *l = &f->links[id];
	uint32_t *out;
	struct sfab_port *p;

	if (!has_valid_ends(f, l))
		return sfab_fail(err, SFAB_EFORMAT,
				 "link %u: ends or ports out of range", id);
	if (!sfab_fabric_is_capacity(l->capacity))
		return sfab_fail(err, SFAB_EFORMAT,
				 "link %u: capacity %g GB/s (expected "
				 SFAB_CAPACITY_EXPECTED ")", id,
				 l->capacity / SFAB_GB);
	if (id && sfab_fabric_link_cmp(l - 1, l) > 0)
		return sfab_fail(err, SFAB_EFORMAT, "link %u: out of order", id);
	if (l->kind == SFAB_LINK_INJECT) {
		p = &writable_ports(f)[l->from];
		out = &p->inject;
		/* The rate of a port is that of its inject link: what the host can send. */
		p->rate = l->capacity;
		p->sw = l->to;
		p->sw_port = l->to_port;
	} else {
		out = (uint32_t *) &f->switches[l->from].out[l->from_port];
	}
	if (*out != SFAB_NONE)
		return sfab_fail(err, SFAB_EFORMAT, "%s port %u: two links",
				 sfab_link_from_name(f, id), l->from_port);
	*out = id;
	if (l->kind != SFAB_LINK_EJECT)
		return 0;
	p = &writable_ports(f)[l->to];
	if (p->eject != SFAB_NONE)
		return sfab_fail(err, SFAB_EFORMAT, "%s: two links lead to it",
				 p->desc);
	p->eject = id;
	return 0;
}

/* Does this port make its switch a leaf?  SHARP nodes are in every switch. */
static int is_on_leaf(const struct sfab_fabric *f, uint32_t port)
{
	return f->ports[port].sw != SFAB_NONE &&
	       f->hosts[f->ports[port].host].role != SFAB_HOST_SHARP;
}

/* Number the leaves: switches to which the uplink of at least one host leads. */
static int number_leaves(struct sfab_fabric *f, struct sfab_err *err)
{
	struct sfab_leaf *leaf;

	for (uint32_t i = 0; i < f->nports; i++)
		if (is_on_leaf(f, i))
			writable_switches(f)[f->ports[i].sw].leaf = 0;
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].leaf != SFAB_NONE)
			writable_switches(f)[i].leaf = f->nleaves++;
	leaf = sfab_arena_take(&f->mem, f->nleaves, sizeof(*leaf));
	if (!leaf)
		return sfab_no_memory(err);
	f->leaves = leaf;
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].leaf != SFAB_NONE)
			leaf[f->switches[i].leaf].sw = i;
	return 0;
}

/* -- LIDs ------------------------------------------------------------------- */

/*
 * An end port owns 2^lmc LIDs, a switch one.  Owners are sorted as numbers, LID << 32 | id,
 * where the ids of end ports follow those of switches: so if two claim a LID they are
 * neighbors, and an error names the end port.
 */
struct lid_owner {
	uint32_t lid, n;	/* the first LID, and how many */
	uint32_t sw, port;	/* one of them is SFAB_NONE */
};

static struct lid_owner owner_of(const struct sfab_fabric *f, uint64_t key)
{
	uint32_t lid = (uint32_t) (key >> 32), id = (uint32_t) key;

	if (id < f->nswitches)
		return (struct lid_owner){ lid, 1, id, SFAB_NONE };
	id -= f->nswitches;
	return (struct lid_owner){ lid, 1u << f->ports[id].lmc, SFAB_NONE, id };
}

/* List the owners of the LIDs of a plane, sorted.  Return their number. */
static uint32_t list_owners(const struct sfab_fabric *f, uint32_t plane, uint64_t *key)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].plane == plane && f->switches[i].lid)
			key[n++] = (uint64_t) f->switches[i].lid << 32 | i;
	for (uint32_t i = 0; i < f->nports; i++)
		if (f->ports[i].plane == plane && f->ports[i].lid)
			key[n++] = (uint64_t) f->ports[i].lid << 32 | (f->nswitches + i);
	qsort(key, n, sizeof(*key), sfab_ascending_u64);
	return n;
}

/*
 * Check that each owner's LIDs end before those of the next and within the plane.  Count the
 * LIDs.
 */
static int check_owners(const struct sfab_fabric *f, struct sfab_plane *pl,
			const uint64_t *key, uint32_t n, struct sfab_err *err)
{
	uint32_t end = pl->lid_end, next = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct lid_owner owner = owner_of(f, key[i]);
		const char *name = owner.port == SFAB_NONE ? f->switches[owner.sw].name :
				   f->ports[owner.port].desc;

		if (owner.lid >= end || owner.n > end - owner.lid)
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s: LID 0x%x (expected at most 0x%x)", name,
					 owner.lid >= end ? owner.lid : end, end ? end - 1 : 0);
		if (owner.lid < next)
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s: LID 0x%x belongs to another port", name, owner.lid);
		next = owner.lid + owner.n;
		pl->nlids += owner.n;
	}
	return 0;
}

/*
 * Number the entries of the LIDs of one plane, whose owners begin at @key.  Entries count up
 * with LIDs, so those of a port are one run of them.
 */
static int number_lids(struct sfab_fabric *f, struct sfab_plane *pl, const uint64_t *key)
{
	uint32_t *lid = sfab_arena_take(&f->mem, pl->nlids, sizeof(*lid));
	uint32_t *port = sfab_arena_take(&f->mem, pl->nlids, sizeof(*port));
	uint32_t *sw = sfab_arena_take(&f->mem, pl->nlids, sizeof(*sw));

	if (!lid || !port || !sw)
		return -1;
	for (uint32_t e = 0; e < pl->nlids; key++) {
		struct lid_owner owner = owner_of(f, *key);

		if (owner.port != SFAB_NONE)
			writable_ports(f)[owner.port].entry = e;
		for (uint32_t k = 0; k < owner.n; k++, e++) {
			lid[e] = owner.lid + k;
			sw[e] = owner.sw;
			port[e] = owner.port;
		}
	}
	pl->lid = lid;
	pl->lid_port = port;
	pl->lid_switch = sw;
	return 0;
}

/* Number the LIDs of each plane.  Their number is bounded before memory is taken for them. */
static int index_lids(struct sfab_fabric *f, struct sfab_err *err)
{
	uint64_t *key = malloc((f->nswitches + (size_t) f->nports + 1) * sizeof(*key));
	uint32_t all = 0;
	int rc = key ? 0 : sfab_no_memory(err);

	for (uint32_t i = 0; i < f->nplanes && rc == 0; i++) {
		struct sfab_plane *pl = (struct sfab_plane *) &f->planes[i];

		if (pl->lid_end > SFAB_LID_MAX + 1u)
			rc = sfab_fail(err, SFAB_EFORMAT, "plane %u: LIDs up to 0x%x "
				       "(expected at most 0x%x)", i, pl->lid_end - 1,
				       SFAB_LID_MAX);
		else
			rc = check_owners(f, pl, key, list_owners(f, i, key), err);
		if (rc == 0 && pl->nlids > SFAB_LIDS_MAX - all)
			rc = sfab_fail(err, SFAB_ELIMIT, "more LIDs than %u", SFAB_LIDS_MAX);
		if (rc == 0 && number_lids(f, pl, key) < 0)
			rc = sfab_no_memory(err);
		all += pl->nlids;
	}
	free(key);
	return rc;
}

uint32_t sfab_plane_entry(const struct sfab_plane *p, uint32_t lid)
{
	const uint32_t *found = bsearch(&lid, p->lid, p->nlids, sizeof(lid), sfab_ascending_u32);

	return found ? (uint32_t) (found - p->lid) : SFAB_NONE;
}

/*
 * Return how many LIDs follow without a gap.  LIDs ascend, so the remaining ones have none if
 * the last LID is as far above the first as its entry is.  This is the usual case.
 */
uint32_t sfab_plane_run(const struct sfab_plane *p, uint32_t entry)
{
	uint32_t rest = entry < p->nlids ? p->nlids - entry : 0, n = 1;

	if (!rest || p->lid[p->nlids - 1] - p->lid[entry] == rest - 1)
		return rest;
	while (p->lid[entry + n] == p->lid[entry] + n)
		n++;
	return n;
}

/* -- both steps ------------------------------------------------------------- */

/*
 * Index the nodes: the first of two steps, because tables are read between them and need the
 * numbers of LIDs.  Ports are sorted by host, and each host gets its range.
 */
int sfab_fabric_index_nodes(struct sfab_fabric *f, struct sfab_err *err)
{
	struct sfab_host *h = (struct sfab_host *) f->hosts;
	struct sfab_port *p = writable_ports(f);

	if (index_switches(f, err) < 0)
		return -1;
	for (uint32_t i = 1; i < f->nhosts; i++)
		if (sfab_fabric_name_cmp(h[i - 1].name, h[i].name) >= 0)
			return sfab_fail(err, SFAB_EFORMAT,
					 "host %s: out of order", h[i].name);
	for (uint32_t i = 0; i < f->nports; i++) {
		if (p[i].host >= f->nhosts || p[i].plane >= f->nplanes ||
		    p[i].lmc > 7 || (i && !are_ports_in_order(&p[i - 1], &p[i])))
			return sfab_fail(err, SFAB_EFORMAT,
					 "end port 0x%016llx: host, plane or LMC out of range or "
					 "out of order",
					 (unsigned long long) p[i].guid);
		if (h[p[i].host].nports++ == 0)
			h[p[i].host].port0 = i;
		if (h[p[i].host].nports > f->nrails)
			f->nrails = h[p[i].host].nports;
		p[i].sw = p[i].leaf = p[i].inject = p[i].eject = SFAB_NONE;
	}
	for (uint32_t i = 0; i < f->nhosts; i++)
		if (!h[i].nports)
			return sfab_fail(err, SFAB_EFORMAT,
					 "host %s: no end port", h[i].name);
	return index_lids(f, err);
}

int sfab_fabric_index(struct sfab_fabric *f, struct sfab_err *err)
{
	struct sfab_port *ports = writable_ports(f);
	uint64_t *order;
	uint32_t *list, n = 0;

	for (uint32_t i = 0; i < f->nlinks; i++)
		if (index_link(f, i, err) < 0)
			return -1;
	/* The lists of all leaves share one array, one after the other. */
	order = malloc((f->nports + 1u) * sizeof(*order));
	list = sfab_arena_take(&f->mem, f->nports, sizeof(*list));
	if (!order || !list || number_leaves(f, err) < 0) {
		free(order);
		return sfab_no_memory(err);
	}
	/* Sorted by leaf, switch port and id: 24 + 8 + 32 bits. */
	for (uint32_t i = 0; i < f->nports; i++) {
		struct sfab_port *p = &ports[i];

		if (!is_on_leaf(f, i))
			continue;
		p->leaf = f->switches[p->sw].leaf;
		order[n++] = (uint64_t) p->leaf << 40 | (uint64_t) p->sw_port << 32 | i;
	}
	qsort(order, n, sizeof(*order), sfab_ascending_u64);
	for (uint32_t k = 0; k < n; k++) {
		struct sfab_leaf *leaf;

		list[k] = (uint32_t) order[k];
		leaf = (struct sfab_leaf *) &f->leaves[f->ports[list[k]].leaf];
		if (leaf->nports++ == 0)
			leaf->port = &list[k];
	}
	free(order);
	return 0;
}
