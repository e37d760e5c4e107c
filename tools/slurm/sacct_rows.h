/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct_rows.h - what sacct shows of jobs, without rows that users injected
 *
 * sacct -P escapes nothing either: a job's name, and an account that no database checks, may
 * have bars and newlines, and so show whole rows of another user's job.  As in jobtext.h sacct
 * appends a random mark to each time, passed in the environment.  With the time of submission
 * as T a row is
 *
 *     T|our fields|T|account|T|partition|T|job name|T
 *
 * and no text of a user can have such a T.
 */
#ifndef SFAB_SACCT_ROWS_H
#define SFAB_SACCT_ROWS_H

#include "core/err.h"

/*
 * Ask for all jobs and steps since yesterday.  *@text, from malloc, is what sfab_usage_sacct()
 * reads: each record is one line.
 */
int sacct_rows_ask(char **text, struct sfab_err *err);

/*
 * Make that text from sacct's answer; caller frees.  A row of any other form is left out.
 * @mark does not begin with a digit.  NULL with *err: there are rows, but none of this form.
 * O(bytes).
 */
char *sacct_rows_make(const char *answer, const char *mark, struct sfab_err *err);

#endif
