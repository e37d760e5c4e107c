/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_keep.c - which kinds of footprints are kept between searches */

#include "core/search/footprint_private.h"

uint32_t sfab_footprints_share(const struct sfab_footprints *fps)
{
	/*
	 * A fixed share per kind: what a vector leaves out must not depend on
	 * what else is kept.
	 */
	uint32_t kinds = fps->nkinds < SFAB_TRAFFIC_PARTS ? fps->nkinds
							  : SFAB_TRAFFIC_PARTS;

	return fps->max / kinds;
}

int sfab_footprints_has_room(const struct sfab_footprints *fps)
{
	return fps->nbegun < SFAB_FOOTPRINT_KINDS &&
	       fps->kept + sfab_footprints_share(fps) <= fps->max;
}

void sfab_footprints_begin(struct sfab_footprints *fps, const volatile int *stop)
{
	fps->search++;
	fps->nused = 0;
	fps->stop = stop;
}

void sfab_footprints_forget(struct sfab_footprints *fps, struct kind *kd)
{
	const struct kind empty = { .class = kd->class, .set = kd->set,
				    .used = kd->used };

	fps->nbegun -= kd->of != NULL;
	fps->kept -= kd->kept;
	sfab_arena_free(&kd->arena);
	*kd = empty;
}

int sfab_footprints_use(struct sfab_footprints *fps, struct kind *kd)
{
	if (!kd->of) {
		kd->of = sfab_arena_take(&kd->arena, fps->m->f->nhosts, sizeof(*kd->of));
		if (!kd->of)
			return -1;
		fps->nbegun++;
	}
	if (kd->used == fps->search)
		return 0;
	kd->used = fps->search;
	fps->nused++;
	for (;;) {
		/* Kinds in use count with their full share, because they may still grow. */
		uint64_t most = (uint64_t) fps->nused * sfab_footprints_share(fps);
		struct kind *oldest = NULL;

		for (uint32_t k = 0; k < fps->nkinds; k++) {
			struct kind *x = &fps->kind[k];

			if (x->used >= fps->search)
				continue;
			most += x->kept;
			if (x->of && (!oldest || x->used < oldest->used))
				oldest = x;
		}
		if (!oldest || (most <= fps->max && fps->nbegun <= SFAB_FOOTPRINT_KINDS))
			return 0;
		sfab_footprints_forget(fps, oldest);
	}
}
