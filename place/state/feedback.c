/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feedback.c - counters.snap, History and FoundTraffic, read and handed over; see feedback.h
 *
 * What was measured and found changes as it ages, without a change of its file.  next_s is
 * when that is due next, so that the loader makes no generation with equal loads.
 */

#include "place/state/feedback.h"

#include <string.h>

void sfab_feedback_reset(struct sfab_feedback *b)
{
	memset(&b->counters_file, 0, sizeof(b->counters_file));
	memset(&b->history_file, 0, sizeof(b->history_file));
	memset(&b->found_file, 0, sizeof(b->found_file));
}

void sfab_feedback_clear(struct sfab_feedback *b)
{
	sfab_counters_destroy(b->counters);
	sfab_history_destroy(b->history);
	sfab_found_destroy(b->found);
	memset(b, 0, sizeof(*b));
}

int sfab_feedback_counters(struct sfab_feedback *b, const char *path,
			   const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_counters *counters;
	struct sfab_err why = { 0 };

	if (!*path || !sfab_watch_changed(&b->counters_file, path))
		return 0;
	counters = sfab_counters_load(path, trust, &why);
	if (!counters && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	sfab_counters_destroy(b->counters);
	b->counters = counters;
	return 1;
}

/* Replace what was known by @h (NULL: nothing was learned).  1 if that is new. */
static int take_history(struct sfab_feedback *b, struct sfab_history *h)
{
	int is_new = h || b->history;

	sfab_history_destroy(b->history);
	b->history = h;
	return is_new;
}

int sfab_feedback_history(struct sfab_feedback *b, const char *path,
			  const struct sfab_fabric *f,
			  const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;

	if (!*path)
		return take_history(b, NULL);
	/* Without a fabric not even looked at: it would count as seen and unchanged. */
	if (!f || !sfab_watch_changed(&b->history_file, path))
		return 0;
	h = sfab_history_load(path, trust, &why);
	if (!h && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	if (h && !sfab_history_is_of(h, f)) {
		sfab_history_destroy(h);
		return sfab_fail(err, SFAB_ESTALE, "%s: the history is of another "
				 "fabric: not used", path);
	}
	return take_history(b, h);
}

int sfab_feedback_found(struct sfab_feedback *b, const char *path,
			const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_found *found;
	int is_new;

	if (!*path || !sfab_watch_changed(&b->found_file, path))
		return 0;
	found = sfab_found_load(path, trust, &why);
	if (!found && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	is_new = found || b->found;
	sfab_found_destroy(b->found);
	b->found = found;
	return is_new;
}

/*
 * Count the hours of full links between switches.  A sample counts for the time since the one
 * before, unless that is long ago.
 */
static void count_full(struct sfab_feedback *b, const struct sfab_generation *gen)
{
	uint64_t at_s = b->counters->time_ms / 1000, since_s = at_s - b->counted_s;
	uint32_t full = 0;

	if (at_s <= b->counted_s)
		return;
	b->counted_s = at_s;
	if (since_s > SFAB_MEASURED_FRESH_S)
		return;
	for (uint32_t e = 0; e < gen->f->nlinks; e++)
		full += gen->model->isl[e] &&
			sfab_measured_bottleneck(gen->measured, e) != SFAB_BOTTLENECK_NONE;
	b->full_hours += (double) since_s / 3600 * full;
}

void sfab_feedback_lend(struct sfab_feedback *b, struct sfab_generation *gen, uint64_t now_s)
{
	uint64_t end_s = b->found ? b->found->time_ms / 1000 + SFAB_FOUND_OLD_S : 0;

	gen->history = sfab_history_share(b->history);
	gen->found = sfab_found_share(b->found);
	/* when the found traffic counts no more; UINT64_MAX: never */
	b->next_s = b->found && end_s >= now_s ? end_s + 1 : UINT64_MAX;
}

void sfab_feedback_measure(struct sfab_feedback *b, struct sfab_generation *gen, uint64_t now_s)
{
	uint64_t next_s;

	b->unknown = 0;
	if (b->counters)
		gen->measured = sfab_counters_measure(b->counters, gen->f, &b->unknown);
	if (!gen->measured)
		return;		/* nothing is known about any link */
	count_full(b, gen);
	gen->full_hours = b->full_hours;
	sfab_measured_apply(gen->measured, gen->jobs, now_s);
	next_s = sfab_measured_next_change(gen->measured, now_s);
	b->next_s = next_s < b->next_s ? next_s : b->next_s;
}

uint64_t sfab_feedback_since(const struct sfab_feedback *b, uint64_t now_s)
{
	return b->counters ?
	       sfab_measured_forgotten_before(b->counters->half_life_s, now_s) : UINT64_MAX;
}
