/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ascii.h - digits, whatever the locale */
#ifndef SFAB_ASCII_H
#define SFAB_ASCII_H

static inline int sfab_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#endif
