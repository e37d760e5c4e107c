/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rowfile.h - files of rows of equal size: counters.snap, traffic.snap and the history
 *
 * A header, bytes that only this format has, perhaps a table of names, and the rows.  All
 * headers have magic, version, number of rows and checksum at the same places.
 */
#ifndef SFAB_ROWFILE_H
#define SFAB_ROWFILE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define SFAB_NAME_SIZE 64u	/* bytes of a name, padded with NUL */

enum {				/* offsets in the header */
	SFAB_ROWS_AT_VERSION = 8,
	SFAB_ROWS_AT_N = 12,
	SFAB_ROWS_AT_CHECKSUM = 32,
	SFAB_ROWS_AT_NAMES = 40,	/* their number, if the format has names */
};

struct sfab_rowfile {
	const char *magic;	/* 8 bytes */
	const char *what;	/* "a history", for errors */
	uint32_t version, max_rows, max_names;
	size_t header;		/* bytes, at most 64 */
	size_t extra;		/* bytes between header and names */
	size_t row;		/* bytes of a row */
};

/*
 * Make a file of *@size bytes with its header, @names names of SFAB_NAME_SIZE bytes each from
 * @name on (NULL: the format has none), and @rows rows of zeros.  The caller frees it.  NULL:
 * no memory.
 */
uint8_t *sfab_rowfile_begin(const struct sfab_rowfile *f, const char *name,
			    uint32_t names, uint32_t rows, size_t *size);
/* Return the offset of row @i.  That of the row behind the last one is the size of the file. */
size_t sfab_rowfile_row(const struct sfab_rowfile *f, uint32_t names, uint32_t i);
/* Put the checksum of @size bytes into the header. */
void sfab_rowfile_seal(size_t header, uint8_t *buf, size_t size);

/*
 * Return the size of the file from its first @n bytes, so that an absurd length is found before
 * the rest is read.  0 with *err.
 */
uint64_t sfab_rowfile_size(const struct sfab_rowfile *f, const uint8_t *head, size_t n,
			   struct sfab_err *err);
/* Check length and checksum.  -1 with *err: do not look at the content. */
int sfab_rowfile_check(const struct sfab_rowfile *f, const uint8_t *buf, size_t size,
		       struct sfab_err *err);

#endif
