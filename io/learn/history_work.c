/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_work.c - is a run the usual work of its key, or another?  See history_private.h
 *
 * A work is the mean traffic of some of a row's runs.  The usual work is that of most of the
 * weight, the other that of runs that do not fit.  When the other outweighs the usual they
 * change places, so that a program that changed is followed without forgetting the old at once.
 * After nothing but the usual, a few runs in a row of the other are enough.
 */

#include "io/learn/history_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A run sends the usual traffic if the distance of its shares (root of the summed squares) is
 * at most NEAR_MIN, or NEAR_PART of the usual one.  The estimate's own errors are smaller.
 */
#define NEAR_MIN 0.1
#define NEAR_PART 0.75

/*
 * Sum the shares of @sent by part of @w, and add to @w the parts that it lacks.  IO sets are
 * compared by their number.  A part for which there is no space is left out.
 */
static void sum_history_shares(const struct sfab_history *h, struct history_work *w,
			       const struct sfab_traffic *sent, double *share)
{
	memset(share, 0, SFAB_TRAFFIC_PARTS * sizeof(*share));
	for (uint32_t i = 0; i < sent->nparts; i++) {
		struct learn_part p = sfab_learn_make_part(&h->sets, &sent->part[i]);
		uint32_t k = 0;

		while (k < w->nparts && (w->part[k].class != p.class || w->part[k].set != p.set))
			k++;
		if (k == SFAB_TRAFFIC_PARTS)
			continue;
		if (k == w->nparts)
			w->part[w->nparts++] = (struct learn_part){ .class = p.class,
								    .set = p.set };
		share[k] += p.share;
	}
}

static int is_learned_io(const struct learn_part *p)
{
	return sfab_class_is_io((enum sfab_class) p->class);
}

/*
 * Does a run that sent this do this work?  IO that is known at least, of the run or of the
 * work, may be as much as the other's.  Distances are between shares of the port's rate, and
 * what is near grows with the traffic.
 */
static int is_near(const struct sfab_history *h, const struct history_work *w,
		   const struct sfab_history_run *run)
{
	struct history_work joint = *w;
	double share[SFAB_TRAFFIC_PARTS], distance = 0, sum = 0;

	if (!w->runs)
		return 0;
	sum_history_shares(h, &joint, run->sent, share);
	for (uint32_t i = 0; i < joint.nparts; i++) {
		double d = share[i] - joint.part[i].share;
		int fits = is_learned_io(&joint.part[i]) && ((run->at_least && d < 0) ||
								 (w->at_least && d > 0));

		sum += joint.part[i].share;
		if (!fits || !(share[i] > 0) || !(joint.part[i].share > 0))
			distance += d * d;
	}
	return sqrt(distance) <= fmax(NEAR_PART * sum, NEAR_MIN);
}

/*
 * Return how far a share moves towards that of a run, as a part of their difference.  1
 * replaces a bound by a known value; 0 keeps a known value that a bound does not contradict.
 */
static double part_to_move(const struct history_work *w, const struct learn_part *p,
			   const struct sfab_history_run *run, double d, double part)
{
	if (!w->runs || !is_learned_io(p) || (!run->at_least && !w->at_least))
		return part;
	if (w->at_least)	/* it was no more than a bound */
		return d > 0 || !run->at_least ? 1 : 0;
	return d > 0 ? part : 0;
}

#define STEADY 0.9		/* of the weight of all runs: there was one work only */
#define CHANGED_PART 0.5	/* of the new work's weight: what is left of the old's */
#define SAME 0.1		/* of its traffic: no run is that much above or below */
#define TREND_PART (2 / 3.0)	/* of the way to a run that others like it came before */

/*
 * Count the usual runs in a row that are above the mean, or below it.  One that is within SAME
 * of the mean ends the row.
 */
static void watch_trend(const struct sfab_history *h, struct history_row *r,
			const struct sfab_history_run *run)
{
	struct history_work joint = r->usual;
	double share[SFAB_TRAFFIC_PARTS], excess = 0, sum = 0;
	const int max = HISTORY_FOLLOWED;

	sum_history_shares(h, &joint, run->sent, share);
	for (uint32_t i = 0; i < joint.nparts; i++) {
		excess += share[i] - joint.part[i].share;
		sum += joint.part[i].share;
	}
	if (fabs(excess) <= SAME * sum)
		r->trend = 0;
	else if (excess > 0)
		r->trend = (int8_t) (r->trend < 0 ? 1 : r->trend < max ? r->trend + 1 : max);
	else
		r->trend = (int8_t) (r->trend > 0 ? -1 : r->trend > -max ? r->trend - 1 : -max);
}

/* Update the weighted mean and variance by one more run (West, CACM 22(9), 1979). */
static void add_run_to_work(const struct sfab_history *h, struct history_work *w,
			    const struct sfab_history_run *run, double min_part)
{
	double part = fmax(run->weight / (w->weight + run->weight), min_part * run->weight);
	double distance = 0, sum = 0;
	double share[SFAB_TRAFFIC_PARTS];

	sum_history_shares(h, w, run->sent, share);
	for (uint32_t i = 0; i < w->nparts; i++) {
		double d = share[i] - w->part[i].share;
		double moves = part_to_move(w, &w->part[i], run, d, part);

		w->part[i].share += moves * d;
		distance += moves == part ? d * d : 0;
		sum += w->part[i].share;
	}
	for (uint32_t i = 0; sum > 1 && i < w->nparts; i++)	/* bounds of several runs */
		w->part[i].share /= sum;
	/* Parts that moved by a bound say nothing about how much runs differ. */
	w->variance = (1 - part) * (w->variance + part * distance);
	w->at_least = (uint8_t) (run->at_least && (w->at_least || !w->runs));
	w->weight = fmin(w->weight + run->weight, HISTORY_WINDOW);
	w->runs += w->runs < UINT32_MAX;
}

static void swap_works(struct history_row *r)
{
	struct history_work usual = r->usual;

	r->usual = r->other;
	r->other = usual;
	r->streak = 0;
	r->trend = 0;
}

/* Make the other work the usual one, if a few runs in a row are new after nothing but the usual. */
static void follow_change(struct history_row *r)
{
	struct history_work *usual = &r->usual, *other = &r->other;

	if (r->streak < HISTORY_FOLLOWED || other->runs != r->streak ||
	    usual->weight + other->weight < STEADY * r->weight)
		return;
	usual->weight = fmin(usual->weight, CHANGED_PART * other->weight);
	r->weight = usual->weight + other->weight;
	swap_works(r);
}

/*
 * Count a run as usual traffic or as other traffic, whichever it fits.  A run that fits neither
 * takes from the other's weight, and replaces it when nothing is left.
 */
void sfab_history_take_run(const struct sfab_history *h, struct history_row *r,
			   const struct sfab_history_run *run)
{
	struct history_work *usual = &r->usual, *other = &r->other;

	if (!usual->runs || is_near(h, usual, run)) {
		if (usual->runs)
			watch_trend(h, r, run);
		add_run_to_work(h, usual, run, abs(r->trend) >= (int) HISTORY_FOLLOWED ?
				TREND_PART : 0);
		other->weight /= 2;
		r->streak = 0;
	} else if ((r->streak || other->weight > run->weight) && is_near(h, other, run)) {
		add_run_to_work(h, other, run, 0);
		r->streak += r->streak > 0 && r->streak < HISTORY_FOLLOWED;
		follow_change(r);
	} else if (other->weight <= run->weight) {
		*other = (struct history_work){ 0 };
		add_run_to_work(h, other, run, 0);
		r->streak = 1;
	} else {
		other->weight -= run->weight;
		r->streak = 0;
	}
	if (other->weight > usual->weight)
		swap_works(r);
}
