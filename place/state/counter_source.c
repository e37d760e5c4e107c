/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter_source.c - counters.snap, read and handed over; see counter_source.h
 *
 * What was measured changes as it ages, in steps (core/load/measured.h).  next_s is
 * when the next one is due, so that the loader makes no generation with equal loads.
 */

#include "place/state/counter_source.h"

void sfab_counter_source_clear(struct sfab_counter_source *source)
{
	sfab_counters_destroy(source->counters);
	source->counters = NULL;
}

int sfab_counter_source_read(struct sfab_counter_source *source, const char *path,
			     const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_counters *c;
	struct sfab_err why = { 0 };

	if (!path || !*path || !sfab_watch_changed(&source->file, path))
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
	sfab_counters_destroy(source->counters);
	source->counters = c;
	return 1;
}

/*
 * Hours of full links between switches.  A sample counts for the time since the one
 * before, unless that is long ago.
 */
static void count_full(struct sfab_counter_source *source,
		       const struct sfab_generation *gen)
{
	uint64_t at_s = source->counters->time_ms / 1000, since_s = at_s - source->counted_s;
	uint32_t full = 0;

	if (at_s <= source->counted_s)
		return;
	source->counted_s = at_s;
	if (since_s > SFAB_MEASURED_FRESH_S)
		return;
	for (uint32_t e = 0; e < gen->f->nlinks; e++)
		full += gen->model->isl[e] &&
			sfab_measured_bottleneck(gen->measured, e) != SFAB_BOTTLENECK_NONE;
	source->full_hours += (double) since_s / 3600 * full;
}

void sfab_counter_source_prepare(struct sfab_counter_source *source,
				 struct sfab_generation *gen, uint64_t now_s)
{
	source->unknown = 0;
	source->next_s = UINT64_MAX;
	if (source->counters)
		gen->measured = sfab_counters_measure(source->counters, gen->f,
						      &source->unknown);
	if (!gen->measured)
		return;		/* nothing is known about any link */
	count_full(source, gen);
	gen->full_hours = source->full_hours;
	sfab_measured_apply(gen->measured, gen->jobs, now_s);
	source->next_s = sfab_measured_next_change(gen->measured, now_s);
}

uint64_t sfab_counter_source_since(const struct sfab_counter_source *source,
				   uint64_t now_s)
{
	return source->counters
		       ? sfab_measured_forgotten_before(source->counters->half_life_s, now_s)
		       : UINT64_MAX;
}
