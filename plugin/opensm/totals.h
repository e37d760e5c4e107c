/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - what PerfMgr tells of each port, added up
 *
 * PerfMgr reports how much a port counted since it asked last: two events a
 * port and sweep, from threads of its own.  They are added to a row of a table
 * that has a row for each port of the last topology and no room for more; the
 * keeper's thread takes copies of it.
 */
#ifndef SFAB_OPENSM_TOTALS_H
#define SFAB_OPENSM_TOTALS_H

#include "io/counters/counters.h"
#include "plugin/opensm/sweep.h"

struct sfab_totals;		/* opaque */

struct sfab_totals *sfab_totals_create(void);		/* NULL: no memory */
void sfab_totals_destroy(struct sfab_totals *t);	/* NULL is fine */

/*
 * From now on the ports of @topo; what is known of those that were there
 * before stays.  SFAB_ENOMEM: then the old ports stay.
 */
int sfab_totals_ports(struct sfab_totals *t, const struct sfab_topology *topo,
		      struct sfab_err *err);

/*
 * Any thread, any time; O(log ports).  Ports that are not known are dropped.
 * PerfMgr clears counters that fill up to three quarters; an XmitWait that got
 * to its maximum before that is marked SFAB_COUNTER_STUCK.
 */
void sfab_totals_data(struct sfab_totals *t, uint64_t guid, uint8_t port,
		      uint64_t xmit_words, uint64_t rcv_words, uint64_t now_ms);
void sfab_totals_errors(struct sfab_totals *t, uint64_t guid, uint8_t port,
			uint64_t wait_ticks, uint64_t discards,
			uint64_t errors);

/*
 * Is there news that is complete: nothing came for a quarter of a second, or
 * for five seconds there was no end of it?
 */
int sfab_totals_ready(struct sfab_totals *t, uint64_t now_ms);
/* Is there news at all? */
int sfab_totals_pending(struct sfab_totals *t);

/*
 * The ports that were heard of, sorted, rates not yet made; the news are taken.
 * NULL with *err.
 */
struct sfab_counters *sfab_totals_take(struct sfab_totals *t, uint64_t now_ms,
				       struct sfab_err *err);

#endif
