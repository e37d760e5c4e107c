/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.c - counters.snap as an object and as bytes; see counters.h
 *
 * The file has a header and rows of equal size, sorted by port; doc/snapshot-format.md
 * describes it.  The checksum finds damage.  The range checks find what a program with an error
 * could have written.
 */

#include "io/counters/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/little.h"
#include "io/portkey.h"
#include "io/record.h"
#include "io/rowfile.h"

/* Header: offsets of its own fields. */
enum {
	AT_TIME = 16,
	AT_HALF_LIFE = 24,
	AT_MISSED = 28,
	AT_SOURCE = 40,
};

static const struct sfab_rowfile counters_format = {
	.magic = SFAB_COUNTERS_MAGIC, .what = "a file of counters",
	.version = SFAB_COUNTERS_VERSION, .max_rows = SFAB_COUNTERS_MAX,
	.header = SFAB_COUNTERS_HEADER, .row = SFAB_COUNTERS_ROW,
};

#define FIELD(type, member) SFAB_FIELD(SFAB_F_##type, sfab_counter, member)

/* A row, as doc/snapshot-format.md has it. */
static const struct sfab_field row_fields[] = {
	FIELD(U64, guid), FIELD(U32, interval_ms), FIELD(U8, port), FIELD(U8, flags),
	SFAB_FIELD_ZERO(2), FIELD(U64, time_ms),
	FIELD(U64, xmit_words), FIELD(U64, rcv_words), FIELD(U64, wait_ticks),
	FIELD(U64, discards), FIELD(U64, errors),
	FIELD(F64, xmit_rate), FIELD(F64, rcv_rate), FIELD(F64, wait_share),
	FIELD(U32, new_discards), FIELD(U32, new_errors),
	SFAB_FIELD_END
};

void sfab_counters_destroy(struct sfab_counters *c)
{
	free(c);
}

/* Clear all rows: zeros are a port that has counted nothing. */
struct sfab_counters *sfab_counters_create(uint32_t n)
{
	struct sfab_counters *c = calloc(1, sizeof(*c) + n * sizeof(c->row[0]));

	if (!c)
		return NULL;
	c->n = n;
	c->half_life_s = SFAB_HALF_LIFE_S;
	return c;
}

static int compare_rows_by_port(const void *a, const void *b)
{
	const struct sfab_counter *x = a, *y = b;

	return sfab_portkey_compare(x->guid, x->port, y->guid, y->port);
}

const struct sfab_counter *sfab_counters_find(const struct sfab_counters *c,
					      uint64_t guid, uint8_t port)
{
	struct sfab_counter key = { .guid = guid, .port = port };

	return bsearch(&key, c->row, c->n, sizeof(key), compare_rows_by_port);
}

/* Check that rows are in strictly ascending order, as the file format requires. */
static int check_order(const struct sfab_counters *c, enum sfab_errcode code,
		       struct sfab_err *err)
{
	for (uint32_t i = 1; i < c->n; i++)
		if (compare_rows_by_port(&c->row[i - 1], &c->row[i]) >= 0)
			return sfab_fail(err, code, "counters row %u: port %u of "
					 "0x%016" PRIx64 " twice or out of order",
					 i, c->row[i].port, c->row[i].guid);
	return 0;
}

int sfab_counters_sort(struct sfab_counters *c, struct sfab_err *err)
{
	qsort(c->row, c->n, sizeof(*c->row), compare_rows_by_port);
	return check_order(c, SFAB_EINVAL, err);
}

/* Is @x in 0..@max?  Written so that NaN fails it. */
static int is_in_range(double x, double max)
{
	return x >= 0 && x <= max;
}

/* Read row @i from @bytes.  -1 with *err: a number is out of range, or NaN. */
static int get_counter_row(const uint8_t *bytes, struct sfab_counter *row, uint32_t i,
			   struct sfab_err *err)
{
	int gap = sfab_record_get(row_fields, bytes, row);

	if (!row->port || row->port == 0xFF)
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: port %u (expected 1-254)", i,
				 row->port);
	if (row->flags & ~SFAB_COUNTER_FLAGS || gap < 0)
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: unknown flags 0x%x", i,
				 row->flags);
	if (!is_in_range(row->xmit_rate, SFAB_RATE_MAX) ||
	    !is_in_range(row->rcv_rate, SFAB_RATE_MAX))
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: rates %g and %g bytes/s "
				 "(expected 0 to %g)", i, row->xmit_rate,
				 row->rcv_rate, SFAB_RATE_MAX);
	if (!is_in_range(row->wait_share, 1))
		return sfab_fail(err, SFAB_EFORMAT, "counters row %u: "
				 "wait share %g (expected 0 to 1)", i,
				 row->wait_share);
	return 0;
}

/* -- the file --------------------------------------------------------------- */

int sfab_counters_encode(const void *object, uint8_t **buf, size_t *size,
			 struct sfab_err *err)
{
	const struct sfab_counters *c = object;
	uint8_t *file;

	if (check_order(c, SFAB_EINVAL, err) < 0)
		return -1;
	*buf = file = sfab_rowfile_begin(&counters_format, NULL, 0, c->n, size);
	if (!file)
		return sfab_no_memory(err);
	sfab_little_put64(file + AT_TIME, c->time_ms);
	sfab_little_put32(file + AT_HALF_LIFE, c->half_life_s);
	sfab_little_put32(file + AT_MISSED, c->missed);
	memcpy(file + AT_SOURCE, c->source, strnlen(c->source, sizeof(c->source) - 1));
	for (uint32_t i = 0; i < c->n; i++)
		sfab_record_put(row_fields, &c->row[i],
				file + sfab_rowfile_row(&counters_format, 0, i));
	sfab_rowfile_seal(SFAB_COUNTERS_HEADER, file, *size);
	return 0;
}

uint64_t sfab_counters_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	return sfab_rowfile_size(&counters_format, head, n, err);
}

/* Read all rows, with range checks: a correct checksum does not guarantee sane numbers. */
static int get_counters(struct sfab_counters *c, const uint8_t *buf, struct sfab_err *err)
{
	c->time_ms = sfab_little_get64(buf + AT_TIME);
	c->half_life_s = sfab_little_get32(buf + AT_HALF_LIFE);
	c->missed = sfab_little_get32(buf + AT_MISSED);
	memcpy(c->source, buf + AT_SOURCE, sizeof(c->source));
	if (!c->half_life_s || c->half_life_s > SFAB_HALF_LIFE_MAX_S)
		return sfab_fail(err, SFAB_EFORMAT,
				 "half-life %u s (expected 1 to %u)",
				 c->half_life_s, SFAB_HALF_LIFE_MAX_S);
	if (!memchr(c->source, '\0', sizeof(c->source)))
		return sfab_fail(err, SFAB_EFORMAT, "source does not end");
	for (uint32_t i = 0; i < c->n; i++)
		if (get_counter_row(buf + sfab_rowfile_row(&counters_format, 0, i),
				    &c->row[i], i, err) < 0)
			return -1;
	/* sfab_counters_find() relies on the order. */
	return check_order(c, SFAB_EFORMAT, err);
}

void *sfab_counters_decode(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_counters *c;

	if (sfab_rowfile_check(&counters_format, buf, size, err) < 0)
		return NULL;
	c = sfab_counters_create(sfab_little_get32(buf + SFAB_ROWS_AT_N));
	if (!c) {
		sfab_no_memory(err);
		return NULL;
	}
	if (get_counters(c, buf, err) == 0)
		return c;
	sfab_counters_destroy(c);
	return NULL;
}

int sfab_counters_save(const struct sfab_counters *c, const char *path,
		       unsigned mode, struct sfab_err *err)
{
	return sfab_file_encode(path, mode, sfab_counters_encode, c, err);
}

struct sfab_counters *sfab_counters_load(const char *path,
					 const struct sfab_trust *trust,
					 struct sfab_err *err)
{
	return sfab_file_decode(path, trust, sfab_counters_size, sfab_counters_decode, err);
}
