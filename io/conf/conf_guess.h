/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_guess.h - IO servers that nobody named: what sfabric.conf, Slurm and counters say
 * of hosts, for core/fabric/io_guess.h, and the IoSet line of what it finds
 */
#ifndef SFAB_CONF_GUESS_H
#define SFAB_CONF_GUESS_H

#include "core/fabric/io_guess.h"
#include "core/load/ioset.h"
#include "io/conf/conf.h"

#define SFAB_IOSET_AUTO "auto"	/* IoSet=auto, and the name of its set */

struct sfab_io_facts {		/* all may be NULL: not known; borrowed */
	const char *nodes;	/* Slurm's, a hostlist */
	const double *rate;	/* [nlinks] as in struct sfab_io_guess_options */
	const struct sfab_iosets *before;	/* with the set "auto" of last time */
	const struct sfab_fabric *before_f;	/* the fabric of before */
};

/*
 * Role lines of @c count more than Slurm's nodes.  Those are ignored if fewer than half
 * of them are in the fabric: it is another cluster's list.  Hosts of IoSet lines are
 * servers, and not found again.
 */
int sfab_conf_find_io(const struct sfab_conf *c, const struct sfab_fabric *f,
		      const struct sfab_io_facts *facts, struct sfab_io_guess *found,
		      struct sfab_err *err);

/*
 * Hosts of the set as a hostlist that sfabric.conf can hold, "": none.  NULL: no memory.
 * Names with other characters than letters, digits, '_', '.' and '-' are not in it.  The
 * caller frees it.
 */
char *sfab_io_guess_hosts(const struct sfab_fabric *f, const struct sfab_io_guess *found);
int sfab_io_guess_is_writable(const char *name);

/* Has @c the line IoSet=auto? */
int sfab_conf_finds_io(const struct sfab_conf *c);

#endif
