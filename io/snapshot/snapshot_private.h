/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_private.h - what the files of the snapshot decoder share */
#ifndef SFAB_SNAPSHOT_PRIVATE_H
#define SFAB_SNAPSHOT_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"
#include "core/fabric/fabric.h"
#include "io/snapshot/snapshot_format.h"

struct sfab_decoder {
	const uint8_t *buf;
	size_t size;
	uint32_t version;			/* of the format */
	struct sfab_err *err;
	const uint8_t *begin[SFAB_NSECTIONS];	/* where a section begins */
	size_t n[SFAB_NSECTIONS];		/* its number of records, or of bytes */
	const char *pool[SFAB_NSECTIONS];	/* texts, copied */
	const char *rows[SFAB_NSECTIONS];	/* decoded for their columns; in scratch */
	struct sfab_fabric *f;			/* under construction */
	struct sfab_arena scratch;		/* arrays that the decoder alone needs */
};

/*
 * Decode the records of section @id into an array that lives as long as @owner.  NULL with
 * d->err.
 */
void *sfab_snapshot_decode_rows(struct sfab_decoder *d, struct sfab_arena *owner,
				enum sfab_section_id id);
/* Decode one member of all these records into an array that lives as long as @owner. */
void *sfab_snapshot_decode_column(struct sfab_decoder *d, struct sfab_arena *owner,
				  enum sfab_section_id id, size_t offset, size_t size);
#define SFAB_DECODE_COLUMN(d, owner, id, type, member) \
	sfab_snapshot_decode_column(d, owner, id, offsetof(struct type, member), \
				    sizeof(((struct type *) NULL)->member))

/* Attach the tables to the switches (snapshot_tables.c). */
int sfab_snapshot_decode_tables(struct sfab_decoder *d);
/* Attach the port groups to the switches (snapshot_tables.c). */
int sfab_snapshot_decode_groups(struct sfab_decoder *d);

#endif
