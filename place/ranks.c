/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranks.c - in which order the nodes of a job that begins take its ranks; see place_private.h
 *
 * Slurm keeps its own order if this one is no better, or is not found in time.  The search for
 * nodes and the search for an order share one budget, MaxSearchTime: what the first took is no
 * longer there for the second, because slurmctld's locks are held for both.
 */

#include "place/place_private.h"

#include <inttypes.h>

#include "core/search/order.h"

/*
 * May the nodes of this run be ordered?  A job that gets all free nodes (NO_CHOICE) has no
 * choice of nodes, but one of their order.  Two nodes have only one order, up to its direction.
 * On adaptive routes no table says which flows meet.
 */
static int is_ranked(const struct sfab_place *p, const struct sfab_place_run *run)
{
	const struct sfab_decision *d = &p->begin_decision;

	return (run->flags & SFAB_RUN_RANKS) && p->generation && p->generation_fits &&
	       p->generation->conf->rank_order && d->mode == SFAB_MODE_ON &&
	       (d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_NO_CHOICE) &&
	       d->took_us < p->generation->conf->max_search_us &&
	       !p->generation->f->adaptive && run->n > 2 &&
	       run->n <= SFAB_ORDER_QUICK_NODES;
}

/*
 * List the hosts of the nodes.  0: not all have one of their own.  Of two nodes on the same
 * host, of_host has only one, and the other would get no rank.
 */
static int list_run_hosts(struct sfab_place *p, const struct sfab_place_run *run)
{
	for (uint32_t i = 0; i < run->n; i++) {
		uint32_t node = run->node[i];
		uint32_t host = node < p->nodes.n ? p->nodes.host[node] : SFAB_NONE;

		if (host == SFAB_NONE || p->nodes.of_host[host] != node)
			return 0;
		p->scratch.job_host[i] = host;
	}
	return 1;
}

/* Sum the patterns that its ranks send each other; neighbor counts as a ring.  0: nothing. */
static int mix_of_run(const struct sfab_place *p, double mix[SFAB_NPATTERNS])
{
	const struct sfab_traffic *t = &p->begin_decision.traffic;
	double sum = 0;

	sfab_traffic_mix(t, p->generation->model->mix, mix);
	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == SFAB_NEIGHBOR)
			mix[SFAB_RING] += t->part[i].share;
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		sum += mix[k];
	return sum > 0;
}

void sfab_place_order_ranks(struct sfab_place *p, const struct sfab_place_run *run)
{
	struct sfab_order_request rq = { .n = run->n, .host = p->scratch.job_host,
					 .max_work = SFAB_ORDER_QUICK(run->n) };
	const struct sfab_generation *gen = p->generation;
	struct sfab_err err = { 0 };
	struct sfab_order o;
	int rc;

	p->ranks.is_known = 0;
	if (!is_ranked(p, run) || !list_run_hosts(p, run) || !mix_of_run(p, rq.mix))
		return;
	rq.grid = gen->scorer->grid;
	rq.stepper = gen->stepper;
	rq.stop = sfab_watchdog_begin(&p->watchdog, gen->conf->max_search_us -
				      p->begin_decision.took_us);
	rc = sfab_order_find(gen->model, &rq, &o, &err);
	sfab_watchdog_end(&p->watchdog);
	if (rc < 0) {
		sfab_say(p->o.log, SFAB_LOG_INFO, "JobId=%" PRIu32 ": no rank order%s%s: ranks as "
			 "Slurm orders them", p->begin_decision.id,
			 err.code == SFAB_ESTALE ? " within MaxSearchTime" : ": ",
			 err.code == SFAB_ESTALE ? "" : err.text);
		return;
	}
	p->ranks.name_slowdown = o.steps[SFAB_ORDER_NAME].mean;
	p->ranks.leaf_slowdown = o.steps[SFAB_ORDER_LEAF].mean;
	p->ranks.found_slowdown = o.steps[SFAB_ORDER_FOUND].mean;
	/*
	 * Is it better than one of the orders that Slurm may have?  By name without topology,
	 * by leaf with topology/tree; which of them the site uses is not known.
	 */
	p->ranks.is_known = o.reason == SFAB_ORDER_SEARCHED &&
			 (p->ranks.found_slowdown + 1e-9 < p->ranks.name_slowdown ||
			  p->ranks.found_slowdown + 1e-9 < p->ranks.leaf_slowdown);
	for (uint32_t r = 0; p->ranks.is_known && r < o.n; r++)
		p->scratch.rank[p->nodes.of_host[o.host[SFAB_ORDER_FOUND][r]]] = r;
	sfab_order_clear(&o);
}

const uint32_t *sfab_place_ranks(const struct sfab_place *p)
{
	return p->ranks.is_known ? p->scratch.rank : NULL;
}
