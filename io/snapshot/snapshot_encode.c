/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_encode.c - a fabric with its IO sets -> bytes; see snapshot.h
 *
 * The field tables turn structs into records, each at the end of its section; the texts of a
 * record go to the end of its pool.  The header is made when all sections are complete.
 */

#include "io/snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/hash.h"
#include "io/little.h"
#include "io/snapshot/snapshot_format.h"

/* A section that grows. */
struct bytes {
	uint8_t *data;
	size_t n, capacity;
	int failed;		/* no memory: later bytes are dropped */
};

struct encoder {
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;		/* NULL: none */
	uint32_t version;			/* of the format */
	struct bytes section[SFAB_NSECTIONS];
	uint8_t head[SFAB_SNAPSHOT_DATA];	/* header and section table */
	size_t size;				/* of all */
};

/* Make space for @n more bytes.  NULL: this or an earlier allocation failed. */
static uint8_t *extend_bytes(struct bytes *b, size_t n)
{
	size_t capacity = b->capacity ? b->capacity : 256;

	while (capacity < b->n + n)
		capacity *= 2;
	if (capacity != b->capacity && !b->failed)
		b->failed = sfab_resize(&b->data, capacity, 1) < 0;
	if (b->failed)
		return NULL;
	b->capacity = capacity;
	b->n += n;
	return b->data + b->n - n;
}

/*
 * Append @n bytes.  Without memory nothing is added: put_header() looks once, at the end,
 * whether all is there.
 */
static void append_bytes(struct bytes *b, const void *data, size_t n)
{
	uint8_t *space = extend_bytes(b, n);

	if (space && n)
		memcpy(space, data, n);
}

/* Append a record: the fields of the struct @row. */
static void put_row(struct encoder *e, enum sfab_section_id id, const void *row)
{
	const struct sfab_section *section = &sfab_sections[id];
	struct bytes *pool = &e->section[section->pool];
	uint8_t *at = extend_bytes(&e->section[id], sfab_snapshot_record_size(section, e->version));

	for (const struct sfab_field *field = section->fields; at && field->type; field++) {
		const void *from = (const char *) row + field->offset;

		if (field->type == SFAB_F_TEXT) {
			const char *text = *(const char *const *) from;

			sfab_little_put32(at, (uint32_t) pool->n);
			append_bytes(pool, text, strlen(text) + 1);
		} else if (field->type == SFAB_F_LID && e->version < SFAB_SNAPSHOT_WIDE) {
			sfab_little_put16(at, (uint16_t) *(const uint32_t *) from);
		} else {
			sfab_field_put(field, row, at);
		}
		at += sfab_section_field_size(field, e->version);
	}
}

static void put_rows(struct encoder *e, enum sfab_section_id id, const void *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put_row(e, id, (const char *) rows + i * sfab_sections[id].stride);
}

/* Append one row for the group and one for each of its ports, in order. */
static void put_group(struct encoder *e, uint32_t sw, const struct sfab_group *g)
{
	const struct sfab_flat_group group = { .sw = sw, .nports = g->nports };

	put_row(e, SFAB_S_GROUPS, &group);
	for (uint32_t i = 0; i < g->nports; i++) {
		const struct sfab_flat_group_port port = { g->share[i], g->port[i] };

		put_row(e, SFAB_S_GROUP_PORTS, &port);
	}
}

/*
 * Append the groups of a switch in the order of the LIDs that use them first, so that equal
 * tables give equal bytes, however a reader numbered its groups.
 */
static void put_port_groups(struct encoder *e, uint32_t id)
{
	const struct sfab_switch *sw = &e->f->switches[id];
	const struct sfab_plane *plane = &e->f->planes[sw->plane];
	uint16_t *number, next = 0, group;

	if (!sw->lft_group)
		return;
	number = calloc(sw->ngroups + 1u, sizeof(*number));
	if (!number) {
		e->section[SFAB_S_GROUPS].failed = 1;
		return;
	}
	for (uint32_t i = 0; i < plane->nlids; i++) {
		struct sfab_flat_group_lid row = { .sw = id, .lid = plane->lid[i] };

		group = sw->lft_group[i];
		if (!group)
			continue;
		if (!number[group]) {
			/* From 1 on, since 0 is a LID without a group; in the file from 0 on. */
			number[group] = ++next;
			put_group(e, id, &sw->groups[group - 1]);
		}
		row.group = number[group] - 1;
		put_row(e, SFAB_S_GROUP_LIDS, &row);
	}
	free(number);
}

/*
 * Append a set.  Members and clients of all sets are in one section each, of which a set has
 * its numbers.
 */
static void put_set(struct encoder *e, const struct sfab_ioset *set)
{
	const struct sfab_flat_ioset row = {
		.name = set->name, .map = set->map | (set->holds_writes ? SFAB_FLAT_HELD : 0),
		.nmembers = set->nmembers, .ngroups = set->ngroups,
	};

	put_row(e, SFAB_S_IO_SETS, &row);
	for (uint32_t i = 0; i < set->nmembers; i++) {
		const struct sfab_flat_member member = {
			set->member[i], set->member_group ? set->member_group[i] : SFAB_NONE,
		};

		put_row(e, SFAB_S_IO_MEMBERS, &member);
	}
	if (set->client_group)
		put_rows(e, SFAB_S_IO_CLIENTS, set->client_group, e->f->nhosts);
}

/*
 * Append all tables.  Format 2 has an entry for each LID from 0 on, and 0xFF where nobody owns
 * it.  Format 3 has those of LIDs that exist.  Switches without a table have no bytes.
 */
static void put_tables(struct encoder *e)
{
	struct bytes *tables = &e->section[SFAB_S_TABLES];

	for (uint32_t s = 0; s < e->f->nswitches; s++) {
		const struct sfab_switch *sw = &e->f->switches[s];
		const struct sfab_plane *plane = &e->f->planes[sw->plane];
		uint32_t n;
		uint8_t *table;

		if (!sw->has_lft)
			continue;
		if (e->version >= SFAB_SNAPSHOT_WIDE) {
			append_bytes(tables, sw->lft, plane->nlids);
			continue;
		}
		table = extend_bytes(tables, plane->lid_end);
		if (!table)
			return;
		memset(table, SFAB_PORT_NONE, plane->lid_end);
		for (uint32_t i = 0; (n = sfab_plane_run(plane, i)) > 0; i += n)
			memcpy(table + plane->lid[i], sw->lft + i, n);
	}
}

/* Append all sections, and texts to the pools in their order. */
static void put_sections(struct encoder *e)
{
	const struct sfab_fabric *f = e->f;

	put_row(e, SFAB_S_EPOCH, f);
	put_rows(e, SFAB_S_ORIGINS, f->planes, f->nplanes);
	put_row(e, SFAB_S_FABRIC, f);
	put_rows(e, SFAB_S_PLANES, f->planes, f->nplanes);
	put_rows(e, SFAB_S_SWITCHES, f->switches, f->nswitches);
	put_rows(e, SFAB_S_HOSTS, f->hosts, f->nhosts);
	put_rows(e, SFAB_S_PORTS, f->ports, f->nports);
	put_rows(e, SFAB_S_LINKS, f->links, f->nlinks);
	put_tables(e);
	for (uint32_t i = 0; i < f->nswitches; i++)
		put_port_groups(e, i);
	for (uint32_t i = 0; e->io && i < e->io->nioports; i++) {
		const struct sfab_flat_ioport port = { e->io->capacity[i], e->io->ioport[i] };

		put_row(e, SFAB_S_IO_PORTS, &port);
	}
	for (uint32_t i = 0; e->io && i < e->io->nsets; i++)
		put_set(e, &e->io->set[i]);
}

static uint64_t section_offset(const struct encoder *e, enum sfab_section_id id)
{
	return sfab_little_get64(e->head + SFAB_AT_TABLE + id * SFAB_ENTRY_SIZE +
				 SFAB_ENTRY_OFFSET);
}

/* Fill up the sections to multiples of 8, and say where they are. */
static int put_header(struct encoder *e)
{
	static const uint8_t zeros[8];

	e->size = SFAB_SNAPSHOT_DATA;
	for (enum sfab_section_id id = 0; id < SFAB_NSECTIONS; id++) {
		uint8_t *entry = e->head + SFAB_AT_TABLE + id * SFAB_ENTRY_SIZE;
		struct bytes *section = &e->section[id];

		memcpy(entry + SFAB_ENTRY_NAME, sfab_sections[id].name, 8);
		sfab_little_put64(entry + SFAB_ENTRY_OFFSET, e->size);
		sfab_little_put64(entry + SFAB_ENTRY_LENGTH, section->n);
		append_bytes(section, zeros, -section->n & 7);
		if (section->failed)
			return -1;
		sfab_little_put64(entry + SFAB_ENTRY_CHECKSUM,
				  sfab_hash64(section->data, section->n));
		e->size += section->n;
	}
	memcpy(e->head + SFAB_AT_MAGIC, SFAB_SNAPSHOT_MAGIC, 8);
	sfab_little_put32(e->head + SFAB_AT_VERSION, e->version);
	sfab_little_put32(e->head + SFAB_AT_NSECTIONS, SFAB_NSECTIONS);
	sfab_little_put64(e->head + SFAB_AT_SIZE, e->size);
	sfab_little_put64(e->head + SFAB_AT_FINGERPRINT,
			  sfab_snapshot_fingerprint(e->head + SFAB_AT_TABLE));
	sfab_little_put64(e->head + SFAB_AT_CHECKSUM, sfab_snapshot_checksum(e->head));
	return 0;
}

/* Make the parts of the file, in memory. */
static int encode_parts(struct encoder *e, const struct sfab_fabric *f,
			const struct sfab_iosets *io)
{
	*e = (struct encoder) { .f = f, .io = io, .version = SFAB_SNAPSHOT_VERSION };
	/*
	 * The lowest format that has room for all LIDs.  So a fabric of InfiniBand gives the
	 * same bytes, and the same fingerprint, as in versions that knew no other.
	 */
	for (uint32_t i = 0; i < f->nplanes; i++)
		if (f->planes[i].lid_end > SFAB_IB_LID_MAX + 1u)
			e->version = SFAB_SNAPSHOT_WIDE;
	put_sections(e);
	return put_header(e);
}

static void free_parts(struct encoder *e)
{
	for (size_t i = 0; i < SFAB_NSECTIONS; i++)
		free(e->section[i].data);
}

/* Join the parts in the memory of the tables, which are most of a file.  NULL: no memory. */
static uint8_t *join_parts(struct encoder *e)
{
	struct bytes *tables = &e->section[SFAB_S_TABLES];
	uint8_t *file = realloc(tables->data, e->size);

	if (!file)
		return NULL;
	tables->data = NULL;
	memmove(file + section_offset(e, SFAB_S_TABLES), file, tables->n);
	memcpy(file, e->head, sizeof(e->head));
	for (enum sfab_section_id id = 0; id < SFAB_NSECTIONS; id++)
		if (e->section[id].data)
			memcpy(file + section_offset(e, id), e->section[id].data,
			       e->section[id].n);
	return file;
}

int sfab_snapshot_encode(const void *object, uint8_t **buf, size_t *size,
			 struct sfab_err *err)
{
	const struct sfab_snapshot *s = object;
	struct encoder e;
	uint8_t *file = NULL;

	if (encode_parts(&e, s->fabric, s->iosets) == 0)
		file = join_parts(&e);
	if (file) {
		*buf = file;
		*size = e.size;
	}
	free_parts(&e);
	return file ? 0 : sfab_no_memory(err);
}

int sfab_snapshot_hash(const struct sfab_fabric *f, const struct sfab_iosets *io,
		       uint64_t *fingerprint, struct sfab_err *err)
{
	struct encoder e;
	int rc = encode_parts(&e, f, io);

	*fingerprint = sfab_little_get64(e.head + SFAB_AT_FINGERPRINT);
	free_parts(&e);
	return rc == 0 ? 0 : sfab_no_memory(err);
}
