/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_counters.c - the table of what the links carry; see show.h
 *
 * Rates are those that collect smoothed and stored in counters.snap.  Nothing is measured here,
 * and links whose ports were not read have no row.
 */

#include <time.h>

#include "tools/show/show.h"
#include "tools/site/site_counters.h"
#include "tools/ui/link_columns.h"

static const struct column counter_columns[] = {
	{ "switch", "where the link begins: a switch, or a host", COLUMN_TEXT,
	  0, SHOWN },
	{ "guid", "node GUID there", COLUMN_GUID, 0, SHOWN },
	{ "port", "out port there", COLUMN_COUNT, 0, SHOWN },
	{ "to", "where it leads", COLUMN_TEXT, 0, SHOWN },
	{ "kind", "isl (switch to switch), eject (to host), inject (from host)",
	  COLUMN_TEXT, 0, SHOWN },
	{ "rate_gbs", "GB/s of data that it carries, smoothed", COLUMN_NUMBER, 3,
	  SHOWN },
	{ "used", "part of its capacity", COLUMN_NUMBER, 2, SHOWN },
	{ "wait_share", "share of its words that had to wait, smoothed",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "wait_stuck", "PortXmitWait is at its maximum: the share is unknown",
	  COLUMN_YES, 0, SHOWN_IF_ASKED },
	{ "bottleneck", "none, host (an end port is full) or fabric",
	  COLUMN_TEXT, 0, SHOWN },
	{ "new_discards", "packets discarded in the last interval",
	  COLUMN_COUNT, 0, SHOWN },
	{ "discards", "packets discarded since the counter was reset",
	  COLUMN_COUNT, 0, SHOWN_IF_ASKED },
	{ "new_errors", "errors in the last interval", COLUMN_COUNT, 0, SHOWN },
	{ "errors", "errors since the counters were reset", COLUMN_COUNT, 0,
	  SHOWN_IF_ASKED },
	{ "age_s", "seconds since the port was read", COLUMN_COUNT, 0,
	  SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Add the row of a port.  Fields that are not known stay empty.  A negative rate or wait means
 * that one sweep is not enough to know it.  @now_s: seconds since 1970.
 */
static void add_counter_row(const struct sfab_measured *ms, uint32_t i, uint64_t now_s,
			    const struct sfab_counter *c, struct table *t)
{
	uint64_t read_s = c->time_ms / 1000;

	table_row(t);
	link_columns_cells(t, ms->f, i);
	if (ms->rate[i] >= 0) {
		table_gbs(t, "rate_gbs", ms->rate[i]);
		table_number(t, "used", ms->rate[i] / ms->f->links[i].capacity);
	}
	if (ms->wait[i] >= 0)
		table_number(t, "wait_share", ms->wait[i]);
	table_yes(t, "wait_stuck", (c->flags & SFAB_COUNTER_STUCK) != 0);
	table_text(t, "bottleneck",
		   sfab_bottleneck_name(sfab_measured_bottleneck(ms, i)));
	table_count(t, "new_discards", c->new_discards);
	table_count(t, "discards", c->discards);
	table_count(t, "new_errors", c->new_errors);
	table_count(t, "errors", c->errors);
	/* A clock that was set back, or another host's clock, must not show 2^64 seconds. */
	table_count(t, "age_s", now_s > read_s ? now_s - read_s : 0);
}

/*
 * Add the rows, and warn of what a user should know: PortXmitWait is a counter of 32 bits that
 * stays at its maximum until it is reset, and cannot be trusted then.
 */
static int fill_counters(const struct show_request *rq, struct table *t, struct sfab_err *err)
{
	const struct sfab_fabric *f = rq->site->f;
	uint64_t now_s = (uint64_t) time(NULL);
	uint32_t stuck = 0, discarding = 0;
	struct site_counters counters;
	/* Old counters are shown too; the column age_s says how old they are. */
	int rc = site_counters_open(&counters, rq->site, rq->o->counters, SITE_COUNTERS_NEEDED,
				    rq->r, err);

	for (uint32_t i = 0; rc == 0 && i < f->nlinks; i++) {
		const struct sfab_counter *c = sfab_counters_find(
			counters.c, sfab_link_from_guid(f, i), f->links[i].from_port);

		if (c)
			add_counter_row(counters.ms, i, now_s, c, t);
	}
	for (uint32_t i = 0; rc == 0 && i < counters.c->n; i++) {
		stuck += (counters.c->row[i].flags & SFAB_COUNTER_STUCK) != 0;
		discarding += counters.c->row[i].new_discards != 0;
	}
	if (rc == 0 && counters.c->missed)
		reply_warning(rq->r, "the sweep was partial: %u ports gave no "
			      "answer", counters.c->missed);
	if (stuck)
		reply_warning(rq->r, "%u ports have XmitWait at its maximum: how much "
			      "they wait is unknown (collect --reset-wait)", stuck);
	if (discarding)
		reply_warning(rq->r, "%u ports discarded packets in the last "
			      "interval", discarding);
	site_counters_close(&counters);
	return rc;
}

const struct show_table show_counters = {
	"counters", "counters", counter_columns, NULL, fill_counters
};
