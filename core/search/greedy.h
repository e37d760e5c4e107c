/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greedy.h - choose items one by one, always the one that costs the links least
 *
 * Item i stands for equivalent hosts and can be chosen as often as there are such hosts.  One
 * host adds a vector V of loads.  Its cost, in the p-norm, is
 *
 * 	cost(V) = sum over links ((L + V) / M)^p - (L / M)^p
 *
 * where p is 16, L is the load already on the link and M is about the worst L: without this
 * scale high powers underflow.  Costs only grow while hosts are added.  A partial sum, or an
 * old cost, is therefore a lower bound.  An item whose bound is not the least in the heap need
 * not be evaluated.  The largest entries of a vector come first and are usually enough.
 *
 * Steps here are entries of vectors, which search_io.c converts to steps of the search.
 */
#ifndef SFAB_GREEDY_H
#define SFAB_GREEDY_H

#include "core/search/footprint.h"

struct greedy_item {
	uint32_t segment;	/* index of the first of its nsegments segments */
	uint32_t first, last;	/* candidates that it stands for: the first, the last */
	uint32_t nhosts;	/* number of these candidates */
	uint32_t taken;		/* how many of them are chosen */
	double cost;		/* cost when it was computed last: a lower bound */
};

struct greedy_segment {		/* load of an item's hosts by one part of the traffic */
	struct sfab_footprint v;	/* may be negative on links with base load */
	float scale;
};

struct greedy_cell {			/* a link */
	float x;		/* L / M */
	float power;		/* (L / M)^p */
};

/*
 * The caller allocates all arrays, and sets items, segments, links and base.  All other members
 * are 0 at first.
 */
struct greedy {
	uint32_t nitems, nsegments;
	struct greedy_item *item;
	struct greedy_segment *segment;	/* [nitems * nsegments] */
	uint32_t nlinks, *link;	/* switch-to-switch links */
	double *base;		/* by resource: L before anything is chosen */
	struct greedy_cell *cell;	/* by resource */
	float inv_scale;	/* 1 / M */
	uint32_t *heap, nheap;	/* [nitems]; items that were offered */
	uint64_t steps;
};

/*
 * Set the loads before anything is chosen, in units of @scale, which is above 0.  To be called
 * first.
 */
void sfab_greedy_start(struct greedy *g, double scale);

/*
 * Add item @i, once, to the list of items to choose from.  Its taken is 0 and its nhosts at
 * least 1.
 */
void sfab_greedy_offer(struct greedy *g, uint32_t i);

/*
 * Choose @n hosts from the list, the cheapest each time, or all hosts if there are fewer.  Set
 * taken of each item.
 */
void sfab_greedy_fill(struct greedy *g, uint32_t n);

#endif
