/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lid_pages.c - ports and groups by LID, page by page; see lid_pages.h
 *
 * LIDs of 24 bits would make tables of 16 MB for each switch, of which nearly all is empty:
 * only pages with an entry exist.  Groups are rarer than ports, and have two bytes for each
 * LID; a page has them only if it needs them.
 */

#include "core/fabric/lid_pages.h"
#include "core/resize.h"

#include <stdlib.h>
#include <string.h>

struct sfab_lid_page {
	uint8_t port[SFAB_LID_PAGE];
	uint16_t *group;	/* NULL: no LID of the page has one */
};

void sfab_lid_pages_free(struct sfab_lid_pages *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->page[i])
			free(t->page[i]->group);
		free(t->page[i]);
	}
	free(t->page);
	*t = (struct sfab_lid_pages){ 0 };
}

static struct sfab_lid_page *find_page(const struct sfab_lid_pages *t, uint32_t lid)
{
	return lid / SFAB_LID_PAGE < t->n ? t->page[lid / SFAB_LID_PAGE] : NULL;
}

/* Return the page of @lid, and create it if needed.  NULL: out of memory. */
static struct sfab_lid_page *make_page(struct sfab_lid_pages *t, uint32_t lid)
{
	uint32_t index = lid / SFAB_LID_PAGE;

	if (index >= t->n) {
		if (sfab_resize(&t->page, index + 1u, sizeof(*t->page)) < 0)
			return NULL;
		memset(t->page + t->n, 0, (index + 1 - t->n) * sizeof(*t->page));
		t->n = index + 1;
	}
	if (!t->page[index]) {
		t->page[index] = calloc(1, sizeof(**t->page));
		if (t->page[index])
			memset(t->page[index]->port, SFAB_PORT_NONE, SFAB_LID_PAGE);
	}
	return t->page[index];
}

int sfab_lid_pages_put(struct sfab_lid_pages *t, uint32_t lid0, const uint8_t *ports,
		       uint32_t n)
{
	while (n) {
		uint32_t offset = lid0 % SFAB_LID_PAGE;
		uint32_t part = n < SFAB_LID_PAGE - offset ? n : SFAB_LID_PAGE - offset;
		struct sfab_lid_page *p = find_page(t, lid0);
		uint32_t k = 0;

		/* Pages without a route are not created. */
		while (!p && k < part && ports[k] == SFAB_PORT_NONE)
			k++;
		if (!p && k < part) {
			p = make_page(t, lid0);
			if (!p)
				return -1;
		}
		if (p)
			memcpy(p->port + offset, ports, part);
		lid0 += part;
		ports += part;
		n -= part;
	}
	return 0;
}

int sfab_lid_pages_put_group(struct sfab_lid_pages *t, uint32_t lid, uint8_t port,
			     uint16_t group)
{
	struct sfab_lid_page *p = make_page(t, lid);

	if (!p)
		return -1;
	if (!p->group)
		p->group = calloc(SFAB_LID_PAGE, sizeof(*p->group));
	if (!p->group)
		return -1;
	p->port[lid % SFAB_LID_PAGE] = port;
	p->group[lid % SFAB_LID_PAGE] = group;
	return 0;
}

uint8_t sfab_lid_pages_port(const struct sfab_lid_pages *t, uint32_t lid)
{
	const struct sfab_lid_page *p = find_page(t, lid);

	return p ? p->port[lid % SFAB_LID_PAGE] : SFAB_PORT_NONE;
}

uint16_t sfab_lid_pages_group(const struct sfab_lid_pages *t, uint32_t lid)
{
	const struct sfab_lid_page *p = find_page(t, lid);

	return p && p->group ? p->group[lid % SFAB_LID_PAGE] : 0;
}

/* Go from page to page: *@lid must be the first LID of one. */
const uint8_t *sfab_lid_pages_next(const struct sfab_lid_pages *t, uint32_t *lid)
{
	for (; *lid / SFAB_LID_PAGE < t->n; *lid += SFAB_LID_PAGE)
		if (find_page(t, *lid))
			return find_page(t, *lid)->port;
	return NULL;
}
