/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * namemap.c - GUIDs are sorted once, then found by binary search; see namemap.h
 *
 * All names are stored one after another in one block as big as the text.
 */

#include "io/namemap.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/file.h"
#include "io/portkey.h"
#include "io/scan.h"

struct name_pair {
	uint64_t guid;
	const char *name;	/* in the block of names */
	unsigned line;
};

struct sfab_namemap {
	struct name_pair *entries;
	size_t n;
	char *names, *names_end;
};

/* The rest of the line, or the text between its first two quotes. */
static const char *take_mapped_name(struct sfab_namemap *m, struct sfab_scan *s)
{
	char *name = m->names_end;
	const char *from = s->at, *to = s->end;

	if (sfab_scan_take(s, "\"")) {
		from = s->at;
		if (!sfab_scan_past(s, "\""))
			return NULL;
		to = s->at - 1;
	}
	sfab_scan_copy(name, (size_t) (to - from) + 1, from, to);
	m->names_end += strlen(name) + 1;
	return name;
}

/* Blank lines and lines that begin with # are skipped, as in infiniband-diags. */
static int parse_map_line(struct sfab_namemap *m, struct sfab_scan *s,
			  struct sfab_err *err)
{
	struct name_pair e = {.line = s->line};
	struct sfab_scan start;

	sfab_scan_blanks(s);
	if (s->at == s->end || *s->at == '#')
		return 0;
	start = *s;
	if (!sfab_scan_take(s, "0x") && !sfab_scan_take(s, "H-"))
		sfab_scan_take(s, "S-");
	if (!sfab_scan_hex(s, UINT64_MAX, &e.guid) || s->at >= s->end ||
	    (*s->at != ' ' && *s->at != '\t'))
		return sfab_scan_expect(&start, err, "GUID", "0xGUID \"name\"");
	sfab_scan_blanks(s);
	start = *s;
	e.name = take_mapped_name(m, s);
	if (!e.name)
		return sfab_scan_expect(&start, err, "name", "a closing quote");
	if (!*e.name)
		return sfab_scan_expect(&start, err, "name",
					"0xGUID \"name\"");
	if (sfab_one_more(&m->entries, m->n, sizeof(e)) < 0)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", s->file);
	m->entries[m->n++] = e;
	return 0;
}

/* By line within a GUID: entries of one GUID stay in the order of the file. */
static int compare_named(const void *a, const void *b)
{
	const struct name_pair *x = a, *y = b;

	return sfab_portkey_compare(x->guid, x->line, y->guid, y->line);
}

/*
 * The same name for a GUID twice is no error: maps are often put together from
 * several.
 */
struct sfab_namemap *sfab_namemap_parse(const char *text, size_t size,
					const char *file, struct sfab_err *err)
{
	struct sfab_namemap *m = calloc(1, sizeof(*m));
	struct sfab_scan s;
	const struct name_pair *a, *b;

	if (m)
		m->names = m->names_end = malloc(size + 1);
	if (!m || !m->names) {
		sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", file);
		goto fail;
	}
	sfab_scan_init(&s, file, text, size);
	while (sfab_scan_line(&s))
		if (parse_map_line(m, &s, err))
			goto fail;
	if (m->n != 0) {
		qsort(m->entries, m->n, sizeof(*m->entries), compare_named);
		for (size_t i = 1; i < m->n; i++) {
			a = &m->entries[i - 1];
			b = &m->entries[i];
			if (a->guid == b->guid &&
			    strcmp(a->name, b->name) != 0) {
				sfab_fail(err, SFAB_EFORMAT,
					  "%s:%u: duplicate GUID 0x%016llx "
					  "(found \"%s\", line %u has \"%s\")",
					  file, b->line,
					  (unsigned long long) b->guid, b->name,
					  a->line, a->name);
				goto fail;
			}
		}
	}
	return m;
fail:
	sfab_namemap_destroy(m);
	return NULL;
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
	if (!m)
		return;
	free(m->entries);
	free(m->names);
	free(m);
}

const char *sfab_namemap_name(const struct sfab_namemap *m, uint64_t guid,
			      const char *desc)
{
	size_t low = 0, high = m ? m->n : 0, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (m->entries[mid].guid < guid)
			low = mid + 1;
		else
			high = mid;
	}
	if (m && low < m->n && m->entries[low].guid == guid)
		return m->entries[low].name;
	return desc;
}
