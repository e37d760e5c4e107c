/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_choice.c - which classes a job really has
 *
 * A sum of squares always falls with one more class.  Here each class must pay for itself.  For
 * one job after another, the shares of the others kept, classes are removed, added and
 * exchanged while this sum falls:
 *
 *     sum over links  cost(z)  +  price x classes,    z = (y - A x) / error of the rate
 *
 * Sets that differ by one class, and cost c more, are exp(-c / 2) times as likely;
 * s->likelihood of the job is the likelihood of its set, divided by the sum over all sets that
 * were tried.
 *
 * cost(z) is that of class_fit.h, which finds the shares of a set of a job's columns.  (A price
 * for each parameter: Schwarz, Ann. Stat. 6, 1978.)
 *
 * A job that has columns for single IO ports or shifts is also tried as IO to a few ports, or
 * as traffic between hosts a few shifts apart, in place of a class or of all.  They are found
 * one after another, each time the one that explains most.  They cost less each, and once for
 * all, because few jobs need them.
 */

#include "core/estimate/class_choice.h"
#include "core/estimate/class_fit.h"

#include <math.h>
#include <string.h>

#define SINGLES_MAX 6u		/* ports or shifts of a job that has few of them */
#define SINGLE_PART 0.5		/* of the mean share of the single columns found; a smaller one is
				   noise */
#define REVISIT_ERRORS 2.0	/* a job is visited again if the fit of one of its links moved by
				   this many errors */
#define CHOICE_TURNS 8

/* -- the search ------------------------------------------------------------- */

/* Remove the classes whose share is too small.  Return their number. */
static uint32_t drop_small_classes(const struct fit_job *j, struct class_fit *choice)
{
	uint32_t dropped = 0;

	for (uint32_t i = 0; i < j->nclasses; i++)
		if (choice->has_column[i] && choice->x[i] < ESTIMATE_SHARE_MIN) {
			choice->has_column[i] = 0;
			dropped++;
		}
	return dropped;
}

/*
 * Find the shares and the cost of @choice, without classes whose share becomes too small, and
 * copy it to @best if it costs less.  Add its odds to j->odds.
 */
static void keep_better(struct fit_job *j, struct class_fit *choice, struct class_fit *best)
{
	sfab_class_fit_judge(j, choice, best->cost);
	j->odds += exp((best->cost - choice->cost) / 2);
	if (drop_small_classes(j, choice) &&
	    memcmp(choice->has_column, best->has_column, sizeof(choice->has_column)) != 0)
		sfab_class_fit_judge(j, choice, best->cost);
	if (choice->cost < best->cost - 1e-6)
		*best = *choice;
}

static void set_own_residual(struct fit_job *j)
{
	for (uint32_t r = 0; r < j->nlinks; r++)
		j->own_residual[r] = j->s->y[j->row[r]] - j->fit[r];
}

/* Try to add, remove and exchange each class.  Copy the best choice to @best. */
static void try_moves(struct fit_job *j, const struct class_fit *current, struct class_fit *best)
{
	/* Would a small share of each class that is not chosen lower the cost? */
	sfab_class_fit_all_links(j, current);
	sfab_class_fit_weigh_all(j, LINK_FORGIVEN);
	set_own_residual(j);
	for (uint32_t i = 0; i < j->nclasses; i++)
		j->pull[i] = sfab_class_fit_product(j, i, j->own_residual);
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit choice = *current;

		choice.has_column[i] = !choice.has_column[i];
		if (current->has_column[i] || j->pull[i] > 0)
			keep_better(j, &choice, best);
		for (uint32_t l = 0; current->has_column[i] && l < j->nclasses; l++) {
			if (current->has_column[l])
				continue;
			choice = *current;
			choice.has_column[i] = 0;
			choice.has_column[l] = 1;
			choice.x[l] = current->x[i];	/* a share of 0 is far off, and the links
							   would count as outliers */
			keep_better(j, &choice, best);
		}
	}
}

/* Is single column @l a part of class @i of the job? */
static int is_single_of(const struct fit_job *j, uint32_t l, uint32_t i)
{
	const struct job_column *one = sfab_fit_job_column(j, l), *all = sfab_fit_job_column(j, i);

	return l >= j->nclasses && one->class == all->class && one->set == all->set;
}

/* Remove the small single columns of the class in column @i.  Return their number. */
static uint32_t drop_small_singles(const struct fit_job *j, struct class_fit *choice,
				   uint32_t i)
{
	double sum = 0;
	uint32_t n = 0, dropped = 0;

	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		if (choice->has_column[l] && is_single_of(j, l, i)) {
			sum += choice->x[l];
			n++;
		}
	for (uint32_t l = j->nclasses; l < j->ncols; l++)
		if (choice->has_column[l] && is_single_of(j, l, i) &&
		    choice->x[l] * n < SINGLE_PART * sum) {
			choice->has_column[l] = 0;
			dropped++;
		}
	return dropped;
}

/*
 * May column @l stand in for class @i?  Its single columns may, and neighbor, the shift by one,
 * for mpi.
 */
static int is_candidate(const struct fit_job *j, uint32_t l, uint32_t i)
{
	return is_single_of(j, l, i) || (sfab_fit_job_column(j, i)->class == SFAB_MPI &&
					 sfab_fit_job_column(j, l)->class == SFAB_NEIGHBOR);
}

/* Return the candidate that would lower the sum of squares most, or ncols. */
static uint32_t find_next_single(struct fit_job *j, const struct class_fit *choice, uint32_t i)
{
	uint32_t next = j->ncols;
	double max = 0;

	set_own_residual(j);
	for (uint32_t l = 0; l < j->ncols; l++) {
		double pull, square;

		if (choice->has_column[l] || !is_candidate(j, l, i))
			continue;
		pull = sfab_class_fit_product(j, l, j->own_residual);
		sfab_class_fit_spread(j, l, 1);
		square = sfab_class_fit_product(j, l, j->spread);
		sfab_class_fit_spread(j, l, 0);
		if (pull > 0 && pull * pull > max * square) {
			max = pull * pull / square;
			next = l;
		}
	}
	return next;
}

/*
 * Add one single column after another to a choice without them (matching pursuit: Mallat and
 * Zhang, IEEE Trans. Signal Process. 41, 1993).  Rates above the fit are not forgiven here:
 * otherwise no column would ever be needed.  Each column explains less than the one before, so
 * the loop ends when even as many columns like the last as may be added would not lower the
 * cost enough.
 */
static void grow_singles(struct fit_job *j, struct class_fit choice, uint32_t i,
			 struct class_fit *best)
{
	uint32_t all = 0, max;
	double cost, before;

	/* A few: a half of all could be as good as the class. */
	for (uint32_t l = 0; l < j->ncols; l++)
		all += is_candidate(j, l, i);
	max = all / 2 < 1 ? all : all / 2 < SINGLES_MAX ? all / 2 : SINGLES_MAX;
	sfab_class_fit_touch_links(j, &choice);
	sfab_class_fit_all_links(j, &choice);
	before = sfab_class_fit_weigh_touched(j);
	for (uint32_t n = 1; n <= max; n++, before = cost) {
		uint32_t next;

		sfab_class_fit_weigh_all(j, LINK_BOUNDED);
		next = find_next_single(j, &choice, i);
		if (next == j->ncols)
			return;
		choice.has_column[next] = 1;
		choice.x[next] = FIT_FIRST_SHARE;
		sfab_class_fit_touch_links(j, &choice);
		sfab_class_fit_solve(j, &choice);
		cost = sfab_class_fit_weigh_touched(j);
		if (cost <= best->cost + 2 * FIT_FAR) {
			struct class_fit grown = choice;

			drop_small_classes(j, &grown);
			keep_better(j, &grown, best);
		}
		if (cost - (max - n) * fmax(before - cost, 0) > best->cost + 2 * FIT_FAR)
			return;
		sfab_class_fit_all_links(j, &choice);
	}
}

/* Try single ports, or single shifts, in place of a class, or of all classes. */
static void try_singles(struct fit_job *j, const struct class_fit *current, struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit choice = *current;
		uint32_t kept = 0;

		if (sfab_fit_job_column(j, i)->kind != SENDS_CLASS ||
		    sfab_fit_job_column(j, i)->class == SFAB_NEIGHBOR)
			continue;
		for (uint32_t l = 0; l < j->ncols; l++) {
			if (l == i || is_candidate(j, l, i)) {
				choice.has_column[l] = 0;
				choice.x[l] = 0;
			}
			kept += choice.has_column[l];
		}
		grow_singles(j, choice, i, best);
		memset(&choice, 0, sizeof(choice));
		if (kept)
			grow_singles(j, choice, i, best);
	}
}

/* Try each class alone: no single exchange may improve a wrong class together with "other". */
static void try_alone(struct fit_job *j, const struct class_fit *current, struct class_fit *best)
{
	double sum = 0;

	for (uint32_t i = 0; i < j->ncols; i++)
		sum += current->x[i];
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit choice = { 0 };

		choice.has_column[i] = 1;
		choice.x[i] = sum;
		keep_better(j, &choice, best);
	}
}

/* Try each class in place of its single columns. */
static void try_whole(struct fit_job *j, const struct class_fit *current, struct class_fit *best)
{
	for (uint32_t i = 0; i < j->nclasses; i++) {
		struct class_fit choice = *current;
		uint32_t merged = 0;

		if (sfab_fit_job_column(j, i)->kind != SENDS_CLASS)
			continue;
		for (uint32_t l = j->nclasses; l < j->ncols; l++)
			if (choice.has_column[l] && is_single_of(j, l, i)) {
				merged++;
				choice.x[i] += choice.x[l];
				choice.has_column[l] = 0;
			}
		choice.has_column[i] = 1;
		if (merged)
			keep_better(j, &choice, best);
	}
}

/*
 * Change @current as long as this lowers its cost.  Single columns are tried only when nothing
 * else helps.
 */
static void search_choice(struct fit_job *j, uint32_t job, struct class_fit *current)
{
	uint32_t dropped = 0;

	for (uint32_t i = 0; i < j->nclasses; i++)
		dropped += drop_small_singles(j, current, i);
	if (dropped)
		sfab_class_fit_judge(j, current, INFINITY);
	for (int turn = 0; turn < CHOICE_TURNS; turn++) {
		struct class_fit best = *current;

		j->odds = 0;
		try_moves(j, current, &best);
		j->s->likelihood[job] = 1 / (1 + j->odds);
		try_alone(j, current, &best);
		try_whole(j, current, &best);
		if (!(best.cost < current->cost) && j->ncols > j->nclasses)
			try_singles(j, current, &best);
		if (!(best.cost < current->cost))
			return;
		*current = best;
	}
}

/* -- one job ---------------------------------------------------------------- */

/* List the links that the job's columns load. */
static void find_job_links(struct fit_job *j, uint32_t job)
{
	const struct job_columns *cols = &j->s->cols;

	j->nlinks = j->nclasses = 0;
	j->first = cols->block[job];
	j->ncols = cols->block[job + 1] - j->first;
	for (uint32_t i = j->first; i < cols->block[job + 1]; i++) {
		j->nclasses += cols->col[i].kind == SENDS_CLASS || cols->col[i].kind == SENDS_OTHER;
		for (uint32_t nz = cols->first[i]; nz < cols->first[i + 1]; nz++)
			if (!j->local[cols->row[nz]]) {
				uint32_t e = cols->row[nz];

				j->link[j->nlinks] = sfab_class_fit_link(cols, j->s->y[e], e);
				j->row[j->nlinks++] = e;
				j->local[e] = j->nlinks;
			}
	}
}

/*
 * Set @current to the shares that the job has in the solution, and find their cost.  Split the
 * rates of its links into j->own_rate and j->others.
 */
static void start_choice(struct fit_job *j, struct class_fit *current)
{
	const struct estimate_solver *s = j->s;

	memset(current, 0, sizeof(*current));
	for (uint32_t r = 0; r < j->nlinks; r++)
		j->own_rate[r] = s->residual[j->row[r]];
	for (uint32_t i = 0; i < j->ncols; i++) {
		current->x[i] = s->x[j->first + i];
		current->has_column[i] = current->x[i] > 0;
		if (current->has_column[i])
			sfab_class_fit_add_column(j, i, current->x[i], j->own_rate);
	}
	for (uint32_t r = 0; r < j->nlinks; r++)
		j->others[r] = s->y[j->row[r]] - j->own_rate[r];
	sfab_class_fit_weigh_idle(j);
	sfab_class_fit_judge(j, current, INFINITY);
}

/*
 * Store the shares of @current, update the residuals, and mark the links whose fit moved.
 * 1: the classes changed.
 */
static int finish_choice(struct fit_job *j, const struct class_fit *current)
{
	const struct estimate_solver *s = j->s;
	int changed = 0;

	sfab_class_fit_all_links(j, current);
	for (uint32_t i = 0; i < j->ncols; i++) {
		changed |= current->has_column[i] != (s->x[j->first + i] > 0);
		s->x[j->first + i] = current->has_column[i] ? current->x[i] : 0;
	}
	for (uint32_t r = 0; r < j->nlinks; r++) {
		double residual = s->y[j->row[r]] - j->fit[r];
		double change = residual - s->residual[j->row[r]];
		double error = s->noise * j->link[r].mean_error * fmax(j->link[r].y, j->fit[r]);

		if (change * change >
		    REVISIT_ERRORS * REVISIT_ERRORS * (error * error + j->link[r].min_square))
			j->moved[j->row[r]] = j->nvisits;
		s->residual[j->row[r]] = residual;
	}
	return changed;
}

/* Choose the classes of one job.  @last: its last visit; 0: none.  1: the classes changed. */
static int choose_for_job(struct fit_job *j, uint32_t job, uint32_t last)
{
	struct class_fit current;
	int moved = !last, changed = 0;

	find_job_links(j, job);
	/* Has a visit of another job since then moved a link of this one? */
	for (uint32_t r = 0; r < j->nlinks; r++)
		moved |= j->moved[j->row[r]] > last;
	if (moved && j->ncols && j->ncols <= FIT_COLUMNS_MAX) {
		start_choice(j, &current);
		search_choice(j, job, &current);
		changed = finish_choice(j, &current);
	}
	for (uint32_t r = 0; r < j->nlinks; r++)
		j->local[j->row[r]] = 0;
	return changed;
}

/* -- all jobs --------------------------------------------------------------- */

int sfab_class_choice_make(struct estimate_solver *s, int rounds, struct sfab_err *err)
{
	struct fit_job j = { .s = s };
	size_t n = s->cols.m->f->nlinks;
	int failed;

	j.row = sfab_arena_take(&j.arena, n, sizeof(*j.row));
	j.local = sfab_arena_take(&j.arena, n, sizeof(*j.local));
	j.touched = sfab_arena_take(&j.arena, n, sizeof(*j.touched));
	j.seen = sfab_arena_take(&j.arena, n, sizeof(*j.seen));
	j.moved = sfab_arena_take(&j.arena, n, sizeof(*j.moved));
	j.link = sfab_arena_take(&j.arena, n, sizeof(*j.link));
	j.own_rate = sfab_arena_take(&j.arena, n, sizeof(*j.own_rate));
	j.others = sfab_arena_take(&j.arena, n, sizeof(*j.others));
	j.fit = sfab_arena_take(&j.arena, n, sizeof(*j.fit));
	j.w = sfab_arena_take(&j.arena, n, sizeof(*j.w));
	j.own_residual = sfab_arena_take(&j.arena, n, sizeof(*j.own_residual));
	j.spread = sfab_arena_take(&j.arena, n, sizeof(*j.spread));
	j.idle_cost = sfab_arena_take(&j.arena, n, sizeof(*j.idle_cost));
	j.gram = sfab_arena_take(&j.arena, FIT_COLUMNS_MAX * FIT_COLUMNS_MAX, sizeof(*j.gram));
	j.target = sfab_arena_take(&j.arena, FIT_COLUMNS_MAX, sizeof(*j.target));
	failed = j.arena.failed;
	for (int round = 0, changed = 1; !failed && changed && round < rounds; round++) {
		changed = 0;
		for (uint32_t b = 0; b < s->cols.njobs; b++) {
			j.nvisits++;
			changed |= choose_for_job(&j, b, round ? j.nvisits - s->cols.njobs : 0);
		}
	}
	sfab_arena_free(&j.arena);
	return failed ? sfab_no_memory(err) : 0;
}

double sfab_class_choice_cost(const struct estimate_solver *s)
{
	double sum = 0, w;

	for (uint32_t e = 0; e < s->cols.m->f->nlinks; e++)
		if (s->cols.rate[e] >= 0) {
			struct fit_link l = sfab_class_fit_link(&s->cols, s->y[e], e);
			double likelihood = 1;

			sum += sfab_class_fit_link_weight(&l, s->noise, s->y[e] - s->residual[e],
							  LINK_FORGIVEN, &w, &likelihood);
			sum -= 2 * log(likelihood);
		}
	for (uint32_t j = 0; j < s->cols.njobs; j++) {
		int split = 0;

		for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++) {
			double price = sfab_class_fit_kept_price(s->penalty[c],
								 s->x[c] - s->prior[c]);

			if (s->x[c] > 0)
				price += sfab_class_fit_column_price(&s->cols.col[c]);
			sum += price;
			split |= s->x[c] > 0 && s->cols.col[c].kind > SENDS_OTHER;
		}
		sum += split * FIT_PRICE_SPLIT;
	}
	return sum;
}
