/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_rows.c - records of a section -> rows of structs; see snapshot_decode.h */

#include "io/snapshot/snapshot_decode.h"

#include <string.h>

#include "io/little.h"

/*
 * Copy the texts of pool @id into the fabric.  Every text ends, because the
 * last one does: no record can point to text that runs on behind the pool.
 */
int sfab_decode_pool(struct sfab_decoder *d, enum sfab_section_id id)
{
	char *copy = sfab_arena_take(&d->f->mem, d->n[id], 1);

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
	uint32_t place;

	if (field->type == SFAB_F_LID && d->version < SFAB_SNAPSHOT_WIDE) {
		*(uint32_t *) (void *) (row + field->offset) = sfab_get16(at);
		return 0;
	}
	if (field->type != SFAB_F_TEXT)
		return sfab_field_get(field, at, row);
	place = sfab_get32(at);
	if (place >= d->n[section->pool])
		return -1;
	*(const char **) (void *) (row + field->offset) = d->pool[section->pool] + place;
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
			at += sfab_section_field_size(field, d->version);
		}
	return 0;
}

void *sfab_decode_rows(struct sfab_decoder *d, struct sfab_arena *owner,
		       enum sfab_section_id id)
{
	void *rows = sfab_arena_take(owner, d->n[id], sfab_sections[id].stride);

	if (!rows)
		sfab_no_memory(d->err);
	return rows && sfab_decode_into(d, id, rows) == 0 ? rows : NULL;
}
