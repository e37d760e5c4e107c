/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - numbers within texts */
#ifndef SFAB_NUMBER_H
#define SFAB_NUMBER_H

#include <stdint.h>

/*
 * Reads the digits at the beginning of @text, at most @most, and returns what
 * follows.  NULL: there are no digits or the number is larger; *@n is then 0.
 */
const char *number_take(const char *text, uint64_t most, uint64_t *n);

/* -1 unless @text is all digits and at most @most; *@n is then 0. */
int number_parse(const char *text, uint64_t most, uint64_t *n);

/* Writes three digits, or all before the point: "1056", "22.2", "0.512".  Returns @text. */
#define NUMBER_SHORT_SIZE 32
char *number_short(double value, char text[NUMBER_SHORT_SIZE]);

#endif
