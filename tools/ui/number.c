/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.c - whole numbers in texts; see number.h
 *
 * strtoul() takes signs, blanks and hexadecimal digits and wraps negative
 * numbers around.  A typing error should not become another number.
 */

#include "tools/ui/number.h"

#include <stddef.h>

const char *number_take(const char *text, uint64_t most, uint64_t *n)
{
	const char *at = text;
	uint64_t value = 0;

	*n = 0;
	for (; *at >= '0' && *at <= '9'; at++) {
		unsigned digit = (unsigned) (*at - '0');

		/*
		 * The check is before the multiplication: even @most of
		 * UINT64_MAX cannot overflow.
		 */
		if (digit > most || value > (most - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	*n = value;
	return at > text ? at : NULL;
}

int number_parse(const char *text, uint64_t most, uint64_t *n)
{
	const char *end = number_take(text, most, n);

	if (end && !*end)
		return 0;
	*n = 0;
	return -1;
}
