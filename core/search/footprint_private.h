/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footprint_private.h - vectors of IO as footprint.c makes, footprint_keep.c
 * keeps and footprint_sum.c adds them
 */
#ifndef SFAB_FOOTPRINT_PRIVATE_H
#define SFAB_FOOTPRINT_PRIVATE_H

#include "core/search/footprint.h"
#include "core/search/footprint_cover.h"

struct kind {			/* of vectors: one class and set */
	enum sfab_class class;
	uint32_t set;
	int has_common;
	struct sfab_iovec common;
	float *most;		/* [nlinks] common part; NULL: there is none */
	uint32_t *cover;	/* [nlinks] see footprint_cover.h; NULL: not known */
	uint32_t *same;
	struct sfab_iovec *of;	/* [nhosts] own part; entry NULL: not yet; NULL: none */
	uint64_t kept;		/* entries: common, own and few */
	uint64_t used;		/* the last search that asked */
};

struct sfab_iovecs {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x sets: writes and reads of each */
	struct kind *kind;
	uint64_t kept;		/* entries, of all vectors */
	uint32_t max;		/* SFAB_IOVEC_MAX, or what a test says */
	uint32_t nbegun;	/* kinds that have a table */
	uint64_t search;	/* serial of the one at hand */
	uint32_t nused;		/* kinds that it asked for */
	const volatile int *stop;	/* not NULL: give up when it becomes 1 */
	uint32_t *like;		/* [nhosts] first host that writes alike */
	uint32_t nlike;		/* different ones */
	struct sfab_load net, io;
	struct sfab_ioentry *scratch;	/* of a vector in the making */
	uint32_t n;
	struct sfab_load sum;	/* of vectors, in units of capacity */
};

/* The vectors of one class and set, with what is common to them. */
int sfab_iovecs_kind(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		     struct kind **out, struct sfab_err *err);

/* Entries that one kind may have: those of one search fit together. */
uint32_t sfab_iovecs_share(const struct sfab_iovecs *vs);

/* One more kind fits beside those that are kept. */
int sfab_iovecs_has_room(const struct sfab_iovecs *vs);

/*
 * The search at hand needs @kd: it gets a table of vectors, for which others are
 * forgotten, used least recently first, that this search did not ask for.
 * -1: no memory.
 */
int sfab_iovecs_use(struct sfab_iovecs *vs, struct kind *kd);

/* @n entries more. */
void sfab_iovecs_count(struct sfab_iovecs *vs, struct kind *kd, uint32_t n);

/* Back to where nothing is known. */
void sfab_iovecs_forget(struct sfab_iovecs *vs, struct kind *kd);

#endif
