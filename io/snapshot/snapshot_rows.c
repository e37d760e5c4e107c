/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_rows.c - records of a section -> rows of structs; see snapshot_decode.h */

#include "io/snapshot/snapshot_decode.h"

#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric_private.h"
#include "io/little.h"

/*
 * Copy the texts of pool @id into the fabric.  Every text ends, because the
 * last one does: no record can point to text that runs on behind the pool.
 */
int sfab_decode_pool(struct sfab_decoder *d, enum sfab_section_id id)
{
	char *copy = sfab_fabric_alloc(d->f, d->n[id], 1);

	if (!copy)
		return sfab_no_memory(d->err);
	if (d->n[id])
		memcpy(copy, d->at[id], d->n[id]);
	if (d->n[id] && copy[d->n[id] - 1] != '\0')
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: the last text has no end",
				 sfab_sections[id].name);
	d->pool[id] = copy;
	return 0;
}

/* Take one field; -1 for a text outside its pool. */
static int get_field(const struct sfab_decoder *d,
		     const struct sfab_section *section,
		     const struct sfab_field *field, const uint8_t *at,
		     char *row)
{
	void *to = row + field->offset;
	uint64_t bits;
	uint32_t place;

	switch (field->type) {
	case SFAB_F_U8:
		*(uint8_t *) to = *at;
		break;
	case SFAB_F_U16:
		*(uint16_t *) to = sfab_get16(at);
		break;
	case SFAB_F_U32:
		*(uint32_t *) to = sfab_get32(at);
		break;
	case SFAB_F_LID:
		*(uint32_t *) to = d->version < SFAB_SNAPSHOT_WIDE ?
				   sfab_get16(at) : sfab_get32(at);
		break;
	case SFAB_F_TEXT:
		place = sfab_get32(at);
		if (place >= d->n[section->pool])
			return -1;
		*(const char **) to = d->pool[section->pool] + place;
		break;
	default:		/* U64, and F64 by its bit pattern */
		bits = sfab_get64(at);
		memcpy(to, &bits, sizeof(bits));
	}
	return 0;
}

/* Decode the records of section @id into @rows. */
int sfab_decode_into(struct sfab_decoder *d, enum sfab_section_id id, void *rows)
{
	const struct sfab_section *section = &sfab_sections[id];
	const uint8_t *at = d->at[id];
	const struct sfab_field *field;
	char *row = rows;
	size_t i;

	for (i = 0; i < d->n[id]; i++, row += section->stride)
		for (field = section->fields; field->type; field++) {
			if (get_field(d, section, field, at, row) < 0)
				return sfab_fail(d->err, SFAB_EFORMAT,
						 "section %s, record %zu: text "
						 "outside section %s",
						 section->name, i,
						 sfab_sections[section->pool]
							 .name);
			at += sfab_field_size(field->type, d->version);
		}
	return 0;
}

/* An array of the fabric, decoded from section @id; NULL with d->err. */
void *sfab_decode_array(struct sfab_decoder *d, enum sfab_section_id id)
{
	void *rows = sfab_fabric_alloc(d->f, d->n[id],
				       sfab_sections[id].stride);

	if (!rows)
		sfab_no_memory(d->err);
	return rows && sfab_decode_into(d, id, rows) == 0 ? rows : NULL;
}

/* Rows that the fabric does not keep; the caller frees them. */
void *sfab_decode_rows(struct sfab_decoder *d, enum sfab_section_id id)
{
	void *rows = calloc(d->n[id] + 1, sfab_sections[id].stride);

	if (!rows) {
		sfab_no_memory(d->err);
		return NULL;
	}
	if (sfab_decode_into(d, id, rows) == 0)
		return rows;
	free(rows);
	return NULL;
}
