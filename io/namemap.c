/* SPDX-License-Identifier: GPL-2.0-or-later */
/* namemap.c - a tree of names by GUID; see namemap.h */

#include "io/namemap.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/scan.h"

struct name_pair {
	uint64_t guid;
	unsigned line;
	char name[];
};

struct sfab_namemap {
	void *pairs;		/* tree of struct name_pair, by GUID */
};

static int compare_named(const void *a, const void *b)
{
	const struct name_pair *x = a, *y = b;

	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

/*
 * Add @pair, which is taken over.  The same name for a GUID twice is no error: maps are often
 * put together from several.
 */
static int add_mapped_name(struct sfab_namemap *m, struct name_pair *pair,
			   const struct sfab_scan *s, struct sfab_err *err)
{
	struct name_pair **found = tsearch(pair, &m->pairs, compare_named);
	int rc = 0;

	if (found && *found == pair)
		return 0;
	if (!found)
		rc = sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", s->file);
	else if (strcmp((*found)->name, pair->name) != 0)
		rc = sfab_scan_fail(s, err, "duplicate GUID 0x%016llx (found \"%s\", "
				    "line %u has \"%s\")", (unsigned long long) pair->guid,
				    pair->name, (*found)->line, (*found)->name);
	free(pair);
	return rc;
}

/* Parse the name: the rest of the line, or the text between its first two quotes. */
static int parse_mapped_name(struct sfab_namemap *m, struct sfab_scan *s, uint64_t guid,
			     struct sfab_err *err)
{
	const struct sfab_scan start = *s;
	const char *from = s->pos, *to = s->end;
	struct name_pair *pair;
	size_t size;

	if (sfab_scan_take(s, "\"")) {
		from = s->pos;
		if (!sfab_scan_past(s, "\""))
			return sfab_scan_expect(&start, err, "name", "a closing quote");
		to = s->pos - 1;
	}
	size = (size_t) (to - from) + 1;
	pair = malloc(sizeof(*pair) + size);
	if (!pair)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", s->file);
	pair->guid = guid;
	pair->line = s->line;
	sfab_scan_copy(pair->name, size, from, to);
	if (*pair->name)
		return add_mapped_name(m, pair, s, err);
	free(pair);
	return sfab_scan_expect(&start, err, "name", "0xGUID \"name\"");
}

/* Parse a line; blank ones and those that begin with # are skipped, as in infiniband-diags. */
static int parse_map_line(struct sfab_namemap *m, struct sfab_scan *s,
			  struct sfab_err *err)
{
	struct sfab_scan start;
	uint64_t guid;

	sfab_scan_blanks(s);
	if (s->pos == s->end || *s->pos == '#')
		return 0;
	start = *s;
	if (!sfab_scan_take(s, "0x") && !sfab_scan_take(s, "H-"))
		sfab_scan_take(s, "S-");
	if (!sfab_scan_hex(s, UINT64_MAX, &guid) || s->pos >= s->end ||
	    (*s->pos != ' ' && *s->pos != '\t'))
		return sfab_scan_expect(&start, err, "GUID", "0xGUID \"name\"");
	sfab_scan_blanks(s);
	return parse_mapped_name(m, s, guid, err);
}

struct sfab_namemap *sfab_namemap_parse(const char *text, size_t size,
					const char *file, struct sfab_err *err)
{
	struct sfab_namemap *m = calloc(1, sizeof(*m));
	struct sfab_scan s;

	if (!m) {
		sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", file);
		return NULL;
	}
	sfab_scan_init(&s, file, text, size);
	while (sfab_scan_line(&s))
		if (parse_map_line(m, &s, err)) {
			sfab_namemap_destroy(m);
			return NULL;
		}
	return m;
}

struct sfab_namemap *sfab_namemap_load(const char *path, struct sfab_err *err)
{
	struct sfab_namemap *m;
	uint8_t *text;
	size_t size;

	if (sfab_file_read(path, NULL, &text, &size, err))
		return NULL;
	m = sfab_namemap_parse((const char *) text, size, path, err);
	free(text);
	return m;
}

void sfab_namemap_destroy(struct sfab_namemap *m)
{
	if (m)
		tdestroy(m->pairs, free);
	free(m);
}

const char *sfab_namemap_name(const struct sfab_namemap *m, uint64_t guid,
			      const char *desc)
{
	const struct name_pair key = { .guid = guid };
	struct name_pair *const *found = m ? tfind(&key, &m->pairs, compare_named) : NULL;

	return found ? (*found)->name : desc;
}
