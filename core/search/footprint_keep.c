/* SPDX-License-Identifier: GPL-2.0-or-later */
/* footprint_keep.c - which kinds of footprints are kept between searches */

#include "core/search/footprint_private.h"

#include <stdlib.h>

uint32_t sfab_iovecs_share(const struct sfab_iovecs *vs)
{
	/*
	 * A fixed share per kind: what a vector leaves out must not depend on
	 * what else is kept.
	 */
	uint32_t kinds = vs->nkinds < SFAB_TRAFFIC_PARTS ? vs->nkinds
							 : SFAB_TRAFFIC_PARTS;

	return vs->max / kinds;
}

int sfab_iovecs_has_room(const struct sfab_iovecs *vs)
{
	return vs->nbegun < SFAB_IOVEC_KINDS &&
	       vs->kept + sfab_iovecs_share(vs) <= vs->max;
}

void sfab_iovecs_begin(struct sfab_iovecs *vs, const volatile int *stop)
{
	vs->search++;
	vs->nused = 0;
	vs->stop = stop;
}

void sfab_iovecs_count(struct sfab_iovecs *vs, struct kind *kd, uint32_t n)
{
	kd->kept += n;
	vs->kept += n;
}

void sfab_iovecs_forget(struct sfab_iovecs *vs, struct kind *kd)
{
	const struct kind empty = { .class = kd->class, .set = kd->set,
				    .used = kd->used };

	for (uint32_t h = 0; kd->of && h < vs->m->f->nhosts; h++) {
		free((void *) kd->of[h].entry);
		free((void *) kd->of[h].few);
	}
	free((void *) kd->common.entry);
	free(kd->most);
	free(kd->cover);
	free(kd->same);
	vs->nbegun -= kd->of != NULL;
	vs->kept -= kd->kept;
	free(kd->of);
	*kd = empty;
}

/* Least recently used kind that the current search does not need, or NULL. */
static struct kind *longest_unused(struct sfab_iovecs *vs)
{
	struct kind *oldest = NULL;

	for (uint32_t k = 0; k < vs->nkinds; k++) {
		struct kind *kd = &vs->kind[k];

		if (kd->of && kd->used < vs->search &&
		    (!oldest || kd->used < oldest->used))
			oldest = kd;
	}
	return oldest;
}

/*
 * Is there too much for the limits?  Kinds in use count with their full share,
 * because they may still grow.
 */
static int is_crowded(const struct sfab_iovecs *vs)
{
	uint64_t most = (uint64_t) vs->nused * sfab_iovecs_share(vs);

	for (uint32_t k = 0; k < vs->nkinds; k++)
		if (vs->kind[k].used < vs->search)
			most += vs->kind[k].kept;
	return most > vs->max || vs->nbegun > SFAB_IOVEC_KINDS;
}

int sfab_iovecs_use(struct sfab_iovecs *vs, struct kind *kd)
{
	struct kind *old;

	if (!kd->of) {
		kd->of = calloc(vs->m->f->nhosts + 1u, sizeof(*kd->of));
		if (!kd->of)
			return -1;
		vs->nbegun++;
	}
	if (kd->used == vs->search)
		return 0;
	kd->used = vs->search;
	vs->nused++;
	while (is_crowded(vs) && (old = longest_unused(vs)))
		sfab_iovecs_forget(vs, old);
	return 0;
}
