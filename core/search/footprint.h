/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footprint.h - footprints: what one host's IO adds to the switch-to-switch links
 *
 * A footprint is a vector of loads in units of link capacity, for a host that asks for the full
 * rate of its ports; a job's share and CPUs scale it.  Near the servers nearly all writers load
 * the same links.  A footprint is therefore stored in two parts.  The common part belongs to
 * one class and set: it has the links that most hosts load, each with the highest load of any
 * host.  The host's own part is positive on other links, and negative on common links that the
 * host loads less.
 *
 * Footprints depend only on the tables and the IO sets, so those that one search needed are
 * kept for the next.  A kind is a class and a set; a search needs at most SFAB_TRAFFIC_PARTS
 * kinds.  The kept footprints never exceed SFAB_FOOTPRINT_MAX entries and SFAB_FOOTPRINT_KINDS
 * kinds: a search that needs another kind evicts the least recently used ones.  If the kinds of
 * one search do not fit, each vector drops its smallest entries, which do not depend on the
 * other kinds that are kept.
 *
 * Making a vector does not count as steps of a search: the answer would otherwise depend on the
 * kept footprints.  A stop request takes effect between two hosts.
 */
#ifndef SFAB_FOOTPRINT_H
#define SFAB_FOOTPRINT_H

#include "core/load/load.h"
#include "core/load/model.h"

#define SFAB_FOOTPRINT_MAX (5u << 20)	/* entries kept; 40 MiB at 8 bytes each */
#define SFAB_FOOTPRINT_KINDS 32u	/* tables by host and link; 1 MB each for
				   10,000 of both */

struct sfab_ioentry {
	uint32_t res;		/* a switch-to-switch link */
	float v;
};

struct sfab_footprint {
	uint32_t n, left_out;	/* entries stored, and entries dropped */
	uint32_t nless;		/* number of negative entries */
	float peak;		/* the highest load of the host on any link */
	const struct sfab_ioentry *entry;	/* negative ones first, then the largest */
};

struct sfab_footprints;		/* opaque; one owner, not thread-safe */

/* @m is borrowed.  NULL: out of memory. */
struct sfab_footprints *sfab_footprints_create(const struct sfab_model *m);
void sfab_footprints_destroy(struct sfab_footprints *fps);	/* NULL is fine */

/*
 * Begin a search: borrowed vectors become invalid.  Until the next call, vectors are made only
 * while *@stop is 0 (NULL: always); after that SFAB_ESTALE.
 */
void sfab_footprints_begin(struct sfab_footprints *fps, const volatile int *stop);

/*
 * Get the own vector of @host for IO class @class and set @set, or the common one of that class
 * and set (@host SFAB_NONE).  It is borrowed until the next sfab_footprints_begin().
 */
int sfab_footprints_get(struct sfab_footprints *fps, enum sfab_class class,
			uint32_t set, uint32_t host, struct sfab_footprint *out,
			struct sfab_err *err);

/*
 * Make the vectors of all hosts in advance, set by set, so that no search waits for them.
 * Stops after @max link additions, or when no further kind fits.  With very many sets a search
 * makes the remaining ones that it needs, with the same result.
 */
#define SFAB_FOOTPRINT_FILL 300000000u	/* two seconds; enough for readers on 41,472
						   hosts with a server on each leaf */
int sfab_footprints_fill(struct sfab_footprints *fps, uint64_t max,
			 struct sfab_err *err);

/*
 * Return the first host that puts the same loads on links as @host when it writes (same leaves
 * and rates), or @host itself.  In sets with groups no two hosts count as equivalent.
 */
uint32_t sfab_footprints_first_alike(const struct sfab_footprints *fps, uint32_t set,
				     uint32_t host);

/*
 * Add to @io the load on switch-to-switch links of IO part @part of a job's traffic, at full
 * rate, to about six digits.  1: vectors cannot give it (entries were dropped, the set has a
 * client map, or a host is a server); @io may then hold a part.
 */
int sfab_footprints_load(struct sfab_footprints *fps, const struct sfab_job *job,
			 const struct sfab_traffic_part *part, struct sfab_load *io,
			 struct sfab_err *err);

#endif
