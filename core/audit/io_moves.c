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

struct server_place {
	uint32_t like;		/* end port whose routes the position would have */
	uint32_t sw;
	uint8_t port;
};

struct moving {
	const struct sfab_model *m;
	const struct sfab_ioset *set;
	double *clients;		/* by leaf: compute hosts */
	double *count;			/* by link: hosts that send over it, summed over members */
	uint8_t *taken;			/* by host: an IO host, or already part of a swap */
	uint8_t *used;			/* 256 entries per switch: cabled or planned */
	struct server_place *place;	/* by member: its new position */
	uint8_t *gets, *gives;		/* by leaf: hosts from or to other leaves */
	uint32_t last;			/* leaf that got a host last, or SFAB_NONE */
	struct sfab_route r;
	struct sfab_arena arena;	/* all arrays */
};

static struct server_place place_of(const struct sfab_fabric *f, uint32_t port)
{
	const struct sfab_port *p = &f->ports[port];

	return (struct server_place){port, p->sw, p->sw_port};
}

static uint32_t port_of_member(const struct moving *v, uint32_t k)
{
	return v->m->io->ioport[v->set->member[k]];
}

static int is_moved(const struct moving *v, uint32_t k)
{
	return v->place[k].like != port_of_member(v, k);
}

/*
 * Add @factor times the routes to @port.  Returns what adding them once would add to the sum of
 * squares, (c + x)^2 - c^2 = x (2c + x), or -1: out of memory.  @factor 0 changes nothing; -1
 * removes the routes again.
 */
static double add_routes_to_port(struct moving *v, uint32_t port, double factor)
{
	const struct sfab_fabric *f = v->m->f;
	double sum = 0;

	for (uint32_t l = 0; l < f->nleaves; l++) {
		double w = v->clients[l];

		if (!w || l == f->ports[port].leaf ||
		    f->switches[f->leaves[l].sw].plane != f->ports[port].plane)
			continue;
		if (sfab_route_from(f, f->leaves[l].sw, port, &v->r) < 0)
			return -1;
		for (uint32_t h = 0; h < v->r.n; h++) {
			double x = w * v->r.hop[h].share;
			double *count = &v->count[v->r.hop[h].link];

			sum += x * (2 * *count + x);
			*count += factor * x;
		}
	}
	return sum;
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
static int may_take(const struct moving *v, uint32_t port)
{
	const struct sfab_port *p = &v->m->f->ports[port];

	return p->lid && !v->taken[p->host] && is_single(v->m->f, port);
}

/* The best position so far, and what it adds to the sum of squares. */
struct best_place {
	struct server_place place;
	double sum;
};

static int try_place(struct moving *v, struct server_place place, struct best_place *best)
{
	double sum = add_routes_to_port(v, place.like, 0);

	if (sum < 0)
		return -1;
	/* Rounding must not move a host: equal sums keep the earlier position, first its own. */
	if (sum < best->sum * (1 - 1e-9))
		*best = (struct best_place) { place, sum };
	return 0;
}

/*
 * Try to swap with each compute host of the leaf in turn.  If @free_port is not 0, try to move
 * there, with the routes of the best of them.
 */
static int try_leaf_hosts(struct moving *v, uint32_t leaf, uint8_t free_port,
			  struct best_place *best)
{
	const struct sfab_leaf *l = &v->m->f->leaves[leaf];

	for (uint32_t i = 0; i < l->nports; i++) {
		struct server_place place = place_of(v->m->f, l->port[i]);

		if (free_port)
			place.port = free_port;
		if (may_take(v, place.like) && try_place(v, place, best) < 0)
			return -1;
	}
	return 0;
}

/* Count the hosts before a port of the leaf, without member @k and with earlier moves applied. */
static uint32_t count_before(const struct moving *v, const struct sfab_leaf *l,
			     unsigned port, uint32_t k)
{
	const struct sfab_fabric *f = v->m->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nports; i++)
		n += f->ports[l->port[i]].sw_port < port;
	for (uint32_t i = 0; i < v->set->nmembers; i++) {
		const struct sfab_port *was = &f->ports[port_of_member(v, i)];
		const struct server_place *is = &v->place[i];

		n -= (i == k || is_moved(v, i)) && was->sw == l->sw && was->sw_port < port;
		n += i != k && is_moved(v, i) && is->sw == l->sw && is->port < port;
	}
	return n;
}

/*
 * Find a host on another leaf of the plane that has @before hosts before it.  *@any: there are
 * such hosts, even if none may serve as a model.
 */
static uint32_t find_counterpart(const struct moving *v, uint32_t leaf,
				 uint32_t before, int *any)
{
	const struct sfab_fabric *f = v->m->f;

	*any = 0;
	for (uint32_t i = 1; i < f->nleaves; i++) {
		const struct sfab_leaf *l = &f->leaves[(leaf + i) % f->nleaves];

		if (f->switches[l->sw].plane !=
		    f->switches[f->leaves[leaf].sw].plane ||
		    l->nports <= before)
			continue;
		*any = 1;
		if (may_take(v, l->port[before]))
			return l->port[before];
	}
	return SFAB_NONE;
}

/*
 * Try the free ports of the leaf.  They have no routes yet, so these are taken from a port that
 * is in the same position on another leaf.  If no host is reached like this yet, a host of its
 * own leaf is the model.
 */
static int try_free_ports(struct moving *v, uint32_t leaf, uint32_t k,
			  struct best_place *best)
{
	const struct sfab_leaf *l = &v->m->f->leaves[leaf];
	int any, rc = 0;

	for (unsigned p = 1; rc == 0 && p <= v->m->f->switches[l->sw].nports; p++) {
		struct server_place place = {0, l->sw, (uint8_t) p};

		if (v->used[l->sw * 256u + p])
			continue;
		place.like = find_counterpart(v, leaf, count_before(v, l, p, k), &any);
		if (place.like != SFAB_NONE)
			rc = try_place(v, place, best);
		else if (!any)
			rc = try_leaf_hosts(v, leaf, place.port, best);
	}
	return rc;
}

/* Return a leaf of @plane with room.  The start of the search depends on @k. */
static uint32_t leaf_in_turn(const struct moving *v, uint32_t plane, uint32_t k,
			     enum sfab_moves_kind kind)
{
	const struct sfab_fabric *f = v->m->f;
	/* Spread the members evenly over the leaves. */
	uint32_t first = 1 + (uint32_t) ((uint64_t) k * f->nleaves /
					 v->set->nmembers);

	for (uint32_t i = 0; i < f->nleaves; i++) {
		uint32_t l = (first + i) % f->nleaves, sw = f->leaves[l].sw;
		int has_room = kind != SFAB_MOVES_FREE_PORTS && f->leaves[l].nports > 0;

		if (kind == SFAB_MOVES_FREE_PORTS && !v->gives[l])
			for (unsigned p = 1; p <= f->switches[sw].nports; p++)
				has_room |= !v->used[sw * 256u + p];
		if (f->switches[sw].plane == plane && has_room)
			return l;
	}
	return SFAB_NONE;
}

/*
 * Try the leaves that a kind of moves allows.  For free ports these are member @k's own leaf,
 * the leaf that got a host last, and one in turn.
 */
static int try_leaves(struct moving *v, uint32_t k, enum sfab_moves_kind kind,
		      struct best_place *best)
{
	const struct sfab_port *p = &v->m->f->ports[port_of_member(v, k)];
	uint32_t turn = kind == SFAB_MOVES_SAME_LEAF ? p->leaf : leaf_in_turn(v, p->plane, k, kind);
	uint32_t leaf[3] = { p->leaf, v->last, turn };

	if (kind != SFAB_MOVES_FREE_PORTS)
		return turn == SFAB_NONE ? 0 : try_leaf_hosts(v, turn, 0, best);
	/* A leaf that received a host must keep its own (see above). */
	if (v->gets[p->leaf])
		return 0;
	for (int i = 0; i < 3; i++) {
		if (leaf[i] == SFAB_NONE || (i == 2 && leaf[2] == leaf[1]) ||
		    v->m->f->switches[v->m->f->leaves[leaf[i]].sw].plane !=
		    p->plane)
			continue;
		if (try_free_ports(v, leaf[i], k, best) < 0)
			return -1;
	}
	return 0;
}

static int find_member_place(struct moving *v, uint32_t k, enum sfab_moves_kind kind)
{
	const struct sfab_fabric *f = v->m->f;
	uint32_t port = port_of_member(v, k), from = f->ports[port].leaf, to;
	struct best_place best = { .place = v->place[k] };

	if (from == SFAB_NONE || !is_single(f, port))
		return 0;
	/* Remove its own routes first, so that staying is rated like any other position. */
	if (add_routes_to_port(v, port, -1) < 0)
		return -1;
	best.sum = add_routes_to_port(v, port, 0);
	if (best.sum < 0 || try_leaves(v, k, kind, &best) < 0 ||
	    add_routes_to_port(v, best.place.like, 1) < 0)
		return -1;
	v->place[k] = best.place;
	v->taken[f->ports[best.place.like].host] = 1;
	v->used[best.place.sw * 256u + best.place.port] = 1;
	to = f->switches[best.place.sw].leaf;
	if (from != to) {
		v->gives[from] = v->gets[to] = 1;
		v->last = to;
	}
	return 0;
}

/* Copy the set as it is after its first @max moves; IO ports ascend. */
static struct sfab_iosets *moved_set(const struct moving *v, uint32_t max,
				     struct sfab_err *err)
{
	uint32_t n = v->set->nmembers, moved = 0;
	struct sfab_arena arena = { 0 };
	uint64_t *to = sfab_arena_take(&arena, n, sizeof(*to));
	uint32_t *port = sfab_arena_take(&arena, n, sizeof(*port));
	uint32_t *member = sfab_arena_take(&arena, n, sizeof(*member));
	double *capacity = sfab_arena_take(&arena, n, sizeof(*capacity));
	struct sfab_ioset set = *v->set;
	struct sfab_iosets *made = NULL, sets = { .nsets = 1, .set = &set, .nioports = n,
						  .ioport = port, .capacity = capacity };

	set.member = member;
	for (uint32_t k = 0; !arena.failed && k < n; k++) {
		int goes = is_moved(v, k) && moved < max;

		moved += goes;
		to[k] = (uint64_t) (goes ? v->place[k].like : port_of_member(v, k)) << 32 | k;
	}
	if (arena.failed) {
		sfab_no_memory(err);
	} else {
		qsort(to, n, sizeof(*to), sfab_ascending_u64);
		for (uint32_t k = 0; k < n; k++) {
			port[k] = (uint32_t) (to[k] >> 32);
			capacity[k] = v->m->io->capacity[v->set->member[(uint32_t) to[k]]];
			member[k] = k;
		}
		made = sfab_iosets_copy(v->m->f, &sets, err);
	}
	sfab_arena_free(&arena);
	return made;
}

/* Find the rates with the first @max moves done, on a model of their own. */
static int rate_moves(const struct moving *v, const struct sfab_moves_options *ask,
		      uint32_t max, struct sfab_io_rates *then,
		      struct sfab_err *err)
{
	struct sfab_iosets *io = moved_set(v, max, err);
	struct sfab_model *m = io ? sfab_model_create(v->m->f, io) : NULL;
	int rc = -1;

	if (m)
		rc = sfab_audit_rates(m, ask->block, 0, ask->now->block.class,
				      then, err);
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

/* List the moves.  One to a host's port is a swap; one to a free port is not. */
static int list_moves(const struct moving *v, uint32_t max, struct sfab_moves *out)
{
	const struct sfab_fabric *f = v->m->f;

	out->move = calloc(max + 1u, sizeof(*out->move));
	if (!out->move)
		return -1;
	for (uint32_t k = 0; k < v->set->nmembers && out->n < max; k++) {
		const struct server_place *p = &v->place[k];
		const struct sfab_port *like = &f->ports[p->like];
		int swap = like->sw == p->sw && like->sw_port == p->port;

		if (is_moved(v, k))
			out->move[out->n++] = (struct sfab_move){
			    f->ports[port_of_member(v, k)].host,
			    swap ? like->host : SFAB_NONE,
			    port_of_member(v, k),
			    p->sw,
			    p->port,
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
 * Find the fewest of @all moves that gain about as much as all.  *@r has the rates of all and is
 * updated.  The binary search assumes that more moves are never worse.
 */
static int find_fewest_moves(const struct moving *v,
			     const struct sfab_moves_options *ask, uint32_t all,
			     uint32_t *n, struct sfab_io_rates *r,
			     struct sfab_err *err)
{
	double enough = lockstep_loss(*r) + SFAB_MOVES_GAIN / 2;
	uint32_t low = 1, high = all;
	struct sfab_io_rates some;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (rate_moves(v, ask, mid, &some, err) < 0)
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
static int choose_moves(struct moving *v, const struct sfab_moves_options *ask,
			struct sfab_moves *out, struct sfab_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->set->nmembers; i++)
		if (add_routes_to_port(v, port_of_member(v, i), 1) < 0)
			return sfab_no_memory(err);
	for (uint32_t i = 0; i < v->set->nmembers; i++) {
		if (find_member_place(v, i, ask->kind) < 0)
			return sfab_no_memory(err);
		n += (uint32_t) is_moved(v, i);
	}
	if (!n)
		return 0;
	if (rate_moves(v, ask, n, &out->then, err) < 0)
		return -1;
	if (sfab_io_rates_loss(&out->then) >=
	    sfab_io_rates_loss(ask->now) - SFAB_MOVES_GAIN)
		return 0;
	if (ask->amount == SFAB_MOVES_FEWEST &&
	    find_fewest_moves(v, ask, n, &n, &out->then, err) < 0)
		return -1;
	return list_moves(v, n, out) == 0 ? 0 : sfab_no_memory(err);
}

int sfab_io_moves(const struct sfab_moves_options *ask, struct sfab_moves *out,
		  struct sfab_err *err)
{
	const struct sfab_ioset *set = &ask->m->io->set[ask->now->block.set];
	const struct sfab_fabric *f = ask->m->f;
	struct moving v = { .m = ask->m, .set = set, .last = SFAB_NONE };
	int rc;

	memset(out, 0, sizeof(*out));
	if (set->map == SFAB_IOMAP_GROUP)
		return 0;	/* clients of a group use only their own servers */
	v.clients = sfab_arena_take(&v.arena, f->nleaves, sizeof(*v.clients));
	v.count = sfab_arena_take(&v.arena, f->nlinks, sizeof(*v.count));
	v.taken = sfab_arena_take(&v.arena, f->nhosts, sizeof(*v.taken));
	v.used = sfab_arena_take(&v.arena, f->nswitches, 256);
	v.place = sfab_arena_take(&v.arena, set->nmembers, sizeof(*v.place));
	v.gets = sfab_arena_take(&v.arena, f->nleaves, 1);
	v.gives = sfab_arena_take(&v.arena, f->nleaves, 1);
	if (v.arena.failed) {
		sfab_arena_free(&v.arena);
		return sfab_no_memory(err);
	}
	/*
	 * Note who is where now: a position is free if its port has no cable, and a compute
	 * host may give up its own.
	 */
	for (uint32_t p = 0; p < f->nports; p++) {
		uint32_t h = f->ports[p].host;

		v.taken[h] = !sfab_model_computes(v.m, h);
		if (f->ports[p].leaf != SFAB_NONE && !v.taken[h])
			v.clients[f->ports[p].leaf]++;
	}
	for (uint32_t i = 0; i < f->nswitches; i++)
		for (unsigned p = 1; p <= f->switches[i].nports; p++)
			v.used[i * 256u + p] = f->switches[i].out[p] != SFAB_NONE;
	for (uint32_t k = 0; k < set->nmembers; k++)
		v.place[k] = place_of(f, port_of_member(&v, k));
	rc = choose_moves(&v, ask, out, err);
	sfab_arena_free(&v.arena);
	sfab_route_clear(&v.r);
	return rc;
}
