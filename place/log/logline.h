/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logline.h - one decision or event as a line of JSON, and as text for people
 *
 * The decision log is a file of JSON objects, one per line, in order of time.  Their events are
 * "start", "end", "suspend", "resume" and "shrink".  With the snapshots they are enough to
 * explain and to reconstruct each decision.
 */
#ifndef SFAB_PLACE_LOGLINE_H
#define SFAB_PLACE_LOGLINE_H

#include <stddef.h>
#include <stdint.h>

#include "core/load/certificate.h"
#include "place/nodes.h"
#include "place/place.h"

#define SFAB_LOGLINE_MAX 65536	/* bytes; longer node lists are omitted */

/* A job on nodes that Slurm chose, or would have chosen. */
struct sfab_stock {
	int is_known;			/* 0: the rest is not set */
	int is_same;			/* the nodes are those that the search found */
	struct sfab_score score;	/* with the traffic of the decision */
};

/*
 * Slowdown of the job's steps (stepper.h) for three orders of ranks: their time on an idle
 * fabric / their time on one without limits between switches.
 */
struct sfab_ranks {
	int is_known;				/* 0: ranks are as Slurm orders them */
	double name_slowdown, leaf_slowdown;	/* by node name, and leaf by leaf */
	double found_slowdown;			/* in the order that the search found */
};

struct sfab_logline {
	const char *event;
	uint32_t id;
	uint32_t running;				/* running jobs, including this one */
	const char *nodes;				/* its nodes, or the one given back */
	int is_requeued;				/* "end": the job waits again */
	const struct sfab_traffic *found_traffic;	/* "end": what it sent on average, by
							   counters; or NULL */

	/* "start"; else NULL and 0 */
	const struct sfab_decision *decision;
	const char *partition;				/* or NULL */
	const char *governor;				/* why it tripped (governor.h), or NULL */
	const struct sfab_place_who *who;		/* NULL: left out */
	const struct sfab_stock *stock;			/* NULL: left out */
	const struct sfab_ranks *ranks;			/* NULL: left out */
	const double *full_hours;			/* of full links (generation.h), or NULL */
	uint64_t epoch;					/* of the snapshot, s since 1970 */
	const struct sfab_traffic *traffic;		/* assumed traffic; NULL: unknown, or as in
							   decision */
	const struct sfab_certificate *certificate;	/* of its nodes, or NULL */
	const struct sfab_fabric *f;			/* whose links the certificate names */
	uint32_t n;					/* of nodes */
	uint32_t nshares;
	const double *share;				/* [nshares] shares of CPUs that it holds */
	const struct sfab_decision *search_answer;	/* by a search, with its sets; or NULL */
	const struct sfab_nodes *table;			/* whose nodes are in these sets */
};

/*
 * Write the event, which happens now, into @buf as JSON on one line, and return @buf.  Strings
 * from outside become printable UTF-8 (core/utf8.h).
 */
char *sfab_logline_json(const struct sfab_logline *l, char *buf, size_t size);
/* Write a line of text for slurmctld.log into @buf, and return @buf. */
char *sfab_logline_text(const struct sfab_logline *l, char *buf, size_t size);

#endif
