/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feedback.c - counters.snap, History and FoundTraffic, read and handed over; see feedback.h
 *
 * What was measured and found changes as it ages, without a change of its file.  next_s is when
 * that is due next, so that the loader makes no generation with equal loads.
 */

#include "place/state/feedback.h"

#include <string.h>

void sfab_feedback_reset(struct sfab_feedback *feedback)
{
	memset(&feedback->counters_file, 0, sizeof(feedback->counters_file));
	memset(&feedback->history_file, 0, sizeof(feedback->history_file));
	memset(&feedback->found_file, 0, sizeof(feedback->found_file));
}

void sfab_feedback_clear(struct sfab_feedback *feedback)
{
	sfab_counters_destroy(feedback->counters);
	sfab_history_destroy(feedback->history);
	sfab_found_destroy(feedback->found);
	memset(feedback, 0, sizeof(*feedback));
}

int sfab_feedback_read_counters(struct sfab_feedback *feedback, const char *path,
				const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_counters *counters;
	struct sfab_err why = { 0 };

	if (!*path || !sfab_watch_check(&feedback->counters_file, path))
		return 0;
	counters = sfab_counters_load(path, trust, &why);
	if (!counters && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	sfab_counters_destroy(feedback->counters);
	feedback->counters = counters;
	return 1;
}

/* Replace what was known by @h (NULL: nothing was learned).  1 if that is new. */
static int take_history(struct sfab_feedback *feedback, struct sfab_history *h)
{
	int is_new = h || feedback->history;

	sfab_history_destroy(feedback->history);
	feedback->history = h;
	return is_new;
}

int sfab_feedback_read_history(struct sfab_feedback *feedback, const char *path,
			       const struct sfab_fabric *f,
			       const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;

	if (!*path)
		return take_history(feedback, NULL);
	/* Without a fabric not even looked at: it would count as seen and unchanged. */
	if (!f || !sfab_watch_check(&feedback->history_file, path))
		return 0;
	h = sfab_history_load(path, trust, &why);
	if (!h && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	if (h && !sfab_history_knows(h, f)) {
		sfab_history_destroy(h);
		return sfab_fail(err, SFAB_ESTALE, "%s: the history is of another "
				 "fabric: not used", path);
	}
	return take_history(feedback, h);
}

int sfab_feedback_read_found(struct sfab_feedback *feedback, const char *path,
			     const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_found *found;
	int is_new;

	if (!*path || !sfab_watch_check(&feedback->found_file, path))
		return 0;
	found = sfab_found_load(path, trust, &why);
	if (!found && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	is_new = found || feedback->found;
	sfab_found_destroy(feedback->found);
	feedback->found = found;
	return is_new;
}

/*
 * Count the hours of full links between switches.  A sample counts for the time since the one
 * before, unless that is long ago.
 */
static void count_full(struct sfab_feedback *feedback, const struct sfab_generation *gen)
{
	uint64_t at_s = feedback->counters->time_ms / 1000;
	uint64_t since_s = at_s - feedback->counted_until_s;
	uint32_t full = 0;

	if (at_s <= feedback->counted_until_s)
		return;
	feedback->counted_until_s = at_s;
	if (since_s > SFAB_MEASURED_FRESH_S)
		return;
	for (uint32_t e = 0; e < gen->f->nlinks; e++)
		full += gen->model->isl[e] &&
			sfab_measured_bottleneck(gen->measured, e) != SFAB_BOTTLENECK_NONE;
	feedback->full_hours += (double) since_s / 3600 * full;
}

void sfab_feedback_lend(struct sfab_feedback *feedback, struct sfab_generation *gen, uint64_t now_s)
{
	uint64_t end_s = feedback->found ? feedback->found->time_ms / 1000 + SFAB_FOUND_OLD_S : 0;

	gen->history = sfab_history_share(feedback->history);
	gen->found = sfab_found_share(feedback->found);
	/* when the found traffic counts no more; UINT64_MAX: never */
	feedback->next_s = feedback->found && end_s >= now_s ? end_s + 1 : UINT64_MAX;
}

void sfab_feedback_measure(struct sfab_feedback *feedback, struct sfab_generation *gen,
			   uint64_t now_s)
{
	uint64_t next_s;

	feedback->nunknown = 0;
	if (feedback->counters)
		gen->measured = sfab_counters_measure(feedback->counters, gen->f,
						      &feedback->nunknown);
	if (!gen->measured)
		return;		/* nothing is known about any link */
	count_full(feedback, gen);
	gen->full_hours = feedback->full_hours;
	sfab_measured_apply(gen->measured, gen->jobs, now_s);
	next_s = sfab_measured_next_change(gen->measured, now_s);
	feedback->next_s = next_s < feedback->next_s ? next_s : feedback->next_s;
}

uint64_t sfab_feedback_horizon(const struct sfab_feedback *feedback, uint64_t now_s)
{
	return feedback->counters ?
	       sfab_measured_forgotten_before(feedback->counters->half_life_s, now_s) : UINT64_MAX;
}
