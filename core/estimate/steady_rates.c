/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady_rates.c - means of rates; see steady_rates.h */

#include "core/estimate/steady_rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load/demand.h"

#define JUMP 0.24		/* change of a rate, as a part of the larger one: 2.7 errors of 10
				   % */

int sfab_steady_open(struct sfab_steady *s, const struct sfab_model *m, struct sfab_err *err)
{
	sfab_steady_close(s);
	s->nlinks = m->f->nlinks;
	s->nres = m->nres;
	s->rate = calloc(2 * (size_t) s->nlinks + 1, sizeof(*s->rate));
	if (!s->rate || sfab_load_init(&s->load, s->nres) < 0)
		return sfab_no_memory(err);
	s->count = s->rate + s->nlinks;
	return 0;
}

void sfab_steady_close(struct sfab_steady *s)
{
	free(s->rate);
	sfab_load_free(&s->load);
	memset(s, 0, sizeof(*s));
}

int sfab_steady_renew(struct sfab_steady *s, const struct sfab_model *m,
		      const struct sfab_estimate_job *job, struct sfab_err *err)
{
	const struct sfab_job spec = { .n = job->n, .host = job->host };
	uint32_t nsets = m->io ? m->io->nsets : 0;
	int rc = 0;

	sfab_load_clear(&s->load);
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		struct sfab_traffic_part part = { .class = (enum sfab_class) c };
		int is_io = sfab_class_is_io(part.class);

		for (uint32_t i = 0; rc == 0 && i < (is_io ? nsets : 1); i++) {
			if (is_io)
				snprintf(part.set, sizeof(part.set), "%s", m->io->set[i].name);
			rc = sfab_demand_part(m, &spec, &part, &s->load, err);
		}
	}
	for (uint32_t i = 0; i < s->load.ntouched; i++)
		if (s->load.touched[i] < s->nlinks)
			s->count[s->load.touched[i]] = 0;
	return rc;
}

void sfab_steady_add(struct sfab_steady *s, const double *rate, double new_part)
{
	for (uint32_t e = 0; e < s->nlinks; e++) {
		double change = rate[e] - s->rate[e];

		if (!(s->count[e] > 0) || fabs(change) > JUMP * fmax(rate[e], s->rate[e])) {
			s->rate[e] = rate[e];
			s->count[e] = 1;
		} else {
			s->count[e] = fmin(s->count[e] + new_part, SFAB_STEADY_MAX);
			s->rate[e] += change * new_part / s->count[e];
		}
	}
}
