/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greedy.h - choose items one by one, always the one that costs the links least
 *
 * Item i stands for equivalent hosts and can be chosen as often as there are
 * such hosts.  One host adds a vector V of loads.  Its cost, in the p-norm, is
 *
 * 	cost(V) = sum over links ((L + V) / M)^p - (L / M)^p
 *
 * where L is the load already on the link and M is about the worst L: without
 * this scale high powers underflow.  Costs only grow while hosts are added.  A
 * partial sum, or an old cost, is therefore a lower bound.  An item whose bound
 * is not the least in the heap need not be evaluated.  The largest entries of a
 * vector come first and are usually enough.
 *
 * A step is the cost of one entry.
 */
#ifndef SFAB_GREEDY_H
#define SFAB_GREEDY_H

#include "core/search/footprint.h"

/* p = 2^squarings */
#define SFAB_GREEDY_16 4
#define SFAB_GREEDY_64 6

struct item {
	uint32_t segment;	/* its first one, of nsegments */
	uint32_t host0, room;	/* hosts that it stands for: the first, and how many */
	uint32_t taken;
	uint32_t listed;	/* serial of the last list that it was on */
	double cost;		/* or a lower bound */
};

struct segment {		/* what an item sends in one part of the traffic */
	struct sfab_footprint v;	/* may be negative on links with base load */
	float scale;
};

struct cell {			/* a link */
	float x;		/* L / M */
	float power;		/* (L / M)^p */
};

struct greedy {
	uint32_t nitems, nsegments;
	struct item *item;
	struct segment *segment;	/* [nitems * nsegments] */
	uint32_t nlinks, *link;	/* switch-to-switch links */
	double *base, most;	/* by resource: L before anything is chosen; its
				   maximum */
	double *others;		/* by resource: the part of base that is not the
				   job's */
	struct cell *cell;	/* by resource */
	uint32_t nhot, *hot;	/* links that may become the worst */
	double scale;		/* M */
	float inv_scale;	/* 1 / M */
	int squarings;		/* SFAB_GREEDY_16 or _64 */
	uint32_t *heap, nheap;
	uint32_t *sel;		/* item of each chosen host */
	uint32_t nsel;
	uint32_t serial;
	double slack;		/* an item may cost this much more than the cheapest,
				   relative to it */
	uint64_t steps;
};

/* Start an empty list of items to choose from. */
void sfab_greedy_list(struct greedy *g);

/* Put item @i on the list, unless it is listed or used up. */
void sfab_greedy_offer(struct greedy *g, uint32_t i);

/* Choose @n hosts from the list, the cheapest each time; returns their cost. */
double sfab_greedy_fill(struct greedy *g, uint32_t n);

/* Take one host of item @i. */
void sfab_greedy_choose(struct greedy *g, uint32_t i);

/*
 * Give back the host at index @k of sel; *@i is its item.  Returns the saving.
 */
double sfab_greedy_drop(struct greedy *g, uint32_t k, uint32_t *i);

/*
 * Cost of one host of item @i in the current state; if it exceeds @limit, any
 * value above.
 */
double sfab_greedy_cost(struct greedy *g, uint32_t i, double limit);

/* Set the loads with nothing chosen, in units of @scale. */
void sfab_greedy_start(struct greedy *g, double scale);

/* Change the unit of the loads to @scale and call sfab_greedy_look(). */
void sfab_greedy_rescale(struct greedy *g, double scale);

/* Find the links that may become the worst. */
void sfab_greedy_look(struct greedy *g);

/*
 * The worst of the links that the job loads, among those near it at the last
 * look; *@load is its L.
 */
uint32_t sfab_greedy_worst(struct greedy *g, double *load);

#endif
