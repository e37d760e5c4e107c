/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.h - Slurm's host lists: "n[001-003,7],io1" <-> names
 *
 * Terms are separated by commas or blanks.  A term is text with any number of bracket groups of
 * numbers and ranges; the first group varies slowest.  Numbers of a range are padded to the
 * width of the first.  Accepts everything that `scontrol show hostnames` accepts, and also text
 * after the last bracket ("n[1-3]-ib0").  Unbalanced brackets, where scontrol guesses, are an
 * error.  Written by hand because libslurm's soname changes with each release and flux's
 * library is LGPL-3.
 */
#ifndef SFAB_HOSTLIST_H
#define SFAB_HOSTLIST_H

#include <stdint.h>

#include "core/err.h"

#define SFAB_HOSTLIST_MAX 1000000u	/* names in one list */
#define SFAB_HOSTNAME_MAX 255		/* bytes in a name (POSIX HOST_NAME_MAX) */

struct sfab_names {
	char **name;
	uint32_t n;
};
/* Free what @names owns, not itself. */
void sfab_names_free(struct sfab_names *names);

/*
 * Expand in order and keep duplicates; an empty list gives no names.  SFAB_EFORMAT with the
 * position in the text; SFAB_ELIMIT: too many names, too long a name, or a number of more than
 * 18 digits; SFAB_ENOMEM.  On failure *out is empty.
 */
int sfab_hostlist_expand(const char *text, struct sfab_names *out,
			 struct sfab_err *err);
/*
 * Expand @text like sfab_hostlist_expand(), and append the names to *out.  SFAB_HOSTLIST_MAX
 * counts all of them.  On failure *out is empty.
 */
int sfab_hostlist_append(const char *text, struct sfab_names *out,
			 struct sfab_err *err);

/*
 * Fold names into one list, sorted by sfab_fabric_name_cmp(), without duplicates.  Consecutive
 * numbers at the end of names become ranges; Slurm understands the result.  Names must not
 * contain separators or brackets.  Caller frees; NULL: no memory.
 */
char *sfab_hostlist_fold(const char *const *name, uint32_t n);

#endif
