/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ar_traits.c - see ar_traits.h */

#include "io/ar_traits.h"

#include <stdio.h>

static const char *const ar_trait_names[SFAB_AR_TRAITS] = { "HBF", "SHIELD", "pFRN" };

char *sfab_ar_traits_text(const uint32_t switches[SFAB_AR_TRAITS], uint32_t n,
			  char text[SFAB_AR_TRAITS_SIZE])
{
	int size = 0;

	*text = '\0';
	for (unsigned i = 0; i < SFAB_AR_TRAITS; i++)
		if (switches[i])
			size += snprintf(text + size, (size_t) (SFAB_AR_TRAITS_SIZE - size),
				       "%s%s on %u", size ? ", " : "", ar_trait_names[i],
				       switches[i]);
	if (size)
		snprintf(text + size, (size_t) (SFAB_AR_TRAITS_SIZE - size), " of %u switches", n);
	return text;
}
