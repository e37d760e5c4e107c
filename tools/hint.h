/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hint.h - texts of a job that were meant as hints and are none */
#ifndef SFAB_HINT_H
#define SFAB_HINT_H

struct report;

/*
 * Warn if neither text (NULL: none) has a "sfabric:" token, but one of them is
 * traffic without that prefix, or has a prefix that is nearly it.
 */
void hint_warn(const char *comment, const char *network, struct report *r);

#endif
