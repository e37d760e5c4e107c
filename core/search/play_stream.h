/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play_stream.h - what a packing is worth on a fabric, found by playing a stream of jobs
 *
 * Jobs of 1 to LARGEST hosts, even by logarithm, half of them powers of two, start one
 * after the other as soon as the utilization allows; until then jobs end, any of them.
 * All send the same traffic.  What they lose (phases.h) beside the mean load of the
 * others is counted when a job starts, for it and for some of the running jobs.
 * Deterministic: the same arguments give the same stream and the same loss.
 */
#ifndef SFAB_PLAY_STREAM_H
#define SFAB_PLAY_STREAM_H

#include "core/search/packing.h"
#include "core/search/search.h"

struct sfab_stream {
	enum sfab_policy policy;	/* who chooses */
	struct sfab_packing packing;	/* of SFAB_POLICY_SFABRIC */
	uint32_t hosts;			/* of the machine, whole leaves; 0: all */
	double utilization;		/* 0..1 of the compute hosts */
	uint32_t jobs;			/* to start on the full machine */
	uint32_t largest;		/* hosts */
	uint64_t seed;
	const struct sfab_traffic *traffic;
};

struct sfab_played {
	double loss;			/* a node, part of its time */
	double alone;			/* the same without others */
	double part[SFAB_TRAFFIC_PARTS];	/* of loss, by part of the traffic */
};

/*
 * Play @s on @m; @sc is a scorer of it, and packs as @s says from then on.  Errors: SFAB_ENOMEM; SFAB_EINVAL: the machine
 * has too few hosts.
 */
int sfab_play(const struct sfab_model *m, struct sfab_scorer *sc,
	      const struct sfab_stream *s, struct sfab_played *out, struct sfab_err *err);

/*
 * Play each packing for jobs that do what @traffic says, a site's prior.  @each: also for
 * jobs that do its MPI and its IO, and either of them alone; a prior without one of them
 * then has what is built in.  IO counts where there is an IO set.  Jobs are on at most @most_leaves leaves, 0: any
 * number, and streams on at most SFAB_PACKING_HOSTS hosts.
 * Deterministic.  Seconds: one or two on a Wolf, several for 11,664 hosts; with less than
 * SFAB_PACKING_LEAST hosts nothing is played.  -1: SFAB_ENOMEM.
 */
#define SFAB_PACKING_HOSTS 700u
int sfab_packings_play(const struct sfab_model *m, const struct sfab_traffic *traffic,
		       uint32_t most_leaves, int each, struct sfab_packings *out,
		       struct sfab_err *err);

#endif
