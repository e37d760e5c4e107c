/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn_file.h - what the files of history.h and found_traffic.h share
 *
 * A header, bytes that only one of them has, a table of names of IO sets, and rows of equal
 * size.  doc/learn-format.md has the offsets.
 */
#ifndef SFAB_LEARN_FILE_H
#define SFAB_LEARN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/traffic.h"
#include "io/little.h"
#include "io/rowfile.h"

#define LEARN_HEADER 64u
#define LEARN_SETS 255u		/* most names of IO sets */
#define LEARN_PART 16u		/* bytes of a part of traffic */
#define LEARN_PARTS (LEARN_PART * SFAB_TRAFFIC_PARTS)

enum {				/* offsets in the header, beside those of rowfile.h */
	LEARN_AT_FIRST = 16,	/* two numbers of the format's own */
	LEARN_AT_SECOND = 24,
	LEARN_AT_ZERO = 44,
};

/* The names of IO sets that parts refer to by number; 0 is "". */
struct learn_sets {		/* 16 KB */
	uint32_t n;
	char name[LEARN_SETS][SFAB_NAME_SIZE];
};

/* Are the SFAB_NAME_SIZE bytes at @text a text and zeros behind it? */
int sfab_learn_is_text(const char *text);

/* Add the sets that @t names.  -1: SFAB_ELIMIT, too many. */
int sfab_learn_sets_add(struct learn_sets *s, const struct sfab_traffic *t,
			struct sfab_err *err);

/* A part of traffic as the files have it. */
struct learn_part {
	uint8_t class, set;
	double share;
};
/* Return @p as the files have it.  Its set must have been added. */
struct learn_part sfab_learn_make_part(const struct learn_sets *s,
				       const struct sfab_traffic_part *p);
/* Set *@t to @n parts, with the names of their sets; shares below @min are left out. */
void sfab_learn_traffic(const struct learn_sets *s, const struct learn_part *part,
			uint32_t n, double min, struct sfab_traffic *t);

/* Write @n parts to the LEARN_PARTS bytes at @p. */
void sfab_learn_put_parts(uint8_t *p, const struct learn_part *part, uint32_t n);
/* Read @n parts of row @i from the LEARN_PARTS bytes at @p.  -1 with *err, which names it. */
int sfab_learn_get_parts(const uint8_t *p, const struct learn_sets *s,
			 struct learn_part *part, uint32_t n,
			 const struct sfab_rowfile *f, uint32_t i, struct sfab_err *err);

/* Check length, checksum and names, and set *@s to the names. */
int sfab_learn_open(const struct sfab_rowfile *f, const uint8_t *buf, size_t size,
		    struct learn_sets *s, struct sfab_err *err);

#endif
