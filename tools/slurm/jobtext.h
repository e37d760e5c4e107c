/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobtext.h - what scontrol shows of jobs, without what users wrote between
 *
 * Slurm escapes nothing: with a newline in its name or comment, in the path of
 * its script or output, a job shows lines, or whole records, of its choice, with
 * -o too.  So two things are used that users cannot have known.  squeue prints
 * ids, names and comments between marks drawn at random for this question, and
 * scontrol writes another such mark behind each time (SLURM_TIME_FORMAT).  Then
 *
 *     JobId=7 JobName=...         a record begins where the name is, byte by
 *        UserId=...               byte, the one that squeue gave for the id;
 *        SubmitTime=1700000000MARK     its time of submission bears the mark,
 *        OverSubscribe=NO ...     and behind this line nothing of it counts.
 *
 * All lines between are Slurm's own.  Where a record is not like that it is left
 * out.  Both marks go by environment, which other users cannot see.
 */
#ifndef SFAB_JOBTEXT_H
#define SFAB_JOBTEXT_H

#include <stdint.h>

#include "core/err.h"

struct jobtext_lost {		/* jobs that squeue has and scontrol has not */
	uint32_t n;
	uint32_t id;		/* of the first */
};

/*
 * Ask both programs, about all jobs or only @id (a number, or number_number).
 * *@text, from malloc, is as scontrol_jobs() wants it: names and comments are
 * one line each.
 */
int jobtext_ask(const char *id, char **text, struct jobtext_lost *lost,
		struct sfab_err *err);

/*
 * The same from what squeue (records of "ID MARK NAME MARK COMMENT MARK") and
 * scontrol printed; caller frees.  @mark does not begin with a digit.  O(bytes).
 */
char *jobtext_make(const char *squeue, const char *scontrol, const char *mark,
		   struct jobtext_lost *lost);

#endif
