/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_service.h - the plugin's placement service, fed with scontrol's output
 *
 * Makes the same calls in the same order as the plugin in slurmctld, so that
 * the same question gets the same answer.
 */
#ifndef SFAB_TOOLS_SLURM_SERVICE_H
#define SFAB_TOOLS_SLURM_SERVICE_H

#include "tools/site/joblist.h"
#include "tools/site/site.h"
#include "tools/slurm/cluster.h"
#include "tools/ui/json.h"

/*
 * The service with this cluster's nodes.  It takes over the site's conf and
 * snapshot, also on failure (NULL with *err); @site may still read them.  @c
 * must live as long as the service is asked.
 */
struct sfab_place *slurm_place(struct site *site, const struct cluster *c,
			       struct sfab_err *err);

/*
 * Report the jobs to it.  Running jobs come from @list; jobs that ended before
 * @since (seconds since the epoch) are left out.  A warning in @r says how much
 * is held by jobs that this user cannot see.
 */
void slurm_begin(struct sfab_place *place, const struct cluster *c,
		 uint64_t since, struct joblist *list, struct report *r);

/* Flag the hosts of idle nodes in @avail ([nhosts]); returns how many. */
uint32_t slurm_idle(const struct sfab_place *place, const struct cluster *c,
		    uint8_t *avail);

#endif
