/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - a text file, gzipped or not, in pieces
 *
 * A stream keeps a block of text that starts where the last piece ended.  The block always ends
 * with a NUL that size does not count.
 */
#ifndef SFAB_TEXT_H
#define SFAB_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct sfab_text {
	void *file;		/* gzFile; NULL: closed */
	const char *name;	/* for error texts; borrowed */
	char *text;
	size_t size, capacity;	/* bytes of the block, and allocated */
	uint64_t total, max;	/* bytes read so far, and allowed */
	int is_complete;	/* all of the file was read */
};

/*
 * Open @path ("-": standard input), of which at most @max bytes (0: 64 GiB) are read.  A gzip
 * bomb is an error: beyond 64 MiB no text may have more than 200 times the bytes of its file.
 * -1 with *err.
 */
int sfab_text_open(struct sfab_text *t, const char *path, uint64_t max,
		   struct sfab_err *err);
void sfab_text_close(struct sfab_text *t);	/* also after an error, and twice */

/* Read until the block has @size bytes, or the file ends. */
int sfab_text_fill(struct sfab_text *t, size_t size, struct sfab_err *err);

/* Read all that is left. */
int sfab_text_fill_all(struct sfab_text *t, struct sfab_err *err);

/* Drop the first @n bytes of the block. */
void sfab_text_drop(struct sfab_text *t, size_t n);

#endif
