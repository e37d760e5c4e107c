/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.c - whole numbers in texts; see number.h */

#include "number.h"

int number_parse(const char *text, uint64_t most, uint64_t *n)
{
	uint64_t value = 0;

	*n = 0;
	if (!*text)
		return -1;
	for (; *text; text++) {
		unsigned digit = (unsigned) (*text - '0');

		if (digit > 9 || digit > most || value > (most - digit) / 10)
			return -1;
		value = value * 10 + digit;
	}
	*n = value;
	return 0;
}
