/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * color.h - colored words, where a human reads at a terminal
 *
 * --color=auto|always|never.  auto colors on a terminal, unless $NO_COLOR is
 * set or $TERM is "dumb".
 */
#ifndef SFAB_COLOR_H
#define SFAB_COLOR_H

#include <stdio.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

int color_wanted(enum color_when when, FILE *out);

enum color_of { COLOR_BAD, COLOR_ODD, COLOR_FINE, COLOR_PLAIN };

/* Prints @text as "%-*s" of @width would; colored if @wanted. */
void color_put(FILE *out, int wanted, enum color_of color, int width,
	       const char *text);

#endif
