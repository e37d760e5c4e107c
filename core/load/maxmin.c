/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maxmin.c - progressive filling (Bertsekas, Gallager: Data Networks, 6.5.2)
 *
 * All flows grow together at one level.  A resource is full at the level
 *
 * 	(capacity - what frozen flows hold) / shares of flows that still grow
 *
 * This level can only rise when other flows freeze, so the heap of resources by
 * level may be lazy.  The top entry is recomputed; if its level rose it goes
 * back, else its flows freeze at that level.  A flow's own limit is treated as
 * a resource of its own.
 */

#include "core/load/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct heap_item {
	double level;
	uint32_t id;		/* resource, or nres + flow for a limit */
};

struct filling {
	uint32_t nres, nflows;
	const double *cap;
	const uint32_t *first, *res;
	const double *share, *limit;
	double *rate;		/* < 0: the flow still grows */
	double *held, *growing;	/* by resource: bytes/s of frozen flows, shares of
				   growing ones */
	uint32_t *nflow;	/* by resource: number of growing flows */
	uint32_t *at, *flow;	/* by resource: list of its flows */
	struct heap_item *heap;
	uint32_t nheap;
};

static double share_of_hop(const struct filling *g, uint32_t k)
{
	return g->share ? g->share[k] : 1.0;
}

static int is_lower_level(const struct heap_item *a, const struct heap_item *b)
{
	return a->level < b->level || (a->level == b->level && a->id < b->id);
}

static void heap_push(struct filling *g, double level, uint32_t id)
{
	struct heap_item x = {level, id};
	uint32_t i = g->nheap++;

	while (i && is_lower_level(&x, &g->heap[(i - 1) / 2])) {
		g->heap[i] = g->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	g->heap[i] = x;
}

static struct heap_item heap_pop(struct filling *g)
{
	struct heap_item top = g->heap[0], x = g->heap[--g->nheap];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < g->nheap) {
		if (child + 1 < g->nheap &&
		    is_lower_level(&g->heap[child + 1], &g->heap[child]))
			child++;
		if (!is_lower_level(&g->heap[child], &x))
			break;
		g->heap[i] = g->heap[child];
		i = child;
	}
	g->heap[i] = x;
	return top;
}

static double level_of(const struct filling *g, uint32_t e)
{
	double left = g->cap[e] - g->held[e];

	return left > 0 ? left / g->growing[e] : 0;
}

static void freeze_flow(struct filling *g, uint32_t i, double level)
{
	if (g->rate[i] >= 0)
		return;
	g->rate[i] = level;
	for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
		g->held[g->res[k]] += level * share_of_hop(g, k);
		g->growing[g->res[k]] -= share_of_hop(g, k);
		g->nflow[g->res[k]]--;
	}
}

static void freeze_all_flows(struct filling *g)
{
	while (g->nheap) {
		struct heap_item x = heap_pop(g);
		double now;

		if (x.id >= g->nres) {
			freeze_flow(g, x.id - g->nres, x.level);
			continue;
		}
		if (!g->nflow[x.id])
			continue;
		now = level_of(g, x.id);
		/* Rounding alone must not send a resource back forever. */
		if (now > x.level * (1 + 1e-12)) {
			heap_push(g, now, x.id);
			continue;
		}
		for (uint32_t k = g->at[x.id]; k < g->at[x.id + 1]; k++)
			freeze_flow(g, g->flow[k], x.level);
	}
}

/*
 * List the flows of each resource and compute the initial levels. nflow is
 * counted down while the lists are filled, and restored afterwards.
 */
static void set_up_filling(struct filling *g)
{
	for (uint32_t k = 0; k < g->first[g->nflows]; k++) {
		g->growing[g->res[k]] += share_of_hop(g, k);
		g->nflow[g->res[k]]++;
	}
	for (uint32_t e = 0; e < g->nres; e++) {
		g->at[e + 1] = g->at[e] + g->nflow[e];
		if (g->nflow[e])
			heap_push(g, level_of(g, e), e);
	}
	for (uint32_t i = g->nflows; i-- > 0;)
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			g->flow[g->at[g->res[k]] + --g->nflow[g->res[k]]] = i;
	for (uint32_t e = 0; e < g->nres; e++)
		g->nflow[e] = g->at[e + 1] - g->at[e];
	for (uint32_t i = 0; i < g->nflows; i++) {
		g->rate[i] = -1;
		if (g->limit && isfinite(g->limit[i]))
			heap_push(g, g->limit[i], g->nres + i);
	}
}

int sfab_maxmin(uint32_t nres, const double *cap, uint32_t nflows,
		const uint32_t *first, const uint32_t *res, const double *share,
		const double *limit, double *rate, struct sfab_err *err)
{
	struct filling g = { .nres = nres, .nflows = nflows, .cap = cap,
			     .first = first, .res = res, .share = share,
			     .limit = limit, .rate = rate };
	int rc = 0;

	g.held = calloc(nres + 1u, sizeof(*g.held));
	g.growing = calloc(nres + 1u, sizeof(*g.growing));
	g.nflow = calloc(nres + 1u, sizeof(*g.nflow));
	g.at = calloc(nres + 2u, sizeof(*g.at));
	g.flow = calloc(first[nflows] + 1u, sizeof(*g.flow));
	g.heap = calloc((size_t) nres + nflows + 2, sizeof(*g.heap));
	if (g.held && g.growing && g.nflow && g.at && g.flow && g.heap) {
		set_up_filling(&g);
		freeze_all_flows(&g);
	} else {
		rc = sfab_no_memory(err);
	}
	free(g.held);
	free(g.growing);
	free(g.nflow);
	free(g.at);
	free(g.flow);
	free(g.heap);
	return rc;
}
