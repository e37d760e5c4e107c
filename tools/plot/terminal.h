/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heatmap.h - a grid of quantities as a picture for the terminal
 *
 *     load io: routes that leave each spine port
 *     24 of 648 ports used, max 616, mean 22.8, p99 616
 *                1        10        20        30
 *     wolf-S001  ....................................
 *     wolf-S018  9.9.9.x.9999999999999999
 *
 * What it shows comes from a caller (portmap.h); how it looks is here.
 */
#ifndef SFAB_HEATMAP_H
#define SFAB_HEATMAP_H

#include <stdint.h>
#include <stdio.h>

enum heat_state {
	HEAT_NONE,		/* there is no such port */
	HEAT_DOWN,		/* a port that carries nothing: its link is down */
	HEAT_UNUSED,
	HEAT_USED,
};

struct heat_cell {
	enum heat_state state;
	double value;		/* > 0 if used */
};

struct heatmap {
	char *title;
	const char *what;	/* "ports" */
	const char *unit;	/* "routes" */
	uint32_t nrows, ncolumns;
	char **label;		/* by row */
	struct heat_cell *cell;	/* [nrows x ncolumns], by row */
};

/* Zeroed cells and labels; title, what and unit are the caller's to set. */
void heatmap_init(struct heatmap *m, uint32_t nrows, uint32_t ncolumns);
void heatmap_free(struct heatmap *m);	/* title and labels too */

static inline struct heat_cell *heatmap_cell(const struct heatmap *m,
					     uint32_t row, uint32_t column)
{
	return &m->cell[(size_t) row * m->ncolumns + column];
}

/* mean and p99 (nearest rank) are over used and unused, not over down. */
struct heat_stats {
	uint64_t used, total;
	double max, mean, p99;
};
void heatmap_stats(const struct heatmap *m, struct heat_stats *s);

enum heat_palette {
	HEAT_PLAIN,		/* digits: tenths of the largest value */
	HEAT_256,
	HEAT_FULL,		/* 24 bits */
};

/*
 * What @out can show: HEAT_PLAIN unless it is a terminal, for TERM=dumb and if
 * NO_COLOR is set (no-color.org).
 */
enum heat_palette heatmap_palette(FILE *out);

/* Characters in a line of @out, 80 if it is no terminal. */
unsigned heatmap_width(FILE *out);

void heatmap_draw(const struct heatmap *m, enum heat_palette palette,
		  unsigned width, FILE *out);

#endif
