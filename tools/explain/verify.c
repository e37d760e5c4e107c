/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.c - is the score of a decision reproduced?  See explain.h
 *
 * The score is computed again on the machine as the log has it.  If a term
 * differs, the log is incomplete, or program or settings have changed since.
 */

#include <math.h>

#include "tools/explain/explain.h"

#define DIGITS 1e-5		/* relative; the log has six digits */

enum { V_NAME, V_LOGGED, V_NOW, V_SAME };

static const struct column columns[] = {
	{ "name", "term of the score", COLUMN_TEXT, 0, SHOWN },
	{ "logged", "when the job was placed", COLUMN_NUMBER, 6, SHOWN },
	{ "now", "recomputed", COLUMN_NUMBER, 6, SHOWN },
	{ "same", "to the digits of the log", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/* The 1 stands for terms near zero, whose relative difference says nothing. */
static int is_close(double a, double b)
{
	return fabs(a - b) <= DIGITS * (1 + fabs(a));
}

static int term_row(struct table *t, const char *name, double logged,
		    double now)
{
	table_row(t);
	table_text(t, V_NAME, name);
	table_number(t, V_LOGGED, logged);
	table_number(t, V_NOW, now);
	table_yes(t, V_SAME, is_close(logged, now));
	return is_close(logged, now);
}

struct table *verify_terms(const struct sfab_score *logged,
			   const struct sfab_score *now, int *same)
{
	struct table *t = table_create(columns);

	*same = 1;
	for (int i = 0; i < SFAB_NTERMS; i++)
		*same &= term_row(t, sfab_term_name(i), logged->term[i], now->term[i]);
	*same &= term_row(t, "total", logged->total, now->total);
	*same &= term_row(t, "leaves", logged->leaves, now->leaves);
	return t;
}
