/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_tables.h - found traffic and history as tables */
#ifndef SFAB_LEARN_TABLES_H
#define SFAB_LEARN_TABLES_H

#include "io/learn/found_traffic.h"
#include "io/learn/history.h"
#include "tools/ui/table.h"

extern const struct column found_columns[], history_columns[];

/* Make a table with a row for each job of @f, or each group of runs in @h.  Caller destroys it. */
struct table *learn_found_table(const struct sfab_found *f, uint64_t now_s);
struct table *learn_history_table(const struct sfab_history *h, uint64_t now_s);

#endif
