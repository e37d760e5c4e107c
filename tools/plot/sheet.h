/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.h - a grid of quantities that is drawn: a heat map
 *
 *            1        10        20        30
 *     S001   ....................................     what the routes
 *     S018   9.9.9.x.9999999999999999                 from compute to io use
 *
 * ports.h fills it; terminal.h and picture.h draw it.
 */
#ifndef SFAB_PLOT_SHEET_H
#define SFAB_PLOT_SHEET_H

#include <stddef.h>
#include <stdint.h>

enum heat_state {
	HEAT_NONE,		/* there is no such cell */
	HEAT_DOWN,		/* the port carries nothing: its link is down */
	HEAT_UNUSED,
	HEAT_USED,
};

/* Part of a cell's value that is of one group: a job. */
struct heat_part {
	uint32_t group;		/* index in the sheet */
	double value;
};

struct heat_cell {
	enum heat_state state;
	uint32_t nparts;
	double value;		/* > 0 if used */
	double full;		/* the value that fills it; 0: not known */
	uint32_t part;		/* the first of them, largest first */
	/* what it stands for; names are borrowed from a fabric */
	const char *to;		/* NULL: nothing */
	unsigned to_port;	/* 0: none */
	uint32_t link[2];	/* that leaves the port, and that enters it, or SFAB_NONE */
};

struct heat_group {
	char *name;		/* "334" */
	char *title;		/* "334 (64 hosts)" */
	double total;		/* of its parts */
	double colliding;	/* of those in overloaded cells that others are in, too */
	uint32_t was;		/* its index before they were sorted */
};

struct sheet {
	const char *what;	/* "ports" */
	const char *unit;	/* "routes" */
	int into;		/* values enter the ports, and do not leave them */
	uint32_t nrows, ncolumns;
	char **row;		/* names */
	uint64_t *guid;		/* by row */
	const char *row_title, *column_title;	/* "spine", "port" */
	uint8_t *level;		/* by row: rows of one level stand together */
	int fills;		/* values can fill cells: cell.full counts */
	double max;		/* end of the scale; 0: nothing is used */
	char *name;		/* "all jobs", "job 11" */
	char *title;
	struct heat_cell *cell;	/* [rows x columns], by row */
	uint32_t nparts;
	struct heat_part *part;
	const char *parts;	/* what the groups are: "jobs"; NULL: there are none */
	uint32_t ngroups;
	struct heat_group *group;
	int by_group;		/* colors say which group, not how much */
};

/* All cells are HEAT_NONE.  The caller sets the names of rows, name, title, what and unit. */
void sheet_init(struct sheet *s, uint32_t nrows, uint32_t ncolumns);
void sheet_free(struct sheet *s);	/* twice is fine */

/*
 * Call after all cells are filled.  Removes rows without a used cell; if all rows are such,
 * removes none.
 */
void sheet_only_used(struct sheet *s);

/*
 * Call after all cells are filled.  @max > 0 is the scale that the user requested.
 * Otherwise the scale ends at the largest value that fills a cell, so that all
 * pictures of loads are alike; where nothing fills, at the largest amount, but
 * at least at twice the mean, so that an even map looks even.
 */
void sheet_scale(struct sheet *s, double max);

static inline size_t sheet_cell(const struct sheet *s, uint32_t row,
				uint32_t column)
{
	return (size_t) row * s->ncolumns + column;
}

/* Position of a value on the scale: 0..1. */
double sheet_place(const struct sheet *s, double value);

/*
 * How far a cell is beyond what fills it: 0 not at all, 1 up to twice, 2 up to
 * four times, 3 more.
 */
#define HEAT_OVER_MOST 3
unsigned sheet_over(const struct heat_cell *c);

/* Three digits, or all before the point: "1056", "22.2", "0.512". */
#define SHEET_NUMBER_SIZE 32
char *sheet_number(double value, char text[SHEET_NUMBER_SIZE]);

/* Sort groups by total, largest first; parts keep their groups. */
void sheet_sort_groups(struct sheet *s);

/* Those that have any part: the first ones, once they are sorted. */
uint32_t sheet_groups_drawn(const struct sheet *s);

/* "jobs 333 (12), 334 (0.4)", printable, or NULL: no parts; caller frees. */
char *sheet_parts_text(const struct sheet *s, const struct heat_cell *c);

/*
 * mean and p99 (nearest rank) include used and unused cells, not those that are
 * down.
 */
struct heat_stats {
	uint64_t used, total;
	double max, mean, p99;
};
void sheet_stats(const struct sheet *s, struct heat_stats *stats);

/* "24 of 648 ports used, max 616, mean 22.8, p99 616 routes"; caller frees. */
char *sheet_figures(const struct sheet *s);

/* "small-S003 port 4 to small-L002 port 7", printable; caller frees. */
char *sheet_place_name(const struct sheet *s, uint32_t row, uint32_t column);

/* "15 routes", "unused", "down"; caller frees. */
char *sheet_value_text(const struct sheet *s, const struct heat_cell *c);

/* data.what, data.unit, data.scale, data.maps[]. */
struct json_object;
void sheet_json(const struct sheet *s, struct json_object *data);

#endif
