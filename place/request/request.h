/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - from a question about nodes to a search among hosts
 *
 * Usable nodes are sorted by sched_weight, and only the lowest weights that can hold the job
 * are searched.  For a job that wants whole nodes, and where CPUs count against a limit, only
 * the smallest of those nodes are.  A job that shares nodes first takes nodes that are already
 * in use; otherwise it would break up idle ones.
 */
#ifndef SFAB_PLACE_REQUEST_H
#define SFAB_PLACE_REQUEST_H

#include <stdint.h>

#include "place/nodes.h"
#include "place/place.h"
#include "place/request/reason.h"
#include "place/request/scratch.h"
#include "place/running.h"

/*
 * Fill s->rq except traffic, weights, steps, seed and stop, for @extra nodes more than needed.
 * SFAB_PLACED: there is something to search; otherwise the reason why not.  After
 * SFAB_STOCK_NO_CHOICE the usable nodes are the answer.
 *
 * A range (-N MIN-MAX) asks for as many nodes as are usable, up to MAX.  If the job wants whole
 * nodes, the search may also choose fewer (sizes.h): then even a range that gets all usable
 * nodes is worth a search.
 */
enum sfab_reason sfab_request_make(struct sfab_scratch *s,
				   const struct sfab_ask *ask,
				   const struct sfab_nodes *nodes,
				   const struct sfab_running *running,
				   uint32_t extra);

/* Hash of everything the answer depends on except the running jobs.  Never 0. */
uint64_t sfab_request_key(const struct sfab_scratch *s, const char *traffic, const double *weights);

#endif
