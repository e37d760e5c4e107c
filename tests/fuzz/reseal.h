/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reseal.h - make the checksums of a changed snapshot right again, so that tests and fuzzers
 * get past them
 */
#ifndef SFAB_TEST_RESEAL_H
#define SFAB_TEST_RESEAL_H

#include "io/hash.h"
#include "io/little.h"
#include "io/snapshot/snapshot_format.h"

static inline void reseal(uint8_t *buf, size_t size)
{
	if (size < SFAB_SNAPSHOT_DATA)
		return;
	for (size_t i = 0; i < SFAB_NSECTIONS; i++) {
		uint8_t *entry = buf + SFAB_AT_TABLE + i * SFAB_ENTRY_SIZE;
		uint64_t offset = sfab_little_get64(entry + SFAB_ENTRY_OFFSET);
		uint64_t length = sfab_little_get64(entry + SFAB_ENTRY_LENGTH);

		length += -length & 7;
		if (offset <= size && length <= size - offset)
			sfab_little_put64(entry + SFAB_ENTRY_CHECKSUM,
					  sfab_hash64(buf + offset, length));
	}
	sfab_little_put64(buf + SFAB_AT_SIZE, size);
	sfab_little_put64(buf + SFAB_AT_FINGERPRINT,
			  sfab_snapshot_fingerprint(buf + SFAB_AT_TABLE));
	sfab_little_put64(buf + SFAB_AT_CHECKSUM, sfab_snapshot_checksum(buf));
}

#endif
