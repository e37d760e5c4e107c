/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * certificate.h - what the tables prove about the nodes of a job
 *
 * Three statements, each of which anyone can check with the snapshot and the node lists of the
 * jobs:
 *
 *   io      the rate that its IO reaches alone, all flows at one rate, and the rate that end
 *           ports and servers allow
 *   steps   how many steps of its collectives have no conflict on links between
 *           switches (stepper.h), with every host sending at full rate and no
 *           other job
 *   shares  how many running jobs have load on a link between switches that
 *           this job loads too, each by the routes of its own traffic
 *
 * None depends on counters.  The steps depend on the tables, the hosts and their order alone.
 * A large pattern is sampled: then fewer steps than nsteps are checked, and the text says so.
 */
#ifndef SFAB_CERTIFICATE_H
#define SFAB_CERTIFICATE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/stepper.h"

#define SFAB_CERTIFICATE_IDS 8	/* sharing jobs listed by id; all are counted */

struct sfab_certificate_io {
	double rate, allowed;	/* bytes/s; 0: the job has no such IO */
};

struct sfab_certificate {
	/* sfab_certificate_set_io() */
	/* write, read; of several IO sets the one that gets the smallest part of what is allowed */
	struct sfab_certificate_io io[2];

	/* sfab_certificate_set_patterns() */
	uint32_t npatterns;	/* patterns with a weight in the job's mix; 0: it sends nothing in
				   steps */
	enum sfab_pattern pattern[SFAB_NPATTERNS];

	/* sfab_certificate_set_steps() */
	int has_steps;		/* 1: steps are set; 0: not asked for, or routes are adaptive */
	struct sfab_steps steps[SFAB_NPATTERNS];

	/* sfab_certificate_set_shares() */
	uint32_t links;		/* links between switches that the job loads */
	uint32_t running;	/* other jobs that run; suspended ones do not */
	uint32_t shared_links;	/* of these, links on which other jobs have load too */
	uint32_t sharing;	/* of the running jobs, those that have load on its links */
	uint32_t worst_link;	/* the fullest shared link, the lowest of several; SFAB_NONE:
				   none */
	double worst_fill;	/* load of all jobs on this link / its capacity */
	uint32_t nids;
	/* sharing jobs, by their load on its links, most first; lower ids first */
	uint64_t id[SFAB_CERTIFICATE_IDS];
};

/*
 * Set the patterns that a job of traffic @t sends in steps.  uniform is not one of them;
 * neighbor is sent as a ring.
 */
void sfab_certificate_set_patterns(const struct sfab_model *m,
				   const struct sfab_traffic *t,
				   struct sfab_certificate *out);

/*
 * Set the steps of these patterns for a job on the @n hosts @host, in the order of its ranks.
 * -1: SFAB_ENOMEM.  Cost: sfab_stepper_take() and, for each pattern, sfab_stepper_steps().
 * Where switches choose ports by load, nothing can be proved of a step: then there are no
 * patterns.
 */
int sfab_certificate_set_steps(struct sfab_stepper *sp, uint32_t n, const uint32_t *host,
			       struct sfab_certificate *out, struct sfab_err *err);

/* Set io.  -1: SFAB_ENOMEM; SFAB_ENOENT: no such IO set.  It costs what sfab_demand() does. */
int sfab_certificate_set_io(const struct sfab_model *m, const struct sfab_job *job,
			    struct sfab_certificate *out, struct sfab_err *err);

/*
 * Set the shares of job @id, which must run in @js and not be suspended (SFAB_EINVAL).  O(jobs
 * + entries in the job lists of its links).
 */
int sfab_certificate_set_shares(struct sfab_jobs *js, uint64_t id,
				struct sfab_certificate *out, struct sfab_err *err);

/*
 * Set the shares of @job, which does not run, as if it were added to @js.  @js is unchanged
 * afterwards.  -1: as sfab_certificate_set_shares().
 */
int sfab_certificate_set_candidate_shares(struct sfab_jobs *js, const struct sfab_job *job,
					  struct sfab_certificate *out, struct sfab_err *err);

/*
 * Write the certificate as one phrase without names of nodes or links.  Returns @buf.
 *
 *     IO alone 55 of 55 GB/s, 70 of 70 steps clear, shares no switch link with 41 running
 *     jobs at its start
 *     92 of 140 sampled of 521 steps clear, shares 3 switch links with 2 of 41 running
 *     jobs at its start
 *     uses no switch link
 */
#define SFAB_CERTIFICATE_TEXT 256
char *sfab_certificate_text(const struct sfab_certificate *c, char buf[SFAB_CERTIFICATE_TEXT]);

#endif
