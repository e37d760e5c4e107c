/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture.h - heat maps as a picture: title, figures, rows, legend */
#ifndef SFAB_PLOT_PICTURE_H
#define SFAB_PLOT_PICTURE_H

#include <stdio.h>

#include "core/err.h"
#include "tools/plot/canvas.h"
#include "tools/plot/sheet.h"

/* A sheet to draw; its first @nmaps maps are stacked. */
struct picture {
	const struct sheet *s;
	uint32_t nmaps;
	char **label;		/* by row, shortened */
	double cell;		/* width and height of a cell */
	double left;		/* origin of the cells */
	double width, height;	/* size of the whole picture */
};

void picture_init(struct picture *p, const struct sheet *s, uint32_t nmaps);
void picture_free(struct picture *p);

/* Between cells. */
double picture_gap(const struct picture *p);

void picture_draw(const struct picture *p, struct canvas *c);

enum svg_use {
	SVG_FILE,		/* a stand-alone file */
	SVG_SMALL,		/* the same without tooltips, smaller */
	SVG_IN_PAGE,		/* part of HTML; cells carry their number */
};
void picture_svg(const struct picture *p, enum svg_use use, FILE *out);

/* Write @text for XML or HTML: <, >, & and quotes are escaped. */
void picture_xml_text(const char *text, FILE *out);

/* SFAB_ELIMIT: too large; SFAB_EINVAL: built without cairo; SFAB_EIO. */
int picture_png(const struct picture *p, FILE *out, struct sfab_err *err);

/* One page of the picture's size.  SFAB_EINVAL: as above; SFAB_EIO. */
int picture_pdf(const struct picture *p, FILE *out, struct sfab_err *err);

#endif
