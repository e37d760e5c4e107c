/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_moves.c - better positions for the hosts of an IO set; see io_moves.h
 *
 * One host after another moves to where its routes from all leaves add least to the sum of
 * squares over links, given the current positions of the others.  If that is its own position
 * it stays.  An IO host that swaps with a compute host is assumed to be reached as that host is
 * now.  This is right if the subnet manager routes by port and not by host.  OpenSM's ftree
 * counts hosts, not ports.  A free port is therefore assumed to be reached like a host on
 * another leaf that has as many hosts before it.  So a leaf that gets an IO host must keep its
 * own.  Whether the moves help is decided by rates predicted on the tables.
 */

#include "core/audit/io_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/audit/audit_private.h"
#include "core/fabric/route.h"

#define PORT_SLOTS 256u		/* above SFAB_SWITCH_PORTS_MAX */

struct server_position {
	uint32_t route_port;		/* end port whose routes the position would have */
	uint32_t sw;
	uint8_t port;
};

struct move_search {
	const struct sfab_model *m;
	const struct sfab_ioset *set;
	double *clients;		/* by leaf: compute hosts */
	double *senders;		/* by link: hosts that send over it, summed over members */
	uint8_t *taken;			/* by host: an IO host, or already part of a swap */
	uint8_t *used;			/* [switch * PORT_SLOTS + port]: cabled or planned */
	/* by member: its new position */
	struct server_position *position;
	uint8_t *has_gained, *has_lost;	/* by leaf: a host of another one came; one left */
	uint32_t last_leaf;		/* leaf that got a host last, or SFAB_NONE */
	struct sfab_route r;
	struct sfab_arena arena;	/* all arrays */
};

static struct server_position position_of(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];

	return (struct server_position){port, p->sw, p->sw_port};
}

static uint32_t port_of_member(const struct move_search *s, uint32_t k)
{
	return s->m->io->ioport[s->set->member[k]];
}

static int is_moved(const struct move_search *s, uint32_t k)
{
	return s->position[k].route_port != port_of_member(s, k);
}

/*
 * Add @factor times the routes to @port: 0 changes nothing, -1 removes them again.  Return what
 * adding them once would add to the sum of squares: x more senders on a link that has c add (c
 * + x)^2 - c^2 = x (2c + x).  -1: out of memory.
 */
static double add_routes_to_port(struct move_search *s, uint32_t port, double factor)
{
	const struct sfab_fabric *f = s->m->f;
	double added = 0;

	for (uint32_t l = 0; l < f->nleaves; l++) {
		double w = s->clients[l];

		if (!w || l == f->ports[port].leaf ||
		    f->switches[f->leaves[l].sw].plane != f->ports[port].plane)
			continue;
		if (sfab_route_from(f, f->leaves[l].sw, port, &s->r) < 0)
			return -1;
		for (uint32_t h = 0; h < s->r.n; h++) {
			double x = w * s->r.hop[h].share;
			double *senders = &s->senders[s->r.hop[h].link];

			added += x * (2 * *senders + x);
			*senders += factor * x;
		}
	}
	return added;
}

/* Is @port the only cabled port of its host in its plane?  Hosts with more are not moved. */
static int is_single(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_host *h = &f->hosts[f->ports[port].host];
	uint32_t n = 0;

	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++)
		n += f->ports[i].plane == f->ports[port].plane &&
		     f->ports[i].sw != SFAB_NONE;
	return n == 1;
}

/* May the host at @port swap, or serve as a model for a free port? */
static int may_take(const struct move_search *s, uint32_t port)
{
	const struct sfab_port *p = &s->m->f->ports[port];

	return p->lid && !s->taken[p->host] && is_single(s->m->f, port);
}

/* The best position so far, and what it adds to the sum of squares. */
struct best_position {
	struct server_position position;
	double sum;
};

static int try_position(struct move_search *s, struct server_position position,
			struct best_position *best)
{
	double sum = add_routes_to_port(s, position.route_port, 0);

	if (sum < 0)
		return -1;
	/* Rounding must not move a host: equal sums keep the earlier position, first its own. */
	if (sum < best->sum * (1 - 1e-9))
		*best = (struct best_position) { position, sum };
	return 0;
}

/*
 * Try to swap with each compute host of the leaf in turn.  If @free_port is not 0, try to move
 * there, with the routes of the best of them.
 */
static int try_leaf_hosts(struct move_search *s, uint32_t leaf, uint8_t free_port,
			  struct best_position *best)
{
	const struct sfab_leaf *l = &s->m->f->leaves[leaf];

	for (uint32_t i = 0; i < l->nports; i++) {
		struct server_position position = position_of(s->m->f, l->port[i]);

		if (free_port)
			position.port = free_port;
		if (may_take(s, position.route_port) && try_position(s, position, best) < 0)
			return -1;
	}
	return 0;
}

/* Count the hosts before a port of the leaf, without member @k and with earlier moves applied. */
static uint32_t count_before(const struct move_search *s, const struct sfab_leaf *l,
			     unsigned port, uint32_t k)
{
	const struct sfab_fabric *f = s->m->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nports; i++)
		n += f->ports[l->port[i]].sw_port < port;
	for (uint32_t i = 0; i < s->set->nmembers; i++) {
		const struct sfab_port *old = &f->ports[port_of_member(s, i)];
		const struct server_position *new = &s->position[i];

		n -= (i == k || is_moved(s, i)) && old->sw == l->sw && old->sw_port < port;
		n += i != k && is_moved(s, i) && new->sw == l->sw && new->port < port;
	}
	return n;
}

/*
 * Find a host on another leaf of the plane that has @before hosts before it.  *@any: there are
 * such hosts, even if none may serve as a model.
 */
static uint32_t find_counterpart(const struct move_search *s, uint32_t leaf,
				 uint32_t before, int *any)
{
	const struct sfab_fabric *f = s->m->f;

	*any = 0;
	for (uint32_t i = 1; i < f->nleaves; i++) {
		const struct sfab_leaf *l = &f->leaves[(leaf + i) % f->nleaves];

		if (f->switches[l->sw].plane !=
		    f->switches[f->leaves[leaf].sw].plane ||
		    l->nports <= before)
			continue;
		*any = 1;
		if (may_take(s, l->port[before]))
			return l->port[before];
	}
	return SFAB_NONE;
}

/*
 * Try the free ports of the leaf.  They have no routes yet, so these are taken from a port that
 * is in the same position on another leaf.  If no host is reached like this yet, a host of its
 * own leaf is the model.
 */
static int try_free_ports(struct move_search *s, uint32_t leaf, uint32_t k,
			  struct best_position *best)
{
	const struct sfab_leaf *l = &s->m->f->leaves[leaf];
	int any, rc = 0;

	for (unsigned p = 1; rc == 0 && p <= s->m->f->switches[l->sw].nports; p++) {
		struct server_position position = {0, l->sw, (uint8_t) p};

		if (s->used[l->sw * PORT_SLOTS + p])
			continue;
		position.route_port = find_counterpart(s, leaf, count_before(s, l, p, k), &any);
		if (position.route_port != SFAB_NONE)
			rc = try_position(s, position, best);
		else if (!any)
			rc = try_leaf_hosts(s, leaf, position.port, best);
	}
	return rc;
}

/* Return a leaf of @plane with room.  The start of the search depends on @k. */
static uint32_t leaf_in_turn(const struct move_search *s, uint32_t plane, uint32_t k,
			     enum sfab_moves_kind kind)
{
	const struct sfab_fabric *f = s->m->f;
	/* Spread the members evenly over the leaves. */
	uint32_t first = 1 + (uint32_t) ((uint64_t) k * f->nleaves /
					 s->set->nmembers);

	for (uint32_t i = 0; i < f->nleaves; i++) {
		uint32_t l = (first + i) % f->nleaves, sw = f->leaves[l].sw;
		int has_room = kind != SFAB_MOVES_FREE_PORTS && f->leaves[l].nports > 0;

		if (kind == SFAB_MOVES_FREE_PORTS && !s->has_lost[l])
			for (unsigned p = 1; p <= f->switches[sw].nports; p++)
				has_room |= !s->used[sw * PORT_SLOTS + p];
		if (f->switches[sw].plane == plane && has_room)
			return l;
	}
	return SFAB_NONE;
}

/*
 * Try the leaves that a kind of moves allows.  For free ports these are member @k's own leaf,
 * the leaf that got a host last, and one in turn.
 */
static int try_leaves(struct move_search *s, uint32_t k, enum sfab_moves_kind kind,
		      struct best_position *best)
{
	const struct sfab_port *p = &s->m->f->ports[port_of_member(s, k)];
	uint32_t turn = kind == SFAB_MOVES_SAME_LEAF ? p->leaf : leaf_in_turn(s, p->plane, k, kind);
	uint32_t leaf[3] = { p->leaf, s->last_leaf, turn };

	if (kind != SFAB_MOVES_FREE_PORTS)
		return turn == SFAB_NONE ? 0 : try_leaf_hosts(s, turn, 0, best);
	/* A leaf that received a host must keep its own (see above). */
	if (s->has_gained[p->leaf])
		return 0;
	for (int i = 0; i < 3; i++) {
		if (leaf[i] == SFAB_NONE || (i == 2 && leaf[2] == leaf[1]) ||
		    s->m->f->switches[s->m->f->leaves[leaf[i]].sw].plane !=
		    p->plane)
			continue;
		if (try_free_ports(s, leaf[i], k, best) < 0)
			return -1;
	}
	return 0;
}

/* Move member @k to the best position that this kind of moves allows, which may be its own. */
static int move_member(struct move_search *s, uint32_t k, enum sfab_moves_kind kind)
{
	const struct sfab_fabric *f = s->m->f;
	uint32_t port = port_of_member(s, k), from = f->ports[port].leaf, to;
	struct best_position best = { .position = s->position[k] };

	if (from == SFAB_NONE || !is_single(f, port))
		return 0;
	/* Remove its own routes first, so that staying is rated like any other position. */
	if (add_routes_to_port(s, port, -1) < 0)
		return -1;
	best.sum = add_routes_to_port(s, port, 0);
	if (best.sum < 0 || try_leaves(s, k, kind, &best) < 0 ||
	    add_routes_to_port(s, best.position.route_port, 1) < 0)
		return -1;
	s->position[k] = best.position;
	s->taken[f->ports[best.position.route_port].host] = 1;
	s->used[best.position.sw * PORT_SLOTS + best.position.port] = 1;
	to = f->switches[best.position.sw].leaf;
	if (from != to) {
		s->has_lost[from] = s->has_gained[to] = 1;
		s->last_leaf = to;
	}
	return 0;
}

/* Copy the set as it is after its first @max moves, with its IO ports in ascending order again. */
static struct sfab_iosets *copy_moved_set(const struct move_search *s, uint32_t max,
					  struct sfab_err *err)
{
	uint32_t n = s->set->nmembers, moved = 0;
	struct sfab_arena arena = { 0 };
	uint64_t *key = sfab_arena_take(&arena, n, sizeof(*key));
	uint32_t *port = sfab_arena_take(&arena, n, sizeof(*port));
	uint32_t *member = sfab_arena_take(&arena, n, sizeof(*member));
	double *capacity = sfab_arena_take(&arena, n, sizeof(*capacity));
	struct sfab_ioset set = *s->set;
	struct sfab_iosets *copy = NULL, sets = { .nsets = 1, .set = &set, .nioports = n,
						  .ioport = port, .capacity = capacity };

	set.member = member;
	for (uint32_t k = 0; !arena.failed && k < n; k++) {
		int is_taken = is_moved(s, k) && moved < max;

		moved += is_taken;
		port[k] = is_taken ? s->position[k].route_port : port_of_member(s, k);
		key[k] = (uint64_t) port[k] << 32 | k;
	}
	if (arena.failed) {
		sfab_no_memory(err);
	} else {
		qsort(key, n, sizeof(*key), sfab_ascending_u64);
		for (uint32_t k = 0; k < n; k++) {
			port[k] = (uint32_t) (key[k] >> 32);
			capacity[k] = s->m->io->capacity[s->set->member[(uint32_t) key[k]]];
			member[k] = k;
		}
		copy = sfab_iosets_copy(s->m->f, &sets, err);
	}
	sfab_arena_free(&arena);
	return copy;
}

/* Find the rates with the first @max moves done, on a model of their own. */
static int rate_moves(const struct move_search *s, const struct sfab_moves_options *ask,
		      uint32_t max, struct sfab_io_rates *rates,
		      struct sfab_err *err)
{
	struct sfab_iosets *io = copy_moved_set(s, max, err);
	struct sfab_model *m = io ? sfab_model_create(s->m->f, io) : NULL;
	int rc = -1;

	if (m)
		rc = sfab_audit_rates(m, ask->block, 0, ask->rates->block.class,
				      rates, err);
	else if (io)
		sfab_no_memory(err);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	return rc;
}

double sfab_io_rates_loss(const struct sfab_io_rates *r)
{
	return fmax(sfab_io_rate_loss(&r->block), sfab_io_rate_loss(&r->all));
}

/* List the moves.  One to the port of a host is a swap, one to a free port is not. */
static int list_moves(const struct move_search *s, uint32_t max, struct sfab_moves *out)
{
	const struct sfab_fabric *f = s->m->f;

	out->move = calloc(max + 1u, sizeof(*out->move));
	if (!out->move)
		return -1;
	for (uint32_t k = 0; k < s->set->nmembers && out->n < max; k++) {
		const struct server_position *position = &s->position[k];
		const struct sfab_port *model = &f->ports[position->route_port];
		int is_swap = model->sw == position->sw && model->sw_port == position->port;

		if (is_moved(s, k))
			out->move[out->n++] = (struct sfab_move){
			    f->ports[port_of_member(s, k)].host,
			    is_swap ? model->host : SFAB_NONE,
			    port_of_member(s, k),
			    position->sw,
			    position->port,
			};
	}
	return 0;
}

/* Return the loss as if no max-min were known: fewer moves must not lose in lockstep either. */
static double lockstep_loss(struct sfab_io_rates r)
{
	r.block.maxmin = r.all.maxmin = 0;
	return sfab_io_rates_loss(&r);
}

/*
 * Find the fewest of @all moves that gain about as much as all.  *@r has the rates of all and
 * is updated.  The binary search assumes that more moves are never worse.
 */
static int find_fewest_moves(const struct move_search *s,
			     const struct sfab_moves_options *ask, uint32_t all,
			     uint32_t *n, struct sfab_io_rates *r,
			     struct sfab_err *err)
{
	double enough = lockstep_loss(*r) + SFAB_MOVES_GAIN / 2;
	uint32_t low = 1, high = all;
	struct sfab_io_rates some;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (rate_moves(s, ask, mid, &some, err) < 0)
			return -1;
		if (lockstep_loss(some) <= enough) {
			high = mid;
			*r = some;
		} else {
			low = mid + 1;
		}
	}
	*n = high;
	return 0;
}

/*
 * Choose the moves.  There are none if they gain less than SFAB_MOVES_GAIN: recabling has a
 * price.
 */
static int choose_moves(struct move_search *s, const struct sfab_moves_options *ask,
			struct sfab_moves *out, struct sfab_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->set->nmembers; i++)
		if (add_routes_to_port(s, port_of_member(s, i), 1) < 0)
			return sfab_no_memory(err);
	for (uint32_t i = 0; i < s->set->nmembers; i++) {
		if (move_member(s, i, ask->kind) < 0)
			return sfab_no_memory(err);
		n += (uint32_t) is_moved(s, i);
	}
	if (!n)
		return 0;
	if (rate_moves(s, ask, n, &out->rates, err) < 0)
		return -1;
	if (sfab_io_rates_loss(&out->rates) >=
	    sfab_io_rates_loss(ask->rates) - SFAB_MOVES_GAIN)
		return 0;
	if (ask->amount == SFAB_MOVES_FEWEST &&
	    find_fewest_moves(s, ask, n, &n, &out->rates, err) < 0)
		return -1;
	return list_moves(s, n, out) == 0 ? 0 : sfab_no_memory(err);
}

int sfab_io_find_moves(const struct sfab_moves_options *ask, struct sfab_moves *out,
		       struct sfab_err *err)
{
	const struct sfab_ioset *set = &ask->m->io->set[ask->rates->block.set];
	const struct sfab_fabric *f = ask->m->f;
	struct move_search s = { .m = ask->m, .set = set, .last_leaf = SFAB_NONE };
	int rc;

	memset(out, 0, sizeof(*out));
	if (set->map == SFAB_IOMAP_GROUP)
		return 0;	/* clients of a group use only their own servers */
	s.clients = sfab_arena_take(&s.arena, f->nleaves, sizeof(*s.clients));
	s.senders = sfab_arena_take(&s.arena, f->nlinks, sizeof(*s.senders));
	s.taken = sfab_arena_take(&s.arena, f->nhosts, sizeof(*s.taken));
	s.used = sfab_arena_take(&s.arena, f->nswitches, PORT_SLOTS);
	s.position = sfab_arena_take(&s.arena, set->nmembers, sizeof(*s.position));
	s.has_gained = sfab_arena_take(&s.arena, f->nleaves, 1);
	s.has_lost = sfab_arena_take(&s.arena, f->nleaves, 1);
	if (s.arena.failed) {
		sfab_arena_free(&s.arena);
		return sfab_no_memory(err);
	}
	/*
	 * Note who is where now: a position is free if its port has no cable, and a compute
	 * host may give up its own.
	 */
	for (uint32_t p = 0; p < f->nports; p++) {
		uint32_t h = f->ports[p].host;

		s.taken[h] = !sfab_model_computes(s.m, h);
		if (f->ports[p].leaf != SFAB_NONE && !s.taken[h])
			s.clients[f->ports[p].leaf]++;
	}
	for (uint32_t i = 0; i < f->nswitches; i++)
		for (unsigned p = 1; p <= f->switches[i].nports; p++)
			s.used[i * PORT_SLOTS + p] = f->switches[i].out[p] != SFAB_NONE;
	for (uint32_t k = 0; k < set->nmembers; k++)
		s.position[k] = position_of(f, port_of_member(&s, k));
	rc = choose_moves(&s, ask, out, err);
	sfab_arena_free(&s.arena);
	sfab_route_clear(&s.r);
	return rc;
}
