/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_moves.c - better places for the hosts of an IO set
 *
 * An IO host that changes places with a compute host is reached as that host is
 * reached now, if the subnet manager routes by port and not by who is there.
 * Places are taken one by one, each time the one whose routes from all leaves
 * add least to the sum of squares over links.  Two ways are tried: within the
 * leaf that the IO host is on, and one leaf in turn for each.  Which is better,
 * if any is, the rates on the tables tell.
 */

#include "audit_private.h"

#include <stdlib.h>
#include <string.h>

#include "route.h"

#define GAIN_LEAST 0.02		/* of what is possible */

struct moving {
	const struct sfab_model *m;
	const struct sfab_ioset *set;
	double *clients;	/* by leaf: compute hosts */
	double *count;		/* by link: hosts that send over it */
	uint8_t *taken;		/* by host: an IO host, or a place given away */
	uint32_t *place;	/* by member: end port where it goes */
	struct sfab_route r;
};

static void moving_free(struct moving *v)
{
	free(v->clients);
	free(v->count);
	free(v->taken);
	free(v->place);
	sfab_route_clear(&v->r);
}

static int moving_init(struct moving *v, const struct sfab_model *m,
		       const struct sfab_ioset *set)
{
	const struct sfab_fabric *f = m->f;

	memset(v, 0, sizeof(*v));
	v->m = m;
	v->set = set;
	v->clients = calloc(f->nleaves + 1u, sizeof(*v->clients));
	v->count = calloc(f->nlinks + 1u, sizeof(*v->count));
	v->taken = calloc(f->nhosts + 1u, sizeof(*v->taken));
	v->place = calloc(set->nmembers + 1u, sizeof(*v->place));
	if (!v->clients || !v->count || !v->taken || !v->place) {
		moving_free(v);
		return -1;
	}
	for (uint32_t p = 0; p < f->nports; p++) {
		uint32_t h = f->ports[p].host;

		v->taken[h] = m->io_host[h] ||
			      f->hosts[h].role != SFAB_HOST_COMPUTE;
		if (f->ports[p].leaf != SFAB_NONE && !v->taken[h])
			v->clients[f->ports[p].leaf]++;
	}
	return 0;
}

/* Add to count, or only tell what that would add to the sum of squares. */
enum step { STEP_TRY, STEP_TAKE };

static int step_to(struct moving *v, uint32_t port, enum step step,
		   double *sum)
{
	const struct sfab_fabric *f = v->m->f;

	*sum = 0;
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

			*sum += x * (2 * *count + x);
			if (step == STEP_TAKE)
				*count += x;
		}
	}
	return 0;
}

/* Best place on @leaf, or @own if there is none. */
static int best_on_leaf(struct moving *v, uint32_t leaf, uint32_t own,
			uint32_t *best)
{
	const struct sfab_leaf *l = &v->m->f->leaves[leaf];
	double least = -1, sum;

	*best = own;

	for (uint32_t i = 0; i < l->nports; i++) {
		const struct sfab_port *p = &v->m->f->ports[l->port[i]];

		if (p->plane != v->m->f->ports[own].plane || !p->lid ||
		    (v->taken[p->host] && l->port[i] != own))
			continue;
		if (step_to(v, l->port[i], STEP_TRY, &sum) < 0)
			return -1;
		if (least < 0 || sum < least) {
			least = sum;
			*best = l->port[i];
		}
	}
	return 0;
}

enum way { WAY_SAME_LEAF, WAY_ANY_LEAF };

/* Leaves in turn that have hosts in @plane. */
static uint32_t leaf_in_turn(const struct sfab_fabric *f, uint32_t plane,
			     uint32_t k, uint32_t n)
{
	uint32_t leaf = (uint32_t) ((uint64_t) k * f->nleaves / n);

	for (uint32_t i = 0; i < f->nleaves; i++) {
		uint32_t l = (leaf + i) % f->nleaves;

		if (f->switches[f->leaves[l].sw].plane == plane &&
		    f->leaves[l].nports)
			return l;
	}
	return leaf;
}

static int find_places(struct moving *v, enum way way)
{
	const struct sfab_iosets *io = v->m->io;
	const struct sfab_fabric *f = v->m->f;
	double sum;

	for (uint32_t k = 0; k < v->set->nmembers; k++) {
		uint32_t port = io->ioport[v->set->member[k]];
		const struct sfab_port *p = &f->ports[port];
		uint32_t leaf = way == WAY_SAME_LEAF ? p->leaf :
				leaf_in_turn(f, p->plane, k, v->set->nmembers);

		v->place[k] = port;
		if (leaf == SFAB_NONE)
			continue;
		if (best_on_leaf(v, leaf, port, &v->place[k]) < 0 ||
		    step_to(v, v->place[k], STEP_TAKE, &sum) < 0)
			return -1;
		v->taken[f->ports[v->place[k]].host] = 1;
	}
	return 0;
}

struct ioport {
	uint32_t port;
	double capacity;
};

static int cmp_ioport(const void *a, const void *b)
{
	const struct ioport *x = a, *y = b;

	return (x->port > y->port) - (x->port < y->port);
}

/* The set with its members where they would go; NULL with *err. */
static struct sfab_iosets *moved_set(const struct moving *v,
				     struct sfab_err *err)
{
	uint32_t n = v->set->nmembers;
	struct ioport *to = calloc(n + 1u, sizeof(*to));
	uint32_t *port = calloc(n + 1u, sizeof(*port));
	uint32_t *member = calloc(n + 1u, sizeof(*member));
	double *capacity = calloc(n + 1u, sizeof(*capacity));
	struct sfab_ioset set = *v->set;
	struct sfab_iosets sets = { 1, n, &set, port, capacity }, *made = NULL;

	set.member = member;
	if (to && port && member && capacity) {
		for (uint32_t k = 0; k < n; k++)
			to[k] = (struct ioport) { v->place[k],
				v->m->io->capacity[v->set->member[k]] };
		qsort(to, n, sizeof(*to), cmp_ioport);
		for (uint32_t k = 0; k < n; k++) {
			port[k] = to[k].port;
			capacity[k] = to[k].capacity;
			member[k] = k;
		}
		made = sfab_iosets_copy(v->m->f, &sets, err);
	} else {
		sfab_fail(err, SFAB_ENOMEM, "audit: no memory");
	}
	free(to);
	free(port);
	free(member);
	free(capacity);
	return made;
}

static int rate_places(const struct moving *v, uint32_t block,
		       const struct sfab_io_rates *now,
		       struct sfab_io_rates *then, struct sfab_err *err)
{
	struct sfab_iosets *io = moved_set(v, err);
	struct sfab_model *m = io ? sfab_model_create(v->m->f, io) : NULL;
	int rc = -1;

	if (m)
		rc = sfab_audit_io_rates(m, block, 0, now->block.class, then, err);
	else if (io)
		sfab_fail(err, SFAB_ENOMEM, "audit: no memory");
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	return rc;
}

static double loss(const struct sfab_io_rates *r)
{
	double block = sfab_io_rate_loss(&r->block);
	double all = sfab_io_rate_loss(&r->all);

	return block > all ? block : all;
}

/* Moves of hosts; a host with several ports in the set moves once. */
static int list_moves(const struct moving *v, struct sfab_move **move,
		      uint32_t *n)
{
	const struct sfab_fabric *f = v->m->f;

	free(*move);
	*n = 0;
	*move = calloc(v->set->nmembers + 1u, sizeof(**move));
	if (!*move)
		return -1;
	for (uint32_t k = 0; k < v->set->nmembers; k++) {
		uint32_t port = v->m->io->ioport[v->set->member[k]];
		struct sfab_move mv = {
			f->ports[port].host, f->ports[v->place[k]].host,
		};

		if (mv.host != mv.place &&
		    (!*n || (*move)[*n - 1].host != mv.host))
			(*move)[(*n)++] = mv;
	}
	return 0;
}

static int try_way(struct auditing *a, const struct sfab_io_rates *now,
		   enum way way, struct sfab_move **move, uint32_t *n,
		   struct sfab_io_rates *best)
{
	struct sfab_io_rates then;
	struct moving v;
	int rc;

	if (moving_init(&v, a->m, &a->m->io->set[now->block.set]) < 0)
		return sfab_audit_no_memory(a);
	rc = find_places(&v, way);
	if (rc < 0)
		sfab_audit_no_memory(a);
	if (rc == 0)
		rc = rate_places(&v, a->ask->block, now, &then, a->err);
	if (rc == 0 && loss(&then) < loss(best) - GAIN_LEAST) {
		*best = then;
		if (list_moves(&v, move, n) < 0)
			rc = sfab_audit_no_memory(a);
	}
	moving_free(&v);
	return rc;
}

int sfab_audit_moves(struct auditing *a, const struct sfab_io_rates *now,
		struct sfab_move **move, uint32_t *n,
		struct sfab_io_rates *then)
{
	*move = NULL;
	*n = 0;
	*then = *now;
	if (a->m->io->set[now->block.set].map == SFAB_IOMAP_GROUP)
		return 0;	/* groups keep to their own servers */
	for (int way = WAY_SAME_LEAF; way <= WAY_ANY_LEAF; way++)
		if (loss(then) >= GAIN_LEAST &&
		    try_way(a, now, (enum way) way, move, n, then) < 0) {
			free(*move);
			*move = NULL;
			return -1;
		}
	return 0;
}
