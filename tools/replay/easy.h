/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy.h - which waiting job starts next: EASY backfill
 *
 * D. Lifka: The ANL/IBM SP scheduling system (JSSPP 1995).  Jobs start in the
 * order of the queue.  The first job that does not fit gets a reservation: the
 * time at which enough nodes will be free if running jobs end as expected.
 * Later jobs may start before it if they end by then, or if they use nodes that
 * are spare even then.  Only the number of nodes matters, not which ones.
 */
#ifndef SFAB_REPLAY_EASY_H
#define SFAB_REPLAY_EASY_H

#include <stdint.h>

#define EASY_DEPTH 100		/* the default of bf_max_job_test in slurm.conf, too */
#define EASY_NONE UINT32_MAX

struct sfab_easy_end {		/* of a running job */
	double time;		/* expected; INFINITY: never */
	uint32_t nodes;
};

struct sfab_easy {		/* a reservation */
	double time;		/* INFINITY: never enough nodes */
	uint32_t spare;		/* nodes free then, besides those reserved */
};

/*
 * Reservation for a job of @need > @free_nodes.  O(n) for each end until then.
 */
struct sfab_easy sfab_easy_reserve(uint32_t free_nodes,
				   const struct sfab_easy_end *end, uint32_t n,
				   uint32_t need);

/* May a job of @nodes that ends at @end start before the reservation? */
static inline int sfab_easy_allows(const struct sfab_easy *r, double end,
				   uint32_t nodes)
{
	return end <= r->time || nodes <= r->spare;
}

struct easy_job {		/* a waiting job */
	uint32_t nodes;
	double limit;
};

/*
 * Index of the job of @queue to start now, or EASY_NONE.  Call again after each
 * start.
 */
uint32_t easy_next(uint32_t free_nodes, const struct sfab_easy_end *end,
		   uint32_t nends, const struct easy_job *queue, uint32_t nqueue,
		   double now);

#endif
