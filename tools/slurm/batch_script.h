/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch_script.h - the words of the #SBATCH lines of a batch script
 *
 * They are read as sbatch reads them.  Only lines before the first command count.  Words are
 * separated by blanks and may be quoted by ' or "; a backslash takes the next character
 * literally; a bare # ends the line.  "#SLURM" is an older spelling.  A line "hetjob" begins
 * the next component of a heterogeneous job: reading stops.
 */
#ifndef SFAB_BATCH_SCRIPT_H
#define SFAB_BATCH_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define BATCH_SCRIPT_MAX ((size_t) 4 << 20)	/* bytes; slurmctld's limit */

struct batch_script {
	char *name;		/* path of the script */
	char *text;		/* holds the words */
	uint32_t n;		/* words; word[0] is the name */
	char **word;		/* [n] as getopt() has argv */
	unsigned *line;		/* [n] of each word */
	int is_het;		/* 1: more components of a heterogeneous job follow */
	int has_other_lines;	/* 1: has #PBS or #BSUB lines, which are not read */
};

/*
 * Read the script at @path.  -1 with *err "FILE:LINE: ..." or "FILE: ..."; nothing is then left
 * to free.
 */
int batch_script_read(struct batch_script *s, const char *path, struct sfab_err *err);

/*
 * Read a script from memory.  Take over @text (@size bytes and a NUL, from malloc), also on
 * failure.  Refuses what sbatch refuses: no "#!" in the first line, a NUL, DOS line ends, a
 * quote without end.
 */
int batch_script_parse(struct batch_script *s, const char *name, char *text,
		       size_t size, struct sfab_err *err);
void batch_script_free(struct batch_script *s);		/* twice is fine */

#endif
