/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - heat maps as lists of cells: CSV and JSON */
#ifndef SFAB_PLOT_LIST_H
#define SFAB_PLOT_LIST_H

#include <stdio.h>

#include "tools/plot/sheet.h"

struct json_object;

/*
 * A line for each cell that exists, of single jobs' maps for each that is used
 * (RFC 4180): map, row, guid, column, to,
 * to_port, state, value, unit, parts ("333:12 334:0.4").  A text that a spreadsheet would read as a
 * formula gets a leading apostrophe.
 */
void list_csv(const struct sheet *s, FILE *out);

/* data.what, data.unit, data.scale, data.maps[]. */
void list_json(const struct sheet *s, struct json_object *data);

#endif
