/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_service.h - the plugin's placement service, fed with what scontrol prints
 *
 * The same calls in the same order as slurmctld's hook makes them, so that the
 * same question has the same answer.
 */
#ifndef SFAB_TOOLS_SLURM_SERVICE_H
#define SFAB_TOOLS_SLURM_SERVICE_H

#include "core/err.h"
#include "place/place.h"
#include "tools/site/joblist.h"
#include "tools/site/site.h"
#include "tools/slurm/cluster.h"
#include "tools/ui/json.h"

/*
 * The service with this cluster's nodes.  It takes over the site's conf and
 * snapshot, also on failure (NULL with *err); @site may go on looking at them.
 * It looks at @c as long as it is asked.
 */
struct sfab_place *slurm_place(struct site *site, const struct cluster *c,
			       struct sfab_err *err);

/*
 * Tell it the jobs; those that run are listed in @list, those that ended before
 * @since (seconds since 1970) are left out.  A warning in @r says how much is held
 * by jobs that are hidden from this user.
 */
int slurm_begin(struct sfab_place *place, const struct cluster *c,
		uint64_t since, struct joblist *list, struct report *r,
		struct sfab_err *err);

/* Flag the hosts of idle nodes in @avail ([nhosts]); returns how many. */
uint32_t slurm_idle(const struct sfab_place *place, const struct cluster *c,
		    uint8_t *avail);

#endif
