/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_keep.c - which kinds of footprints are kept between searches */

#include "core/search/footprint_private.h"

#include <stdlib.h>

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

void sfab_footprints_count(struct sfab_footprints *fps, struct kind *kd, uint32_t n)
{
	kd->kept += n;
	fps->kept += n;
}

void sfab_footprints_forget(struct sfab_footprints *fps, struct kind *kd)
{
	const struct kind empty = { .class = kd->class, .set = kd->set,
				    .used = kd->used };

	for (uint32_t h = 0; kd->of && h < fps->m->f->nhosts; h++)
		free((void *) kd->of[h].entry);
	free((void *) kd->common.entry);
	free(kd->most);
	fps->nbegun -= kd->of != NULL;
	fps->kept -= kd->kept;
	free(kd->of);
	*kd = empty;
}

/* Least recently used kind that the current search does not need, or NULL. */
static struct kind *longest_unused(struct sfab_footprints *fps)
{
	struct kind *oldest = NULL;

	for (uint32_t k = 0; k < fps->nkinds; k++) {
		struct kind *kd = &fps->kind[k];

		if (kd->of && kd->used < fps->search &&
		    (!oldest || kd->used < oldest->used))
			oldest = kd;
	}
	return oldest;
}

/*
 * Is there too much for the limits?  Kinds in use count with their full share,
 * because they may still grow.
 */
static int is_crowded(const struct sfab_footprints *fps)
{
	uint64_t most = (uint64_t) fps->nused * sfab_footprints_share(fps);

	for (uint32_t k = 0; k < fps->nkinds; k++)
		if (fps->kind[k].used < fps->search)
			most += fps->kind[k].kept;
	return most > fps->max || fps->nbegun > SFAB_FOOTPRINT_KINDS;
}

int sfab_footprints_use(struct sfab_footprints *fps, struct kind *kd)
{
	struct kind *old;

	if (!kd->of) {
		kd->of = calloc(fps->m->f->nhosts + 1u, sizeof(*kd->of));
		if (!kd->of)
			return -1;
		fps->nbegun++;
	}
	if (kd->used == fps->search)
		return 0;
	kd->used = fps->search;
	fps->nused++;
	while (is_crowded(fps) && (old = longest_unused(fps)))
		sfab_footprints_forget(fps, old);
	return 0;
}
