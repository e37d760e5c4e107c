/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_guess.c - what is known of each host, and the hosts that were found; see conf_guess.h */

#include "io/conf/conf_guess.h"

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

/* Mark the hosts of the last auto set that the fabric still has. */
static void mark_last_found(uint8_t *said, const struct sfab_fabric *f,
			    const struct sfab_iosets *last_sets, const struct sfab_fabric *last_f)
{
	uint32_t set = last_sets ? sfab_iosets_find(last_sets, SFAB_IOSET_AUTO) : SFAB_NONE;

	for (uint32_t i = 0; set != SFAB_NONE && i < last_sets->set[set].nmembers; i++) {
		uint32_t port = last_sets->ioport[last_sets->set[set].member[i]];
		uint32_t host = sfab_fabric_host(f, last_f->hosts[last_f->ports[port].host].name);

		if (host != SFAB_NONE)
			said[host] = SFAB_SAID_BEFORE;
	}
}

/*
 * Mark the hosts of a list.  1: at least half of its names are hosts; 0: fewer are, or it is no
 * list; -1: no memory, since without a list nodes could be taken for servers.
 */
static int mark_listed_hosts(uint8_t *said, const struct sfab_fabric *f, const char *list,
			     enum sfab_io_said what, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	struct sfab_err wrong = { 0 };
	uint32_t n = 0;
	int has_most;

	if (!list)
		return 0;
	if (sfab_hostlist_expand(list, &names, &wrong) < 0)
		return wrong.code == SFAB_ENOMEM ? sfab_no_memory(err) : 0;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t host = sfab_fabric_host(f, names.name[i]);

		if (host == SFAB_NONE)
			continue;
		said[host] = (uint8_t) what;
		n++;
	}
	has_most = 2 * (uint64_t) n >= names.n;
	sfab_names_free(&names);
	return has_most;
}

/*
 * Write to @said what the site says of each host: Slurm's nodes, then servers of IO sets
 * (@listed), then roles, of which the last one counts.  -1: no memory.
 */
static int mark_all_hosts(uint8_t *said, const uint8_t *listed, const struct sfab_conf *c,
			  const struct sfab_fabric *f, const struct sfab_io_facts *facts,
			  struct sfab_err *err)
{
	int has_most = mark_listed_hosts(said, f, facts->nodes, SFAB_SAID_NODE, err);

	if (has_most < 0)
		return -1;
	if (!has_most)
		memset(said, SFAB_SAID_NOTHING, f->nhosts);
	for (uint32_t h = 0; h < f->nhosts; h++)
		said[h] = listed[h] ? SFAB_SAID_IO : said[h];
	for (uint32_t i = 0; i < c->roles.n; i++) {
		const char *role = c->roles.pair[i].name;
		enum sfab_io_said what = strcmp(role, "io") == 0 ? SFAB_SAID_IO :
					 strcmp(role, "compute") == 0 ? SFAB_SAID_NODE :
					 SFAB_SAID_OTHER;

		if (mark_listed_hosts(said, f, c->roles.pair[i].value, what, err) < 0)
			return -1;
	}
	return 0;
}

static void drop_listed(struct sfab_io_guess *found, const uint8_t *listed)
{
	uint32_t kept = 0;

	found->nin_set = 0;
	for (uint32_t i = 0; i < found->n; i++) {
		if (listed[found->host[i].host])
			continue;
		found->nin_set += found->host[i].in_set;
		found->host[kept++] = found->host[i];
	}
	found->n = kept;
}

int sfab_conf_find_io(const struct sfab_conf *c, const struct sfab_fabric *f,
		      const struct sfab_io_facts *facts, struct sfab_io_guess *found,
		      struct sfab_err *err)
{
	/* Three arrays by host: what is said, what was found before, and is it in an IoSet line? */
	uint8_t *said = calloc(f->nhosts + 1u, 3), *last, *listed;
	struct sfab_io_guess_options options = { .f = f, .said = said, .rate = facts->rate };
	int rc = 0;

	memset(found, 0, sizeof(*found));
	if (!said)
		return sfab_no_memory(err);
	last = said + f->nhosts + 1;
	listed = last + f->nhosts + 1;
	for (uint32_t i = 0; i < c->niosets && rc == 0; i++)
		if (mark_listed_hosts(listed, f, c->ioset[i].hosts, 1, err) < 0)
			rc = -1;
	if (rc == 0)
		rc = mark_all_hosts(said, listed, c, f, facts, err);
	if (rc == 0) {
		mark_last_found(last, f, facts->last_sets, facts->last_fabric);
		for (uint32_t h = 0; h < f->nhosts; h++)
			said[h] = said[h] ? said[h] : last[h];
		rc = sfab_io_guess_find(&options, found, err);
	}
	if (rc == 0)
		drop_listed(found, listed);
	free(said);
	return rc;
}

int sfab_conf_guess_is_writable(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")];
}

char *sfab_conf_guess_hosts(const struct sfab_fabric *f, const struct sfab_io_guess *found)
{
	const char **name = malloc((found->n + 1u) * sizeof(*name));
	uint32_t n = 0;
	char *list = NULL;

	for (uint32_t i = 0; name && i < found->n; i++) {
		const char *host = f->hosts[found->host[i].host].name;

		if (found->host[i].in_set && sfab_conf_guess_is_writable(host))
			name[n++] = host;
	}
	if (name)
		list = n ? sfab_hostlist_fold(name, n) : strdup("");
	free(name);
	return list;
}
