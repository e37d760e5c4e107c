/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_sum.c - sum the footprints of a set of hosts; see footprint.h */

#include "core/search/footprint_private.h"

#define NOTHING 1e-5		/* of the common part; a smaller load is a rounding error */

static void add_scaled_vector(struct sfab_load *sum, const struct sfab_footprint *v,
			      double scale)
{
	for (uint32_t k = 0; k < v->n; k++)
		sfab_load_add(sum, v->entry[k].res, scale * (double) v->entry[k].v);
}

/* Add the hosts' own vectors to fps->sum.  1: a vector is incomplete, or a host is a server. */
static int add_host_vectors(struct sfab_footprints *fps, const struct footprint_kind *kd,
			    const struct sfab_job *job, struct sfab_err *err)
{
	struct sfab_footprint v;
	uint32_t last = SFAB_NONE;
	double scale = 0;

	for (uint32_t i = 0; i < job->n; i++) {
		uint32_t h = job->host[i];

		if (fps->m->io_host[h])
			return 1;
		if (kd->class == SFAB_IO_WRITE)
			h = sfab_footprints_first_alike(fps, kd->set, h);
		/*
		 * Equivalent hosts follow each other in most sets: one addition for the whole
		 * run.
		 */
		if (h != last && last != SFAB_NONE) {
			add_scaled_vector(&fps->sum, &v, scale);
			scale = 0;
		}
		if (h != last &&
		    sfab_footprints_get(fps, kd->class, kd->set, h, &v, err) < 0)
			return -1;
		if (v.left_out)
			return 1;
		last = h;
		scale += job->cpus ? job->cpus[i] : 1.0;
	}
	add_scaled_vector(&fps->sum, &v, scale);
	return 0;
}

int sfab_footprints_load(struct sfab_footprints *fps, const struct sfab_job *job,
			 const struct sfab_traffic_part *part, struct sfab_load *io,
			 struct sfab_err *err)
{
	uint64_t adds = fps->sum.adds;
	double scale = 0;
	struct footprint_kind *kd;
	uint32_t set;
	int rc;

	if (sfab_model_find_set(fps->m, part, &set, err) < 0 ||
	    sfab_footprints_open_kind(fps, part->class, set, &kd, err) < 0)
		return -1;
	if (!job->n || fps->m->io->set[set].map != SFAB_IOMAP_ALL)
		return 1;
	for (uint32_t i = 0; i < job->n; i++)
		scale += job->cpus ? job->cpus[i] : 1.0;
	sfab_load_clear(&fps->sum);
	add_scaled_vector(&fps->sum, &kd->common, scale);
	rc = add_host_vectors(fps, kd, job, err);
	/*
	 * Convert to bytes/s.  Links of the common part that no host of the set uses are left
	 * with a rounding error and are skipped.
	 */
	for (uint32_t i = 0; rc == 0 && i < fps->sum.ntouched; i++) {
		uint32_t e = fps->sum.touched[i];
		double x = fps->sum.v[e];

		if (!kd->max || x > NOTHING * scale * (double) kd->max[e])
			sfab_load_add(io, e, x * fps->m->f->links[e].capacity);
	}
	io->adds += fps->sum.adds - adds;
	return rc;
}
