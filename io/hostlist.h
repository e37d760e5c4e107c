/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.h - Slurm's host lists: "n[001-003,7],io1" <-> names
 *
 * Grammar as `scontrol show hostnames` takes it, several bracket groups in a
 * name included.  Written by hand because libslurm's soname changes with each
 * release and flux's library is LGPL-3.
 */
#ifndef SFAB_HOSTLIST_H
#define SFAB_HOSTLIST_H

#include <stddef.h>
#include <stdint.h>

#include "../core/err.h"

#define SFAB_HOSTLIST_MAX 1000000u	/* names in one list */

struct sfab_names {
	char **name;
	uint32_t n;
};
void sfab_names_free(struct sfab_names *names);

/* Expand in order, doubles kept.  SFAB_EFORMAT, SFAB_ELIMIT, SFAB_ENOMEM. */
int sfab_hostlist_expand(const char *text, struct sfab_names *out,
			 struct sfab_err *err);

/*
 * Fold names into one list, consecutive numbers of the same width joined,
 * in the order of sfab_name_cmp(), doubles dropped.  Caller frees; NULL: memory.
 */
char *sfab_hostlist_fold(const char *const *name, uint32_t n);

#endif
