/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_merge.c - several fabrics of one cluster as one */

#include "core/fabric/fabric_merge.h"
#include "io/snapshot/snapshot.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

static const struct clos shapes[] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 4, .spines = 2, .hosts = 3, .lmc = 1 },
	{ .leaves = 3, .spines = 2, .hosts = 2, .planes = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 2, .grouped = SFAB_ADAPTIVE_GROUPS },
	{ .leaves = 4, .spines = 3, .hosts = 2, .grouped = SFAB_ADAPTIVE_UNKNOWN },
};

static uint64_t fingerprint_of(struct sfab_fabric *f)
{
	struct sfab_snapshot *s = sfab_snapshot_take(f, NULL, &unit_err);
	uint64_t fingerprint;

	unit_must(s != NULL);
	unit_forget(f);
	fingerprint = s->fingerprint;
	sfab_snapshot_destroy(s);
	return fingerprint;
}

LOOP_TEST(one_fabric_stays_what_it_is, N(shapes))
{
	struct sfab_fabric *f = unit_fabric(&shapes[_i]), *again;
	const struct sfab_fabric *const one[] = { f };
	const char *const name[] = { "a" };

	/* names are part of the content: those of a fabric that has none */
	for (uint32_t i = 0; i < f->nplanes; i++)
		if (!*f->planes[i].name)
			((struct sfab_plane *) f->planes)[i].name =
				f->nplanes > 1 ? i ? "a.2" : "a.1" : "a";
	again = sfab_fabric_merge(one, name, 1, &unit_err);
	unit_must(again != NULL);
	ck_assert_uint_eq(again->adaptive, f->adaptive);
	ck_assert_uint_eq(fingerprint_of(again), fingerprint_of(f));
}

/* Another fabric of the same hosts: all GUIDs are others. */
static struct sfab_fabric *other(const struct clos *shape)
{
	struct sfab_fabric *f = unit_fabric(shape);

	for (uint32_t i = 0; i < f->nswitches; i++)
		((struct sfab_switch *) f->switches)[i].guid += 0x100000;
	for (uint32_t i = 0; i < f->nports; i++) {
		((struct sfab_port *) f->ports)[i].guid += 0x100000;
		((struct sfab_port *) f->ports)[i].node_guid += 0x100000;
	}
	return f;
}

TEST(hosts_get_a_port_in_each)
{
	static const struct clos small = { .leaves = 2, .spines = 1, .hosts = 3 };
	struct sfab_fabric *a = unit_fabric(&shapes[1]), *b = other(&small);
	const struct sfab_fabric *const both[] = { a, b };
	const char *const name[] = { "mpi", "storage" };
	struct sfab_fabric *all;
	uint32_t host;

	((struct sfab_plane *) a->planes)[0].name = "";
	((struct sfab_plane *) b->planes)[0].name = "";
	((struct sfab_fabric *) a)->time = 200;
	((struct sfab_fabric *) b)->time = 100;
	sfab_fabric_set_role(b, sfab_fabric_host(b, "n6"), SFAB_HOST_OTHER);
	all = sfab_fabric_merge(both, name, 2, &unit_err);
	unit_must(all != NULL);
	ck_assert_uint_eq(all->nplanes, 2);
	ck_assert_str_eq(all->planes[0].name, "mpi");
	ck_assert_str_eq(all->planes[1].name, "storage");
	ck_assert_uint_eq(all->nhosts, 12);
	ck_assert_uint_eq(all->nports, 12 + 6);
	ck_assert_uint_eq(all->nswitches, a->nswitches + b->nswitches);
	ck_assert_uint_eq(all->nlinks, a->nlinks + b->nlinks);
	ck_assert_uint_eq(all->time, 100);
	host = sfab_fabric_host(all, "n1");
	ck_assert_uint_eq(all->hosts[host].nports, 2);
	ck_assert_uint_eq(all->ports[all->hosts[host].port0].plane, 0);
	ck_assert_uint_eq(all->ports[all->hosts[host].port0 + 1].plane, 1);
	host = sfab_fabric_host(all, "n12");
	ck_assert_uint_eq(all->hosts[host].nports, 1);
	host = sfab_fabric_host(all, "n6");
	ck_assert_int_eq(all->hosts[host].role, SFAB_HOST_OTHER);
	sfab_fabric_destroy(all);
}

TEST(the_same_fabric_twice_is_refused)
{
	struct sfab_fabric *a = unit_small_fabric(), *b = unit_small_fabric();
	const struct sfab_fabric *const both[] = { a, b };
	const char *const name[] = { "mpi", "storage" };

	ck_assert_ptr_null(sfab_fabric_merge(both, name, 2, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	ck_assert_ptr_nonnull(strstr(unit_err.text, "in fabric mpi and in fabric "
				     "storage"));
}

UNIT_MAIN("merge")
