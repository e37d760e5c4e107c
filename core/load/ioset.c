/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioset.c - IO sets from host names; see ioset.h
 *
 * IO ports are numbered once for all sets, in the order of end ports: a server that is in two
 * sets (reads and writes, say) is one resource with one limit.  A set lists its members by
 * these numbers.
 *
 * Sets come from names (create) or from a snapshot (copy).  What a snapshot says is checked
 * completely first, because an index out of range would be followed later.
 */

#include "core/load/ioset.h"
#include "core/load/traffic.h"

#include <stdlib.h>
#include <string.h>

const char *sfab_iomap_name(enum sfab_iomap map)
{
	static const char *const name[] = { "all", "group", "nearest" };

	return map <= SFAB_IOMAP_NEAREST ? name[map] : "?";
}

const char *sfab_ioset_servers_name(int held)
{
	return held ? "held" : "paced";
}

void sfab_iosets_destroy(struct sfab_iosets *io)
{
	if (!io)
		return;
	sfab_arena_free(&io->arena);
	free(io);
}

/* -- from names ------------------------------------------------------------- */

static int find_set_host(const struct sfab_fabric *f, const char *set,
			 const char *name, uint32_t *host, struct sfab_err *err)
{
	*host = sfab_fabric_host(f, name);
	if (*host != SFAB_NONE)
		return 0;
	return sfab_fail(err, SFAB_ENOENT,
			 "IO set %s: no host %s in the fabric", set, name);
}

/*
 * Set @marked, bytes/s by end port, of the cabled ports of @host to their part of its capacity.
 * If a port is in several sets the smaller one applies.
 */
static int mark_ports(struct sfab_iosets *io, const struct sfab_fabric *f,
		      const struct sfab_ioset_spec *spec, uint32_t host, double *marked,
		      struct sfab_err *err)
{
	const struct sfab_host *h = &f->hosts[host];
	uint32_t cabled = sfab_host_cabled(f, host);

	io->nuncabled += h->nports - cabled;
	for (uint32_t p = h->port0; p < h->port0 + h->nports; p++) {
		double c = spec->capacity != 0 ? spec->capacity / cabled : f->ports[p].rate;

		if (!sfab_port_is_cabled(&f->ports[p]))
			continue;
		if (!sfab_fabric_is_capacity(c))
			return sfab_fail(err, SFAB_EINVAL, "IO set %s: port of %s with "
					 "%g GB/s (expected " SFAB_CAPACITY_EXPECTED ")",
					 spec->name, h->name, c / SFAB_GB);
		if (!(marked[p] > 0) || c < marked[p])
			marked[p] = c;
	}
	return 0;
}

/*
 * Find the hosts of a set and mark their ports.  @spec_index is set, by host, to its index in
 * the spec.
 */
static int mark_hosts(struct sfab_iosets *io, const struct sfab_fabric *f,
		      const struct sfab_ioset_spec *spec, uint32_t *spec_index, double *marked,
		      struct sfab_err *err)
{
	uint32_t host;

	if (!spec->nhosts)
		return sfab_fail(err, SFAB_EINVAL,
				 "IO set %s is empty (expected at least one host)",
				 spec->name);
	for (uint32_t i = 0; i < spec->nhosts; i++) {
		if (find_set_host(f, spec->name, spec->host[i], &host, err) < 0)
			return -1;
		if (spec_index[host] != SFAB_NONE)
			return sfab_fail(err, SFAB_EINVAL, "IO set %s: host %s twice",
					 spec->name, f->hosts[host].name);
		spec_index[host] = i;
		if (mark_ports(io, f, spec, host, marked, err) < 0)
			return -1;
	}
	return 0;
}

/* Number the marked ports in ascending order of end ports. */
static int number_io_ports(struct sfab_iosets *io, const struct sfab_fabric *f,
			   const double *marked, struct sfab_err *err)
{
	uint32_t *ioport = sfab_arena_take(&io->arena, f->nports, sizeof(*ioport));
	double *capacity = sfab_arena_take(&io->arena, f->nports, sizeof(*capacity));

	io->ioport = ioport;
	io->capacity = capacity;
	if (io->arena.failed)
		return sfab_no_memory(err);
	for (uint32_t p = 0; p < f->nports; p++) {
		if (!(marked[p] > 0))
			continue;
		ioport[io->nioports] = p;
		capacity[io->nioports++] = marked[p];
	}
	return 0;
}

/* Set set->client_group from the names of clients. */
static int group_clients(struct sfab_iosets *io, struct sfab_ioset *set,
			 const struct sfab_fabric *f, const struct sfab_ioset_spec *spec,
			 struct sfab_err *err)
{
	uint32_t *client = sfab_arena_take_ones(&io->arena, f->nhosts, sizeof(*client));
	uint32_t host;

	set->client_group = client;
	if (!client)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < spec->nhosts; i++)
		if (spec->host_group[i] >= set->ngroups)
			set->ngroups = spec->host_group[i] + 1;
	for (uint32_t i = 0; i < spec->nclients; i++) {
		if (find_set_host(f, spec->name, spec->client[i], &host, err) < 0)
			return -1;
		if (spec->client_group[i] >= set->ngroups)
			return sfab_fail(err, SFAB_EINVAL,
					 "IO set %s: client %s in a group without IO hosts",
					 spec->name, spec->client[i]);
		client[host] = spec->client_group[i];
	}
	return 0;
}

/*
 * Fill in one set.  Members are in ascending order, as the ports are.  @spec_index: see
 * mark_hosts().
 */
static int fill_set(struct sfab_iosets *io, struct sfab_ioset *set,
		    const struct sfab_fabric *f, const struct sfab_ioset_spec *spec,
		    const uint32_t *spec_index, struct sfab_err *err)
{
	int grouped = spec->map == SFAB_IOMAP_GROUP;
	uint32_t *member = sfab_arena_take(&io->arena, io->nioports, sizeof(*member));
	uint32_t *group = sfab_arena_take(&io->arena, io->nioports, sizeof(*group));

	*set = (struct sfab_ioset){
		.name = sfab_arena_strdup(&io->arena, spec->name), .map = spec->map,
		.holds_writes = spec->holds_writes, .member = member,
		.member_group = grouped ? group : NULL,
	};
	if (io->arena.failed)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < io->nioports; i++) {
		uint32_t k = spec_index[f->ports[io->ioport[i]].host];

		if (k == SFAB_NONE)
			continue;
		if (grouped)
			group[set->nmembers] = spec->host_group[k];
		member[set->nmembers++] = i;
	}
	if (!set->nmembers)
		return sfab_fail(err, SFAB_EINVAL, "IO set %s: none of its hosts is cabled",
				 spec->name);
	return grouped ? group_clients(io, set, f, spec, err) : 0;
}

struct sfab_iosets *sfab_iosets_create(const struct sfab_fabric *f,
				       const struct sfab_ioset_spec *spec,
				       uint32_t nspecs, struct sfab_err *err)
{
	struct sfab_iosets *io = calloc(1, sizeof(*io));
	struct sfab_arena scratch = { 0 };
	size_t ncells = (size_t) nspecs * f->nhosts;
	uint32_t *spec_index = sfab_arena_take_ones(&scratch, ncells, sizeof(*spec_index));
	double *marked = sfab_arena_take(&scratch, f->nports, sizeof(*marked));
	struct sfab_ioset *set = io ? sfab_arena_take(&io->arena, nspecs, sizeof(*set)) : NULL;
	int rc = set && !scratch.failed ? 0 : sfab_no_memory(err);

	for (uint32_t i = 0; i < nspecs && rc == 0; i++)
		rc = mark_hosts(io, f, &spec[i], spec_index + (size_t) i * f->nhosts, marked, err);
	if (rc == 0) {
		io->set = set;
		rc = number_io_ports(io, f, marked, err);
	}
	for (uint32_t i = 0; i < nspecs && rc == 0; i++)
		if (sfab_iosets_find(io, spec[i].name) != SFAB_NONE)
			rc = sfab_fail(err, SFAB_EINVAL, "IO set %s twice", spec[i].name);
		else
			rc = fill_set(io, &set[io->nsets++], f, &spec[i],
				      spec_index + (size_t) i * f->nhosts, err);
	sfab_arena_free(&scratch);
	if (rc == 0)
		return io;
	sfab_iosets_destroy(io);
	return NULL;
}

/* -- from a snapshot -------------------------------------------------------- */

/* Is @v strictly ascending, with all values below @limit? */
static int is_ascending(const uint32_t *v, uint32_t n, uint32_t limit)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i] >= limit || (i && v[i] <= v[i - 1]))
			return 0;
	return 1;
}

/* Check one set of a snapshot: every index and order in it. */
static int check_set(const struct sfab_fabric *f, const struct sfab_iosets *io,
		     const struct sfab_ioset *set, struct sfab_err *err)
{
	int grouped = set->map == SFAB_IOMAP_GROUP;

	if (!set->name[0] || strlen(set->name) > SFAB_SET_NAME_MAX ||
	    sfab_iosets_find(io, set->name) != set - io->set)
		return sfab_fail(err, SFAB_EFORMAT,
				 "IO set \"%.64s\": name empty, too long or "
				 "duplicate",
				 set->name);
	if (set->holds_writes != 0 && set->holds_writes != 1)
		return sfab_fail(err, SFAB_EFORMAT, "IO set %s: servers %d",
				 set->name, set->holds_writes);
	if (set->map > SFAB_IOMAP_NEAREST || grouped != (set->ngroups > 0))
		return sfab_fail(err, SFAB_EFORMAT,
				 "IO set %s: map %u with %u groups", set->name,
				 (unsigned) set->map, set->ngroups);
	if (!set->nmembers ||
	    !is_ascending(set->member, set->nmembers, io->nioports))
		return sfab_fail(err, SFAB_EFORMAT,
				 "IO set %s: members missing, out of range or order",
				 set->name);
	for (uint32_t i = 0; grouped && i < set->nmembers; i++)
		if (set->member_group[i] >= set->ngroups)
			return sfab_fail(err, SFAB_EFORMAT,
					 "IO set %s: member %u is in group %u of %u",
					 set->name, i, set->member_group[i], set->ngroups);
	for (uint32_t i = 0; grouped && i < f->nhosts; i++)
		if (set->client_group[i] != SFAB_NONE && set->client_group[i] >= set->ngroups)
			return sfab_fail(err, SFAB_EFORMAT,
					 "IO set %s: host %u is in group %u of %u",
					 set->name, i, set->client_group[i], set->ngroups);
	return 0;
}

static void *copy_of(struct sfab_arena *a, const void *v, size_t n, size_t size)
{
	void *copy = sfab_arena_take(a, n, size);

	return copy && n ? memcpy(copy, v, n * size) : copy;
}

/* Copy the arrays that @set, a shallow copy of a set, points to. */
static void copy_set(struct sfab_arena *a, struct sfab_ioset *set, uint32_t nhosts)
{
	int grouped = set->map == SFAB_IOMAP_GROUP;

	set->name = sfab_arena_strdup(a, set->name);
	set->member = copy_of(a, set->member, set->nmembers, sizeof(uint32_t));
	set->member_group = grouped ? copy_of(a, set->member_group, set->nmembers,
					      sizeof(uint32_t)) : NULL;
	set->client_group = grouped ? copy_of(a, set->client_group, nhosts,
					      sizeof(uint32_t)) : NULL;
}

static int check_all(const struct sfab_fabric *f, const struct sfab_iosets *io,
		     struct sfab_err *err)
{
	int rc = 0;

	if (!is_ascending(io->ioport, io->nioports, f->nports))
		rc = sfab_fail(err, SFAB_EFORMAT,
			       "IO ports: out of range or order (expected below %u)",
			       f->nports);
	for (uint32_t i = 0; i < io->nioports && rc == 0; i++)
		if (!sfab_fabric_is_capacity(io->capacity[i]))
			rc = sfab_fail(err, SFAB_EFORMAT,
				       "IO port %u: capacity %g GB/s (expected "
				       SFAB_CAPACITY_EXPECTED ")", i, io->capacity[i] / SFAB_GB);
	for (uint32_t i = 0; i < io->nsets && rc == 0; i++)
		rc = check_set(f, io, &io->set[i], err);
	return rc;
}

struct sfab_iosets *sfab_iosets_copy(const struct sfab_fabric *f,
				     const struct sfab_iosets *from,
				     struct sfab_err *err)
{
	struct sfab_iosets *io = NULL;
	struct sfab_ioset *set;

	if (check_all(f, from, err) < 0)
		return NULL;
	io = calloc(1, sizeof(*io));
	if (!io)
		goto failed;
	*io = *from;
	io->arena = (struct sfab_arena){ 0 };
	io->set = set = copy_of(&io->arena, from->set, io->nsets, sizeof(*set));
	io->ioport = copy_of(&io->arena, io->ioport, io->nioports, sizeof(*io->ioport));
	io->capacity = copy_of(&io->arena, io->capacity, io->nioports, sizeof(*io->capacity));
	for (uint32_t i = 0; set && i < io->nsets; i++)
		copy_set(&io->arena, &set[i], f->nhosts);
	if (!io->arena.failed)
		return io;
failed:
	sfab_iosets_destroy(io);
	sfab_no_memory(err);
	return NULL;
}

uint32_t sfab_iosets_find(const struct sfab_iosets *io, const char *name)
{
	for (uint32_t i = 0; i < io->nsets; i++)
		if (strcmp(io->set[i].name, name) == 0)
			return i;
	return SFAB_NONE;
}

int sfab_iosets_has_host(const struct sfab_iosets *io,
			 const struct sfab_fabric *f, uint32_t host)
{
	for (uint32_t i = 0; i < io->nioports; i++)
		if (f->ports[io->ioport[i]].host == host)
			return 1;
	return 0;
}

uint32_t sfab_iosets_uncabled(const struct sfab_iosets *io,
			      const struct sfab_fabric *f)
{
	uint32_t n = io->nuncabled;

	for (uint32_t i = 0; i < io->nioports; i++)
		n += !sfab_port_is_cabled(&f->ports[io->ioport[i]]);
	return n;
}
