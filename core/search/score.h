/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score.h - how good a set of hosts is for a job on the machine as it is now
 *
 * With D the load of the job, B everything else, C capacity, and
 *   S(X) = max(1, max over all links and IO limits X/C) /
 *          max(1, max over end ports and IO limits X/C)
 * For mpi traffic of a model with by_steps, self and contention also go by the mean
 * over the steps of its patterns (steps.h); score_steps.h says how.  All terms are dimensionless, lower is better, 0 is
 * perfect.  For IO, in D as in B, only the part counts that the servers let through
 * when all jobs ask (served.h).  The exception is self, which looks at the job alone:
 *
 *   self        S(D) - 1
 *   overlap     sum D min(1, B/C) / sum D over switch-to-switch links, flows
 *               that are not IO
 *   io_sharing  the same for IO flows, over switch-to-switch links and links
 *               of IO ports (eject for writes, inject for reads)
 *   harm        sum over running jobs j of n_j max(0, S_j with - S_j without) / n;
 *               filling the IO servers of another job does not count as a benefit
 *   live        sum D wait_share / sum D over links, measured XmitWait
 *   contention  S(D + B) - S(D), at least 0: what the job itself suffers from
 *               the others
 *   slowed      sum over running jobs j of max(0, S_j with - S_j without): harm
 *               with every job counted once, whatever its size
 *   broken      leaves used above the fewest possible, plus leaves and pods
 *               (pods_end) left partly free: 1 for one that was wholly
 *               free, 1/2 for another
 *   ahead       sum of S - 1 over the next starts of the queue (search.h); where the
 *               model goes by steps, plus their overlap times their share of mpi
 *   tree        part of D, not IO, on switch-to-switch links of others' trees
 *               (served.h), by load; and, where D's own writes make a tree, the
 *               sum over running jobs of the same part that is on its links and
 *               in no tree yet
 *   io_way      if the model goes by steps: the largest W/C over switch-to-switch
 *               links of D, not IO, times the share of that traffic.  W is what all
 *               hosts would write (io_way.h) but those of the set on the same leaf
 *
 * The score is their weighted sum. doc/model.md says how the default weights
 * were found. harm and slowed measure the same effect in different units, so
 * one of them has weight 0.  IO itself loses nothing by being scattered, but
 * the jobs that start after it lack the leaves that it breaks.  For the IO part
 * of the traffic, broken therefore has a tenth of its weight if at least half of
 * the running jobs, by hosts, talk among themselves (sfab_jobs_talking()),
 * proportionally less if fewer do, and 0 if none does.  Where leaves are joined
 * without spines (model.h, direct) broken has 0.03 of its weight for all traffic,
 * and self, beside other jobs, 0.3 of its own.
 * The order of the hosts is that of the ranks (Slurm's: by name); only the steps of
 * mpi traffic depend on it.
 */
#ifndef SFAB_SCORE_H
#define SFAB_SCORE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"
#include "core/search/class_grid.h"
#include "core/search/footprint.h"

enum sfab_term {
	SFAB_TERM_SELF,
	SFAB_TERM_OVERLAP,
	SFAB_TERM_IO_SHARING,
	SFAB_TERM_HARM,
	SFAB_TERM_LIVE,
	SFAB_TERM_CONTENTION,
	SFAB_TERM_SLOWED,
	SFAB_TERM_BROKEN,
	SFAB_TERM_AHEAD,
	SFAB_TERM_TREE,
	SFAB_TERM_IO_WAY,
};
#define SFAB_NTERMS 11

struct sfab_score {
	double total;			/* sum of weight x term */
	double term[SFAB_NTERMS];
	double weight[SFAB_NTERMS];	/* weights that were applied */
	double worst;			/* max D/C over switch-to-switch links */
	uint32_t worst_link;		/* that link, or SFAB_NONE */
	double slowdown;		/* S(D + B) over what the job touches, with
					   IO as served, mpi as its mean */
	double lockstep;		/* the same of the job alone */
	double key;			/* what a search compares; 0 outside a search */
	double ends;			/* max(1, D/C over end ports and IO limits) */
	double alone, beside;		/* mpi by steps: S alone and beside the others;
					   0: not computed */
	double in_steps;		/* what steps add to self */
	double partly;			/* part of broken: leaves and pods left partly
					   free */
	int walked;			/* its loads are exact: all routes were walked */
	uint32_t leaves;		/* leaves used */
	uint32_t steps;			/* link additions and visits that scoring
					   took */
};

const char *sfab_term_name(enum sfab_term term);
extern const double sfab_default_weights[SFAB_NTERMS];

/* Scratch for scoring; reusable, one thread. */
struct sfab_scorer;
struct sfab_scorer *sfab_scorer_create(const struct sfab_model *m);
void sfab_scorer_destroy(struct sfab_scorer *sc);	/* NULL is fine */
const struct sfab_model *sfab_scorer_model(const struct sfab_scorer *sc);
/* Footprints kept for searches with this scorer (footprint.h). */
struct sfab_footprints *sfab_scorer_footprints(const struct sfab_scorer *sc);
/* The hosts by port classes (class_grid.h); borrowed.  NULL: not by steps. */
const struct sfab_class_grid *sfab_scorer_grid(const struct sfab_scorer *sc);
/* How much IO each host meets (io_way.h); borrowed.  NULL: not by steps, or no IO. */
const double *sfab_scorer_host_way(const struct sfab_scorer *sc);

/*
 * The hosts that a set is chosen from, by leaf: the basis of "fewest possible"
 * and "partly free".
 */
#define SFAB_SPACE_ROOMY 0.05	/* part of the compute hosts */
struct sfab_space {
	uint32_t fewest;	/* fewest leaves that can hold the job */
	int is_full;		/* less than SFAB_SPACE_ROOMY of the compute hosts is
				   left with the job in place */
	uint32_t *free;		/* by leaf: hosts that may be used */
	uint32_t *size;		/* by leaf: compute hosts, busy or not */
	uint32_t pods_end;	/* levels from 1 up to this one have pods that count; 1:
				   none, as where sfab_shapes_apply(): there are no
				   spines, or a host has ports in several pods */
	uint32_t *pod_free;	/* the same by pod, [level * nleaves + group] as in */
	uint32_t *pod_size;	/* tree.h; NULL: no pods */
};

/*
 * Occupancy for a job of @n hosts out of @avail ([nhosts]; NULL: all compute
 * hosts that are not IO hosts).  The leaves of @required hosts (NULL: none) are
 * used in any case.  -1: out of memory.  O(hosts).
 */
int sfab_space_init(struct sfab_space *room, const struct sfab_model *m,
		   const uint8_t *avail, const uint8_t *required, uint32_t n);
void sfab_space_free(struct sfab_space *room);

/*
 * Leaves and pods that a set leaves partly free: 1 if one was wholly free, else 1/2.
 * The set has @used[l] hosts on each of the @n leaves l in @leaf.  @in_pod: [nleaves]
 * scratch, 0 before and after.
 */
double sfab_space_broken(const struct sfab_space *room, const struct sfab_tree *t,
			 uint32_t n, const uint32_t *leaf, const uint32_t *used,
			 uint32_t *in_pod);

/*
 * Score a set.  @js NULL: an empty machine.  @room NULL: the occupancy of an
 * empty machine.  @weights NULL: the defaults.  The term "ahead" is 0: only a
 * search knows the queue.
 */
int sfab_score(struct sfab_scorer *sc, struct sfab_jobs *js,
	       const struct sfab_spec *spec, const struct sfab_space *room,
	       const double *weights, struct sfab_score *out,
	       struct sfab_err *err);

/*
 * The same with IO summed from kept footprints (footprint.h), accurate to about
 * six digits, and mpi as the mean of all-to-all even with by_steps: for a search that
 * compares many sets.
 */
int sfab_score_quick(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec, const struct sfab_space *room,
		     const double *weights, struct sfab_score *out,
		     struct sfab_err *err);

/* What a set must reach to be among the best. */
struct sfab_bar {
	double key;
	double ends;		/* slowdowns are relative to it, the same value for all
				   sets of a request; 0: the set's own */
	double forgiven;	/* part (0..1) of partly that does not count */
	int with_steps;		/* score mpi by steps, too */
};

/* The score that a search compares: @bar's ends and forgiven apply. */
double sfab_score_key(const struct sfab_score *s, const struct sfab_bar *bar);

/*
 * Quick score of a set that may be among the best.  1: its key is above that of @bar
 * even without other jobs, or without steps; what would come next is not set.
 */
int sfab_score_under(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_spec *spec, const struct sfab_space *room,
		     const double *weights, const struct sfab_bar *bar,
		     struct sfab_score *out, struct sfab_err *err);

/*
 * The slowdown that a score predicts for the job itself beside the others: its
 * means, or its steps if they are computed and say more.  At least 1.
 */
double sfab_score_slowdown(const struct sfab_score *s);

/* D of the last sfab_score(), for explanations: bytes/s by resource. */
const struct sfab_load *sfab_scorer_net(const struct sfab_scorer *sc);
const struct sfab_load *sfab_scorer_io(const struct sfab_scorer *sc);

#endif
