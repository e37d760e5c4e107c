/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trees.c - small fat trees; see trees.h */

#include "tests/fuzz/trees.h"

#include <stdio.h>

#include "core/fabric/builder.h"
#include "tests/fuzz/fuzz.h"

#define RATE 4e9
#define SWITCHES 24
#define PORTS 12
#define NOBODY SWITCHES

struct shape {
	unsigned pods, leaves;	/* leaves of a pod */
	unsigned mids;		/* middle switches of a pod; 0: two levels */
	unsigned spines;	/* of a middle switch, or in all */
	unsigned hosts;		/* of a leaf */
	unsigned planes, lmc;
	int grouped;
	int wide;		/* LIDs of 24 bits, far apart */
};

static const struct shape shapes[FUZZ_TREES] = {
	{ 1, 2, 0, 2, 2, 1, 0, 0, 0 },
	{ 1, 4, 0, 2, 4, 1, 0, 0, 0 },
	{ 1, 3, 0, 2, 3, 2, 0, 0, 0 },
	{ 1, 3, 0, 4, 2, 1, 1, 0, 0 },
	{ 1, 3, 0, 3, 3, 1, 0, 1, 0 },
	{ 2, 2, 2, 1, 3, 1, 0, 0, 0 },
	{ 3, 2, 2, 2, 2, 1, 0, 0, 0 },
	{ 1, 2, 0, 2, 3, 2, 1, 1, 1 },
};

struct sw {
	unsigned nports;
	unsigned peer[PORTS + 1], peer_port[PORTS + 1];
};

struct net {
	const struct shape *shape;
	unsigned nleaves, n;
	struct sw sw[SWITCHES];
};

static uint64_t guid_of(unsigned sw)
{
	return 0x100 + sw;
}

static void join(struct net *t, unsigned a, unsigned b)
{
	unsigned from = ++t->sw[a].nports, to = ++t->sw[b].nports;

	fuzz_check(from <= PORTS && to <= PORTS);
	t->sw[a].peer[from] = b;
	t->sw[a].peer_port[from] = to;
	t->sw[b].peer[to] = a;
	t->sw[b].peer_port[to] = from;
}

/* Leaves, then middle switches, then spines. */
static void draw(struct net *t, const struct shape *s)
{
	unsigned mids = s->pods * s->mids;

	memset(t, 0, sizeof(*t));
	t->shape = s;
	t->nleaves = s->pods * s->leaves;
	t->n = t->nleaves + mids + s->spines * (s->mids ? s->mids : 1);
	for (unsigned l = 0; l < t->nleaves; l++) {
		for (unsigned h = 0; h < s->hosts; h++)
			t->sw[l].peer[++t->sw[l].nports] = NOBODY;
		for (unsigned m = 0; m < s->mids; m++)
			join(t, l, t->nleaves + l / s->leaves * s->mids + m);
		for (unsigned k = 0; !s->mids && k < s->spines; k++)
			join(t, l, t->nleaves + k);
	}
	for (unsigned m = 0; m < mids; m++)
		for (unsigned k = 0; k < s->spines; k++)
			join(t, t->nleaves + m, t->nleaves + mids +
			     m % s->mids * s->spines + k);
}

static void link_up(struct sfab_builder *b, unsigned plane, uint64_t from,
		    unsigned num, uint64_t to, unsigned to_num)
{
	fuzz_check(!sfab_builder_add_link(b, plane, from, num, to, to_num, RATE, 1, NULL) &&
		   !sfab_builder_add_link(b, plane, to, to_num, from, num, RATE, 1, NULL));
}

static unsigned lid_of(const struct shape *s, unsigned host)
{
	return (host + 1) << (s->wide ? 14 : s->lmc);
}

static void add_hosts(const struct net *t, struct sfab_builder *b, unsigned plane)
{
	char name[32];

	for (unsigned i = 0; i < t->nleaves * t->shape->hosts; i++) {
		uint64_t guid = 0x1000 + 16 * i;

		snprintf(name, sizeof(name), "n%u HCA-%u", i + 1, plane + 1);
		fuzz_check(!sfab_builder_add_port(b, plane, guid, plane + 1, guid + plane + 1,
						  name, NULL, lid_of(t->shape, i),
						  t->shape->lmc, NULL));
		link_up(b, plane, guid, plane + 1, guid_of(i / t->shape->hosts),
			1 + i % t->shape->hosts);
	}
}

static void add_switches(const struct net *t, struct sfab_builder *b,
			 unsigned plane)
{
	unsigned hosts = t->nleaves * t->shape->hosts;
	char name[32];

	for (unsigned i = 0; i < t->n; i++) {
		snprintf(name, sizeof(name), "%s%u",
			 i < t->nleaves ? "leaf" : "spine", i + 1);
		fuzz_check(!sfab_builder_add_switch(b, plane, guid_of(i), name, t->sw[i].nports,
						    lid_of(t->shape, hosts) + i, NULL));
	}
	for (unsigned i = 0; i < t->n; i++)
		for (unsigned p = 1; p <= t->sw[i].nports; p++)
			if (t->sw[i].peer[p] < i)
				link_up(b, plane, guid_of(i), p,
					guid_of(t->sw[i].peer[p]),
					t->sw[i].peer_port[p]);
}

/* Hops of each switch from @leaf. */
static void measure(const struct net *t, unsigned leaf, unsigned *far)
{
	unsigned queue[SWITCHES], n = 0;

	for (unsigned i = 0; i < t->n; i++)
		far[i] = NOBODY;
	far[leaf] = 0;
	queue[n++] = leaf;
	for (unsigned i = 0; i < n; i++)
		for (unsigned p = 1; p <= t->sw[queue[i]].nports; p++) {
			unsigned to = t->sw[queue[i]].peer[p];

			if (to == NOBODY || far[to] != NOBODY)
				continue;
			far[to] = far[queue[i]] + 1;
			queue[n++] = to;
		}
}

static void add_entry(const struct net *t, struct sfab_builder *b, unsigned plane,
		      unsigned sw, unsigned lid, const unsigned *far)
{
	static const double even[PORTS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	uint8_t port[PORTS];
	unsigned n = 0;

	for (unsigned p = 1; p <= t->sw[sw].nports; p++)
		if (t->sw[sw].peer[p] != NOBODY &&
		    far[t->sw[sw].peer[p]] + 1 == far[sw])
			port[n++] = (uint8_t) p;
	fuzz_check(t->shape->grouped && n > 1 ?
		   !sfab_builder_add_group(b, plane, guid_of(sw), lid, port, even, n, NULL) :
		   !sfab_builder_add_lft(b, plane, guid_of(sw), lid, &port[lid % n], 1, NULL));
}

static void add_tables(const struct net *t, struct sfab_builder *b, unsigned plane)
{
	unsigned far[SWITCHES];

	for (unsigned i = 0; i < t->nleaves * t->shape->hosts; i++) {
		unsigned leaf = i / t->shape->hosts;
		uint8_t own = (uint8_t) (1 + i % t->shape->hosts);

		measure(t, leaf, far);
		for (unsigned k = 0; k < 1u << t->shape->lmc; k++) {
			unsigned lid = lid_of(t->shape, i) + k;

			for (unsigned sw = 0; sw < t->n; sw++)
				if (sw != leaf)
					add_entry(t, b, plane, sw, lid, far);
			fuzz_check(!sfab_builder_add_lft(b, plane, guid_of(leaf), lid, &own, 1,
							 NULL));
		}
	}
}

static struct sfab_fabric *freeze(const struct net *t)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_fabric *f;
	char name[24];

	for (unsigned p = 0; p < t->shape->planes; p++) {
		snprintf(name, sizeof(name), "plane%u", p + 1);
		fuzz_check(b && sfab_builder_add_plane(b, name, NULL) == (int) p);
		if (t->shape->wide)
			sfab_builder_allow_wide_lids(b, p);
		sfab_builder_set_engine(b, p, "ftree");
		sfab_builder_set_engines_asked(b, p, "ftree,updn");
		add_switches(t, b, p);
		add_hosts(t, b, p);
		add_tables(t, b, p);
	}
	f = sfab_builder_freeze(b, NULL);
	fuzz_check(f != NULL);
	sfab_builder_destroy(b);
	return f;
}

/*
 * A set of each map.  The first host of every leaf serves: LIDs that d-mod-k sends over the
 * same few links.
 */
static struct sfab_iosets *add_sets(const struct net *t,
				    const struct sfab_fabric *f)
{
	static const char *const clients[] = { "n2", "n3" };
	static const uint32_t group[] = { 0, 1, 0, 1, 0, 1 };
	char name[6][24];
	const char *server[6];
	uint32_t n = 0;
	struct sfab_ioset_spec specs[] = {
		{ .name = "fs", .host = server, .capacity = 3e9 },
		{ .name = "near", .map = SFAB_IOMAP_NEAREST, .host = server },
		{ .name = "group", .map = SFAB_IOMAP_GROUP, .host = server,
		  .host_group = group, .nclients = 2, .client = clients,
		  .client_group = group },
	};

	for (; n < t->nleaves && n < 6; n++) {
		snprintf(name[n], sizeof(name[n]), "n%u",
			 n * t->shape->hosts + 1);
		server[n] = name[n];
	}
	specs[0].nhosts = specs[1].nhosts = specs[2].nhosts = n;
	return sfab_iosets_create(f, specs, 3, NULL);
}

struct sfab_snapshot *fuzz_tree(unsigned i)
{
	struct net t;
	struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_snapshot *s;

	draw(&t, &shapes[i % FUZZ_TREES]);
	f = freeze(&t);
	io = add_sets(&t, f);
	s = io ? sfab_snapshot_take(f, io, NULL) : NULL;
	fuzz_check(s != NULL);
	return s;
}
