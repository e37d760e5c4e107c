/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn_file.h - what the files of history.h and found.h share
 *
 * A header, bytes that only one of them has, a table of names of IO sets, and rows
 * of equal size.  doc/learn-format.md has the offsets.
 */
#ifndef SFAB_LEARN_FILE_H
#define SFAB_LEARN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/traffic.h"
#include "io/little.h"

#define LEARN_HEADER 64u
#define LEARN_SETS 255u		/* most names of IO sets */
#define LEARN_SET_SIZE 64u	/* bytes of a name, padded with NUL */
#define LEARN_PART 16u		/* bytes of a part of traffic */
#define LEARN_PARTS (LEARN_PART * SFAB_TRAFFIC_PARTS)

enum {				/* offsets in the header */
	LEARN_AT_VERSION = 8,
	LEARN_AT_ROWS = 12,
	LEARN_AT_FIRST = 16,	/* two numbers of the format's own */
	LEARN_AT_SECOND = 24,
	LEARN_AT_CHECKSUM = 32,
	LEARN_AT_SETS = 40,
	LEARN_AT_ZERO = 44,
};

struct learn_format {
	const char *magic;	/* 8 bytes */
	const char *what;	/* "a history", for errors */
	uint32_t version, max_rows;
	size_t own;		/* bytes between header and names */
	size_t row;		/* bytes of a row */
};

/* The names of IO sets that parts refer to by number; 0 is "". */
struct learn_sets {
	uint32_t n;
	char (*name)[LEARN_SET_SIZE];	/* [LEARN_SETS] */
};
int sfab_learn_sets_init(struct learn_sets *s, struct sfab_err *err);
void sfab_learn_sets_free(struct learn_sets *s);

/* Add the sets that @t names; SFAB_ELIMIT: too many. */
int sfab_learn_sets_add(struct learn_sets *s, const struct sfab_traffic *t,
			struct sfab_err *err);

/* LEARN_PARTS bytes; sets must have been added. */
void sfab_learn_put_parts(uint8_t *p, const struct learn_sets *s,
			  const struct sfab_traffic *t);
/* SFAB_EFORMAT with "WHAT row @i: ..." */
int sfab_learn_get_parts(const uint8_t *p, const struct learn_sets *s, uint32_t nparts,
			 const struct learn_format *f, uint32_t i,
			 struct sfab_traffic *t, struct sfab_err *err);

/* A file of zeros with header and names, from calloc(); @size is set.  NULL: memory. */
uint8_t *sfab_learn_begin(const struct learn_format *f, const struct learn_sets *s,
			  uint32_t rows, size_t *size);
/* Where row @i begins. */
size_t sfab_learn_row(const struct learn_format *f, uint32_t nsets, uint32_t i);

/* Size of the file from its beginning; 0 with *err. */
uint64_t sfab_learn_size(const struct learn_format *f, const uint8_t *head, size_t n,
			 struct sfab_err *err);
/* Check length, checksum and names; *@s gets the names (then caller frees). */
int sfab_learn_open(const struct learn_format *f, const uint8_t *buf, size_t size,
		    struct learn_sets *s, struct sfab_err *err);
/* Put the checksum of @size bytes into the header. */
void sfab_learn_seal(uint8_t *buf, size_t size);

void sfab_learn_put_f64(uint8_t *p, double x);
double sfab_learn_get_f64(const uint8_t *p);

#endif
