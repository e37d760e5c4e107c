/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_decode.c - bytes -> a fabric with its IO sets; see snapshot.h
 *
 * Header and checksums first; then the field tables turn records into rows of structs.  Rows
 * that the fabric keeps as arrays become its arrays.  The content is checked here and by
 * sfab_fabric_index() and sfab_iosets_copy() before any index is followed.
 *
 * Route loops are not searched for: the length of a route is bounded anyway.
 */

#include "io/snapshot/snapshot_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric_arrays.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/little.h"
#include "io/snapshot/snapshot.h"
#include "io/snapshot/snapshot_format.h"

/* -- header and section table ----------------------------------------------- */

uint64_t sfab_snapshot_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	if (n < SFAB_FILE_HEAD ||
	    memcmp(head + SFAB_AT_MAGIC, SFAB_SNAPSHOT_MAGIC, 8) != 0) {
		sfab_fail(err, SFAB_EFORMAT, "not a snapshot of a fabric"
			  " (or less than its header)");
		return 0;
	}
	/* Before the checksum: another version may compute it differently. */
	if (sfab_little_get32(head + SFAB_AT_VERSION) != SFAB_SNAPSHOT_VERSION &&
	    sfab_little_get32(head + SFAB_AT_VERSION) != SFAB_SNAPSHOT_WIDE) {
		sfab_fail(err, SFAB_EFORMAT, "snapshot format %u (expected %u or "
			  "%u: another version of sfabric?)",
			  sfab_little_get32(head + SFAB_AT_VERSION),
			  SFAB_SNAPSHOT_VERSION, SFAB_SNAPSHOT_WIDE);
		return 0;
	}
	if (!sfab_little_get64(head + SFAB_AT_SIZE))
		sfab_fail(err, SFAB_EFORMAT, "0 bytes by its header (damaged)");
	return sfab_little_get64(head + SFAB_AT_SIZE);
}

/* Check the header.  The fingerprint is recomputed from the section checksums, not believed. */
static int check_snapshot_header(const uint8_t *buf, size_t size,
				 struct sfab_err *err)
{
	uint64_t stated = sfab_snapshot_size(buf, size, err);

	if (!stated)
		return -1;
	if (size < SFAB_SNAPSHOT_DATA)
		return sfab_fail(err, SFAB_EFORMAT, "not a snapshot of a fabric"
				 " (or less than its header)");
	if (stated != size)
		return sfab_fail(err, SFAB_EFORMAT, "%zu bytes (expected %llu: "
				 "truncated or damaged)", size,
				 (unsigned long long) stated);
	if (sfab_little_get32(buf + SFAB_AT_NSECTIONS) != SFAB_NSECTIONS ||
	    sfab_little_get64(buf + SFAB_AT_CHECKSUM) != sfab_snapshot_checksum(buf) ||
	    sfab_little_get64(buf + SFAB_AT_FINGERPRINT) !=
		    sfab_snapshot_fingerprint(buf + SFAB_AT_TABLE))
		return sfab_fail(err, SFAB_EFORMAT,
				 "header: wrong checksum (damaged)");
	return 0;
}

/* Check that section @id begins at *@offset, and move that to the start of the next one. */
static int open_section(struct sfab_decoder *d, enum sfab_section_id id,
			size_t *offset)
{
	const uint8_t *entry = d->buf + SFAB_AT_TABLE + id * SFAB_ENTRY_SIZE;
	const struct sfab_section *section = &sfab_sections[id];
	uint64_t length = sfab_little_get64(entry + SFAB_ENTRY_LENGTH);
	size_t size = sfab_snapshot_record_size(section, d->version), padded;

	if (memcmp(entry + SFAB_ENTRY_NAME, section->name, 8) != 0 ||
	    sfab_little_get64(entry + SFAB_ENTRY_OFFSET) != *offset ||
	    length > d->size - *offset)
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: not where it should be",
				 section->name);
	/* Sections are padded to 8 bytes, and the padding is part of the checksum. */
	padded = length + (-length & 7);
	if (padded > d->size - *offset ||
	    sfab_hash64(d->buf + *offset, padded) !=
		    sfab_little_get64(entry + SFAB_ENTRY_CHECKSUM))
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: wrong checksum (damaged)",
				 section->name);
	if (length % size || (section->max && length / size > section->max))
		return sfab_fail(d->err, SFAB_EFORMAT, "section %s: %llu bytes "
				 "(expected records of %zu, at most %u)",
				 section->name, (unsigned long long) length,
				 size, section->max);
	d->begin[id] = d->buf + *offset;
	d->n[id] = length / size;
	*offset += padded;
	return 0;
}

/* -- records -> rows of structs --------------------------------------------- */

/*
 * Copy the texts of pool @id into the fabric.  Every text ends, because the last one does: no
 * record can point to text that runs on behind the pool.
 */
static int decode_pool(struct sfab_decoder *d, enum sfab_section_id id)
{
	char *copy = sfab_arena_take(&d->f->mem, d->n[id], 1);

	if (!copy)
		return sfab_no_memory(d->err);
	if (d->n[id])
		memcpy(copy, d->begin[id], d->n[id]);
	if (d->n[id] && copy[d->n[id] - 1] != '\0')
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: the last text has no end",
				 sfab_sections[id].name);
	d->pool[id] = copy;
	return 0;
}

/* Take one field.  -1: a text is outside its pool. */
static int get_field(const struct sfab_decoder *d,
		     const struct sfab_section *section,
		     const struct sfab_field *field, const uint8_t *bytes,
		     char *row)
{
	uint32_t offset;

	if (field->type == SFAB_F_LID && d->version < SFAB_SNAPSHOT_WIDE) {
		*(uint32_t *) (void *) (row + field->offset) = sfab_little_get16(bytes);
		return 0;
	}
	if (field->type != SFAB_F_TEXT)
		return sfab_field_get(field, bytes, row);
	offset = sfab_little_get32(bytes);
	if (offset >= d->n[section->pool])
		return -1;
	*(const char **) (void *) (row + field->offset) = d->pool[section->pool] + offset;
	return 0;
}

/* Decode the records of section @id into @rows. */
static int decode_into(struct sfab_decoder *d, enum sfab_section_id id, void *rows)
{
	const struct sfab_section *section = &sfab_sections[id];
	const uint8_t *bytes = d->begin[id];
	const struct sfab_field *field;
	char *row = rows;
	size_t i;

	for (i = 0; i < d->n[id]; i++, row += section->stride)
		for (field = section->fields; field->type; field++) {
			if (get_field(d, section, field, bytes, row) < 0)
				return sfab_fail(d->err, SFAB_EFORMAT,
						 "section %s, record %zu: text "
						 "outside section %s",
						 section->name, i,
						 sfab_sections[section->pool]
							 .name);
			bytes += sfab_section_field_size(field, d->version);
		}
	return 0;
}

void *sfab_snapshot_decode_rows(struct sfab_decoder *d, struct sfab_arena *owner,
				enum sfab_section_id id)
{
	void *rows = sfab_arena_take(owner, d->n[id], sfab_sections[id].stride);

	if (!rows)
		sfab_no_memory(d->err);
	return rows && decode_into(d, id, rows) == 0 ? rows : NULL;
}

void *sfab_snapshot_decode_column(struct sfab_decoder *d, struct sfab_arena *owner,
				  enum sfab_section_id id, size_t offset, size_t size)
{
	size_t n = d->n[id], stride = sfab_sections[id].stride;
	char *column;

	/* Most sections have several columns. */
	if (!d->rows[id])
		d->rows[id] = sfab_snapshot_decode_rows(d, &d->scratch, id);
	if (!d->rows[id])
		return NULL;
	column = sfab_arena_take(owner, n, size);
	if (!column)
		sfab_no_memory(d->err);
	for (size_t i = 0; column && i < n; i++)
		memcpy(column + i * size, d->rows[id] + i * stride + offset, size);
	return column;
}

/* -- fabric ----------------------------------------------------------------- */

/*
 * Check what sfab_fabric_index() relies on: flags, roles, host names.  In one sum and one
 * message: such a file was not written by us.  Engines are written to opensm.conf (whatif), a
 * line each.
 */
static int check_words(struct sfab_decoder *d)
{
	const struct sfab_fabric *f = d->f;
	uint32_t i, wrong = f->adaptive > SFAB_ADAPTIVE_UNKNOWN;

	for (i = 0; i < f->nswitches; i++)
		wrong |= f->switches[i].has_lft > 1;
	for (i = 0; i < f->nlinks; i++)
		wrong |= f->links[i].up > 1;
	for (i = 0; i < f->nhosts; i++)
		wrong |= f->hosts[i].role > SFAB_HOST_OTHER ||
			 !*f->hosts[i].name;
	if (wrong)
		return sfab_fail(d->err, SFAB_EFORMAT, "flag or role out of range, or a "
				 "host without a name");
	for (i = 0; i < f->nplanes; i++)
		if (!sfab_plane_engines_are_names(f->planes[i].engine) ||
		    !sfab_plane_engines_are_names(f->planes[i].asked))
			return sfab_fail(d->err, SFAB_EFORMAT, "plane %u: bad routing engine "
					 "(expected letters, digits, _ and -)", i);
	return 0;
}

/* Decode pools first, then records that point into them, then what refers to records. */
static int decode_fabric(struct sfab_decoder *d)
{
	struct sfab_fabric *f;

	if (decode_pool(d, SFAB_S_NOTES) < 0 || decode_pool(d, SFAB_S_NAMES) < 0)
		return -1;
	f = d->f;
	f->nplanes = (uint32_t) d->n[SFAB_S_PLANES];
	f->nswitches = (uint32_t) d->n[SFAB_S_SWITCHES];
	f->nhosts = (uint32_t) d->n[SFAB_S_HOSTS];
	f->nports = (uint32_t) d->n[SFAB_S_PORTS];
	f->nlinks = (uint32_t) d->n[SFAB_S_LINKS];
	if (decode_into(d, SFAB_S_EPOCH, f) < 0 ||
	    decode_into(d, SFAB_S_FABRIC, f) < 0 ||
	    !(f->planes = sfab_snapshot_decode_rows(d, &f->mem, SFAB_S_PLANES)) ||
	    decode_into(d, SFAB_S_ORIGINS, (void *) f->planes) < 0 ||
	    !(f->switches = sfab_snapshot_decode_rows(d, &f->mem, SFAB_S_SWITCHES)) ||
	    !(f->hosts = sfab_snapshot_decode_rows(d, &f->mem, SFAB_S_HOSTS)) ||
	    !(f->ports = sfab_snapshot_decode_rows(d, &f->mem, SFAB_S_PORTS)) ||
	    !(f->links = sfab_snapshot_decode_rows(d, &f->mem, SFAB_S_LINKS)))
		return -1;
	if (check_words(d) < 0 || sfab_fabric_index_nodes(f, d->err) < 0 ||
	    sfab_snapshot_decode_tables(d) < 0 || sfab_snapshot_decode_groups(d) < 0)
		return -1;
	return sfab_fabric_index(d->f, d->err);
}

/* -- IO sets ---------------------------------------------------------------- */

#define COLUMN(d, id, type, member) SFAB_DECODE_COLUMN(d, &(d)->scratch, id, type, member)

/* Make the sets, which take consecutive parts of the members, and likewise of the clients. */
static struct sfab_ioset *load_sets(struct sfab_decoder *d)
{
	const struct sfab_flat_ioset *rows = sfab_snapshot_decode_rows(d, &d->scratch,
								       SFAB_S_IO_SETS);
	const uint32_t *member = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, ioport);
	const uint32_t *group = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, group);
	const uint32_t *client = COLUMN(d, SFAB_S_IO_CLIENTS, sfab_flat_client, group);
	size_t n = d->n[SFAB_S_IO_SETS], members = d->n[SFAB_S_IO_MEMBERS];
	size_t clients = d->n[SFAB_S_IO_CLIENTS], i;
	struct sfab_ioset *set = sfab_arena_take(&d->scratch, n, sizeof(*set));

	if (!set)
		sfab_no_memory(d->err);
	if (!rows || !member || !group || !client || !set)
		return NULL;
	for (i = 0; i < n; i++) {
		uint32_t hosts = rows[i].ngroups ? d->f->nhosts : 0;

		/* So the pointers of the next set are within the arrays. */
		if (rows[i].nmembers > members || hosts > clients)
			break;
		set[i] = (struct sfab_ioset){
			.name = rows[i].name,
			.map = (enum sfab_iomap) (rows[i].map & ~SFAB_FLAT_HELD),
			.holds_writes = (rows[i].map & SFAB_FLAT_HELD) != 0,
			.nmembers = rows[i].nmembers,
			.ngroups = rows[i].ngroups,
			.member = member,
			.member_group = group,
			.client_group = client,
		};
		member += rows[i].nmembers;
		group += rows[i].nmembers;
		client += hosts;
		members -= rows[i].nmembers;
		clients -= hosts;
	}
	if (i == n && !members && !clients)
		return set;
	sfab_fail(d->err, SFAB_EFORMAT, "numbers of members or clients of the IO sets differ "
		  "from sections IOMEMBER and IOCLIENT");
	return NULL;
}

/*
 * Make the rows the arrays of a struct sfab_iosets that borrows them.  sfab_iosets_copy()
 * checks what they say, and keeps a copy.
 */
static struct sfab_iosets *decode_iosets(struct sfab_decoder *d)
{
	const struct sfab_iosets unchecked = {
		.nsets = (uint32_t) d->n[SFAB_S_IO_SETS],
		.nioports = (uint32_t) d->n[SFAB_S_IO_PORTS],
		.set = load_sets(d),
		.ioport = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, port),
		.capacity = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, capacity),
	};

	if (!unchecked.set || !unchecked.ioport || !unchecked.capacity)
		return NULL;
	return sfab_iosets_copy(d->f, &unchecked, d->err);
}

void *sfab_snapshot_decode(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_decoder d = { .buf = buf, .size = size, .err = err };
	struct sfab_snapshot *s;
	size_t offset = SFAB_SNAPSHOT_DATA;
	enum sfab_section_id id;

	if (check_snapshot_header(buf, size, err) < 0)
		return NULL;
	d.version = sfab_little_get32(buf + SFAB_AT_VERSION);
	for (id = 0; id < SFAB_NSECTIONS; id++)
		if (open_section(&d, id, &offset) < 0)
			return NULL;
	if (offset != d.size) {
		sfab_fail(d.err, SFAB_EFORMAT,
			  "%zu bytes after the last section", d.size - offset);
		return NULL;
	}
	if (d.n[SFAB_S_EPOCH] != 1 || d.n[SFAB_S_FABRIC] != 1 ||
	    d.n[SFAB_S_ORIGINS] != d.n[SFAB_S_PLANES]) {
		sfab_fail(d.err, SFAB_EFORMAT,
			  "sections EPOCH, FABRIC or ORIGINS: wrong number of "
			  "records");
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	d.f = sfab_fabric_create();
	if (!s || !d.f) {
		sfab_no_memory(d.err);
	} else {
		s->fabric = d.f;
		s->fingerprint = sfab_little_get64(buf + SFAB_AT_FINGERPRINT);
		if (decode_fabric(&d) == 0)
			s->iosets = decode_iosets(&d);
	}
	sfab_arena_free(&d.scratch);
	if (s && s->iosets)
		return s;
	sfab_fabric_destroy(d.f);
	free(s);
	return NULL;
}
