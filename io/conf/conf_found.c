/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_found.c - who is said to be what, and the line of what was found; see conf_found.h */

#include "io/conf/conf_found.h"

#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"

int sfab_conf_finds_io(const struct sfab_conf *c)
{
	for (uint32_t i = 0; i < c->niosets; i++)
		if (!c->ioset[i].hosts)
			return 1;
	return 0;
}

static void say_before(uint8_t *said, const struct sfab_fabric *f,
		       const struct sfab_iosets *before, const struct sfab_fabric *was)
{
	uint32_t set = before ? sfab_iosets_find(before, SFAB_IOSET_AUTO) : SFAB_NONE;

	for (uint32_t i = 0; set != SFAB_NONE && i < before->set[set].nmembers; i++) {
		uint32_t port = before->ioport[before->set[set].member[i]];
		uint32_t host = sfab_fabric_host(f, was->hosts[was->ports[port].host].name);

		if (host != SFAB_NONE)
			said[host] = SFAB_SAID_BEFORE;
	}
}

/*
 * Mark the hosts of a list.  1 if at least half of its names are hosts, 0 if not or if
 * it is no list, -1: no memory, since without a list nodes could be taken for servers.
 */
static int say_hosts(uint8_t *said, const struct sfab_fabric *f, const char *list,
		     enum sfab_io_said what, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	struct sfab_err wrong = { 0 };
	uint32_t n = 0;
	int most;

	if (!list)
		return 0;
	if (sfab_hostlist_expand(list, &names, &wrong) != 0)
		return wrong.code == SFAB_ENOMEM ? sfab_no_memory(err) : 0;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t host = sfab_fabric_host(f, names.name[i]);

		if (host == SFAB_NONE)
			continue;
		said[host] = (uint8_t) what;
		n++;
	}
	most = 2 * (uint64_t) n >= names.n;
	sfab_names_free(&names);
	return most;
}

static enum sfab_io_said said_by_role(const char *role)
{
	return strcmp(role, "io") == 0 ? SFAB_SAID_IO :
	       strcmp(role, "compute") == 0 ? SFAB_SAID_NODE : SFAB_SAID_OTHER;
}

/* NULL: no memory. */
static uint8_t *hosts_said(const struct sfab_conf *c, const struct sfab_fabric *f,
			   const struct sfab_io_facts *facts)
{
	uint8_t *said = calloc(f->nhosts + 1u, 1);
	int most;

	if (!said)
		return NULL;
	most = say_hosts(said, f, facts->nodes, SFAB_SAID_NODE, NULL);
	if (most == 0)
		memset(said, SFAB_SAID_NOTHING, f->nhosts);
	for (uint32_t i = 0; i < c->nroles && most >= 0; i++)
		if (say_hosts(said, f, c->role[i].hosts, said_by_role(c->role[i].name),
			      NULL) < 0)
			most = -1;
	if (most >= 0)
		return said;
	free(said);
	return NULL;
}

int sfab_conf_find_io(const struct sfab_conf *c, const struct sfab_fabric *f,
		      const struct sfab_io_facts *facts, struct sfab_io_found *found,
		      struct sfab_err *err)
{
	struct sfab_io_ask ask = { .f = f, .rate = facts->rate };
	uint8_t *said = hosts_said(c, f, facts), *before = calloc(f->nhosts + 1u, 1);
	int rc = -1;

	memset(found, 0, sizeof(*found));
	if (said && before) {
		say_before(before, f, facts->before, facts->before_f);
		for (uint32_t h = 0; h < f->nhosts; h++)
			said[h] = said[h] ? said[h] : before[h];
		ask.said = said;
		rc = sfab_io_find(&ask, found, err);
	} else {
		sfab_no_memory(err);
	}
	free(said);
	free(before);
	return rc;
}

int sfab_io_found_is_writable(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")];
}

char *sfab_io_found_hosts(const struct sfab_fabric *f, const struct sfab_io_found *found)
{
	const char **name = malloc((found->n + 1u) * sizeof(*name));
	uint32_t n = 0;
	char *list = NULL;

	for (uint32_t i = 0; name && i < found->n; i++) {
		const char *host = f->hosts[found->host[i].host].name;

		if (found->host[i].in_set && sfab_io_found_is_writable(host))
			name[n++] = host;
	}
	if (name)
		list = n ? sfab_hostlist_fold(name, n) : strdup("");
	free(name);
	return list;
}
