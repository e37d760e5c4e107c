/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rowfile.c - headers, sizes and checksums of files of rows; see rowfile.h
 *
 * What the formats share is here, so that all refuse the same damage.
 */

#include "io/rowfile.h"

#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/little.h"

#define HEADER_MAX 64u

size_t sfab_rowfile_row(const struct sfab_rowfile *f, uint32_t names, uint32_t i)
{
	return f->header + f->extra + (size_t) names * SFAB_NAME_SIZE + (size_t) i * f->row;
}

uint8_t *sfab_rowfile_begin(const struct sfab_rowfile *f, const char *name,
			    uint32_t names, uint32_t rows, size_t *size)
{
	uint8_t *p;

	*size = sfab_rowfile_row(f, names, rows);
	p = calloc(1, *size);
	if (!p)
		return NULL;
	memcpy(p, f->magic, 8);
	sfab_little_put32(p + SFAB_ROWS_AT_VERSION, f->version);
	sfab_little_put32(p + SFAB_ROWS_AT_N, rows);
	if (!name)
		return p;
	sfab_little_put32(p + SFAB_ROWS_AT_NAMES, names);
	memcpy(p + f->header + f->extra, name, (size_t) names * SFAB_NAME_SIZE);
	return p;
}

/* Compute the sum over all bytes, with its own field counted as zero. */
static uint64_t checksum_of_rows(size_t header, const uint8_t *buf, size_t size)
{
	uint8_t head[HEADER_MAX + 8];

	memcpy(head, buf, header);
	sfab_little_put64(head + SFAB_ROWS_AT_CHECKSUM, 0);
	sfab_little_put64(head + header, sfab_hash64(buf + header, size - header));
	return sfab_hash64(head, header + 8);
}

/* Export the sum for fuzzers, whose changes would otherwise stop at the checksum. */
void sfab_rowfile_seal(size_t header, uint8_t *buf, size_t size)
{
	if (size >= header)
		sfab_little_put64(buf + SFAB_ROWS_AT_CHECKSUM, checksum_of_rows(header, buf, size));
}

uint64_t sfab_rowfile_size(const struct sfab_rowfile *f, const uint8_t *head, size_t n,
			   struct sfab_err *err)
{
	uint32_t rows, names;

	if (n < f->header || memcmp(head, f->magic, 8) != 0) {
		sfab_fail(err, SFAB_EFORMAT, "not %s (or less than its header)", f->what);
		return 0;
	}
	if (sfab_little_get32(head + SFAB_ROWS_AT_VERSION) != f->version) {
		sfab_fail(err, SFAB_EFORMAT, "%s of format %u (expected %u: another "
			  "version of sfabric?)", f->what,
			  sfab_little_get32(head + SFAB_ROWS_AT_VERSION), f->version);
		return 0;
	}
	rows = sfab_little_get32(head + SFAB_ROWS_AT_N);
	names = f->max_names ? sfab_little_get32(head + SFAB_ROWS_AT_NAMES) : 0;
	if (rows <= f->max_rows && names <= f->max_names)
		return sfab_rowfile_row(f, names, rows);
	sfab_fail(err, SFAB_EFORMAT, "%s: %u %s (expected at most %u)", f->what,
		  rows > f->max_rows ? rows : names, rows > f->max_rows ? "rows" : "IO sets",
		  rows > f->max_rows ? f->max_rows : f->max_names);
	return 0;
}

/* Check the length before the checksum, since the checksum is over all bytes. */
int sfab_rowfile_check(const struct sfab_rowfile *f, const uint8_t *buf, size_t size,
		       struct sfab_err *err)
{
	uint64_t want = sfab_rowfile_size(f, buf, size, err);

	if (!want)
		return -1;
	if (want != size)
		return sfab_fail(err, SFAB_EFORMAT, "%s: %zu bytes (expected %llu: "
				 "truncated or damaged)", f->what, size,
				 (unsigned long long) want);
	if (sfab_little_get64(buf + SFAB_ROWS_AT_CHECKSUM) != checksum_of_rows(f->header, buf,
									       size))
		return sfab_fail(err, SFAB_EFORMAT, "%s: wrong checksum (damaged)",
				 f->what);
	return 0;
}
