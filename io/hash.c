/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.c - XXH64 through xxHash's header
 *
 * XXH_INLINE_ALL compiles its functions into this file, so that slurmctld and opensm load no
 * additional library and see none of its symbols.
 */

#include "io/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t sfab_hash64(const uint8_t *p, size_t n)
{
	return XXH64(p, n, 0);
}

uint64_t sfab_hash64_continue(uint64_t hash, const void *p, size_t n)
{
	return XXH64(p, n, hash);
}
