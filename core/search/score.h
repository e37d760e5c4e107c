/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * score.h - what a set of hosts costs: nodes lost
 *
 * A job of n hosts that takes 1 + l times as long as on an ideal fabric loses n l nodes for as
 * long as it runs.  The score is a sum of three such losses, lower is better:
 *
 *   own      n times what the job loses in its phases beside the others (phases.h),
 *            and what its traffic loses in congestion trees (jobs.h)
 *   others   what running jobs lose to it
 *   later    what jobs to come lose: the price of each unit of the packing that the
 *            set breaks, and the price of its load where the packing spares links (packing.h)
 *
 * All three are in nodes, so each weighs 1; a site's script may weigh them otherwise for a job.
 * A link that always waits (XmitWait) counts as full.  The order of the hosts is that of the
 * ranks (Slurm's: by name).
 */
#ifndef SFAB_SCORE_H
#define SFAB_SCORE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/load.h"
#include "core/load/model.h"
#include "core/load/phases.h"
#include "core/search/class_grid.h"
#include "core/search/footprint.h"
#include "core/search/packing.h"

enum sfab_term {
	SFAB_TERM_OWN,
	SFAB_TERM_OTHERS,
	SFAB_TERM_LATER,
};
#define SFAB_NTERMS 3

struct sfab_score {
	double total;			/* nodes lost: sum of weight x term */
	double term[SFAB_NTERMS];	/* nodes */
	double weight[SFAB_NTERMS];	/* weights that were applied */
	struct sfab_lost lost;		/* own, by part of the traffic */
	double slowdown;		/* of the job: 1 + own / n */
	double alone;			/* slowdown on an empty machine */
	double servers;			/* nodes that wait for IO servers, wherever they are */
	double worst;			/* max D/C over switch-to-switch links, D the mean
					   load of the job */
	uint32_t worst_link;		/* that link, or SFAB_NONE */
	uint32_t leaves;		/* leaves used */
	uint32_t steps;			/* link additions and visits that scoring took */
};

/* Return the name of the term in configuration, logs and JSON; constant. */
const char *sfab_term_name(enum sfab_term term);
extern const double sfab_default_weights[SFAB_NTERMS];

/* Return the nodes of @n that class @c of traffic @t loses. */
double sfab_score_class(const struct sfab_score *s, const struct sfab_traffic *t, uint32_t n,
			enum sfab_class c);

/* What scoring needs of a fabric, and its scratch; reusable, one thread. */
struct sfab_scorer {
	const struct sfab_model *m;
	struct sfab_packing packing;	/* sfab_default_packing unless its owner sets another */
	struct sfab_class_grid *grid;	/* the hosts by port classes */
	struct sfab_units unit[SFAB_NUNITS];	/* the hosts by unit */
	struct sfab_footprints *footprints;	/* kept for searches (footprint.h) */
	/* mean loads of the last set, bytes/s by resource */
	struct sfab_load net;		/* all classes but IO */
	struct sfab_load io;

	/* scratch of score.c */
	struct sfab_phases *phases;
	struct sfab_load part;		/* load of one part at full rate */
	struct sfab_load flow;		/* net, and the part of io that passes */
	uint8_t *seen;			/* by leaf: 0 between calls */
	uint64_t work;			/* steps that the counts of the loads do not include */
	struct sfab_arena arena;	/* of grid, unit and seen */
};
/* NULL: out of memory.  @m must outlive it. */
struct sfab_scorer *sfab_scorer_create(const struct sfab_model *m);
void sfab_scorer_destroy(struct sfab_scorer *sc);	/* NULL is fine */

/*
 * Score a set.  @js NULL: an empty machine.  @avail: [nhosts] 1: free for this and later jobs,
 * the hosts of the set included; NULL: all.  @weights NULL: the defaults.
 * -1: SFAB_ENOMEM, or SFAB_ENOENT for IO traffic without such a set.  O(steps of its patterns x
 * hosts x hops, and hosts x servers x hops for IO).
 */
int sfab_score(struct sfab_scorer *sc, struct sfab_jobs *js,
	       const struct sfab_job *job, const uint8_t *avail,
	       const double *weights, struct sfab_score *out,
	       struct sfab_err *err);

/* -- for searches --------------------------------------------------------- */

/* Set the free hosts for the calls that follow; @avail is as for sfab_score().  O(hosts). */
void sfab_scorer_set_free(struct sfab_scorer *sc, const uint8_t *avail);

/*
 * Score a set, but stop when its total exceeds @limit.  IO is summed from kept footprints, so
 * the total is right to about six digits, and worst is not set.  1: the total is above @limit;
 * only the terms that were computed until then are set.  Errors and cost are those of
 * sfab_score(), but IO costs only the sum of footprints.
 */
int sfab_score_below(struct sfab_scorer *sc, struct sfab_jobs *js,
		     const struct sfab_job *job, const double *weights, double limit,
		     struct sfab_score *out, struct sfab_err *err);

#endif
