/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_loader_conf.c - the loader: sfabric.conf and the files that it names. */

#include "tests/unit/fixtures/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/snapshot/alive.h"
#include "tests/unit/fixtures/loader_files.h"
#include "tests/unit/fixtures/service.h"
#include "tests/unit/fixtures/snapshots.h"

static struct loader_files f;

TEST(a_bad_conf_leaves_the_last_good_one)
{
	loader_files_start_with(&f, "");
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	loader_files_take(&f);
	loader_files_write_conf(&f, "Nonsense=1\n");
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	ck_assert_int_eq(service_log_count("sfabric.conf:3: "), 1);
	ck_assert_uint_eq(loader_files_take(&f), 0);
	/* a new one is used with the old conf */
	loader_files_write_snapshot(&f, &loader_files_shape);
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	ck_assert_uint_ne(loader_files_take(&f), 0);
}

TEST(a_new_conf_makes_a_new_generation)
{
	struct sfab_generation *gen;

	loader_files_start_with(&f, "");
	loader_files_look(&f);
	ck_assert_uint_ne(loader_files_take(&f), 0);
	loader_files_write_conf(&f, "PartitionMode=a:off\n");
	loader_files_look(&f);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_int_eq(sfab_conf_mode(gen->conf, "a"), SFAB_MODE_OFF);
	sfab_handoff_retire(&f.handoff, gen);
}

TEST(a_changed_mode_is_logged)
{
	loader_files_start(&f);
	loader_files_write_conf(&f, "");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("mode is on\n"), 1);
	loader_files_write_conf(&f, "PartitionMode=a:off,b:on\n");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("mode of partition a is now off\n"), 1);
	ck_assert_int_eq(service_log_count("partition b"), 0);
	loader_files_write_conf(&f, "# the same\nPartitionMode=a:off\n");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("mode "), 2);
	loader_files_write_conf(&f, "");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("mode of partition a is now on\n"), 1);
}

TEST(a_script_is_read_with_the_conf_and_when_it_changes)
{
	const char *script = loader_files_start_script(&f);
	struct sfab_generation *gen;

	loader_files_look(&f);			/* there is none yet: go on without */
	ck_assert_int_eq(service_log_count("sfabric.lua: "), 1);
	unit_write(script, "return { nonsense = 1 }");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("sfabric.lua:1: the script's table"), 1);
	ck_assert_int_eq(service_log_count("is now in use"), 0);
	unit_write(script, "return {}");
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("the script that Policy names is now in use"), 1);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_ptr_nonnull(gen->shared->view.script);
	sfab_handoff_retire(&f.handoff, gen);
	ck_assert_int_eq(chmod(script, 0666), 0);
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("writable"), 1);
}

TEST(io_servers_that_are_down_are_one_line)
{
	loader_files_start_with(&f, "IoSet=fs Hosts=gone[1-2]\n");
	ck_assert_int_eq(loader_files_look(&f), SFAB_FOREVER);
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("2 hosts of IoSet lines"), 1);
}

/* The snapshot of a collector that took n5 and n9 for servers. */
static void found_snapshot(void)
{
	struct sfab_fabric *fabric = unit_fabric(&service_shape);
	struct sfab_iosets *io = unit_servers(fabric, "auto", "n5 n9", 0);
	struct sfab_snapshot *s = take_snapshot(fabric, io);

	ck_assert_int_eq(sfab_snapshot_save(s, f.snap, 0644, NULL), 0);
}

/* IO ports of the newest generation. */
static uint32_t ports_loaded(void)
{
	struct sfab_generation *gen;
	uint32_t n;

	loader_files_look(&f);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	n = gen->io->nioports;
	sfab_handoff_retire(&f.handoff, gen);
	return n;
}

/* slurmctld's nodes come after the snapshot, and may change. */
TEST(a_node_leaves_the_servers_that_were_found)
{
	struct sfab_place_node node[] = { { .name = "n1" }, { .name = "n5" }, { .name = NULL } };
	struct sfab_nodes nodes = { .n = 0 };

	loader_files_start(&f);
	loader_files_write_conf(&f, "IoSet=auto\n");
	found_snapshot();
	ck_assert_uint_eq(ports_loaded(), 2);
	for (uint32_t n = 1; n <= 2; n++) {
		ck_assert_int_eq(sfab_nodes_set(&nodes, node, n), 0);
		sfab_event_queue_push(&f.queue, &(struct sfab_event){
			.serial = n, .nodes = &nodes });
		ck_assert_uint_eq(ports_loaded(), 3 - n);
	}
	sfab_nodes_clear(&nodes);
}

/* A second fabric of the same hosts beside the first, in a folder of its own. */
static uint64_t write_second(const char *path)
{
	struct sfab_snapshot *s = service_snapshot(&loader_files_shape);
	struct sfab_fabric *fabric = s->fabric;
	uint64_t fingerprint;

	for (uint32_t i = 0; i < fabric->nports; i++)
		((struct sfab_port *) fabric->ports)[i].guid += 0x100000;
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0644, NULL), 0);
	sfab_snapshot_destroy(s);
	s = sfab_snapshot_load(path, NULL, NULL);	/* what is in it now */
	fingerprint = s->fingerprint;
	sfab_snapshot_destroy(s);
	return fingerprint;
}

TEST(several_fabrics_are_one_generation)
{
	struct sfab_alive word;
	const char *second;
	char more[700];
	uint64_t first, fingerprint;
	struct sfab_generation *gen;

	loader_files_start(&f);
	second = unit_path("second/fabric.snap");
	ck_assert_int_eq(mkdir(unit_path("second"), 0700), 0);
	first = loader_files_write_snapshot(&f, &service_shape);
	fingerprint = write_second(second);
	snprintf(more, sizeof(more), "Fabric=mpi:%s,io:%s\nMaxSnapshotAge=60\n",
		 f.snap, second);
	loader_files_write_conf(&f, more);
	ck_assert_int_eq(loader_files_look(&f), 0);		/* nobody confirms them */
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert_ptr_nonnull(gen);
	ck_assert_uint_eq(gen->f->nplanes, 2);
	sfab_handoff_retire(&f.handoff, gen);
	loader_files_write_alive(&f, first, f.now);
	ck_assert_int_eq(loader_files_look(&f), 0);		/* only one of them is */
	word = (struct sfab_alive){ fingerprint, 0, (uint64_t) f.now - 10, 0, 0 };
	ck_assert_int_eq(sfab_alive_save(&word, unit_path("second/fabric.alive"), 0644, NULL), 0);
	ck_assert_int_eq(loader_files_look(&f), f.now - 10 + 60);
	unlink(second);				/* the last good one stays */
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("second/fabric.snap: "), 1);
}

/* counters.snap with one port of the fabric: a host's, and one of nobody. */
static void write_counters(const char *path, const struct sfab_fabric *fabric,
			   double rate, int64_t time_s)
{
	const struct sfab_counter row[] = {
		{ .guid = fabric->ports[0].node_guid, .port = fabric->ports[0].num,
		  .xmit_rate = rate, .time_ms = 1000 * (uint64_t) time_s },
		{ .guid = 7, .port = 7 },
	};

	service_counters(path, row, N(row));
}

/* Load of that port in the generation that was published; -2: none was. */
static double load(void)
{
	struct sfab_generation *gen = sfab_handoff_adopt(&f.handoff);
	double load = -2;

	if (!gen)
		return load;
	load = sfab_jobs_background(gen->jobs)[gen->f->ports[0].inject];
	sfab_handoff_retire(&f.handoff, gen);
	return load;
}

/* A snapshot, and the path of counters that are not there yet. */
static const char *make_counters_file(void)
{
	const char *path = unit_path("counters.snap");
	char line[300];

	snprintf(line, sizeof(line), "Counters=%s\n", path);
	loader_files_start_with(&f, line);
	return path;
}

TEST(counters_go_with_a_generation)
{
	struct sfab_snapshot *s = service_snapshot(&service_shape);
	const char *path = make_counters_file();

	loader_files_look(&f);			/* none there: no trouble */
	ck_assert_double_eq(load(), 0);
	ck_assert_int_eq(service_log_count("counters.snap"), 0);

	write_counters(path, s->fabric, 1e9, f.now);
	loader_files_look(&f);
	ck_assert_double_eq(load(), 1e9);
	ck_assert_int_eq(service_log_count("1 of 2 ports are not in the snapshot"), 1);
	loader_files_look(&f);
	ck_assert_double_eq(load(), -2);	/* nothing new */
	f.now += SFAB_MEASURED_FRESH_S + 1;
	loader_files_look(&f);
	ck_assert_double_eq(load(), 5e8);	/* but older */

	unit_write(path, "nonsense");
	loader_files_look(&f);
	loader_files_look(&f);
	ck_assert_int_eq(service_log_count("not a file of counters"), 1);
	ck_assert_double_eq(load(), -2);

	write_counters(path, s->fabric, 2e9, f.now);
	loader_files_write_snapshot(&f, &loader_files_shape);	/* in one look: both are new */
	loader_files_look(&f);
	ck_assert_double_eq(load(), 2e9);
	loader_files_look(&f);
	ck_assert_double_eq(load(), -2);

	unlink(path);
	loader_files_look(&f);
	ck_assert_double_eq(load(), 0);
	sfab_snapshot_destroy(s);
}

/* The same with a link between switches, which is full or not; its hours so far. */
static double full_hours(const char *path, double fill)
{
	struct sfab_snapshot *s = service_snapshot(&service_shape);
	struct sfab_generation *gen;
	uint32_t e = 0;
	double hours;

	while (s->fabric->links[e].kind != SFAB_LINK_ISL)
		e++;
	service_counters(path, &(struct sfab_counter) {
		.guid = sfab_link_from_guid(s->fabric, e),
		.port = s->fabric->links[e].from_port, .time_ms = 1000 * (uint64_t) f.now,
		.xmit_rate = fill * s->fabric->links[e].capacity }, 1);
	sfab_snapshot_destroy(s);
	loader_files_look(&f);
	gen = sfab_handoff_adopt(&f.handoff);
	ck_assert(gen && gen->measured);
	hours = gen->full_hours;
	sfab_handoff_retire(&f.handoff, gen);
	return hours;
}

TEST(hours_of_full_links_add_up)
{
	const char *path = make_counters_file();

	ck_assert_double_eq(full_hours(path, 1), 0);	/* since when? */
	f.now += 90;
	ck_assert_double_eq_tol(full_hours(path, 1), 0.025, 1e-9);
	f.now += 90;
	ck_assert_double_eq_tol(full_hours(path, 0.89), 0.025, 1e-9);
	f.now += 2 * SFAB_MEASURED_FRESH_S;	/* nobody looked meanwhile */
	ck_assert_double_eq_tol(full_hours(path, 1), 0.025, 1e-9);
	f.now += 180;
	ck_assert_double_eq_tol(full_hours(path, 0.91), 0.075, 1e-9);
}

UNIT_MAIN("place loader conf")
