/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_way.c - see io_way.h */

#include "core/load/io_way.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"

struct way_walk {
	const struct sfab_model *m;
	struct sfab_io_way *way;
	uint32_t *writer;	/* by leaf: its first compute host, or SFAB_NONE */
	double *nwriters;	/* by leaf: its compute hosts */
	uint8_t *is_done;	/* by IO port */
	struct sfab_route r;
};

/* Compute hosts of each leaf. */
static void find_writers(struct way_walk *w)
{
	const struct sfab_model *m = w->m;

	for (uint32_t l = 0; l < m->f->nleaves; l++) {
		w->writer[l] = SFAB_NONE;
		for (uint32_t i = m->leaf_first[l]; i < m->leaf_first[l + 1]; i++) {
			uint32_t h = m->leaf_host[i];

			if (m->f->hosts[h].role != SFAB_HOST_COMPUTE || m->io_host[h])
				continue;
			if (!w->nwriters[l]++)
				w->writer[l] = h;
		}
	}
}

/* Do the hosts of @leaf write to member @k?  Those of its own leaf do, too. */
static int writes_to(const struct way_walk *w, uint32_t set, uint32_t k, uint32_t leaf)
{
	const struct sfab_model *m = w->m;
	const struct sfab_port *p = &m->f->ports[m->io->ioport[m->io->set[set].member[k]]];

	return w->writer[leaf] != SFAB_NONE && p->leaf != SFAB_NONE &&
	       p->plane == m->f->switches[m->f->leaves[leaf].sw].plane &&
	       sfab_model_uses(m, set, w->writer[leaf], leaf, k);
}

/* Bytes/s that IO port @i takes: its server, and the link of its port. */
static double port_takes(const struct sfab_model *m, uint32_t i)
{
	uint32_t eject = m->f->ports[m->io->ioport[i]].eject;
	double cap = m->io->capacity[i];

	return eject != SFAB_NONE && m->f->links[eject].capacity < cap ?
		       m->f->links[eject].capacity : cap;
}

/* Add @x bytes/s on the way from @leaf to end port @port. */
static int add_write_way(struct way_walk *w, uint32_t leaf, uint32_t port, double x)
{
	const struct sfab_model *m = w->m;

	if (sfab_route_from(m->f, m->f->leaves[leaf].sw, port, &w->r) < 0)
		return -1;
	for (uint32_t i = 0; w->r.status == SFAB_ROUTE_OK && i < w->r.n; i++)
		w->way->link[w->r.hop[i].link] += x * w->r.hop[i].share;
	return 0;
}

static int add_server(struct way_walk *w, uint32_t set, uint32_t k)
{
	const struct sfab_model *m = w->m;
	uint32_t i = m->io->set[set].member[k];
	double writers = 0;
	int rc = 0;

	if (w->is_done[i])
		return 0;
	w->is_done[i] = 1;
	for (uint32_t l = 0; l < m->f->nleaves; l++)
		writers += writes_to(w, set, k, l) ? w->nwriters[l] : 0;
	for (uint32_t l = 0; l < m->f->nleaves && rc == 0; l++)
		if (writes_to(w, set, k, l))
			rc = add_write_way(w, l, m->io->ioport[i],
				     port_takes(m, i) * w->nwriters[l] / writers);
	return rc;
}

static int add_servers(struct way_walk *w)
{
	const struct sfab_iosets *io = w->m->io;
	int rc = 0;

	for (uint32_t s = 0; s < io->nsets && rc == 0; s++)
		for (uint32_t k = 0; k < io->set[s].nmembers && rc == 0; k++)
			rc = add_server(w, s, k);
	for (uint32_t e = 0; e < w->m->f->nlinks; e++) {
		double full = w->m->isl[e] ? w->way->link[e] * w->m->inv_cap[e] : 0;

		w->way->link[e] = full < 1 ? full : 1;
	}
	return rc;
}

/* The fullest way from @leaf to end port @port. */
static int fullest_way(struct way_walk *w, uint32_t leaf, uint32_t port, double *x)
{
	const struct sfab_model *m = w->m;

	*x = 0;
	if (sfab_route_from(m->f, m->f->leaves[leaf].sw, port, &w->r) < 0)
		return -1;
	for (uint32_t i = 0; w->r.status == SFAB_ROUTE_OK && i < w->r.n; i++)
		if (w->way->link[w->r.hop[i].link] > *x)
			*x = w->way->link[w->r.hop[i].link];
	return 0;
}

/* The mean of that over some leaves; a host's first rail stands for all. */
static int look_at_host(struct way_walk *w, uint32_t host)
{
	const struct sfab_model *m = w->m;
	uint32_t port = m->nrails ? m->rail_dst[host] : SFAB_NONE, n = 0;
	uint32_t apart = (m->f->nleaves + SFAB_IO_WAY_VIEWS - 1) / SFAB_IO_WAY_VIEWS;
	double x, sum = 0;

	if (port == SFAB_NONE)
		return 0;
	for (uint32_t l = 0; l < m->f->nleaves; l += apart) {
		if (l == m->f->ports[port].leaf ||
		    m->f->switches[m->f->leaves[l].sw].plane != m->f->ports[port].plane)
			continue;
		if (fullest_way(w, l, port, &x) < 0)
			return -1;
		sum += x;
		n++;
	}
	w->way->host[host] = n ? sum / n : 0;
	return 0;
}

static int walk_ways(struct way_walk *w)
{
	int rc;

	find_writers(w);
	rc = add_servers(w);
	for (uint32_t h = 0; h < w->m->f->nhosts && rc == 0; h++)
		rc = look_at_host(w, h);
	return rc;
}

int sfab_io_way_init(struct sfab_io_way *way, const struct sfab_model *m)
{
	const struct sfab_fabric *f = m->f;
	struct way_walk w = { .m = m, .way = way };
	int rc = -1;

	memset(way, 0, sizeof(*way));
	if (!m->io || !m->io->nioports)
		return 0;
	way->link = calloc(f->nlinks + 1u, sizeof(*way->link));
	way->host = calloc(f->nhosts + 1u, sizeof(*way->host));
	w.writer = calloc(f->nleaves + 1u, sizeof(*w.writer));
	w.nwriters = calloc(f->nleaves + 1u, sizeof(*w.nwriters));
	w.is_done = calloc(m->io->nioports, 1);
	if (way->link && way->host && w.writer && w.nwriters && w.is_done)
		rc = walk_ways(&w);
	sfab_route_clear(&w.r);
	free(w.writer);
	free(w.nwriters);
	free(w.is_done);
	return rc;
}

void sfab_io_way_free(struct sfab_io_way *way)
{
	free(way->link);
	free(way->host);
	memset(way, 0, sizeof(*way));
}
