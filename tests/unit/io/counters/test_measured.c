/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_measured.c - measured load against what jobs explain, worked out by hand
 *
 * Fabric: leaf1 n1 n2, leaf2 n3 n4, two spines, 4 GB/s links; half-life 60 s.  Job 1: n1 n3,
 * mpi=0.5: 2 GB/s each way between the leaves.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/load/jobs_private.h"
#include "core/load/measured.h"
#include "io/counters/counters.h"
#include "tests/unit/fixtures/fabrics.h"

#define NOW 1000000u
#define G 1e9

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_measured *ms;
static uint32_t up;	/* the link of leaf1 that job 1 loads most */

static void set_up(void)
{
	f = unit_small_fabric();
	io = unit_servers(f, "io", "n4", 0);
	m = unit_model(f, io);
	js = unit_jobs(m);
	ms = sfab_measured_create(f);
	ck_assert(io && m && js && ms);
}

static void tear_down(void)
{
	sfab_measured_destroy(ms);
}

static void start_job(uint64_t start_s)
{
	static const uint32_t hosts[] = { 0, 2 };
	struct sfab_traffic t = unit_traffic("mpi=0.5");
	struct sfab_job s = { .n = 2, .host = hosts, .traffic = &t };

	ck_assert_int_eq(sfab_jobs_add(js, 1, &s, NULL), 0);
	sfab_jobs_set_start(js, 1, start_s);
	for (uint32_t e = 0; e < f->nlinks; e++)
		if (f->links[e].kind == SFAB_LINK_ISL &&
		    sfab_jobs_background(js)[e] == 2 * G &&
		    f->switches[f->links[e].from].leaf != SFAB_NONE)
			up = e;
}

static void see(uint32_t link, double rate, double wait, uint64_t time_s)
{
	ms->rate[link] = rate;
	ms->wait[link] = wait;
	ms->time_s[link] = time_s;
}

/* A job of 2 GB/s by its start and end; a mean at NOW - 10; B at NOW. */
static const struct {
	const char *name;
	int64_t start, end;	/* before NOW; end -1: runs */
	double rate;		/* GB/s */
	int64_t age;		/* of the sample */
	double expect;		/* GB/s of B */
} vector[] = {
	{ "all is explained", 100000, -1, 2.0, 10, 2.0 },
	{ "more than that is not", 100000, -1, 3.0, 10, 3.0 },
	{ "less than the model says is no debt", 100000, -1, 0.5, 10, 2.0 },
	{ "one percent of 4 GB/s is noise", 100000, -1, 2.03, 10, 2.0 },
	{ "it began after the sample: explains nothing", 5, -1, 1.0, 10, 3.0 },
	{ "a half-life before it: half", 70, -1, 1.0, 10, 2.0 },
	{ "a half-life before it, other load besides", 70, -1, 2.5, 10, 3.5 },
	{ "it ended at the sample: all is its own", 100000, 10, 2.0, 10, 0.0 },
	{ "it ended a half-life before: half is its own", 100000, 70, 1.0, 10, 0.0 },
	{ "the rest is not", 100000, 70, 1.5, 10, 0.5 },
	{ "samples stopped: still fresh", 100000, -1, 3.0, 300, 3.0 },
	{ "a second more: half", 100000, -1, 3.0, 301, 2.5 },
	{ "two half-lives more: a quarter", 100000, -1, 3.0, 420, 2.25 },
	{ "long ago: nothing", 100000, -1, 3.0, 900, 2.0 },
	{ "not known", 100000, -1, -1.0, 10, 2.0 },
};

LOOP_TEST(background_is_the_model_and_the_rest, N(vector))
{
	start_job((uint64_t) (NOW - vector[_i].start));
	if (vector[_i].end >= 0)
		sfab_jobs_end(js, 1, (uint64_t) (NOW - vector[_i].end));
	see(up, vector[_i].rate * G, -1, (uint64_t) (NOW - vector[_i].age));
	sfab_measured_apply(ms, js, NOW);
	ck_assert_msg(sfab_jobs_background(js)[up] == vector[_i].expect * G,
		      "%s: %g GB/s, expected %g", vector[_i].name,
		      sfab_jobs_background(js)[up] / G, vector[_i].expect);
}

TEST(without_samples_only_the_model_counts)
{
	start_job(1);
	see(up, 3 * G, 0.5, NOW);
	sfab_measured_apply(ms, js, NOW);
	ck_assert_double_eq(js->wait_share[up], 0.5);
	sfab_measured_apply(NULL, js, NOW);
	ck_assert_double_eq(sfab_jobs_background(js)[up], 2 * G);
	ck_assert_double_eq(js->wait_share[up], 0);
	sfab_jobs_remove(js, 1);	/* and nothing is remembered */
	ck_assert_uint_eq(sfab_jobs_count(js), 0);
	sfab_measured_apply(ms, js, NOW);
	ck_assert_double_eq(sfab_jobs_background(js)[up], 3 * G);
}

TEST(weights_change_at_the_predicted_times)
{
	double weight = 1;
	uint64_t next;

	see(up, 1, 0, NOW);
	next = sfab_measured_next_change(ms, NOW);
	for (uint64_t t = NOW; t < NOW + 1000; t++) {
		double w = sfab_measured_weight(ms, NOW, t);

		ck_assert_msg((w != weight) == (t == next), "at +%u",
			      (unsigned) (t - NOW));
		if (t == next)
			next = sfab_measured_next_change(ms, t);
		weight = w;
	}
	ck_assert_uint_eq(next, UINT64_MAX);
	ck_assert_double_eq(weight, 0);
}

/* What a server's links carry beyond the jobs is on the server, too. */
TEST(io_ports_carry_what_their_links_carry)
{
	const struct sfab_port *p = &f->ports[io->ioport[0]];

	see(p->inject, 1 * G, -1, NOW);
	see(p->eject, 2 * G, -1, NOW);
	sfab_measured_apply(ms, js, NOW);
	ck_assert_double_eq(sfab_jobs_background(js)[f->nlinks], 3 * G);
}

static uint32_t link_to(uint32_t sw, enum sfab_link_kind kind)
{
	for (uint32_t p = 1; p <= f->switches[sw].nports; p++)
		if (f->switches[sw].out[p] != SFAB_NONE &&
		    f->links[f->switches[sw].out[p]].kind == kind)
			return f->switches[sw].out[p];
	return SFAB_NONE;
}

TEST(a_full_host_port_is_no_bottleneck_of_the_fabric)
{
	uint32_t inject = f->ports[0].inject, leaf = f->ports[0].sw;
	uint32_t isl = link_to(leaf, SFAB_LINK_ISL);

	see(inject, 3.9 * G, 0.8, NOW);		/* the HCA is full */
	see(isl, 1 * G, 0.01, NOW);		/* the switch is quiet */
	sfab_measured_apply(ms, js, NOW);
	ck_assert_int_eq(sfab_measured_bottleneck(ms, inject), SFAB_BOTTLENECK_HOST);
	ck_assert_int_eq(sfab_measured_bottleneck(ms, isl), SFAB_BOTTLENECK_NONE);
	ck_assert_double_eq(js->wait_share[inject], 0);
	ck_assert_double_eq(js->wait_share[isl], 0.01);

	see(isl, 3.9 * G, 0.7, NOW);		/* now it is the fabric */
	sfab_measured_apply(ms, js, NOW);
	ck_assert_int_eq(sfab_measured_bottleneck(ms, inject), SFAB_BOTTLENECK_FABRIC);
	ck_assert_int_eq(sfab_measured_bottleneck(ms, isl), SFAB_BOTTLENECK_FABRIC);
	ck_assert_double_eq(js->wait_share[inject], 0.8);

	see(f->ports[0].eject, 1 * G, 0.9, NOW);	/* a host that does not take */
	ck_assert_int_eq(sfab_measured_bottleneck(ms, f->ports[0].eject),
			 SFAB_BOTTLENECK_HOST);
}

/* Rows by port, from one end or the other, and one of a foreign port. */
TEST(counters_find_their_links)
{
	struct sfab_counters *c = sfab_counters_create(4);
	struct sfab_measured *got;
	uint32_t isl = link_to(f->ports[0].sw, SFAB_LINK_ISL), unknown;
	const struct sfab_link *l = &f->links[isl];

	c->row[0] = (struct sfab_counter) { .guid = sfab_link_from_guid(f, isl),
		.port = l->from_port, .xmit_rate = 1 * G, .rcv_rate = 2 * G,
		.wait_share = 0.25, .time_ms = 5500 };
	c->row[1] = (struct sfab_counter) { .guid = f->ports[0].node_guid,
		.port = f->ports[0].num, .xmit_rate = 3 * G, .time_ms = 7000,
		.flags = SFAB_COUNTER_NO_WAIT };
	c->row[2] = (struct sfab_counter) { .guid = 42, .port = 1 };
	c->row[3] = (struct sfab_counter) { .guid = f->ports[1].node_guid,
		.port = f->ports[1].num,
		.flags = SFAB_COUNTER_NO_RATE | SFAB_COUNTER_NO_WAIT };
	ck_assert_int_eq(sfab_counters_sort(c, NULL), 0);
	got = sfab_counters_measure(c, f, &unknown);
	ck_assert_uint_eq(unknown, 1);
	ck_assert_double_eq(got->rate[isl], 1 * G);
	ck_assert_double_eq(got->wait[isl], 0.25);
	ck_assert_uint_eq(got->time_s[isl], 5);
	ck_assert_double_eq(got->rate[f->ports[0].inject], 3 * G);
	ck_assert_double_eq(got->wait[f->ports[0].inject], -1);
	ck_assert_double_eq(got->rate[f->ports[1].inject], -1);
	/* the way back: only the receiver was read */
	for (uint32_t e = 0; e < f->nlinks; e++)
		if (f->links[e].kind == SFAB_LINK_ISL && f->links[e].to == l->from &&
		    f->links[e].to_port == l->from_port)
			ck_assert_double_eq(got->rate[e], 2 * G);
	sfab_measured_destroy(got);
	sfab_counters_destroy(c);
}

UNIT_MAIN_WITH("measured", set_up, tear_down)
