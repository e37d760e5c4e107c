/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_weights.c - how much the rate of each link counts; see link_weights.h
 *
 * The error of a rate is proportional to it.  Rates above the solution count less: they may
 * include traffic of no job.
 */

#include "core/estimate/link_weights.h"

#include "core/ascending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXCESS_ERRORS 2.0	/* a rate above the solution by fewer errors is no stray traffic */
#define IDLE_LOAD 0.001		/* part of the links' capacity: a lower total is only management
				   traffic and heartbeats */

void sfab_link_weights_set_errors(struct estimate_solver *s, const double *carried)
{
	const struct sfab_fabric *f = s->cols.m->f;

	for (uint32_t e = 0; e < s->nlinks; e++) {
		double x = fmax(s->y[e], carried[e]);
		double min = ESTIMATE_RATE_FLOOR * f->links[e].capacity;

		x *= s->noise * sfab_job_columns_mean_error(&s->cols, e);
		s->sigma[e] = sqrt(x * x + min * min);
	}
}

double sfab_link_weights_median_excess(struct estimate_solver *s,
				       const struct sfab_estimate_job *job,
				       int eject, int as_share)
{
	const struct sfab_fabric *f = s->cols.m->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_host *h = &f->hosts[job->host[i]];
		const struct sfab_port *p = &f->ports[h->port0];
		uint32_t e;

		if (!h->nports || !sfab_port_is_cabled(p))
			continue;
		e = eject ? p->eject : p->inject;
		if (s->cols.rate[e] >= 0)
			s->scratch[n++] = s->residual[e] / (as_share ? f->links[e].capacity :
						     s->sigma[e]);
	}
	if (!n)
		return 0;
	qsort(s->scratch, n, sizeof(*s->scratch), sfab_ascending_double);
	return fmax(s->scratch[(n - 1) / 2], 0);
}

/*
 * Find the excess that is on the links of all hosts of a job.  It is the job's own, and not
 * forgiven; otherwise a job whose shares were once 0 would keep them.
 */
static void find_own_excess(struct estimate_solver *s)
{
	const struct sfab_fabric *f = s->cols.m->f;

	memset(s->own_excess, 0, s->nlinks * sizeof(*s->own_excess));
	for (uint32_t j = 0; j < s->cols.njobs; j++)
		for (int eject = 0; eject < 2; eject++) {
			double x = sfab_link_weights_median_excess(s, &s->job[j], eject, 0);

			for (uint32_t i = 0; i < s->job[j].n; i++) {
				const struct sfab_host *h = &f->hosts[s->job[j].host[i]];

				for (uint32_t p = h->port0; p < h->port0 + h->nports; p++)
					if (sfab_port_is_cabled(&f->ports[p]))
						s->own_excess[eject ? f->ports[p].eject :
								      f->ports[p].inject] += x;
			}
		}
}

void sfab_link_weights_set(struct estimate_solver *s, int forgive)
{
	if (forgive)
		find_own_excess(s);
	for (uint32_t e = 0; e < s->nlinks; e++) {
		double excess = (s->residual[e] / s->sigma[e] - s->own_excess[e]) / ESTIMATE_EXCESS;

		s->w[e] = s->cols.rate[e] >= 0 ? 1 / (s->sigma[e] * s->sigma[e]) : 0;
		if (forgive && excess > 1)
			s->w[e] /= excess * excess;
		if (forgive && excess < 0 && sfab_job_columns_link_is_full(&s->cols, e))
			s->w[e] = 0;	/* the link is full: more traffic may want to pass */
	}
}

/*
 * Find the noise as the median of relative errors, which strange patterns hardly change.  Only
 * links of hosts count, and only with a load of 1 % or more.  The noise is 2 to 50 %.
 */
void sfab_link_weights_find_noise(struct estimate_solver *s)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < s->nlinks; e++)
		if (s->cols.rate[e] >= 0 && !s->cols.m->isl[e] &&
		    s->fit[e] > 0.01 * s->cols.m->f->links[e].capacity)
			s->scratch[n++] = fabs(s->residual[e]) /
				       (s->fit[e] * sfab_job_columns_mean_error(&s->cols, e));
	if (n) {
		qsort(s->scratch, n, sizeof(*s->scratch), sfab_ascending_double);
		/* 1.48 x median = standard deviation of a normal error */
		s->noise = fmin(fmax(1.48 * s->scratch[n / 2], 0.02), 0.5);
	}
}

double sfab_link_weights_bytes_followed(const struct estimate_solver *s)
{
	double sum = 0, strange = 0, capacity = 0;

	for (uint32_t e = 0; e < s->nlinks; e++) {
		if (!s->cols.m->isl[e] || !(s->cols.rate[e] >= 0))
			continue;
		sum += s->cols.rate[e];
		strange += fmax(s->cols.rate[e] - s->fit[e] - EXCESS_ERRORS * s->sigma[e], 0);
		capacity += s->cols.m->f->links[e].capacity;
	}
	return sum > IDLE_LOAD * capacity ? 1 - strange / sum : -1;
}
