/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.h - a heat map drawn with characters */
#ifndef SFAB_TERMINAL_H
#define SFAB_TERMINAL_H

#include <stdio.h>

#include "tools/plot/sheet.h"

/* Title, figures, rows and legend. */
void terminal_draw(const struct sheet *s, unsigned width, FILE *out);
/* Characters in a line of @out; 80 if it is not a terminal. */
unsigned terminal_width(FILE *out);

#endif
