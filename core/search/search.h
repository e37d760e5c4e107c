/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search.h - choose hosts for a job
 *
 * Deterministic: the same request gives the same answer in slurmctld and on the command line.
 * The bound is a number of steps (about one link addition each), never a clock.  Of sets with
 * equal scores the one on fewer leaves wins, then the one that was tried first; hosts are tried
 * in the order of the fabric (leaf, port, name).
 */
#ifndef SFAB_SEARCH_H
#define SFAB_SEARCH_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"
#include "core/search/score.h"

#define SFAB_MAX_STEPS_DEFAULT 250000u

struct sfab_request {
	uint32_t n;			/* hosts wanted, >= 1 */
	const uint8_t *avail;		/* [nhosts] 1: may be used */
	const uint8_t *required;	/* [nhosts] 1: must be used; NULL: none */
	const uint32_t *weight;		/* [nhosts] node weight class; NULL: all equal */
	const struct sfab_traffic *traffic;
	const double *cpus;		/* [nhosts] CPUs held / CPUs; NULL: 1 */
	const double *weights;		/* score weights, NULL: default */
	/*
	 * Steps for a job of 64 hosts; 0: default.  A larger job gets more in proportion.  A
	 * job with IO gets at least what a job of a tenth of all hosts (at most 512) would.
	 */
	uint32_t max_steps;
	uint64_t seed;
	/* topology/tree of this Slurm is SFAB_POLICY_TREE: 100 * major + minor; 0: 22.05 */
	uint32_t slurm;
	const volatile int *stop;	/* if not NULL: give up when it becomes 1 */
};

enum sfab_policy {
	SFAB_POLICY_SFABRIC,
	SFAB_POLICY_CONTIGUOUS,	/* first run of free hosts in name order */
	SFAB_POLICY_TREE,	/* best-fit by leaf, as topology/tree does */
	SFAB_POLICY_SPREAD,	/* one host per leaf in turn */
	SFAB_POLICY_RANDOM,	/* by seed */
};
#define SFAB_NPOLICIES 5
/* Return the name that commands use; constant. */
const char *sfab_policy_name(enum sfab_policy policy);

struct sfab_choice {
	uint32_t n;
	uint32_t *host;		/* ascending host ids, freed by _clear */
	struct sfab_score score;
	uint32_t steps;		/* steps used */
	uint32_t max_n;		/* of a range (sizes.h): hosts that it could have had; 0: no
				   range */
	double lost_at_max;	/* nodes that would be lost with max_n hosts; 0: no range */
	uint32_t *tree_host;	/* [n] hosts of SFAB_POLICY_TREE, ascending, freed by _clear;
				   NULL: not from a search */
};
void sfab_choice_clear(struct sfab_choice *c);

/*
 * Work within the lowest weight classes that can hold the job: take all hosts of the lower
 * classes, and choose only within the class that completes the job.  Errors: SFAB_EINVAL if n
 * is 0, if fewer hosts are available than wanted, if a required host is not available, or if
 * more are required than wanted; SFAB_ENOENT: no such IO set; SFAB_ESTALE: stopped by @stop;
 * SFAB_ENOMEM.
 */
int sfab_search(struct sfab_scorer *sc, struct sfab_jobs *js,
		const struct sfab_request *rq, struct sfab_choice *out,
		struct sfab_err *err);

/* Is @stop set, which another thread may do at any time? */
static inline int sfab_search_is_stopped(const struct sfab_request *rq)
{
	return rq->stop && __atomic_load_n(rq->stop, __ATOMIC_RELAXED);
}

/*
 * Choose hosts by @policy.  SFABRIC is sfab_search().  A baseline policy has one set, which
 * gets the same score, for comparison.
 */
int sfab_search_by(struct sfab_scorer *sc, struct sfab_jobs *js,
		   const struct sfab_request *rq, enum sfab_policy policy,
		   struct sfab_choice *out, struct sfab_err *err);

#endif
