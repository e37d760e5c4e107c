/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port_classes.c - learn port classes from the tables; see port_classes.h
 *
 * Each port has a vector: the uplink that each leaf uses for it.  Ports are assigned one after
 * the other.  Each joins the class whose vector agrees with most of its own, or starts a class.
 * Then each class takes, for every leaf, the uplink of most of its members, and the ports
 * choose again.
 */

#include "core/load/port_classes.h"

#include <stdlib.h>

#define REASSIGN_ROUNDS 3	/* rounds in which ports choose again: few ever change */
#define FEW_HOSTS 4		/* a switch with less than 1/4 of the hosts of the fullest leaf is
				   no leaf */

struct class_learner {
	const struct sfab_model *m;
	uint32_t plane;
	uint32_t *leaf, nleaves;	/* leaves that vote */
	uint32_t *port, nports;		/* of the plane, leaf by leaf */
	uint32_t *uplink;		/* [nports * nleaves] uplink */
	uint32_t *class;		/* [nports] or SFAB_NONE */
	uint32_t *member;		/* [nports] ports of one class */
	uint32_t nclasses, limit;
	uint32_t *mode;			/* [limit * nleaves] most common uplink of a class */
	uint32_t *count;		/* by link: scratch */
	uint8_t *is_leaf;		/* by switch: counts as a leaf (port_classes.h) */
	uint64_t known, agreed;		/* (leaf, port) pairs of the plane */
	struct sfab_route walk;		/* scratch */
	struct sfab_arena arena;	/* all arrays */
};

/* Mark the switches of the plane that count as leaves (port_classes.h). */
static void mark_leaves(struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t max = 0;

	for (uint32_t i = 0; i < f->nleaves; i++)
		if (f->switches[f->leaves[i].sw].plane == l->plane &&
		    f->leaves[i].nports > max)
			max = f->leaves[i].nports;
	/* A switch with few hosts among full leaves is a spine. */
	for (uint32_t i = 0; i < f->nswitches; i++) {
		uint32_t leaf = f->switches[i].leaf;

		l->is_leaf[i] = f->switches[i].plane == l->plane && leaf != SFAB_NONE &&
			       FEW_HOSTS * f->leaves[leaf].nports >= max;
	}
}

/* Does @link lead from a leaf to a switch that is none? */
static int is_up(const struct class_learner *l, uint32_t link)
{
	const struct sfab_link *e = &l->m->f->links[link];

	return l->is_leaf[e->from] && !l->is_leaf[e->to];
}

/*
 * Set @up to the first link of a route if it leads up, another link leads down, and no port
 * group splits the route.  -1: out of memory.
 */
static int find_uplink(struct class_learner *l, uint32_t leaf, uint32_t port, uint32_t *up)
{
	struct sfab_leaf_route route;
	int rc = sfab_model_leaf_route(l->m, leaf, port, &l->walk, &route);
	int is_single = rc > 0 && route.n > 1;

	for (uint32_t i = 0; is_single && i < route.n; i++)
		is_single = sfab_leaf_route_hop(&route, i).share >= 1;
	*up = is_single ? sfab_leaf_route_hop(&route, 0).link : SFAB_NONE;
	if (is_single && !is_up(l, *up))
		*up = SFAB_NONE;
	return rc < 0 ? -1 : 0;
}

/*
 * Return how many classes to start at most: twice the most uplinks of any leaf.  Tables without
 * classes would otherwise start one per port.
 */
static uint32_t limit_classes(const struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t max = 0;

	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];
		uint32_t n = 0;

		for (unsigned p = 1; sw->plane == l->plane && p <= sw->nports; p++)
			n += sw->out[p] != SFAB_NONE &&
			     f->links[sw->out[p]].kind == SFAB_LINK_ISL &&
			     is_up(l, sw->out[p]);
		max = n > max ? n : max;
	}
	return 2 * max;
}

static const uint32_t *uplinks_of(const struct class_learner *l, uint32_t i)
{
	return l->uplink + (size_t) i * l->nleaves;
}

struct votes {
	uint32_t same, both;	/* leaves that agree; leaves with an uplink for both */
};

static struct votes compare_uplinks(const struct class_learner *l, const uint32_t *a,
				    const uint32_t *b)
{
	struct votes v = { 0, 0 };

	for (uint32_t k = 0; k < l->nleaves; k++) {
		v.both += a[k] != SFAB_NONE && b[k] != SFAB_NONE;
		v.same += a[k] != SFAB_NONE && a[k] == b[k];
	}
	return v;
}

/*
 * Return the class that agrees with port @i on most leaves, if on more than half.  Else return
 * SFAB_NONE.
 */
static uint32_t nearest_class(const struct class_learner *l, uint32_t i)
{
	uint32_t best = SFAB_NONE;
	double max = 0.5;

	for (uint32_t c = 0; c < l->nclasses; c++) {
		struct votes v = compare_uplinks(l, uplinks_of(l, i),
						 l->mode + (size_t) c * l->nleaves);

		if (v.both && (double) v.same / v.both > max) {
			max = (double) v.same / v.both;
			best = c;
		}
	}
	return best;
}

/* Assign the ports one after the other.  A port that no class resembles begins one. */
static void assign_ports(struct class_learner *l)
{
	l->nclasses = 0;
	for (uint32_t i = 0; i < l->nports; i++) {
		uint32_t c = nearest_class(l, i), *mode;
		int is_new = c == SFAB_NONE && l->nclasses < l->limit;

		if (is_new)
			c = l->nclasses++;
		l->class[i] = c;
		if (c == SFAB_NONE)
			continue;
		mode = l->mode + (size_t) c * l->nleaves;
		/* Leaves where the class has no uplink yet get that of this port. */
		for (uint32_t k = 0; k < l->nleaves; k++)
			if (is_new || mode[k] == SFAB_NONE)
				mode[k] = uplinks_of(l, i)[k];
	}
}

/* Return the uplink that leaf @k uses for most of the @n members, the first of equal ones. */
static uint32_t most_common_uplink(struct class_learner *l, uint32_t n, uint32_t k)
{
	uint32_t best = SFAB_NONE, max = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t up = uplinks_of(l, l->member[i])[k];

		if (up != SFAB_NONE && ++l->count[up] > max) {
			max = l->count[up];
			best = up;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		if (uplinks_of(l, l->member[i])[k] != SFAB_NONE)
			l->count[uplinks_of(l, l->member[i])[k]] = 0;
	return best;
}

static uint32_t list_members(struct class_learner *l, uint32_t c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nports; i++)
		if (l->class[i] == c)
			l->member[n++] = i;
	return n;
}

/* Move each port to its nearest class.  1: at least one port changed its class. */
static int reassign_ports(struct class_learner *l)
{
	int changed = 0;

	for (uint32_t c = 0; c < l->nclasses; c++) {
		uint32_t n = list_members(l, c);

		for (uint32_t k = 0; k < l->nleaves; k++)
			l->mode[(size_t) c * l->nleaves + k] = most_common_uplink(l, n, k);
	}
	for (uint32_t i = 0; i < l->nports; i++) {
		uint32_t c = nearest_class(l, i);

		changed |= c != l->class[i];
		l->class[i] = c;
	}
	return changed;
}

/* Fill in class @c, whose @n members are listed.  Return how many (leaf, port) pairs agree. */
static uint64_t count_agreeing(const struct class_learner *l, uint32_t c, uint32_t n,
			       struct sfab_port_class *x)
{
	uint64_t same = 0, both = 0;
	uint32_t last = SFAB_NONE;

	x->nports = n;
	x->nleaves = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leaf = l->m->f->ports[l->port[l->member[i]]].leaf;
		struct votes v = compare_uplinks(l, uplinks_of(l, l->member[i]),
						 l->mode + (size_t) c * l->nleaves);

		same += v.same;
		both += v.both;
		x->nleaves += leaf != last;
		last = leaf;
	}
	x->agreement = both ? (double) same / (double) both : 0;
	return same;
}

/* Append the plane's classes to @out.  A class on one leaf is dropped. */
static void keep_classes(struct class_learner *l, struct sfab_port_classes *out)
{
	size_t pairs = (size_t) l->nports * l->nleaves;

	for (size_t i = 0; i < pairs; i++)
		l->known += l->uplink[i] != SFAB_NONE;
	for (uint32_t c = 0; c < l->nclasses; c++) {
		struct sfab_port_class x = { l->plane, 0, 0, 0 };
		uint32_t n = list_members(l, c);
		uint64_t agreed = count_agreeing(l, c, n, &x);

		/* A class exists to tell which ports on different leaves collide. */
		if (x.nleaves < 2)
			continue;
		l->agreed += agreed;
		for (uint32_t i = 0; i < n; i++)
			out->class_of[l->port[l->member[i]]] = out->nclasses;
		out->class[out->nclasses++] = x;
	}
}

/* List the plane's voting leaves and all its ports, in order. */
static void fill_plane(struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t all = 0, seen = 0;

	l->nports = l->nleaves = 0;
	for (uint32_t i = 0; i < f->nleaves; i++)
		all += f->switches[f->leaves[i].sw].plane == l->plane;
	for (uint32_t i = 0; i < f->nleaves; i++) {
		const struct sfab_leaf *leaf = &f->leaves[i];

		if (f->switches[leaf->sw].plane != l->plane)
			continue;
		if (all <= SFAB_CLASS_VOTERS ||
		    (uint64_t) seen * SFAB_CLASS_VOTERS / all !=
		    (seen + 1ull) * SFAB_CLASS_VOTERS / all)
			l->leaf[l->nleaves++] = i;
		seen++;
		for (uint32_t k = 0; k < leaf->nports; k++)
			if (f->ports[leaf->port[k]].lid &&
			    sfab_port_is_cabled(&f->ports[leaf->port[k]]))
				l->port[l->nports++] = leaf->port[k];
	}
}

/* Learn the classes of a plane and append them to @out, unless its leaves do not agree. */
static int learn_plane(struct class_learner *l, struct sfab_port_classes *out, uint32_t plane)
{
	uint32_t class0 = out->nclasses;

	l->plane = plane;
	mark_leaves(l);
	fill_plane(l);
	l->limit = limit_classes(l);
	l->known = l->agreed = 0;
	l->uplink = sfab_arena_take(&l->arena, (size_t) l->nports * l->nleaves, sizeof(*l->uplink));
	l->mode = sfab_arena_take(&l->arena, (size_t) l->limit * l->nleaves, sizeof(*l->mode));
	if (l->arena.failed)
		return -1;
	for (uint32_t i = 0; i < l->nports; i++)
		for (uint32_t k = 0; k < l->nleaves; k++)
			if (find_uplink(l, l->leaf[k], l->port[i],
					&l->uplink[(size_t) i * l->nleaves + k]) < 0)
				return -1;
	assign_ports(l);
	/* The first assignment depends on the order of ports; this removes most of that. */
	for (int round = 0; round < REASSIGN_ROUNDS && reassign_ports(l); round++)
		;
	keep_classes(l, out);
	out->agreement[plane] = l->known ? (double) l->agreed / (double) l->known : -1;
	if (out->agreement[plane] > SFAB_CLASSES_AGREE)
		return 0;
	/* The leaves do not agree: drop the classes of this plane. */
	for (uint32_t i = 0; i < out->nports; i++)
		if (out->class_of[i] != SFAB_NONE && out->class_of[i] >= class0)
			out->class_of[i] = SFAB_NONE;
	out->nclasses = class0;
	return 0;
}

struct sfab_port_classes *sfab_port_classes_learn(const struct sfab_model *m,
						  struct sfab_err *err)
{
	const struct sfab_fabric *f = m->f;
	struct sfab_port_classes *out = calloc(1, sizeof(*out));
	struct class_learner l = { .m = m };
	int rc;

	if (out) {
		out->nports = f->nports;
		out->agreement = sfab_arena_take(&out->arena, f->nplanes, sizeof(*out->agreement));
		/* A class has at least two ports. */
		out->class = sfab_arena_take(&out->arena, f->nports, sizeof(*out->class));
		out->class_of = sfab_arena_take_ones(&out->arena, f->nports, sizeof(uint32_t));
	}
	l.leaf = sfab_arena_take(&l.arena, f->nleaves, sizeof(*l.leaf));
	l.port = sfab_arena_take(&l.arena, f->nports, sizeof(*l.port));
	l.class = sfab_arena_take(&l.arena, f->nports, sizeof(*l.class));
	l.member = sfab_arena_take(&l.arena, f->nports, sizeof(*l.member));
	l.count = sfab_arena_take(&l.arena, f->nlinks, sizeof(*l.count));
	l.is_leaf = sfab_arena_take(&l.arena, f->nswitches, sizeof(*l.is_leaf));
	rc = out && !out->arena.failed && !l.arena.failed ? 0 : -1;
	for (uint32_t p = 0; rc == 0 && p < f->nplanes; p++)
		rc = learn_plane(&l, out, p);
	sfab_arena_free(&l.arena);
	sfab_route_clear(&l.walk);
	if (rc == 0)
		return out;
	sfab_port_classes_destroy(out);
	sfab_no_memory(err);
	return NULL;
}

void sfab_port_classes_destroy(struct sfab_port_classes *c)
{
	if (!c)
		return;
	sfab_arena_free(&c->arena);
	free(c);
}
