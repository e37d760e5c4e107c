/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_mixing.c - do hosts talk to each other over the links over which they write?  See
 * io_moves.h
 *
 * IO hosts on different ports get more, but then the routes between compute hosts share links
 * with writes.  If jobs write more than the servers take, and the servers hold data back in the
 * switches, such links fill up with it.  This congestion tree then slows everything that
 * crosses them.
 *
 * Two passes over the tables: which links do writes of compute hosts cross, and which routes
 * between compute hosts cross one of these.  Moves of IO hosts are tried by exchanging what is
 * on the ports; the tables stay as they are.
 */

#include "core/audit/io_moves.h"

#include "core/fabric/route.h"

enum { ON_PORT_NONE, ON_PORT_COMPUTE, ON_PORT_IO };	/* what is on an end port */

struct mixing {
	const struct sfab_model *m;
	uint8_t *occupant;	/* by end port: what is on it */
	uint32_t *nhosts;	/* by leaf: compute ports */
	uint8_t *is_written;	/* by link: writes to the set cross it */
	struct sfab_route r;
	double all, mixed;	/* routes, and those of them that cross such a link */
};

/*
 * Set the occupant of each port, with the IO hosts where @moves take them.  A move to a free
 * port changes nothing here, since the tables have no routes to it yet.
 */
static void set_occupants(struct mixing *mix, uint32_t set, const struct sfab_moves *moves)
{
	const struct sfab_model *m = mix->m;
	const struct sfab_fabric *f = m->f;

	for (uint32_t p = 0; p < f->nports; p++)
		if (sfab_model_computes(m, f->ports[p].host) && f->ports[p].leaf != SFAB_NONE)
			mix->occupant[p] = ON_PORT_COMPUTE;
	for (uint32_t k = 0; k < m->io->set[set].nmembers; k++)
		mix->occupant[m->io->ioport[m->io->set[set].member[k]]] = ON_PORT_IO;
	for (uint32_t i = 0; moves && i < moves->n; i++) {
		uint32_t host = moves->move[i].peer, to;

		if (host == SFAB_NONE)
			continue;
		to = f->hosts[host].port0;
		mix->occupant[to] = ON_PORT_IO;
		mix->occupant[moves->move[i].from] = ON_PORT_COMPUTE;
	}
	for (uint32_t p = 0; p < f->nports; p++)
		if (mix->occupant[p] == ON_PORT_COMPUTE)
			mix->nhosts[f->ports[p].leaf]++;
}

/*
 * Set mix->r to the route from @leaf to end port @port.  1: set; 0: there is no route, or it
 * does not count; -1: out of memory.
 */
static int take_route(struct mixing *mix, uint32_t leaf, uint32_t port)
{
	const struct sfab_fabric *f = mix->m->f;
	const struct sfab_port *p = &f->ports[port];

	if (!mix->nhosts[leaf] || p->leaf == leaf || p->leaf == SFAB_NONE ||
	    p->plane != f->switches[f->leaves[leaf].sw].plane)
		return 0;
	if (sfab_route_from(f, f->leaves[leaf].sw, port, &mix->r) < 0)
		return -1;
	return mix->r.status == SFAB_ROUTE_OK;
}

/*
 * Count the routes to @port from a sample of leaves.  All hosts of a leaf have the same route,
 * so it counts as often as the leaf has hosts.
 */
static int count_mixed(struct mixing *mix, uint32_t port)
{
	const struct sfab_model *m = mix->m;
	uint32_t apart = (m->f->nleaves + SFAB_MIXING_LEAVES - 1) / SFAB_MIXING_LEAVES;

	for (uint32_t l = 0; l < m->f->nleaves; l += apart) {
		int rc = take_route(mix, l, port), is_mixed = 0;

		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		for (uint32_t i = 0; i < mix->r.n; i++)
			is_mixed |= m->isl[mix->r.hop[i].link] &&
				    mix->is_written[mix->r.hop[i].link];
		mix->all += mix->nhosts[l];
		mix->mixed += is_mixed ? mix->nhosts[l] : 0;
	}
	return 0;
}

int sfab_io_measure_mixing(const struct sfab_model *m, uint32_t set,
			   const struct sfab_moves *moves, double *part, struct sfab_err *err)
{
	const struct sfab_fabric *f = m->f;
	struct sfab_arena arena = { 0 };
	struct mixing mix = { .m = m, .occupant = sfab_arena_take(&arena, f->nports, 1),
			      .nhosts = sfab_arena_take(&arena, f->nleaves, sizeof(*mix.nhosts)),
			      .is_written = sfab_arena_take(&arena, f->nlinks, 1) };
	int rc = arena.failed ? -1 : 0;

	if (rc == 0)
		set_occupants(&mix, set, moves);
	/* All writes are flagged before the first route is compared with them. */
	for (uint32_t p = 0; rc >= 0 && p < f->nports; p++) {
		if (mix.occupant[p] != ON_PORT_IO)
			continue;
		for (uint32_t l = 0; rc >= 0 && l < f->nleaves; l++) {
			rc = take_route(&mix, l, p);
			for (uint32_t i = 0; rc > 0 && i < mix.r.n; i++)
				mix.is_written[mix.r.hop[i].link] = 1;
		}
	}
	for (uint32_t p = 0; rc >= 0 && p < f->nports; p++)
		if (mix.occupant[p] == ON_PORT_COMPUTE)
			rc = count_mixed(&mix, p);
	*part = rc >= 0 && mix.all > 0 ? mix.mixed / mix.all : 0;
	sfab_route_clear(&mix.r);
	sfab_arena_free(&arena);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
