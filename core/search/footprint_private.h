/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_private.h - footprints, made and kept in footprint.c, summed in footprint_sum.c */
#ifndef SFAB_FOOTPRINT_PRIVATE_H
#define SFAB_FOOTPRINT_PRIVATE_H

#include "core/arena.h"
#include "core/search/footprint.h"

struct footprint_kind {			/* one class and set */
	enum sfab_class class;
	uint32_t set;
	int has_common;
	struct sfab_footprint common;
	float *max;		/* [nlinks] common part: the highest load of any host; NULL: none */
	struct sfab_footprint *own;	/* [nhosts] own parts; entry NULL: not made; NULL: none */
	uint64_t kept;		/* entries: common and own */
	uint64_t last_search;	/* serial of the last search that needed it */
	struct sfab_arena arena;	/* max, own, and all entries */
};

struct sfab_footprints {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x sets: writes and reads of each */
	struct footprint_kind *kind;
	uint64_t kept;		/* entries of all vectors */
	uint32_t max;		/* SFAB_FOOTPRINT_MAX; a test may set less */
	uint32_t nbegun;	/* kinds that have a table */
	uint64_t search;	/* serial of the current search */
	uint32_t nused;		/* kinds that this search needed */
	const volatile int *stop;	/* if not NULL: give up when it becomes 1 */
	uint32_t *first_alike;	/* [nhosts] first host that writes alike */
	uint32_t nalike;	/* number of groups of such hosts */
	struct sfab_load host_load;	/* full load of one host */
	struct sfab_ioentry *scratch;	/* [nscratch] entries of the vector being made */
	uint32_t nscratch;
	struct sfab_load sum;	/* of vectors, in units of capacity */
	struct sfab_arena arena;	/* kind, first_alike and scratch */
};

/*
 * Get the kind of a class and set for the current search.  Make its common part if it has none
 * yet, and evict kinds that this search does not need.
 */
int sfab_footprints_open_kind(struct sfab_footprints *fps, enum sfab_class class,
			      uint32_t set, struct footprint_kind **out, struct sfab_err *err);

#endif
