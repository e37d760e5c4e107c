/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.c - numbers in texts; see number.h
 *
 * strtoul() takes signs, blanks and hexadecimal digits and wraps negative numbers around.  A
 * typing error should not become another number.
 */

#include "tools/ui/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/is_digit.h"

const char *number_take(const char *text, uint64_t max, uint64_t *n)
{
	const char *end = text;
	uint64_t value = 0;

	*n = 0;
	for (; sfab_is_digit(*end); end++) {
		unsigned digit = (unsigned) (*end - '0');

		/*
		 * The check is before the multiplication: even @max of UINT64_MAX cannot
		 * overflow.
		 */
		if (digit > max || value > (max - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	*n = value;
	return end > text ? end : NULL;
}

unsigned number_take_unit(const char **text, const char *units)
{
	const char *unit = **text ? strchr(units, **text | 0x20) : NULL;

	*text += unit != NULL;
	return unit ? 10 * (unsigned) (unit - units + 1) : 0;
}

int number_parse(const char *text, uint64_t max, uint64_t *n)
{
	const char *end = number_take(text, max, n);

	if (end && !*end)
		return 0;
	*n = 0;
	return -1;
}

char *number_short(double value, char text[NUMBER_SHORT_SIZE])
{
	double size = fabs(value);
	/*
	 * The bounds are where rounding brings one more digit before the point: 99.96 is "100",
	 * not "100.0".
	 */
	int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;

	if (size > 0 && size < 0.001) {
		snprintf(text, NUMBER_SHORT_SIZE, "%.1g", value);
		return text;
	}
	snprintf(text, NUMBER_SHORT_SIZE, "%.*f", digits, value);
	if (digits) {
		char *end = text + strlen(text);

		/* "12.50" says no more than "12.5", and cells are narrow. */
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			end[-1] = '\0';
	}
	return text;
}
