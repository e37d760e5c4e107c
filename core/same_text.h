/* SPDX-License-Identifier: GPL-2.0-or-later */
/* same_text.h - compare two texts that may be missing */
#ifndef SFAB_SAME_TEXT_H
#define SFAB_SAME_TEXT_H

#include <string.h>

/* Are the texts equal, or both NULL?  NULL and "" differ. */
static inline int sfab_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

#endif
