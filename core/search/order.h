/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - the order in which the nodes of a job get its ranks
 *
 * The same nodes in another order have other neighbors in each step of a collective
 * (stepper.h).  The order is one of nodes: several tasks on a node have consecutive ranks.
 *
 *   name   by host id: natural order of names
 *   leaf   leaf by leaf, by port of the leaf: what site scripts do
 *   found  the best, by sfab_stepper_mixed(), of these two, of the nodes by pod,
 *          leaf and port class (class_grid.h), and of a local search
 *
 * The local search swaps two ranks and accepts what makes the steps at most a little worse; "a
 * little" shrinks to nothing (threshold accepting: Dueck and Scheuer, J. Comput. Phys. 90,
 * 1990).  It has no clock: the same nodes in the same fabric have the same order everywhere.
 */
#ifndef SFAB_ORDER_H
#define SFAB_ORDER_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"
#include "core/load/stepper.h"
#include "core/search/class_grid.h"

enum sfab_order_kind {
	SFAB_ORDER_NAME,
	SFAB_ORDER_LEAF,
	SFAB_ORDER_FOUND,
};
#define SFAB_NORDERS 3

/* Return "name", "leaf" or "found"; constant. */
const char *sfab_order_name(enum sfab_order_kind kind);

struct sfab_order_request {
	uint32_t n;
	const uint32_t *host;	/* borrowed; any order, no duplicates */
	double mix[SFAB_NPATTERNS];	/* weights of the patterns, some above 0 */
	uint64_t max_work;	/* changes of link loads that the search may make; 0:
				   SFAB_ORDER_WORK */
	const volatile int *stop;	/* if not NULL: give up when it becomes 1 */
	/*
	 * Of the model, borrowed.  NULL: made, which takes most of the time of a small job on a
	 * large fabric.
	 */
	const struct sfab_class_grid *grid;
	struct sfab_stepper *stepper;
};

/* A tenth of a second for 64 nodes and less than a second for 512, on 2 GHz. */
#define SFAB_ORDER_WORK(n) (((n) < 64 ? 64 : (n) > 400 ? 400 : (n)) * 80000ull)

/* As many as slurmctld may wait for: 3 ms for 64 nodes, 20 ms for 256. */
#define SFAB_ORDER_QUICK(n) ((n) * 3000ull)
#define SFAB_ORDER_QUICK_NODES 256u	/* slurmctld orders no more nodes */

enum sfab_order_reason {	/* why the found order is the order of names */
	SFAB_ORDER_SEARCHED,
	SFAB_ORDER_FEW,		/* fewer than three nodes */
	SFAB_ORDER_LOCAL,	/* all reach each other without links between switches */
	SFAB_ORDER_UNCABLED,	/* a node has no port in the fabric */
};

struct sfab_order {
	uint32_t n;
	uint32_t *host[SFAB_NORDERS];		/* by rank; one array */
	struct sfab_mixed steps[SFAB_NORDERS];	/* all zero if uncabled */
	enum sfab_order_reason reason;
	uint32_t uncabled;			/* reason UNCABLED: the first such host */
	uint64_t tried, kept;			/* swaps of the search */
};

/*
 * Find an order for @rq.  found is never worse than name or leaf by the mean of the mix; if it
 * is no better than name, it is name.  O(leaves x n x hops + work).  Memory: steps x links that
 * the nodes use.  -1: SFAB_ENOMEM, SFAB_ESTALE (stopped).
 */
int sfab_order_find(const struct sfab_model *m, const struct sfab_order_request *rq,
		    struct sfab_order *out, struct sfab_err *err);
void sfab_order_clear(struct sfab_order *o);	/* twice is fine */

#endif
