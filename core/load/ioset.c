/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioset.c - IO sets from host names; see ioset.h
 *
 * Everything lives in one struct sets, which begins with the public struct.
 *
 * IO ports are numbered once for all sets, in the order of end ports: a server that is
 * in two sets (reads and writes, say) is one resource with one limit.  A set lists its
 * members by these numbers.
 *
 * Sets come from names (create) or from a snapshot (copy).  What a snapshot says is
 * checked completely first, because an index out of range would be followed later.
 */

#include "core/load/ioset.h"
#include "core/ascending.h"
#include "core/load/traffic.h"

#include <stdlib.h>
#include <string.h>

struct sets {
	struct sfab_iosets pub;
	struct sfab_ioset *set;
	uint32_t *ioport;
	double *capacity;
	uint32_t *index_of;	/* by end port: IO port index, only during creation */
};

const char *sfab_iomap_name(enum sfab_iomap map)
{
	static const char *const name[] = { "all", "group", "nearest" };

	return map <= SFAB_IOMAP_NEAREST ? name[map] : "?";
}

const char *sfab_ioservers_name(int held)
{
	return held ? "held" : "paced";
}

void sfab_iosets_destroy(struct sfab_iosets *io)
{
	struct sets *s = (struct sets *) io;

	if (!s)
		return;
	for (uint32_t i = 0; s->set && i < s->pub.nsets; i++) {
		free((char *) s->set[i].name);
		free((uint32_t *) s->set[i].member);
		free((uint32_t *) s->set[i].member_group);
		free((uint32_t *) s->set[i].client_group);
	}
	free(s->set);
	free(s->ioport);
	free(s->capacity);
	free(s->index_of);
	free(s);
}

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
 * Mark the cabled ports of the spec's hosts; they share the host's capacity.  If a port
 * is in several sets the smaller capacity applies.
 */
static int mark_ports(struct sets *s, const struct sfab_fabric *f,
		      const struct sfab_ioset_spec *spec, double *capacity,
		      struct sfab_err *err)
{
	for (uint32_t i = 0; i < spec->nhosts; i++) {
		const struct sfab_host *h;
		uint32_t host, cabled;

		if (find_set_host(f, spec->name, spec->host[i], &host, err) < 0)
			return -1;
		h = &f->hosts[host];
		cabled = sfab_host_cabled(f, host);
		s->pub.nuncabled += h->nports - cabled;
		for (uint32_t p = h->port0; p < h->port0 + h->nports; p++) {
			double c = spec->capacity != 0 ?
				   spec->capacity / cabled : f->ports[p].rate;

			if (!sfab_port_is_cabled(&f->ports[p]))
				continue;
			if (!sfab_is_capacity(c))
				return sfab_fail(err, SFAB_EINVAL, "IO set %s: port of %s with "
						 "%g GB/s (expected " SFAB_CAPACITY_EXPECTED ")",
						 spec->name, h->name, c / SFAB_GB);
			if (s->index_of[p] == SFAB_NONE || c < capacity[p])
				capacity[p] = c;
			s->index_of[p] = 0;
		}
	}
	return 0;
}

/* Members in ascending order, without duplicates; then their groups. */
static int add_members(struct sets *s, struct sfab_ioset *set,
		       const struct sfab_fabric *f,
		       const struct sfab_ioset_spec *spec, struct sfab_err *err)
{
	uint32_t *member = calloc(f->nports + 1u, sizeof(*member));
	uint32_t n = 0, host;

	set->member = member;
	if (!member)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < spec->nhosts; i++) {
		if (find_set_host(f, spec->name, spec->host[i], &host, err) < 0)
			return -1;
		if (n + f->hosts[host].nports > f->nports)
			return sfab_fail(err, SFAB_EINVAL,
					 "IO set %s: host %s twice", spec->name,
					 spec->host[i]);
		for (uint32_t k = 0; k < f->hosts[host].nports; k++)
			if (sfab_port_is_cabled(&f->ports[f->hosts[host].port0 + k]))
				member[n++] = s->index_of[f->hosts[host].port0 + k];
	}
	qsort(member, n, sizeof(*member), sfab_ascending_u32);
	for (uint32_t i = 1; i < n; i++)
		if (member[i] == member[i - 1])
			return sfab_fail(err, SFAB_EINVAL,
					 "IO set %s: host %s twice", spec->name,
					 f->hosts[f->ports[s->ioport[member[i]]].host].name);
	set->nmembers = n;
	return n ? 0 : sfab_fail(err, SFAB_EINVAL, "IO set %s: none of its hosts is "
				 "cabled", spec->name);
}

static int group_clients(struct sfab_ioset *set, const struct sfab_fabric *f,
			 const struct sfab_ioset_spec *spec, struct sfab_err *err)
{
	uint32_t *client = malloc((f->nhosts + 1u) * sizeof(*client));
	uint32_t host;

	set->client_group = client;
	if (!client)
		return sfab_no_memory(err);
	memset(client, 0xFF, (f->nhosts + 1u) * sizeof(*client));
	for (uint32_t i = 0; i < spec->nclients; i++) {
		if (find_set_host(f, spec->name, spec->client[i], &host, err) <
		    0)
			return -1;
		if (spec->client_group[i] >= set->ngroups)
			return sfab_fail(err, SFAB_EINVAL,
					 "IO set %s: client %s in a group without IO hosts",
					 spec->name, spec->client[i]);
		client[host] = spec->client_group[i];
	}
	return 0;
}

static int add_member_groups(struct sets *s, struct sfab_ioset *set,
			     const struct sfab_fabric *f,
			     const struct sfab_ioset_spec *spec,
			     struct sfab_err *err)
{
	uint32_t *group = calloc(set->nmembers + 1u, sizeof(*group));
	uint32_t host;

	set->member_group = group;
	if (!group)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < spec->nhosts; i++) {
		if (find_set_host(f, spec->name, spec->host[i], &host, err) < 0)
			return -1;
		for (uint32_t m = 0; m < set->nmembers; m++)
			if (f->ports[s->ioport[set->member[m]]].host == host)
				group[m] = spec->host_group[i];
		if (spec->host_group[i] >= set->ngroups)
			set->ngroups = spec->host_group[i] + 1;
	}
	return group_clients(set, f, spec, err);
}

static int add_ioset(struct sets *s, const struct sfab_fabric *f,
		     const struct sfab_ioset_spec *spec, struct sfab_err *err)
{
	struct sfab_ioset *set = &s->set[s->pub.nsets];

	if (sfab_iosets_find(&s->pub, spec->name) != SFAB_NONE)
		return sfab_fail(err, SFAB_EINVAL, "IO set %s twice", spec->name);
	if (!spec->nhosts)
		return sfab_fail(err, SFAB_EINVAL,
				 "IO set %s is empty (expected at least one host)",
				 spec->name);
	s->pub.nsets++;
	set->map = spec->map;
	set->held = spec->held;
	set->name = strdup(spec->name);
	if (!set->name)
		return sfab_no_memory(err);
	if (add_members(s, set, f, spec, err) < 0)
		return -1;
	if (spec->map == SFAB_IOMAP_GROUP)
		return add_member_groups(s, set, f, spec, err);
	return 0;
}

static int build_iosets(struct sets *s, const struct sfab_fabric *f,
			const struct sfab_ioset_spec *spec, uint32_t nspecs,
			struct sfab_err *err)
{
	double *capacity = calloc(f->nports + 1u, sizeof(*capacity));
	int rc = 0;

	s->ioport = calloc(f->nports + 1u, sizeof(*s->ioport));
	s->capacity = calloc(f->nports + 1u, sizeof(*s->capacity));
	if (!capacity || !s->ioport || !s->capacity)
		rc = sfab_no_memory(err);
	for (uint32_t i = 0; i < nspecs && rc == 0; i++)
		rc = mark_ports(s, f, &spec[i], capacity, err);
	/* Number the marked ports in ascending order of end ports. */
	for (uint32_t p = 0; p < f->nports && rc == 0; p++) {
		if (s->index_of[p] == SFAB_NONE)
			continue;
		s->index_of[p] = s->pub.nioports;
		s->ioport[s->pub.nioports] = p;
		s->capacity[s->pub.nioports++] = capacity[p];
	}
	for (uint32_t i = 0; i < nspecs && rc == 0; i++)
		rc = add_ioset(s, f, &spec[i], err);
	free(capacity);
	return rc;
}

struct sfab_iosets *sfab_iosets_create(const struct sfab_fabric *f,
				       const struct sfab_ioset_spec *spec,
				       uint32_t nspecs, struct sfab_err *err)
{
	struct sets *s = calloc(1, sizeof(*s));

	if (s) {
		s->set = calloc(nspecs + 1u, sizeof(*s->set));
		s->index_of = malloc((f->nports + 1u) * sizeof(*s->index_of));
	}
	if (!s || !s->set || !s->index_of) {
		sfab_iosets_destroy(s ? &s->pub : NULL);
		sfab_no_memory(err);
		return NULL;
	}
	memset(s->index_of, 0xFF, (f->nports + 1u) * sizeof(*s->index_of));
	s->pub.set = s->set;
	if (build_iosets(s, f, spec, nspecs, err) < 0) {
		sfab_iosets_destroy(&s->pub);
		return NULL;
	}
	s->pub.ioport = s->ioport;
	s->pub.capacity = s->capacity;
	free(s->index_of);
	s->index_of = NULL;
	return &s->pub;
}

/* Is @v strictly ascending, with all values below @limit? */
static int is_ascending(const uint32_t *v, uint32_t n, uint32_t limit)
{
	for (uint32_t i = 0; i < n; i++)
		if (v[i] >= limit || (i && v[i] <= v[i - 1]))
			return 0;
	return 1;
}

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
	if (set->held != 0 && set->held != 1)
		return sfab_fail(err, SFAB_EFORMAT, "IO set %s: servers %d",
				 set->name, set->held);
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

static void *copy_of(const void *v, size_t n, size_t size)
{
	void *copy = malloc(n * size + 1);

	return copy && n ? memcpy(copy, v, n * size) : copy;
}

static struct sets *copy_all(const struct sfab_fabric *f,
			     const struct sfab_iosets *from)
{
	struct sets *s = calloc(1, sizeof(*s));
	int bad;

	if (!s)
		return NULL;
	s->pub.set = s->set = calloc(from->nsets + 1u, sizeof(*s->set));
	s->pub.nioports = from->nioports;
	s->pub.nuncabled = from->nuncabled;
	s->pub.ioport = s->ioport = copy_of(from->ioport, from->nioports,
					    sizeof(*s->ioport));
	s->pub.capacity = s->capacity = copy_of(from->capacity, from->nioports,
						sizeof(*s->capacity));
	bad = !s->set || !s->ioport || !s->capacity;
	for (uint32_t i = 0; i < from->nsets && !bad; i++) {
		struct sfab_ioset *set = &s->set[s->pub.nsets++];
		const struct sfab_ioset *was = &from->set[i];
		int grouped = was->map == SFAB_IOMAP_GROUP;

		*set = *was;
		set->name = strdup(was->name);
		set->member = copy_of(was->member, was->nmembers, sizeof(uint32_t));
		set->member_group = grouped ? copy_of(was->member_group, was->nmembers,
						      sizeof(uint32_t)) : NULL;
		set->client_group = grouped ? copy_of(was->client_group, f->nhosts,
						      sizeof(uint32_t)) : NULL;
		bad = !set->name || !set->member ||
		      (grouped && (!set->member_group || !set->client_group));
	}
	if (!bad)
		return s;
	sfab_iosets_destroy(&s->pub);
	return NULL;
}

struct sfab_iosets *sfab_iosets_copy(const struct sfab_fabric *f,
				     const struct sfab_iosets *from,
				     struct sfab_err *err)
{
	struct sets *s;
	int rc = 0;

	if (!is_ascending(from->ioport, from->nioports, f->nports))
		rc = sfab_fail(err, SFAB_EFORMAT,
			       "IO ports: out of range or order (expected below %u)",
			       f->nports);
	for (uint32_t i = 0; i < from->nioports && rc == 0; i++)
		if (!sfab_is_capacity(from->capacity[i]))
			rc = sfab_fail(err, SFAB_EFORMAT,
				       "IO port %u: capacity %g GB/s (expected "
				       SFAB_CAPACITY_EXPECTED ")", i,
				       from->capacity[i] / SFAB_GB);
	for (uint32_t i = 0; i < from->nsets && rc == 0; i++)
		rc = check_set(f, from, &from->set[i], err);
	if (rc < 0)
		return NULL;
	s = copy_all(f, from);
	if (!s)
		sfab_no_memory(err);
	return s ? &s->pub : NULL;
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
