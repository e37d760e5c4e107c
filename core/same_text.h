/* SPDX-License-Identifier: GPL-2.0-or-later */
/* same_text.h - compare two texts that may be missing */
#ifndef SFAB_SAME_TEXT_H
#define SFAB_SAME_TEXT_H

#include <string.h>

/* NULL is the same as NULL, and as no text. */
static inline int sfab_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

#endif
