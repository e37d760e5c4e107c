/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_format.h - the tables that encoder and decoder of snapshots share
 *
 * A section is either bytes or records.  A record has the fields of a struct, packed and
 * little-endian, in the order of its field table (io/record.h); a text in it is the offset of
 * the text in the section's pool.  What the fabric keeps as plain arrays is encoded from and
 * decoded into these arrays; everything else (port groups, IO sets) goes through the flat_
 * structs.  doc/snapshot-format.md describes the format in prose.
 */
#ifndef SFAB_SNAPSHOT_FORMAT_H
#define SFAB_SNAPSHOT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "io/record.h"

#define SFAB_SNAPSHOT_MAGIC "SFABSNAP"

/*
 * Two formats are read and written.  A fabric whose LIDs all fit into format 2 is written in
 * it, so that readers of the version before still take it.
 */
#define SFAB_SNAPSHOT_VERSION 2u	/* LIDs up to SFAB_IB_LID_MAX, in 16 bits */
#define SFAB_SNAPSHOT_WIDE 3u		/* LIDs of 32 bits; tables of those that exist */

/* Header: offsets of its fields. */
enum {
	SFAB_AT_MAGIC = 0,
	SFAB_AT_VERSION = 8,
	SFAB_AT_NSECTIONS = 12,
	SFAB_AT_SIZE = 16,
	SFAB_AT_FINGERPRINT = 24,
	SFAB_AT_CHECKSUM = 32,
	SFAB_AT_TABLE = 40,	/* where the section table begins */
};

/* Entry of the section table: offsets of its fields. */
enum {
	SFAB_ENTRY_NAME = 0,
	SFAB_ENTRY_OFFSET = 8,
	SFAB_ENTRY_LENGTH = 16,
	SFAB_ENTRY_CHECKSUM = 24,
	SFAB_ENTRY_SIZE = 32,
};

enum sfab_section_id {
	SFAB_S_EPOCH,
	SFAB_S_ORIGINS,
	SFAB_S_NOTES,
	SFAB_S_FABRIC,		/* from here on: content, part of the fingerprint */
	SFAB_S_PLANES,
	SFAB_S_SWITCHES,
	SFAB_S_HOSTS,
	SFAB_S_PORTS,
	SFAB_S_LINKS,
	SFAB_S_TABLES,
	SFAB_S_GROUPS,
	SFAB_S_GROUP_PORTS,
	SFAB_S_GROUP_LIDS,
	SFAB_S_IO_PORTS,
	SFAB_S_IO_SETS,
	SFAB_S_IO_MEMBERS,
	SFAB_S_IO_CLIENTS,
	SFAB_S_NAMES,
	SFAB_NSECTIONS
};

#define SFAB_SNAPSHOT_DATA (SFAB_AT_TABLE + SFAB_NSECTIONS * SFAB_ENTRY_SIZE)

struct sfab_section {
	char name[9];
	const struct sfab_field *fields;	/* NULL: bytes */
	size_t stride;				/* bytes of the struct in memory */
	uint32_t max;				/* records: more than a fabric can have */
	enum sfab_section_id pool;		/* the section with its texts */
};

extern const struct sfab_section sfab_sections[SFAB_NSECTIONS];

/*
 * Return the bytes of a field in a file of format @version.  SFAB_F_LID has 32 bits in memory,
 * and in a file what its format says; SFAB_F_TEXT is an offset in the pool.
 */
size_t sfab_section_field_size(const struct sfab_field *field, uint32_t version);
/* Return the bytes of a record in a file of format @version. */
size_t sfab_snapshot_record_size(const struct sfab_section *section, uint32_t version);

struct sfab_flat_group { uint32_t sw, nports; };
struct sfab_flat_group_port { double share; uint8_t port; };
struct sfab_flat_group_lid { uint32_t sw, lid; uint16_t group; };
struct sfab_flat_ioport { double capacity; uint32_t port; };
#define SFAB_FLAT_HELD 256u	/* flag in map: servers hold writes back */
struct sfab_flat_ioset { const char *name; uint32_t map, nmembers, ngroups; };
struct sfab_flat_member { uint32_t ioport, group; };
struct sfab_flat_client { uint32_t group; };

/*
 * Compute the fingerprint from the checksums of the content sections in the section table
 * @entries.  It does not depend on time, source, subnet manager or engine.
 */
uint64_t sfab_snapshot_fingerprint(const uint8_t *entries);

/* Compute the checksum of header and section table, with its own field counted as zero. */
uint64_t sfab_snapshot_checksum(const uint8_t *buf);

#endif
