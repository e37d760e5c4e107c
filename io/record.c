/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - see record.h */

#include "io/record.h"

#include <endian.h>
#include <string.h>

/* Bytes in a file, and in memory. */
static const struct {
	uint8_t file, memory;
} sizes[] = {
	[SFAB_F_U8] = { 1, 1 }, [SFAB_F_U16] = { 2, 2 }, [SFAB_F_U32] = { 4, 4 },
	[SFAB_F_U64] = { 8, 8 }, [SFAB_F_F64] = { 8, 8 }, [SFAB_F_LOW8] = { 1, 4 },
	[SFAB_F_TEXT] = { 4, 4 }, [SFAB_F_LID] = { 4, 4 },
};

size_t sfab_field_size(const struct sfab_field *field)
{
	return field->n ? field->n : sizes[field->type].file;
}

/*
 * Return where byte @i of a field, lowest first, is in memory.  Bytes of an array keep their
 * order.
 */
static size_t place_in_memory(const struct sfab_field *field, size_t i)
{
	if (BYTE_ORDER == LITTLE_ENDIAN || field->n)
		return field->offset + i;
	return field->offset + sizes[field->type].memory - 1 - i;
}

/* Store fields by their type, whatever padding the struct has. */
void sfab_field_put(const struct sfab_field *field, const void *row, uint8_t *bytes)
{
	size_t n = sfab_field_size(field);

	for (size_t i = 0; i < n; i++)
		bytes[i] = field->type == SFAB_F_ZERO ? 0 :
			((const uint8_t *) row)[place_in_memory(field, i)];
}

int sfab_field_get(const struct sfab_field *field, const uint8_t *bytes, void *row)
{
	size_t n = sfab_field_size(field);
	int is_wrong = 0;

	if (!field->n)
		memset((uint8_t *) row + field->offset, 0, sizes[field->type].memory);
	for (size_t i = 0; i < n; i++)
		if (field->type == SFAB_F_ZERO)
			is_wrong |= bytes[i] != 0;
		else
			((uint8_t *) row)[place_in_memory(field, i)] = bytes[i];
	return is_wrong ? -1 : 0;
}

void sfab_record_put(const struct sfab_field *fields, const void *row, uint8_t *bytes)
{
	for (; fields->type; bytes += sfab_field_size(fields++))
		sfab_field_put(fields, row, bytes);
}

/* Read all fields even if one is wrong, because the caller's message shows them. */
int sfab_record_get(const struct sfab_field *fields, const uint8_t *bytes, void *row)
{
	int rc = 0;

	for (; fields->type; bytes += sfab_field_size(fields++))
		rc |= sfab_field_get(fields, bytes, row);
	return rc;
}
