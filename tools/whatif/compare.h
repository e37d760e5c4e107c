/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - two routings of the same nodes, number next to number */
#ifndef SFAB_COMPARE_H
#define SFAB_COMPARE_H

#include "tools/ui/table.h"
#include "tools/whatif/routing_facts.h"

extern const struct column compare_columns[];

/*
 * A row for each measure; caller destroys.  @base: the unchanged fabric as it was routed
 * again, NULL: its tables are those of @now.
 */
struct table *compare_routings(const struct routing_facts *now, const struct routing_facts *base,
			       const struct routing_facts *then);

#endif
