/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_files.c - ports and what they counted; see count_files.h
 *
 * Readers call sfab_counts_add() for each answer of a port.  Which port that is they find out
 * by GUID, LID or description, whatever their format has; the fabric knows all three.
 */

#include "io/counters/count_files.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/portkey.h"

#define AHEAD_MS 60000	/* a clock may be so far ahead of ours */
#define PACKET_WORDS 1100	/* no packet has more: MTU 4096 and headers */
#define PACKETS_FEW 1000	/* the mean of fewer says nothing */

#define WAIT_MAX UINT32_MAX	/* a 32-bit XmitWait stops there */

/* The port that a link leaves.  Only such ports are counted. */
struct sfab_counts_link {
	uint64_t guid;
	uint8_t port;
	uint32_t row;		/* its row + 1; 0: none so far */
	uint64_t packets;	/* of a file of unknown unit; 0: none */
};

/* The two GUIDs of an end port: ibnetdiscover -p, and programs that use it, name it by its own. */
struct sfab_counts_alias {
	uint64_t port_guid, node_guid;
};

static int compare_count_aliases(const void *a, const void *b)
{
	const struct sfab_counts_alias *x = a, *y = b;

	return sfab_portkey_compare(x->port_guid, 0, y->port_guid, 0);
}

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
	c->alias = calloc(f->nports + 1u, sizeof(*c->alias));
	if (!c->link || !c->alias) {
		sfab_counts_free(c);
		return sfab_no_memory(err);
	}
	for (uint32_t i = 0; i < f->nlinks; i++) {
		c->link[i].guid = sfab_link_from_guid(f, i);
		c->link[i].port = f->links[i].from_port;
	}
	c->nlinks = f->nlinks;
	qsort(c->link, c->nlinks, sizeof(*c->link), compare_count_links);
	for (uint32_t i = 0; i < f->nports; i++) {
		c->alias[i].port_guid = f->ports[i].guid;
		c->alias[i].node_guid = f->ports[i].node_guid;
	}
	qsort(c->alias, f->nports, sizeof(*c->alias), compare_count_aliases);
	return 0;
}

void sfab_counts_free(struct sfab_counts *c)
{
	free(c->row);
	free(c->link);
	free(c->alias);
	memset(c, 0, sizeof(*c));
}

/*
 * Keep the larger of two answers for a port: counters only grow, so it is the later or the
 * wider.
 */
static void raise_total(uint64_t *total, uint64_t other)
{
	if (other > *total)
		*total = other;
}

static struct sfab_counts_link *find_count_link(const struct sfab_counts *c,
						uint64_t guid, uint8_t port)
{
	const struct sfab_counts_alias wanted = { .port_guid = guid }, *alias;
	struct sfab_counts_link key = { .guid = guid, .port = port }, *link;

	link = bsearch(&key, c->link, c->nlinks, sizeof(key), compare_count_links);
	if (link)
		return link;
	alias = bsearch(&wanted, c->alias, c->f->nports, sizeof(wanted),
			compare_count_aliases);
	key.guid = alias ? alias->node_guid : guid;
	return bsearch(&key, c->link, c->nlinks, sizeof(key), compare_count_links);
}

/*
 * Merge a row into the last one of its port.  In a log the newest row counts, even if it counts
 * less: a reset is for sfab_counters_follow().
 */
static void merge_counts(const struct sfab_counts *c, struct sfab_counter *last,
			 const struct sfab_counter *row)
{
	if (c->is_log && row->time_ms != last->time_ms) {
		if (row->time_ms > last->time_ms)
			*last = *row;
		return;
	}
	raise_total(&last->time_ms, row->time_ms);
	raise_total(&last->xmit_words, row->xmit_words);
	raise_total(&last->rcv_words, row->rcv_words);
	raise_total(&last->discards, row->discards);
	raise_total(&last->errors, row->errors);
	if (!(row->flags & SFAB_COUNTER_NO_DATA))
		last->flags &= (uint8_t) ~SFAB_COUNTER_NO_DATA;
	if ((row->flags & ~SFAB_COUNTER_NO_DATA) == SFAB_COUNTER_NO_WAIT)
		return; /* this answer does not contain it */
	raise_total(&last->wait_ticks, row->wait_ticks);
	last->flags = (uint8_t) ((last->flags & SFAB_COUNTER_NO_DATA) |
				 (row->flags & ~SFAB_COUNTER_NO_DATA));
}

int sfab_counts_add(struct sfab_counts *c, const struct sfab_counter *row,
		    struct sfab_err *err)
{
	struct sfab_counts_link *link = find_count_link(c, row->guid, row->port);
	struct sfab_counter known = *row;

	if (known.port == 0)
		return 0;	/* port 0 of a switch: management only */
	if (!link) {
		c->nunknown += known.xmit_words != 0;	/* else an empty port */
		c->unknown_guid = known.xmit_words ? known.guid : c->unknown_guid;
		c->unknown_port = known.xmit_words ? known.port : c->unknown_port;
		return 0;
	}
	known.guid = link->guid;
	if (!known.time_ms || known.time_ms > c->time_ms + AHEAD_MS)
		known.time_ms = c->time_ms;
	if (link->row) {
		merge_counts(c, &c->row[link->row - 1], &known);
		return 0;
	}
	if (sfab_resize_append(&c->row, &c->n, &known, sizeof(known), err) < 0)
		return -1;
	link->row = c->n;
	return 0;
}

/* Leave out a 32-bit XmitWait at its maximum, which carries no information.  A larger one does. */
void sfab_counts_set_total(struct sfab_counter *row, enum sfab_total total, uint64_t n)
{
	uint64_t *const totals[SFAB_NTOTALS] = { &row->xmit_words, &row->rcv_words,
					     &row->wait_ticks, &row->discards, &row->errors };

	*totals[total] = n;
	if (total == SFAB_XMIT)
		row->flags &= (uint8_t) ~SFAB_COUNTER_NO_DATA;
	else if (total == SFAB_WAIT && n == WAIT_MAX)
		row->flags |= SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK;
	else if (total == SFAB_WAIT)
		row->flags &= (uint8_t) ~(SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK);
}

void sfab_counts_set_packets(struct sfab_counts *c, uint64_t guid, uint8_t port,
			     uint64_t packets)
{
	struct sfab_counts_link *link = find_count_link(c, guid, port);

	if (link)
		raise_total(&link->packets, packets);
}

void sfab_counts_settle_unit(struct sfab_counts *c)
{
	int is_bytes = 0;

	for (uint32_t i = 0; i < c->nlinks; i++) {
		const struct sfab_counts_link *l = &c->link[i];

		is_bytes |= l->row && l->packets >= PACKETS_FEW &&
			    c->row[l->row - 1].xmit_words / l->packets > PACKET_WORDS;
	}
	for (uint32_t i = 0; i < c->nlinks; i++) {
		struct sfab_counts_link *l = &c->link[i];

		if (is_bytes && l->row && l->packets) {
			c->row[l->row - 1].xmit_words /= 4;
			c->row[l->row - 1].rcv_words /= 4;
		}
		l->packets = 0;
	}
}

uint64_t sfab_counts_lid_guid(const struct sfab_counts *c, uint32_t lid,
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

/* Record the only GUID found, or 0 if there are two. */
static void note_guid(uint64_t *found, unsigned *n, uint64_t guid)
{
	if (*n && *found == guid)
		return;
	*found = ++*n == 1 ? guid : 0;
}

uint64_t sfab_counts_desc_guid(const struct sfab_counts *c, const char *desc)
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

struct sfab_counters *sfab_counts_take(struct sfab_counts *c,
				       struct sfab_err *err)
{
	struct sfab_counters *counters = sfab_counters_create(c->n);

	if (!counters) {
		sfab_no_memory(err);
		return NULL;
	}
	if (c->n)
		memcpy(counters->row, c->row, c->n * sizeof(*c->row));
	for (uint32_t i = 0; i < c->n; i++)
		raise_total(&counters->time_ms, c->row[i].time_ms);
	strcpy(counters->source, "import");
	if (sfab_counters_sort(counters, err) == 0)
		return counters;
	sfab_counters_destroy(counters);
	return NULL;
}
