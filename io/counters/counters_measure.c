/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters_measure.c - rows by port -> what the links of a fabric carry; see counters.h
 *
 * Both ports of a link tell its rate.  The row of the sender comes first, since only it knows
 * how long data had to wait; that of the receiver fills in where the sender was not read.
 */

#include "io/counters/counters.h"

/*
 * Fill in @link, unless it is known, from the port that sends (@sends) or from the one that
 * receives.
 */
static void take_counter_row(const struct sfab_counter *row, int sends,
			     struct sfab_measured *measured, uint32_t link)
{
	if (measured->rate[link] >= 0 || !row)
		return;
	measured->time_s[link] = row->time_ms / 1000;
	if (!(row->flags & SFAB_COUNTER_NO_RATE))
		measured->rate[link] = sends ? row->xmit_rate : row->rcv_rate;
	if (sends && !(row->flags & SFAB_COUNTER_NO_WAIT))
		measured->wait[link] = row->wait_share;
}

struct sfab_measured *sfab_counters_measure(const struct sfab_counters *c,
					    const struct sfab_fabric *f,
					    uint32_t *unknown)
{
	struct sfab_measured *measured = sfab_measured_create(f);
	uint32_t found = 0;

	if (!measured)
		return NULL;
	measured->half_life_s = c->half_life_s;
	for (uint32_t e = 0; e < f->nlinks; e++) {
		const struct sfab_link *l = &f->links[e];
		const struct sfab_counter *from, *to;

		from = sfab_counters_find(c, sfab_link_from_guid(f, e),
					  l->from_port);
		to = sfab_counters_find(c, sfab_link_to_guid(f, e), l->to_port);
		take_counter_row(from, 1, measured, e);
		take_counter_row(to, 0, measured, e);
		found += from != NULL;
	}
	*unknown = c->n > found ? c->n - found : 0;
	return measured;
}
