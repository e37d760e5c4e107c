/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iovec.c - work out vectors of IO and keep them; see iovec.h */

#include "iovec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
	uint32_t n;
	uint32_t *res;		/* NULL: not worked out; n floats follow */
};

struct sfab_iovecs {
	const struct sfab_model *m;
	uint32_t nkinds;	/* 2 x sets: writes, then reads */
	struct vector *vector;	/* [nkinds * nhosts] */
	uint64_t entries;	/* kept */
	uint32_t *loose;	/* indices of vectors that are not kept */
	uint32_t nloose, caploose;
	struct sfab_load net, io;
};

struct sfab_iovecs *sfab_iovecs_create(const struct sfab_model *m)
{
	struct sfab_iovecs *vs = calloc(1, sizeof(*vs));

	if (!vs)
		return NULL;
	vs->m = m;
	vs->nkinds = m->io ? 2 * m->io->nsets : 0;
	vs->vector = calloc((size_t) vs->nkinds * m->f->nhosts + 1,
			    sizeof(*vs->vector));
	if (vs->vector && sfab_load_init(&vs->net, m->nres) == 0 &&
	    sfab_load_init(&vs->io, m->nres) == 0)
		return vs;
	sfab_iovecs_destroy(vs);
	return NULL;
}

void sfab_iovecs_destroy(struct sfab_iovecs *vs)
{
	if (!vs)
		return;
	for (size_t i = 0; vs->vector && i < (size_t) vs->nkinds * vs->m->f->nhosts; i++)
		free(vs->vector[i].res);
	free(vs->vector);
	free(vs->loose);
	sfab_load_free(&vs->net);
	sfab_load_free(&vs->io);
	free(vs);
}

void sfab_iovecs_begin(struct sfab_iovecs *vs)
{
	for (uint32_t i = 0; i < vs->nloose; i++) {
		free(vs->vector[vs->loose[i]].res);
		vs->vector[vs->loose[i]].res = NULL;
	}
	vs->nloose = 0;
}

static int note_loose(struct sfab_iovecs *vs, uint32_t at)
{
	if (vs->nloose == vs->caploose) {
		uint32_t cap = vs->caploose ? 2 * vs->caploose : 256;
		uint32_t *more = realloc(vs->loose, cap * sizeof(*more));

		if (!more)
			return -1;
		vs->loose = more;
		vs->caploose = cap;
	}
	vs->loose[vs->nloose++] = at;
	return 0;
}

/* Keep the switch-to-switch part of vs->io. */
static int store(struct sfab_iovecs *vs, struct vector *x)
{
	const struct sfab_load *l = &vs->io;
	uint32_t n = 0;
	float *v;

	for (uint32_t i = 0; i < l->ntouched; i++)
		n += vs->m->isl[l->touched[i]];
	x->res = malloc((n + 1) * (sizeof(*x->res) + sizeof(*v)));
	if (!x->res)
		return -1;
	v = (float *) (x->res + n);
	x->n = 0;
	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];

		if (!vs->m->isl[e])
			continue;
		x->res[x->n] = e;
		v[x->n++] = (float) (l->v[e] * vs->m->inv_cap[e]);
	}
	if (vs->entries + n <= SFAB_IOVEC_MAX)
		vs->entries += n;
	else if (note_loose(vs, (uint32_t) (x - vs->vector)) < 0) {
		free(x->res);
		x->res = NULL;
		return -1;
	}
	return 0;
}

static int work_out(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		    uint32_t host, struct vector *x, struct sfab_err *err)
{
	struct sfab_traffic t = { .nparts = 1 };
	struct sfab_spec spec = { .n = 1, .host = &host, .traffic = &t };

	t.part[0].class = class;
	t.part[0].share = 1.0;
	snprintf(t.part[0].set, sizeof(t.part[0].set), "%s",
		 vs->m->io->set[set].name);
	sfab_load_clear(&vs->net);
	sfab_load_clear(&vs->io);
	if (sfab_demand(vs->m, &spec, &vs->net, &vs->io, NULL, err) < 0)
		return -1;
	if (store(vs, x) < 0)
		return sfab_fail(err, SFAB_ENOMEM, "IO vectors: no memory");
	return 0;
}

int sfab_iovecs_get(struct sfab_iovecs *vs, enum sfab_class class, uint32_t set,
		    uint32_t host, struct sfab_iovec *out, struct sfab_err *err)
{
	uint32_t kind = 2 * set + (class == SFAB_IO_READ);
	struct vector *x = &vs->vector[(size_t) kind * vs->m->f->nhosts + host];

	if (!x->res && work_out(vs, class, set, host, x, err) < 0)
		return -1;
	out->n = x->n;
	out->res = x->res;
	out->v = (const float *) (x->res + x->n);
	return 0;
}
