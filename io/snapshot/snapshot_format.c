/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_format.c - the sections of a snapshot and the fields of each
 *
 * Encoder and decoder both follow these tables, so a field is described once.  A new
 * field or section needs a new format.
 *
 * Order matters three times.  It is the order in the file; pools come after the
 * sections whose texts they hold; and all sections from FABRIC on are in the
 * fingerprint, while time, source and engines are not.
 */

#include "io/snapshot/snapshot_format.h"

#include "core/fabric/fabric.h"
#include "io/hash.h"
#include "io/little.h"

#define AT(type, field) offsetof(struct type, field)
#define RECORDS(fields, type) fields, sizeof(struct type)

static const struct sfab_field epoch_fields[] = {
	{ SFAB_F_U64, AT(sfab_fabric, time) },
	{ SFAB_F_TEXT, AT(sfab_fabric, source) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field origin_fields[] = {
	{ SFAB_F_U64, AT(sfab_plane, sm_guid) },
	{ SFAB_F_TEXT, AT(sfab_plane, engine) },
	{ SFAB_F_TEXT, AT(sfab_plane, asked) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field fabric_fields[] = {
	{ SFAB_F_U8, AT(sfab_fabric, adaptive) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field plane_fields[] = {
	{ SFAB_F_TEXT, AT(sfab_plane, name) },
	{ SFAB_F_U32, AT(sfab_plane, lid_end) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field switch_fields[] = {
	{ SFAB_F_U64, AT(sfab_switch, guid) },
	{ SFAB_F_TEXT, AT(sfab_switch, name) },
	{ SFAB_F_U32, AT(sfab_switch, plane) },
	{ SFAB_F_LID, AT(sfab_switch, lid) },
	{ SFAB_F_U8, AT(sfab_switch, nports) },
	{ SFAB_F_U8, AT(sfab_switch, has_lft) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field host_fields[] = {
	{ SFAB_F_TEXT, AT(sfab_host, name) },
	{ SFAB_F_U32, AT(sfab_host, role) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field port_fields[] = {
	{ SFAB_F_U64, AT(sfab_port, guid) },
	{ SFAB_F_U64, AT(sfab_port, node_guid) },
	{ SFAB_F_TEXT, AT(sfab_port, desc) },
	{ SFAB_F_U32, AT(sfab_port, host) },
	{ SFAB_F_U32, AT(sfab_port, plane) },
	{ SFAB_F_LID, AT(sfab_port, lid) },
	{ SFAB_F_U8, AT(sfab_port, lmc) },
	{ SFAB_F_U8, AT(sfab_port, num) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field link_fields[] = {
	{ SFAB_F_F64, AT(sfab_link, capacity) },
	{ SFAB_F_U32, AT(sfab_link, from) },
	{ SFAB_F_U32, AT(sfab_link, to) },
	{ SFAB_F_U8, AT(sfab_link, from_port) },
	{ SFAB_F_U8, AT(sfab_link, to_port) },
	{ SFAB_F_U8, AT(sfab_link, kind) },
	{ SFAB_F_U8, AT(sfab_link, up) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field group_fields[] = {
	{ SFAB_F_U32, AT(sfab_flat_group, sw) },
	{ SFAB_F_U32, AT(sfab_flat_group, nports) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field group_port_fields[] = {
	{ SFAB_F_F64, AT(sfab_flat_group_port, share) },
	{ SFAB_F_U8, AT(sfab_flat_group_port, port) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field group_lid_fields[] = {
	{ SFAB_F_U32, AT(sfab_flat_group_lid, sw) },
	{ SFAB_F_LID, AT(sfab_flat_group_lid, lid) },
	{ SFAB_F_U16, AT(sfab_flat_group_lid, group) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field ioport_fields[] = {
	{ SFAB_F_F64, AT(sfab_flat_ioport, capacity) },
	{ SFAB_F_U32, AT(sfab_flat_ioport, port) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field ioset_fields[] = {
	{ SFAB_F_TEXT, AT(sfab_flat_ioset, name) },
	{ SFAB_F_U32, AT(sfab_flat_ioset, map) },
	{ SFAB_F_U32, AT(sfab_flat_ioset, nmembers) },
	{ SFAB_F_U32, AT(sfab_flat_ioset, ngroups) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field member_fields[] = {
	{ SFAB_F_U32, AT(sfab_flat_member, ioport) },
	{ SFAB_F_U32, AT(sfab_flat_member, group) },
	{ SFAB_F_END, 0 }
};
static const struct sfab_field client_fields[] = {
	{ SFAB_F_U32, AT(sfab_flat_client, group) },
	{ SFAB_F_END, 0 }
};

/*
 * The limits are far above any fabric.  They keep a damaged number from asking
 * for memory without end.
 */
const struct sfab_section sfab_sections[SFAB_NSECTIONS] = {
	[SFAB_S_EPOCH] = { "EPOCH", RECORDS(epoch_fields, sfab_fabric), 1,
			   SFAB_S_NOTES },
	[SFAB_S_ORIGINS] = { "ORIGINS", RECORDS(origin_fields, sfab_plane), 64,
			     SFAB_S_NOTES },
	[SFAB_S_NOTES] = { "NOTES" },
	[SFAB_S_FABRIC] = { "FABRIC", RECORDS(fabric_fields, sfab_fabric), 1,
			    SFAB_S_NAMES },
	[SFAB_S_PLANES] = { "PLANES", RECORDS(plane_fields, sfab_plane), 64,
			    SFAB_S_NAMES },
	[SFAB_S_SWITCHES] = { "SWITCHES", RECORDS(switch_fields, sfab_switch),
			      1u << 17, SFAB_S_NAMES },
	[SFAB_S_HOSTS] = { "HOSTS", RECORDS(host_fields, sfab_host), 1u << 21,
			   SFAB_S_NAMES },
	[SFAB_S_PORTS] = { "PORTS", RECORDS(port_fields, sfab_port), 1u << 21,
			   SFAB_S_NAMES },
	[SFAB_S_LINKS] = { "LINKS", RECORDS(link_fields, sfab_link), 1u << 24,
			   SFAB_S_NAMES },
	[SFAB_S_TABLES] = { "TABLES" },
	[SFAB_S_GROUPS] = { "GROUPS", RECORDS(group_fields, sfab_flat_group),
			    1u << 26, SFAB_S_NAMES },
	[SFAB_S_GROUP_PORTS] = { "GRPPORTS",
				 RECORDS(group_port_fields,
					 sfab_flat_group_port),
				 1u << 27, SFAB_S_NAMES },
	[SFAB_S_GROUP_LIDS] = { "GRPLIDS",
				RECORDS(group_lid_fields, sfab_flat_group_lid),
				1u << 26, SFAB_S_NAMES },
	[SFAB_S_IO_PORTS] = { "IOPORTS", RECORDS(ioport_fields,
						 sfab_flat_ioport),
			      1u << 21, SFAB_S_NAMES },
	[SFAB_S_IO_SETS] = { "IOSETS", RECORDS(ioset_fields, sfab_flat_ioset),
			     1024, SFAB_S_NAMES },
	[SFAB_S_IO_MEMBERS] = { "IOMEMBER", RECORDS(member_fields,
						    sfab_flat_member),
				1u << 26, SFAB_S_NAMES },
	[SFAB_S_IO_CLIENTS] = { "IOCLIENT", RECORDS(client_fields,
						    sfab_flat_client),
				1u << 26, SFAB_S_NAMES },
	[SFAB_S_NAMES] = { "NAMES" },
};

size_t sfab_field_size(enum sfab_field_type type, uint32_t version)
{
	static const uint8_t size[] = {
		[SFAB_F_END] = 0, [SFAB_F_U8] = 1,  [SFAB_F_U16] = 2,
		[SFAB_F_U32] = 4, [SFAB_F_U64] = 8, [SFAB_F_F64] = 8,
		[SFAB_F_TEXT] = 4,
	};

	if (type == SFAB_F_LID)
		return version < SFAB_SNAPSHOT_WIDE ? 2 : 4;
	return size[type];
}

size_t sfab_record_size(const struct sfab_section *section, uint32_t version)
{
	const struct sfab_field *field;
	size_t size = 0;

	if (!section->fields)
		return 1;
	for (field = section->fields; field->type != SFAB_F_END; field++)
		size += sfab_field_size(field->type, version);
	return size;
}

/* Over the checksums of the sections, which were made over their bytes. */
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
	sfab_put64(head + SFAB_AT_CHECKSUM, 0);
	return sfab_hash64(head, sizeof(head));
}
