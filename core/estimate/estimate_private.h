/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate_private.h - the unknowns and the links, which estimate.c (shares), pick_jobs.c
 * (of which jobs), link_weights.c (what a rate counts), class_choice.c (which classes) and
 * job_answers.c (what is said of jobs) share
 */
#ifndef SFAB_ESTIMATE_PRIVATE_H
#define SFAB_ESTIMATE_PRIVATE_H

#include "core/estimate/job_columns.h"

#define EXCESS 2.0		/* errors above which a rate that is too high counts less */
#define SHARE_MIN 0.03		/* less is no class of a job */
#define OTHER_PART 0.15		/* of its traffic in "other" or shifts: it does not fit */
#define CHI_MISFIT 1.3		/* errors of the job's own links, mean: nor then */

struct estimate_solver {
	const struct sfab_model *m;
	const struct sfab_estimate_job *job;
	uint32_t njobs, nlinks;
	const double *rate;		/* as measured */
	const struct sfab_estimate_options *o;
	struct job_columns c;
	struct sfab_arena arena;	/* all arrays but those of c */
	int lack_singles;		/* some jobs have no columns of single ports */
	double noise;
	double *y, *w, *left, *fit;	/* by link; y: 0 where the rate is not known */
	double *sigma;			/* what a rate may err by */
	double *own, *room;		/* excess of all hosts of a job; scratch */
	double *x, *p, *q;		/* by column: its share, which costs
					   sfab_kept_price(p, x - q) besides */
	double *kept;			/* [columns] p as the solver gets it */
	uint8_t *off;
	uint8_t *single, *misfit, *suspect;	/* by job */
	double *chi, *missing, *sure;	/* by job */
};

/*
 * Ascending into @picked [n]: all, or with more than SFAB_ESTIMATE_JOBS those of at most
 * SFAB_ESTIMATE_HOSTS hosts together: of several hosts before those of one, and the most
 * hosts first, each by the part of it that is in the rates.  Returns how many; SFAB_NONE: no
 * memory.  O(n log n).
 */
uint32_t sfab_pick_jobs(const struct sfab_estimate_job *job, uint32_t n, uint32_t *picked);

/* s->sigma: what each rate may err by, if the fabric carries @carried. */
void sfab_set_link_errors(struct estimate_solver *s, const double *carried);

/* s->w: weight of each link.  @forgive: what exceeds the solution counts less. */
void sfab_weigh_links(struct estimate_solver *s, int forgive);

/*
 * The median of s->left on the links into (@in) or out of the job's hosts, in errors, or
 * as a share of their capacity.  Not below 0.
 */
double sfab_median_excess(struct estimate_solver *s, const struct sfab_estimate_job *job,
			  int in, int as_share);

/* Shares of a job's columns of one kind together, or of all (-1). */
double sfab_job_sum(const struct estimate_solver *s, uint32_t j, int kind);

/*
 * From s->x and s->left on, which are set; at most @rounds over all jobs, fewer if nothing
 * changes.  Sets s->sure: how likely the classes of a job are, beside those with one more,
 * one less or another.  -1: SFAB_ENOMEM.  The same input gives the same output.  A round
 * costs some 50 times the entries of the columns.
 */
int sfab_choose_classes(struct estimate_solver *s, int rounds, struct sfab_err *err);

/* What all links and classes cost together. */
double sfab_choice_cost(const struct estimate_solver *s);

/*
 * A share that is @away from what was found before costs p away^2 if that is little,
 * and never more than one bound, for the job may send something else now.  This is the
 * bounded price, and the weight of the square that moves a share alike.  (Geman and
 * McClure, Bull. ISI 52, 1987.)
 */
double sfab_kept_price(double p, double away);
double sfab_kept_weight(double p, double away);

struct sfab_alike;		/* alike.c: who has which hosts, and scratch */

/* In s->arena.  NULL: out of memory.  O(hosts of all jobs). */
struct sfab_alike *sfab_alike_create(struct estimate_solver *s);

struct column_errors {
	double split;		/* of the job's shares together, */
	double own;		/* and if what other jobs on its hosts send were known */
	double of;		/* sum of its shares, and of others' as far as alike */
};

/* Of job @j.  O(entries of the columns of the jobs on its hosts). */
void sfab_alike_errors(struct sfab_alike *k, uint32_t j, struct column_errors *out);

/* What is said of each job of a solution; uses s->own.  -1: no memory. */
int sfab_answer_jobs(struct estimate_solver *s, struct sfab_estimate *out,
		     struct sfab_err *err);

/* s->noise: what the hosts' own links show; uses s->room. */
void sfab_find_noise(struct estimate_solver *s);

/*
 * N of estimate.h, or -1 if there is too little traffic to say: less than a thousandth of
 * what the links whose rate is known can carry.
 */
double sfab_followed(const struct estimate_solver *s);

#endif
