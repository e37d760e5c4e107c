/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.h - the answer to a question about a job, and what it was made from */
#ifndef SFAB_PLACE_DECISION_H
#define SFAB_PLACE_DECISION_H

#include <stdint.h>

#include "core/load/traffic.h"
#include "core/search/score.h"
#include "io/conf/conf.h"
#include "io/learn/history.h"
#include "place/request/reason.h"

/* What decided what a job is assumed to send. */
enum sfab_source {
	SFAB_FROM_DEFAULT,	/* DefaultTraffic */
	SFAB_FROM_HINT,
	SFAB_FROM_SCRIPT,
	SFAB_FROM_LEARNED,	/* earlier runs: history.h */
};

struct sfab_origin {
	enum sfab_source source;
	enum sfab_history_kind kind;	/* learned: the key that the runs share */
	uint32_t runs;			/* learned: how many there were */
};

struct sfab_decision {
	uint32_t id;			/* of the job */
	enum sfab_mode mode;
	enum sfab_reason reason;
	uint64_t fingerprint;		/* of the snapshot, 0: none */

	struct sfab_traffic traffic;
	struct sfab_origin origin;	/* of the traffic, if it has parts */
	unsigned says;			/* SFAB_SAYS_*: what the script decided */
	enum sfab_hint hint;		/* WRONG: hint_text says why */
	char hint_text[160];		/* printable */
	double weights[SFAB_NTERMS];	/* of the score, if there was a search */

	/* sets of nodes are bits by node index; only the service writes them */
	uint32_t n;			/* nodes chosen, 0 if nothing was */
	uint64_t *node;			/* bit set: chosen; valid if n > 0 */
	uint32_t took_us;		/* what the search took by the clock, at least 1; 0: there
					   was none */

	int is_scored;			/* 1: from a search, all below is valid */
	uint64_t *candidate;		/* bit set: nodes it chose from */
	uint64_t *required;		/* bit set: nodes that it had to include */
	uint64_t *tree;			/* bit set: candidates that best-fit by leaf takes, which
					   knows no routes, as Slurm's topology/tree does */
	double cpus;			/* share of a node's CPUs that the job will hold */
	const float *each_cpus;		/* the same by node index; NULL: equal on all */
	struct sfab_score score;
	uint32_t max_n;			/* of a range: nodes that it could have had; 0: no range */
	double lost_at_max;		/* nodes that would be lost with these; 0: no range */
	uint32_t steps;			/* of the search */
};

static inline int sfab_decision_has(const struct sfab_decision *d, uint32_t node)
{
	return d->n && (d->node[node / 64] >> (node % 64) & 1);
}

#endif
