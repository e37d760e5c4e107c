/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_learner.c - from samples of rates to found traffic and history: jobs begin, run and end
 *
 * Fabric: 4 leaves of 6 hosts, 3 spines; the sixth host of leaves 2 to 4 is a server.
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>

#include "core/load/demand.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tools/learn/learner.h"
#include "tools/ui/xalloc.h"

#define T0 1700000000u
#define HALF_LIFE 60

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_measured *ms;
static struct learner *l;

static void set_up(void)
{
	static const struct clos shape = { .leaves = 4, .spines = 3, .hosts = 6 };

	f = unit_fabric(&shape);
	io = unit_servers(f, "fs", "n12 n18 n24", 0);
	m = unit_model(f, io);
	ms = sfab_measured_create(f);
	ck_assert(io && m && ms);
	ms->half_life_s = HALF_LIFE;
	l = learner_create(sfab_history_create(1), NULL);
}

static void tear_down(void)
{
	learner_destroy(l);
	sfab_measured_destroy(ms);
}

/*
 * A job that has sent the same since it began, on average.  The writer's hosts can send 4/3 of
 * what the servers take, and half of that passes the uplink of the two on one leaf: so it asks
 * for .4 x 4/3 x 3/2 = .8 of its time here, which is .727 of an ideal fabric's.
 */
struct run {
	uint32_t id;
	const char *name, *nodes[4], *sends;
	uint64_t start_s;
};

static const struct run writer = { 7, "write_01", { "n1", "n2", "n7", "n13" },
				   "io-write=0.4", T0 };
static const struct run talker = { 8, "talk", { "n3", "n8", "n9", "n19" }, "mpi=0.3", T0 };

static struct learner_job make_job(const struct run *r)
{
	struct learner_job job = { .id = r->id, .start_s = r->start_s, .n = 4, .user = 5,
				   .name = xstrdup(r->name), .account = xstrdup("acc"),
				   .partition = xstrdup("part") };

	job.host = xcalloc(4, sizeof(*job.host));
	for (int i = 0; i < 4; i++)
		job.host[i] = sfab_fabric_host(f, r->nodes[i]);
	return job;
}

static void add_rates(const struct run *r, double part)
{
	struct learner_job job = make_job(r);
	struct sfab_traffic t;
	struct sfab_job spec = { .n = 4, .host = job.host, .traffic = &t };
	struct sfab_load load;

	ck_assert_int_eq(sfab_traffic_parse(r->sends, NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_load_init(&load, m->nres), 0);
	ck_assert_int_eq(sfab_demand(m, &spec, &load, NULL), 0);
	for (uint32_t e = 0; e < f->nlinks; e++)
		ms->rate[e] += part * load.v[e];
	sfab_load_free(&load);
	learner_job_free(&job);
}

/*
 * A sample at T0 + @after_s.  The rates are means of the runs with a bit of @sending; jobs with
 * a bit of @running are listed.
 */
static void sample_of(const struct run *const *run, uint32_t n, unsigned sending,
		      unsigned running, uint32_t after_s)
{
	struct learner_job *job = xcalloc(n + 1u, sizeof(*job));
	uint32_t njobs = 0;

	for (uint32_t e = 0; e < f->nlinks; e++) {
		ms->rate[e] = 0;
		ms->time_s[e] = T0 + after_s;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t s = T0 + after_s - run[i]->start_s;

		if (sending >> i & 1)
			add_rates(run[i], 1 - exp2(-(double) s / HALF_LIFE));
		if (running >> i & 1)
			job[njobs++] = make_job(run[i]);
	}
	ck_assert_msg(!learner_sample(l, m, ms, 1, job, njobs, T0 + after_s, &unit_err), "%s",
		      unit_err.text);
}

static void sample(const struct run *r, unsigned running, uint32_t after_s)
{
	sample_of(&r, 1, running, running, after_s);
}

static void check_found(uint32_t id, const char *text, double within)
{
	const struct sfab_found_job *j = sfab_found_job(l->found, id);
	struct sfab_traffic want;
	double x[SFAB_NCLASSES] = { 0 };

	ck_assert_ptr_nonnull(j);
	ck_assert_int_eq(sfab_traffic_parse(text, NULL, &want, NULL), 0);
	for (uint32_t i = 0; i < want.nparts; i++)
		x[want.part[i].class] += want.part[i].share;
	for (uint32_t i = 0; i < j->latest.nparts; i++)
		x[j->latest.part[i].class] -= j->latest.part[i].share;
	for (int c = 0; c < SFAB_NCLASSES; c++)
		ck_assert_msg(fabs(x[c]) <= within, "job %u, class %d: off by %g", id, c, x[c]);
}

TEST(a_job_is_found_while_its_mean_grows)
{
	static const struct run *const both[] = { &writer, &talker };

	sample_of(both, 2, 3, 3, 10);		/* a tenth of its load: too little */
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 0);
	sample_of(both, 2, 3, 3, 40);
	check_found(7, "io-write=0.727", 0.01);
	ck_assert(sfab_found_job(l->found, 7)->confidence < 0.8);
	sample_of(both, 2, 3, 3, 70);
	check_found(7, "io-write=0.727", 0.01);
	check_found(8, "mpi=0.315", 0.01);
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 2);
	ck_assert(sfab_found_is_usable(l->found, sfab_found_job(l->found, 7),
				       T0 + 100));
}

/* Jobs of an array that begin and end between samples: ended ones are kept for a while. */
TEST(a_job_is_learned_beside_very_many_short_ones)
{
	const uint32_t many = SFAB_ESTIMATE_JOBS_MAX + 1000;
	uint32_t id = 100;

	for (uint32_t k = 1; k <= 4; k++) {
		struct learner_job *job = xcalloc(many + 1, sizeof(*job));
		struct sfab_err err = { 0 };
		uint64_t now = T0 + 60 * k;

		for (uint32_t e = 0; e < f->nlinks; e++) {
			ms->rate[e] = 0;
			ms->time_s[e] = now;
		}
		add_rates(&writer, 1 - exp2(-60. * k / HALF_LIFE));
		job[0] = make_job(&writer);
		for (uint32_t i = 1; i <= many; i++) {
			job[i] = (struct learner_job){ .id = id++, .n = 1,
						       .start_s = now - 10 };
			job[i].host = xcalloc(1, sizeof(*job[i].host));
			job[i].host[0] = sfab_fabric_host(f, "n3");
		}
		ck_assert_msg(!learner_sample(l, m, ms, 1, job, many + 1, now, &err), "%s",
			      err.text);
	}
	check_found(7, "io-write=0.727", 0.01);
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 4);
	ck_assert_uint_gt(l->stats.left_out, 0);
}

/* Three runs of a name, and the fourth is expected to do the same. */
TEST(three_runs_are_learned)
{
	static const struct sfab_history_facts next = { 5, "write_04", "acc", "part", 4 };
	struct sfab_learned learned;

	for (uint32_t i = 0; i < 3; i++) {
		struct run r = writer;

		r.id = 10 + i;
		r.start_s = T0 + 1000 * i;
		ck_assert(!sfab_history_find(l->history, &next, T0, &learned));
		sample(&r, 1, 1000 * i + 60);
		sample(&r, 1, 1000 * i + 120);
		sample(&r, 0, 1000 * i + 150);
		ck_assert_uint_eq(l->ended, i + 1);
	}
	ck_assert(sfab_history_find(l->history, &next, T0 + 4000, &learned));
	ck_assert_int_eq(learned.kind, SFAB_BY_NAME_NODES);
	ck_assert_uint_eq(learned.runs, 3);
	ck_assert_uint_eq(learned.traffic.nparts, 1);
	ck_assert_int_eq(learned.traffic.part[0].class, SFAB_IO_WRITE);
	ck_assert(fabs(learned.traffic.part[0].share - 0.727) < 0.01);
}

/* What a job that ended still has in the means is not the next job's. */
TEST(the_next_job_on_the_nodes_is_not_blamed)
{
	struct run next = talker;

	memcpy(next.nodes, writer.nodes, sizeof(next.nodes));
	next.start_s = T0 + 600;
	sample(&writer, 1, 300);
	sample(&writer, 1, 600);
	for (uint32_t e = 0; e < f->nlinks; e++) {
		ms->rate[e] = 0;
		ms->time_s[e] = T0 + 660;
	}
	add_rates(&writer, 0.5);		/* a half-life after its end */
	add_rates(&next, 0.5);
	{
		struct learner_job *job = xcalloc(1, sizeof(*job));
		struct sfab_err err = { 0 };

		*job = make_job(&next);
		ck_assert(!learner_sample(l, m, ms, 1, job, 1, T0 + 660, &err));
	}
	check_found(8, "mpi=0.3", 0.2);
	ck_assert(sfab_traffic_net_share(&sfab_found_job(l->found, 8)->latest) > 0.2);
}

TEST(old_and_unknown_rates_say_nothing)
{
	struct learner_job *job = xcalloc(1, sizeof(*job));

	sample(&writer, 1, 120);
	for (uint32_t e = 0; e < f->nlinks; e++) {
		ms->rate[e] = e % 2 ? -1 : 1e9;
		ms->time_s[e] = T0 + 100;
	}
	*job = make_job(&writer);
	ck_assert(!learner_sample(l, m, ms, 1, job, 1, T0 + 100 + SFAB_MEASURED_FRESH_S + 1,
				  &unit_err));
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 1);
	check_found(7, "io-write=0.727", 0.01);	/* what was found stays, and grows old */
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->time_s, T0 + 120);
}

/* A restart goes on with what traffic.snap has; a job of the same id is another. */
TEST(a_restart_goes_on)
{
	struct sfab_found *before = sfab_found_create(1);
	struct run again = writer;

	sample(&writer, 1, 120);
	before->job[0] = *sfab_found_job(l->found, 7);
	learner_destroy(l);
	l = learner_create(sfab_history_create(1), before);
	sample(&writer, 1, 150);
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 2);
	again.start_s = T0 + 200;
	sample(&again, 1, 300);
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 1);
	ck_assert_uint_eq(l->ended, 1);		/* the first one */
}

TEST(nothing_is_learned_from_what_was_not_seen)
{
	sample(&writer, 1, 5);
	sample(&writer, 0, 10);
	ck_assert_uint_eq(l->ended, 0);
	ck_assert_uint_eq(sfab_history_count(l->history), 0);
}

TEST(suspended_jobs_send_nothing)
{
	struct learner_job *job = xcalloc(1, sizeof(*job));

	sample(&writer, 1, 300);
	*job = make_job(&writer);
	job->suspended = 1;
	for (uint32_t e = 0; e < f->nlinks; e++) {
		ms->rate[e] = 0;
		ms->time_s[e] = T0 + 330;
	}
	ck_assert(!learner_sample(l, m, ms, 1, job, 1, T0 + 330, &unit_err));
	check_found(7, "io-write=0.727", 0.01);	/* as it was when it ran */
	ck_assert_uint_eq(sfab_found_job(l->found, 7)->samples, 1);
}

/* Full servers let less through than is asked for; that is not what the job sends. */
TEST(full_servers_do_not_lower_what_is_learned)
{
	struct run slow = writer, writes = writer, filler = talker;
	const struct run *const full[] = { &slow, &filler }, *const alone[] = { &writes };
	const struct sfab_history_facts next = { 5, "write_04", NULL, NULL, 4 };
	struct sfab_learned learned;

	filler.sends = "io-write=0.45";		/* 3 servers take 3: 4 x 0.3 + 4 x 0.45 */
	slow.sends = "io-write=0.3";
	filler.start_s = slow.start_s = writes.start_s = T0 - 100 * HALF_LIFE;
	sample_of(full, 2, 3, 3, 60);
	check_found(7, "io-write=0.645", 0.01);
	ck_assert(sfab_found_job(l->found, 7)->flags & SFAB_FOUND_AT_LEAST);
	sample_of(alone, 1, 1, 1, 120);
	ck_assert(!(sfab_found_job(l->found, 7)->flags & SFAB_FOUND_AT_LEAST));
	ck_assert(fabs(sfab_found_job(l->found, 7)->mean.part[0].share - 0.727) < 0.01);
	sample_of(full, 2, 3, 3, 180);
	sample_of(full, 2, 0, 0, 240);
	for (int i = 0; i < 2; i++) {
		writes.start_s++;		/* another run */
		sample_of(alone, 1, 1, 1, 300 + (uint32_t) i * 120);
		sample_of(alone, 1, 0, 0, 360 + (uint32_t) i * 120);
	}
	ck_assert(sfab_history_find(l->history, &next, T0 + 600, &learned));
	ck_assert(fabs(learned.traffic.part[0].share - 0.727) < 0.01 && learned.spread < 0.01);
}

UNIT_MAIN_WITH("learner", set_up, tear_down)
