/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set.c - what the user calls a set of hosts; see set.h */

#include "set.h"

#include <stdlib.h>
#include <string.h>

#include "hosts.h"
#include "say.h"

static int is_role(const char *text)
{
	return strcmp(text, "all") == 0 || strcmp(text, "compute") == 0 ||
	       strcmp(text, "io") == 0;
}

static uint8_t *role_ports(const struct site *site, const char *role)
{
	const struct sfab_fabric *f = site->f;
	uint8_t *flags = need(f->nports, sizeof(*flags));

	for (uint32_t p = 0; p < f->nports; p++) {
		enum sfab_host_role is = site_role(site, f->ports[p].host);

		if (strcmp(role, "all") == 0)
			flags[p] = 1;
		else
			flags[p] = strcmp(role, sfab_host_role_name(is)) == 0;
	}
	return flags;
}

static uint8_t *ioset_ports(const struct site *site, uint32_t set)
{
	uint8_t *flags = need(site->f->nports, sizeof(*flags));
	const struct sfab_ioset *s = &site->io->set[set];

	for (uint32_t i = 0; i < s->nmembers; i++)
		flags[site->io->ioport[s->member[i]]] = 1;
	return flags;
}

static uint8_t *list_ports(const struct sfab_fabric *f, const char *list,
			   struct sfab_err *err)
{
	uint32_t n;
	uint8_t *hosts = hosts_flags(f, list, &n, err);
	uint8_t *flags;

	if (!hosts)
		return NULL;
	flags = need(f->nports, sizeof(*flags));
	for (uint32_t p = 0; p < f->nports; p++)
		flags[p] = hosts[f->ports[p].host];
	free(hosts);
	return flags;
}

uint8_t *set_ports(const struct site *site, const char *text,
		   struct sfab_err *err)
{
	uint8_t *flags;
	uint32_t set = SFAB_NONE;

	if (site->io && !is_role(text))
		set = sfab_iosets_find(site->io, text);
	if (is_role(text))
		flags = role_ports(site, text);
	else if (set != SFAB_NONE)
		flags = ioset_ports(site, set);
	else
		flags = list_ports(site->f, text, err);
	if (flags && site->f->nports && !memchr(flags, 1, site->f->nports)) {
		sfab_fail(err, SFAB_ENOENT, "set '%s': no host of the fabric "
			  "is in it", text);
		free(flags);
		return NULL;
	}
	return flags;
}
