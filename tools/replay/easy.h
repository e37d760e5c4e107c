/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * easy.h - which waiting job starts next: EASY backfill (core/search/backfill.h)
 */
#ifndef SFAB_REPLAY_EASY_H
#define SFAB_REPLAY_EASY_H

#include <stdint.h>

#include "core/search/backfill.h"

#define EASY_DEPTH 100		/* the default of bf_max_job_test in slurm.conf, too */
#define EASY_NONE UINT32_MAX

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
