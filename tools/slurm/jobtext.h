/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobtext.h - what scontrol shows of jobs, without what users injected
 *
 * Slurm escapes nothing.  With a newline in its name, its comment, or the path of its script or
 * output, a job can show lines or whole records of its choice, with -o too.  So we use two
 * things that users cannot know in advance.  squeue prints ids, names and comments between
 * random marks, drawn for each question.  scontrol appends another such mark to each time
 * (SLURM_TIME_FORMAT).  Then
 *
 *     JobId=7 JobName=...         a record begins where the name is, byte by
 *        UserId=...               byte, the one that squeue gave for the id;
 *        SubmitTime=1700000000MARK     its submit time has the mark, and what
 *        OverSubscribe=NO ...     follows this line in the record is ignored.
 *
 * All lines between are Slurm's own.  A record of any other form is left out.  Both marks are
 * passed in the environment, which other users cannot see.
 */
#ifndef SFAB_JOBTEXT_H
#define SFAB_JOBTEXT_H

#include <stdint.h>

#include "core/err.h"

struct jobtext_lost {		/* jobs that squeue lists and scontrol does not */
	uint32_t n;
	uint32_t id;		/* id of the first */
};

/*
 * Ask both programs, about all jobs or only @id (a number, or number_number).  *@text, from
 * malloc, has the form that scontrol_parse() wants: each name and comment is one line.
 */
int jobtext_ask(const char *id, char **text, struct jobtext_lost *lost, struct sfab_err *err);

/*
 * Make that text from the output of squeue (records of "ID MARK NAME MARK COMMENT MARK") and of
 * scontrol; caller frees.  @mark does not begin with a digit.  O(bytes).
 */
char *jobtext_make(const char *squeue, const char *scontrol, const char *mark,
		   struct jobtext_lost *lost);

#endif
