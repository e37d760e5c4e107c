/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots.c - snapshots to write, read and damage; see snapshots.h */

#include "tests/unit/snapshots.h"

#include <check.h>

#include "core/ioset.h"

const struct made snapshot_shapes[NSHAPES] = {
	{ .leaves = 2, .spines = 2, .hosts = 2 },
	{ .leaves = 1, .spines = 1, .hosts = 4 },
	{ .leaves = 3, .spines = 2, .hosts = 3, .planes = 2 },
	{ .leaves = 3, .spines = 4, .hosts = 2, .lmc = 1 },
	{ .leaves = 2, .spines = 3, .hosts = 3, .planes = 2, .lmc = 2 },
	{ .leaves = 3, .spines = 3, .hosts = 2, .grouped = 1 },
	{ .leaves = 2, .spines = 2, .hosts = 3, .planes = 2, .lmc = 1,
	  .grouped = 1 },
};

static struct sfab_iosets *every_map(const struct sfab_fabric *f)
{
	static const char *const hosts[] = { "n1", "n3" };
	static const char *const clients[] = { "n2", "n4" };
	static const uint32_t group[] = { 0, 1 };
	const struct sfab_ioset_spec specs[] = {
		{ .name = "all", .nhosts = 2, .host = hosts, .capacity = 1e9 },
		{ .name = "near", .map = SFAB_IOMAP_NEAREST, .nhosts = 1,
		  .host = hosts },
		{ .name = "group", .map = SFAB_IOMAP_GROUP, .nhosts = 2,
		  .host = hosts, .host_group = group, .nclients = 2,
		  .client = clients, .client_group = group },
	};
	struct sfab_err err = { 0 };
	struct sfab_iosets *io = sfab_iosets_create(f, specs, 3, &err);

	ck_assert_msg(io != NULL, "%s", err.text);
	return io;
}

struct sfab_snapshot *take_snapshot(struct sfab_fabric *f,
				    struct sfab_iosets *io)
{
	struct sfab_err err = { 0 };
	struct sfab_snapshot *s = sfab_snapshot_take(f, io, &err);

	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}

struct sfab_snapshot *made_snapshot(const struct made *m)
{
	struct sfab_fabric *f = made_fabric(m);

	return take_snapshot(f, every_map(f));
}

struct sfab_snapshot *odd_snapshot(void)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_fabric *f;
	struct sfab_err err = { 0 };
	uint8_t table[] = { SFAB_PORT_NONE, 1, 2, 3 };

	sfab_builder_plane(b, "", NULL);
	sfab_builder_engine(b, 0, "ftree");
	sfab_builder_asked(b, 0, "ftree,updn");
	sfab_builder_sm(b, 0, 0xFFFFFFFFFFFFFFFF);
	sfab_builder_source(b, "odd \xC3\xB6\x1B[0m");
	sfab_builder_time(b, 0xFFFFFFFFFFFFFFFE);
	sfab_builder_adaptive(b);
	sfab_builder_switch(b, 0, 1, "s \"1\"", 254, 0, NULL);
	sfab_builder_switch(b, 0, 2, "", 1, 0, NULL);
	sfab_builder_port(b, 0, 10, 1, 11, "a x", NULL, 1, 0, NULL);
	sfab_builder_port(b, 0, 20, 1, 21, "b y", NULL, 2, 1, NULL);
	sfab_builder_port(b, 0, 30, 2, 31, "lonely", NULL, 0, 0, NULL);
	sfab_builder_link(b, 0, 1, 1, 10, 1, SFAB_CAPACITY_MIN, 1, NULL);
	sfab_builder_link(b, 0, 10, 1, 1, 1, SFAB_CAPACITY_MIN, 1, NULL);
	sfab_builder_link(b, 0, 1, 254, 20, 1, SFAB_CAPACITY_MAX, 0, NULL);
	sfab_builder_link(b, 0, 20, 1, 1, 254, SFAB_CAPACITY_MAX, 0, NULL);
	sfab_builder_lft(b, 0, 1, 0, table, 3, NULL);
	f = sfab_builder_freeze(b, &err);
	ck_assert_msg(f != NULL, "%s", err.text);
	sfab_builder_destroy(b);
	return take_snapshot(f, NULL);
}

struct file encode_snapshot(const struct sfab_snapshot *s)
{
	struct file f;
	struct sfab_err err = { 0 };

	ck_assert_msg(sfab_snapshot_encode(s, &f.buf, &f.size, &err) == 0, "%s",
		      err.text);
	return f;
}
