/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footprint_cover.h - links that need not be looked at, because another carries
 * more
 *
 * A link is covered by one that carries at least as much from whatever host:
 * without other traffic it is never the worst.  Where hosts write most links are
 * covered: those behind the fullest of each leaf, of each group of leaves.
 */
#ifndef SFAB_FOOTPRINT_COVER_H
#define SFAB_FOOTPRINT_COVER_H

#include "core/search/footprint.h"

struct loads {			/* what hosts put on links, host by host */
	uint32_t nlinks, nrows;
	size_t *first;		/* [nrows + 1] into entry */
	size_t room;
	struct sfab_ioentry *entry;
};

/* Room for @most hosts; -1: no memory.  Free it in any case. */
int sfab_loads_init(struct loads *x, uint32_t nlinks, uint32_t most);
void sfab_loads_free(struct loads *x);

/* Add to the last host's loads, begin a new host. */
int sfab_loads_add(struct loads *x, uint32_t link, float v);
void sfab_loads_next(struct loads *x);

/*
 * @same gets for each link one that carries exactly the same, @cover one that
 * covers it, or itself; neither repeats others or is covered by them.  Ties go to
 * lower ids.  Common links (@common > 0) cover only those that carry the same: who
 * avoids them is none the better, what comes after them decides.
 * Compares each link with those of one host that loads it.  -1: no memory.
 */
int sfab_loads_cover(const struct loads *x, const float *common, uint32_t *cover,
		     uint32_t *same);

#endif
