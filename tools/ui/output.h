/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - where a command writes: standard output or a whole new file
 *
 * What goes to a file is kept in memory until output_close(), then written to
 * a temporary beside it, synced and renamed: the file is the old one or the
 * complete new one.  Targets that are no regular files (a pipe, /dev/full)
 * are written directly.
 */
#ifndef SFAB_OUTPUT_H
#define SFAB_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "core/err.h"

struct output {
	FILE *file;		/* write here */
	const char *path;	/* NULL: standard output */
	char *text;		/* what was written so far */
	size_t size;
};

/* @path NULL or "-": standard output.  @path must live until the close. */
int output_open(struct output *o, const char *path, struct sfab_err *err);

/* Finish: -1 with *err if anything could not be written. */
int output_close(struct output *o, struct sfab_err *err);

/* Give up: leaves no trace.  After output_close() it does nothing. */
void output_drop(struct output *o);

#endif
