/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand_private.h - what demand.c and demand_io.c share */
#ifndef SFAB_DEMAND_PRIVATE_H
#define SFAB_DEMAND_PRIVATE_H

#include "core/load/demand.h"
#include "core/load/fan_in.h"

/*
 * A link of the paths from several leaves to one port, which are walked together: loads that
 * share a link are summed before they are added.  tail[0] is the eject link, tail[i] the i-th
 * link of a path.
 */
struct demand_tail {
	uint32_t link;
	double sum;
};

struct demand {
	const struct sfab_model *m;
	const struct sfab_job *job;
	struct sfab_load *load;
	double share;			/* part of the time in which the current part of the traffic
					   is sent */
	int ends_only;			/* IO: only loads at the end ports */
	int failed;			/* out of memory */
	void *block;			/* one block for all arrays below */
	/* sums by leaf, and the list of leaves in use */
	double *sum;
	uint32_t *count;
	uint32_t *leaf;
	uint32_t nleaves;
	/* IO: clients and members that talk to each other */
	uint32_t *client, nclients;	/* by job index */
	uint32_t *member, nmembers;	/* by IO port */
	uint32_t *untaken, nuntaken;	/* clients that are not taken yet */
	uint32_t *nservers;		/* by client that is a server: number of members it writes
					   to */
	struct demand_tail *tail;	/* [longest path], only if there are paths */
	struct sfab_fan_in fan_in;	/* only if there are no paths */
	struct sfab_arena arena;	/* holds the arrays of fan_in.walk */
};

/* Add @x, bytes/s, to the sum of @leaf, which is then in use. */
void sfab_demand_leaf_add(struct demand *d, uint32_t leaf, double x);
/* Forget all sums: no leaf is in use. */
void sfab_demand_leaves_clear(struct demand *d);

/*
 * Send to end port @dst from all leaves in use, from each its sum times @part.  On leaf
 * @own_leaf, that of the destination, its host's @own_sum is subtracted first: it does not send
 * to itself.
 */
void sfab_demand_fan_in(struct demand *d, uint32_t dst, double part,
			uint32_t own_leaf, double own_sum);

/* Add the demand of one IO part of the traffic. */
int sfab_demand_part_io(struct demand *d, const struct sfab_traffic_part *part,
			struct sfab_err *err);

/* Return the end port that host @i of the job sends from on rail @rail, or SFAB_NONE. */
static inline uint32_t sfab_demand_src_port(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->m->rail_src[(size_t) rail * d->m->f->nhosts + d->job->host[i]];
}

/* Return the end port that peers of host @i of the job send to on rail @rail, or SFAB_NONE. */
static inline uint32_t sfab_demand_dst_port(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->m->rail_dst[(size_t) rail * d->m->f->nhosts + d->job->host[i]];
}

/* Return the demand of end port @port, of host @i of the job, bytes/s. */
static inline double sfab_demand_port_rate(const struct demand *d, uint32_t i, uint32_t port)
{
	return d->share * d->m->f->ports[port].rate *
	       (d->job->cpus ? d->job->cpus[i] : 1.0);
}

#endif
