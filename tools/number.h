/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - whole numbers in texts of others */
#ifndef SFAB_NUMBER_H
#define SFAB_NUMBER_H

#include <stdint.h>

/* -1 unless @text is all digits and at most @most; *@n is 0 then. */
int number_parse(const char *text, uint64_t most, uint64_t *n);

#endif
