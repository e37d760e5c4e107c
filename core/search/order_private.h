/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_private.h - the loads of all steps, which the search of order.c changes */
#ifndef SFAB_ORDER_PRIVATE_H
#define SFAB_ORDER_PRIVATE_H

#include "core/search/order.h"

struct order_hop {		/* a link of a route, numbered by first use */
	uint32_t link;
	int32_t load;		/* of a flow at the full rate of its port */
};

struct order_step {		/* one step: who sends to whom */
	uint32_t *receiver;	/* by rank: to whom it sends; SFAB_NONE: nobody */
	uint32_t *sender;	/* by rank: who sends to it; SFAB_NONE: nobody */
	double weight;
	double excess;		/* sum over its links of (load - 1)^4 above 1 */
};

struct order_change {		/* for undo: the load of a link before the swap */
	uint32_t index;		/* in the loads of all steps */
	int32_t load;
};

/* The nodes in some order, and the loads of all steps. */
struct order_walk {
	const struct sfab_model *m;
	const uint32_t *host;	/* [n] the nodes */
	uint32_t n, nsteps, nlinks;	/* links between switches that are used */
	/*
	 * The routes between the nodes, all rails together.  Nodes on the same leaves whose
	 * ports have the same rates share a row.
	 */
	uint32_t nrows, *row;	/* by node */
	size_t *first;		/* [row * n + node], and the next, into hop */
	struct order_hop *hop;
	size_t nhops;
	uint32_t *rank;		/* [n] index of the node that has this rank */
	struct order_step *step;
	int32_t *load;		/* [nsteps * nlinks] */
	double *old_excess;	/* [nsteps] excess before the last swap */
	struct order_change *change;
	size_t nchanges, capacity;	/* of change: used, and allocated */
	uint32_t *seen, stamp;	/* [n] ranks whose flow was handled */
	uint64_t work;
	int no_memory;
	struct sfab_arena arena;	/* all arrays but hop and change */
};

/*
 * Walk the routes between @n nodes; @host must stay valid.  Steps of alltoall are left out if
 * they are only sampled.  -1: out of memory; call sfab_order_walk_close() in that case, too.
 * O(rows x n x hops).
 */
int sfab_order_walk_open(struct order_walk *w, const struct sfab_model *m, const uint32_t *host,
			 uint32_t n, const double mix[SFAB_NPATTERNS]);
void sfab_order_walk_close(struct order_walk *w);

/* Set the order to @rank.  Return sfab_order_walk_cost() of it. */
double sfab_order_walk_take(struct order_walk *w, const uint32_t *rank);

/*
 * Return the weighted sum over the steps of the fourth root of their excess.  That is the worst
 * link's load - 1 if one link is above capacity; each further one adds, so that the search sees
 * whether a swap helps.
 */
double sfab_order_walk_cost(const struct order_walk *w);

/* Swap the nodes of two ranks. */
void sfab_order_walk_swap(struct order_walk *w, uint32_t a, uint32_t b);
/* Undo the last swap, that of @a and @b. */
void sfab_order_walk_undo(struct order_walk *w, uint32_t a, uint32_t b);

/* 1: in some step a link that carries a flow of @rank is above capacity. */
int sfab_order_walk_is_crowded(struct order_walk *w, uint32_t rank);

#endif
