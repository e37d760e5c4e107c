/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - where a command writes: standard output or a complete new file
 *
 * Output to a file stays in memory until output_close(), which writes it as sfab_file_write()
 * does (io/file.h): the file is the old one or the complete new one.  A pipe or a device is
 * written as it is.
 */
#ifndef SFAB_OUTPUT_H
#define SFAB_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "core/err.h"

struct output {
	FILE *file;		/* write here */
	const char *path;	/* NULL: standard output */
	char *text;		/* what has been written so far */
	size_t size;
};

/* Open the output.  @path NULL or "-": standard output.  @path must live until the close. */
int output_open(struct output *o, const char *path, struct sfab_err *err);

/* Does a terminal show what is written to @file? */
int output_is_terminal(FILE *file);

/* Write what is left.  -1 with *err: not everything could be written. */
int output_close(struct output *o, struct sfab_err *err);

/* Discard the output: the file stays as it was.  After output_close() nothing happens. */
void output_drop(struct output *o);

#endif
