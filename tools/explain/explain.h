/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - the parts of `sfabric explain`: the machine as it was when a job was placed, and
 * whether the score is reproduced
 */
#ifndef SFAB_EXPLAIN_H
#define SFAB_EXPLAIN_H

#include "tools/log/declog.h"
#include "tools/preview/preview.h"
#include "tools/ui/answer.h"

/*
 * Set @p to the machine at that time: the running jobs on the snapshot of
 * @p->site, free hosts, traffic, CPUs (reconstruct.c).  @v, which the caller clears, is on
 * the nodes that the search found, or the job's nodes if no search was made.
 */
int explain_reconstruct(struct preview_context *p, struct declog *d, struct preview *v,
			struct reply *r, struct sfab_err *err);

/* Compare the score of a start line: a table of terms; *@same is 0 if one differs. */
struct table *explain_verify_terms(struct json_object *start, const struct sfab_score *now,
				   int *same);

/*
 * The same for a certificate: @logged as the log has it, which may lack the steps.  @names:
 * print ids of other jobs.
 */
struct table *explain_verify_certificate(struct json_object *logged,
					 const struct sfab_certificate *now,
					 const struct sfab_fabric *f, int names,
					 int *same);

#endif
