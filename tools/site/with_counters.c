/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * with_counters.c - counters of the links of a site; see with_counters.h
 *
 * Measured load is an extra for most commands: without the file they go on,
 * unless it was asked for.
 */

#include "tools/site/with_counters.h"

#include <string.h>

int counted_open(struct counted *k, const struct site *site, const char *path,
		 int must, struct report *r, struct sfab_err *err)
{
	const char *file = path ? path : site->conf->counters;
	struct sfab_err why = { 0 };
	uint32_t unknown;

	memset(k, 0, sizeof(*k));
	k->c = sfab_counters_load(file, NULL, &why);
	/* Only a missing file is fine; a damaged one never is. */
	if (!k->c && !path && !must && why.code == SFAB_ENOENT)
		return 0;
	if (!k->c)
		return sfab_fail(err, why.code, "%s", why.text);
	k->ms = sfab_counters_measure(k->c, site->f, &unknown);
	if (!k->ms) {
		counted_close(k);
		return sfab_no_memory(err);
	}
	if (unknown)
		report_warning(r, "%s: %u of %u ports are not in the snapshot",
			       file, unknown, k->c->n);
	return 0;
}

void counted_close(struct counted *k)
{
	sfab_measured_destroy(k->ms);
	sfab_counters_destroy(k->c);
	memset(k, 0, sizeof(*k));
}
