/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * portmap.h - link loads of a fabric as a heat map: spine switch x port
 *
 * LANL's picture: how many ports of the spine switches do the routes use, and
 * how evenly?  Without spines (a single switch) all switches are rows.
 */
#ifndef SFAB_PORTMAP_H
#define SFAB_PORTMAP_H

#include <stdio.h>

#include "../core/fabric.h"
#include "heatmap.h"
#include "linkload.h"

enum portmap_value { PORTMAP_ROUTES, PORTMAP_DLIDS, PORTMAP_LOAD };
enum portmap_direction { PORTMAP_OUT, PORTMAP_INTO };

struct portmap_wish {
	const char *from, *to;		/* for the title */
	enum portmap_value value;
	enum portmap_direction direction;
};

/* "routes", "dlids", "load_gbs" -> *value; -1: none of them. */
int portmap_value(const char *text, enum portmap_value *value);

/* Fill @m, which the caller frees. */
void portmap_make(const struct sfab_fabric *f, const struct linkload *l,
		  const struct portmap_wish *wish, struct heatmap *m);

#endif
