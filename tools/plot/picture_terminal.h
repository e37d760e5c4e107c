/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture_terminal.h - a heat map drawn with characters */
#ifndef SFAB_PICTURE_TERMINAL_H
#define SFAB_PICTURE_TERMINAL_H

#include <stdio.h>

#include "tools/plot/sheet.h"

/* Draw the sheet: title, figures, rows and legend. */
void picture_terminal_draw(const struct sheet *s, unsigned width, FILE *out);
/* Return how many characters a line of @out has; 80 if it is not a terminal. */
unsigned picture_terminal_width(FILE *out);

#endif
