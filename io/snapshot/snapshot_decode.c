/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_decode.c - bytes -> a fabric with its IO sets
 *
 * Header and checksums first; then the field tables turn records into rows of
 * structs.  Rows that the fabric keeps as arrays become its arrays.  The content is
 * checked here and by sfab_fabric_index() and sfab_iosets_copy() before any index
 * is followed.
 *
 * Route loops are not searched for: the length of a route is bounded anyway.
 */

#include "io/snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "io/snapshot/snapshot_decode.h"
#include "core/fabric/arrays.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/little.h"
#include "io/snapshot/snapshot_format.h"

/* header and section table */

/* Called with the first bytes of a file, before the rest is read. */
uint64_t sfab_snapshot_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	if (n < SFAB_FILE_HEAD ||
	    memcmp(head + SFAB_AT_MAGIC, SFAB_SNAPSHOT_MAGIC, 8) != 0) {
		sfab_fail(err, SFAB_EFORMAT, "not a snapshot of a fabric"
			  " (or less than its header)");
		return 0;
	}
	/* Before the checksum: another version may compute it differently. */
	if (sfab_get32(head + SFAB_AT_VERSION) != SFAB_SNAPSHOT_VERSION &&
	    sfab_get32(head + SFAB_AT_VERSION) != SFAB_SNAPSHOT_WIDE) {
		sfab_fail(err, SFAB_EFORMAT, "snapshot format %u (expected %u or "
			  "%u: another version of sfabric?)",
			  sfab_get32(head + SFAB_AT_VERSION),
			  SFAB_SNAPSHOT_VERSION, SFAB_SNAPSHOT_WIDE);
		return 0;
	}
	if (!sfab_get64(head + SFAB_AT_SIZE))
		sfab_fail(err, SFAB_EFORMAT, "0 bytes by its header (damaged)");
	return sfab_get64(head + SFAB_AT_SIZE);
}

/* The fingerprint is recomputed from the section checksums, not believed. */
static int check_snapshot_header(const uint8_t *buf, size_t size,
				 struct sfab_err *err)
{
	uint64_t told = sfab_snapshot_size(buf, size, err);

	if (!told)
		return -1;
	if (size < SFAB_SNAPSHOT_DATA)
		return sfab_fail(err, SFAB_EFORMAT, "not a snapshot of a fabric"
				 " (or less than its header)");
	if (told != size)
		return sfab_fail(err, SFAB_EFORMAT, "%zu bytes (expected %llu: "
				 "truncated or damaged)", size,
				 (unsigned long long) told);
	if (sfab_get32(buf + SFAB_AT_NSECTIONS) != SFAB_NSECTIONS ||
	    sfab_get64(buf + SFAB_AT_CHECKSUM) != sfab_snapshot_checksum(buf) ||
	    sfab_get64(buf + SFAB_AT_FINGERPRINT) !=
		    sfab_snapshot_fingerprint(buf + SFAB_AT_TABLE))
		return sfab_fail(err, SFAB_EFORMAT,
				 "header: wrong checksum (damaged)");
	return 0;
}

/* Section @id must begin at *@offset; moves it to the start of the next one. */
static int open_section(struct sfab_decoder *d, enum sfab_section_id id,
			size_t *offset)
{
	const uint8_t *entry = d->buf + SFAB_AT_TABLE + id * SFAB_ENTRY_SIZE;
	const struct sfab_section *section = &sfab_sections[id];
	uint64_t length = sfab_get64(entry + SFAB_ENTRY_LENGTH);
	size_t size = sfab_record_size(section, d->version), padded;

	if (memcmp(entry + SFAB_ENTRY_NAME, section->name, 8) != 0 ||
	    sfab_get64(entry + SFAB_ENTRY_OFFSET) != *offset ||
	    length > d->size - *offset)
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: not where it should be",
				 section->name);
	/*
	 * Sections are padded to 8 bytes, and the padding is part of the
	 * checksum.
	 */
	padded = length + (-length & 7);
	if (padded > d->size - *offset ||
	    sfab_hash64(d->buf + *offset, padded) !=
		    sfab_get64(entry + SFAB_ENTRY_CHECKSUM))
		return sfab_fail(d->err, SFAB_EFORMAT,
				 "section %s: wrong checksum (damaged)",
				 section->name);
	if (length % size || (section->max && length / size > section->max))
		return sfab_fail(d->err, SFAB_EFORMAT, "section %s: %llu bytes "
				 "(expected records of %zu, at most %u)",
				 section->name, (unsigned long long) length,
				 size, section->max);
	d->at[id] = d->buf + *offset;
	d->n[id] = length / size;
	*offset += padded;
	return 0;
}

/* fabric */

/*
 * What sfab_fabric_index() relies on: flags, roles, host names.  In one sum and
 * one message: such a file was not written by us.  Engines are written to opensm.conf
 * (whatif), a line each.
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
		if (!sfab_engines_are_names(f->planes[i].engine) ||
		    !sfab_engines_are_names(f->planes[i].asked))
			return sfab_fail(d->err, SFAB_EFORMAT, "plane %u: bad routing engine "
					 "(expected letters, digits, _ and -)", i);
	return 0;
}

/* Pools first, then records that point into them, then what refers to records. */
static int decode_fabric(struct sfab_decoder *d)
{
	struct sfab_fabric *f;

	if (sfab_decode_pool(d, SFAB_S_NOTES) < 0 || sfab_decode_pool(d, SFAB_S_NAMES) < 0)
		return -1;
	f = d->f;
	f->nplanes = (uint32_t) d->n[SFAB_S_PLANES];
	f->nswitches = (uint32_t) d->n[SFAB_S_SWITCHES];
	f->nhosts = (uint32_t) d->n[SFAB_S_HOSTS];
	f->nports = (uint32_t) d->n[SFAB_S_PORTS];
	f->nlinks = (uint32_t) d->n[SFAB_S_LINKS];
	if (sfab_decode_into(d, SFAB_S_EPOCH, f) < 0 ||
	    sfab_decode_into(d, SFAB_S_FABRIC, f) < 0 ||
	    !(f->planes = sfab_decode_rows(d, &f->mem, SFAB_S_PLANES)) ||
	    sfab_decode_into(d, SFAB_S_ORIGINS, (void *) f->planes) < 0 ||
	    !(f->switches = sfab_decode_rows(d, &f->mem, SFAB_S_SWITCHES)) ||
	    !(f->hosts = sfab_decode_rows(d, &f->mem, SFAB_S_HOSTS)) ||
	    !(f->ports = sfab_decode_rows(d, &f->mem, SFAB_S_PORTS)) ||
	    !(f->links = sfab_decode_rows(d, &f->mem, SFAB_S_LINKS)))
		return -1;
	if (check_words(d) < 0 || sfab_fabric_index_nodes(f, d->err) < 0 ||
	    sfab_decode_tables(d) < 0 || sfab_decode_groups(d) < 0)
		return -1;
	return sfab_fabric_index(d->f, d->err);
}

struct sfab_snapshot *sfab_snapshot_decode(const uint8_t *buf, size_t size,
					   struct sfab_err *err)
{
	struct sfab_decoder d = { .buf = buf, .size = size, .err = err };
	struct sfab_snapshot *s;
	size_t offset = SFAB_SNAPSHOT_DATA;
	enum sfab_section_id id;

	if (check_snapshot_header(buf, size, err) < 0)
		return NULL;
	d.version = sfab_get32(buf + SFAB_AT_VERSION);
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
		s->fingerprint = sfab_get64(buf + SFAB_AT_FINGERPRINT);
		if (decode_fabric(&d) == 0)
			s->iosets = sfab_decode_iosets(&d);
	}
	sfab_arena_free(&d.scratch);
	if (s && s->iosets)
		return s;
	sfab_fabric_destroy(d.f);
	free(s);
	return NULL;
}
