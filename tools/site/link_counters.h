/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_counters.h - a file of counters -> what the links of a fabric carry, and
 * their errors
 *
 * A link leaves one port and enters another.  Data sent counts at the port that
 * it leaves; damaged packets count at the port that it enters.
 */
#ifndef SFAB_LINK_COUNTERS_H
#define SFAB_LINK_COUNTERS_H

#include "core/audit/audit.h"
#include "core/err.h"
#include "core/load/measured.h"
#include "tools/site/site.h"

struct link_counters {
	struct sfab_measured *measured;
	struct sfab_link_events *events;	/* by link */
};

/*
 * @path NULL: Counters of the conf.  -1 with *err: no such file, a damaged one,
 * or none of its ports is in this fabric (SFAB_ESTALE).
 */
int link_counters_read(struct link_counters *l, const char *path,
		       const struct site *site, struct sfab_err *err);
void link_counters_free(struct link_counters *l);	/* twice is fine */

#endif
