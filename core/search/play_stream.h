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

/*
 * Who chooses.  PACKED takes of several proposals the one with the least own loss plus
 * @price nodes for each unit that it breaks: best fit on leaves and on columns, one host
 * of each leaf, tree placement, and rectangles of each width.
 */
enum sfab_player {
	SFAB_PLAYER_TREE,
	SFAB_PLAYER_SPREAD,
	SFAB_PLAYER_PACKED,
};

struct sfab_stream {
	enum sfab_player player;
	enum sfab_unit unit;		/* PACKED: units that are kept whole, */
	double price;			/* and nodes lost for each that is broken */
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
 * Play @s on @m; @sc is a scorer of it.  Errors: SFAB_ENOMEM; SFAB_EINVAL: the machine
 * has too few hosts.
 */
int sfab_play(const struct sfab_model *m, struct sfab_scorer *sc,
	      const struct sfab_stream *s, struct sfab_played *out, struct sfab_err *err);

#endif
