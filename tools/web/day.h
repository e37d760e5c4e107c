/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * day.h - the last day in a small file: one point a minute, for the page
 *
 * The file is text: a first line that names it, then a line for each point.  Lines that are
 * torn are left out.  At most DAY_POINTS_MAX points of DAY_SPAN_S are kept.
 */
#ifndef SFAB_DAY_H
#define SFAB_DAY_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

#define DAY_SPAN_S 86400
#define DAY_STEP_S 60		/* a point closer to the one before is replaced by the next */
#define DAY_POINTS_MAX (DAY_SPAN_S / DAY_STEP_S + 2)

struct day_point {
	uint64_t time_s;
	uint32_t jobs;
	uint32_t busy;			/* hosts with jobs */
	uint32_t overfull;		/* links */
	double fullest;			/* of all links, demand or rate over capacity */
	double slowdown;		/* mean of the jobs that send; 0: no such job */
};

struct day {
	uint32_t n;
	struct day_point point[DAY_POINTS_MAX + 1];	/* ascending in time */
};

/*
 * Load the points of a file.  A missing or empty file has none.  -1: the file is something
 * else, which must not be overwritten.
 */
int day_load(struct day *d, const char *path, struct sfab_err *err);
/* Read the points from memory; @text ends with NUL. */
int day_parse(struct day *d, const char *text);
/* Add @p.  Points that are too old, or later than @p, are dropped. */
void day_add(struct day *d, const struct day_point *p);
int day_save(const struct day *d, const char *path, struct sfab_err *err);

/* Write four small charts as HTML. */
void day_charts(const struct day *d, uint32_t nhosts, FILE *out);

/* Begin a chart of the page, of that many pixels.  The caller ends it with "</svg></figure>". */
void day_chart_begin(const char *title, int width, int height, FILE *out);

#endif
