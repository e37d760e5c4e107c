/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - heat maps as lists of cells, JSON */
#ifndef SFAB_PLOT_LIST_H
#define SFAB_PLOT_LIST_H

#include "tools/plot/sheet.h"

struct json_object;

/* data.what, data.unit, data.scale, data.maps[]. */
void list_json(const struct sheet *s, struct json_object *data);

#endif
