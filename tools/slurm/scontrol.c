/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol.c - "Key=Value Key=Value" lines into records; see scontrol.h
 *
 * Nothing is copied: the text is cut into strings in place, and records point into it.  Reading
 * 100,000 jobs so costs one allocation for the text and some for the array.
 */

#include "tools/slurm/scontrol.h"

#include <stdlib.h>
#include <string.h>

#include "tools/slurm/scontrol_private.h"
#include "tools/ui/duration.h"
#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define BLANKS " \t\r"

/* One pass over the text of one kind of record. */
struct scan {
	const struct record_type *type;
	struct scontrol_list *list;
	unsigned line;
	uint64_t seen_fields;	/* of the current record, by bit */
};

/*
 * Find the field of a key.  The first letters are compared before anything else: most keys are
 * of no interest.
 */
static int find_field(const struct scan *s, const char *key, size_t size)
{
	const struct field *f = s->type->field;

	for (int i = 0; f[i].key; i++)
		if (*f[i].key == *key && strncmp(f[i].key, key, size) == 0 &&
		    !f[i].key[size])
			return i;
	return -1;
}

/* Store @value.  Return what was expected if it is wrong, else NULL. */
static const char *store_field(const struct field *f, void *record,
			       const char *value)
{
	void *member = (char *) record + f->offset;
	uint64_t n;

	switch (f->type) {
	/*
	 * The key is known only so that its value, which may be any text, is not searched for
	 * keys.
	 */
	case FIELD_SKIP:
		return NULL;
	case FIELD_TEXT:
		*(const char **) member = strcmp(value, "(null)") ? value : NULL;
		return NULL;
	case FIELD_LIMIT:
		if (strcmp(value, "UNLIMITED") == 0)
			value = "0";
		/* fall through */
	case FIELD_U32:
		if (number_parse(value, UINT32_MAX, &n) != 0)
			return f->type == FIELD_LIMIT ? "a number or UNLIMITED" : "a number";
		*(uint32_t *) member = (uint32_t) n;
		return NULL;
	case FIELD_U64:
		return number_parse(value, UINT64_MAX, member) ? "a number" : NULL;
	/* cluster_ask() asks for times in seconds. */
	case FIELD_TIME:
		number_parse(value, INT64_MAX, member);
		return NULL;
	case FIELD_DURATION:
		if (strcmp(value, "NONE") == 0 || strcmp(value, "Partition_Limit") == 0)
			return NULL;
		return duration_parse(value, member) ? "[DAYS-]HOURS:MINUTES:SECONDS" : NULL;
	case FIELD_IS:
		*(int *) member = strcmp(value, f->word) == 0;
		return NULL;
	case FIELD_OTHER:
		return f->set(record, value);
	}
	return NULL;
}

/*
 * Take the value of field @i.  A key that comes again within a record is ignored, except where
 * Slurm repeats it.  The texts that users choose come last, so they cannot replace what Slurm
 * wrote.
 */
static int take_field(struct scan *s, int i, const char *value,
		      struct sfab_err *err)
{
	const struct field *f = &s->type->field[i];
	struct scontrol_list *l = s->list;
	const char *expected;
	char *last;

	/*
	 * The first field of a type begins a record (NodeName=, JobId=, ...).  The array grows,
	 * so a record must not be kept by address before the end.
	 */
	if (i == 0) {
		if (l->n == SCONTROL_MAX)
			return sfab_fail(err, SFAB_ELIMIT, "more than %u records",
					 SCONTROL_MAX);
		l->record = xgrow(l->record, l->n++, s->type->size);
		s->seen_fields = 0;
	}
	if (!l->n)
		return sfab_fail(err, SFAB_EFORMAT, "%s before %s", f->key,
				 s->type->field[0].key);
	if ((s->seen_fields >> i & 1) && !(f->flags & FIELD_AGAIN))
		return 0;
	s->seen_fields |= UINT64_C(1) << i;
	last = (char *) l->record + (l->n - 1) * s->type->size;
	expected = store_field(f, last, value);
	if (!expected)
		return 0;
	return sfab_fail(err, SFAB_EFORMAT, "%s=%.60s (expected %s)", f->key,
			 value, expected);
}

/*
 * Read the fields of a line.  Words are separated by blanks, except fields that go on to the
 * end of the line.  Without that, words of a comment could pass for fields.
 */
static int read_record_line(struct scan *s, char *p, struct sfab_err *err)
{
	while (*(p += strspn(p, BLANKS))) {
		size_t word = strcspn(p, BLANKS), key = strcspn(p, "=" BLANKS);
		int i = p[key] == '=' ? find_field(s, p, key) : -1;
		int to_eol = i >= 0 && (s->type->field[i].flags & FIELD_TO_EOL);
		char *end = to_eol ? p + strlen(p) : p + word;
		char *next = *end ? end + 1 : end;

		*end = '\0';
		if (to_eol) {
			size_t n = strlen(p);

			/* Cut blanks off the end. */
			while (n && strchr(BLANKS, p[n - 1]))
				p[--n] = '\0';
		}
		if (i >= 0 && take_field(s, i, p + key + 1, err) != 0)
			return -1;
		p = next;
	}
	return 0;
}

/*
 * Parse @text and take it over: records point into it.  It is cut into strings in place.  Lines
 * need no structure beyond this.  A record's fields may be on one line (-o) or on many.
 */
int scontrol_parse(struct scontrol_list *l, const struct record_type *type, char *text,
		   struct sfab_err *err)
{
	struct scan s = { .type = type, .list = l };
	char *next;

	*l = (struct scontrol_list){ .text = text, .type = type };
	for (char *p = text; p; p = next) {
		next = strchr(p, '\n');
		if (next)
			*next++ = '\0';
		s.line++;
		if (read_record_line(&s, p, err) == 0)
			continue;
		sfab_fail_prefix(err, "scontrol show %s:%u", type->kind, s.line);
		scontrol_free(l);
		return -1;
	}
	return 0;
}

void scontrol_free(struct scontrol_list *l)
{
	for (uint32_t i = 0; i < l->n && l->type->clear; i++)
		l->type->clear((char *) l->record + i * l->type->size);
	free(l->record);
	free(l->text);
	memset(l, 0, sizeof(*l));
}

/* Find a record by name, the first member of each kind of record. */
const void *scontrol_named(const struct scontrol_list *l, const char *name)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const char *record = (const char *) l->record + i * l->type->size;
		const char *record_name = *(const char *const *) record;

		if (record_name && strcmp(record_name, name) == 0)
			return record;
	}
	return NULL;
}

int scontrol_has_word(const char *list, const char *word, size_t size)
{
	for (const char *p = list; p && *p; p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (n == size && strncmp(p, word, n) == 0)
			return 1;
		p += n;
	}
	return 0;
}
