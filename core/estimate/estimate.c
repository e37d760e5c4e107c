/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.c - shares of all jobs and classes; see estimate.h
 *
 * The columns are made and solved several times.  First all links count by their
 * rates; then the solution says what each link should carry, so links with more than
 * that count less.  Small shares are taken out, and the classes of each job are chosen
 * (class_choice.h).  Jobs that still do not fit get columns for single IO ports, and
 * all is solved again.
 */

#include "core/estimate/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/estimate/class_choice.h"
#include "core/estimate/job_columns.h"
#include "core/estimate/nnls.h"

const struct sfab_estimate_options sfab_estimate_default = {
	.noise = 0.1, .keep = 0.02, .sweeps = 200,
};

#define CLOSE 1e-4		/* of a share: far below what noise leaves unknown */
#define FLOOR 0.001		/* of a link's capacity: what a rate may err by anyway */
#define EXCESS 2.0		/* errors above which a rate that is too high counts less */
#define ROUNDS 2		/* in which links are weighted again */
#define SHARE_MIN 0.03		/* less is no class of a job */
#define SURE 4.0		/* errors that a share must be away from 0 */
#define OTHER_PART 0.15		/* of its traffic in "other": the job does not fit */
#define CHI 1.3		/* errors of the job's own links, mean: nor then */
#define CHOICE_ROUNDS 2		/* over all jobs */

/* Of what its servers can take, mean: they are full, and a rate errs by 10 %. */
#define FULL 0.9
#define CHI_IO 0.9		/* as CHI, for a job with IO: are its servers few? */

struct solver {
	struct job_columns c;
	const struct sfab_estimate_job *job;
	const struct sfab_estimate_options *o;
	uint32_t nlinks;
	double noise;
	double *y, *w, *left, *fit;	/* by link */
	double *sigma;			/* what a rate may err by */
	double *own, *room;		/* excess of all hosts of a job; scratch */
	double *x, *p, *q, *error;	/* by column */
	uint8_t *off;
	uint8_t *single, *misfit;	/* by job */
	double *chi, *missing;		/* by job */
	struct sfab_estimate_stats stats;
};

/* -- memory ----------------------------------------------------------------- */

static int open_links(struct solver *s, const struct sfab_fabric *f, const double *rate,
		      uint32_t njobs)
{
	size_t n = f->nlinks + 1u;

	s->nlinks = f->nlinks;
	s->y = calloc(7 * n, sizeof(*s->y));
	s->single = calloc(2 * (size_t) njobs + 2, 1);
	s->chi = calloc(2 * (size_t) njobs + 2, sizeof(*s->chi));
	if (!s->y || !s->single || !s->chi)
		return -1;
	s->w = s->y + n;
	s->left = s->w + n;
	s->fit = s->left + n;
	s->sigma = s->fit + n;
	s->own = s->sigma + n;
	s->room = s->own + n;
	s->misfit = s->single + njobs + 1;
	s->missing = s->chi + njobs + 1;
	for (uint32_t e = 0; e < f->nlinks; e++) {
		s->y[e] = rate[e] >= 0 ? rate[e] : 0;
		s->stats.rows += rate[e] >= 0;
	}
	return 0;
}

static void close_columns(struct solver *s)
{
	sfab_job_columns_destroy(&s->c);
	free(s->x);
	free(s->off);
	s->x = NULL;
	s->off = NULL;
}

static void close_solver(struct solver *s)
{
	close_columns(s);
	free(s->y);
	free(s->single);
	free(s->chi);
}

static double share_before(const struct job_columns *c, const struct job_column *k,
			   const struct sfab_traffic *t)
{
	double sum = 0;

	for (uint32_t i = 0; t && k->kind == COLUMN_CLASS && i < t->nparts; i++) {
		const struct sfab_traffic_part *p = &t->part[i];
		int io = sfab_class_is_io(p->class);

		if ((uint8_t) p->class == k->class &&
		    (!io || (p->set[0] ? strcmp(p->set, c->m->io->set[k->set].name) == 0 :
					 k->set == 0)))
			sum += p->share;
	}
	return sum;
}

static int open_columns(struct solver *s, const struct sfab_model *m, uint32_t njobs,
			const double *rate, struct sfab_err *err)
{
	size_t n;

	if (sfab_job_columns_create(&s->c, m, s->job, njobs, rate, s->single, err) < 0)
		return -1;
	n = s->c.n + 1u;
	s->x = calloc(4 * n, sizeof(*s->x));
	s->off = calloc(n, 1);
	if (!s->x || !s->off)
		return sfab_no_memory(err);
	s->p = s->x + n;
	s->q = s->p + n;
	s->error = s->q + n;
	for (uint32_t c = 0; c < s->c.n; c++)
		s->x[c] = s->q[c] = share_before(&s->c, &s->c.of[c],
						 s->job[s->c.of[c].job].before);
	s->stats.columns = s->c.n;
	s->stats.entries = s->c.used;
	return 0;
}

/* -- weights ---------------------------------------------------------------- */

/* What each rate may err by, if the fabric carries @carried. */
static void set_errors(struct solver *s, const double *carried)
{
	const struct sfab_fabric *f = s->c.m->f;

	for (uint32_t e = 0; e < s->nlinks; e++) {
		double x = fmax(s->y[e], carried[e]), least = FLOOR * f->links[e].capacity;

		s->sigma[e] = sqrt(s->noise * x * s->noise * x + least * least);
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return x < y ? -1 : x > y;
}

/*
 * The median excess of the links into (@in) or out of the job's hosts, in errors, or
 * as a share of their capacity.
 */
static double median_excess(struct solver *s, const struct sfab_estimate_job *job, int in,
			    int as_share)
{
	const struct sfab_fabric *f = s->c.m->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_host *h = &f->hosts[job->host[i]];
		const struct sfab_port *p = &f->ports[h->port0];
		uint32_t e;

		if (!h->nports || !sfab_port_is_cabled(p))
			continue;
		e = in ? p->eject : p->inject;
		if (s->c.rate[e] >= 0)
			s->room[n++] = s->left[e] / (as_share ? f->links[e].capacity :
						     s->sigma[e]);
	}
	if (!n)
		return 0;
	qsort(s->room, n, sizeof(*s->room), compare_doubles);
	return fmax(s->room[(n - 1) / 2], 0);
}

/*
 * What all hosts of a job have too much is the job's own, and not forgiven: without
 * this, a job whose shares were once 0 would stay so.
 */
static void find_own_excess(struct solver *s)
{
	const struct sfab_fabric *f = s->c.m->f;

	memset(s->own, 0, s->nlinks * sizeof(*s->own));
	for (uint32_t j = 0; j < s->c.njobs; j++)
		for (int in = 0; in < 2; in++) {
			double x = median_excess(s, &s->job[j], in, 0);

			for (uint32_t i = 0; i < s->job[j].n; i++) {
				const struct sfab_host *h = &f->hosts[s->job[j].host[i]];

				for (uint32_t p = h->port0; p < h->port0 + h->nports; p++)
					if (sfab_port_is_cabled(&f->ports[p]))
						s->own[in ? f->ports[p].eject :
							    f->ports[p].inject] += x;
			}
		}
}

/* Weight of each link; what exceeds the solution is forgiven in part. */
static void set_row_weights(struct solver *s, int forgive)
{
	if (forgive)
		find_own_excess(s);
	for (uint32_t e = 0; e < s->nlinks; e++) {
		double over = (s->left[e] / s->sigma[e] - s->own[e]) / EXCESS;

		s->w[e] = s->c.rate[e] >= 0 ? 1 / (s->sigma[e] * s->sigma[e]) : 0;
		if (forgive && over > 1)
			s->w[e] /= over * over;
		if (forgive && over < 0 && sfab_is_full_link(&s->c, e))
			s->w[e] = 0;	/* more would pass if it could */
	}
}

/* What was found before counts like keep more samples. */
static void set_keep(struct solver *s)
{
	for (uint32_t c = 0; c < s->c.n; c++) {
		double sum = 0;

		s->p[c] = 0;
		if (!s->job[s->c.of[c].job].before || s->c.of[c].kind == COLUMN_PORT)
			continue;
		for (uint32_t e = s->c.first[c]; e < s->c.first[c + 1]; e++)
			sum += s->w[s->c.row[e]] * s->c.a[e] * s->c.a[e];
		s->p[c] = s->o->keep * sum;
	}
}

static int solve_block(struct solver *s, int forgive, struct sfab_err *err)
{
	struct sfab_nnls p = { .rows = s->nlinks, .cols = s->c.n, .nblocks = s->c.njobs,
			       .block = s->c.block, .first = s->c.first, .row = s->c.row,
			       .a = s->c.a, .y = s->y, .w = s->w, .p = s->p, .q = s->q,
			       .off = s->off };
	struct sfab_nnls_limits limits = { s->o->sweeps, CLOSE };
	uint32_t sweeps;

	set_row_weights(s, forgive);
	set_keep(s);
	if (sfab_nnls(&p, &limits, s->x, s->left, &sweeps, err) < 0)
		return -1;
	s->stats.sweeps += sweeps;
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->fit[e] = s->y[e] - s->left[e];
	return 0;
}

/*
 * The noise that links show: the median of the relative errors of the hosts' own
 * links, where a strange pattern does not show.
 */
static int find_noise(struct solver *s, struct sfab_err *err)
{
	double *r = malloc((s->nlinks + 1u) * sizeof(*r));
	uint32_t n = 0;

	if (!r)
		return sfab_no_memory(err);
	for (uint32_t e = 0; e < s->nlinks; e++)
		if (s->c.rate[e] >= 0 && !s->c.m->isl[e] && s->fit[e] > 0.01 * s->c.m->f->links[e].capacity)
			r[n++] = fabs(s->left[e]) / s->fit[e];
	if (n) {
		qsort(r, n, sizeof(*r), compare_doubles);
		/* 1.48 x median = standard deviation of a normal error */
		s->noise = fmin(fmax(1.48 * r[n / 2], 0.02), 0.5);
	}
	free(r);
	return 0;
}

/* -- which shares are real -------------------------------------------------- */

/* What a share alone may err by, if no link is forgiven. */
static void find_column_errors(struct solver *s)
{
	for (uint32_t c = 0; c < s->c.n; c++) {
		double sum = 0;

		for (uint32_t e = s->c.first[c]; e < s->c.first[c + 1]; e++) {
			double z = s->c.a[e] / s->sigma[s->c.row[e]];

			sum += z * z;
		}
		s->error[c] = sum > 0 ? 1 / sqrt(sum) : 1;
	}
}

static uint32_t drop_small(struct solver *s, double least)
{
	uint32_t dropped = 0;

	find_column_errors(s);
	for (uint32_t c = 0; c < s->c.n; c++) {
		if (s->off[c] || s->c.of[c].kind == COLUMN_PORT)
			continue;
		if (s->x[c] >= least && s->x[c] >= SURE * s->error[c])
			continue;
		s->off[c] = 1;
		dropped += s->x[c] > 0;
	}
	return dropped;
}

static double job_sum(const struct solver *s, uint32_t j, int kind)
{
	double sum = 0;

	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++)
		if (kind < 0 || s->c.of[c].kind == kind)
			sum += s->x[c];
	return sum;
}

/*
 * Root mean square of the errors of the links that the job loads, each by the job's
 * part of what it carries.
 */
static void find_chi(struct solver *s)
{
	for (uint32_t j = 0; j < s->c.njobs; j++) {
		double sum = 0, all = 0;

		for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++)
			for (uint32_t e = s->c.first[c];
			     s->x[c] > 0 && e < s->c.first[c + 1]; e++) {
				uint32_t r = s->c.row[e];
				double part = s->x[c] * s->c.a[e] /
					      fmax(s->fit[r], s->y[r]);
				double z = s->left[r] / s->sigma[r];

				if (z < 0 && sfab_is_full_link(&s->c, r))
					continue;
				if (s->c.m->isl[r] || s->c.m->io_link[r]) {
					part *= part;
					sum += z < 0 ? 2 * part * z * z : 0;
					all += part;
				}
			}
		s->chi[j] = all > 1 ? sqrt(sum / all) : 0;
		all = job_sum(s, j, -1);
		s->missing[j] = 0;
		for (int in = 0; in < 2; in++)
			if (median_excess(s, &s->job[j], in, 0) > EXCESS)
				s->missing[j] = fmax(s->missing[j],
						     median_excess(s, &s->job[j], in, 1));
		s->misfit[j] = s->missing[j] > SHARE_MIN ||
			       job_sum(s, j, COLUMN_OTHER) > fmax(OTHER_PART * all, SHARE_MIN) ||
			       (all > SHARE_MIN && s->chi[j] > CHI);
	}
}

/* The classes of each job, and what the links say of it then. */
static int choose_found(struct solver *s, struct sfab_err *err)
{
	const struct class_choice k = { .c = &s->c, .y = s->y, .noise = s->noise, .p = s->p,
					.q = s->q, .x = s->x, .left = s->left };

	if (sfab_choose_classes(&k, CHOICE_ROUNDS, err) < 0)
		return -1;
	for (uint32_t e = 0; e < s->nlinks; e++)
		s->fit[e] = s->y[e] - s->left[e];
	set_errors(s, s->fit);
	find_column_errors(s);
	find_chi(s);
	return 0;
}

static int refine_found(struct solver *s, struct sfab_err *err)
{
	s->noise = s->o->noise;
	set_errors(s, s->y);
	memset(s->left, 0, s->nlinks * sizeof(*s->left));
	if (solve_block(s, 0, err) < 0)
		return -1;
	for (int i = 0; i < ROUNDS; i++) {
		set_errors(s, s->fit);
		if (solve_block(s, 1, err) < 0 || find_noise(s, err) < 0)
			return -1;
	}
	drop_small(s, SHARE_MIN / 2);
	if (solve_block(s, 1, err) < 0)
		return -1;
	if (drop_small(s, SHARE_MIN) && solve_block(s, 1, err) < 0)
		return -1;
	return choose_found(s, err);
}

/* -- answers ---------------------------------------------------------------- */

static void add_found_part(struct sfab_traffic *t, const struct job_columns *c,
		     const struct job_column *k, double x)
{
	const char *set = sfab_class_is_io((enum sfab_class) k->class) && k->set ?
			  c->m->io->set[k->set].name : "";
	struct sfab_traffic_part *p;

	for (uint32_t i = 0; i < t->nparts; i++) {
		p = &t->part[i];
		if ((uint8_t) p->class == k->class && strcmp(p->set, set) == 0) {
			p->share += x;
			return;
		}
	}
	if (t->nparts == SFAB_TRAFFIC_PARTS)
		return;
	p = &t->part[t->nparts++];
	p->class = (enum sfab_class) k->class;
	p->share = x;
	snprintf(p->set, sizeof(p->set), "%s", set);
}

/* What passes IO port @i, as a part of what its server can take; < 0: not known. */
static double io_port_fullness(const struct solver *s, uint32_t i)
{
	const struct sfab_model *m = s->c.m;
	const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
	double in, out;

	if (!sfab_port_is_cabled(p) || !(m->io->capacity[i] > 0))
		return -1;
	in = s->c.rate[p->eject];
	out = s->c.rate[p->inject];
	if (in < 0 && out < 0)
		return -1;
	return (fmax(in, 0) + fmax(out, 0)) / m->io->capacity[i];
}

/*
 * Are the servers of a set full?  The mean over those that are known; a single rate
 * errs by too much.
 */
static int is_full_set(const struct solver *s, uint32_t set)
{
	const struct sfab_ioset *io = &s->c.m->io->set[set];
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < io->nmembers; i++) {
		double x = io_port_fullness(s, io->member[i]);

		sum += fmax(x, 0);
		n += x >= 0;
	}
	return n && sum >= FULL * n;
}

/* Has the job IO to servers that are full? */
static int meets_full_servers(const struct solver *s, uint32_t j)
{
	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++) {
		const struct job_column *k = &s->c.of[c];

		if (s->x[c] > 0 && sfab_class_is_io((enum sfab_class) k->class) &&
		    (k->kind == COLUMN_PORT ? io_port_fullness(s, k->port) >= FULL :
					      is_full_set(s, k->set)))
			return 1;
	}
	return 0;
}

/* By class; sums above 1 are noise. */
static void tidy_traffic(struct sfab_traffic *t)
{
	double sum = sfab_traffic_share(t, 0) + sfab_traffic_share(t, 1);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].share >= SHARE_MIN)
			t->part[kept++] = t->part[i];
	t->nparts = kept;
	for (uint32_t i = 0; sum > 1 && i < kept; i++)
		t->part[i].share /= sum;
	for (uint32_t i = 1; i < kept; i++)
		for (uint32_t k = i; k > 0 && t->part[k].class < t->part[k - 1].class; k--) {
			struct sfab_traffic_part swap = t->part[k];

			t->part[k] = t->part[k - 1];
			t->part[k - 1] = swap;
		}
}

static void answer_job(const struct solver *s, uint32_t j, struct sfab_estimate *out)
{
	double all = job_sum(s, j, -1), errors = 0, ports = job_sum(s, j, COLUMN_PORT), io = 0;

	memset(out, 0, sizeof(*out));
	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++) {
		if (!(s->x[c] > 0))
			continue;
		add_found_part(&out->traffic, &s->c, &s->c.of[c], s->x[c]);
		errors += s->error[c] * s->error[c];
		io += sfab_class_is_io((enum sfab_class) s->c.of[c].class) ? s->x[c] : 0;
	}
	tidy_traffic(&out->traffic);
	all += s->missing[j];
	out->residual = all > 0 ? fmin((job_sum(s, j, COLUMN_OTHER) + s->missing[j]) / all, 1) : 0;
	out->misfit = s->misfit[j];
	out->few = ports > SHARE_MIN && ports > io / 2;
	out->at_least = meets_full_servers(s, j);
	out->confidence = 1 - fmin(sqrt(errors) / fmax(all, SHARE_MIN), 1);
	if (out->misfit)
		out->confidence *= 0.5;
	if (s->c.block[j] == s->c.block[j + 1])
		out->confidence = 0;	/* nothing of it is measured */
}

static int has_io(const struct solver *s, uint32_t j)
{
	for (uint32_t c = s->c.block[j]; c < s->c.block[j + 1]; c++)
		if (s->x[c] > 0 && sfab_class_is_io((enum sfab_class) s->c.of[c].class))
			return 1;
	return 0;
}

/* Solve again with columns of single IO ports for jobs that may need them. */
static int try_ports(struct solver *s, const struct sfab_model *m, uint32_t n,
		     const double *rate, struct sfab_err *err)
{
	uint32_t wanted = 0;

	for (uint32_t j = 0; j < n; j++) {
		s->single[j] = s->misfit[j] || (s->chi[j] > CHI_IO && has_io(s, j));
		wanted += s->single[j];
	}
	if (!wanted || !m->io || !m->io->nsets || m->io->nioports > SFAB_ESTIMATE_PORTS)
		return 0;
	close_columns(s);
	if (open_columns(s, m, n, rate, err) < 0)
		return -1;
	return refine_found(s, err);
}

int sfab_estimate(const struct sfab_model *m, const struct sfab_estimate_job *job,
		  uint32_t n, const double *rate,
		  const struct sfab_estimate_options *options,
		  struct sfab_estimate *out, struct sfab_estimate_stats *stats,
		  struct sfab_err *err)
{
	struct solver s = { .job = job, .o = options };
	int rc;

	if (n > SFAB_ESTIMATE_JOBS)
		return sfab_fail(err, SFAB_ELIMIT, "%u jobs (expected at most %u)", n,
				 SFAB_ESTIMATE_JOBS);
	rc = open_links(&s, m->f, rate, n) < 0 ? sfab_no_memory(err) :
	     open_columns(&s, m, n, rate, err);
	if (rc == 0)
		rc = refine_found(&s, err);
	if (rc == 0)
		rc = try_ports(&s, m, n, rate, err);
	for (uint32_t j = 0; rc == 0 && j < n; j++)
		answer_job(&s, j, &out[j]);
	s.stats.noise = s.noise;
	if (stats)
		*stats = s.stats;
	close_solver(&s);
	return rc;
}
