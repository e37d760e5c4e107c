/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.c - shares of all jobs and classes; see estimate.h
 *
 * The columns are made and solved several times.  First all links count by their rates.  Then
 * the solution gives the load of each link, and links with more count less.  Small shares are
 * removed, and the classes of each job are chosen (class_choice.c).  Then all jobs get columns
 * for single IO ports and shifts, and their classes are chosen again.
 *
 * That ends in a local optimum.  A large strange job may have taken the IO of others.  If it
 * looks so, all is done once more: jobs that do not fit have columns for single IO ports from
 * the start on, and the cheaper result counts.
 */

#include "core/estimate/estimate.h"

#include <math.h>
#include <string.h>

#include "core/estimate/class_choice.h"
#include "core/estimate/class_fit.h"
#include "core/estimate/job_answers.h"
#include "core/estimate/link_weights.h"
#include "core/estimate/nnls.h"
#include "core/estimate/pick_jobs.h"

const struct sfab_estimate_options sfab_estimate_default = {
	.noise = 0.1, .keep = 0.02, .sweeps = 200,
};

#define SHARE_TOLERANCE 1e-4	/* of a share: far below what noise leaves unknown */
#define ROUNDS 2		/* rounds in which links are weighted again */
#define SURE 4.0		/* errors that a share must be away from 0 */
#define CHI_IO 0.9		/* mean error above which a job with IO may use few servers */
#define CHOICE_ROUNDS 2		/* over all jobs */
/*
 * Limit of entries in columns of single ports and shifts, estimated from the numbers of hosts:
 * more take seconds.  Measured by `tests/bench/learn SNAPSHOT 4096`.
 */
#define SINGLES_ENTRIES_MAX 1e6
/* Another start is tried if jobs on more than this part of all jobs' hosts have missing traffic. */
#define TRAPPED 0.01
#define MISSING_MIN 4u		/* hosts */

/* -- memory ----------------------------------------------------------------- */

static int open_links(struct estimate_solver *s)
{
	size_t n = s->nlinks = s->cols.m->f->nlinks;

	s->y = sfab_arena_take(&s->arena, n, sizeof(*s->y));
	s->w = sfab_arena_take(&s->arena, n, sizeof(*s->w));
	s->residual = sfab_arena_take(&s->arena, n, sizeof(*s->residual));
	s->fit = sfab_arena_take(&s->arena, n, sizeof(*s->fit));
	s->sigma = sfab_arena_take(&s->arena, n, sizeof(*s->sigma));
	s->own_excess = sfab_arena_take(&s->arena, n, sizeof(*s->own_excess));
	s->carried = sfab_arena_take(&s->arena, n, sizeof(*s->carried));
	s->scratch = sfab_arena_take(&s->arena, n, sizeof(*s->scratch));
	s->singles = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->singles));
	s->misfit = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->misfit));
	s->suspect = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->suspect));
	s->chi = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->chi));
	s->missing = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->missing));
	s->likelihood = sfab_arena_take(&s->arena, s->njobs, sizeof(*s->likelihood));
	if (s->arena.failed)
		return -1;
	for (uint32_t j = 0; j < s->njobs; j++)
		s->likelihood[j] = 1;
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->y[e] = s->cols.rate[e] >= 0 ? s->cols.rate[e] : 0;
	return 0;
}

static void close_solver(struct estimate_solver *s)
{
	sfab_job_columns_destroy(&s->cols);
	sfab_arena_free(&s->arena);
}

/* Return the share of @col in @t, the job's passed traffic at the last sample. */
static double share_before(const struct job_columns *cols, const struct job_column *col,
			   const struct sfab_traffic *t)
{
	double sum = 0;

	for (uint32_t i = 0; t && col->kind == SENDS_CLASS && i < t->nparts; i++) {
		const struct sfab_traffic_part *p = &t->part[i];
		uint32_t set = 0;

		if ((uint8_t) p->class == col->class &&
		    (!sfab_class_is_io(p->class) ||
		     sfab_model_find_set(cols->m, p, &set, NULL) == 0) && set == col->set)
			sum += p->share * col->ends;
	}
	return sum;
}

/* Make the columns and the arrays by column.  On failure those made before are not freed. */
static int create_columns(struct estimate_solver *s, const double *residual, struct sfab_err *err)
{
	size_t n;

	s->cols = (struct job_columns){ .m = s->cols.m, .rate = s->cols.rate,
					.wait = s->options->wait, .count = s->options->count,
					.residual = residual };
	if (sfab_job_columns_create(&s->cols, s->job, s->njobs, s->singles, err) < 0)
		return -1;
	n = s->cols.n;
	s->x = sfab_arena_take(&s->arena, n, sizeof(*s->x));
	s->penalty = sfab_arena_take(&s->arena, n, sizeof(*s->penalty));
	s->prior = sfab_arena_take(&s->arena, n, sizeof(*s->prior));
	s->kept_weight = sfab_arena_take(&s->arena, n, sizeof(*s->kept_weight));
	s->stays_zero = sfab_arena_take(&s->arena, n, sizeof(*s->stays_zero));
	if (s->arena.failed)
		return sfab_no_memory(err);
	for (uint32_t c = 0; c < s->cols.n; c++)
		s->x[c] = s->prior[c] = share_before(&s->cols, &s->cols.col[c],
						     s->job[s->cols.col[c].job].before);
	return 0;
}

/* -- solve ------------------------------------------------------------------ */

/*
 * Set how much the shares found before count: like keep more samples, and less where they are
 * far from the current ones, since a job may have changed its traffic.  A rate that is a mean
 * of samples includes them already.
 */
static void set_keep(struct estimate_solver *s)
{
	for (uint32_t c = 0; c < s->cols.n; c++) {
		double sum = 0;

		s->penalty[c] = s->kept_weight[c] = 0;
		if (!s->job[s->cols.col[c].job].before || s->cols.col[c].kind > SENDS_OTHER)
			continue;
		for (uint32_t nz = s->cols.first[c]; nz < s->cols.first[c + 1]; nz++) {
			uint32_t e = s->cols.row[nz];
			double mean = sfab_job_columns_mean_error(&s->cols, e);

			/* w mean^2 is the weight of one sample; mean^2 is 1 / count. */
			sum += s->w[e] * s->cols.a[nz] * s->cols.a[nz] * mean * mean *
			       mean * mean;
		}
		s->penalty[c] = s->options->keep * sum;
		s->kept_weight[c] = sfab_class_fit_kept_weight(s->penalty[c],
							       s->x[c] - s->prior[c]);
	}
}

/* Find the shares of all jobs for the current errors of the rates, and the fit. */
static int solve_shares(struct estimate_solver *s, int forgive, struct sfab_err *err)
{
	struct sfab_nnls problem = { .rows = s->nlinks, .cols = s->cols.n,
				     .nblocks = s->cols.njobs, .block = s->cols.block,
				     .first = s->cols.first, .row = s->cols.row, .a = s->cols.a,
				     .y = s->y, .w = s->w, .penalty = s->kept_weight,
				     .prior = s->prior, .stays_zero = s->stays_zero };
	struct sfab_nnls_limits limits = { s->options->sweeps, SHARE_TOLERANCE };

	sfab_link_weights_set(s, forgive);
	set_keep(s);
	if (sfab_nnls(&problem, &limits, s->x, s->residual, err) < 0)
		return -1;
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->fit[e] = s->y[e] - s->residual[e];
	return 0;
}

/* -- which shares are real -------------------------------------------------- */

/*
 * Set shares to 0 for good that are below @min, or that noise may explain.  Keep those of
 * single ports.  Return how many were above 0.
 */
static uint32_t drop_small_shares(struct estimate_solver *s, double min)
{
	uint32_t dropped = 0;

	for (uint32_t c = 0; c < s->cols.n; c++) {
		double square;

		if (s->stays_zero[c] || s->cols.col[c].kind == SENDS_PORT)
			continue;
		/* The error of this share alone, if no link is forgiven. */
		square = sfab_job_column_square(&s->cols, c, s->sigma);
		if (s->x[c] >= min && s->x[c] >= SURE * (square > 0 ? 1 / sqrt(square) : 1))
			continue;
		s->stays_zero[c] = 1;
		dropped += s->x[c] > 0;
	}
	return dropped;
}

/* Do all hosts of the job send unexplained traffic?  On a few hosts it may be traffic of no job. */
static int has_missing_traffic(const struct estimate_solver *s, uint32_t j)
{
	return s->missing[j] > ESTIMATE_SHARE_MIN && s->job[j].n >= MISSING_MIN;
}

/*
 * Return the root mean square of the errors of the links that the job loads, each by the job's
 * part of what it carries.
 */
static double chi_of_job(const struct estimate_solver *s, uint32_t j)
{
	double sum = 0, all = 0;

	for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++)
		for (uint32_t nz = s->cols.first[c];
		     s->x[c] > 0 && nz < s->cols.first[c + 1]; nz++) {
			uint32_t e = s->cols.row[nz];
			double part = s->x[c] * s->cols.a[nz] / fmax(s->fit[e], s->y[e]);
			double z = s->residual[e] / s->sigma[e];

			if (z < 0 && sfab_job_columns_link_is_full(&s->cols, e))
				continue;
			if (s->cols.m->isl[e] || s->cols.m->io_link[e]) {
				part *= part;
				sum += z < 0 ? 2 * part * z * z : 0;
				all += part;
			}
		}
	return all > 1 ? sqrt(sum / all) : 0;
}

/* Set s->misfit, and what it depends on: s->chi and s->missing. */
static void find_misfits(struct estimate_solver *s)
{
	for (uint32_t j = 0; j < s->cols.njobs; j++) {
		const struct sfab_estimate_job *job = &s->job[j];
		double all = sfab_job_answers_sum(s, j, SENDS_ANY);

		s->chi[j] = chi_of_job(s, j);
		s->missing[j] = 0;
		for (int eject = 0; eject < 2; eject++)
			if (sfab_link_weights_median_excess(s, job, eject, 0) > ESTIMATE_EXCESS)
				s->missing[j] = fmax(s->missing[j],
					sfab_link_weights_median_excess(s, job, eject, 1));
		s->misfit[j] = has_missing_traffic(s, j) ||
			       sfab_job_answers_sum(s, j, SENDS_OTHER) >
			       fmax(ESTIMATE_OTHER_PART * all, ESTIMATE_SHARE_MIN) ||
			       (all > ESTIMATE_SHARE_MIN && s->chi[j] > ESTIMATE_CHI_MISFIT);
	}
}

/* Choose the classes of each job, and compare the links with them. */
static int choose_found(struct estimate_solver *s, struct sfab_err *err)
{
	if (sfab_class_choice_make(s, CHOICE_ROUNDS, err) < 0)
		return -1;
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->fit[e] = s->y[e] - s->residual[e];
	sfab_link_weights_set_errors(s, s->fit);
	find_misfits(s);
	return 0;
}

/*
 * Solve with all links, then twice with weights from the load that was found, then without the
 * small shares, and choose the classes.
 */
static int refine_found(struct estimate_solver *s, struct sfab_err *err)
{
	s->noise = s->options->noise;
	sfab_link_weights_set_errors(s, s->y);
	memset(s->residual, 0, s->nlinks * sizeof(*s->residual));
	if (solve_shares(s, 0, err) < 0)
		return -1;
	for (int i = 0; i < ROUNDS; i++) {
		sfab_link_weights_set_errors(s, s->fit);
		if (solve_shares(s, 1, err) < 0)
			return -1;
		sfab_link_weights_find_noise(s);
	}
	drop_small_shares(s, ESTIMATE_SHARE_MIN / 2);
	if (solve_shares(s, 1, err) < 0)
		return -1;
	if (drop_small_shares(s, ESTIMATE_SHARE_MIN) && solve_shares(s, 1, err) < 0)
		return -1;
	return choose_found(s, err);
}

/* -- columns of single ports and shifts -------------------------------------- */

/*
 * Grant columns of single ports and shifts, as long as there is room: first to jobs that do not
 * fit, then to the others in order.
 */
static void grant_singles(struct estimate_solver *s)
{
	uint32_t ports = s->cols.m->io ? s->cols.m->io->nioports : 0;
	double entries_left = SINGLES_ENTRIES_MAX;

	ports = ports < SFAB_ESTIMATE_PORTS_MAX ? ports : SFAB_ESTIMATE_PORTS_MAX;
	for (int suspect = 1; suspect >= 0; suspect--)
		for (uint32_t j = 0; j < s->njobs; j++) {
			uint32_t hosts = s->job[j].n;
			uint32_t shifts = hosts <= 2 * SFAB_ESTIMATE_SHIFTS_MAX ? hosts / 2 : 0;
			double entries = hosts * (2.0 * ports + shifts);

			if (s->suspect[j] != suspect)
				continue;
			if (entries <= entries_left) {
				entries_left -= entries;
				s->singles[j] = SINGLE_ALL;
			} else {
				s->lacks_singles = 1;
			}
		}
}

/*
 * Choose again with columns of single shifts and ports for as many jobs as grant_singles()
 * allows.  Of a set with many IO ports, those with the largest @residual have columns.
 */
static int choose_singles(struct estimate_solver *s, const double *residual, struct sfab_err *err)
{
	struct job_columns old = s->cols;
	const double *x = s->x;
	int rc;

	grant_singles(s);
	rc = create_columns(s, residual, err);
	/* The previous columns are among the new ones, in the same order. */
	for (uint32_t j = 0; rc == 0 && j < s->njobs; j++) {
		uint32_t k = old.block[j];

		for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++) {
			const struct job_column *a = &s->cols.col[c], *b = &old.col[k];

			s->x[c] = k < old.block[j + 1] && a->kind == b->kind &&
				  a->class == b->class && a->set == b->set &&
				  a->port == b->port ? x[k++] : 0;
		}
	}
	if (rc == 0) {
		set_keep(s);
		rc = choose_found(s, err);
	}
	sfab_job_columns_destroy(&old);
	return rc;
}

/*
 * Find shares for all jobs.  @first: a solution whose suspects get columns of single ports from
 * the start on; NULL: no job does.
 */
static int find_solution(struct estimate_solver *s, const struct estimate_solver *first,
			 struct sfab_err *err)
{
	if (open_links(s) < 0)
		return sfab_no_memory(err);
	if (first)
		memcpy(s->singles, first->suspect, s->njobs);
	if (create_columns(s, first ? first->residual : NULL, err) < 0 || refine_found(s, err) < 0)
		return -1;
	for (uint32_t j = 0; j < s->njobs; j++) {
		int has_io = 0;

		for (uint32_t c = s->cols.block[j]; c < s->cols.block[j + 1]; c++)
			has_io |= s->x[c] > 0 &&
				  sfab_class_is_io((enum sfab_class) s->cols.col[c].class);
		s->suspect[j] = s->misfit[j] || (has_io && s->chi[j] > CHI_IO);
	}
	if (first)
		s->noise = first->noise;
	return choose_singles(s, first ? first->residual : s->residual, err);
}

/*
 * Try another start if the first seems to have ended in a local optimum, and keep the cheaper
 * one.
 */
static int find_better(struct estimate_solver *s, struct sfab_err *err)
{
	struct estimate_solver other = { .cols = { .m = s->cols.m, .rate = s->cols.rate },
					 .job = s->job, .njobs = s->njobs, .options = s->options };
	uint32_t hosts = 0, hosts_missing = 0;
	int rc;

	/* Jobs whose traffic a strange job took have shares of 0, though all their hosts send. */
	for (uint32_t j = 0; j < s->njobs; j++) {
		hosts += s->job[j].n;
		if (has_missing_traffic(s, j))
			hosts_missing += s->job[j].n;
	}
	if (hosts_missing <= TRAPPED * hosts)
		return 0;
	rc = find_solution(&other, s, err);
	if (rc == 0 && sfab_class_choice_cost(&other) < sfab_class_choice_cost(s)) {
		struct estimate_solver swap = *s;

		*s = other;
		other = swap;
	}
	close_solver(&other);
	return rc;
}

/*
 * Solve for the jobs of @s, and free it.  Set *@followed to the part of the measured bytes that
 * is where the tables say.
 */
static int solve_jobs(struct estimate_solver *s, struct sfab_estimate *out, double *followed,
		      struct sfab_err *err)
{
	int rc = find_solution(s, NULL, err);

	if (rc == 0 && !s->lacks_singles)
		rc = find_better(s, err);
	if (rc == 0)
		rc = sfab_job_answers_make(s, out, err);
	*followed = rc == 0 ? sfab_link_weights_bytes_followed(s) : -1;
	close_solver(s);
	return rc;
}

int sfab_estimate(const struct sfab_model *m, const struct sfab_estimate_job *job,
		  uint32_t n, const double *rate,
		  const struct sfab_estimate_options *options,
		  struct sfab_estimate *out, struct sfab_estimate_stats *stats,
		  struct sfab_err *err)
{
	struct sfab_arena arena = { 0 };
	uint32_t *picked = sfab_arena_take(&arena, n, sizeof(*picked)), left_out = 0;
	struct sfab_estimate_job *largest = sfab_arena_take(&arena, n, sizeof(*largest));
	struct sfab_estimate *found = sfab_arena_take(&arena, n, sizeof(*found));
	struct estimate_solver s = { .cols = { .m = m, .rate = rate }, .job = largest,
				     .options = options };
	double followed;
	int rc;

	s.njobs = arena.failed ? SFAB_NONE : sfab_pick_jobs(job, n, picked);
	if (s.njobs == SFAB_NONE) {
		sfab_arena_free(&arena);
		return sfab_no_memory(err);
	}
	for (uint32_t k = 0; k < s.njobs; k++)
		largest[k] = job[picked[k]];
	rc = solve_jobs(&s, found, &followed, err);
	for (uint32_t i = 0, k = 0; rc == 0 && i < n; i++) {
		int is_picked = k < s.njobs && picked[k] == i;

		out[i] = is_picked ? found[k++] : (struct sfab_estimate){ 0 };
		left_out += !is_picked && job[i].part > 0;
	}
	if (stats)
		*stats = (struct sfab_estimate_stats){ s.noise, left_out,
						       left_out ? -1 : followed };
	sfab_arena_free(&arena);
	return rc;
}
