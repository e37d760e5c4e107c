/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter.c - counters.snap, read and handed over; see meter.h */

#include "meter.h"

void sfab_meter_clear(struct sfab_meter *m)
{
	sfab_counters_destroy(m->counters);
	m->counters = NULL;
	m->f = NULL;
}

int sfab_meter_read(struct sfab_meter *m, const char *path,
		    const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_counters *c;
	struct sfab_err why = { 0 };

	if (!path || !*path || !sfab_watch_changed(&m->file, path))
		return 0;
	c = sfab_counters_load(path, trust, &why);
	if (!c && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	sfab_counters_destroy(m->counters);
	m->counters = c;
	return 1;
}

/* Without counters, or memory: nothing is known of any link. */
static struct sfab_measured *measure(struct sfab_meter *m)
{
	m->unknown = 0;
	if (!m->counters)
		return sfab_measured_create(m->f);
	return sfab_counters_measure(m->counters, m->f, &m->unknown);
}

void sfab_meter_prepare(struct sfab_meter *m, struct sfab_world *w)
{
	m->f = w->f;
	w->measured = m->counters ? measure(m) : NULL;
}

void sfab_meter_publish(struct sfab_meter *m, struct sfab_feed *feed)
{
	if (m->f)
		sfab_measured_destroy(atomic_exchange(&feed->measured,
						      measure(m)));
}
