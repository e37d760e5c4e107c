/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - resources, rails and client maps of a fabric; see model.h
 *
 * Everything that a score needs of the fabric and that does not depend on jobs is laid out here
 * in flat arrays: a search reads them millions of times, while a fabric is loaded once.  1/C is
 * stored instead of C, because the inner loops would divide otherwise, and 0 for a link that is
 * down: nothing is ever too full there.
 */

#include "core/load/model.h"

#include <stdlib.h>
#include <string.h>

/* Set 1/C and the kind of each resource, and which hosts and links belong to IO. */
static void set_resources(struct sfab_model *m)
{
	const struct sfab_fabric *f = m->f;

	for (uint32_t i = 0; i < f->nlinks; i++) {
		m->inv_cap[i] = f->links[i].up ? 1.0 / f->links[i].capacity : 0.0;
		m->isl[i] = f->links[i].kind == SFAB_LINK_ISL;
	}
	for (uint32_t i = 0; m->io && i < m->io->nioports; i++) {
		const struct sfab_port *p = &f->ports[m->io->ioport[i]];

		/* The limit of an IO server is a resource like a link. */
		m->inv_cap[f->nlinks + i] = 1.0 / m->io->capacity[i];
		m->io_host[p->host] = 1;
		m->io_cabled[i] = (uint8_t) sfab_port_is_cabled(p);
		if (p->inject != SFAB_NONE)
			m->io_link[p->inject] = 1;
		if (p->eject != SFAB_NONE)
			m->io_link[p->eject] = 1;
	}
}

/*
 * Return the @k-th port of @host that can carry traffic in @plane, or SFAB_NONE.  *@n is set to
 * the number of such ports.
 */
static uint32_t usable_port(const struct sfab_fabric *f, uint32_t host,
			    uint32_t plane, uint32_t k, uint32_t *n)
{
	const struct sfab_host *h = &f->hosts[host];
	uint32_t found = SFAB_NONE;

	*n = 0;
	for (uint32_t p = h->port0; p < h->port0 + h->nports; p++) {
		const struct sfab_port *port = &f->ports[p];

		if (port->plane != plane || !port->lid ||
		    !sfab_port_is_cabled(port) || !f->links[port->inject].up ||
		    !f->links[port->eject].up)
			continue;
		if ((*n)++ == k)
			found = p;
	}
	return found;
}

static uint32_t max_host_ports(const struct sfab_fabric *f, uint32_t plane)
{
	uint32_t max = 0, n;

	for (uint32_t h = 0; h < f->nhosts; h++) {
		usable_port(f, h, plane, 0, &n);
		if (n > max)
			max = n;
	}
	return max;
}

/* Find the ports of each rail.  A plane has as many rails as its host with most ports has there. */
static int set_rails(struct sfab_model *m)
{
	const struct sfab_fabric *f = m->f;
	uint32_t rail = 0, n, ignore;
	size_t cells, cell = 0;

	for (uint32_t p = 0; p < f->nplanes; p++)
		m->nrails += max_host_ports(f, p);
	cells = (size_t) m->nrails * f->nhosts;
	m->rail_plane = sfab_arena_take(&m->arena, m->nrails, sizeof(*m->rail_plane));
	m->rail_src = sfab_arena_take(&m->arena, cells, sizeof(*m->rail_src));
	m->rail_dst = sfab_arena_take(&m->arena, cells, sizeof(*m->rail_dst));
	if (m->arena.failed)
		return -1;
	for (uint32_t p = 0; p < f->nplanes; p++)
		for (uint32_t k = 0, max = max_host_ports(f, p); k < max; k++) {
			m->rail_plane[rail++] = p;
			for (uint32_t h = 0; h < f->nhosts; h++, cell++) {
				m->rail_src[cell] = m->rail_dst[cell] = usable_port(f, h, p, k, &n);
				/*
				 * A host with fewer ports than its peer receives on rail k with
				 * port k modulo n.
				 */
				if (m->rail_src[cell] == SFAB_NONE && n)
					m->rail_dst[cell] = usable_port(f, h, p, k % n, &ignore);
			}
		}
	return 0;
}

/*
 * Is @port the first cabled port of its host, which determines its leaf?  A host with ports on
 * several leaves must be listed once, or a count of free hosts by leaf would be too high.
 */
static int is_first_port(const struct sfab_fabric *f, uint32_t port)
{
	uint32_t p = f->hosts[f->ports[port].host].port0;

	while (f->ports[p].leaf == SFAB_NONE)
		p++;
	return p == port;
}

/* List the hosts by leaf.  Those of leaf l begin at leaf_host[leaf_first[l]]. */
static int set_leaf_hosts(struct sfab_model *m)
{
	const struct sfab_fabric *f = m->f;
	uint32_t n = 0;

	m->leaf_first = sfab_arena_take(&m->arena, f->nleaves + 1u, sizeof(*m->leaf_first));
	m->leaf_host = sfab_arena_take(&m->arena, f->nhosts, sizeof(*m->leaf_host));
	m->host_leaf = sfab_arena_take(&m->arena, f->nhosts, sizeof(*m->host_leaf));
	if (m->arena.failed)
		return -1;
	for (uint32_t h = 0; h < f->nhosts; h++)
		m->host_leaf[h] = sfab_host_leaf(f, h);
	for (uint32_t l = 0; l < f->nleaves; l++) {
		m->leaf_first[l] = n;
		for (uint32_t i = 0; i < f->leaves[l].nports; i++)
			if (is_first_port(f, f->leaves[l].port[i]))
				m->leaf_host[n++] =
					f->ports[f->leaves[l].port[i]].host;
	}
	m->leaf_first[f->nleaves] = n;
	return 0;
}

static uint32_t rail_leaf(const struct sfab_model *m, const uint32_t *rail_port,
			  uint32_t rail, uint32_t host)
{
	uint32_t port = rail_port[(size_t) rail * m->f->nhosts + host];

	return port == SFAB_NONE ? SFAB_NONE : m->f->ports[port].leaf;
}

/*
 * Are all ports of the hosts of @leaf on the same leaf, in each rail?  Traffic between these
 * hosts then never crosses a switch-to-switch link.
 */
static int is_local(const struct sfab_model *m, uint32_t leaf)
{
	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		uint32_t common_leaf = SFAB_NONE;

		for (uint32_t i = m->leaf_first[leaf]; i < m->leaf_first[leaf + 1];
		     i++) {
			uint32_t src = rail_leaf(m, m->rail_src, rail, m->leaf_host[i]);
			uint32_t dst = rail_leaf(m, m->rail_dst, rail, m->leaf_host[i]);

			if (common_leaf == SFAB_NONE)
				common_leaf = dst;
			if (dst != common_leaf || (src != SFAB_NONE && src != common_leaf))
				return 0;
		}
	}
	return 1;
}

int sfab_model_is_local(const struct sfab_model *m, const uint32_t *host,
			uint32_t n)
{
	uint32_t leaf = n ? m->host_leaf[host[0]] : SFAB_NONE;

	if (leaf == SFAB_NONE || !m->leaf_local[leaf])
		return n == 0;
	for (uint32_t i = 1; i < n; i++)
		if (m->host_leaf[host[i]] != leaf)
			return 0;
	return 1;
}

int sfab_model_sends_alike(const struct sfab_model *m, uint32_t a, uint32_t b)
{
	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		size_t first = (size_t) rail * m->f->nhosts;
		uint32_t x = m->rail_src[first + a], y = m->rail_src[first + b];

		if (x == SFAB_NONE && y == SFAB_NONE)
			continue;
		if (x == SFAB_NONE || y == SFAB_NONE ||
		    m->f->ports[x].leaf != m->f->ports[y].leaf ||
		    m->f->ports[x].rate != m->f->ports[y].rate)
			return 0;
	}
	return 1;
}

int sfab_model_walk_leaf_route(const struct sfab_model *m, uint32_t leaf, uint32_t port,
			       struct sfab_route *walk, struct sfab_leaf_route *out)
{
	if (sfab_route_from(m->f, m->f->leaves[leaf].sw, port, walk) < 0)
		return -1;
	*out = (struct sfab_leaf_route){ .hop = walk->hop };
	if (walk->status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < walk->n; i++)
		if (m->isl[walk->hop[i].link])
			walk->hop[out->n++] = walk->hop[i];
	return 1;
}

/* Mark for each leaf the members of @set with the fewest hops. */
static int set_near(struct sfab_model *m, uint32_t set, struct sfab_route *r)
{
	const struct sfab_ioset *s = &m->io->set[set];
	uint32_t *hops = calloc(s->nmembers, sizeof(*hops));
	uint8_t *nearest = sfab_arena_take(&m->arena, (size_t) m->f->nleaves * s->nmembers, 1);
	int rc = hops && nearest ? 0 : -1;

	m->nearest[set] = nearest;
	for (uint32_t l = 0; l < m->f->nleaves && rc == 0; l++) {
		uint32_t best = UINT32_MAX;

		for (uint32_t k = 0; k < s->nmembers && rc == 0; k++) {
			rc = sfab_route_from(m->f, m->f->leaves[l].sw,
					     m->io->ioport[s->member[k]], r);
			hops[k] = r->status == SFAB_ROUTE_OK ? r->n : UINT32_MAX;
			if (hops[k] < best)
				best = hops[k];
		}
		for (uint32_t k = 0; k < s->nmembers && rc == 0; k++)
			nearest[(size_t) l * s->nmembers + k] =
				best != UINT32_MAX && hops[k] == best;
	}
	free(hops);
	return rc;
}

static int set_maps(struct sfab_model *m)
{
	struct sfab_route r = { 0 };
	int rc = 0;

	if (!m->io)
		return 0;
	m->nearest = sfab_arena_take(&m->arena, m->io->nsets, sizeof(*m->nearest));
	if (!m->nearest)
		return -1;
	for (uint32_t s = 0; s < m->io->nsets && rc == 0; s++)
		if (m->io->set[s].map == SFAB_IOMAP_NEAREST)
			rc = set_near(m, s, &r);
	sfab_route_clear(&r);
	return rc;
}

struct sfab_model *sfab_model_create(const struct sfab_fabric *f,
				     const struct sfab_iosets *io)
{
	struct sfab_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->f = f;
	m->io = io;
	memcpy(m->mix, sfab_default_mix, sizeof(m->mix));
	m->nres = f->nlinks + (io ? io->nioports : 0);
	m->inv_cap = sfab_arena_take(&m->arena, m->nres, sizeof(*m->inv_cap));
	m->isl = sfab_arena_take(&m->arena, m->nres, 1);
	m->io_link = sfab_arena_take(&m->arena, m->nres, 1);
	m->io_host = sfab_arena_take(&m->arena, f->nhosts, 1);
	m->io_cabled = sfab_arena_take(&m->arena, m->nres - f->nlinks, 1);
	m->leaf_local = sfab_arena_take(&m->arena, f->nleaves, 1);
	if (m->arena.failed || !(m->tree = sfab_tree_create(f)) ||
	    sfab_paths_make(f, &m->arena, &m->paths) < 0 || set_rails(m) < 0 ||
	    set_leaf_hosts(m) < 0 || set_maps(m) < 0) {
		sfab_model_destroy(m);
		return NULL;
	}
	set_resources(m);
	for (uint32_t l = 0; l < f->nleaves; l++)
		m->leaf_local[l] = (uint8_t) is_local(m, l);
	return m;
}

void sfab_model_destroy(struct sfab_model *m)
{
	if (!m)
		return;
	sfab_tree_destroy(m->tree);
	sfab_arena_free(&m->arena);
	free(m);
}

int sfab_model_uses(const struct sfab_model *m, uint32_t set, uint32_t host,
		    uint32_t leaf, uint32_t k)
{
	const struct sfab_ioset *s = &m->io->set[set];

	if (!m->io_cabled[s->member[k]] ||
	    m->f->ports[m->io->ioport[s->member[k]]].host == host)
		return 0;
	switch (s->map) {
	case SFAB_IOMAP_GROUP:
		return s->client_group[host] == s->member_group[k];
	case SFAB_IOMAP_NEAREST:
		return m->nearest[set][(size_t) leaf * s->nmembers + k];
	default:
		return 1;
	}
}

uint32_t sfab_model_count_members(const struct sfab_model *m, uint32_t set,
				  uint32_t host, uint32_t leaf, uint32_t plane)
{
	const struct sfab_ioset *s = &m->io->set[set];
	uint32_t n = 0;

	for (uint32_t k = 0; k < s->nmembers; k++)
		if (m->f->ports[m->io->ioport[s->member[k]]].plane == plane)
			n += (uint32_t) sfab_model_uses(m, set, host, leaf, k);
	return n;
}

int sfab_model_find_set(const struct sfab_model *m,
			const struct sfab_traffic_part *part, uint32_t *set,
			struct sfab_err *err)
{
	/* A job that names no set uses the first one: most sites have only one. */
	*set = SFAB_NONE;
	if (m->io && m->io->nsets)
		*set = part->set[0] ? sfab_iosets_find(m->io, part->set) : 0;
	if (*set != SFAB_NONE)
		return 0;
	if (part->set[0])
		return sfab_fail(err, SFAB_ENOENT, "traffic %s: no IO set %s",
				 sfab_class_name(part->class), part->set);
	return sfab_fail(err, SFAB_ENOENT, "traffic %s: no IO set is defined (import --io "
			 "HOSTLIST, or IoSet in sfabric.conf)", sfab_class_name(part->class));
}
