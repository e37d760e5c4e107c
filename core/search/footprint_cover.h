/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footprint_cover.h - links that can be skipped because another link carries
 * more
 *
 * A link is covered by a link that carries at least as much from every host:
 * without other traffic it is never the worst.  Where hosts write, most links
 * are covered: those further along than the fullest link of each leaf, and of
 * each group of leaves.
 */
#ifndef SFAB_FOOTPRINT_COVER_H
#define SFAB_FOOTPRINT_COVER_H

#include "core/search/footprint.h"

struct loads {			/* loads of hosts on links, host by host */
	uint32_t nlinks, nrows;
	size_t *first;		/* [nrows + 1] into entry */
	size_t room;
	struct sfab_ioentry *entry;
};

/* Room for @most hosts; -1: out of memory.  Free it in any case. */
int sfab_loads_init(struct loads *x, uint32_t nlinks, uint32_t most);
void sfab_loads_free(struct loads *x);

/* Add to the current host's loads; begin the next host. */
int sfab_loads_add(struct loads *x, uint32_t link, float v);
void sfab_loads_next(struct loads *x);

/*
 * For each link, @same is set to one that carries exactly the same and @cover
 * to one that covers it, or to itself.  The links named there neither repeat
 * others nor are covered themselves.  Ties go to lower ids.  A common link
 * (@common > 0) covers only links that carry the same: a set that avoids it
 * gains nothing, and the links after it decide.  Each link is compared with the
 * links of one host that loads it.  -1: out of memory.
 */
int sfab_loads_cover(const struct loads *x, const float *common, uint32_t *cover,
		     uint32_t *same);

#endif
