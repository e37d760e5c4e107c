/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_ioset.c - the IoSet lines of sfabric.conf; see conf_private.h
 *
 *     IoSet=scratch Hosts=io[1-4] Map=group GBs=2.5 IoServers=held \
 *             Groups=n[1-8]:io[1-2];n[9-16]:io[3-4]
 *     IoSet=auto
 *
 * A line is checked when it is read, as far as possible without a fabric; its hosts are looked
 * up when there is one.
 */

#include "io/conf/conf_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/conf/conf_guess.h"
#include "io/hostlist.h"

#define FIELD(name) offsetof(struct sfab_conf_ioset, name)

const struct sfab_option sfab_ioset_options[] = {
	{ "Hosts", &sfab_kind_text, FIELD(hosts), NULL,
	  .expected = "a host list", .doc = "IO hosts of the set" },
	{ "Map", &sfab_kind_choice, FIELD(map), "all",
	  .expected = "all|group|nearest",
	  .doc = "which clients talk to which of the hosts" },
	{ "GBs", &sfab_kind_gbs, FIELD(gbs), "0",
	  .doc = "GB/s that one host can serve; 0: the rate of its ports" },
	{ "IoServers", &sfab_kind_choice, FIELD(holds_writes), "paced",
	  .expected = "paced|held",
	  .doc = "what servers do when asked to write more than they can" },
	{ "Groups", &sfab_kind_text, FIELD(groups), NULL,
	  .expected = "CLIENTS:IOHOSTS;...", .doc = "the groups of Map=group" },
	{ .key = NULL, .doc = "sfabric.conf(5)" }
};

/*
 * An IO set with its lists expanded.  host_group is NULL without Groups; SFAB_NONE marks a host
 * whose group is not known yet.
 */
struct ioset_lists {
	struct sfab_names hosts, clients;
	uint32_t *host_group, *client_group;
};

/* A name with its place in the list, sorted by name to find duplicates and members. */
struct name_index {
	const char *name;
	uint32_t index;
};

void sfab_conf_ioset_free(struct sfab_conf_ioset *set)
{
	sfab_option_free(sfab_ioset_options, set);
	free(set->name);
}

static void free_lists(struct ioset_lists *l)
{
	sfab_names_free(&l->hosts);
	sfab_names_free(&l->clients);
	free(l->host_group);
	free(l->client_group);
}

static int compare_set_names(const void *a, const void *b)
{
	return strcmp(((const struct name_index *) a)->name,
		      ((const struct name_index *) b)->name);
}

/* Return @names sorted for bsearch().  NULL with *err if one occurs twice. */
static struct name_index *sort_unique_names(const struct sfab_names *names,
					    struct sfab_err *err)
{
	struct name_index *sorted = malloc((names->n + 1) * sizeof(*sorted));
	uint32_t i;

	if (!sorted) {
		sfab_no_memory(err);
		return NULL;
	}
	for (i = 0; i < names->n; i++)
		sorted[i] = (struct name_index){ names->name[i], i };
	qsort(sorted, names->n, sizeof(*sorted), compare_set_names);
	for (i = 1; i < names->n; i++)
		if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
			sfab_fail(err, SFAB_EFORMAT, "host %.100s given twice",
				  sorted[i].name);
			free(sorted);
			return NULL;
		}
	return sorted;
}

/* Record that the hosts in @members belong to group @group, and to no other. */
static int join_group(struct ioset_lists *l, const struct name_index *sorted,
		      const struct sfab_names *members, uint32_t group,
		      struct sfab_err *err)
{
	struct name_index key, *found;
	uint32_t i;

	for (i = 0; i < members->n; i++) {
		key.name = members->name[i];
		found = bsearch(&key, sorted, l->hosts.n, sizeof(*sorted),
				compare_set_names);
		if (!found)
			return sfab_fail(err, SFAB_EFORMAT, "Groups: host "
					 "%.100s is not in Hosts", key.name);
		if (l->host_group[found->index] != SFAB_NONE)
			return sfab_fail(err, SFAB_EFORMAT, "Groups: host "
					 "%.100s given twice", key.name);
		l->host_group[found->index] = group;
	}
	return 0;
}

/*
 * Read one "CLIENTS:IOHOSTS" from @text, which is modified.  Clients are added and not looked
 * up, because without a fabric nobody knows them.
 */
static int read_group(struct ioset_lists *l, const struct name_index *sorted, char *text,
		      uint32_t group, struct sfab_err *err)
{
	struct sfab_names members = { 0 };
	char *colon = strchr(text, ':');
	uint32_t nbefore = l->clients.n;
	int rc = -1;

	if (!colon)
		return sfab_fail(err, SFAB_EFORMAT, "Groups: \"%.60s\" "
				 "(expected CLIENTS:IOHOSTS)", text);
	*colon = '\0';
	if (sfab_hostlist_append(text, &l->clients, err) < 0 ||
	    sfab_hostlist_expand(colon + 1, &members, err) < 0)
		return -1;
	if (l->clients.n == nbefore || !members.n)
		sfab_fail(err, SFAB_EFORMAT, "Groups: a group without %s",
			  l->clients.n == nbefore ? "clients" : "IO hosts");
	else if (sfab_resize(&l->client_group, l->clients.n, sizeof(*l->client_group)) < 0)
		sfab_no_memory(err);
	else
		rc = join_group(l, sorted, &members, group, err);
	for (uint32_t i = nbefore; rc == 0 && i < l->clients.n; i++)
		l->client_group[i] = group;
	sfab_names_free(&members);
	return rc;
}

/* Read all groups, numbered in the order of the line.  Each host must be in one. */
static int read_groups(const struct sfab_conf_ioset *set, struct ioset_lists *l,
		       const struct name_index *sorted, struct sfab_err *err)
{
	char *copy = strdup(set->groups), *rest = copy, *text;
	struct name_index *clients;
	uint32_t group = 0;
	int rc = 0;

	l->host_group = malloc(l->hosts.n * sizeof(*l->host_group));
	if (!copy || !l->host_group) {
		free(copy);
		return sfab_no_memory(err);
	}
	memset(l->host_group, 0xFF, l->hosts.n * sizeof(*l->host_group));
	while (rc == 0 && (text = strsep(&rest, ";")))
		rc = read_group(l, sorted, text, group++, err);
	free(copy);
	if (rc < 0)
		return -1;
	/* Each client is in one group only, and each IO host is in a group. */
	clients = sort_unique_names(&l->clients, err);
	if (!clients)
		return sfab_fail_prefix(err, "Groups");
	free(clients);
	for (uint32_t i = 0; i < l->hosts.n; i++)
		if (l->host_group[i] == SFAB_NONE)
			return sfab_fail(err, SFAB_EFORMAT, "Groups: host %.100s is in no "
					 "group", l->hosts.name[i]);
	return 0;
}

/*
 * Expand the lists of @set into @l, which must be freed also on failure.  Called twice for a
 * set: when its line is read, to check it, and when there is a fabric.
 */
static int expand_lists(const struct sfab_conf_ioset *set, struct ioset_lists *l,
			struct sfab_err *err)
{
	struct name_index *sorted;
	int rc = 0;

	if (!set->hosts)
		return sfab_fail(err, SFAB_EFORMAT, "no Hosts");
	if ((set->groups != NULL) != (set->map == SFAB_IOMAP_GROUP))
		return sfab_fail(err, SFAB_EFORMAT,
				 "Map=group and Groups go together");
	if (sfab_hostlist_expand(set->hosts, &l->hosts, err) < 0)
		return sfab_fail_prefix(err, "Hosts");
	if (!l->hosts.n)
		return sfab_fail(err, SFAB_EFORMAT, "no Hosts");
	sorted = sort_unique_names(&l->hosts, err);
	if (!sorted)
		return sfab_fail_prefix(err, "Hosts");
	if (set->groups)
		rc = read_groups(set, l, sorted, err);
	free(sorted);
	return rc;
}

/* Fill in @set, the last of @c, from "NAME Key=Value ..." in @line, which is modified. */
static int read_ioset(const struct sfab_conf *c, struct sfab_conf_ioset *set,
		      char *line, struct sfab_err *err)
{
	char *rest = line + strcspn(line, " \t");
	struct ioset_lists l = { 0 };
	int rc;
	const char *name;
	uint32_t i;

	if (*rest)
		*rest++ = '\0';
	set->name = strdup(line);
	if (!set->name || sfab_option_defaults(sfab_ioset_options, set) < 0)
		return sfab_no_memory(err);
	/*
	 * The name of a set must fit the grammar of traffic.  Traffic such as
	 * "io-write@scratch=0.5+mpi" could not be read with a set called "a+b".
	 */
	name = set->name;
	if (!sfab_conf_guess_is_writable(name) || strlen(name) > SFAB_SET_NAME_MAX)
		return sfab_fail(err, SFAB_EFORMAT,
				 "name \"%.70s\" (expected 1 to %d letters, "
				 "digits, '_', '.' or '-')",
				 name, SFAB_SET_NAME_MAX);
	for (i = 0; i + 1 < c->niosets; i++)
		if (strcmp(c->ioset[i].name, name) == 0)
			return sfab_fail(err, SFAB_EFORMAT,
					 "given twice (first at %s)",
					 c->ioset[i].origin);
	/* Without anything else its hosts are found where there is a fabric. */
	if (strcmp(name, SFAB_IOSET_AUTO) == 0 && !rest[strspn(rest, " \t")])
		return 0;
	if (sfab_option_line(sfab_ioset_options, set, rest, err) < 0)
		return -1;
	rc = expand_lists(set, &l, err);
	free_lists(&l);
	return rc;
}

/*
 * Add a set, as every IoSet line does.  Errors begin with its name.  The set is in the conf
 * even if its line is wrong, so that sfab_conf_destroy() frees it.
 */
static int parse_ioset(const struct sfab_option *o, void *base,
		       const char *value, struct sfab_err *err)
{
	struct sfab_conf *c = base;
	struct sfab_conf_ioset *set;
	char *copy;
	int rc;

	if (sfab_resize_one_more(&c->ioset, c->niosets, sizeof(*set)) < 0)
		return sfab_no_memory(err);
	set = memset(&c->ioset[c->niosets++], 0, sizeof(*set));
	copy = strdup(value);
	rc = copy ? read_ioset(c, set, copy, err)
		      : sfab_no_memory(err);
	if (rc < 0)
		sfab_fail_prefix(err, "%s %.63s", o->key,
				 set->name ? set->name : "");
	free(copy);
	return rc;
}

/*
 * Print the set, which is @base itself.  Groups are left out if there are none, because an
 * empty value is not one.
 */
static void print_ioset(const struct sfab_option *o, const void *base,
			FILE *out)
{
	const struct sfab_conf_ioset *set = base;
	const struct sfab_option *field;

	fputs(set->name, out);
	if (!set->hosts)
		return;
	for (field = sfab_ioset_options; field->key; field++) {
		if (!set->groups && field->offset == FIELD(groups))
			continue;
		fprintf(out, " %s=", field->key);
		field->kind->print(field, set, out);
	}
}

const struct sfab_value_kind sfab_kind_ioset = {
	.may_repeat = 1, .is_record = 1, .parse = parse_ioset, .print = print_ioset,
};

/* Does the host exist and have a cable?  Without a cable no traffic can reach it. */
static int is_cabled_host(const struct sfab_fabric *f, const char *name)
{
	uint32_t host = sfab_fabric_host(f, name);

	return host != SFAB_NONE && sfab_host_cabled(f, host) > 0;
}

/* Put the hosts of IoSet=auto into @l.  There may be none. */
static int find_hosts(const struct sfab_conf *c, struct ioset_lists *l,
		      const struct sfab_fabric *f, const struct sfab_io_facts *facts,
		      struct sfab_err *err)
{
	struct sfab_io_guess found;
	char *hosts;
	int rc;

	if (sfab_conf_find_io(c, f, facts, &found, err) < 0)
		return -1;
	hosts = sfab_conf_guess_hosts(f, &found);
	rc = hosts ? sfab_hostlist_expand(hosts, &l->hosts, err) : sfab_no_memory(err);
	free(hosts);
	sfab_io_guess_free(&found);
	return rc;
}

/*
 * Keep the hosts that have a cable in the fabric.  Count the others in @missing; with @missing
 * NULL they are an error.
 */
static int keep_present(const struct sfab_conf_ioset *set, struct ioset_lists *l,
			const struct sfab_fabric *f, uint32_t *missing, struct sfab_err *err)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->hosts.n; i++) {
		if (!is_cabled_host(f, l->hosts.name[i]) && !missing)
			return sfab_fail(err, SFAB_ENOENT, "%s: IoSet %s: host "
					 "%.100s is not in the fabric, or not cabled",
					 set->origin, set->name, l->hosts.name[i]);
		if (!is_cabled_host(f, l->hosts.name[i])) {
			free(l->hosts.name[i]);
			++*missing;
			continue;
		}
		l->hosts.name[kept] = l->hosts.name[i];
		if (l->host_group)
			l->host_group[kept] = l->host_group[i];
		kept++;
	}
	l->hosts.n = kept;
	return 0;
}

/* Fill in @spec, which borrows from @set and @l. */
static void make_ioset_spec(const struct sfab_conf_ioset *set, const struct ioset_lists *l,
			    struct sfab_ioset_spec *spec)
{
	*spec = (struct sfab_ioset_spec){
		.name = set->name,
		.map = set->map,
		.holds_writes = set->holds_writes,
		.nhosts = l->hosts.n,
		.host = (const char *const *) l->hosts.name,
		.capacity = set->gbs * SFAB_GB,
		.host_group = l->host_group,
		.nclients = l->clients.n,
		.client = (const char *const *) l->clients.name,
		.client_group = l->client_group,
	};
}

struct sfab_iosets *sfab_conf_iosets(const struct sfab_conf *c,
				     const struct sfab_fabric *f,
				     const struct sfab_io_facts *facts,
				     uint32_t *missing, struct sfab_err *err)
{
	static const struct sfab_io_facts none;
	struct sfab_ioset_spec *spec = calloc(c->niosets + 1, sizeof(*spec));
	struct ioset_lists *l = calloc(c->niosets + 1, sizeof(*l));
	struct sfab_iosets *io = NULL;
	uint32_t i, n = 0;
	int rc = 0;

	if (missing)
		*missing = 0;
	if (!spec || !l)
		rc = sfab_no_memory(err);
	/* Lists stay until the sets are made: a spec borrows its names from them. */
	for (i = 0; i < c->niosets && rc == 0; i++) {
		const struct sfab_conf_ioset *set = &c->ioset[i];

		rc = set->hosts ? expand_lists(set, &l[i], err)
				    : find_hosts(c, &l[i], f, facts ? facts : &none, err);
		if (rc < 0)
			sfab_fail_prefix(err, "%s: IoSet %s", set->origin, set->name);
		else
			rc = keep_present(set, &l[i], f, missing, err);
		if (rc == 0 && l[i].hosts.n)
			make_ioset_spec(set, &l[i], &spec[n++]);
	}
	if (rc == 0)
		io = sfab_iosets_create(f, spec, n, err);
	for (i = 0; l && i < c->niosets; i++)
		free_lists(&l[i]);
	free(l);
	free(spec);
	return io;
}
