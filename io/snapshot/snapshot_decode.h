/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_decode.h - what the files of the snapshot decoder share */
#ifndef SFAB_SNAPSHOT_DECODE_H
#define SFAB_SNAPSHOT_DECODE_H

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "io/snapshot/snapshot_format.h"

struct sfab_decoder {
	const uint8_t *buf;
	size_t size;
	uint32_t version;	/* of the format */
	struct sfab_err *err;
	const uint8_t *at[SFAB_NSECTIONS];	/* where a section begins */
	size_t n[SFAB_NSECTIONS];	/* its number of records, or of bytes */
	const char *pool[SFAB_NSECTIONS];	/* texts, copied */
	struct sfab_fabric *f;		/* under construction */
	struct sfab_arena scratch;	/* arrays that the decoder alone needs */
};

/*
 * Section @id (snapshot_rows.c): its texts, copied into the fabric as d->pool; its records
 * into @rows, or into an array that lives as long as @owner.  -1 or NULL with d->err.
 */
int sfab_decode_pool(struct sfab_decoder *d, enum sfab_section_id id);
int sfab_decode_into(struct sfab_decoder *d, enum sfab_section_id id, void *rows);
void *sfab_decode_rows(struct sfab_decoder *d, struct sfab_arena *owner,
		       enum sfab_section_id id);

/* Attach the tables / the port groups to the switches. */
int sfab_decode_tables(struct sfab_decoder *d);
int sfab_decode_groups(struct sfab_decoder *d);

/* The IO sets, on the finished fabric.  NULL with d->err. */
struct sfab_iosets *sfab_decode_iosets(struct sfab_decoder *d);

#endif
