/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.h - run another program, such as scontrol, and read what it prints */
#ifndef SFAB_PROGRAM_H
#define SFAB_PROGRAM_H

#include <stdio.h>

#include "core/err.h"

/*
 * Run @argv (found in PATH, ends with NULL) with an empty standard input and return its
 * standard output in *@text, which the caller frees.  -1 with *err: SFAB_ENOENT if it cannot be
 * run; SFAB_EIO if it failed, with the first line of its standard error, or ran for more than
 * @seconds (0: no limit) and was ended.
 */
int program_output(char *const argv[], unsigned seconds, char **text, struct sfab_err *err);

#define PROGRAM_MARK 18	/* 64 bits after a letter; 22.05 has 32 bytes for a time's format */

/* A word that no user can know. */
int program_mark(char mark[PROGRAM_MARK], struct sfab_err *err);
/*
 * program_output() of a command of Slurm that prints times as seconds since 1970 with @mark
 * behind them.  The mark is passed in the environment, which other users cannot see, unlike a
 * command line.
 */
int program_output_marked(char *const argv[], const char *mark, char **text, struct sfab_err *err);
/* Move *@text behind a time and its mark.  0: there is none. */
int program_take_time(const char **text, const char *mark);
/* Write the output from @begin to @end without the marks. */
void program_write_unmarked(FILE *out, const char *begin, const char *end, const char *mark);

#endif
