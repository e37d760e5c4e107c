/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script_hosts.c - what a script says about hosts: roles and IO sets; see script.h
 *
 * host() is called for every host.  io_sets holds what is a property of a set, by name, and not
 * of a host.  Everything becomes specs for sfab_iosets_create(), which checks them like those
 * of sfabric.conf.
 */

#include "lua/script_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/ascending.h"
#include "lua/value.h"

#define SETS_MAX 64
#define GROUPS_MAX 1000000

static const char *const known_keys[] = { "group", "io", "role", NULL };
static const char *const known_set_keys[] = { "gbs", "map", "servers", NULL };

/* What a spec of a set points to.  Names are the fabric's, and the arrays the arena's. */
struct spec_arrays {
	char name[SFAB_SET_NAME_MAX + 1];
	const char **host, **client;	/* [hosts] */
	uint32_t *host_group, *client_group;
};

/* What the script says of all hosts. */
struct host_answers {
	const struct sfab_script *script;
	const struct sfab_fabric *f;
	uint8_t *role;				/* [hosts] */
	uint32_t *group;			/* [hosts] or SFAB_NONE */
	struct sfab_ioset_spec spec[SETS_MAX];
	struct spec_arrays set[SETS_MAX];	/* what spec[] points to */
	uint32_t nsets;
	struct sfab_arena arena;
};

/* -- inside the sandbox: errors longjmp, so the answers own all memory ---- */

/* Add a new set, and return its index. */
static uint32_t add_script_set(lua_State *L, struct host_answers *a, const char *name)
{
	struct spec_arrays *set = &a->set[a->nsets];
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
	uint32_t n = a->f->nhosts;

	/* The name must fit the grammar of traffic. */
	if (!length || name[length] || length > SFAB_SET_NAME_MAX)
		luaL_error(L, "IO set \"%s\" (expected 1 to %d letters, "
			   "digits, '_', '.' or '-')", name, SFAB_SET_NAME_MAX);
	if (a->nsets == SETS_MAX)
		luaL_error(L, "more than %d IO sets", SETS_MAX);
	strcpy(set->name, name);
	set->host = sfab_arena_take(&a->arena, n, sizeof(*set->host));
	set->client = sfab_arena_take(&a->arena, n, sizeof(*set->client));
	set->host_group = sfab_arena_take(&a->arena, n, sizeof(*set->host_group));
	set->client_group = sfab_arena_take(&a->arena, n, sizeof(*set->client_group));
	if (a->arena.failed)
		luaL_error(L, "out of memory");
	a->spec[a->nsets] = (struct sfab_ioset_spec){
		.name = set->name, .host = set->host, .host_group = set->host_group,
		.client = set->client, .client_group = set->client_group,
	};
	return a->nsets++;
}

/* Take one "NAME = { map =, gbs =, servers = }", the value on top. */
static void take_set_table(lua_State *L, struct host_answers *a, const char *name)
{
	struct sfab_ioset_spec *spec = &a->spec[add_script_set(L, a, name)];
	const char *map, *word;
	double gbs;

	value_is_table(L, name, known_set_keys);
	if (value_number_field(L, name, "gbs", 0, SFAB_CAPACITY_MAX / SFAB_GB, &gbs) &&
	    gbs > 0) {
		value_number_field(L, name, "gbs", SFAB_CAPACITY_MIN / SFAB_GB,
				   SFAB_CAPACITY_MAX / SFAB_GB, &gbs);
		spec->capacity = gbs * SFAB_GB;
	}
	word = value_text_field(L, name, "servers");
	if (word) {
		spec->holds_writes = strcmp(word, sfab_ioset_servers_name(1)) == 0;
		if (!spec->holds_writes && strcmp(word, sfab_ioset_servers_name(0)) != 0)
			luaL_error(L, "%s: servers is \"%s\" (expected paced|held)", name,
				   word);
	}
	map = value_text_field(L, name, "map");
	while (map && spec->map <= SFAB_IOMAP_NEAREST &&
	       strcmp(map, sfab_iomap_name(spec->map)) != 0)
		spec->map++;
	if (spec->map > SFAB_IOMAP_NEAREST)
		luaL_error(L, "%s: map is \"%s\" (expected all|group|nearest)",
			   name, map);
}

/* Push what is known of a host without Slurm. */
static void push_host(lua_State *L, const struct host_answers *a, uint32_t h)
{
	const struct sfab_fabric *f = a->f;
	const struct sfab_host *host = &f->hosts[h];
	uint32_t leaf = sfab_host_leaf(f, h);

	lua_newtable(L);
	value_set_text(L, "name", host->name);
	value_set_text(L, "role",
		       sfab_host_role_name((enum sfab_host_role) host->role));
	value_set_number(L, "ports", host->nports);
	if (host->nports)
		value_set_text(L, "desc", f->ports[host->port0].desc);
	if (leaf != SFAB_NONE)
		value_set_text(L, "leaf",
			       f->switches[f->leaves[leaf].sw].name);
}

static void take_role(lua_State *L, struct host_answers *a, uint32_t h)
{
	static const enum sfab_host_role allowed[] = {
		SFAB_HOST_COMPUTE, SFAB_HOST_IO, SFAB_HOST_OTHER,
	};
	const char *text = value_text_field(L, "host", "role");

	if (!text || a->f->hosts[h].role == SFAB_HOST_SHARP)
		return;		/* a part of a switch, whatever its name */
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (strcmp(text, sfab_host_role_name(allowed[i])) == 0) {
			a->role[h] = (uint8_t) allowed[i];
			return;
		}
	luaL_error(L, "host: role is \"%s\" (expected compute|io|other)", text);
}

static void join_set(lua_State *L, struct host_answers *a, uint32_t h)
{
	const char *name = value_text(L, "host", "io");
	struct sfab_ioset_spec *spec;
	uint32_t i = 0;

	while (i < a->nsets && strcmp(a->set[i].name, name) != 0)
		i++;
	if (i == a->nsets)
		add_script_set(L, a, name);
	spec = &a->spec[i];
	/* Hosts are asked in order, so a second time can only follow directly. */
	if (spec->nhosts && spec->host[spec->nhosts - 1] == a->f->hosts[h].name)
		luaL_error(L, "host: io names \"%s\" twice", name);
	a->set[i].host[spec->nhosts++] = a->f->hosts[h].name;
	/* A server of an IO set is no compute node, unless its role says so below. */
	if (a->role[h] == SFAB_HOST_COMPUTE)
		a->role[h] = SFAB_HOST_IO;
}

/* Take a set's name, or a list of them. */
static void take_io(lua_State *L, struct host_answers *a, uint32_t h)
{
	if (lua_type(L, -1) != LUA_TTABLE) {
		join_set(L, a, h);
		return;
	}
	for (int i = 1;; i++) {
		lua_rawgeti(L, -1, i);
		if (lua_isnil(L, -1))
			break;
		join_set(L, a, h);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

/* Take the answers of a host, the role after io, so a server may be declared a compute node. */
static void take_host(lua_State *L, struct host_answers *a, uint32_t h)
{
	double group;

	if (!value_is_table(L, "host", known_keys))
		return;
	if (value_push_field(L, "io")) {
		take_io(L, a, h);
		lua_pop(L, 1);
	}
	take_role(L, a, h);
	if (value_number_field(L, "host", "group", 0, GROUPS_MAX, &group))
		a->group[h] = (uint32_t) group;
}

/*
 * Ask the script about its sets, and then about every host.  Runs inside the sandbox: an error
 * jumps out of it, and the answers own all memory.
 */
static int ask_all(lua_State *L)
{
	struct host_answers *a = lua_touserdata(L, 1);
	int line;

	script_push(L, a->script);
	/* Sets are taken in order of their names, so the result is always the same. */
	if (value_push_field(L, "io_sets")) {
		lua_getglobal(L, "pairs");
		lua_insert(L, -2);
		lua_call(L, 1, 1);
		for (;;) {
			lua_pushvalue(L, -1);
			lua_call(L, 0, 2);
			if (lua_isnil(L, -2))
				break;
			if (lua_type(L, -2) != LUA_TSTRING)
				luaL_error(L, "io_sets: a set without a name");
			take_set_table(L, a, lua_tostring(L, -2));
			lua_pop(L, 2);
		}
		lua_pop(L, 3);
	}
	if (!script_push_function(L, "host"))
		return 0;
	line = sandbox_of(L)->line;
	for (uint32_t h = 0; h < a->f->nhosts; h++) {
		/* Each host has all the steps; time and memory are shared. */
		sandbox_restart(sandbox_of(L));
		lua_pushvalue(L, -1);
		push_host(L, a, h);
		lua_call(L, 1, 1);
		sandbox_of(L)->line = line;	/* for errors in the answer */
		take_host(L, a, h);
		lua_pop(L, 1);
	}
	return 0;
}

/* -- outside the sandbox ---------------------------------------------------- */

static int prepare_host_roles(struct host_answers *a, struct sfab_err *err)
{
	uint32_t n = a->f->nhosts;

	a->role = malloc(n + 1);
	a->group = sfab_arena_take_ones(&a->arena, n, sizeof(*a->group));
	if (!a->role || !a->group)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory",
				 a->script->name);
	for (uint32_t h = 0; h < n; h++)
		a->role[h] = (uint8_t) a->f->hosts[h].role;
	return 0;
}

/*
 * List the groups of set @i.  Its hosts are servers, and all other hosts that have a group are
 * clients.
 */
static int list_groups(struct host_answers *a, uint32_t i, struct sfab_err *err)
{
	const struct spec_arrays *set = &a->set[i];
	struct sfab_ioset_spec *spec = &a->spec[i];

	for (uint32_t h = 0, k = 0; h < a->f->nhosts; h++) {
		const char *name = a->f->hosts[h].name;
		int serves = k < spec->nhosts && set->host[k] == name;

		if (serves)
			set->host_group[k++] = a->group[h];
		if (serves && a->group[h] == SFAB_NONE)
			return sfab_fail(err, SFAB_EFORMAT, "IO set %s: host %.100s has no "
					 "group", set->name, name);
		if (serves || a->group[h] == SFAB_NONE)
			continue;
		set->client[spec->nclients] = name;
		set->client_group[spec->nclients++] = a->group[h];
	}
	return 0;
}

/* Renumber the groups 0, 1, ... in order, since scripts may use any numbers. */
static int renumber_groups(struct host_answers *a, struct sfab_err *err)
{
	uint32_t n = a->f->nhosts, k = 0;
	uint32_t *sorted = sfab_arena_take(&a->arena, n, sizeof(*sorted));

	if (!sorted)
		return sfab_no_memory(err);
	memcpy(sorted, a->group, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), sfab_ascending_u32);
	for (uint32_t i = 0; i < n; i++)
		if (!k || sorted[i] != sorted[k - 1])
			sorted[k++] = sorted[i];
	for (uint32_t h = 0; h < n; h++)
		if (a->group[h] != SFAB_NONE)
			a->group[h] = (uint32_t) ((uint32_t *) bsearch(
						      &a->group[h], sorted, k,
						      sizeof(*sorted),
						      sfab_ascending_u32) -
						  sorted);
	return 0;
}

/* Make all sets.  Their groups are numbered together. */
static int make_sets(struct host_answers *a, struct sfab_iosets **io,
		     struct sfab_err *err)
{
	int rc = renumber_groups(a, err);

	for (uint32_t i = 0; i < a->nsets && rc == 0; i++)
		if (a->spec[i].map == SFAB_IOMAP_GROUP)
			rc = list_groups(a, i, err);
	if (rc == 0 && a->nsets) {
		*io = sfab_iosets_create(a->f, a->spec, a->nsets, err);
		rc = *io ? 0 : -1;
	}
	return rc < 0 ? sfab_fail_prefix(err, "%s", a->script->name) : 0;
}

int sfab_script_hosts(const struct sfab_script *s, const struct sfab_fabric *f,
		      struct sfab_script_hosts *out, struct sfab_err *err)
{
	struct host_answers *a = calloc(1, sizeof(*a));
	int rc;

	memset(out, 0, sizeof(*out));
	if (!a)
		return sfab_fail(err, SFAB_ENOMEM, "%s: out of memory", s->name);
	a->script = s;
	a->f = f;
	rc = prepare_host_roles(a, err);
	if (rc == 0)
		rc = script_run(s, &sandbox_all_hosts, ask_all, a, err);
	if (rc == 0)
		rc = make_sets(a, &out->io, err);
	if (rc == 0) {
		out->role = a->role;
		a->role = NULL;
	}
	free(a->role);
	sfab_arena_free(&a->arena);
	free(a);
	return rc;
}

void sfab_script_hosts_clear(struct sfab_script_hosts *h)
{
	free(h->role);
	sfab_iosets_destroy(h->io);
	memset(h, 0, sizeof(*h));
}
