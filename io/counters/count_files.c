/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_files.c - ports and what they counted; see count_files.h
 *
 * Readers call sfab_counts_add() for each answer of a port.  Which port that is
 * they find out by GUID, LID or description, whatever their format has; the
 * fabric knows all three.
 */

#include "io/counters/count_files.h"

#include <stdlib.h>
#include <string.h>

#include "io/portkey.h"
#include "io/readers/reader.h"
#include "io/readers/reserve.h"
#include "io/readers/text.h"

#define HEAD_SIZE 4096	/* bytes of a file that detect() sees */
#define TEXT_MOST (UINT64_C(4) << 30)	/* bytes of a file */

/* The port that a link leaves: each port that matters is one. */
struct sfab_counts_link {
	uint64_t guid;
	uint8_t port;
};

static int compare_count_links(const void *a, const void *b)
{
	const struct sfab_counts_link *x = a, *y = b;

	return sfab_portkey_compare(x->guid, x->port, y->guid, y->port);
}

int sfab_counts_init(struct sfab_counts *c, const struct sfab_fabric *f,
		     struct sfab_err *err)
{
	memset(c, 0, sizeof(*c));
	c->f = f;
	c->link = calloc(f->nlinks + 1u, sizeof(*c->link));
	if (!c->link)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < f->nlinks; i++) {
		c->link[i].guid = sfab_link_from_guid(f, i);
		c->link[i].port = f->links[i].from_port;
	}
	c->nlinks = f->nlinks;
	qsort(c->link, c->nlinks, sizeof(*c->link), compare_count_links);
	return 0;
}

void sfab_counts_free(struct sfab_counts *c)
{
	free(c->row);
	free(c->link);
	memset(c, 0, sizeof(*c));
}

/*
 * Counters only grow, so of two answers for a port the larger is the later or
 * the wider.
 */
static void raise_total(uint64_t *total, uint64_t other)
{
	if (other > *total)
		*total = other;
}

/*
 * Only the previous row is compared: files list the answers for a port one after
 * another.  A port in two places is found by sfab_counts_take().
 */
int sfab_counts_add(struct sfab_counts *c, const struct sfab_counter *row,
		    struct sfab_err *err)
{
	struct sfab_counter *last = c->n ? &c->row[c->n - 1] : NULL, *more;
	struct sfab_counts_link key = { row->guid, row->port };

	if (row->port == 0)
		return 0;	/* port 0 of a switch: management only */
	if (bsearch(&key, c->link, c->nlinks, sizeof(key),
		    compare_count_links) == NULL) {
		if (!row->xmit_words && !row->rcv_words)
			return 0;	/* an empty port */
		c->unknown++;
		c->unknown_guid = row->guid;
		c->unknown_port = row->port;
		return 0;
	}
	if (last && last->guid == row->guid && last->port == row->port) {
		raise_total(&last->xmit_words, row->xmit_words);
		raise_total(&last->rcv_words, row->rcv_words);
		raise_total(&last->discards, row->discards);
		raise_total(&last->errors, row->errors);
		if (row->flags == SFAB_COUNTER_NO_WAIT)
			return 0; /* this answer does not contain it */
		raise_total(&last->wait_ticks, row->wait_ticks);
		last->flags = row->flags;
		return 0;
	}
	more = sfab_room(c->row, c->n, sizeof(*more), err);
	if (!more)
		return -1;
	c->row = more;
	c->row[c->n] = *row;
	c->row[c->n++].time_ms = c->time_ms;
	return 0;
}

uint64_t sfab_counts_lid(const struct sfab_counts *c, uint32_t lid,
			 uint8_t *port)
{
	const struct sfab_fabric *f = c->f;

	for (uint32_t p = 0; p < f->nplanes; p++) {
		const struct sfab_plane *plane = &f->planes[p];
		uint32_t e = sfab_plane_entry(plane, lid);

		if (e == SFAB_NONE)
			continue;
		if (plane->lid_switch[e] != SFAB_NONE)
			return f->switches[plane->lid_switch[e]].guid;
		*port = f->ports[plane->lid_port[e]].num;
		return f->ports[plane->lid_port[e]].node_guid;
	}
	return 0;
}

/* Record the only GUID found; 0 if there are two. */
static void note_guid(uint64_t *found, unsigned *n, uint64_t guid)
{
	if (*n && *found == guid)
		return;
	*found = ++*n == 1 ? guid : 0;
}

uint64_t sfab_counts_desc(const struct sfab_counts *c, const char *desc)
{
	const struct sfab_fabric *f = c->f;
	uint64_t found = 0;
	unsigned n = 0;

	for (uint32_t i = 0; i < f->nswitches; i++)
		if (strcmp(f->switches[i].name, desc) == 0)
			note_guid(&found, &n, f->switches[i].guid);
	for (uint32_t i = 0; i < f->nports; i++)
		if (strcmp(f->ports[i].desc, desc) == 0)
			note_guid(&found, &n, f->ports[i].node_guid);
	return found;
}

/* c->file, if it has counters: of others no more than the beginning is read. */
static int count_file(struct sfab_counts *c, struct sfab_err *err)
{
	const struct sfab_reader *r = NULL;
	struct sfab_text t;
	int rc = sfab_text_open(&t, c->file, TEXT_MOST, err);

	if (rc == 0)
		rc = sfab_text_fill(&t, HEAD_SIZE, err);
	if (rc == 0)
		r = sfab_reader_detect(t.text, t.size);
	if (r && r->count) {
		rc = sfab_text_fill_all(&t, err);
		if (rc == 0)
			rc = r->count(c, t.text, t.size, err);
	}
	sfab_text_close(&t);
	return rc;
}

/*
 * Files of other kinds (topology, tables) are skipped: import gets them all in
 * one list.
 */
int sfab_counts_read(struct sfab_counts *c, const char *const *files,
		     uint32_t nfiles, struct sfab_err *err)
{
	for (uint32_t i = 0; i < nfiles; i++) {
		c->file = files[i];
		if (count_file(c, err) < 0)
			return -1;
	}
	if (c->n || c->unknown)
		return 0;
	return sfab_fail(err, SFAB_EFORMAT, "%s: no counters in %s (expected "
			 "e.g. ibdiagnet2.db_csv, output of perfquery)",
			 files[0], nfiles == 1 ? "this file" : "these files");
}

/* The rows are copied; @c stays the caller's. */
struct sfab_counters *sfab_counts_take(struct sfab_counts *c,
				       struct sfab_err *err)
{
	struct sfab_counters *to = sfab_counters_create(c->n);

	if (!to) {
		sfab_no_memory(err);
		return NULL;
	}
	if (c->n)
		memcpy(to->row, c->row, c->n * sizeof(*c->row));
	to->time_ms = c->time_ms;
	strcpy(to->source, "import");
	if (sfab_counters_sort(to, err) == 0)
		return to;
	sfab_counters_destroy(to);
	return NULL;
}
