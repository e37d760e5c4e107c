/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - heat maps as one HTML file that needs nothing else
 *
 * The SVG picture with tooltips, and if the sheet has more maps than the
 * picture, a selector: a script recolours the first map from data in the page.
 * "#NAME" behind the file's name opens it with that map.
 */
#ifndef SFAB_PLOT_PAGE_H
#define SFAB_PLOT_PAGE_H

#include <stdio.h>

#include "tools/plot/picture.h"

void page_html(const struct picture *p, FILE *out);

#endif
