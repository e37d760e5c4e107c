/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - see record.h */

#include "io/record.h"

#include "io/little.h"

size_t sfab_field_size(const struct sfab_field *field)
{
	static const uint8_t size[] = {
		[SFAB_F_U8] = 1, [SFAB_F_U16] = 2, [SFAB_F_U32] = 4, [SFAB_F_U64] = 8,
		[SFAB_F_F64] = 8, [SFAB_F_LOW8] = 1, [SFAB_F_TEXT] = 4, [SFAB_F_LID] = 4,
	};

	return field->n ? field->n : size[field->type];
}

/* Fields are stored by their type, whatever padding the struct has. */
void sfab_field_put(const struct sfab_field *field, const void *row, uint8_t *at)
{
	const void *from = (const char *) row + field->offset;

	switch (field->type) {
	case SFAB_F_U8:
		*at = *(const uint8_t *) from;
		break;
	case SFAB_F_U16:
		sfab_put16(at, *(const uint16_t *) from);
		break;
	case SFAB_F_U32:
	case SFAB_F_LID:
		sfab_put32(at, *(const uint32_t *) from);
		break;
	case SFAB_F_U64:
		sfab_put64(at, *(const uint64_t *) from);
		break;
	case SFAB_F_F64:
		sfab_put_f64(at, *(const double *) from);
		break;
	case SFAB_F_LOW8:
		*at = (uint8_t) *(const uint32_t *) from;
		break;
	case SFAB_F_BYTES:
		memcpy(at, from, field->n);
		break;
	case SFAB_F_ZERO:
		memset(at, 0, field->n);
		break;
	}
}

int sfab_field_get(const struct sfab_field *field, const uint8_t *at, void *row)
{
	void *to = (char *) row + field->offset;

	switch (field->type) {
	case SFAB_F_U8:
		*(uint8_t *) to = *at;
		break;
	case SFAB_F_U16:
		*(uint16_t *) to = sfab_get16(at);
		break;
	case SFAB_F_U32:
	case SFAB_F_LID:
		*(uint32_t *) to = sfab_get32(at);
		break;
	case SFAB_F_U64:
		*(uint64_t *) to = sfab_get64(at);
		break;
	case SFAB_F_F64:
		*(double *) to = sfab_get_f64(at);
		break;
	case SFAB_F_LOW8:
		*(uint32_t *) to = *at;
		break;
	case SFAB_F_BYTES:
		memcpy(to, at, field->n);
		break;
	case SFAB_F_ZERO:
		for (unsigned i = 0; i < field->n; i++)
			if (at[i])
				return -1;
		break;
	}
	return 0;
}

void sfab_record_put(const struct sfab_field *fields, const void *row, uint8_t *at)
{
	for (; fields->type; at += sfab_field_size(fields++))
		sfab_field_put(fields, row, at);
}

/* All of them, also behind bytes that should be 0: the caller's message shows some. */
int sfab_record_get(const struct sfab_field *fields, const uint8_t *at, void *row)
{
	int rc = 0;

	for (; fields->type; at += sfab_field_size(fields++))
		rc |= sfab_field_get(fields, at, row);
	return rc;
}
