/* SPDX-License-Identifier: GPL-2.0-or-later */
/* found_traffic.c - from shares of columns to traffic; see found_traffic.h */

#include "core/estimate/found_traffic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/load/measured.h"

static const char *set_of_column(const struct job_columns *c, const struct job_column *k)
{
	return sfab_class_is_io((enum sfab_class) k->class) && k->set ?
	       c->m->io->set[k->set].name : "";
}

void sfab_add_found_part(struct sfab_traffic *t, const struct job_columns *c,
			 const struct job_column *k, double x)
{
	const char *set = set_of_column(c, k);
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

void sfab_tidy_found(struct sfab_traffic *t, double least)
{
	double sum = sfab_traffic_share(t, 0) + sfab_traffic_share(t, 1);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].share >= least)
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

void sfab_as_rates(struct sfab_traffic *t, const struct job_columns *c, uint32_t j)
{
	for (uint32_t i = 0; i < t->nparts; i++) {
		struct sfab_traffic_part *p = &t->part[i];
		uint32_t k = c->block[j];

		while (c->of[k].class != (uint8_t) p->class ||
		       strcmp(set_of_column(c, &c->of[k]), p->set) != 0)
			k++;
		p->share /= c->of[k].ends;
	}
}

/* What passes IO port @i, as a part of what its server can take; < 0: not known. */
static double io_port_fullness(const struct job_columns *c, uint32_t i)
{
	const struct sfab_model *m = c->m;
	const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
	double in, out;

	if (!sfab_port_is_cabled(p) || !(m->io->capacity[i] > 0))
		return -1;
	in = c->rate[p->eject];
	out = c->rate[p->inject];
	if (in < 0 && out < 0)
		return -1;
	return (fmax(in, 0) + fmax(out, 0)) / m->io->capacity[i];
}

/*
 * Are the servers of a set full?  The mean over those that are known; a single rate
 * errs by too much.
 */
static int is_full_set(const struct job_columns *c, uint32_t set)
{
	const struct sfab_ioset *io = &c->m->io->set[set];
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < io->nmembers; i++) {
		double x = io_port_fullness(c, io->member[i]);

		sum += fmax(x, 0);
		n += x >= 0;
	}
	return n && sum >= SFAB_FULL_RATE * n;
}

/* Has the job enough of the column's class to speak of? */
static int has_part_of(const struct sfab_traffic *t, const struct job_column *k)
{
	for (uint32_t i = 0; i < t->nparts; i++)
		if ((uint8_t) t->part[i].class == k->class)
			return 1;
	return 0;
}

int sfab_meets_full_servers(const struct job_columns *c, const double *x, uint32_t j,
			    const struct sfab_traffic *t)
{
	for (uint32_t i = c->block[j]; i < c->block[j + 1]; i++) {
		const struct job_column *k = &c->of[i];

		if (x[i] > 0 && sfab_class_is_io((enum sfab_class) k->class) &&
		    has_part_of(t, k) &&
		    (k->kind == COLUMN_PORT ? io_port_fullness(c, k->port) >= SFAB_FULL_RATE :
					      is_full_set(c, k->set)))
			return 1;
	}
	return 0;
}
