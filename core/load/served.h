/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * served.h - what IO servers let through of what running jobs ask of them
 *
 * A server that is asked for more than it can do slows its clients down, and what
 * they send then is less than what they ask for.  With X all that is asked of an
 * IO port and C what it can do (the server, and the link of its port), it lets
 * min(1, C/X) through.  Jobs' IO is summed up by kind, reads or writes of one set;
 * of a kind that part passes which its ports let through, by what is asked of each.
 * A client spreads its IO evenly, so all ports of a set without groups let the same
 * through, and the part of the kind is that of each of its flows.
 *
 * Where a set's servers hold data back in the fabric (sfab_ioset.held), writes to a
 * port that is asked for more than it can do fill the buffers of all links on their
 * way: these links are a tree.
 */
#ifndef SFAB_SERVED_H
#define SFAB_SERVED_H

#include "core/load/model.h"

#define SFAB_SERVED_ALL (1 - 1e-9)	/* a larger part is all of it */

struct served {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x set, + 1: reads */
	double **asked;		/* by kind, then resource; NULL: nobody asks yet */
	double *part;		/* [nkinds] 0..1 of it passes */
	uint8_t *over;		/* [nkinds] held writes to a port that is over */
	double *beside;		/* part and over with one more job, */
	uint8_t *over_beside;
	int differs;		/* which are not those without it */
	uint32_t *active, nactive;	/* kinds that somebody asks for, ascending */
	uint32_t *njobs;	/* [nkinds] who ask */
};

/* -1: no memory.  O(kinds). */
int sfab_served_init(struct served *s, const struct sfab_model *m);
void sfab_served_free(struct served *s);

/* One more job asks for @kind: -1, no memory, and nothing is changed. */
int sfab_served_join(struct served *s, uint32_t kind);
void sfab_served_leave(struct served *s, uint32_t kind);

/*
 * The parts that pass when all jobs ask for @total of each resource.  1: some are
 * others than before.  O(members of active kinds).
 */
int sfab_served_find(struct served *s, const double *total);

/*
 * The same when one more asks for @io: into beside and over_beside.  Returns the
 * part of @io that passes.  O(IO ports + members of active kinds).
 */
double sfab_served_beside(struct served *s, const double *total,
			  const struct sfab_load *io);

/* What passes of @io on an empty machine.  O(IO ports). */
double sfab_served_alone(const struct sfab_model *m, const struct sfab_load *io);

/* Does @io write more than it can do to a port of set @set, beside @total? */
int sfab_served_fills(const struct sfab_model *m, const double *total,
		      const struct sfab_load *io, uint32_t set);

/* Of what jobs ask of @res so much stays behind. */
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

/* Is @link in a tree? */
static inline int served_in_tree(const struct served *s, const uint8_t *over,
				 uint32_t link)
{
	for (uint32_t i = 0; i < s->nactive; i++)
		if (over[s->active[i]] && s->asked[s->active[i]][link] > 0)
			return 1;
	return 0;
}

#endif
