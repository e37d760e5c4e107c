/* SPDX-License-Identifier: GPL-2.0-or-later */
/* best_fit.h - best fit: which of two groups of free hosts to use */
#ifndef SFAB_BEST_FIT_H
#define SFAB_BEST_FIT_H

#include <stdint.h>

/*
 * >0: @a free hosts fit @need better than @b, <0: worse.  If both are enough
 * the smaller group is better, otherwise the larger one.
 */
static inline int sfab_best_fit(uint32_t a, uint32_t b, uint32_t need)
{
	if (a >= need && b >= need)
		return (a < b) - (a > b);
	return (a > b) - (a < b);
}

#endif
