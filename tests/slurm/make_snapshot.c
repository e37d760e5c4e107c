/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_snapshot FILE LEAVES SPINES HOSTS IO [PREFIX] - a snapshot of a fat tree
 *
 * Compute hosts PREFIX1 .. (default n), HOSTS to a leaf; one IO host on each of the first IO
 * leaves, all in the IO set "fs".  LID x goes up to spine x % SPINES; IO hosts have LIDs that
 * all go to the first spine, as OpenSM's ftree engine does to hosts on the same port of each
 * leaf.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/fabric/builder.h"
#include "io/snapshot/snapshot.h"

#define CAPACITY 4.0e9

struct tree {
	unsigned leaves, spines, hosts, io;
	const char *prefix;
	struct sfab_builder *b;
	struct sfab_err err;
};

static void must(const struct tree *t, int rc)
{
	if (!rc)
		return;
	fprintf(stderr, "make_snapshot: %s\n", t->err.text);
	exit(1);
}

static unsigned host_lid(unsigned i)
{
	return 1 + i;
}

static unsigned io_lid(const struct tree *t, unsigned k)
{
	unsigned first = t->leaves * t->hosts / t->spines + 1;

	return (first + k) * t->spines;
}

static unsigned switch_lid(const struct tree *t, unsigned k)
{
	return io_lid(t, t->io) + 1 + k;
}

static void cable(struct tree *t, uint64_t a, unsigned pa, uint64_t b, unsigned pb)
{
	must(t, sfab_builder_add_link(t->b, 0, a, pa, b, pb, CAPACITY, 1, &t->err));
	must(t, sfab_builder_add_link(t->b, 0, b, pb, a, pa, CAPACITY, 1, &t->err));
}

static uint64_t leaf_guid(unsigned l)
{
	return 0x10000 + l;
}

static uint64_t spine_guid(unsigned s)
{
	return 0x20000 + s;
}

/* Leaf ports: hosts 1.., the IO host, then one for each spine. */
static unsigned up_port(const struct tree *t, unsigned spine)
{
	return t->hosts + 2 + spine;
}

static void add_switches(struct tree *t)
{
	char name[32];

	for (unsigned l = 0; l < t->leaves; l++) {
		snprintf(name, sizeof(name), "leaf%u", l + 1);
		must(t, sfab_builder_add_switch(t->b, 0, leaf_guid(l), name,
						t->hosts + 1 + t->spines,
						switch_lid(t, l), &t->err));
	}
	for (unsigned s = 0; s < t->spines; s++) {
		snprintf(name, sizeof(name), "spine%u", s + 1);
		must(t, sfab_builder_add_switch(t->b, 0, spine_guid(s), name,
						t->leaves,
						switch_lid(t, t->leaves + s), &t->err));
		for (unsigned l = 0; l < t->leaves; l++)
			cable(t, leaf_guid(l), up_port(t, s), spine_guid(s), l + 1);
	}
}

static void route(struct tree *t, unsigned lid, unsigned leaf, unsigned port)
{
	for (unsigned l = 0; l < t->leaves; l++) {
		uint8_t out = (uint8_t) (l == leaf ? port :
					 up_port(t, lid % t->spines));

		must(t, sfab_builder_add_lft(t->b, 0, leaf_guid(l), lid, &out, 1,
					     &t->err));
	}
	for (unsigned s = 0; s < t->spines; s++) {
		uint8_t out = (uint8_t) (leaf + 1);

		must(t, sfab_builder_add_lft(t->b, 0, spine_guid(s), lid, &out, 1,
					     &t->err));
	}
}

static void add_host(struct tree *t, const char *name, uint64_t guid,
		     unsigned lid, unsigned leaf, unsigned port)
{
	must(t, sfab_builder_add_port(t->b, 0, guid, 1, guid + 1, name, NULL, lid,
				      0, &t->err));
	cable(t, guid, 1, leaf_guid(leaf), port);
	route(t, lid, leaf, port);
}

static void add_hosts(struct tree *t)
{
	char name[64];

	for (unsigned i = 0; i < t->leaves * t->hosts; i++) {
		snprintf(name, sizeof(name), "%s%u HCA-1", t->prefix, i + 1);
		add_host(t, name, 0x100000 + 16 * i, host_lid(i), i / t->hosts,
			 1 + i % t->hosts);
	}
	for (unsigned k = 0; k < t->io; k++) {
		snprintf(name, sizeof(name), "io%u HCA-1", k + 1);
		add_host(t, name, 0x900000 + 16 * k, io_lid(t, k), k,
			 t->hosts + 1);
	}
}

static struct sfab_iosets *make_iosets(struct tree *t,
				       const struct sfab_fabric *f)
{
	char name[64][16];
	const char *host[64];
	struct sfab_ioset_spec spec = {
		.name = "fs", .map = SFAB_IOMAP_ALL, .nhosts = t->io, .host = host,
	};

	for (unsigned k = 0; k < t->io && k < 64; k++) {
		snprintf(name[k], sizeof(name[k]), "io%u", k + 1);
		host[k] = name[k];
	}
	return sfab_iosets_create(f, &spec, t->io ? 1 : 0, &t->err);
}

static void save(struct tree *t, const char *path)
{
	struct sfab_fabric *f = sfab_builder_freeze(t->b, &t->err);
	struct sfab_iosets *io = f ? make_iosets(t, f) : NULL;
	struct sfab_snapshot *s = io ? sfab_snapshot_take(f, io, &t->err) : NULL;

	must(t, s ? 0 : -1);
	must(t, sfab_snapshot_save(s, path, 0644, &t->err));
	printf("0x%016llx\n", (unsigned long long) s->fingerprint);
	sfab_snapshot_destroy(s);
}

int main(int argc, char **argv)
{
	struct tree t = { .prefix = argc > 6 ? argv[6] : "n" };

	if (argc < 6) {
		fprintf(stderr, "usage: make_snapshot FILE LEAVES SPINES HOSTS IO [PREFIX]\n");
		return 2;
	}
	t.leaves = (unsigned) atoi(argv[2]);
	t.spines = (unsigned) atoi(argv[3]);
	t.hosts = (unsigned) atoi(argv[4]);
	t.io = (unsigned) atoi(argv[5]);
	if (t.io > t.leaves || t.io > 64 || !t.spines)
		return 2;
	t.b = sfab_builder_create(SFAB_BUILD_STRICT);
	sfab_builder_add_plane(t.b, "", NULL);
	sfab_builder_set_engine(t.b, 0, "made");
	sfab_builder_set_time(t.b, (uint64_t) time(NULL));
	add_switches(&t);
	add_hosts(&t);
	save(&t, argv[1]);
	sfab_builder_destroy(t.b);
	return 0;
}
