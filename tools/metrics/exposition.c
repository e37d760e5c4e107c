/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exposition.c - parts of Prometheus' text format; see exposition.h
 *
 * The format is that of "Exposition formats" in Prometheus' manual.  Names and
 * help are ours, so only the values of labels can hurt.
 */

#include "tools/metrics/exposition.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"
#include "tools/ui/say.h"

/*
 * A quote becomes \x22 by printable(); each backslash is doubled, since the
 * format takes it for an escape.  The caller owns it.
 */
char *exposition_label(const char *text)
{
	char *safe = printable(text, '"'), *p, *to, *out;

	out = to = need(2 * strlen(safe) + 1, 1);
	for (p = safe; *p; p++) {
		if (*p == '\\')
			*to++ = '\\';
		*to++ = *p;
	}
	free(safe);
	return out;
}

/* Once for each name, before its values. */
void exposition_begin(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}
