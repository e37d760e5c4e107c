/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - what PerfMgr reports for each port, added up
 *
 * PerfMgr reports how much a port counted since the last query: two events for each port and
 * sweep, from its own threads.  They are added to a table that has one row for each port of the
 * last topology and never grows.  The keeper's thread takes copies of it.
 */
#ifndef SFAB_OPENSM_TOTALS_H
#define SFAB_OPENSM_TOTALS_H

#include "io/counters/counters.h"
#include "plugin/opensm/osm_topology.h"

struct sfab_totals;		/* opaque */

struct sfab_totals *sfab_totals_create(void);		/* NULL: no memory */
void sfab_totals_destroy(struct sfab_totals *t);	/* NULL is fine */

/*
 * Switch to the ports of @topo.  Totals of ports that stay are kept.  SFAB_ENOMEM: the old
 * ports stay.
 */
int sfab_totals_set_ports(struct sfab_totals *t, const struct sfab_topology *topo,
			  struct sfab_err *err);

/*
 * Add what a port sent and received.  For any thread, at any time; unknown ports are dropped.
 * O(log ports).
 */
void sfab_totals_add_data(struct sfab_totals *t, uint64_t guid, uint8_t port,
			  uint64_t xmit_words, uint64_t rcv_words, uint64_t now_ms);
/*
 * Add what else a port counted, like sfab_totals_add_data().  PerfMgr clears a counter that is
 * three quarters full; an XmitWait that stopped at its maximum before is SFAB_COUNTER_STUCK.
 */
void sfab_totals_add_errors(struct sfab_totals *t, uint64_t guid, uint8_t port,
			    uint64_t wait_ticks, uint64_t discards,
			    uint64_t errors);

/*
 * Is there a complete set of new values?  It is complete when nothing arrived for a quarter of
 * a second, or when values have been arriving for five seconds.
 */
int sfab_totals_is_ready(struct sfab_totals *t, uint64_t now_ms);
/* Has anything arrived since the last sfab_totals_take()? */
int sfab_totals_has_pending(struct sfab_totals *t);

/*
 * Return the totals of ports that have reported, sorted, without rates.  Nothing is pending
 * afterwards.  NULL with *err.
 */
struct sfab_counters *sfab_totals_take(struct sfab_totals *t, uint64_t now_ms,
				       struct sfab_err *err);

#endif
