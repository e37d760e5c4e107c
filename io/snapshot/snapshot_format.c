/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_format.c - the sections of a snapshot and the fields of each
 *
 * Encoder and decoder both follow these tables, so a field is described once.  A new field or
 * section needs a new format.
 *
 * Order matters three times.  It is the order in the file; pools come after the sections whose
 * texts they hold; and all sections from FABRIC on are in the fingerprint, while time, source
 * and engines are not.
 */

#include "io/snapshot/snapshot_format.h"

#include "core/fabric/fabric.h"
#include "io/hash.h"
#include "io/little.h"

/* Records of @type: the most there may be, the pool of their texts, and their fields. */
#define RECORDS(type, max, pool, ...) \
	(const struct sfab_field[]){ __VA_ARGS__, SFAB_FIELD_END }, sizeof(struct type), max, pool
#define F(type, name, member) SFAB_FIELD(SFAB_F_##type, name, member)
#define FABRIC(type, member) F(type, sfab_fabric, member)
#define PLANE(type, member) F(type, sfab_plane, member)
#define SWITCH(type, member) F(type, sfab_switch, member)
#define PORT(type, member) F(type, sfab_port, member)
#define LINK(type, member) F(type, sfab_link, member)

/*
 * The limits are far above any fabric.  They keep a damaged number from asking for memory
 * without end.
 */
const struct sfab_section sfab_sections[SFAB_NSECTIONS] = {
	[SFAB_S_EPOCH] = { "EPOCH", RECORDS(sfab_fabric, 1, SFAB_S_NOTES,
		FABRIC(U64, time), FABRIC(TEXT, source)) },
	[SFAB_S_ORIGINS] = { "ORIGINS", RECORDS(sfab_plane, 64, SFAB_S_NOTES,
		PLANE(U64, sm_guid), PLANE(TEXT, engine), PLANE(TEXT, asked)) },
	[SFAB_S_NOTES] = { "NOTES" },
	[SFAB_S_FABRIC] = { "FABRIC", RECORDS(sfab_fabric, 1, SFAB_S_NAMES,
		FABRIC(U8, adaptive)) },
	[SFAB_S_PLANES] = { "PLANES", RECORDS(sfab_plane, 64, SFAB_S_NAMES,
		PLANE(TEXT, name), PLANE(U32, lid_end)) },
	[SFAB_S_SWITCHES] = { "SWITCHES", RECORDS(sfab_switch, 1u << 17, SFAB_S_NAMES,
		SWITCH(U64, guid), SWITCH(TEXT, name), SWITCH(U32, plane),
		SWITCH(LID, lid), SWITCH(U8, nports), SWITCH(U8, has_lft)) },
	[SFAB_S_HOSTS] = { "HOSTS", RECORDS(sfab_host, 1u << 21, SFAB_S_NAMES,
		F(TEXT, sfab_host, name), F(U32, sfab_host, role)) },
	[SFAB_S_PORTS] = { "PORTS", RECORDS(sfab_port, 1u << 21, SFAB_S_NAMES,
		PORT(U64, guid), PORT(U64, node_guid), PORT(TEXT, desc), PORT(U32, host),
		PORT(U32, plane), PORT(LID, lid), PORT(U8, lmc), PORT(U8, num)) },
	[SFAB_S_LINKS] = { "LINKS", RECORDS(sfab_link, 1u << 24, SFAB_S_NAMES,
		LINK(F64, capacity), LINK(U32, from), LINK(U32, to), LINK(U8, from_port),
		LINK(U8, to_port), LINK(U8, kind), LINK(U8, up)) },
	[SFAB_S_TABLES] = { "TABLES" },
	[SFAB_S_GROUPS] = { "GROUPS", RECORDS(sfab_flat_group, 1u << 26, SFAB_S_NAMES,
		F(U32, sfab_flat_group, sw), F(U32, sfab_flat_group, nports)) },
	[SFAB_S_GROUP_PORTS] = { "GRPPORTS", RECORDS(sfab_flat_group_port, 1u << 27, SFAB_S_NAMES,
		F(F64, sfab_flat_group_port, share), F(U8, sfab_flat_group_port, port)) },
	[SFAB_S_GROUP_LIDS] = { "GRPLIDS", RECORDS(sfab_flat_group_lid, 1u << 26, SFAB_S_NAMES,
		F(U32, sfab_flat_group_lid, sw), F(LID, sfab_flat_group_lid, lid),
		F(U16, sfab_flat_group_lid, group)) },
	[SFAB_S_IO_PORTS] = { "IOPORTS", RECORDS(sfab_flat_ioport, 1u << 21, SFAB_S_NAMES,
		F(F64, sfab_flat_ioport, capacity), F(U32, sfab_flat_ioport, port)) },
	[SFAB_S_IO_SETS] = { "IOSETS", RECORDS(sfab_flat_ioset, 1024, SFAB_S_NAMES,
		F(TEXT, sfab_flat_ioset, name), F(U32, sfab_flat_ioset, map),
		F(U32, sfab_flat_ioset, nmembers), F(U32, sfab_flat_ioset, ngroups)) },
	[SFAB_S_IO_MEMBERS] = { "IOMEMBER", RECORDS(sfab_flat_member, 1u << 26, SFAB_S_NAMES,
		F(U32, sfab_flat_member, ioport), F(U32, sfab_flat_member, group)) },
	[SFAB_S_IO_CLIENTS] = { "IOCLIENT", RECORDS(sfab_flat_client, 1u << 26, SFAB_S_NAMES,
		F(U32, sfab_flat_client, group)) },
	[SFAB_S_NAMES] = { "NAMES" },
};

size_t sfab_section_field_size(const struct sfab_field *field, uint32_t version)
{
	return field->type == SFAB_F_LID && version < SFAB_SNAPSHOT_WIDE ? 2 :
	       sfab_field_size(field);
}

size_t sfab_snapshot_record_size(const struct sfab_section *section, uint32_t version)
{
	size_t size = 0;

	if (!section->fields)
		return 1;
	for (const struct sfab_field *field = section->fields; field->type; field++)
		size += sfab_section_field_size(field, version);
	return size;
}

/* Hash the checksums of the sections, which were made over their bytes. */
uint64_t sfab_snapshot_fingerprint(const uint8_t *entries)
{
	uint8_t sums[8 * (SFAB_NSECTIONS - SFAB_S_FABRIC)];
	size_t i;

	for (i = SFAB_S_FABRIC; i < SFAB_NSECTIONS; i++)
		memcpy(sums + 8 * (i - SFAB_S_FABRIC),
		       entries + i * SFAB_ENTRY_SIZE + SFAB_ENTRY_CHECKSUM, 8);
	return sfab_hash64(sums, sizeof(sums));
}

uint64_t sfab_snapshot_checksum(const uint8_t *buf)
{
	uint8_t head[SFAB_SNAPSHOT_DATA];

	memcpy(head, buf, sizeof(head));
	sfab_little_put64(head + SFAB_AT_CHECKSUM, 0);
	return sfab_hash64(head, sizeof(head));
}
