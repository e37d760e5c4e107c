/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - XXH64 with seed 0, as the xxHash specification defines it
 *
 * Detects damage, not forgery.  One pass, several bytes per cycle.  Snapshots and counter files
 * on disk contain these sums, so the function must never change.
 */
#ifndef SFAB_HASH_H
#define SFAB_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Return the hash that files contain.  O(n). */
uint64_t sfab_hash64(const uint8_t *p, size_t n);

/* Continue @hash with the @n bytes at @p.  No file contains such hashes. */
uint64_t sfab_hash64_continue(uint64_t hash, const void *p, size_t n);

#endif
