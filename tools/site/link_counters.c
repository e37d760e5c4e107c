/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_counters.c - counters of ports by link; see link_counters.h
 *
 * counters.snap has an entry for each port.  A link takes from the port that it
 * leaves what was sent, and from the port that it enters what arrived damaged.
 */

#include "tools/site/link_counters.h"

#include <stdlib.h>
#include <string.h>

#include "io/counters/counters.h"
#include "tools/ui/say.h"

int link_counters_read(struct link_counters *l, const char *path,
		       const struct site *site, struct sfab_err *err)
{
	const struct sfab_fabric *f = site->f;
	struct sfab_counters *c;
	uint32_t unknown;
	int stale;

	memset(l, 0, sizeof(*l));
	path = path ? path : site->conf->counters;
	c = sfab_counters_load(path, NULL, err);
	if (!c)
		return -1;
	l->measured = sfab_counters_measure(c, f, &unknown);
	if (l->measured)
		l->events = need(f->nlinks, sizeof(*l->events));
	/*
	 * Discards are counted where a packet leaves, errors where it arrives.  A port
	 * without an entry leaves zeros.
	 */
	for (uint32_t i = 0; l->measured && i < f->nlinks; i++) {
		const struct sfab_link *link = &f->links[i];
		const struct sfab_counter *from = sfab_counters_find(c,
			sfab_link_from_guid(f, i), link->from_port);
		const struct sfab_counter *to = sfab_counters_find(c,
			sfab_link_to_guid(f, i), link->to_port);

		if (from)
			l->events[i].discards = (double) from->discards;
		if (to)
			l->events[i].errors = (double) to->errors;
	}
	/* Some ports may be newer than the snapshot; if all are, it is another fabric. */
	stale = l->measured && unknown == c->n;
	sfab_counters_destroy(c);
	if (l->measured && !stale)
		return 0;
	link_counters_free(l);
	return stale ? sfab_fail(err, SFAB_ESTALE, "%s: counters of another "
				 "fabric", path) :
		       sfab_no_memory(err);
}

void link_counters_free(struct link_counters *l)
{
	sfab_measured_destroy(l->measured);
	free(l->events);
	memset(l, 0, sizeof(*l));
}
