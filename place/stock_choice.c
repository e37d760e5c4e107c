/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_choice.c - what Slurm's own nodes mean for a job that begins; see place_private.h
 *
 * If the job runs where it was placed, Slurm's own choice is not known.  Best-fit by leaf, as
 * topology/tree does it, stands for it.  Otherwise the job's nodes are Slurm's choice.
 */

#include "place/place_private.h"

#include <string.h>

/*
 * Return the nodes that the job got, as bits in the set that the tree's choice had.  That set
 * is free: it is needed only if the job runs where it was placed.
 */
static const uint64_t *set_of_run(struct sfab_place *p,
				  const struct sfab_cached_decision *cached,
				  const struct sfab_place_run *run)
{
	uint64_t *bits = cached->d.tree;

	memset(bits, 0, p->decisions.words * sizeof(*bits));
	for (uint32_t i = 0; i < run->n; i++)
		if (run->node[i] < p->nodes.n)
			bits[run->node[i] / 64] |= UINT64_C(1) << run->node[i] % 64;
	return bits;
}

void sfab_place_score_stock(struct sfab_place *p, const struct sfab_place_run *run)
{
	const struct sfab_cached_decision *cached = sfab_decision_cache_find(
		&p->decisions, run->asked_id);
	const uint64_t *bits;
	struct sfab_job job = { .host = p->scratch.job_host, .cpus = p->scratch.job_cpus };

	memset(&p->stock, 0, sizeof(p->stock));
	if (!cached || !cached->d.is_scored || !p->generation || !p->generation_fits ||
	    cached->d.fingerprint != p->generation->snap->fingerprint)
		return;
	bits = p->begin_decision.reason == SFAB_PLACED ? cached->d.tree :
						set_of_run(p, cached, run);
	job.traffic = &cached->d.traffic;
	for (uint32_t h = 0; h < p->nodes.nhosts; h++) {
		uint32_t node = p->nodes.of_host[h];

		if (node != SFAB_NONE && (bits[node / 64] >> (node % 64) & 1))
			p->scratch.job_host[job.n++] = h;
	}
	/* The CPUs that the search assumed, so that predictions differ by nodes alone. */
	for (uint32_t i = 0; i < job.n; i++)
		p->scratch.job_cpus[i] = cached->d.cpus;
	/* Unknown if a node is not in the snapshot. */
	if (!job.n || job.n != run->n ||
	    sfab_score(p->generation->scorer, p->generation->jobs, &job, NULL, NULL,
		       &p->stock.score, NULL) < 0)
		return;
	p->stock.is_known = 1;
	p->stock.is_same = memcmp(bits, cached->d.node,
				  p->decisions.words * sizeof(*bits)) == 0;
}
