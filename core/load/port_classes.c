/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port_classes.c - learn port classes from the tables; see port_classes.h
 *
 * Each port has a vector: the uplink that each leaf uses for it.  Ports are
 * taken one after the other.  Each joins the class whose vector agrees with
 * most of its own, or starts a class.  Then each class takes, for every leaf,
 * the uplink of most of its members, and the ports choose again.
 */

#include "core/load/port_classes.h"
#include "core/fabric/route.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 3		/* of choosing again: few ports ever change */
#define FEW_HOSTS 4		/* a switch with this factor fewer hosts than the
				   fullest leaf is no leaf */

struct class_learner {
	const struct sfab_model *m;
	uint32_t plane, level;
	uint32_t *leaf, nleaves;	/* leaves that vote */
	uint32_t *port, nports;		/* current ports, leaf by leaf */
	uint32_t *pool, npool;		/* all ports of the plane */
	uint32_t *way;		/* [port of the pool * nleaves + leaf] uplink */
	uint32_t *row;		/* [nports] row of a current port in way */
	uint32_t *class;	/* [nports] class of a current port, or SFAB_NONE */
	uint32_t *member;	/* [nports] current ports of one class */
	uint32_t nclasses, limit;
	uint32_t *mode;		/* [limit * nleaves] uplink of a class */
	uint32_t *count;	/* by link: scratch */
	uint32_t *height;	/* by switch */
	uint64_t known, agreed;	/* (leaf, port) pairs, over the level */
	struct sfab_route route;
	struct sfab_arena arena;	/* all arrays but way and mode */
};

/* A switch with few hosts among full leaves is a spine. */
static int is_bottom(const struct sfab_fabric *f, uint32_t sw, uint32_t most)
{
	uint32_t leaf = f->switches[sw].leaf;

	return leaf != SFAB_NONE && FEW_HOSTS * f->leaves[leaf].nports >= most;
}

static void set_bottom(struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t most = 0;

	for (uint32_t i = 0; i < f->nleaves; i++)
		if (f->switches[f->leaves[i].sw].plane == l->plane &&
		    f->leaves[i].nports > most)
			most = f->leaves[i].nports;
	for (uint32_t i = 0; i < f->nswitches; i++)
		if (f->switches[i].plane == l->plane)
			l->height[i] = is_bottom(f, i, most) ? 0 : SFAB_NONE;
}

/*
 * For each switch of the plane, the number of links to the nearest full leaf.
 */
static void set_heights(struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	int more = 1;

	set_bottom(l);
	for (uint32_t h = 0; more; h++) {
		more = 0;
		for (uint32_t i = 0; i < f->nlinks; i++) {
			const struct sfab_link *e = &f->links[i];

			if (e->kind == SFAB_LINK_ISL && l->height[e->from] == h &&
			    l->height[e->to] == SFAB_NONE) {
				l->height[e->to] = h + 1;
				more = 1;
			}
		}
	}
}

/* Does @link lead up from a switch at height @level - 1? */
static int is_up(const struct class_learner *l, uint32_t link, uint32_t level)
{
	const struct sfab_link *e = &l->m->f->links[link];
	uint32_t from = l->height[e->from], to = l->height[e->to];

	return from == level - 1 && to != SFAB_NONE && to > from;
}

/*
 * Put the route from @leaf to @port into l->route, without end links.  0: there
 * is none, or it is shared over ports.
 */
static int look_up_way(struct class_learner *l, uint32_t leaf, uint32_t port)
{
	const struct sfab_fabric *f = l->m->f;
	struct sfab_route *r = &l->route;

	if (sfab_route_from(f, f->leaves[leaf].sw, port, r) < 0)
		return -1;
	if (r->status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->hop[i].share < 1)
			return 0;
	return 1;
}

/*
 * Link number @level of a route of @n links, if it and all before it lead up
 * and at least as many follow to come down.
 */
static uint32_t uplink_of(const struct class_learner *l, const uint32_t *link, uint32_t n)
{
	if (n < 2 * l->level)
		return SFAB_NONE;
	for (uint32_t i = 0; i < l->level; i++)
		if (!is_up(l, link[i], i + 1))
			return SFAB_NONE;
	return link[l->level - 1];
}

/* -1: out of memory. */
static int find_uplink(struct class_learner *l, uint32_t leaf, uint32_t port, uint32_t *up)
{
	const struct sfab_paths *p = l->m->paths;
	uint32_t link[SFAB_CLASS_LEVELS], n = 0;
	int rc = 1;

	if (p) {
		const uint16_t *row = sfab_path(p, leaf, port);

		/*
		 * Only the first links are needed, but n must be the length of
		 * the whole route.
		 */
		for (; n < p->width && row[n] < SFAB_PATH_LOST; n++)
			if (n < l->level)
				link[n] = row[n];
	} else {
		rc = look_up_way(l, leaf, port);
		for (; rc > 0 && n + 1 < l->route.n; n++)
			if (n < l->level)
				link[n] = l->route.hop[n].link;
	}
	*up = uplink_of(l, link, n);
	return rc < 0 ? -1 : 0;
}

static int read_ways(struct class_learner *l)
{
	for (uint32_t i = 0; i < l->npool; i++)
		for (uint32_t k = 0; k < l->nleaves; k++)
			if (find_uplink(l, l->leaf[k], l->pool[i],
					&l->way[(size_t) i * l->nleaves + k]) < 0)
				return -1;
	return 0;
}

/*
 * Limit on classes: twice the most uplinks of any switch at this height.
 * Tables without classes would otherwise start one per port.
 */
static uint32_t most_uplinks(const struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t most = 0;

	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];
		uint32_t n = 0;

		for (unsigned p = 1; sw->plane == l->plane && p <= sw->nports; p++)
			n += sw->out[p] != SFAB_NONE &&
			     f->links[sw->out[p]].kind == SFAB_LINK_ISL &&
			     is_up(l, sw->out[p], l->level);
		most = n > most ? n : most;
	}
	return 2 * most;
}

static const uint32_t *way_of(const struct class_learner *l, uint32_t i)
{
	return l->way + (size_t) l->row[i] * l->nleaves;
}

struct votes {
	uint32_t same, both;	/* leaves that agree; leaves with an uplink for both */
};

static struct votes compare_ways(const struct class_learner *l, const uint32_t *a,
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
 * The class that agrees with port @i on most leaves, more than half; or
 * SFAB_NONE.
 */
static uint32_t nearest_class(const struct class_learner *l, uint32_t i)
{
	uint32_t best = SFAB_NONE;
	double most = 0.5;

	for (uint32_t c = 0; c < l->nclasses; c++) {
		struct votes v = compare_ways(l, way_of(l, i),
					      l->mode + (size_t) c * l->nleaves);

		if (v.both && (double) v.same / v.both > most) {
			most = (double) v.same / v.both;
			best = c;
		}
	}
	return best;
}

/* For leaves where the class has no uplink yet, take that of this port. */
static void join_class(struct class_learner *l, uint32_t i, uint32_t c)
{
	const uint32_t *way = way_of(l, i);
	uint32_t *mode = l->mode + (size_t) c * l->nleaves;

	l->class[i] = c;
	for (uint32_t k = 0; k < l->nleaves; k++)
		if (mode[k] == SFAB_NONE)
			mode[k] = way[k];
}

static void begin_classes(struct class_learner *l)
{
	l->nclasses = 0;
	for (uint32_t i = 0; i < l->nports; i++) {
		uint32_t c = nearest_class(l, i);

		l->class[i] = SFAB_NONE;
		if (c == SFAB_NONE && l->nclasses < l->limit) {
			c = l->nclasses++;
			memset(l->mode + (size_t) c * l->nleaves, 0xFF,
			       l->nleaves * sizeof(*l->mode));
		}
		if (c != SFAB_NONE)
			join_class(l, i, c);
	}
}

/*
 * The uplink that leaf @k uses for most of the @n members; the first in case of
 * a tie.
 */
static uint32_t most_common(struct class_learner *l, uint32_t n, uint32_t k)
{
	uint32_t best = SFAB_NONE, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t up = way_of(l, l->member[i])[k];

		if (up != SFAB_NONE && ++l->count[up] > most) {
			most = l->count[up];
			best = up;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		if (way_of(l, l->member[i])[k] != SFAB_NONE)
			l->count[way_of(l, l->member[i])[k]] = 0;
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

/* 1: at least one port changed its class. */
static int choose_again(struct class_learner *l)
{
	int changed = 0;

	for (uint32_t c = 0; c < l->nclasses; c++) {
		uint32_t n = list_members(l, c);

		for (uint32_t k = 0; k < l->nleaves; k++)
			l->mode[(size_t) c * l->nleaves + k] = most_common(l, n, k);
	}
	for (uint32_t i = 0; i < l->nports; i++) {
		uint32_t c = nearest_class(l, i);

		changed |= c != l->class[i];
		l->class[i] = c;
	}
	return changed;
}

/* Number of leaves that have an uplink for port @i. */
static uint32_t known_of(const struct class_learner *l, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < l->nleaves; k++)
		n += way_of(l, i)[k] != SFAB_NONE;
	return n;
}

/*
 * Fill in class @c, whose @n members are listed.  Returns the pairs that agree.
 */
static uint64_t count_agreeing(const struct class_learner *l, uint32_t c, uint32_t n,
			       struct sfab_port_class *x)
{
	uint64_t same = 0, both = 0;
	uint32_t last = SFAB_NONE;

	x->nports = n;
	x->nleaves = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t leaf = l->m->f->ports[l->port[l->member[i]]].leaf;
		struct votes v = compare_ways(l, way_of(l, l->member[i]),
					      l->mode + (size_t) c * l->nleaves);

		same += v.same;
		both += v.both;
		x->nleaves += leaf != last;
		last = leaf;
	}
	x->agree = both ? (double) same / (double) both : 0;
	return same;
}

/*
 * Append the classes of the current ports to @out.  A class on one leaf is
 * dropped.
 */
static int keep_classes(struct class_learner *l, struct sfab_port_classes *out, uint32_t within)
{
	uint32_t *of = out->of + (size_t) (l->level - 1) * out->nports;
	struct sfab_port_class *more = realloc(out->class, (out->nclasses +
					       l->nclasses + 1u) * sizeof(*more));

	if (!more)
		return -1;
	out->class = more;
	for (uint32_t i = 0; i < l->nports; i++)
		l->known += known_of(l, i);
	for (uint32_t c = 0; c < l->nclasses; c++) {
		struct sfab_port_class x = { l->plane, l->level, within, 0, 0, 0 };
		uint32_t n = list_members(l, c);
		uint64_t agreed = count_agreeing(l, c, n, &x);

		/*
		 * A class exists to tell which ports on different leaves
		 * collide.
		 */
		if (x.nleaves < 2)
			continue;
		l->agreed += agreed;
		for (uint32_t i = 0; i < n; i++)
			of[l->port[l->member[i]]] = out->nclasses;
		out->class[out->nclasses++] = x;
	}
	return 0;
}

/* Learn classes among ports of class @within of the level below. */
static int learn_within(struct class_learner *l, struct sfab_port_classes *out, uint32_t within)
{
	l->nports = 0;
	for (uint32_t i = 0; i < l->npool; i++)
		if (l->level == 1 ||
		    sfab_port_class_of(out, l->level - 1, l->pool[i]) == within) {
			l->row[l->nports] = i;
			l->port[l->nports++] = l->pool[i];
		}
	begin_classes(l);
	/*
	 * The first assignment depends on the order of ports; this removes most
	 * of that.
	 */
	for (int round = 0; round < ROUNDS && choose_again(l); round++)
		;
	return keep_classes(l, out, within);
}

/* Undo a level whose leaves do not agree. */
static void forget_level(struct sfab_port_classes *out, struct sfab_class_level *x)
{
	uint32_t *of = out->of + (size_t) (x->level - 1) * out->nports;

	for (uint32_t i = 0; i < out->nports; i++)
		if (of[i] != SFAB_NONE && of[i] >= x->class0)
			of[i] = SFAB_NONE;
	out->nclasses = x->class0;
	x->nclasses = 0;
}

/*
 * 0: routes do not go up that far, or leaves do not agree; 1: there are
 * classes.
 */
static int learn_level(struct class_learner *l, struct sfab_port_classes *out,
		       const struct sfab_class_level *below)
{
	struct sfab_class_level *x = &out->level[out->nlevels];
	uint32_t groups = below ? below->nclasses : 1;

	l->limit = most_uplinks(l);
	l->known = l->agreed = 0;
	free(l->mode);
	l->mode = calloc((size_t) l->limit * l->nleaves + 1, sizeof(*l->mode));
	if (!l->mode || read_ways(l) < 0)
		return -1;
	*x = (struct sfab_class_level){ .plane = l->plane, .level = l->level,
					.class0 = out->nclasses };
	for (uint32_t g = 0; g < groups; g++)
		if (learn_within(l, out, below ? below->class0 + g : SFAB_NONE) < 0)
			return -1;
	if (!l->known)
		return 0;
	x->nclasses = out->nclasses - x->class0;
	x->agree = (double) l->agreed / (double) l->known;
	out->nlevels++;
	if (x->agree <= SFAB_CLASSES_AGREE)
		forget_level(out, x);
	return x->nclasses != 0;
}

/* List the plane's voting leaves and all its ports, in order. */
static void fill_pool(struct class_learner *l)
{
	const struct sfab_fabric *f = l->m->f;
	uint32_t all = 0, seen = 0;

	l->npool = l->nleaves = 0;
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
				l->pool[l->npool++] = leaf->port[k];
	}
}

static int learn_plane(struct class_learner *l, struct sfab_port_classes *out, uint32_t plane)
{
	const struct sfab_class_level *below = NULL;
	int rc = 1;

	l->plane = plane;
	set_heights(l);
	fill_pool(l);
	free(l->way);
	l->way = calloc((size_t) l->npool * l->nleaves + 1, sizeof(*l->way));
	if (!l->way)
		return -1;
	for (l->level = 1; rc > 0 && l->level <= SFAB_CLASS_LEVELS; l->level++) {
		rc = learn_level(l, out, below);
		below = &out->level[out->nlevels ? out->nlevels - 1 : 0];
	}
	return rc < 0 ? -1 : 0;
}

static int learner_init(struct class_learner *l, const struct sfab_model *m)
{
	const struct sfab_fabric *f = m->f;

	memset(l, 0, sizeof(*l));
	l->m = m;
	l->leaf = sfab_arena_take(&l->arena, f->nleaves, sizeof(*l->leaf));
	l->port = sfab_arena_take(&l->arena, f->nports, sizeof(*l->port));
	l->pool = sfab_arena_take(&l->arena, f->nports, sizeof(*l->pool));
	l->row = sfab_arena_take(&l->arena, f->nports, sizeof(*l->row));
	l->class = sfab_arena_take(&l->arena, f->nports, sizeof(*l->class));
	l->member = sfab_arena_take(&l->arena, f->nports, sizeof(*l->member));
	l->count = sfab_arena_take(&l->arena, f->nlinks, sizeof(*l->count));
	l->height = sfab_arena_take(&l->arena, f->nswitches, sizeof(*l->height));
	return l->arena.failed ? -1 : 0;
}

static void learner_free(struct class_learner *l)
{
	free(l->way);
	free(l->mode);
	sfab_arena_free(&l->arena);
	sfab_route_clear(&l->route);
}

static struct sfab_port_classes *no_classes(const struct sfab_fabric *f)
{
	struct sfab_port_classes *c = calloc(1, sizeof(*c));
	size_t cells = (size_t) SFAB_CLASS_LEVELS * f->nports;

	if (!c)
		return NULL;
	c->nports = f->nports;
	c->level = calloc((size_t) f->nplanes * SFAB_CLASS_LEVELS + 1,
			  sizeof(*c->level));
	c->class = calloc(1, sizeof(*c->class));
	c->of = calloc(cells + 1, sizeof(*c->of));
	if (c->level && c->class && c->of) {
		memset(c->of, 0xFF, cells * sizeof(*c->of));
		return c;
	}
	sfab_port_classes_destroy(c);
	return NULL;
}

struct sfab_port_classes *sfab_port_classes_learn(const struct sfab_model *m,
						  struct sfab_err *err)
{
	struct sfab_port_classes *out = no_classes(m->f);
	struct class_learner l;
	int rc = out ? learner_init(&l, m) : -1;

	for (uint32_t p = 0; rc == 0 && p < m->f->nplanes; p++)
		rc = learn_plane(&l, out, p);
	if (out)
		learner_free(&l);
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
	free(c->level);
	free(c->class);
	free(c->of);
	free(c);
}
