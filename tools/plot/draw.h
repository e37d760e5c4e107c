/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.h - what to draw -> a sheet of heat maps
 */
#ifndef SFAB_PLOT_DRAW_H
#define SFAB_PLOT_DRAW_H

#include "core/err.h"
#include "tools/plot/links.h"
#include "tools/plot/ports.h"
#include "tools/plot/sheet.h"
#include "tools/preview/preview_context.h"
#include "tools/ui/answer.h"

struct draw_wish {
	struct preview_options o;	/* first: options_init() fills it */
	const char *from, *to;		/* SETs */
	const char *job;		/* id; NULL: not given */
	int of_jobs;			/* draw what jobs send, not sets */
	int measured;			/* draw counters */
	const char *counters;		/* file; NULL: that of the conf */
	int by_job;			/* colors say which job, not how much */
	enum links_value value;		/* default: routes; of jobs and
					   counters: load */
	enum ports_direction direction;
	enum ports_rows rows;
	int only_used;			/* rows */
	double max;			/* end of the scale; 0: the largest value */
};

/* What was opened for drawing; the sheet borrows names from it. */
struct drawing {
	struct preview_context p;
	struct sheet s;
};

/* On failure nothing is left open. */
int draw_make(struct drawing *d, struct draw_wish *w, struct report *r,
	      struct sfab_err *err);
void draw_close(struct drawing *d);		/* twice is fine */

#endif
