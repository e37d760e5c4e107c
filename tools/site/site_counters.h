/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_counters.h - counters.snap for the snapshot that a command works on: what its links
 * carry, and their errors
 *
 * A link leaves one port and enters another.  Data sent counts at the port that it leaves;
 * damaged packets count at the port that it enters.
 */
#ifndef SFAB_SITE_COUNTERS_H
#define SFAB_SITE_COUNTERS_H

#include "core/audit/audit.h"
#include "core/err.h"
#include "core/load/measured.h"
#include "io/counters/counters.h"
#include "tools/site/site.h"
#include "tools/ui/reply.h"

struct site_counters {
	struct sfab_counters *c;	/* NULL: there are none */
	struct sfab_measured *ms;	/* of the site's links; NULL as c */
};

enum site_counters_need {
	SITE_COUNTERS_IF_THERE,	/* the conf's file may be missing */
	SITE_COUNTERS_NEEDED,	/* a missing file is an error */
	SITE_COUNTERS_HERE,	/* needed; SFAB_ESTALE: none of the ports is in the snapshot */
};

/*
 * Load the counters at @path; NULL: the conf's Counters.  Warn in @r about ports that the
 * snapshot does not have, unless @r is NULL.
 */
int site_counters_open(struct site_counters *counters, const struct site *site, const char *path,
		       enum site_counters_need need, struct reply *r, struct sfab_err *err);
void site_counters_close(struct site_counters *counters);		/* twice is fine */

/* The errors and discards of each link ([nlinks], caller frees); 0 where a port has no counters. */
struct sfab_link_events *site_counters_events(const struct site_counters *counters);

#endif
