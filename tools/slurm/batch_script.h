/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch_script.h - the words of the #SBATCH lines of a batch script
 *
 * As sbatch reads them: comment lines before the first command; words between
 * blanks, quoted by ' or ", a backslash takes the next character as it is, a
 * bare # ends the line.  "#SLURM" is an older spelling.  A line "hetjob" begins
 * the next component of a heterogeneous job: nothing more is read.
 */
#ifndef SFAB_BATCH_SCRIPT_H
#define SFAB_BATCH_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define BATCH_SCRIPT_MAX ((size_t) 4 << 20)	/* bytes, as slurmctld takes */

struct batch_script {
	char *name, *text;	/* text: of the words */
	uint32_t n;
	char **word;
	unsigned *line;		/* [n] where each word stands */
	int het;		/* there are more components */
	int other;		/* 1: also #PBS or #BSUB lines, which are not read */
};

/* -1 with *err "FILE:LINE: ..." or "FILE: ..."; then nothing is left to free. */
int batch_script_read(struct batch_script *s, const char *path,
		      struct sfab_err *err);

/*
 * The same from memory: takes over @text (@size bytes and a NUL, from malloc),
 * also on failure.  What sbatch refuses is refused: no "#!" in the first line,
 * a NUL, DOS line ends, a quote that does not end.
 */
int batch_script_parse(struct batch_script *s, const char *name, char *text,
		       size_t size, struct sfab_err *err);
void batch_script_free(struct batch_script *s);		/* twice is fine */

#endif
