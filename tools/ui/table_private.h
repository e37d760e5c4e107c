/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table_private.h - what table.c fills and table_print.c prints */
#ifndef SFAB_TABLE_PRIVATE_H
#define SFAB_TABLE_PRIVATE_H

#include "tools/ui/table.h"

struct table_cell {
	char *text;		/* COLUMN_TEXT, unescaped */
	uint64_t count;
	double number;
	uint32_t row;		/* first cell of a row: index before sorting */
	int is_set;
};

struct table {
	const struct column *columns;
	unsigned ncolumns;
	unsigned last_column;	/* that was filled */
	uint32_t nrows;
	struct table_cell **rows;
};

/* Find the column whose name is the first @n bytes of @name, ignoring case. */
int table_field(const struct table *t, const char *name, size_t n,
		unsigned *col, struct sfab_err *err);

#endif
