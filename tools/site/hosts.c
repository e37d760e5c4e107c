/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hosts.c - hosts of a fabric and host lists; see hosts.h
 *
 * Sets are arrays of flags by host id.  Folding gives names back in the order of the fabric,
 * which is that of names.
 */

#include "tools/site/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "io/spelling.h"
#include "tools/ui/xalloc.h"

/* Find a host.  Spelling is compared with all hosts only after the name was not found. */
uint32_t hosts_find(const struct sfab_fabric *f, const char *name,
		    struct sfab_err *err)
{
	uint32_t host = sfab_fabric_host(f, name);
	struct sfab_spelling spelling = sfab_spelling_start(name);

	if (host != SFAB_NONE)
		return host;
	for (uint32_t h = 0; h < f->nhosts; h++)
		sfab_spelling_offer(&spelling, f->hosts[h].name);
	sfab_fail(err, SFAB_ENOENT, "%s: no such host in the fabric%s", name,
		  strchr(name, ':') ? " (expected a hostlist)" :
		  sfab_spelling_question(&spelling));
	return SFAB_NONE;
}

uint8_t *hosts_known(const struct sfab_fabric *f, const char *hostlist,
		     struct hosts_unknown *unknown, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	uint8_t *flags;

	if (sfab_hostlist_expand(hostlist, &names, err) != 0)
		return NULL;
	flags = xcalloc(f->nhosts, sizeof(*flags));
	*unknown = (struct hosts_unknown){ .names = names.n };
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t host = sfab_fabric_host(f, names.name[i]);

		if (host != SFAB_NONE)
			flags[host] = 1;
		else if (unknown->n++ == 0)
			snprintf(unknown->name, sizeof(unknown->name), "%s", names.name[i]);
	}
	sfab_names_free(&names);
	return flags;
}

/*
 * Flag the hosts of a list.  One wrong name fails it: a set that lacks a host would answer
 * another question.
 */
uint8_t *hosts_flags(const struct sfab_fabric *f, const char *hostlist,
		     uint32_t *n, struct sfab_err *err)
{
	struct hosts_unknown unknown;
	uint8_t *flags = hosts_known(f, hostlist, &unknown, err);

	if (flags && unknown.n) {
		hosts_find(f, unknown.name, err);
		free(flags);
		return NULL;
	}
	*n = 0;
	for (uint32_t h = 0; flags && h < f->nhosts; h++)
		*n += flags[h];
	return flags;
}

uint32_t hosts_of_key(const struct sfab_fabric *f, const uint32_t *key, uint32_t k,
		      uint32_t *host)
{
	uint32_t n = 0;

	for (uint32_t h = 0; h < f->nhosts; h++)
		if (key[h] == k)
			host[n++] = h;
	return n;
}

char *hosts_fold(const struct sfab_fabric *f, const uint32_t *host, uint32_t n)
{
	const char **name = xcalloc(n, sizeof(*name));
	char *list;

	for (uint32_t i = 0; i < n; i++)
		name[i] = f->hosts[host[i]].name;
	list = sfab_hostlist_fold(name, n);
	free(name);
	/* An empty list if memory is short. */
	return list ? list : xstrdup("");
}

uint32_t *hosts_ids(const struct sfab_fabric *f, const uint8_t *flags,
		    uint32_t n)
{
	uint32_t *host = xcalloc(n, sizeof(*host));
	uint32_t k = 0;

	for (uint32_t h = 0; h < f->nhosts && k < n; h++)
		if (flags[h])
			host[k++] = h;
	return host;
}

/* Mark a leaf as used.  Return 1 if it was not. */
static uint32_t mark_leaf(uint8_t *used, uint32_t leaf)
{
	if (leaf == SFAB_NONE || used[leaf])
		return 0;
	used[leaf] = 1;
	return 1;
}

uint32_t hosts_leaves(const struct sfab_fabric *f, const uint32_t *host, uint32_t n,
		      enum hosts_ports ports)
{
	uint8_t *used = xcalloc(f->nleaves, sizeof(*used));
	uint32_t leaves = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct sfab_host *h = &f->hosts[host[i]];

		if (ports == HOSTS_FIRST_PORTS)
			leaves += mark_leaf(used, sfab_host_leaf(f, host[i]));
		for (uint32_t p = 0; ports == HOSTS_ALL_PORTS && p < h->nports; p++)
			leaves += mark_leaf(used, f->ports[h->port0 + p].leaf);
	}
	free(used);
	return leaves;
}
