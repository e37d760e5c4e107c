/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - numbers within texts */
#ifndef SFAB_NUMBER_H
#define SFAB_NUMBER_H

#include <stdint.h>

/*
 * Reads the digits at the beginning of @text, at most @max, and returns what follows.  NULL:
 * there are no digits or the number is larger; *@n is then 0.
 */
const char *number_take(const char *text, uint64_t max, uint64_t *n);

/*
 * The bits that a unit at *@at stands for: of "kmgt", say, the letters in either case are 10,
 * 20, 30 and 40, and *@at moves behind it.  0: there is none of @units.
 */
unsigned number_take_unit(const char **at, const char *units);

/* -1 unless @text is all digits and at most @max; *@n is then 0. */
int number_parse(const char *text, uint64_t max, uint64_t *n);

/* Writes three digits, or all before the point: "1056", "22.2", "0.512".  Returns @text. */
#define NUMBER_SHORT_SIZE 32
char *number_short(double value, char text[NUMBER_SHORT_SIZE]);

#endif
