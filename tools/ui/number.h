/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - numbers within texts */
#ifndef SFAB_NUMBER_H
#define SFAB_NUMBER_H

#include <stdint.h>

/*
 * Read the number at the beginning of @text, at most @max, and return what follows.  NULL:
 * there are no digits or the number is larger; *@n is then 0.
 */
const char *number_take(const char *text, uint64_t max, uint64_t *n);

/*
 * If *@text begins with one of the letters @units, in either case, move *@text behind it and
 * return the power of two that it stands for: of "kmgt", for example, 10, 20, 30 or 40.  0: it
 * does not.
 */
unsigned number_take_unit(const char **text, const char *units);

/* Read @text as a number of digits alone, at most @max.  -1: it is none; *@n is then 0. */
int number_parse(const char *text, uint64_t max, uint64_t *n);

/*
 * Write @value with three digits, or all before the point: "1056", "22.2", "0.512".  Return
 * @text.
 */
#define NUMBER_SHORT_SIZE 32
char *number_short(double value, char text[NUMBER_SHORT_SIZE]);

#endif
