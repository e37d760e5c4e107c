/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * with_counters.h - counters.snap for the snapshot that a command works on: what its links
 * carry, and their errors
 *
 * A link leaves one port and enters another.  Data sent counts at the port that
 * it leaves; damaged packets count at the port that it enters.
 */
#ifndef SFAB_WITH_COUNTERS_H
#define SFAB_WITH_COUNTERS_H

#include "core/audit/audit.h"
#include "core/err.h"
#include "core/load/measured.h"
#include "io/counters/counters.h"
#include "tools/site/site.h"
#include "tools/ui/report.h"

struct counted {
	struct sfab_counters *c;	/* NULL: there are none */
	struct sfab_measured *ms;	/* of the site's links; NULL as c */
};

enum counted_need {
	COUNTED_IF_THERE,	/* the conf's file may be missing */
	COUNTED,
	COUNTED_HERE,		/* SFAB_ESTALE if none of the ports is in the snapshot */
};

/*
 * @path NULL: the conf's Counters.  Warns about ports that the snapshot does not have
 * (@r NULL: does not).
 */
int counted_open(struct counted *k, const struct site *site, const char *path,
		 enum counted_need need, struct report *r, struct sfab_err *err);
void counted_close(struct counted *k);		/* twice is fine */

/* By link; a port without an entry leaves zeros.  Caller frees. */
struct sfab_link_events *counted_events(const struct counted *k);

#endif
