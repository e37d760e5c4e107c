/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.c - counters.snap as an object and as bytes; see counters.h
 *
 * The file has a header and rows of equal size, sorted by port;
 * doc/snapshot-format.md describes it.  The checksum finds damage.  The range
 * checks find what a program with an error could have written.
 */

#include "io/counters/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/little.h"
#include "io/portkey.h"

/* Header: offsets of its fields. */
enum {
	AT_VERSION = 8,
	AT_ROWS = 12,
	AT_TIME = 16,
	AT_HALF_LIFE = 24,
	AT_MISSED = 28,
	AT_CHECKSUM = 32,
	AT_SOURCE = 40,
};

void sfab_counters_destroy(struct sfab_counters *c)
{
	if (!c)
		return;
	free(c->row);
	free(c);
}

/* Rows are zeros: a port that has counted nothing. */
struct sfab_counters *sfab_counters_create(uint32_t n)
{
	struct sfab_counters *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->n = n;
	c->half_life_s = SFAB_HALF_LIFE_S;
	c->row = calloc(n + 1u, sizeof(*c->row));
	if (!c->row) {
		free(c);
		return NULL;
	}
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

/* Rows must be in strictly ascending order; the file format requires it. */
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

/* a row */

/* A rate as its bits, so that all machines read the same. */
static void put_f64(uint8_t *p, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	sfab_put64(p, bits);
}

/* IEEE 754 as 64 bits, little-endian, on any host. */
static double get_f64(const uint8_t *p)
{
	uint64_t bits = sfab_get64(p);
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Offsets are those of doc/snapshot-format.md. */
static void put_counter_row(uint8_t *p, const struct sfab_counter *c)
{
	sfab_put64(p, c->guid);
	sfab_put32(p + 8, c->interval_ms);
	p[12] = c->port;
	p[13] = c->flags;
	sfab_put64(p + 16, c->time_ms);
	sfab_put64(p + 24, c->xmit_words);
	sfab_put64(p + 32, c->rcv_words);
	sfab_put64(p + 40, c->wait_ticks);
	sfab_put64(p + 48, c->discards);
	sfab_put64(p + 56, c->errors);
	put_f64(p + 64, c->xmit_rate);
	put_f64(p + 72, c->rcv_rate);
	put_f64(p + 80, c->wait_share);
	sfab_put32(p + 88, c->new_discards);
	sfab_put32(p + 92, c->new_errors);
}

static void get_row(const uint8_t *p, struct sfab_counter *c)
{
	c->guid = sfab_get64(p);
	c->interval_ms = sfab_get32(p + 8);
	c->port = p[12];
	c->flags = p[13];
	c->time_ms = sfab_get64(p + 16);
	c->xmit_words = sfab_get64(p + 24);
	c->rcv_words = sfab_get64(p + 32);
	c->wait_ticks = sfab_get64(p + 40);
	c->discards = sfab_get64(p + 48);
	c->errors = sfab_get64(p + 56);
	c->xmit_rate = get_f64(p + 64);
	c->rcv_rate = get_f64(p + 72);
	c->wait_share = get_f64(p + 80);
	c->new_discards = sfab_get32(p + 88);
	c->new_errors = sfab_get32(p + 92);
}

/* Written so that NaN fails it. */
static int in_range(double x, double max)
{
	return x >= 0 && x <= max;
}

/* NaN fails too: in_range() is false for it. */
static int check_row(const uint8_t *p, const struct sfab_counter *c, uint32_t i,
		     struct sfab_err *err)
{
	if (!c->port || c->port == 0xFF)
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: port %u (expected 1-254)", i,
				 c->port);
	if (c->flags & ~SFAB_COUNTER_FLAGS || sfab_get16(p + 14))
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: unknown flags 0x%x", i,
				 c->flags);
	if (!in_range(c->xmit_rate, SFAB_RATE_MAX) ||
	    !in_range(c->rcv_rate, SFAB_RATE_MAX))
		return sfab_fail(err, SFAB_EFORMAT,
				 "counters row %u: rates %g and %g bytes/s "
				 "(expected 0 to %g)", i, c->xmit_rate,
				 c->rcv_rate, SFAB_RATE_MAX);
	if (!in_range(c->wait_share, 1))
		return sfab_fail(err, SFAB_EFORMAT, "counters row %u: "
				 "wait share %g (expected 0 to 1)", i,
				 c->wait_share);
	return 0;
}

/* the file */

/* Over all bytes, with its own field counted as zero. */
static uint64_t counters_checksum(const uint8_t *buf, size_t size)
{
	uint8_t header[SFAB_COUNTERS_HEADER + 8];

	memcpy(header, buf, SFAB_COUNTERS_HEADER);
	sfab_put64(header + AT_CHECKSUM, 0);
	sfab_put64(header + SFAB_COUNTERS_HEADER,
		   sfab_hash64(buf + SFAB_COUNTERS_HEADER,
			       size - SFAB_COUNTERS_HEADER));
	return sfab_hash64(header, sizeof(header));
}

/* Also for fuzzers, whose changes would otherwise stop at the checksum. */
void sfab_counters_seal(uint8_t *buf, size_t size)
{
	if (size < SFAB_COUNTERS_HEADER)
		return;
	sfab_put64(buf + AT_CHECKSUM, counters_checksum(buf, size));
}

int sfab_counters_encode(const struct sfab_counters *c, uint8_t **buf,
			 size_t *size, struct sfab_err *err)
{
	uint8_t *p;

	if (check_order(c, SFAB_EINVAL, err) < 0)
		return -1;
	*size = SFAB_COUNTERS_HEADER + (size_t) c->n * SFAB_COUNTERS_ROW;
	*buf = p = calloc(1, *size);
	if (!p)
		return sfab_no_memory(err);
	memcpy(p, SFAB_COUNTERS_MAGIC, 8);
	sfab_put32(p + AT_VERSION, SFAB_COUNTERS_VERSION);
	sfab_put32(p + AT_ROWS, c->n);
	sfab_put64(p + AT_TIME, c->time_ms);
	sfab_put32(p + AT_HALF_LIFE, c->half_life_s);
	sfab_put32(p + AT_MISSED, c->missed);
	memcpy(p + AT_SOURCE, c->source, strnlen(c->source, sizeof(c->source) - 1));
	for (uint32_t i = 0; i < c->n; i++)
		put_counter_row(p + SFAB_COUNTERS_HEADER +
				    (size_t) i * SFAB_COUNTERS_ROW,
				&c->row[i]);
	sfab_counters_seal(p, *size);
	return 0;
}

/* By the number of rows in the header. */
uint64_t sfab_counters_size(const uint8_t *buf, size_t size)
{
	if (size < SFAB_COUNTERS_HEADER)
		return 0;
	return SFAB_COUNTERS_HEADER +
	       (uint64_t) sfab_get32(buf + AT_ROWS) * SFAB_COUNTERS_ROW;
}

/* A sfab_file_sizer. */
static uint64_t size_from_header(const uint8_t *head, size_t n,
				 struct sfab_err *err)
{
	if (n < SFAB_COUNTERS_HEADER ||
	    memcmp(head, SFAB_COUNTERS_MAGIC, 8) != 0) {
		sfab_fail(err, SFAB_EFORMAT, "not a file of counters "
			  "(or less than its header)");
		return 0;
	}
	if (sfab_get32(head + AT_VERSION) == SFAB_COUNTERS_VERSION)
		return sfab_counters_size(head, n);
	sfab_fail(err, SFAB_EFORMAT, "counters format %u (expected %u: another "
		  "version of sfabric?)", sfab_get32(head + AT_VERSION),
		  SFAB_COUNTERS_VERSION);
	return 0;
}

/* Range checks: a correct checksum does not guarantee sane numbers. */
static int get_header(struct sfab_counters *c, const uint8_t *buf,
		      struct sfab_err *err)
{
	c->time_ms = sfab_get64(buf + AT_TIME);
	c->half_life_s = sfab_get32(buf + AT_HALF_LIFE);
	c->missed = sfab_get32(buf + AT_MISSED);
	memcpy(c->source, buf + AT_SOURCE, sizeof(c->source));
	if (!c->half_life_s || c->half_life_s > SFAB_HALF_LIFE_MAX_S)
		return sfab_fail(err, SFAB_EFORMAT,
				 "half-life %u s (expected 1 to %u)",
				 c->half_life_s, SFAB_HALF_LIFE_MAX_S);
	if (!memchr(c->source, '\0', sizeof(c->source)))
		return sfab_fail(err, SFAB_EFORMAT, "source does not end");
	return 0;
}

/* Order is checked as well, because sfab_counters_find() relies on it. */
static int get_rows(struct sfab_counters *c, const uint8_t *p,
		    struct sfab_err *err)
{
	for (uint32_t i = 0; i < c->n; i++, p += SFAB_COUNTERS_ROW) {
		get_row(p, &c->row[i]);
		if (check_row(p, &c->row[i], i, err) < 0)
			return -1;
	}
	return check_order(c, SFAB_EFORMAT, err);
}

struct sfab_counters *sfab_counters_decode(const uint8_t *buf, size_t size,
					   struct sfab_err *err)
{
	struct sfab_counters *c;
	uint32_t rows;

	if (!size_from_header(buf, size, err))
		return NULL;
	rows = sfab_get32(buf + AT_ROWS);
	if (rows > SFAB_COUNTERS_MAX || size != sfab_counters_size(buf, size)) {
		sfab_fail(err, SFAB_EFORMAT, "%zu bytes (expected %u + %u "
				 "rows of %u: truncated or damaged)",
				 size, SFAB_COUNTERS_HEADER, rows,
				 SFAB_COUNTERS_ROW);
		return NULL;
	}
	if (sfab_get64(buf + AT_CHECKSUM) != counters_checksum(buf, size)) {
		sfab_fail(err, SFAB_EFORMAT, "wrong checksum (damaged)");
		return NULL;
	}
	c = sfab_counters_create(sfab_get32(buf + AT_ROWS));
	if (!c) {
		sfab_no_memory(err);
		return NULL;
	}
	if (get_header(c, buf, err) < 0 ||
	    get_rows(c, buf + SFAB_COUNTERS_HEADER, err) < 0) {
		sfab_counters_destroy(c);
		return NULL;
	}
	return c;
}

int sfab_counters_save(const struct sfab_counters *c, const char *path,
		       unsigned mode, struct sfab_err *err)
{
	uint8_t *buf;
	size_t size;
	int rc;

	if (sfab_counters_encode(c, &buf, &size, err) < 0)
		return sfab_fail_prefix(err, "%s", path);
	rc = sfab_file_write(path, buf, size, mode, err);
	free(buf);
	return rc;
}

static void *decode_counters(const uint8_t *buf, size_t size,
			     struct sfab_err *err)
{
	return sfab_counters_decode(buf, size, err);
}

struct sfab_counters *sfab_counters_load(const char *path,
					 const struct sfab_trust *trust,
					 struct sfab_err *err)
{
	return sfab_file_decode(path, trust, size_from_header, decode_counters,
				err);
}
