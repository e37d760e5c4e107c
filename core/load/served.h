/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * served.h - the part of the running jobs' IO that the servers let through
 *
 * A server that is asked for more than it can do slows its clients down: they
 * send less than they ask for.  Let X be the total demand on an IO port and C
 * what it can do (its server, and the link of its port).  It lets min(1, C/X)
 * through.  Jobs' IO is summed by kind: reads or writes of one set.  The part
 * of a kind that passes is the mean over its ports, weighted by the demand on
 * each.  A client spreads its IO evenly, so all ports of a set without groups
 * let the same part through, and that is the part of each flow.
 *
 * If the servers of a set hold data back in the fabric (sfab_ioset.held),
 * writes to an overloaded port fill the buffers of all links on their way:
 * these are congested (a congestion tree).
 */
#ifndef SFAB_SERVED_H
#define SFAB_SERVED_H

#include "core/load/model.h"

#define SFAB_SERVED_ALL (1 - 1e-9)	/* a larger part counts as 1 */

struct served {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x set for writes, + 1 for reads */
	double **asked;		/* by kind, then resource; NULL: no demand yet */
	double *part;		/* [nkinds] part that passes, 0..1 */
	uint8_t *over;		/* [nkinds] held writes to an overloaded port */
	double *beside;		/* part and over with one more job */
	uint8_t *over_beside;
	int differs;		/* those two differ from part and over */
	uint32_t *active, nactive;	/* kinds with demand, ascending */
	uint32_t *njobs;	/* [nkinds] jobs with demand */
	struct sfab_arena arena;	/* all but asked by resource */
};

/* -1: out of memory.  O(kinds). */
int sfab_served_init(struct served *s, const struct sfab_model *m);
void sfab_served_free(struct served *s);

/* One more job asks for @kind.  -1: out of memory, nothing is changed. */
int sfab_served_join(struct served *s, uint32_t kind);
void sfab_served_leave(struct served *s, uint32_t kind);

/*
 * Compute the parts that pass when the jobs' total demand by resource is
 * @total.  1: some parts changed.  O(members of active kinds).
 */
int sfab_served_find(struct served *s, const double *total);

/*
 * The same with one more job that asks for @io: sets beside and over_beside.
 * Returns the part of @io that passes.  O(IO ports + members of active kinds).
 */
double sfab_served_beside(struct served *s, const double *total,
			  const struct sfab_load *io);

/*
 * 1: @io has load on a port of set @set, and with @total that port is
 * overloaded.
 */
int sfab_served_fills(const struct sfab_model *m, const double *total,
		      const struct sfab_load *io, uint32_t set);

/* Bytes/s of the jobs' demand on @res that the servers do not let through. */
static inline double served_lost(const struct served *s, const double *part,
				 uint32_t res)
{
	double lost = 0;

	for (uint32_t i = 0; i < s->nactive; i++) {
		uint32_t k = s->active[i];

		if (part[k] < SFAB_SERVED_ALL)
			lost += (1 - part[k]) * s->asked[k][res];
	}
	return lost;
}

/* Do held writes congest @link? */
static inline int served_congests(const struct served *s, const uint8_t *over,
				  uint32_t link)
{
	for (uint32_t i = 0; i < s->nactive; i++)
		if (over[s->active[i]] && s->asked[s->active[i]][link] > 0)
			return 1;
	return 0;
}

#endif
