/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter_source.c - counters.snap, read and handed over; see counter_source.h */

#include "place/state/counter_source.h"

void sfab_meter_clear(struct sfab_meter *m)
{
	sfab_counters_destroy(m->counters);
	m->counters = NULL;
}

int sfab_meter_read(struct sfab_meter *m, const char *path,
		    const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_counters *c;
	struct sfab_err why = { 0 };

	if (!path || !*path || !sfab_watch_changed(&m->file, path))
		return 0;
	c = sfab_counters_load(path, trust, &why);
	/*
	 * A missing file is no error: counters are optional, and absent means
	 * unmeasured.
	 */
	if (!c && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	sfab_counters_destroy(m->counters);
	m->counters = c;
	return 1;
}

void sfab_meter_prepare(struct sfab_meter *m, struct sfab_world *w,
			uint64_t now_s)
{
	m->unknown = 0;
	m->next_s = UINT64_MAX;
	if (m->counters)
		w->measured = sfab_counters_measure(m->counters, w->f,
						    &m->unknown);
	if (!w->measured)
		return;		/* nothing is known about any link */
	sfab_measured_apply(w->measured, w->jobs, now_s);
	m->next_s = sfab_measured_next(w->measured, now_s);
}

uint64_t sfab_meter_since(const struct sfab_meter *m, uint64_t now_s)
{
	return m->counters ? sfab_measured_since(m->counters->half_life_s, now_s)
			   : UINT64_MAX;
}
