/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.c - XXH64 by xxHash's header
 *
 * XXH_INLINE_ALL makes its functions part of this file, so slurmctld and
 * opensm load no library for it and see no symbol of it.
 */

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/hash.h"

uint64_t sfab_hash64(const uint8_t *p, size_t n)
{
	return XXH64(p, n, 0);
}
