/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_encode.c - a fabric with its IO sets -> bytes
 *
 * Everything is first laid out as rows of structs, one array per section; then the
 * field tables turn rows into records.  Texts are added to the pools while their
 * records are written, so pools come after all sections that use them.
 */

#include "io/snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/little.h"
#include "io/snapshot/snapshot_format.h"

/* A text or section that grows. */
struct bytes {
	uint8_t *p;
	size_t n, cap;
	int failed;		/* no memory: later bytes are dropped */
};

/* One section: as many structs as it has records, in whatever array. */
struct rows {
	const void *first;
	uint32_t n;
};

struct encoder {
	const struct sfab_fabric *f;
	const struct sfab_iosets *io;	/* NULL: none */
	uint32_t version;	/* of the format */
	struct bytes out;
	struct bytes pool[SFAB_NSECTIONS];	/* of NOTES and NAMES only */
	struct rows rows[SFAB_NSECTIONS];
	struct bytes flat[SFAB_NSECTIONS];	/* rows built here */
};

/* Space for @n more bytes; NULL if this or an earlier allocation failed. */
static uint8_t *extend_bytes(struct bytes *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 256;
	uint8_t *grown;

	while (cap < b->n + n)
		cap *= 2;
	if (cap != b->cap && !b->failed) {
		grown = realloc(b->p, cap);
		b->failed = !grown;
		if (grown) {
			b->p = grown;
			b->cap = cap;
		}
	}
	if (b->failed)
		return NULL;
	b->n += n;
	return b->p + b->n - n;
}

/* Without memory nothing is added; the caller looks at failed once, at the end. */
static void append_bytes(struct bytes *b, const void *p, size_t n)
{
	uint8_t *at = extend_bytes(b, n);

	if (at && n)
		memcpy(at, p, n);
}

/* rows that the fabric does not have as arrays */

/* The row is copied, padding and all; put_field() takes only its fields. */
static void add_section_row(struct encoder *e, enum sfab_section_id id,
			    const void *row)
{
	append_bytes(&e->flat[id], row, sfab_sections[id].stride);
	e->rows[id].n++;
}

/* One row for the group and one for each of its ports, in order. */
static void flatten_group(struct encoder *e, uint32_t sw,
			  const struct sfab_group *g)
{
	struct sfab_flat_group group = { .sw = sw, .nports = g->nports };
	struct sfab_flat_group_port port;
	uint32_t i;

	add_section_row(e, SFAB_S_GROUPS, &group);
	for (i = 0; i < g->nports; i++) {
		port.share = g->share[i];
		port.port = g->port[i];
		add_section_row(e, SFAB_S_GROUP_PORTS, &port);
	}
}

/*
 * Groups of a switch in the order of the LIDs that use them first, so that equal
 * tables give equal bytes, however a reader numbered its groups.
 */
static int flatten_switch(struct encoder *e, uint32_t id)
{
	const struct sfab_switch *sw = &e->f->switches[id];
	const struct sfab_plane *plane = &e->f->planes[sw->plane];
	uint16_t *number, next = 0, group;
	struct sfab_flat_group_lid row = { .sw = id };
	uint32_t i;

	if (!sw->lft_group)
		return 0;
	number = calloc(sw->ngroups + 1u, sizeof(*number));
	if (!number)
		return -1;
	for (i = 0; i < plane->nlids; i++) {
		group = sw->lft_group[i];
		if (!group)
			continue;
		if (!number[group]) {
			/*
			 * Numbers begin at 1 here, since 0 is a LID without a
			 * group; in the file at 0.
			 */
			number[group] = ++next;
			flatten_group(e, id, &sw->groups[group - 1]);
		}
		row.lid = plane->lid[i];
		row.group = number[group] - 1;
		add_section_row(e, SFAB_S_GROUP_LIDS, &row);
	}
	free(number);
	return 0;
}

/* Members and clients of all sets are in one section each; a set has their number. */
static void flatten_set(struct encoder *e, const struct sfab_ioset *set)
{
	struct sfab_flat_ioset row = { .name = set->name, .map = set->map |
					      (set->held ? SFAB_FLAT_HELD : 0),
				       .nmembers = set->nmembers,
				       .ngroups = set->ngroups };
	struct sfab_flat_member member;
	struct sfab_flat_client client;
	uint32_t i;

	add_section_row(e, SFAB_S_IO_SETS, &row);
	for (i = 0; i < set->nmembers; i++) {
		member.ioport = set->member[i];
		member.group = set->member_group ? set->member_group[i]
						 : SFAB_NONE;
		add_section_row(e, SFAB_S_IO_MEMBERS, &member);
	}
	for (i = 0; set->client_group && i < e->f->nhosts; i++) {
		client.group = set->client_group[i];
		add_section_row(e, SFAB_S_IO_CLIENTS, &client);
	}
}

/* Nothing of the fabric is copied: rows point to its arrays where it has them. */
static int lay_out_sections(struct encoder *e)
{
	const struct sfab_fabric *f = e->f;
	uint32_t i;

	e->rows[SFAB_S_EPOCH] = (struct rows){ f, 1 };
	e->rows[SFAB_S_FABRIC] = (struct rows){ f, 1 };
	e->rows[SFAB_S_ORIGINS] = (struct rows){ f->planes, f->nplanes };
	e->rows[SFAB_S_PLANES] = (struct rows){ f->planes, f->nplanes };
	e->rows[SFAB_S_SWITCHES] = (struct rows){ f->switches, f->nswitches };
	e->rows[SFAB_S_HOSTS] = (struct rows){ f->hosts, f->nhosts };
	e->rows[SFAB_S_PORTS] = (struct rows){ f->ports, f->nports };
	e->rows[SFAB_S_LINKS] = (struct rows){ f->links, f->nlinks };
	for (i = 0; i < f->nswitches; i++)
		if (flatten_switch(e, i) < 0)
			return -1;
	if (e->io) {
		struct sfab_flat_ioport port;
		uint32_t k;

		for (k = 0; k < e->io->nioports; k++) {
			port.port = e->io->ioport[k];
			port.capacity = e->io->capacity[k];
			add_section_row(e, SFAB_S_IO_PORTS, &port);
		}
		for (k = 0; k < e->io->nsets; k++)
			flatten_set(e, &e->io->set[k]);
	}
	for (i = 0; i < SFAB_NSECTIONS; i++) {
		if (e->flat[i].failed)
			return -1;
		if (e->flat[i].p)
			e->rows[i].first = e->flat[i].p;
	}
	return 0;
}

/* bytes */

/* A text goes to the pool of its section, and its offset there into the record. */
static void put_field(struct encoder *e, const struct sfab_section *section,
		      const struct sfab_field *field, const void *row,
		      uint8_t *at)
{
	const void *from = (const char *) row + field->offset;
	struct bytes *pool = &e->pool[section->pool];

	if (field->type == SFAB_F_TEXT) {
		const char *text = *(const char *const *) from;

		sfab_put32(at, (uint32_t) pool->n);
		append_bytes(pool, text, strlen(text) + 1);
	} else if (field->type == SFAB_F_LID && e->version < SFAB_SNAPSHOT_WIDE) {
		sfab_put16(at, (uint16_t) *(const uint32_t *) from);
	} else {
		sfab_field_put(field, row, at);
	}
}

/*
 * Format 2 has an entry for each LID from 0 on, and 0xFF where nobody owns it; format 3
 * has those of LIDs that exist.  Switches without a table have no bytes.
 */
static void put_tables(struct encoder *e)
{
	for (uint32_t s = 0; s < e->f->nswitches; s++) {
		const struct sfab_switch *sw = &e->f->switches[s];
		const struct sfab_plane *plane = &e->f->planes[sw->plane];
		uint32_t n;
		uint8_t *at;

		if (!sw->has_lft)
			continue;
		if (e->version >= SFAB_SNAPSHOT_WIDE) {
			append_bytes(&e->out, sw->lft, plane->nlids);
			continue;
		}
		at = extend_bytes(&e->out, plane->lid_end);
		if (!at)
			return;
		memset(at, SFAB_PORT_NONE, plane->lid_end);
		for (uint32_t i = 0; (n = sfab_plane_run(plane, i)) > 0; i += n)
			memcpy(at + plane->lid[i], sw->lft + i, n);
	}
}

/* Write section @id and its entry in the section table. */
static void add_section(struct encoder *e, enum sfab_section_id id)
{
	size_t begin = e->out.n, length;
	uint8_t *entry;
	static const uint8_t zeros[8];
	const struct sfab_section *section = &sfab_sections[id];

	if (section->fields) {
		const struct rows *rows = &e->rows[id];
		size_t size = sfab_record_size(section, e->version);
		const char *row = rows->first;
		const struct sfab_field *field;
		uint32_t i;
		uint8_t *at;

		for (i = 0; i < rows->n; i++, row += section->stride) {
			at = extend_bytes(&e->out, size);
			for (field = section->fields; at && field->type;
			     field++) {
				put_field(e, section, field, row, at);
				at += sfab_section_field_size(field, e->version);
			}
		}
	} else if (id == SFAB_S_TABLES) {
		put_tables(e);
	} else {
		append_bytes(&e->out, e->pool[id].p, e->pool[id].n);
	}
	length = e->out.n - begin;
	/* Zeros up to a multiple of 8. */
	append_bytes(&e->out, zeros, -e->out.n & 7);
	if (e->out.failed)
		return;
	/* Only now: out.p may have moved while the section was written. */
	entry = e->out.p + SFAB_AT_TABLE + id * SFAB_ENTRY_SIZE;
	memcpy(entry + SFAB_ENTRY_NAME, sfab_sections[id].name, 8);
	sfab_put64(entry + SFAB_ENTRY_OFFSET, begin);
	sfab_put64(entry + SFAB_ENTRY_LENGTH, length);
	sfab_put64(entry + SFAB_ENTRY_CHECKSUM,
		   sfab_hash64(e->out.p + begin, e->out.n - begin));
}

static int encode_sections(struct encoder *e)
{
	enum sfab_section_id id;
	uint8_t *head;
	uint8_t *p;
	size_t size;

	if (lay_out_sections(e) < 0)
		return -1;
	head = extend_bytes(&e->out, SFAB_SNAPSHOT_DATA);
	/* Section order is also write order: pools fill up before they are written. */
	if (head)
		memset(head, 0, SFAB_SNAPSHOT_DATA);
	for (id = 0; id < SFAB_NSECTIONS; id++) {
		add_section(e, id);
		e->out.failed |= e->pool[id].failed;
	}
	if (e->out.failed)
		return -1;
	p = e->out.p;
	size = e->out.n;
	memcpy(p + SFAB_AT_MAGIC, SFAB_SNAPSHOT_MAGIC, 8);
	sfab_put32(p + SFAB_AT_VERSION, e->version);
	sfab_put32(p + SFAB_AT_NSECTIONS, SFAB_NSECTIONS);
	sfab_put64(p + SFAB_AT_SIZE, size);
	sfab_put64(p + SFAB_AT_FINGERPRINT,
		   sfab_snapshot_fingerprint(p + SFAB_AT_TABLE));
	sfab_put64(p + SFAB_AT_CHECKSUM, sfab_snapshot_checksum(p));
	return 0;
}

static int encode_content(const struct sfab_fabric *f, const struct sfab_iosets *io,
			  uint8_t **buf, size_t *size, struct sfab_err *err)
{
	struct encoder e = { .f = f, .io = io, .version = SFAB_SNAPSHOT_VERSION };
	int status;

	/*
	 * The lowest format that has room for all LIDs.  So a fabric of InfiniBand
	 * gives the same bytes, and the same fingerprint, as in versions that knew no
	 * other.
	 */
	for (uint32_t i = 0; i < f->nplanes; i++)
		if (f->planes[i].lid_end > SFAB_IB_LID_MAX + 1u)
			e.version = SFAB_SNAPSHOT_WIDE;
	status = encode_sections(&e);
	for (size_t i = 0; i < SFAB_NSECTIONS; i++) {
		free(e.pool[i].p);
		free(e.flat[i].p);
	}
	if (status < 0) {
		free(e.out.p);
		return sfab_no_memory(err);
	}
	*buf = e.out.p;
	*size = e.out.n;
	return 0;
}

int sfab_snapshot_encode(const struct sfab_snapshot *s, uint8_t **buf,
			 size_t *size, struct sfab_err *err)
{
	return encode_content(s->fabric, s->iosets, buf, size, err);
}

int sfab_snapshot_hash(const struct sfab_fabric *f, const struct sfab_iosets *io,
		       uint64_t *fingerprint, struct sfab_err *err)
{
	uint8_t *buf;
	size_t size;

	if (encode_content(f, io, &buf, &size, err) < 0)
		return -1;
	*fingerprint = sfab_get64(buf + SFAB_AT_FINGERPRINT);
	free(buf);
	return 0;
}
