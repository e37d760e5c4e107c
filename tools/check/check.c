/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - rows of findings; see check.h */

#include "tools/check/check.h"

#include <stdarg.h>
#include <stdio.h>

const struct column check_columns[] = {
	{ "check", "what was checked", COLUMN_TEXT, 0, 0 },
	{ "state", "fine, wrong, or unknown (cannot be checked from here)",
	  COLUMN_TEXT, 0, 0 },
	{ "found", "what was found, and what to do about it", COLUMN_TEXT, 0, 0 },
	{ 0 }
};

/* The words are part of the JSON. */
static const char *const verdicts[] = {
	[VERDICT_FINE] = "fine", [VERDICT_WRONG] = "wrong",
	[VERDICT_UNKNOWN] = "unknown",
};

void check_add(struct check *c, const char *what, enum verdict v, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	table_row(c->table);
	table_text(c->table, "check", what);
	table_text(c->table, "state", verdicts[v]);
	table_text(c->table, "found", text);
	c->nwrong += v == VERDICT_WRONG;
}
