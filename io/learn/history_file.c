/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_file.c - a history as bytes; see history.h */

#include "io/learn/history_private.h"

#include <stdlib.h>

#include "core/resize.h"
#include "io/record.h"

#define AT_ADDED (LEARN_HEADER + 8 * HISTORY_SKETCH)

#define FIELD(type, member) SFAB_FIELD(SFAB_F_##type, history_row, member)
#define WORK_FIELD(type, member) SFAB_FIELD(SFAB_F_##type, history_work, member)

/* A row: these, then two works.  doc/learn-format.md explains each field. */
static const struct sfab_field row_fields[] = {
	FIELD(U64, key), FIELD(U8, kind), FIELD(U8, hashed), FIELD(U8, streak),
	FIELD(U8, trend), SFAB_FIELD_ZERO(4), FIELD(F64, weight), FIELD(U64, last_s),
	FIELD(U32, user), FIELD(U32, nodes), SFAB_FIELD_BYTES(history_row, users),
	SFAB_FIELD_BYTES(history_row, names), SFAB_FIELD_BYTES(history_row, text),
	SFAB_FIELD_END
};
/* A work: these, then its parts. */
static const struct sfab_field work_fields[] = {
	WORK_FIELD(U32, runs), WORK_FIELD(LOW8, nparts), WORK_FIELD(U8, at_least),
	SFAB_FIELD_ZERO(2), WORK_FIELD(F64, weight), WORK_FIELD(F64, variance),
	SFAB_FIELD_END
};
enum {
	AT_USUAL = 40 + 2 * HISTORY_RECENT + SFAB_NAME_SIZE,
	AT_PARTS = 24,		/* in a work */
	AT_OTHER = AT_USUAL + AT_PARTS + LEARN_PARTS,
	HISTORY_ROW = AT_OTHER + AT_PARTS + LEARN_PARTS,
};

static const struct sfab_rowfile history_format = {
	.magic = SFAB_HISTORY_MAGIC, .what = "a history",
	.version = SFAB_HISTORY_VERSION, .max_rows = SFAB_HISTORY_ROWS_MAX,
	.max_names = LEARN_SETS, .header = LEARN_HEADER,
	.extra = 8 * (HISTORY_SKETCH + HISTORY_ADDED), .row = HISTORY_ROW,
};

static void put_work(const struct history_work *w, uint8_t *bytes)
{
	sfab_record_put(work_fields, w, bytes);
	sfab_learn_put_parts(bytes + AT_PARTS, w->part, w->nparts);
}

int sfab_history_encode(const void *object, uint8_t **buf, size_t *size,
			struct sfab_err *err)
{
	const struct sfab_history *h = object;
	uint32_t nadded = h->nadded < HISTORY_ADDED ? h->nadded : HISTORY_ADDED;
	uint8_t *file = sfab_rowfile_begin(&history_format, h->sets.name[0], h->sets.n, h->n,
					   size);

	*buf = file;
	if (!file)
		return sfab_no_memory(err);
	sfab_little_put64(file + LEARN_AT_FIRST, h->salt);
	sfab_little_put64(file + LEARN_AT_SECOND, (uint64_t) h->hides);
	for (uint32_t i = 0; i < HISTORY_SKETCH; i++)
		sfab_little_put64(file + LEARN_HEADER + 8 * i, h->sketch[i]);
	/* Oldest first, then zeros: the ring begins at its first entry when it is read. */
	for (uint32_t i = 0; i < nadded; i++)
		sfab_little_put64(file + AT_ADDED + 8 * (size_t) i,
				  h->added[(h->nadded - nadded + i) % HISTORY_ADDED]);
	for (uint32_t i = 0; i < h->n; i++) {
		uint8_t *row = file + sfab_rowfile_row(&history_format, h->sets.n, i);

		sfab_record_put(row_fields, h->row[i], row);
		put_work(&h->row[i]->usual, row + AT_USUAL);
		put_work(&h->row[i]->other, row + AT_OTHER);
	}
	sfab_rowfile_seal(LEARN_HEADER, file, *size);
	return 0;
}

static int is_weight(double x)		/* NaN fails */
{
	return x >= 0 && x <= HISTORY_WINDOW;
}

static int get_work(const uint8_t *bytes, struct sfab_history *h, uint32_t row,
		    struct history_work *w, struct sfab_err *err)
{
	int gap = sfab_record_get(work_fields, bytes, w);

	if (w->nparts > SFAB_TRAFFIC_PARTS || w->at_least > 1 || gap < 0)
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: %u parts, at least "
				 "%u (expected at most %u, 0 or 1)", row, w->nparts,
				 w->at_least, SFAB_TRAFFIC_PARTS);
	if (!is_weight(w->weight) ||
	    !(w->variance >= 0 && w->variance <= SFAB_TRAFFIC_PARTS))
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: weight %g, "
				 "variance %g", row, w->weight, w->variance);
	return sfab_learn_get_parts(bytes + AT_PARTS, &h->sets, w->part, w->nparts,
				    &history_format, row, err);
}

/* Read row @i.  Rows must ascend by kind and key: the search relies on it. */
static int get_history(const uint8_t *bytes, struct sfab_history *h, uint32_t i,
		       struct sfab_err *err)
{
	const int max = HISTORY_FOLLOWED;
	struct history_row *r = h->row[i];
	int gap = sfab_record_get(row_fields, bytes, r);

	if (r->kind >= SFAB_HISTORY_KINDS || r->hashed > 1 || r->streak > max ||
	    r->trend < -max || r->trend > max || gap < 0)
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: kind %u, hashed %u "
				 "(expected below %u, 0 or 1)", i, r->kind, r->hashed,
				 SFAB_HISTORY_KINDS);
	/* A row without names has none. */
	if (!is_weight(r->weight) || !sfab_learn_is_text(r->text) ||
	    (r->hashed ? *r->text || r->user || r->nodes : !*r->text))
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: weight %g, or its "
				 "name is not one", i, r->weight);
	if (i && sfab_history_row_cmp(h->row[i - 1], r) >= 0)
		return sfab_fail(err, SFAB_EFORMAT, "a history: row %u: its key is there "
				 "twice or out of order", i);
	if (get_work(bytes + AT_USUAL, h, i, &r->usual, err) < 0)
		return -1;
	return get_work(bytes + AT_OTHER, h, i, &r->other, err);
}

/*
 * Read the salt, the sketch, the runs that were added, and all rows.  h->n counts a row before
 * it is checked, so that it is freed also if it is wrong.
 */
static int get_history_rows(struct sfab_history *h, const uint8_t *buf,
			    struct sfab_err *err)
{
	uint32_t n = sfab_little_get32(buf + SFAB_ROWS_AT_N);
	uint64_t hides = sfab_little_get64(buf + LEARN_AT_SECOND);

	if (hides > 1)
		return sfab_fail(err, SFAB_EFORMAT, "a history: unknown flags 0x%llx",
				 (unsigned long long) hides);
	h->salt = sfab_little_get64(buf + LEARN_AT_FIRST);
	h->hides = (int) hides;
	for (uint32_t i = 0; i < HISTORY_SKETCH; i++)
		h->sketch[i] = sfab_little_get64(buf + LEARN_HEADER + 8 * i);
	/* A zero ends the list; a hash behind it is an error. */
	for (uint32_t i = 0; i < HISTORY_ADDED; i++) {
		h->added[i] = sfab_little_get64(buf + AT_ADDED + 8 * i);
		if (h->added[i] && h->nadded < i)
			return sfab_fail(err, SFAB_EFORMAT, "a history: run %u follows none", i);
		h->nadded += h->added[i] != 0;
	}
	while (h->n < n) {
		if (sfab_resize_one_more(&h->row, h->n, sizeof(*h->row)) < 0 ||
		    !(h->row[h->n] = calloc(1, sizeof(**h->row))))
			return sfab_no_memory(err);
		h->n++;		/* so that it is freed */
		if (get_history(buf + sfab_rowfile_row(&history_format, h->sets.n, h->n - 1), h,
				h->n - 1, err) < 0)
			return -1;
	}
	return 0;
}

void *sfab_history_decode(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_history *h = sfab_history_create(0);

	if (!h) {
		sfab_no_memory(err);
		return NULL;
	}
	if (sfab_learn_open(&history_format, buf, size, &h->sets, err) == 0 &&
	    get_history_rows(h, buf, err) == 0)
		return h;
	sfab_history_destroy(h);
	return NULL;
}

int sfab_history_save(const struct sfab_history *h, const char *path, unsigned mode,
		      struct sfab_err *err)
{
	return sfab_file_encode(path, mode, sfab_history_encode, h, err);
}

static uint64_t history_size(const uint8_t *head, size_t n, struct sfab_err *err)
{
	return sfab_rowfile_size(&history_format, head, n, err);
}

struct sfab_history *sfab_history_load(const char *path,
				       const struct sfab_trust *trust,
				       struct sfab_err *err)
{
	return sfab_file_decode(path, trust, history_size, sfab_history_decode, err);
}
