/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * features.h - simple feature requests (--constraint) of jobs
 *
 * "a", "a&b" ("a,b") and "a|b".  Counts, brackets and mixtures are left to
 * Slurm and not understood here.
 */
#ifndef SFAB_FEATURES_H
#define SFAB_FEATURES_H

/* 1: @wanted is one of the simple forms. */
int features_known(const char *wanted);

/*
 * Does a node with @have ("a,b", NULL: none) fit @wanted, which is a simple
 * form?
 */
int features_match(const char *wanted, const char *have);

#endif
