/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link_table.h - links and the jobs on them, as a table and as JSON */
#ifndef SFAB_LINK_TABLE_H
#define SFAB_LINK_TABLE_H

#include "tools/plot/link_jobs.h"
#include "tools/ui/table.h"

extern const struct column link_table_columns[];

/* Rows in the order of @link [@n]; the caller owns the table. */
struct table *link_table(const struct link_jobs *l, const uint32_t *link,
			 uint32_t n);

/* The same with an array of {job, user, gbs} in each row, largest first. */
struct json_object *link_table_json(const struct link_jobs *l,
				    const uint32_t *link, uint32_t n);

#endif
