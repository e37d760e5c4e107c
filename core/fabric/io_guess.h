/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_guess.h - which hosts of a fabric are IO servers, and what says so
 *
 *     said      the site gave the host a role, or Slurm has it as a node
 *     name      a word in its name that storage systems use: oss, nsd, lnet ...
 *     maker     its GUID is of a maker of storage
 *     counters  it moves far more than a node does
 *
 * A node of Slurm is never one, nor is a host to which the site gave another role.  A word that
 * too many hosts have proves nothing: it is part of the cluster's name, or of that of compute
 * nodes.  Counters are used only where Slurm's nodes are known, since otherwise a busy node
 * cannot be told from a server.  A login node that copies files looks like a small server.  So
 * a host that never fills half of a port is left out, and so is one that moves more than all
 * nodes together.  In doubt a host is left out, and its entry says why.
 */
#ifndef SFAB_IO_GUESS_H
#define SFAB_IO_GUESS_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

enum sfab_io_said {		/* what the site or Slurm says about a host */
	SFAB_SAID_NOTHING,
	SFAB_SAID_NODE,		/* Slurm, or the site: it runs jobs */
	SFAB_SAID_OTHER,	/* the site: login, management ... */
	SFAB_SAID_IO,		/* the site: an IO server */
	SFAB_SAID_BEFORE,	/* it was found before, while counters showed it */
};

enum sfab_io_kind { SFAB_IO_NONE, SFAB_IO_DATA, SFAB_IO_METADATA, SFAB_IO_ROUTER };

struct sfab_io_guess_options {
	const struct sfab_fabric *f;
	const uint8_t *said;	/* [nhosts] enum sfab_io_said; NULL: nothing */
	const double *rate;	/* [nlinks] bytes/s, < 0: unknown; NULL: no counters */
};

#define SFAB_IO_WHY 240
struct sfab_io_host {
	uint32_t host;
	uint8_t kind;		/* enum sfab_io_kind */
	uint8_t in_set;		/* 0: left out, and @why ends with the reason */
	uint8_t signs_differ;	/* names and counters, or names and Slurm, disagree */
	char why[SFAB_IO_WHY];	/* fixed words and numbers, no text from outside */
};

struct sfab_io_guess {
	uint32_t nin_set, n;
	struct sfab_io_host *host;	/* in the order of hosts */
	int has_nodes;			/* 0: no node of Slurm was known */
};

/*
 * Find the hosts that a sign points at.  Metadata servers carry little and are left out of the
 * set.  So are routers where data servers are on the fabric.  -1 with *err: SFAB_ENOMEM.
 * O(hosts x length of names).
 */
int sfab_io_guess_find(const struct sfab_io_guess_options *ask, struct sfab_io_guess *found,
		       struct sfab_err *err);
void sfab_io_guess_free(struct sfab_io_guess *found);	/* twice is fine */

#endif
