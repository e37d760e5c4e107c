/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture.h - heat maps as a picture: title, figures, rows, legend
 */
#ifndef SFAB_PLOT_PICTURE_H
#define SFAB_PLOT_PICTURE_H

#include <stdio.h>

#include "core/err.h"
#include "tools/plot/canvas.h"
#include "tools/plot/sheet.h"

/* A sheet to be drawn, its first @nmaps maps one below the other. */
struct picture {
	const struct sheet *s;
	uint32_t nmaps;
	char **label;		/* by row, short */
	double cell;		/* width and height of a cell */
	double left;		/* where the cells begin */
	double width, height;	/* of all of it */
};

void picture_init(struct picture *p, const struct sheet *s, uint32_t nmaps);
void picture_free(struct picture *p);

/* Between cells. */
double picture_gap(const struct picture *p);

void picture_draw(const struct picture *p, struct canvas *c);

enum svg_use {
	SVG_FILE,		/* stands alone */
	SVG_SMALL,		/* the same without tooltips, in few bytes */
	SVG_IN_PAGE,		/* part of HTML; cells carry their number */
};
void picture_svg(const struct picture *p, enum svg_use use, FILE *out);

/* Write @text where XML or HTML is expected: <, >, & and quotes escaped. */
void picture_xml_text(const char *text, FILE *out);

/* SFAB_ELIMIT: too large; SFAB_EINVAL: built without cairo; SFAB_EIO. */
int picture_png(const struct picture *p, FILE *out, struct sfab_err *err);

/* One page as large as the picture.  SFAB_EINVAL: as above; SFAB_EIO. */
int picture_pdf(const struct picture *p, FILE *out, struct sfab_err *err);

#endif
