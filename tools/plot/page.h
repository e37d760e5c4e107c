/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - heat maps as one self-contained HTML file
 *
 * It has the SVG picture with tooltips.  If the sheet has more maps than the
 * picture, it also has a selector, and a script recolors the first map from
 * data in the page.  "#NAME" after the file's name opens it with that map.
 */
#ifndef SFAB_PLOT_PAGE_H
#define SFAB_PLOT_PAGE_H

#include <stdio.h>

#include "tools/plot/picture.h"

void page_html(const struct picture *p, FILE *out);

#endif
