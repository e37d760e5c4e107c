/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_page.h - the report as one HTML file
 *
 * Style and pictures are inside, nothing is loaded, and there is no script.
 */
#ifndef SFAB_PAST_PAGE_H
#define SFAB_PAST_PAGE_H

#include "tools/report/past_tables.h"

/* @summary: lines that come first. */
void past_page(const struct past *p, const struct past_table part[PAST_PARTS],
	       const char *summary, FILE *out);

#endif
