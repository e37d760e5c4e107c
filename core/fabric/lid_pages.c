/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lid_pages.c - ports and groups by LID, page by page; see lid_pages.h
 *
 * LIDs of 24 bits would make tables of 16 MB for each switch, of which nearly
 * all is empty.  So a table has books of 128 pages, and a page has the ports of
 * PAGE_LIDS neighboring LIDs.  Only pages with an entry exist.
 *
 * Groups are rarer than ports, and have two bytes for each LID; a page has them
 * only if it needs them.
 */

#include "core/fabric/lid_pages.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_LIDS SFAB_LID_PAGE
#define BOOK_PAGES 128u
#define BOOK_LIDS (PAGE_LIDS * BOOK_PAGES)
#define BOOKS (SFAB_LID_MAX / BOOK_LIDS + 1)

struct lid_page {
	uint8_t port[PAGE_LIDS];
	uint16_t *group;	/* NULL: no LID of the page has one */
};

struct lid_book {
	struct lid_page *page[BOOK_PAGES];
};

struct sfab_lid_pages {
	struct lid_book *book[BOOKS];
};

void sfab_lid_pages_free(struct sfab_lid_pages *t)
{
	for (uint32_t i = 0; t && i < BOOKS; i++) {
		struct lid_book *b = t->book[i];

		for (uint32_t k = 0; b && k < BOOK_PAGES; k++) {
			if (b->page[k])
				free(b->page[k]->group);
			free(b->page[k]);
		}
		free(b);
	}
	free(t);
}

/* The page of @lid, or NULL. */
static struct lid_page *find_page(const struct sfab_lid_pages *t, uint32_t lid)
{
	const struct lid_book *b = t && lid <= SFAB_LID_MAX ?
				   t->book[lid / BOOK_LIDS] : NULL;

	return b ? b->page[lid % BOOK_LIDS / PAGE_LIDS] : NULL;
}

/* The page of @lid, created if needed; NULL: out of memory. */
static struct lid_page *make_page(struct sfab_lid_pages *t, uint32_t lid)
{
	struct lid_book **b = &t->book[lid / BOOK_LIDS];
	struct lid_page **p;

	if (!*b)
		*b = calloc(1, sizeof(**b));
	if (!*b)
		return NULL;
	p = &(*b)->page[lid % BOOK_LIDS / PAGE_LIDS];
	if (!*p) {
		*p = calloc(1, sizeof(**p));
		if (*p)
			memset((*p)->port, SFAB_PORT_NONE, PAGE_LIDS);
	}
	return *p;
}

static int make_table(struct sfab_lid_pages **t)
{
	if (!*t)
		*t = calloc(1, sizeof(**t));
	return *t ? 0 : -1;
}

int sfab_lid_pages_put(struct sfab_lid_pages **t, uint32_t lid0,
		       const uint8_t *ports, uint32_t n)
{
	if (make_table(t) < 0)
		return -1;
	while (n) {
		uint32_t at = lid0 % PAGE_LIDS;
		uint32_t part = n < PAGE_LIDS - at ? n : PAGE_LIDS - at;
		struct lid_page *p = find_page(*t, lid0);
		uint32_t k = 0;

		/* Pages without a route are not created. */
		while (!p && k < part && ports[k] == SFAB_PORT_NONE)
			k++;
		if (!p && k < part) {
			p = make_page(*t, lid0);
			if (!p)
				return -1;
		}
		if (p)
			memcpy(p->port + at, ports, part);
		lid0 += part;
		ports += part;
		n -= part;
	}
	return 0;
}

/* Takes a port as well, which is the first of the group. */
int sfab_lid_pages_put_group(struct sfab_lid_pages **t, uint32_t lid,
			     uint8_t port, uint16_t group)
{
	struct lid_page *p = make_table(t) < 0 ? NULL : make_page(*t, lid);

	if (!p)
		return -1;
	if (!p->group)
		p->group = calloc(PAGE_LIDS, sizeof(*p->group));
	if (!p->group)
		return -1;
	p->port[lid % PAGE_LIDS] = port;
	p->group[lid % PAGE_LIDS] = group;
	return 0;
}

uint8_t sfab_lid_pages_port(const struct sfab_lid_pages *t, uint32_t lid)
{
	const struct lid_page *p = find_page(t, lid);

	return p ? p->port[lid % PAGE_LIDS] : SFAB_PORT_NONE;
}

uint16_t sfab_lid_pages_group(const struct sfab_lid_pages *t, uint32_t lid)
{
	const struct lid_page *p = find_page(t, lid);

	return p && p->group ? p->group[lid % PAGE_LIDS] : 0;
}

/* *@lid must be the first of a page, and is that of the page that was found. */
const uint8_t *sfab_lid_pages_next(const struct sfab_lid_pages *t,
				   uint32_t *lid)
{
	while (t && *lid <= SFAB_LID_MAX) {
		const struct lid_page *p = find_page(t, *lid);

		if (p)
			return p->port;
		*lid += t->book[*lid / BOOK_LIDS] ? PAGE_LIDS :
			BOOK_LIDS - *lid % BOOK_LIDS;
	}
	return NULL;
}
