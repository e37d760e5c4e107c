/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_memory_io.c - what slurmctld reads, without memory at each allocation in turn: an error
 * or the whole result, never a crash or a leak (sanitizers)
 */

#include <unistd.h>

#include "io/conf/conf.h"
#include "io/conf/conf_guess.h"
#include "io/hostlist.h"
#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/snapshots.h"
#include "tests/unit/fixtures/unit.h"

static struct sfab_snapshot *snapshot;
static struct file file;
static struct sfab_conf *conf;

/* Check would allocate: what is wrong becomes an error that is not ENOMEM. */
static int wrong(struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EINVAL, "neither an error nor the result");
}

static int expand(struct sfab_err *err)
{
	struct sfab_names names;

	if (sfab_hostlist_expand("n[001-070],io1", &names, err) < 0)
		return names.name ? wrong(err) : -1;
	sfab_names_free(&names);
	return 0;
}

static int fold(struct sfab_err *err)
{
	const char *const names[] = { "n2", "n1", "io1" };
	char *list = sfab_hostlist_fold(names, 3);
	int same = list && strcmp(list, "io1,n[1-2]") == 0;

	free(list);
	if (!list)
		return sfab_fail(err, SFAB_ENOMEM, "fold");
	return same ? 0 : wrong(err);
}

static int parse(struct sfab_err *err)
{
	static const char text[] =
		"Mode=on PartitionMode=a:on,b:off Snapshot=/a\n"
		"Weights=own:1 DefaultTraffic=mpi Adaptive=split\n"
		"IoSet=s Hosts=n[1-2] GBs=1\n"
		"IoSet=g Hosts=n1,n3 Map=group Groups=n2:n1;n4:n3\n";
	struct sfab_conf *c = sfab_conf_parse(text, strlen(text), "c", err);

	sfab_conf_destroy(c);
	return c ? 0 : -1;
}

static int make_iosets(struct sfab_err *err)
{
	struct sfab_iosets *io = sfab_conf_iosets(conf, snapshot->fabric, NULL, NULL, err);

	sfab_iosets_destroy(io);
	return io ? 0 : -1;
}

static int find_servers(struct sfab_err *err)
{
	static const char text[] = "IoSet=auto\nRole=io:n1\n";
	struct sfab_conf *c = sfab_conf_parse(text, strlen(text), "c", err);
	const struct sfab_io_facts facts = { .nodes = "n[2-4]" };
	struct sfab_iosets *io = c ? sfab_conf_iosets(c, snapshot->fabric, &facts,
						      NULL, err) : NULL;
	int same = io && io->nsets == 1;

	sfab_iosets_destroy(io);
	sfab_conf_destroy(c);
	if (!io)
		return -1;
	return same ? 0 : wrong(err);
}

static int encode(struct sfab_err *err)
{
	struct file again;
	int same;

	if (sfab_snapshot_encode(snapshot, &again.buf, &again.size, err) < 0)
		return -1;
	same = again.size == file.size &&
	       memcmp(again.buf, file.buf, file.size) == 0;
	free(again.buf);
	return same ? 0 : wrong(err);
}

static int decode(struct sfab_err *err)
{
	struct sfab_snapshot *s = sfab_snapshot_decode(file.buf, file.size,
						       err);
	int same = s && s->fingerprint == snapshot->fingerprint;

	sfab_snapshot_destroy(s);
	if (!s)
		return -1;
	return same ? 0 : wrong(err);
}

static int save_and_load(struct sfab_err *err)
{
	char path[] = "/tmp/sfab-memory-XXXXXX";
	struct sfab_snapshot *s = NULL;
	int fd = mkstemp(path);

	if (fd < 0)
		return wrong(err);
	close(fd);
	if (sfab_snapshot_save(snapshot, path, 0644, err) == 0)
		s = sfab_snapshot_load(path, NULL, err);
	unlink(path);
	sfab_snapshot_destroy(s);
	return s ? 0 : -1;
}

static const struct {
	int (*run)(struct sfab_err *err);
	int failures;		/* at least so many allocations to lose */
} operations[] = {
	{ expand, 70 },	    { fold, 1 },	 { parse, 30 },
	{ make_iosets, 20 }, { find_servers, 20 }, { encode, 15 },	 { decode, 30 },
	{ save_and_load, 40 },
};

LOOP_TEST(each_allocation_fails_once, N(operations))
{
	int failures = 0, reached = 1, status;

	snapshot = unit_snapshot(&snapshot_shapes[NSHAPES - 1]);
	file = encode_snapshot(snapshot);
	conf = sfab_conf_parse("IoSet=g Hosts=n1 Map=group Groups=n2:n1", 39,
			       "c", NULL);
	ck_assert_ptr_nonnull(conf);
	for (long i = 0; reached; i++) {
		struct sfab_err err = { 0 };

		allocations_left = i;
		status = operations[_i].run(&err);
		reached = allocations_left < 0;
		allocations_left = -1;
		ck_assert_msg(status == 0 || err.code == SFAB_ENOMEM, "%s",
			      err.text);
		failures += status < 0;
	}
	ck_assert_int_ge(failures, operations[_i].failures);
	sfab_conf_destroy(conf);
	free(file.buf);
}

UNIT_MAIN("memory_io")
