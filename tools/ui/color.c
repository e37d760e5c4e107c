/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * color.c - words in color; see color.h
 *
 * Color only repeats what the words say already, for whoever looks at a long
 * list on a terminal.  Width is counted without the escapes, so columns stay
 * aligned.
 */

#include "tools/ui/color.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/output.h"

/*
 * Parameters of "Select Graphic Rendition" (ECMA-48): bold red, yellow and
 * green, which all terminals have.
 */
static const char *const sgr[] = {
	[COLOR_BAD] = "1;31", [COLOR_ODD] = "33", [COLOR_FINE] = "32",
};

/*
 * NO_COLOR counts if it is set and not empty (no-color.org).  A dumb terminal
 * would show the escapes as letters.
 */
int color_wanted(enum color_when when, FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return output_is_terminal(out) && !(no && *no) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

void color_put(FILE *out, int wanted, enum color_of color, int width,
	       const char *text)
{
	if (wanted && color != COLOR_PLAIN)
		fprintf(out, "\033[%sm%-*s\033[0m", sgr[color], width, text);
	else
		fprintf(out, "%-*s", width, text);
}
