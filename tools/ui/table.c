/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - rows of typed fields: fill and sort; see table.h, table_print.c
 *
 * Cells are kept as they come and formatted only when printed, since text, '|' lines and JSON
 * show the same value differently.  Rows are pointers, so that sorting and dropping rows move
 * no cells.
 */

#include "tools/ui/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "core/fabric/fabric.h"
#include "core/same_text.h"
#include "io/spelling.h"
#include "tools/ui/short_name.h"
#include "tools/ui/table_private.h"
#include "tools/ui/xalloc.h"

#define SORT_FIELDS_MAX 8	/* fields; nobody sorts by as many */

struct table *table_create(const struct column *columns)
{
	struct table *t = xcalloc(1, sizeof(*t));

	t->columns = columns;
	while (columns[t->ncolumns].field)
		t->ncolumns++;
	return t;
}

static void row_destroy(struct table *t, struct table_cell *row)
{
	for (unsigned c = 0; c < t->ncolumns; c++)
		free(row[c].text);
	free(row);
}

void table_destroy(struct table *t)
{
	if (!t)
		return;
	for (uint32_t r = 0; r < t->nrows; r++)
		row_destroy(t, t->rows[r]);
	free(t->rows);
	free(t);
}

int table_has(const struct table *t, const char *field)
{
	for (unsigned c = 0; c < t->ncolumns; c++)
		if (strcmp(t->columns[c].field, field) == 0)
			return 1;
	return 0;
}

void table_row(struct table *t)
{
	t->rows = xgrow(t->rows, t->nrows, sizeof(*t->rows));
	t->rows[t->nrows++] = xcalloc(t->ncolumns, sizeof(struct table_cell));
}

/*
 * Return the cell of @field in the last row, and mark it as set.  Rows are filled from left to
 * right, so that the column after the last one is tried first.
 */
static struct table_cell *set_cell(struct table *t, const char *field)
{
	struct table_cell *cell;

	for (unsigned i = 0; strcmp(t->columns[t->last_column].field, field) != 0; i++) {
		if (i == t->ncolumns)
			abort();	/* the table has no such field */
		t->last_column = (t->last_column + 1) % t->ncolumns;
	}
	cell = &t->rows[t->nrows - 1][t->last_column];
	cell->is_set = 1;
	return cell;
}

void table_text(struct table *t, const char *field, const char *text)
{
	if (text)
		set_cell(t, field)->text = xstrdup(text);
}

void table_count(struct table *t, const char *field, uint64_t count)
{
	set_cell(t, field)->count = count;
}

void table_number(struct table *t, const char *field, double number)
{
	set_cell(t, field)->number = number;
}

void table_gbs(struct table *t, const char *field, double bytes_per_s)
{
	table_number(t, field, bytes_per_s / SFAB_GB);
}

void table_guid(struct table *t, const char *field, uint64_t guid)
{
	set_cell(t, field)->count = guid;
}

void table_yes(struct table *t, const char *field, int yes)
{
	set_cell(t, field)->count = yes ? 1 : 0;
}

int table_field(const struct table *t, const char *name, size_t n,
		unsigned *col, struct sfab_err *err)
{
	char *word = xstrfmt("%.*s", (int) n, name);
	struct sfab_spelling spelling = sfab_spelling_start(word);

	/*
	 * Headings are in capitals, and whoever copies one from the screen means that field.
	 * --helpformat lists all fields; the nearest one is named here.
	 */
	for (*col = 0; *col < t->ncolumns; ++*col) {
		if (strcasecmp(t->columns[*col].field, word) == 0) {
			free(word);
			return 0;
		}
		sfab_spelling_offer(&spelling, t->columns[*col].field);
	}
	sfab_fail(err, SFAB_EINVAL, "field '%s'%s (expected one of those that "
		  "--helpformat lists)", word, sfab_spelling_question(&spelling));
	free(word);
	return -1;
}

/* "-used" is the column "used" with sign -1. */
struct sort_key {
	unsigned col;
	enum column_type type;
	int sign;
};

struct sort_order {
	unsigned n;
	struct sort_key key[SORT_FIELDS_MAX];
};

/*
 * Compare two cells.  Cells that were not set come last in either direction.  Unknown is
 * neither large nor small.  Names compare as sfab_fabric_name_cmp() does it, with leaf-9 before
 * leaf-10.
 */
static int compare_cells(const struct sort_key *key, const struct table_cell *a,
			 const struct table_cell *b)
{
	if (!a->is_set || !b->is_set)
		return (b->is_set != 0) - (a->is_set != 0);
	switch (key->type) {
	case COLUMN_TEXT:
		return key->sign * sfab_fabric_name_cmp(a->text, b->text);
	case COLUMN_NUMBER:
		return key->sign *
		       ((a->number > b->number) - (a->number < b->number));
	default:
		return key->sign *
		       ((a->count > b->count) - (a->count < b->count));
	}
}

/* Compare two rows by the keys.  Equal rows stay in the order in which they were added. */
static int compare_table_rows(const void *x, const void *y, void *ctx)
{
	const struct table_cell *a = *(struct table_cell *const *) x;
	const struct table_cell *b = *(struct table_cell *const *) y;
	const struct sort_order *order = ctx;

	for (unsigned i = 0; i < order->n; i++) {
		const struct sort_key *key = &order->key[i];
		int d = compare_cells(key, &a[key->col], &b[key->col]);

		if (d)
			return d;
	}
	return a->row < b->row ? -1 : 1;
}

int table_sort(struct table *t, const char *fields, struct sfab_err *err)
{
	struct sort_order order = { 0 };

	for (const char *p = fields; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");
		struct sort_key *key = &order.key[order.n];

		if (order.n == SORT_FIELDS_MAX)
			return sfab_fail(err, SFAB_EINVAL,
					 "sort '%s': more than %d fields",
					 fields, SORT_FIELDS_MAX);
		key->sign = *p == '-' ? -1 : 1;
		if (table_field(t, p + (*p == '-'), n - (*p == '-'),
				&key->col, err) != 0)
			return -1;
		key->type = t->columns[key->col].type;
		order.n++;
		p += n;
	}
	for (uint32_t r = 0; r < t->nrows; r++)
		/* qsort_r() is not stable by itself. */
		t->rows[r][0].row = r;
	if (t->nrows)
		qsort_r(t->rows, t->nrows, sizeof(t->rows[0]), compare_table_rows, &order);
	return 0;
}

uint32_t table_rows(const struct table *t)
{
	return t->nrows;
}

void table_top(struct table *t, uint32_t n)
{
	while (t->nrows > n)
		row_destroy(t, t->rows[--t->nrows]);
}

/* A name that the user requested. */
struct sought_name {
	const char *name;
	int is_found;
	UT_hash_handle hh;
};

/*
 * Mark the names sought that the row has.  Return 1 if it has any.  A number is a name in the
 * first column only.
 */
static int find_sought_names(const struct table *t, const struct table_cell *row,
			     struct sought_name *sought)
{
	int has_any = 0;

	for (unsigned c = 0; c < t->ncolumns; c++) {
		char number[24];
		const char *name = row[c].text;
		struct sought_name *s = NULL;

		if (c == 0 && t->columns[c].type == COLUMN_COUNT && row[c].is_set) {
			snprintf(number, sizeof(number), "%" PRIu64, row[c].count);
			name = number;
		}
		if (name)
			HASH_FIND_STR(sought, name, s);
		if (s)
			s->is_found = has_any = 1;
	}
	return has_any;
}

/*
 * Look for a name that no row has in full.  If it is a short name of one text, such as the
 * label of a switch in a picture, mark the rows with that text; else suggest the most similar
 * text of the table.
 */
static int mark_short_name(const struct table *t, const char *name, uint8_t *is_kept,
			   struct sfab_err *err)
{
	struct sfab_spelling spelling = sfab_spelling_start(name);
	struct short_name s = short_name_of(name);
	const char *full;
	int rc;

	for (uint32_t r = 0; r < t->nrows; r++)
		for (unsigned c = 0; c < t->ncolumns; c++)
			if (t->rows[r][c].text) {
				short_name_offer(&s, t->rows[r][c].text);
				sfab_spelling_offer(&spelling, t->rows[r][c].text);
			}
	rc = short_name_found(&s, &full, err);
	if (rc < 0)
		return -1;
	if (!rc)
		return sfab_fail(err, SFAB_ENOENT, "%s: no row has that name%s", name,
				 sfab_spelling_question(&spelling));
	for (uint32_t r = 0; r < t->nrows; r++)
		for (unsigned c = 0; c < t->ncolumns; c++)
			is_kept[r] |= sfab_same_text(t->rows[r][c].text, full);
	return 0;
}

int table_keep(struct table *t, const char *const *names, uint32_t n,
	       struct sfab_err *err)
{
	struct sought_name *requested = xcalloc(n, sizeof(*requested)), *sought = NULL, *s;
	uint8_t *is_kept = xcalloc(t->nrows, sizeof(*is_kept));
	uint32_t nkept = 0;
	int rc = 0;

	/*
	 * Fabrics have tens of thousands of rows, and a hostlist may name as many.  A name that
	 * was given twice is one.
	 */
	for (uint32_t i = 0; i < n; i++) {
		requested[i].name = names[i];
		HASH_FIND_STR(sought, names[i], s);
		if (!s)
			HASH_ADD_KEYPTR(hh, sought, names[i], strlen(names[i]), &requested[i]);
	}
	for (uint32_t r = 0; r < t->nrows; r++)
		is_kept[r] = (uint8_t) find_sought_names(t, t->rows[r], sought);
	for (s = sought; rc == 0 && s; s = s->hh.next)
		if (!s->is_found)
			rc = mark_short_name(t, s->name, is_kept, err);
	for (uint32_t r = 0; rc == 0 && r < t->nrows; r++) {
		if (is_kept[r])
			t->rows[nkept++] = t->rows[r];
		else
			row_destroy(t, t->rows[r]);
	}
	if (rc == 0)
		t->nrows = nkept;
	HASH_CLEAR(hh, sought);
	free(requested);
	free(is_kept);
	return rc;
}
