/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_file.c - a history as bytes; see history.h */

#include "io/learn/history_private.h"

#include <stdlib.h>
#include <string.h>

/* Row: offsets of its fields. */
enum {
	AT_KEY = 0,
	AT_KIND = 8,
	AT_NPARTS = 9,
	AT_HASHED = 10,
	AT_GAP = 11,
	AT_RUNS = 12,
	AT_WEIGHT = 16,
	AT_VARIANCE = 24,
	AT_LAST = 32,
	AT_USER = 40,
	AT_NODES = 44,
	AT_TEXT = 48,
	AT_PARTS = AT_TEXT + SFAB_HISTORY_TEXT,
	HISTORY_ROW = AT_PARTS + LEARN_PARTS,
};

static const struct learn_format history_format = {
	.magic = SFAB_HISTORY_MAGIC, .what = "a history",
	.version = SFAB_HISTORY_VERSION, .max_rows = SFAB_HISTORY_ROWS,
	.own = 8 * SFAB_HISTORY_SKETCH, .row = HISTORY_ROW,
};

static void put_history(uint8_t *p, const struct sfab_history *h,
			const struct history_row *r)
{
	struct sfab_traffic t;

	sfab_put64(p + AT_KEY, r->key);
	p[AT_KIND] = r->kind;
	p[AT_NPARTS] = (uint8_t) r->nparts;
	p[AT_HASHED] = r->hashed;
	sfab_put32(p + AT_RUNS, r->runs);
	sfab_learn_put_f64(p + AT_WEIGHT, r->weight);
	sfab_learn_put_f64(p + AT_VARIANCE, r->variance);
	sfab_put64(p + AT_LAST, r->last_s);
	sfab_put32(p + AT_USER, r->user);
	sfab_put32(p + AT_NODES, r->nodes);
	memcpy(p + AT_TEXT, r->text, sizeof(r->text));
	sfab_history_traffic(h, r, 0, &t);
	sfab_learn_put_parts(p + AT_PARTS, &h->sets, &t);
}

int sfab_history_encode(const struct sfab_history *h, uint8_t **buf, size_t *size,
			struct sfab_err *err)
{
	uint8_t *p = sfab_learn_begin(&history_format, &h->sets, h->n, size);

	*buf = p;
	if (!p)
		return sfab_no_memory(err);
	sfab_put64(p + LEARN_AT_FIRST, h->salt);
	sfab_put64(p + LEARN_AT_SECOND, (uint64_t) h->hides);
	for (uint32_t i = 0; i < SFAB_HISTORY_SKETCH; i++)
		sfab_put64(p + LEARN_HEADER + 8 * i, h->sketch[i]);
	for (uint32_t i = 0; i < h->n; i++)
		put_history(p + sfab_learn_row(&history_format, h->sets.n, i), h,
			    &h->row[i]);
	sfab_learn_seal(p, *size);
	return 0;
}

/* A text ends, and is padded; a row without names has none. */
static int is_row_text(const struct history_row *r)
{
	size_t n = strnlen(r->text, sizeof(r->text));

	for (size_t i = n; i < sizeof(r->text); i++)
		if (r->text[i])
			return 0;
	return n < sizeof(r->text) &&
	       (r->hashed ? !n && !r->user && !r->nodes : n > 0);
}

static int is_row_number(const struct history_row *r)	/* NaN fails */
{
	return r->weight >= 0 && r->weight <= SFAB_HISTORY_WINDOW &&
	       r->variance >= 0 && r->variance <= SFAB_TRAFFIC_PARTS;
}

static int get_history(const uint8_t *p, struct sfab_history *h, uint32_t i,
		       struct sfab_err *err)
{
	struct history_row *r = &h->row[i];
	struct sfab_traffic t;

	r->key = sfab_get64(p + AT_KEY);
	r->kind = p[AT_KIND];
	r->nparts = p[AT_NPARTS];
	r->hashed = p[AT_HASHED];
	r->runs = sfab_get32(p + AT_RUNS);
	r->weight = sfab_learn_get_f64(p + AT_WEIGHT);
	r->variance = sfab_learn_get_f64(p + AT_VARIANCE);
	r->last_s = sfab_get64(p + AT_LAST);
	r->user = sfab_get32(p + AT_USER);
	r->nodes = sfab_get32(p + AT_NODES);
	memcpy(r->text, p + AT_TEXT, sizeof(r->text));
	if (r->kind >= SFAB_HISTORY_KINDS || r->nparts > SFAB_TRAFFIC_PARTS ||
	    r->hashed > 1 || p[AT_GAP])
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: kind %u, %u parts, "
				 "hashed %u (expected below %u, at most %u, 0 or 1)", i,
				 r->kind, r->nparts, r->hashed, SFAB_HISTORY_KINDS,
				 SFAB_TRAFFIC_PARTS);
	if (!is_row_number(r) || !is_row_text(r))
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: weight %g, "
				 "variance %g, or its name is not one", i, r->weight,
				 r->variance);
	if (i && sfab_history_order(r - 1, r) >= 0)
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: its key is there "
				 "twice or out of order", i);
	if (sfab_learn_get_parts(p + AT_PARTS, &h->sets, r->nparts, &history_format, i,
				 &t, err) < 0)
		return -1;
	for (uint32_t k = 0; k < r->nparts; k++)
		r->part[k] = (struct history_part){ p[AT_PARTS + k * LEARN_PART],
						    p[AT_PARTS + k * LEARN_PART + 1],
						    t.part[k].share };
	return 0;
}

static int get_history_rows(struct sfab_history *h, const uint8_t *buf,
			    struct sfab_err *err)
{
	uint32_t n = sfab_get32(buf + LEARN_AT_ROWS);
	uint64_t hides = sfab_get64(buf + LEARN_AT_SECOND);

	if (hides > 1)
		return sfab_fail(err, SFAB_EFORMAT, "a history: unknown flags 0x%llx",
				 (unsigned long long) hides);
	h->hides = (int) hides;
	for (uint32_t i = 0; i < SFAB_HISTORY_SKETCH; i++)
		h->sketch[i] = sfab_get64(buf + LEARN_HEADER + 8 * i);
	if (sfab_history_reserve(h, n) < 0)
		return sfab_no_memory(err);
	for (; h->n < n; h->n++)
		if (get_history(buf + sfab_learn_row(&history_format, h->sets.n, h->n), h,
				h->n, err) < 0)
			return -1;
	return 0;
}

struct sfab_history *sfab_history_decode(const uint8_t *buf, size_t size,
					 struct sfab_err *err)
{
	struct sfab_history *h;
	struct learn_sets s;

	if (sfab_learn_open(&history_format, buf, size, &s, err) < 0)
		return NULL;
	h = sfab_history_create(sfab_get64(buf + LEARN_AT_FIRST));
	if (!h) {
		sfab_learn_sets_free(&s);
		sfab_no_memory(err);
		return NULL;
	}
	sfab_learn_sets_free(&h->sets);
	h->sets = s;
	if (get_history_rows(h, buf, err) == 0)
		return h;
	sfab_history_destroy(h);
	return NULL;
}

void sfab_history_seal(uint8_t *buf, size_t size)
{
	sfab_learn_seal(buf, size);
}

int sfab_history_save(const struct sfab_history *h, const char *path, unsigned mode,
		      struct sfab_err *err)
{
	uint8_t *buf;
	size_t size;
	int rc;

	if (sfab_history_encode(h, &buf, &size, err) < 0)
		return sfab_fail_prefix(err, "%s", path);
	rc = sfab_file_write(path, buf, size, mode, err);
	free(buf);
	return rc;
}

static uint64_t history_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	return sfab_learn_size(&history_format, head, n, err);
}

static void *decode_history(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	return sfab_history_decode(buf, size, err);
}

struct sfab_history *sfab_history_load(const char *path,
				       const struct sfab_trust *trust,
				       struct sfab_err *err)
{
	return sfab_file_decode(path, trust, history_size, decode_history, err);
}
