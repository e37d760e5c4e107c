/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy.h - which waiting job starts next: EASY backfill
 *
 * D. Lifka: The ANL/IBM SP scheduling system (JSSPP 1995).  Jobs start in the
 * order of the queue.  The first that does not fit gets a reservation: the
 * time at which enough nodes will be free if running jobs take all of their
 * limits.  Later jobs may start before it if they end by then, or on nodes
 * that are over even then.  Only counts of nodes matter, not which.
 */
#ifndef SFAB_REPLAY_EASY_H
#define SFAB_REPLAY_EASY_H

#include <stdint.h>

#define EASY_DEPTH 100		/* bf_max_job_test of slurm.conf is 100, too */
#define EASY_NONE UINT32_MAX

struct easy_end {		/* a running job */
	double time;		/* expected end, >= now */
	uint32_t nodes;
};

struct easy_job {		/* a waiting job */
	uint32_t nodes;
	double limit;
};

struct easy_reservation {
	double time;		/* INFINITY: never enough nodes */
	uint32_t spare;		/* free then besides those reserved */
};

/* For @need > @free_nodes; sorts @end. */
struct easy_reservation easy_reserve(uint32_t free_nodes, struct easy_end *end,
				     uint32_t nends, uint32_t need, double now);

/*
 * Index of the job of @queue to start now, or EASY_NONE.  Ask again after
 * each start.  O(nends log nends + EASY_DEPTH).
 */
uint32_t easy_next(uint32_t free_nodes, struct easy_end *end, uint32_t nends,
		   const struct easy_job *queue, uint32_t nqueue, double now);

#endif
