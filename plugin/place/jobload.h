/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobload.h - what a running job sends in a world, and its load put there
 *
 * For the asking thread, when something begins or ends, and for the loader,
 * when it makes a new world ready; each brings its own world, nodes and room.
 */
#ifndef SFAB_PLACE_JOBLOAD_H
#define SFAB_PLACE_JOBLOAD_H

#include "nodes.h"
#include "running.h"
#include "world.h"

struct sfab_jobload_room {	/* for the hosts of one job */
	uint32_t *host;
	double *cpus;
};
/* Room for jobs of up to @nodes.  -1: memory. */
int sfab_jobload_room(struct sfab_jobload_room *room, uint32_t nodes);
void sfab_jobload_room_free(struct sfab_jobload_room *room);

/* Index of a part of IO traffic whose IO set this world lacks, or -1. */
int sfab_world_lacks(const struct sfab_world *w, const struct sfab_traffic *t);

/* A job as the site's script sees it; borrows the texts. */
struct sfab_script_job sfab_job_of(const struct sfab_place_who *who,
				   const char *partition, uint32_t nodes,
				   uint64_t limit_s);

/*
 * What a job sends here: what the site's script says, else its own hint (@own,
 * of hint TRAFFIC), else the site's default; of that without the parts that
 * this fabric has no IO set for.  Returns all that the script says, borrowed
 * until the next call.
 */
const struct sfab_script_answer *sfab_world_traffic(struct sfab_world *w,
						    struct sfab_script_job job,
						    enum sfab_hint hint,
						    const struct sfab_traffic *own,
						    struct sfab_traffic *out);

/* The job to the model; points into @room and @traffic. */
struct sfab_spec sfab_jobload_spec(struct sfab_world *w,
				   const struct sfab_nodes *nodes,
				   const struct sfab_running_job *job,
				   struct sfab_jobload_room *room,
				   struct sfab_traffic *traffic);
/* Put its load on the world, which must not have it. */
void sfab_jobload_add(struct sfab_world *w, const struct sfab_nodes *nodes,
		      const struct sfab_running_job *job,
		      struct sfab_jobload_room *room);

#endif
