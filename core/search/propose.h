/* SPDX-License-Identifier: GPL-2.0-or-later */
/* propose.h - the proposers: where sets to score come from */
#ifndef SFAB_PROPOSE_H
#define SFAB_PROPOSE_H

#include "core/search/pool.h"

/*
 * Each proposer tries its sets with sfab_pool_try(), as long as sfab_pool_may_go_on().  Errors
 * are those of sfab_search().
 */

/* propose.c: the set of topology/tree, always tried so that there is a set to return */
int sfab_propose_tree(struct pool *p, struct sfab_err *err);
/* propose.c: random, contiguous and spread, as `sfabric place` prints beside the choice */
int sfab_propose_plain(struct pool *p, struct sfab_err *err);
/* propose.c: units by best fit (packing.h) */
int sfab_propose_units(struct pool *p, struct sfab_err *err);
/* propose.c: stripes of each power of two (stripes.h) */
int sfab_propose_stripes(struct pool *p, struct sfab_err *err);
/* propose.c: even rows of each width (even_rows.h) */
int sfab_propose_even_rows(struct pool *p, struct sfab_err *err);
/* search_io.c: spread IO so that the worst link stays low */
int sfab_propose_io(struct pool *p, struct sfab_err *err);
/* local_search.c: improve the best set so far; there must be one */
int sfab_propose_changes(struct pool *p, struct sfab_err *err);

#endif
