/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_guess.h - find the IO servers that nobody named (IoSet=auto)
 *
 * core/fabric/io_guess.h finds them.  Here it gets what sfabric.conf, Slurm and counters say of
 * hosts, and what it finds becomes an IoSet line.
 */
#ifndef SFAB_CONF_GUESS_H
#define SFAB_CONF_GUESS_H

#include "core/fabric/io_guess.h"
#include "core/load/ioset.h"
#include "io/conf/conf.h"

#define SFAB_IOSET_AUTO "auto"	/* IoSet=auto, and the name of its set */

/* What is known of hosts, borrowed; a member that is NULL is not known. */
struct sfab_io_facts {
	const char *nodes;			/* Slurm's, a hostlist */
	const double *rate;			/* [nlinks] as in struct sfab_io_guess_options */
	const struct sfab_iosets *last_sets;	/* those of last time, with "auto" */
	const struct sfab_fabric *last_fabric;	/* the fabric of last_sets */
};

/*
 * Find the servers of @f.  Role lines of @c count more than Slurm's nodes, which are ignored if
 * fewer than half of them are in the fabric: the list is another cluster's.  Hosts of IoSet
 * lines are servers already, and are not found again.  -1 with *err.
 */
int sfab_conf_find_io(const struct sfab_conf *c, const struct sfab_fabric *f,
		      const struct sfab_io_facts *facts, struct sfab_io_guess *found,
		      struct sfab_err *err);

/*
 * Return the hosts of the set as a hostlist that sfabric.conf can hold, "": none.  It lacks
 * names that are not writable.  The caller frees it.  NULL: no memory.
 */
char *sfab_conf_guess_hosts(const struct sfab_fabric *f, const struct sfab_io_guess *found);
/* Has @name only letters, digits, '_', '.' and '-'? */
int sfab_conf_guess_is_writable(const char *name);

/* Has @c the line IoSet=auto? */
int sfab_conf_finds_io(const struct sfab_conf *c);

#endif
