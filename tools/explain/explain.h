/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - the parts of `sfabric explain`: the machine as it was when a job
 * was placed, the ports that it shares, and whether the score comes out again
 */
#ifndef SFAB_EXPLAIN_H
#define SFAB_EXPLAIN_H

#include "tools/explain/declog.h"
#include "tools/preview/preview.h"
#include "tools/preview/preview_context.h"
#include "tools/ui/answer.h"

/*
 * Make @p the machine of then: the running jobs on the snapshot that @p->site
 * has, free hosts, traffic, CPUs (reconstruct.c).  *@host gets the nodes that were
 * found ([*@n], caller frees), or those of the job where no search was made.
 */
int then_make(struct planner *p, const struct declog *d, uint32_t **host,
	      uint32_t *n, struct report *r, struct sfab_err *err);

/* The score as the log has it; 0: it has none. */
int then_score(struct json_object *start, const struct sfab_conf *conf,
	       struct sfab_score *score);

/*
 * Links between switches that carry the job of the last score and others
 * (shared.c).
 */
struct shared {
	struct table *ports;	/* fullest first */
	uint32_t nports, njobs;	/* ports; jobs that are on any of them */
};
enum shared_names { SHARED_COUNTS, SHARED_IDS };
void shared_find(struct shared *s, const struct planner *p,
		 enum shared_names names);
void shared_free(struct shared *s);		/* twice is fine */

/* May this user see the ids of others' jobs?  0, or -1 with why not. */
int shared_may_name(struct sfab_err *err);

/*
 * Compare (verify.c): a table of terms, *@same 0 if one differs.  What a search
 * alone knows (the queue) is left out.
 */
struct table *verify_terms(const struct sfab_score *logged,
			   const struct sfab_score *now, int *same);

#endif
