/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - the fields of a struct as packed, little-endian bytes of a file
 *
 * A table names the fields in the order of the file.  What is written and what is read follow
 * the same table, so a format is described once.
 */
#ifndef SFAB_RECORD_H
#define SFAB_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum sfab_field_type {
	SFAB_F_END,
	SFAB_F_U8, SFAB_F_U16, SFAB_F_U32, SFAB_F_U64, SFAB_F_F64,
	SFAB_F_LOW8,	/* an unsigned of 32 bits, of which a file has the lowest 8 */
	SFAB_F_BYTES,	/* an array of bytes */
	SFAB_F_ZERO,	/* bytes of the file that are 0 and nothing in memory */
	SFAB_F_TEXT, SFAB_F_LID	/* of snapshots only (snapshot_format.h): 4 bytes here */
};

struct sfab_field {
	uint8_t type;		/* enum sfab_field_type */
	uint8_t n;		/* BYTES, ZERO: how many */
	uint16_t offset;	/* in the struct in memory */
};
#define SFAB_FIELD(type, name, member) { type, 0, offsetof(struct name, member) }
#define SFAB_FIELD_BYTES(name, member) \
	{ SFAB_F_BYTES, sizeof(((struct name *) NULL)->member), offsetof(struct name, member) }
#define SFAB_FIELD_ZERO(n) { SFAB_F_ZERO, n, 0 }
#define SFAB_FIELD_END { SFAB_F_END, 0, 0 }

/* Return the bytes that a field has in a file. */
size_t sfab_field_size(const struct sfab_field *field);

/* Copy a field of the struct @row to the bytes at @bytes. */
void sfab_field_put(const struct sfab_field *field, const void *row, uint8_t *bytes);
/* Copy a field from the bytes at @bytes to the struct @row.  -1: SFAB_F_ZERO is not 0. */
int sfab_field_get(const struct sfab_field *field, const uint8_t *bytes, void *row);

/* Copy all fields, up to SFAB_FIELD_END. */
void sfab_record_put(const struct sfab_field *fields, const void *row, uint8_t *bytes);
/* Copy all fields back.  -1: an SFAB_F_ZERO is not 0; the fields after it are copied as well. */
int sfab_record_get(const struct sfab_field *fields, const uint8_t *bytes, void *row);

#endif
