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

enum { PLACE_NONE, PLACE_COMPUTE, PLACE_IO };	/* what is on an end port */

struct mixing {
	const struct sfab_model *m;
	uint8_t *place;		/* by end port */
	uint32_t *nhosts;	/* by leaf: compute ports */
	uint8_t *is_written;	/* by link */
	struct sfab_route r;
	double all, mixed;	/* routes */
};

/*
 * Set the place of each port, with the IO hosts where @moves take them.  A move to a free port
 * changes nothing here, since the tables have no routes to it yet.
 */
static void put_places(struct mixing *x, uint32_t set, const struct sfab_moves *moves)
{
	const struct sfab_model *m = x->m;
	const struct sfab_fabric *f = m->f;

	for (uint32_t p = 0; p < f->nports; p++)
		if (sfab_model_computes(m, f->ports[p].host) && f->ports[p].leaf != SFAB_NONE)
			x->place[p] = PLACE_COMPUTE;
	for (uint32_t k = 0; k < m->io->set[set].nmembers; k++)
		x->place[m->io->ioport[m->io->set[set].member[k]]] = PLACE_IO;
	for (uint32_t i = 0; moves && i < moves->n; i++) {
		uint32_t host = moves->move[i].place, to;

		if (host == SFAB_NONE)
			continue;
		to = f->hosts[host].port0;
		x->place[to] = PLACE_IO;
		x->place[moves->move[i].from] = PLACE_COMPUTE;
	}
	for (uint32_t p = 0; p < f->nports; p++)
		if (x->place[p] == PLACE_COMPUTE)
			x->nhosts[f->ports[p].leaf]++;
}

/*
 * Set x->r to the route from @leaf to end port @port; 0: there is no route, or it does not
 * count.
 */
static int take_route(struct mixing *x, uint32_t leaf, uint32_t port)
{
	const struct sfab_fabric *f = x->m->f;
	const struct sfab_port *p = &f->ports[port];

	if (!x->nhosts[leaf] || p->leaf == leaf || p->leaf == SFAB_NONE ||
	    p->plane != f->switches[f->leaves[leaf].sw].plane)
		return 0;
	if (sfab_route_from(f, f->leaves[leaf].sw, port, &x->r) < 0)
		return -1;
	return x->r.status == SFAB_ROUTE_OK;
}

/* Count the routes to @port from a sample of leaves. */
static int count_mixed(struct mixing *x, uint32_t port)
{
	const struct sfab_model *m = x->m;
	uint32_t apart = (m->f->nleaves + SFAB_MIXING_LEAVES - 1) / SFAB_MIXING_LEAVES;

	for (uint32_t l = 0; l < m->f->nleaves; l += apart) {
		int rc = take_route(x, l, port), is_mixed = 0;

		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		for (uint32_t i = 0; i < x->r.n; i++)
			is_mixed |= m->isl[x->r.hop[i].link] &&
				    x->is_written[x->r.hop[i].link];
		x->all += x->nhosts[l];
		x->mixed += is_mixed ? x->nhosts[l] : 0;
	}
	return 0;
}

int sfab_io_mixing(const struct sfab_model *m, uint32_t set,
		   const struct sfab_moves *moves, double *part, struct sfab_err *err)
{
	const struct sfab_fabric *f = m->f;
	struct sfab_arena arena = { 0 };
	struct mixing x = { .m = m, .place = sfab_arena_take(&arena, f->nports, 1),
			    .nhosts = sfab_arena_take(&arena, f->nleaves, sizeof(*x.nhosts)),
			    .is_written = sfab_arena_take(&arena, f->nlinks, 1) };
	int rc = arena.failed ? -1 : 0;

	if (rc == 0)
		put_places(&x, set, moves);
	/* All writes are flagged before the first route is compared with them. */
	for (uint32_t p = 0; rc >= 0 && p < f->nports; p++) {
		if (x.place[p] != PLACE_IO)
			continue;
		for (uint32_t l = 0; rc >= 0 && l < f->nleaves; l++) {
			rc = take_route(&x, l, p);
			for (uint32_t i = 0; rc > 0 && i < x.r.n; i++)
				x.is_written[x.r.hop[i].link] = 1;
		}
	}
	for (uint32_t p = 0; rc >= 0 && p < f->nports; p++)
		if (x.place[p] == PLACE_COMPUTE)
			rc = count_mixed(&x, p);
	*part = rc >= 0 && x.all > 0 ? x.mixed / x.all : 0;
	sfab_route_clear(&x.r);
	sfab_arena_free(&arena);
	return rc < 0 ? sfab_no_memory(err) : 0;
}
