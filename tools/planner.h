/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planner.h - all that a placement is asked of: fabric, running jobs, traffic,
 * free hosts, weights
 *
 * Shared by place and predict.
 */
#ifndef SFAB_PLANNER_H
#define SFAB_PLANNER_H

#include <stdint.h>

#include "../core/err.h"
#include "../core/jobs.h"
#include "../core/model.h"
#include "../core/score.h"
#include "../core/search.h"
#include "json.h"
#include "options.h"
#include "site.h"

/* The group's options; options is first, so that options_init() fits. */
struct planner_options {
	struct options options;
	const char *traffic;		/* NULL: the site's default */
	const char *jobs;		/* file of running jobs, NULL: none */
	const char *available;		/* hostlist, NULL: see planner_open() */
	const char *exclude;		/* hostlist, NULL: none */
	uint32_t max_steps;		/* 0: the conf's */
	uint64_t seed;
};
extern const struct argp planner_argp;

struct planner {
	struct site site;
	struct sfab_model *model;
	struct sfab_jobs *jobs;
	struct sfab_scorer *scorer;
	struct sfab_traffic traffic;
	uint8_t *avail;			/* [nhosts] */
	uint32_t navail;
	struct sfab_request request;	/* all but n and required */
};

/*
 * Without --available, all compute hosts are free that no running job holds;
 * --exclude takes away in any case.  On failure nothing is left open.
 */
int planner_open(struct planner *p, const struct planner_options *o,
		 struct report *r, struct sfab_err *err);
void planner_close(struct planner *p);		/* twice is fine */

#endif
