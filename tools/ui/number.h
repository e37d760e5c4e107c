/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - whole numbers in texts of others */
#ifndef SFAB_NUMBER_H
#define SFAB_NUMBER_H

#include <stdint.h>

/*
 * The digits at the beginning of @text, at most @most: what follows them.  NULL:
 * there are none, or they are more; *@n is 0 then.
 */
const char *number_take(const char *text, uint64_t most, uint64_t *n);

/* -1 unless @text is all digits and at most @most; *@n is 0 then. */
int number_parse(const char *text, uint64_t most, uint64_t *n);

#endif
