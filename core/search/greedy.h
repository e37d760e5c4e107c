/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * greedy.h - choose items one by one, always the cheapest for the links
 *
 * Item i stands for hosts that are alike, to be taken as often as it has room.
 * One host of it adds a vector V of loads, so it costs, in the p-norm,
 *
 *	cost(V) = sum over links ((L + V) / M)^p - (L / M)^p
 *
 * with L what is on the link already and M about the worst L: without that
 * scale high powers vanish.  Costs only grow while hosts are added.  So a part
 * of the sum, or an old one, is a bound, and an item whose bound is not the
 * least of the heap need not be looked at: the largest entries of a vector come
 * first and mostly suffice.
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
	uint32_t host0, room;	/* hosts that it stands for */
	uint32_t taken;
	uint32_t listed;	/* serial of the last list it was on */
	double cost;		/* or less */
};

struct segment {		/* what an item sends in one part of the traffic */
	struct sfab_iovec v;	/* may be negative on links of the base */
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
	uint32_t nlinks, *link;	/* the switch-to-switch links */
	double *base, most;	/* by resource: L when nothing is chosen; its most */
	double *others;		/* by resource: of that, what is not the job's */
	struct cell *cell;	/* by resource */
	uint32_t nhot, *hot;	/* links that may be the worst */
	double scale;		/* M */
	float inv_scale;	/* 1 / M */
	int squarings;		/* SFAB_GREEDY_16 or _64 */
	uint32_t *heap, nheap;
	uint32_t *sel;		/* item of each chosen host */
	uint32_t nsel;
	uint32_t serial;
	double slack;		/* an item may cost so much more than the least */
	uint64_t steps;
};

/* An empty list to choose from. */
void sfab_greedy_list(struct greedy *g);

/* Put an item on it, unless it is there or used up. */
void sfab_greedy_offer(struct greedy *g, uint32_t i);

/* Choose @n hosts from the list, always the cheapest; returns their cost. */
double sfab_greedy_fill(struct greedy *g, uint32_t n);

/* Take one host of item @i. */
void sfab_greedy_choose(struct greedy *g, uint32_t i);

/* Give back the host at place @k of sel, of item *@i; returns what that saves. */
double sfab_greedy_drop(struct greedy *g, uint32_t k, uint32_t *i);

/* What one host of item @i costs here and now; above @limit, or that much. */
double sfab_greedy_cost(struct greedy *g, uint32_t i, double limit);

/* Loads when nothing is chosen, in units of @scale. */
void sfab_greedy_start(struct greedy *g, double scale);

/* The same loads in units of @scale; looks. */
void sfab_greedy_rescale(struct greedy *g, double scale);

/* Look for links that may be the worst. */
void sfab_greedy_look(struct greedy *g);

/*
 * The worst of the links that the job loads, of those that were near it at the
 * last look; *@load is its L.
 */
uint32_t sfab_greedy_worst(struct greedy *g, double *load);

#endif
