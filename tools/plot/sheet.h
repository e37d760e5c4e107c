/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.h - a heat map: a row for each switch, a column for each of its ports
 *
 *            1        10        20        30
 *     S001   ....................................     what the routes
 *     S018   9.9.9.x.9999999999999999                 from compute to io use
 *
 * A cell is the link that leaves the port, or the one that enters it; what it shows is the
 * value of that link.  port_sheet.h chooses the rows; picture.h draws the sheet.
 */
#ifndef SFAB_PLOT_SHEET_H
#define SFAB_PLOT_SHEET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/plot/link_values.h"
#include "tools/site/jobs_by_link.h"

enum heat_state {
	HEAT_NONE,		/* there is no such cell */
	HEAT_DOWN,		/* the port carries nothing: its link is down */
	HEAT_UNUSED,
	HEAT_USED,
};

struct heat_row {
	uint32_t sw;
	char *name;		/* of the switch, with that of its plane if there are several */
	uint8_t level;		/* rows of one level stand together */
};

/* A job in the legend. */
struct heat_job {
	uint32_t job;		/* index in the list */
	double total;		/* what it asks of all cells, in the unit of the sheet */
	double colliding;	/* of overloaded cells that others are in, too */
};

struct sheet {
	/* Borrowed. */
	const struct sfab_fabric *f;
	uint32_t nrows, ncolumns;
	struct heat_row *row;
	const char *row_title;	/* "spine" */
	const char *what;	/* of a cell, as titles say: "spine port", "top spine port" */
	enum link_value unit;	/* of the values */
	double *value;		/* by link; owned.  NULL: there are no cells */
	int is_incoming;	/* 1: values are of what enters the ports; 0: of what leaves */
	int is_fuller;		/* 1: of each port the larger of both; @is_incoming is then 0 */
	double max;		/* end of the scale; 0: nothing is used */
	char *name;		/* "all jobs", "job 11" */
	char *title;
	/* Jobs that load the links; list NULL: not known. */
	struct jobs_by_link jobs;
	struct heat_job *rank;	/* all jobs, in the order of the legend */
	uint32_t *rank_of;	/* the inverse, by job */
	int by_job;		/* colors say which job, not how much */
};

void sheet_free(struct sheet *s);	/* twice is fine */

/* Return the link that leaves a port, or @is_incoming the one that enters it, or SFAB_NONE. */
uint32_t sheet_link(const struct sheet *s, uint32_t row, uint32_t column, int is_incoming);

struct heat_cell {
	enum heat_state state;
	uint32_t link;
	double value;			/* > 0 if used */
	double full;			/* the value that fills it; 0: none does */
	uint32_t njobs;			/* in it, as far as known */
	const struct link_job *job;	/* largest first */
};
struct heat_cell sheet_cell(const struct sheet *s, uint32_t row, uint32_t column);

/* Can values fill cells?  Those of loads can. */
int sheet_fills(const struct sheet *s);

/*
 * Remove the rows without a used cell; if no row has one, remove none.  Call it when all values
 * are set.
 */
void sheet_drop_unused(struct sheet *s);

/*
 * Set the scale, when all values are set.  @max > 0 is the end that the user requested.
 * Otherwise the scale ends at the largest value that fills a cell, so that all pictures of
 * loads compare.  Where no value can fill a cell, it ends at the largest value, but at least at
 * twice the mean, so that an even map looks even.
 */
void sheet_scale(struct sheet *s, double max);

/* Return the position of a value on the scale, 0..1. */
double sheet_scale_position(const struct sheet *s, double value);

/*
 * Return how far a cell is overloaded.  0: not at all.  1: up to twice what it carries.  2: up
 * to four times.  3: more.
 */
#define HEAT_OVER_MAX 3
unsigned sheet_overload(const struct heat_cell *c);

/*
 * Rank the jobs, those that collide first, then the largest.  Call it when all values and
 * s->jobs are set.
 */
void sheet_rank_jobs(struct sheet *s);

/* Return how many jobs the legend has: those that load any link. */
uint32_t sheet_jobs_drawn(const struct sheet *s);

/* Return the title of a job, such as "333 (64 hosts, anna)", printable.  Caller frees. */
char *sheet_job_title(const struct sheet *s, uint32_t rank);

/*
 * Figures of all cells.  The mean and p99 (nearest rank) include used and unused cells, not
 * those that are down.
 */
struct heat_stats {
	uint64_t used, total, overloaded;
	double max, mean, p99;
	double full;		/* the largest value that fills a cell; 0: none does */
};
void sheet_stats(const struct sheet *s, struct heat_stats *stats);

/* Return "24 of 648 ports used, max 616, mean 22.8, p99 616 routes".  Caller frees. */
char *sheet_figures(const struct sheet *s);

/*
 * Return "small-S003 port 4 to small-L002 port 7: 15 routes", and a line of the jobs,
 * printable.  Caller frees.
 */
char *sheet_cell_text(const struct sheet *s, uint32_t row, uint32_t column,
		      const struct heat_cell *c);

/*
 * Return printable names of the rows, shortened to @max characters if they can be.  *@longest
 * gets the length of the longest.
 */
char **sheet_labels(const struct sheet *s, size_t max, size_t *longest);

/* Add data.what, data.unit, data.scale and data.maps[] to the JSON answer. */
struct json_object;
void sheet_json(const struct sheet *s, struct json_object *data);

#endif
