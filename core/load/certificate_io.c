/* SPDX-License-Identifier: GPL-2.0-or-later */
/* certificate_io.c - what the IO of a job reaches alone; see certificate.h */

#include <math.h>

#include "core/load/certificate.h"

/* All flows at one rate: as slow as the fullest resource, and without switch links. */
static struct sfab_certificate_io rate_of_load(const struct sfab_model *m,
					       const struct sfab_load *l)
{
	double total = 0, ends = 0, links = 0;

	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];
		double x = l->v[e] * m->inv_cap[e];

		if (e >= m->f->nlinks)	/* each byte passes one IO port */
			total += l->v[e];
		if (m->isl[e])
			links = fmax(links, x);
		else
			ends = fmax(ends, x);
	}
	if (!(total > 0) || !(ends > 0))
		return (struct sfab_certificate_io){ 0, 0 };
	return (struct sfab_certificate_io){ total / fmax(ends, links), total / ends };
}

int sfab_certify_io(const struct sfab_model *m, const struct sfab_job *job,
		    struct sfab_certificate *out, struct sfab_err *err)
{
	struct sfab_load load;
	int rc = 0;

	if (sfab_load_init(&load, m->nres) < 0)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < job->traffic->nparts && rc == 0; i++) {
		const struct sfab_traffic_part *part = &job->traffic->part[i];
		struct sfab_job whole = { .n = job->n, .host = job->host };
		struct sfab_certificate_io x, *io = &out->io[part->class == SFAB_IO_READ];

		if (!sfab_class_is_io(part->class) || !(part->share > 0))
			continue;
		sfab_load_clear(&load);
		rc = sfab_demand_part(m, &whole, part, &load, err);
		x = rate_of_load(m, &load);
		/* Of several sets the one that gets the smallest part. */
		if (x.of > 0 && (!(io->of > 0) || x.rate * io->of < io->rate * x.of))
			*io = x;
	}
	sfab_load_free(&load);
	return rc;
}
