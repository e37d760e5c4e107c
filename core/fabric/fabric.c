/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fabric.c - lookups of a fabric, and what things are called; see fabric.h */

#include "core/fabric/fabric.h"
#include "core/fabric/fabric_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/is_digit.h"

struct sfab_fabric *sfab_fabric_create(void)
{
	struct sfab_fabric *f = calloc(1, sizeof(*f));

	if (f)
		f->source = "";
	return f;
}

void sfab_fabric_destroy(struct sfab_fabric *f)
{
	if (!f)
		return;
	sfab_arena_free(&f->mem);
	free(f);
}

static int compare_to_host(const void *name, const void *host)
{
	return sfab_fabric_name_cmp(name, ((const struct sfab_host *) host)->name);
}

/* Find a host by binary search: hosts are sorted by sfab_fabric_name_cmp(). */
uint32_t sfab_fabric_host(const struct sfab_fabric *f, const char *name)
{
	const struct sfab_host *h = bsearch(name, f->hosts, f->nhosts, sizeof(*h),
					    compare_to_host);

	return h ? (uint32_t) (h - f->hosts) : SFAB_NONE;
}

uint32_t sfab_fabric_port_by_guid(const struct sfab_fabric *f, uint64_t guid)
{
	for (uint32_t i = 0; i < f->nports; i++)
		if (f->ports[i].guid == guid)
			return i;
	return SFAB_NONE;
}

uint32_t sfab_host_cabled(const struct sfab_fabric *f, uint32_t host)
{
	const struct sfab_host *h = &f->hosts[host];
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->nports; i++)
		n += (uint32_t) sfab_port_is_cabled(&f->ports[h->port0 + i]);
	return n;
}

uint32_t sfab_host_leaf(const struct sfab_fabric *f, uint32_t host)
{
	const struct sfab_host *h = &f->hosts[host];

	for (uint32_t i = 0; i < h->nports; i++)
		if (f->ports[h->port0 + i].leaf != SFAB_NONE)
			return f->ports[h->port0 + i].leaf;
	return SFAB_NONE;
}

const char *sfab_link_kind_name(enum sfab_link_kind kind)
{
	static const char *const name[] = { "isl", "eject", "inject" };

	return kind <= SFAB_LINK_INJECT ? name[kind] : "?";
}

/* Set the role of a host.  The cast is safe: the array is this fabric's own memory. */
void sfab_fabric_set_role(struct sfab_fabric *f, uint32_t host,
			  enum sfab_host_role role)
{
	struct sfab_host *hosts = (struct sfab_host *) f->hosts;

	if (hosts[host].role != SFAB_HOST_SHARP)
		hosts[host].role = role;
}

void sfab_fabric_set_static(struct sfab_fabric *f)
{
	if (f->adaptive == SFAB_ADAPTIVE_UNKNOWN)
		f->adaptive = SFAB_ADAPTIVE_NO;
}

const char *sfab_host_role_name(enum sfab_host_role role)
{
	static const char *const name[] = { "compute", "io", "sharp", "other" };

	return role <= SFAB_HOST_OTHER ? name[role] : "?";
}

static const char *port_host_name(const struct sfab_fabric *f, uint32_t port)
{
	return f->hosts[f->ports[port].host].name;
}

const char *sfab_link_from_name(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_INJECT ? port_host_name(f, l->from)
					   : f->switches[l->from].name;
}

const char *sfab_link_to_name(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_EJECT ? port_host_name(f, l->to)
					  : f->switches[l->to].name;
}

uint64_t sfab_link_from_guid(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_INJECT ? f->ports[l->from].node_guid
					   : f->switches[l->from].guid;
}

uint64_t sfab_link_to_guid(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_EJECT ? f->ports[l->to].node_guid
					  : f->switches[l->to].guid;
}

uint32_t sfab_link_plane(const struct sfab_fabric *f, uint32_t link)
{
	const struct sfab_link *l = &f->links[link];

	return l->kind == SFAB_LINK_INJECT ? f->ports[l->from].plane
					   : f->switches[l->from].plane;
}

/*
 * Compare the numbers at *a and *b, of any length, and advance past them.  Leading zeros do not
 * count here, so 007 and 7 are equal numbers.
 */
static int compare_numbers(const char **a, const char **b)
{
	size_t na = 0, nb = 0;
	int c;

	while (**a == '0' && sfab_is_digit((*a)[1]))
		(*a)++;
	while (**b == '0' && sfab_is_digit((*b)[1]))
		(*b)++;
	while (sfab_is_digit((*a)[na]))
		na++;
	while (sfab_is_digit((*b)[nb]))
		nb++;
	if (na != nb)
		return na < nb ? -1 : 1;
	c = memcmp(*a, *b, na);
	*a += na;
	*b += nb;
	return c;
}

int sfab_fabric_name_cmp(const char *a, const char *b)
{
	const char *a0 = a, *b0 = b;
	int c;

	while (*a && *b) {
		if (sfab_is_digit(*a) && sfab_is_digit(*b)) {
			c = compare_numbers(&a, &b);
			if (c)
				return c;
		} else if (*a != *b) {
			return (unsigned char) *a < (unsigned char) *b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	if (*a || *b)
		return *a ? 1 : -1;
	/* Equal but for leading zeros: any order will do, if it is always the same. */
	return strcmp(a0, b0);
}

char *sfab_fabric_guid_name(uint64_t guid, char buf[SFAB_GUID_NAME_SIZE])
{
	snprintf(buf, SFAB_GUID_NAME_SIZE, "0x%016llx", (unsigned long long) guid);
	return buf;
}

uint32_t sfab_fabric_nameless(const struct sfab_fabric *f, uint32_t *first)
{
	char name[SFAB_GUID_NAME_SIZE];
	uint32_t n = 0;

	if (first)
		*first = SFAB_NONE;
	for (uint32_t i = 0; i < f->nhosts; i++) {
		const struct sfab_host *h = &f->hosts[i];

		if (h->role == SFAB_HOST_SHARP ||
		    strcmp(h->name, sfab_fabric_guid_name(f->ports[h->port0].node_guid,
							  name)) != 0)
			continue;
		if (first && !n)
			*first = i;
		n++;
	}
	return n;
}

int sfab_plane_engines_are_names(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-, \t")];
}

/*
 * Return the first engine in a list, and set *@len to the length of its name, or to 0 at the
 * end.  Words that are options and not engines are skipped.
 */
static const char *first_engine(const char *asked, size_t *len)
{
	static const char separators[] = ", \t", no_engine[] = "no_fallback";

	for (;;) {
		asked += strspn(asked, separators);
		*len = strcspn(asked, separators);
		if (*len != strlen(no_engine) ||
		    strncmp(asked, no_engine, *len) != 0)
			return asked;
		asked += *len;
	}
}

uint32_t sfab_plane_asked_for(const struct sfab_plane *p)
{
	const char *name = p->asked;
	uint32_t nth = 1;
	size_t len;

	for (name = first_engine(name, &len); len; name = first_engine(name + len, &len), nth++)
		if (strlen(p->engine) == len && strncmp(p->engine, name, len) == 0)
			return nth;
	return 0;
}

int sfab_plane_fell_back(const struct sfab_plane *p)
{
	size_t len;

	first_engine(p->asked, &len);
	return *p->engine && len && sfab_plane_asked_for(p) != 1;
}
