/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_counters.c - counters of the links of a site; see site_counters.h
 *
 * Measured load is an extra for most commands: without the file they go on, unless it was asked
 * for.  Some ports may be newer than the snapshot; if all are, the counters are of another
 * fabric.
 */

#include "tools/site/site_counters.h"

#include <string.h>

#include "tools/ui/xalloc.h"

int site_counters_open(struct site_counters *counters, const struct site *site, const char *path,
		       enum site_counters_need need, struct reply *r, struct sfab_err *err)
{
	const char *file = path ? path : site->conf->counters;
	struct sfab_err why = { 0 };
	uint32_t unknown;
	int rc;

	memset(counters, 0, sizeof(*counters));
	counters->c = sfab_counters_load(file, NULL, &why);
	/* Only a missing file is fine; a damaged one never is. */
	if (!counters->c && !path && need == SITE_COUNTERS_IF_THERE && why.code == SFAB_ENOENT)
		return 0;
	if (!counters->c)
		return sfab_fail(err, why.code, "%s", why.text);
	counters->ms = sfab_counters_measure(counters->c, site->f, &unknown);
	if (counters->ms && (need != SITE_COUNTERS_HERE || unknown < counters->c->n)) {
		if (unknown && r)
			reply_warning(r, "%s: %u of %u ports are not in the snapshot",
				      file, unknown, counters->c->n);
		return 0;
	}
	rc = counters->ms ? sfab_fail(err, SFAB_ESTALE, "%s: counters of another fabric", file) :
		     sfab_no_memory(err);
	site_counters_close(counters);
	return rc;
}

void site_counters_close(struct site_counters *counters)
{
	sfab_measured_destroy(counters->ms);
	sfab_counters_destroy(counters->c);
	memset(counters, 0, sizeof(*counters));
}

/* Return each link's events: discards where a packet leaves, errors where it arrives. */
struct sfab_link_events *site_counters_events(const struct site_counters *counters)
{
	const struct sfab_fabric *f = counters->ms->f;
	struct sfab_link_events *events = xcalloc(f->nlinks, sizeof(*events));

	for (uint32_t i = 0; i < f->nlinks; i++) {
		const struct sfab_link *link = &f->links[i];
		const struct sfab_counter *from = sfab_counters_find(counters->c,
			sfab_link_from_guid(f, i), link->from_port);
		const struct sfab_counter *to = sfab_counters_find(counters->c,
			sfab_link_to_guid(f, i), link->to_port);

		if (from)
			events[i].discards = (double) from->discards;
		if (to)
			events[i].errors = (double) to->errors;
	}
	return events;
}
