/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failing.h - let one allocation fail
 *
 * For programs linked with -Wl,--wrap= of malloc, calloc, realloc, strdup and
 * strndup ($(unit_failing)): so many succeed, the next returns NULL, and all
 * after it succeed again.
 */
#ifndef SFAB_TEST_FAILING_H
#define SFAB_TEST_FAILING_H

extern long allocations_left;	/* -1: none fails, or it has failed */

#endif
