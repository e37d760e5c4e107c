/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - two routings of the same nodes, number next to number */
#ifndef SFAB_COMPARE_H
#define SFAB_COMPARE_H

#include "tools/ui/table.h"
#include "tools/whatif/routing_facts.h"

extern const struct column compare_columns[];

/*
 * Make a table with a row for each figure, which the caller destroys: its value on the fabric
 * as it is (@current) and as it would be (@changed).  @base has the figures of the unchanged
 * fabric as OpenSM routes it here; NULL if that gave the tables of @current.
 */
struct table *compare_routings(const struct routing_facts *current,
			       const struct routing_facts *base,
			       const struct routing_facts *changed);

#endif
