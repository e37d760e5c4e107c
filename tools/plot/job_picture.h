/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_picture.h - a drawing of one job: its leaves, the spines between them, and the links that
 * it shares or that are overloaded
 */
#ifndef SFAB_JOB_PICTURE_H
#define SFAB_JOB_PICTURE_H

#include "tools/plot/job_collisions.h"
#include "tools/plot/picture.h"

struct job_node {
	uint32_t sw;
	uint32_t level;		/* links to the nearest leaf with hosts */
	uint32_t nports;	/* of the job's hosts on it */
	int is_red;		/* a shared or overloaded link ends here */
	char *label;		/* shortened */
	double x, y;		/* middle of its box */
};

struct job_picture {
	const struct job_collisions *links;
	char *summary, *title;
	uint32_t n;		/* switches that are drawn */
	uint32_t hidden;	/* switches that are left out */
	struct job_node *node;	/* [n] by level, then name */
	double box_width;
	double tree_height;	/* of all switches */
	int has_plain_links;	/* 1: links that only this job uses are drawn, too */
};

/* Prepare @p, so that picture_svg() and picture_html() draw the job.  @links must outlive both. */
void job_picture_init(struct job_picture *j, struct picture *p, const struct job_collisions *links);
void job_picture_free(struct job_picture *j);	/* twice is fine */

#endif
