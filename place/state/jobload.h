/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobload.h - what a running job sends in a generation, and adding its load there
 *
 * Used by the asking thread when a job begins or ends, and by the loader when it prepares a new
 * generation; each passes its own generation, nodes and buffers.
 */
#ifndef SFAB_PLACE_JOBLOAD_H
#define SFAB_PLACE_JOBLOAD_H

#include "place/nodes.h"
#include "place/request/intent.h"
#include "place/running.h"
#include "place/state/generation.h"

/* Return what a generation says about the traffic of jobs; borrowed. */
struct sfab_intent_site sfab_jobload_site(const struct sfab_generation *gen);

/* Return what counters found out about this run of the job, whatever its age; NULL: nothing. */
const struct sfab_found_job *sfab_jobload_found(const struct sfab_generation *gen,
						const struct sfab_running_job *job);

/* Return the job as the model sees it.  It points into @scratch and @traffic. */
struct sfab_job sfab_jobload_spec(struct sfab_generation *gen,
				  const struct sfab_nodes *nodes,
				  const struct sfab_running_job *job,
				  struct sfab_scratch *scratch,
				  struct sfab_traffic *traffic);
/* Add its load to the generation, which must not contain it yet. */
void sfab_jobload_add(struct sfab_generation *gen, const struct sfab_nodes *nodes,
		      const struct sfab_running_job *job,
		      struct sfab_scratch *scratch);

#endif
