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
 * Fill @p with the machine as it was when the job was placed: running jobs on the snapshot of
 * @p->site, free hosts, traffic, CPUs (reconstruct.c).  @v gets the nodes that the search
 * found, or the job's own if there was no search.  The caller clears @v.
 */
int explain_reconstruct(struct preview_context *p, struct declog *d, struct preview *v,
			struct reply *r, struct sfab_err *err);

/*
 * Compare the score in a start line of the log with @computed.  Return a table of terms.
 * *@is_same is 0 if one differs.
 */
struct table *explain_verify_terms(struct json_object *start, const struct sfab_score *computed,
				   int *is_same);

/*
 * Compare the certificate in the log with @computed.  Return a table of values.  *@is_same is 0
 * if one differs.  @logged may lack the steps.  @shows_ids: print the ids of other jobs.
 */
struct table *explain_verify_certificate(struct json_object *logged,
					 const struct sfab_certificate *computed,
					 const struct sfab_fabric *f, int shows_ids,
					 int *is_same);

#endif
