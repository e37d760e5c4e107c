/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture_cells.c - how large the cells are and where; see picture.h
 *
 * A large fabric has hundreds of spines of 40 ports: one column of rows would be a ribbon.  So
 * rows are cut into bands that stand beside each other.  A band repeats the names of columns,
 * so each can be read alone.
 */

#include "tools/plot/picture.h"

#include <math.h>

#include "tools/ui/xalloc.h"

#define BREAK 8.0		/* between levels of rows, and where columns are missing */
#define BAND_GAP 20.0		/* between bands, beside the names of rows */
#define BAND_ROWS 80		/* up to so many rows need no second band */
#define BANDS_MAX 16
#define HEIGHT_RATIO 1.2	/* height over width from which one more band is better */

/* Count the columns that some row has; the others take no space. */
static uint32_t count_columns(struct picture *p)
{
	const struct sheet *s = p->s;
	uint32_t n = 0;

	for (uint32_t k = 0; k < s->ncolumns; k++) {
		p->x[k] = -1;
		for (uint32_t r = 0; r < s->nrows; r++)
			if (sheet_cell(s, r, k).state != HEAT_NONE)
				p->x[k] = 0;
		n += p->x[k] >= 0;
	}
	return n;
}

/*
 * Choose the rows of each band and the size of cells: the fewest bands that are not too high.
 * The size of cells depends on the bands and the other way around, so all numbers of bands are
 * tried in turn.
 */
static void choose_bands(struct picture *p, uint32_t ncolumns)
{
	for (uint32_t bands = 1; bands <= BANDS_MAX; bands++) {
		double width;
		uint32_t n;

		p->band_rows = (p->s->nrows + bands - 1) / bands;
		p->band_rows = p->band_rows ? p->band_rows : 1;
		/* With many cells they shrink, so that the picture stays viewable. */
		n = p->band_rows > ncolumns ? p->band_rows : ncolumns;
		p->cell = n <= 8 ? 38 : n <= 24 ? 20 : n <= 80 ? 14 : n <= 200 ? 8 :
			  n <= 500 ? 4 : 2;
		width = bands * (p->cells_x + ncolumns * p->cell + BAND_GAP);
		if (p->s->nrows <= BAND_ROWS || p->band_rows * p->cell <= HEIGHT_RATIO * width)
			return;
	}
}

/* Set the positions of the columns.  Return the width of all. */
static double set_columns(struct picture *p)
{
	double x = 0;
	int had_column = 1;

	for (uint32_t k = 0; k < p->s->ncolumns; k++) {
		int has_column = p->x[k] >= 0;

		if (has_column) {
			x += had_column ? 0 : BREAK;
			p->x[k] = x;
			x += p->cell;
		}
		had_column = has_column || x == 0;
	}
	return x;
}

void picture_lay_cells(struct picture *p)
{
	const struct sheet *s = p->s;
	double width, y = 0;

	p->x = xcalloc(s->ncolumns, sizeof(*p->x));
	p->y = xcalloc(s->nrows, sizeof(*p->y));
	p->row_x = xcalloc(s->nrows, sizeof(*p->row_x));
	choose_bands(p, count_columns(p));
	p->gap = p->cell > 4 ? 1 : 0;
	width = set_columns(p);
	/* Levels of switches stand apart, so that cores are not taken for spines. */
	for (uint32_t r = 0; r < s->nrows; r++) {
		if (r % p->band_rows == 0)
			y = 0;
		else if (s->row[r].level != s->row[r - 1].level)
			y += BREAK;
		p->row_x[r] = r / p->band_rows * (p->cells_x + width + BAND_GAP);
		p->y[r] = y;
		y += p->cell;
		p->cells_height = fmax(p->cells_height, y);
	}
	p->cells_width = width;
	if (s->nrows)
		p->cells_width += p->row_x[s->nrows - 1];
}
