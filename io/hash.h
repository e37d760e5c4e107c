/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - XXH64 with seed 0, as the xxHash specification defines it
 *
 * Finds damage, not forgery.  One pass, several bytes a cycle.  Snapshots and
 * counter files on disk carry these sums: the function may never change.
 */
#ifndef SFAB_HASH_H
#define SFAB_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t sfab_hash64(const uint8_t *p, size_t n);

#endif
