/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hint.h - texts of a job that were meant as hints but are not */
#ifndef SFAB_HINT_H
#define SFAB_HINT_H

#include "place/request/script_cache.h"

struct reply;

/*
 * Warn if a comment or network option (NULL: none) was meant as a hint: neither has a
 * "sfabric:" token, but one is traffic without that prefix, or misspells the prefix.
 */
void hint_warn(const char *comment, const char *network, struct reply *r);

/* Warn about a wrong hint, and about a script (NULL: none) that failed. */
void hint_warn_decided(const struct sfab_decision *d, const struct sfab_script_cache *script_cache,
		       struct reply *r);

#endif
