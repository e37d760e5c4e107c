/* SPDX-License-Identifier: GPL-2.0-or-later */
/* is_digit.h - is a byte a digit, whatever the locale */
#ifndef SFAB_IS_DIGIT_H
#define SFAB_IS_DIGIT_H

static inline int sfab_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#endif
