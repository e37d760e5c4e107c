/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ar_traits.c - see ar_traits.h */

#include "io/ar_traits.h"

#include <stdio.h>

static const char *const ar_trait_names[SFAB_AR_TRAITS] = { "HBF", "SHIELD", "pFRN" };

char *sfab_ar_traits_text(const uint32_t with[SFAB_AR_TRAITS], uint32_t n,
			  char text[SFAB_AR_TRAITS_SIZE])
{
	int at = 0;

	*text = '\0';
	for (unsigned i = 0; i < SFAB_AR_TRAITS; i++)
		if (with[i])
			at += snprintf(text + at, (size_t) (SFAB_AR_TRAITS_SIZE - at),
				       "%s%s on %u", at ? ", " : "", ar_trait_names[i],
				       with[i]);
	if (at)
		snprintf(text + at, (size_t) (SFAB_AR_TRAITS_SIZE - at), " of %u switches", n);
	return text;
}
