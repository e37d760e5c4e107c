/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measured.c - counters of ports by link; see measured.h */

#include "measured.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

static int has_rate(const struct sfab_counter *c)
{
	return c && !(c->flags & SFAB_COUNTER_NO_RATE);
}

/* The sender counts what it sent; if it is silent, the other what came. */
static void take_link(struct measured *m, uint32_t i,
		      const struct sfab_counter *from,
		      const struct sfab_counter *to)
{
	if (has_rate(from))
		m->bytes[i] = from->xmit_rate;
	else if (has_rate(to))
		m->bytes[i] = to->rcv_rate;
	m->known += has_rate(from) || has_rate(to);
	if (from && !(from->flags & SFAB_COUNTER_NO_WAIT))
		m->wait_share[i] = from->wait_share;
	if (from)
		m->events[i].discards = (double) from->discards;
	if (to)
		m->events[i].errors = (double) to->errors;
}

/* Returns how many of the links' ports have counters. */
static uint32_t take_all(struct measured *m, const struct sfab_fabric *f,
			 const struct sfab_counters *c)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < f->nlinks; i++) {
		const struct sfab_link *l = &f->links[i];
		const struct sfab_counter *from = sfab_counters_find(c,
			sfab_link_from_guid(f, i), l->from_port);
		const struct sfab_counter *to = sfab_counters_find(c,
			sfab_link_to_guid(f, i), l->to_port);

		found += from || to;
		take_link(m, i, from, to);
	}
	return found;
}

int measured_read(struct measured *m, const char *path, const struct site *site,
		  struct sfab_err *err)
{
	const struct sfab_fabric *f = site->f;
	struct sfab_counters *c;
	uint32_t found;

	path = path ? path : site->conf->counters;
	c = sfab_counters_load(path, NULL, err);
	if (!c)
		return -1;
	*m = (struct measured) {
		.nlinks = f->nlinks, .time = c->time_ms / 1000,
		.bytes = need(f->nlinks, sizeof(*m->bytes)),
		.wait_share = need(f->nlinks, sizeof(*m->wait_share)),
		.events = need(f->nlinks, sizeof(*m->events)),
	};
	found = take_all(m, f, c);
	sfab_counters_destroy(c);
	if (found)
		return 0;
	measured_free(m);
	return sfab_fail(err, SFAB_ESTALE, "%s: counters of another fabric",
			 path);
}

void measured_free(struct measured *m)
{
	free(m->bytes);
	free(m->wait_share);
	free(m->events);
	memset(m, 0, sizeof(*m));
}
