/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - a fabric and its IO sets as a list of shared resources
 *
 * Resource ids: 0 .. nlinks-1 are the links; nlinks + i is IO port i of the IO sets (its
 * server).  Loads, background and counters are arrays indexed by resource.
 */
#ifndef SFAB_MODEL_H
#define SFAB_MODEL_H

#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/fabric/paths.h"
#include "core/fabric/route.h"
#include "core/fabric/tree.h"
#include "core/load/ioset.h"
#include "core/load/traffic.h"

struct sfab_model {
	const struct sfab_fabric *f;	/* borrowed */
	const struct sfab_iosets *io;	/* borrowed, may be NULL: no IO sets */
	uint32_t nres;
	double *inv_cap;		/* 1 / capacity by resource; 0: down */
	uint8_t *isl;			/* 1: switch-to-switch link; 0: end-port limit, that of an
					   inject or eject link or an IO port */
	uint8_t *io_link;		/* 1: inject or eject link of an IO port */
	uint8_t *io_host;		/* [nhosts] 1: has a port in an IO set */
	uint8_t *io_cabled;		/* by IO port; 0: not cabled, no client talks to it */

	/*
	 * Weights of the patterns in mpi traffic that names none; the owner of the model may
	 * set others than sfab_default_mix before sharing it.
	 */
	double mix[SFAB_NPATTERNS];

	struct sfab_paths *paths;	/* NULL: walk the routes (paths.h) */
	struct sfab_tree *tree;		/* the tree that topology.conf would describe */

	/* Rail k of a plane is the k-th port of each host there. */
	uint32_t nrails;
	uint32_t *rail_plane;
	uint32_t *rail_src;		/* [rail * nhosts + host] this port, or SFAB_NONE */
	/*
	 * [rail * nhosts + host] the port that a peer's k-th port talks to: k modulo the number
	 * of ports that the host has there.
	 */
	uint32_t *rail_dst;

	uint32_t *host_leaf;		/* sfab_host_leaf() of each host */
	uint32_t *leaf_first;		/* [nleaves + 1] into leaf_host */
	uint32_t *leaf_host;		/* hosts by leaf (of the first cabled port), then port */
	uint8_t *leaf_local;		/* 1: its hosts reach each other without ISLs */
	uint8_t **nearest;		/* NEAREST sets: [set][leaf * nmembers + member], else
					   NULL */
	struct sfab_arena arena;	/* holds all arrays above */
};

/* Make the model of @f and @io, which must outlive it.  NULL: out of memory. */
struct sfab_model *sfab_model_create(const struct sfab_fabric *f,
				     const struct sfab_iosets *io);
void sfab_model_destroy(struct sfab_model *m);		/* NULL is fine */

/* Do these hosts reach each other without switch-to-switch links? */
int sfab_model_is_local(const struct sfab_model *m, const uint32_t *host,
			uint32_t n);

/*
 * Do hosts @a and @b send to any third host over the same links at the same rates, because
 * their ports are on the same leaves?
 */
int sfab_model_sends_alike(const struct sfab_model *m, uint32_t a, uint32_t b);

/* Is it a compute host outside the IO sets? */
static inline int sfab_model_computes(const struct sfab_model *m, uint32_t host)
{
	return m->f->hosts[host].role == SFAB_HOST_COMPUTE && !m->io_host[host];
}

/* The switch-to-switch links from a leaf to an end port. */
struct sfab_leaf_route {
	uint32_t n;
	const uint16_t *row;		/* of the table of paths; NULL: it is in hop */
	const struct sfab_hop *hop;	/* found by walking, where there is no table of paths */
};

/* Do what sfab_model_leaf_route() does, but always by the forwarding tables of the switches. */
int sfab_model_walk_leaf_route(const struct sfab_model *m, uint32_t leaf, uint32_t port,
			       struct sfab_route *walk, struct sfab_leaf_route *out);

/*
 * Find the links from @leaf to @port in the table of paths if there is one, else by @walk,
 * which must not change while the route is used.  1: found; 0: there is no route; -1: out of
 * memory.  @leaf and @port must be in the same plane, and @port on a leaf.
 */
static inline int sfab_model_leaf_route(const struct sfab_model *m, uint32_t leaf, uint32_t port,
					struct sfab_route *walk, struct sfab_leaf_route *out)
{
	const struct sfab_paths *p = m->paths;

	if (!p)
		return sfab_model_walk_leaf_route(m, leaf, port, walk, out);
	*out = (struct sfab_leaf_route){ .row = sfab_path(p, leaf, port) };
	if (out->row[0] == SFAB_PATH_LOST)
		return 0;
	while (out->n < p->width && out->row[out->n] != SFAB_PATH_END)
		out->n++;
	return 1;
}

static inline struct sfab_hop sfab_leaf_route_hop(const struct sfab_leaf_route *w, uint32_t i)
{
	return w->row ? (struct sfab_hop){ w->row[i], 1 } : w->hop[i];
}

/* A running or proposed job: its hosts and what they send. */
struct sfab_job {
	uint32_t n;
	const uint32_t *host;	/* host ids, any order, no duplicates */
	const double *cpus;	/* CPUs held / CPUs of the node by index, or NULL: 1 */
	const struct sfab_traffic *traffic;
};

/*
 * Does a client on @host, whose port is on @leaf, talk to member @k of set @set?  A host is
 * never its own server, and nobody talks to a server that is not cabled.
 */
int sfab_model_uses(const struct sfab_model *m, uint32_t set, uint32_t host,
		    uint32_t leaf, uint32_t k);
/* Count the members of set @set in @plane that this client talks to. */
uint32_t sfab_model_count_members(const struct sfab_model *m, uint32_t set,
				  uint32_t host, uint32_t leaf, uint32_t plane);

/* Find the set of an IO part by its name ("": the first).  SFAB_ENOENT: there is none. */
int sfab_model_find_set(const struct sfab_model *m,
			const struct sfab_traffic_part *part, uint32_t *set,
			struct sfab_err *err);

#endif
