/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_print.c - a table as text (libsmartcols), '|' lines or JSON; see table.h
 *
 * One walk finds which columns to print; then each style has its own loop.  libsmartcols aligns
 * text by what terminals show, not by bytes.  It is kept from guessing: no wrapping, no colors,
 * the same lines on a terminal and in a pipe, so that what one sees is what a script will get.
 */

#include <ctype.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/table_private.h"
#include "tools/ui/xalloc.h"

struct shown_columns {		/* to print, in order */
	unsigned n;
	unsigned *col;
};

/*
 * Is the column shown without -o?  Programs that parse the output get all columns, always the
 * same.
 */
static int is_shown(const struct table *t, unsigned col, enum table_style style)
{
	enum column_show show = t->columns[col].show;

	if (show == SHOWN || style == TABLE_PARSABLE)
		return 1;
	for (uint32_t r = 0; show == SHOWN_IF_ANY && r < t->nrows; r++) {
		const struct table_cell *cell = &t->rows[r][col];

		if (cell->is_set && (!cell->text || *cell->text))
			return 1;
	}
	return 0;
}

/*
 * Find the columns to show.  @format: "FIELD,..." or NULL.  It has at most one word more than
 * commas.
 */
static int find_shown_columns(const struct table *t, const char *format,
			      enum table_style style, struct shown_columns *s,
			      struct sfab_err *err)
{
	s->n = 0;
	s->col = xcalloc(format ? strlen(format) + 1 : t->ncolumns, sizeof(*s->col));
	for (unsigned c = 0; !format && c < t->ncolumns; c++)
		if (is_shown(t, c, style))
			s->col[s->n++] = c;
	for (const char *p = format; p && *p; p += *p == ',') {
		size_t size = strcspn(p, ",");

		if (table_field(t, p, size, &s->col[s->n++], err) != 0)
			return -1;
		p += size;
	}
	return 0;
}

/*
 * Write a cell as text.  @separator 0: for people, with "-" for what is not known.  Caller
 * frees.  Numbers for programs have all digits that mean something, like 12.3456789; for people
 * the column's decimals, like 12.35.
 */
static char *cell_text(const struct column *column,
		       const struct table_cell *cell, char separator)
{
	if (!cell->is_set)
		return xstrdup(separator ? "" : "-");
	switch (column->type) {
	case COLUMN_TEXT:
		if (!*cell->text && !separator)
			return xstrdup("-");
		return printable(cell->text, separator);
	case COLUMN_COUNT:
		return xstrfmt("%" PRIu64, cell->count);
	case COLUMN_NUMBER:
		if (separator)
			return xstrfmt("%.9g", cell->number);
		return xstrfmt("%.*f", (int) column->decimals, cell->number);
	case COLUMN_GUID:
		return xstrfmt("0x%016" PRIx64, cell->count);
	case COLUMN_YES:
		return xstrdup(cell->count ? "yes" : "no");
	}
	return xstrdup("");
}

static char *heading_of_field(const char *field)
{
	char *text = xstrdup(field);

	for (char *p = text; *p; p++)
		*p = (char) toupper((unsigned char) *p);
	return text;
}

static void print_headings(const struct table *t, const struct shown_columns *s,
			   const char *between, FILE *out)
{
	for (unsigned i = 0; i < s->n; i++) {
		char *text = heading_of_field(t->columns[s->col[i]].field);

		fprintf(out, "%s%s", i ? between : "", text);
		free(text);
	}
	fputc('\n', out);
}

/* Add a column.  Numbers are aligned at their last digit. */
static void add_text_column(struct libscols_table *st, const struct column *column)
{
	char *text = heading_of_field(column->field);
	int flags = column->type == COLUMN_COUNT ||
		    column->type == COLUMN_NUMBER ? SCOLS_FL_RIGHT : 0;
	struct libscols_column *added = xnonnull(scols_table_new_column(st, text, 0, flags));

	free(text);
	/* cells are printable already; do not escape their \xHH again */
	scols_column_set_safechars(added, "\\");
}

/* Print aligned columns, in the same way to a terminal and to a pipe. */
static void print_table_text(const struct table *t,
			     const struct shown_columns *s, int noheader,
			     FILE *out)
{
	struct libscols_table *st = xnonnull(scols_new_table());

	scols_table_set_stream(st, out);
	scols_table_enable_noheadings(st, noheader);
	scols_table_enable_nowrap(st, 1);
	/* A table must not change with the width of a terminal. */
	scols_table_set_termforce(st, SCOLS_TERMFORCE_NEVER);
	for (unsigned i = 0; i < s->n; i++)
		add_text_column(st, &t->columns[s->col[i]]);
	for (uint32_t r = 0; r < t->nrows; r++) {
		struct libscols_line *line =
			xnonnull(scols_table_new_line(st, NULL));

		for (unsigned i = 0; i < s->n; i++) {
			unsigned c = s->col[i];

			/* The line takes over the text. */
			scols_line_refer_data(line, i, cell_text(&t->columns[c],
								 &t->rows[r][c], 0));
		}
	}
	/* libsmartcols prints nothing at all for a table without rows. */
	if (t->nrows)
		scols_print_table(st);
	else if (!noheader)
		print_headings(t, s, " ", out);
	scols_unref_table(st);
}

/*
 * Check the fields against a table without rows, so that a typing error is reported at once and
 * not after a search of minutes.
 */
int table_check(const struct column *columns, const char *format,
		const char *sort, struct sfab_err *err)
{
	struct table *t = table_create(columns);
	struct shown_columns s;
	int rc = find_shown_columns(t, format, TABLE_TEXT, &s, err);

	if (rc == 0 && sort)
		rc = table_sort(t, sort, err);
	free(s.col);
	table_destroy(t);
	return rc;
}

/* Print one field per line, a blank line between rows, like `scontrol show config`. */
static void print_table_list(const struct table *t,
			     const struct shown_columns *s, FILE *out)
{
	int widest = 0;

	for (unsigned i = 0; i < s->n; i++) {
		int n = (int) strlen(t->columns[s->col[i]].field);

		widest = n > widest ? n : widest;
	}
	for (uint32_t r = 0; r < t->nrows; r++) {
		if (r)
			fputc('\n', out);
		for (unsigned i = 0; i < s->n; i++) {
			unsigned c = s->col[i];
			char *text = cell_text(&t->columns[c], &t->rows[r][c],
					       0);

			fprintf(out, "%-*s  %s\n", widest, t->columns[c].field,
				text);
			free(text);
		}
	}
}

int table_print(const struct table *t, const struct table_view *view,
		FILE *out, struct sfab_err *err)
{
	struct shown_columns s;
	int rc = find_shown_columns(t, view->format, view->style, &s, err);

	if (rc == 0 && view->style == TABLE_PARSABLE) {
		if (!view->noheader)
			print_headings(t, &s, "|", out);
		for (uint32_t r = 0; r < t->nrows; r++) {
			for (unsigned i = 0; i < s.n; i++) {
				unsigned c = s.col[i];
				char *text = cell_text(&t->columns[c],
						       &t->rows[r][c], '|');

				fprintf(out, "%s%s", i ? "|" : "", text);
				free(text);
			}
			fputc('\n', out);
		}
	} else if (rc == 0 && view->style == TABLE_LIST) {
		print_table_list(t, &s, out);
	} else if (rc == 0) {
		print_table_text(t, &s, view->noheader, out);
	}
	free(s.col);
	return rc;
}

/* Without a format nothing can be wrong. */
void table_take_print(struct table *t, FILE *out)
{
	const struct table_view plain = { 0 };

	table_print(t, &plain, out, NULL);
	table_destroy(t);
}

/* Make the JSON of a cell, of the type that column_type says; a cell that is not set is null. */
static struct json_object *table_cell_json(const struct column *column,
					   const struct table_cell *cell)
{
	if (!cell->is_set)
		return NULL;
	switch (column->type) {
	case COLUMN_TEXT:
		return json_name(cell->text);
	case COLUMN_COUNT:
		return json_object_new_uint64(cell->count);
	case COLUMN_NUMBER:
		return json_number(cell->number);
	case COLUMN_GUID:
		return json_guid(cell->count);
	case COLUMN_YES:
		return json_object_new_boolean(cell->count != 0);
	}
	return NULL;
}

/* Make the JSON of all fields, whatever the text shows: schemas would be useless otherwise. */
struct json_object *table_json(const struct table *t)
{
	struct json_object *rows = json_object_new_array();

	for (uint32_t r = 0; r < t->nrows; r++) {
		struct json_object *row = json_object_new_object();

		for (unsigned c = 0; c < t->ncolumns; c++)
			json_object_object_add(
			    row, t->columns[c].field,
			    table_cell_json(&t->columns[c], &t->rows[r][c]));
		json_object_array_add(rows, row);
	}
	return rows;
}

struct json_object *table_take_json(struct table *t)
{
	struct json_object *rows = table_json(t);

	table_destroy(t);
	return rows;
}

/* Print lines like "rate_gbs         number  GB/s of its link". */
void table_print_help(const struct column *columns, FILE *out)
{
	static const char *const types[] = {
		"text", "count", "number", "guid", "yes/no",
	};

	for (; columns->field; columns++)
		fprintf(out, "%-16s %-7s %s%s\n", columns->field,
			types[columns->type], columns->doc,
			columns->show == SHOWN_IF_ASKED ? " (in text by -o)" : "");
}
