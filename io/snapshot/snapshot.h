/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.h - one file with a fabric, its tables and its IO sets
 *
 * Binary, little-endian, versioned, sections with lengths, checksum over all;
 * the format is doc/snapshot-format.md.  Table sections are in normal form
 * (switches by GUID, entries 0..highest assigned LID, 0xFF for LIDs that no
 * port owns), so that every source of the same sweep gives the same bytes.
 */
#ifndef SFAB_SNAPSHOT_H
#define SFAB_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "io/file.h"

struct sfab_snapshot {
	struct sfab_fabric *fabric;
	struct sfab_iosets *iosets;	/* of a decoded one: never NULL */
	/*
	 * Of the content: topology, tables, IO sets.  Time, source text,
	 * engine and subnet manager are not in it.
	 */
	uint64_t fingerprint;
};

void sfab_snapshot_destroy(struct sfab_snapshot *s);	/* NULL is fine */

/* Takes over both (@io NULL: none), also on failure: NULL with *err. */
struct sfab_snapshot *sfab_snapshot_take(struct sfab_fabric *f,
					 struct sfab_iosets *io,
					 struct sfab_err *err);

/* Bytes of a snapshot file; caller frees *@buf. */
int sfab_snapshot_encode(const struct sfab_snapshot *s, uint8_t **buf,
			 size_t *size, struct sfab_err *err);

/*
 * Verify @buf completely (length, checksums, every index in range) and make a
 * snapshot that owns copies of all it needs.  Never reads past @size.
 * SFAB_EFORMAT with what is wrong; SFAB_ENOMEM.  Route loops are not looked
 * for.  11,664 hosts and 1,620 switches: 50 ms, 64 MB with @buf.
 */
struct sfab_snapshot *sfab_snapshot_decode(const uint8_t *buf, size_t size,
					   struct sfab_err *err);

/* The bytes of a snapshot by how it begins, as sfab_file_sizer says. */
uint64_t sfab_snapshot_size(const uint8_t *head, size_t n, struct sfab_err *err);

/* Temporary file in the same folder, fsync, rename.  @mode e.g. 0644. */
int sfab_snapshot_save(const struct sfab_snapshot *s, const char *path,
		       unsigned mode, struct sfab_err *err);

/* sfab_file_decode() of it. */
struct sfab_snapshot *sfab_snapshot_load(const char *path,
					 const struct sfab_trust *trust,
					 struct sfab_err *err);

#endif
