/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw_parts.h - what fills the cells of a sheet, and which jobs are in them */
#ifndef SFAB_PLOT_DRAW_PARTS_H
#define SFAB_PLOT_DRAW_PARTS_H

#include "tools/plot/draw.h"

/* Of loads: what each port carries, in the sheet's unit.  Nothing fills others. */
void draw_add_full(struct sheet *s, const struct preview_context *p,
		   const struct draw_wish *w);

/*
 * The jobs of each port in the sheet's unit.  Routes of jobs have no parts.  Warns if
 * ports are overloaded in the other direction only, which the picture does not show.
 */
void draw_add_parts(struct sheet *s, const struct preview_context *p,
		    const struct draw_wish *w, struct report *r);

#endif
