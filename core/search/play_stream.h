/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play_stream.h - what a packing is worth on a fabric, found by playing a stream of jobs
 *
 * Jobs of 1 to LARGEST hosts, even by logarithm, half of them powers of two, start one after
 * the other as soon as the utilization allows; until then jobs end, any of them.  All send the
 * same traffic.  When a job starts, its loss (phases.h) beside the mean load of the others is
 * counted, and that of some of the running jobs.  Deterministic: the same arguments give the
 * same stream and the same loss.
 */
#ifndef SFAB_PLAY_STREAM_H
#define SFAB_PLAY_STREAM_H

#include "core/search/packing.h"
#include "core/search/search.h"

struct sfab_stream {
	enum sfab_policy policy;	/* chooses the hosts */
	struct sfab_packing packing;	/* for SFAB_POLICY_SFABRIC */
	uint32_t hosts;			/* of the machine, whole leaves; 0: all */
	double utilization;		/* 0..1 of the compute hosts */
	uint32_t jobs;			/* to start on the full machine */
	uint32_t largest;		/* hosts */
	uint64_t seed;
	const struct sfab_traffic *traffic;
};

/*
 * Play @s on the fabric of @sc, and set *@loss to the part of its time that a node loses.
 * After an error *@loss is as before.  SFAB_ENOMEM.  SFAB_EINVAL: the machine has too few
 * hosts.
 */
int sfab_play_stream(struct sfab_scorer *sc, const struct sfab_stream *s, double *loss,
		     struct sfab_err *err);

/* A packing that is tried, and the loss with it. */
struct sfab_packing_trial {
	const char *name;	/* leaves, columns, links, none */
	struct sfab_packing packing;
	int is_played;		/* 0: not played, since the tables have no port classes */
	double loss;		/* part of its time that a node loses */
};
#define SFAB_PACKINGS 4
extern const struct sfab_packing_trial sfab_packing_trials[SFAB_PACKINGS];

struct sfab_packings {
	double tree;		/* loss under tree placement */
	struct sfab_packing_trial trial[SFAB_PACKINGS];
	uint32_t best;		/* index of the packing with the lowest loss */
};

/*
 * Find the packing for jobs of @traffic, a site's prior (parts of IO sets that do not exist do
 * not count), on at most as many leaves as @sc packs by, by playing streams on at most
 * SFAB_PACKING_HOSTS hosts.  Deterministic.  CPU seconds: 0.6 on a Wolf, 2 for 11,664 hosts, 17
 * for 1,135 hosts with 4,341 ports.  With fewer than SFAB_PACKING_MIN hosts, or without
 * traffic, nothing is played and leaves are best.  -1: SFAB_ENOMEM.
 */
#define SFAB_PACKING_HOSTS 700u
#define SFAB_PACKING_MIN 32u
int sfab_packings_play(struct sfab_scorer *sc, const struct sfab_traffic *traffic,
		       struct sfab_packings *out, struct sfab_err *err);

/*
 * The constants of sfab_packings_play(): if they change, another packing may be best, so they
 * belong to the key of a remembered result.
 */
extern const double sfab_packings_rules[10];

#endif
