/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_role.c - roles of hosts in sfabric.conf; see conf.h
 *
 * Host lists are expanded when the file is read, so that a mistake is reported with its line,
 * and once more when a fabric is known, since only then names have ids.
 */

#include "io/conf/conf_private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/hostlist.h"

static const struct {
	const char *name;
	enum sfab_host_role role;
} roles[] = {
	{ "compute", SFAB_HOST_COMPUTE },
	{ "login", SFAB_HOST_OTHER },
	{ "io", SFAB_HOST_IO },
	{ "management", SFAB_HOST_OTHER },
	{ "router", SFAB_HOST_OTHER },
};
#define NROLES (sizeof(roles) / sizeof(roles[0]))

/* Return the index of a role; NROLES: unknown. */
static size_t find_role(const char *name)
{
	size_t i = 0;

	while (i < NROLES && strcasecmp(roles[i].name, name) != 0)
		i++;
	return i;
}

int sfab_conf_add_role(struct sfab_conf *c, const char *name, const char *hosts,
		       struct sfab_err *err)
{
	size_t index = find_role(name);
	struct sfab_names names = { 0 };
	uint32_t n;

	if (index == NROLES)
		return sfab_fail(err, SFAB_EFORMAT, "Role: \"%.60s\" (expected "
				 "compute|login|io|management|router)", name);
	/* A missing or empty list is an error, and so is one that cannot be expanded later. */
	if (sfab_hostlist_expand(hosts, &names, err) < 0)
		return sfab_fail_prefix(err, "Role: %s", name);
	n = names.n;
	sfab_names_free(&names);
	if (!n)
		return sfab_fail(err, SFAB_EFORMAT,
				 "Role: %s: \"%.60s\" (expected a hostlist)",
				 name, hosts);
	return sfab_conf_add_pair(&c->roles, roles[index].name, hosts, err);
}

void sfab_conf_clear_roles(struct sfab_conf *c, const char *name)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < c->roles.n; i++) {
		struct sfab_conf_pair role = c->roles.pair[i];

		if (strcmp(role.name, name) != 0) {
			c->roles.pair[kept++] = role;
			continue;
		}
		free(role.name);
		free(role.value);
	}
	c->roles.n = kept;
}

/* Add a role, and expand its host list now, so that its errors have a line. */
static int take_role_pair(const struct sfab_option *o, void *base, char *name, char *hosts,
			  struct sfab_err *err)
{
	(void) o;
	return sfab_conf_add_role(base, name, hosts, err);
}

const struct sfab_value_kind sfab_kind_roles = {
	/* Host lists contain commas. */
	.may_repeat = 1, .pair_form = "ROLE:HOSTLIST", .separator = ";",
	.take_pair = take_role_pair, .parse = sfab_conf_parse_pairs, .print = sfab_conf_print_pairs,
};

void sfab_conf_set_adaptive(const struct sfab_conf *c, struct sfab_fabric *f)
{
	if (c->adaptive == SFAB_ADAPT_NO)
		sfab_fabric_set_static(f);
}

/*
 * Apply the roles in the order of the lines: the last that names a host wins.  Where the
 * compute hosts are listed the list is complete, so that a host that is not named there, such
 * as a new login node, gets no jobs.  Hosts that the fabric lacks are skipped: a node may be
 * down today.
 */
int sfab_conf_set_roles(const struct sfab_conf *c, struct sfab_fabric *f,
			struct sfab_err *err)
{
	int names_compute = sfab_conf_find_pair(&c->roles, "compute") != NULL;

	for (uint32_t h = 0; names_compute && h < f->nhosts; h++)
		if (f->hosts[h].role == SFAB_HOST_COMPUTE)
			sfab_fabric_set_role(f, h, SFAB_HOST_OTHER);
	for (uint32_t i = 0; i < c->roles.n; i++) {
		const struct sfab_conf_pair *pair = &c->roles.pair[i];
		enum sfab_host_role role = roles[find_role(pair->name)].role;
		struct sfab_names names = { 0 };

		if (sfab_hostlist_expand(pair->value, &names, err) < 0)
			return -1;
		for (uint32_t k = 0; k < names.n; k++) {
			uint32_t host = sfab_fabric_host(f, names.name[k]);

			if (host != SFAB_NONE)
				sfab_fabric_set_role(f, host, role);
		}
		sfab_names_free(&names);
	}
	return 0;
}
