/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_option.c - find options, take Key=Value off a line; see option.h
 *
 * As in slurm.conf a line may have several Key=Value, keys ignore case, and a value with blanks
 * is quoted.  The line is changed while it is read: values end in NUL.
 */

#include "io/option.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/spelling.h"

/* Parse defaults like a file's values, so a default that is no value shows in every test. */
int sfab_option_defaults(const struct sfab_option *table, void *base)
{
	for (; table->key; table++)
		if (table->initial &&
		    table->kind->parse(table, base, table->initial, NULL) < 0)
			return -1;
	return 0;
}

void sfab_option_free(const struct sfab_option *table, void *base)
{
	for (; table->key; table++)
		if (table->kind->is_text)
			free(*(char **) ((char *) base + table->offset));
}

/*
 * Join the line by memmove() within the text: it is never longer than what was read.  A # in
 * quotes begins no comment.
 */
char *sfab_option_text_line(struct sfab_option_text *t, unsigned *number)
{
	char *line = t->rest, *out = line, *newline;
	int goes_on = 1;
	size_t n;

	if (t->rest == t->end)
		return NULL;
	*number = t->nlines + 1;
	/* A backslash on the last line of a file continues nothing. */
	while (goes_on && t->rest < t->end) {
		int is_quoted = 0;

		newline = memchr(t->rest, '\n', (size_t) (t->end - t->rest));
		if (!newline)
			newline = t->end;
		/* Length of a physical line without its comment and trailing blanks. */
		for (n = 0; n < (size_t) (newline - t->rest) &&
			    (is_quoted || t->rest[n] != '#'); n++)
			is_quoted ^= t->rest[n] == '"';
		while (n && isspace((unsigned char) t->rest[n - 1]))
			n--;
		memmove(out, t->rest, n);
		out += n;
		goes_on = n && out[-1] == '\\';
		out -= goes_on;
		t->rest = newline < t->end ? newline + 1 : t->end;
		t->nlines++;
	}
	*out = '\0';
	return line;
}

/*
 * Take a value in double quotes, or up to a blank.  NULL with *err.  What follows a closing
 * quote must be a blank, so a quote in the middle of a value is refused.
 */
static char *take_value(char **line, const char *key, struct sfab_err *err)
{
	int is_quoted = **line == '"';
	char *value = *line + is_quoted;
	char *end = value + strcspn(value, is_quoted ? "\"" : "\" \t\r\f\v");
	char next = is_quoted && *end ? end[1] : *end;

	if ((is_quoted && !*end) || (next && !isspace((unsigned char) next))) {
		sfab_fail(err, SFAB_EFORMAT, "%s: %.60s (expected quotes around the "
			  "whole value)", key, *line);
		return NULL;
	}
	if (!is_quoted && end == value) {
		sfab_fail(err, SFAB_EFORMAT, "%s: no value", key);
		return NULL;
	}
	*line = *end ? end + 1 : end;
	*end = '\0';
	return value;
}

/* Set an error that suggests the nearest key, and names the manual page of the table's last row. */
static int refuse_key(const struct sfab_option *table, const char *key, struct sfab_err *err)
{
	struct sfab_spelling meant = sfab_spelling_start(key);

	for (; table->key; table++)
		sfab_spelling_offer(&meant, table->key);
	if (meant.best)
		return sfab_fail(err, SFAB_EFORMAT, "unknown key \"%.60s\" (did you mean "
				 "'%s'? %s lists all)", key, meant.best, table->doc);
	return sfab_fail(err, SFAB_EFORMAT, "unknown key \"%.60s\" (expected one of %s)",
			 key, table->doc);
}

int sfab_option_next(const struct sfab_option *table, char **line,
		     const struct sfab_option **option, char **value,
		     struct sfab_err *err)
{
	const struct sfab_option *first = table;
	char *key, *end, *equals;

	*line += strspn(*line, SFAB_OPTION_BLANKS);
	if (!**line)
		return 0;
	key = *line;
	end = key + strcspn(key, " \t\r\f\v=");
	equals = end + strspn(end, SFAB_OPTION_BLANKS);
	if (end == key || *equals != '=')
		return sfab_fail(err, SFAB_EFORMAT, "\"%.60s\" (expected Key=Value)", key);
	*end = '\0';
	*line = equals + 1 + strspn(equals + 1, SFAB_OPTION_BLANKS);
	while (table->key && strcasecmp(table->key, key) != 0)
		table++;
	*option = table->key ? table : NULL;
	if (!*option)
		return refuse_key(first, key, err);
	/* The rest of the line is the record's own: it has keys from another table. */
	if ((*option)->kind->is_record) {
		*value = *line;
		*line += strlen(*line);
		return 1;
	}
	*value = take_value(line, (*option)->key, err);
	return *value ? 1 : -1;
}

/* Note the keys of the line as bits: a table has at most 32 rows. */
int sfab_option_line(const struct sfab_option *table, void *base, char *line,
		     struct sfab_err *err)
{
	const struct sfab_option *o;
	uint32_t seen = 0, bit;
	char *value;
	int rc;

	while ((rc = sfab_option_next(table, &line, &o, &value, err)) > 0) {
		bit = (uint32_t) 1 << (o - table);
		if (seen & bit)
			return sfab_fail(err, SFAB_EFORMAT, "%s given twice",
					 o->key);
		seen |= bit;
		if (o->kind->parse(o, base, value, err) < 0)
			return -1;
	}
	return rc;
}

void sfab_option_print_text(const char *text, FILE *out)
{
	fprintf(out, *text && !strpbrk(text, SFAB_OPTION_QUOTED) ? "%s" : "\"%s\"",
		text);
}
