/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - a fabric with its running jobs under one policy
 *
 * What a job sends and what the policy is told of it may differ.  The policy then also relies
 * on what it was told of the running jobs.  Traffic and weights follow from that as in the
 * plugin; a job that the plugin would leave to Slurm is placed as by the policy tree.
 */
#ifndef SFAB_REPLAY_MACHINE_H
#define SFAB_REPLAY_MACHINE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/jobs.h"
#include "core/load/model.h"
#include "core/search/search.h"
#include "place/request/intent.h"
#include "tools/replay/loss_judge.h"
#include "tools/replay/sim.h"
#include "tools/replay/workload.h"

enum stretch {			/* what run times are stretched by */
	STRETCH_LOCKSTEP,	/* S */
	STRETCH_LOSS,		/* 1 + what the job loses (core/load/phases.h) */
	STRETCH_NONE,
};

struct replay_machine_options {
	enum sfab_policy policy;
	uint64_t seed;
	uint32_t max_steps;			/* 0: default */
	const struct sfab_packing *packing;	/* NULL: the scorer's own */
	struct sfab_intent_site site;		/* facts for policy sfabric; modes NULL */
	double judge;				/* 0..1: fraction of starts to judge */
	enum judged_ranks ranks;		/* order of the ranks of jobs that are judged */
	enum stretch stretch;
};

struct replay_cost {		/* what its nodes cost a job that has started */
	double own;		/* slowdown of the job alone */
	struct lost_nodes lost;	/* judged when it or another job started */
};

struct replay_machine;			/* opaque */

/* Make a machine without jobs.  @avail: [nhosts] flags of hosts that run jobs; copied. */
struct replay_machine *replay_machine_create(
	const struct sfab_model *m, const uint8_t *avail, const struct workload *w,
	const struct replay_machine_options *o);
void replay_machine_destroy(struct replay_machine *machine);

/* Return what sim_run() calls to place jobs on @machine. */
struct sim_hooks replay_machine_hooks(struct replay_machine *machine);

/* Return the costs by job, for the jobs that have started. */
const struct replay_cost *replay_machine_costs(const struct replay_machine *machine);

/* Return for how many starts the script had no answer (SFAB_SAYS_FAILED). */
uint32_t replay_machine_failed(const struct replay_machine *machine);

/* Return the hosts of a running job, ascending.  NULL: it is not running. */
const uint32_t *replay_machine_hosts(const struct replay_machine *machine, uint32_t job);

#endif
