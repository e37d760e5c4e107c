/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_replay_sim.c - a replay of five jobs that was worked out by hand, and what holds for
 * every replay
 */

#include "tests/unit/fixtures/unit.h"

#include "core/predict/throughput.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tools/replay/machine.h"
#include "tools/replay/sim.h"
#include "tools/replay/stats.h"

#include <math.h>

#define EPS 1e-6

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_conf *conf;
static uint8_t avail[64];

static void set_up(unsigned leaves, unsigned spines, unsigned hosts)
{
	const struct clos shape = { .leaves = leaves, .spines = spines,
				    .hosts = hosts };

	f = unit_fabric(&shape);
	m = unit_model(f, NULL);
	conf = sfab_conf_create();
	unit_cleanup(conf, sfab_conf_destroy);
	memset(avail, 1, sizeof(avail));
}

/*
 * Three leaves of two hosts below one spine, everybody sends all it can to the others of its
 * job.
 *
 *   J1 3 nodes, 100 s	n1 n2 n3, one uplink of leaf 2 full
 *   J2 3 nodes, 60 s	n5 n6 n4, the same uplink: both go at half speed
 *   J3 4 nodes, 50 s	waits for J1, then on two leaves: 2 x 2 x 4/3 / 4 = 4/3
 *   J4 2 nodes, 30 s	backfilled when J2 has ended, on leaf 3: ends in time
 *   J5 1 node, 500 s	backfilled on a node that is over when J3 starts
 */
static struct replay_job five[] = {
	{ .submit = 0, .run = 100, .limit = 100, .nodes = 3 },
	{ .submit = 0, .run = 60, .limit = 60, .nodes = 3 },
	{ .submit = 10, .run = 50, .limit = 50, .nodes = 4 },
	{ .submit = 20, .run = 30, .limit = 30, .nodes = 2 },
	{ .submit = 30, .run = 500, .limit = 500, .nodes = 1 },
};

/*
 * J2 ends after 60 s of work, 120 s; J1 then has 40 of 100 left.  Its limit is over at 100, so
 * that it is expected to take 200: J4 fits before that.
 */
static const struct sim_outcome stretched[] = {
	{ .start = 0, .end = 160, .life = 1.6 },
	{ .start = 0, .end = 120, .life = 2 },
	{ .start = 160, .end = 160 + 200.0 / 3, .life = 4.0 / 3 },
	{ .start = 120, .end = 150, .life = 1 },
	{ .start = 120, .end = 620, .life = 1 },
};

static const struct sim_outcome rigid[] = {
	{ .start = 0, .end = 100, .life = 1.6 },
	{ .start = 0, .end = 60, .life = 2 },
	{ .start = 100, .end = 150, .life = 4.0 / 3 },
	{ .start = 60, .end = 90, .life = 1 },
	{ .start = 60, .end = 560, .life = 1 },
};

/*
 * By loss J1 and J2 go at 1 / PACE_1 and 1 / PACE_2 beside each other, J3 alone at 1 / J3_ALONE
 * (slowdowns_by_steps).
 */
#define J3_ALONE (0.3 * 4 / 3 + 0.6 + 0.1 + 0.2 * 4 / 3)
#define PACE_1 (1.2 + 1.6 / 3)
#define PACE_2 (1.2 + 2.0 / 3)
#define END_1 (100 + 112 * (1 - 1 / PACE_1))
static const struct sim_outcome by_loss[] = {
	{ .start = 0, .end = END_1, .life = 1 + 1.12 / PACE_1 },
	{ .start = 0, .end = 60 * PACE_2, .life = 2 },
	{ .start = END_1, .end = END_1 + 50 * J3_ALONE, .life = 4.0 / 3 },
	{ .start = 112, .end = 142, .life = 1 },
	{ .start = 112, .end = 612, .life = 1 },
};

static const double five_own[] = { 1, 1, 4.0 / 3, 1, 1 };

static void play_five(enum stretch stretch, double compress, struct sim *s,
		      struct replay_machine **v)
{
	static struct workload w;
	static struct sfab_traffic mpi;
	static const struct mix_kind kind = { .sensitivity = 1 };
	struct replay_machine_options wo = { .policy = SFAB_POLICY_TREE,
					     .judge = 1,
					     .stretch = stretch,
					     .site.conf = conf };
	struct sim_hooks p;

	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &mpi, NULL), 0);
	for (int i = 0; i < 5; i++) {
		five[i].traffic = five[i].stated = &mpi;
		five[i].kind = &kind;
	}
	w = (struct workload) { .n = 5, .job = five };
	*v = replay_machine_create(m, avail, &w, &wo);
	p = replay_machine_hooks(*v);
	ck_assert_int_eq(sim_run(s, &w, 6, &p, compress, NULL), 0);
}

static void check_five(const struct sim *s, const struct replay_machine *v,
		       const struct sim_outcome *expected)
{
	for (int i = 0; i < 5; i++) {
		ck_assert_double_eq_tol(s->out[i].submit, five[i].submit, EPS);
		ck_assert_double_eq_tol(s->out[i].start, expected[i].start, EPS);
		ck_assert_double_eq_tol(s->out[i].end, expected[i].end, EPS);
		ck_assert_double_eq_tol(s->out[i].life, expected[i].life, EPS);
		ck_assert_double_eq_tol(replay_machine_costs(v)[i].own,
					five_own[i], EPS);
	}
}

TEST(five_jobs_as_worked_out_by_hand)
{
	struct replay_machine *v;
	struct sim s;

	set_up(3, 1, 2);
	play_five(STRETCH_LOCKSTEP, 1, &s, &v);
	check_five(&s, v, stretched);
	sim_free(&s);
	replay_machine_destroy(v);
	play_five(STRETCH_LOSS, 1, &s, &v);
	check_five(&s, v, by_loss);
	sim_free(&s);
	replay_machine_destroy(v);
	play_five(STRETCH_NONE, 1, &s, &v);
	check_five(&s, v, rigid);
	/* six hosts are busy all 30 s that jobs arrive in */
	ck_assert_double_eq_tol(sim_utilization(&s), 1, EPS);
	sim_free(&s);
	replay_machine_destroy(v);
}

/*
 * All-to-all / halving / ring / uniform count 0.3 / 0.4 / 0.1 / 0.2.  In no step do J1 and J2
 * send two messages over a link, but each sends 4 of 4 GB/s over the uplink of leaf 2 in both
 * directions.  J1, ranks n1 n2 | n3, crosses it in both shifts, in the second step of three of
 * halving, in the ring and all at once: 2, 4/3, 2, 2.  J2, ranks n4 | n5 n6, in the first and
 * the last step of halving: 2, 5/3, 2, 2.  J3, n1 n2 | n5 n6, meets nobody, but itself in the
 * second shift of three and in the second step of halving: 4/3, 3/2, 1, 4/3.
 */
static const struct {
	double alone, among;
} slowdowns_by_steps[] = {
	{ 1, PACE_1 }, { 1, PACE_2 }, { J3_ALONE, J3_ALONE }, { 1, 1 }, { 1, 1 },
};

/*
 * All they do is send, so they lose S - 1.  J2 is seen beside J1 only, the last three meet
 * nobody; J1 is also seen without J2.
 */
TEST(what_five_jobs_lose)
{
	struct run_stats r;
	const struct lost_nodes *all = &r.class[CLASS_ALL].lost;
	struct replay_machine *v;
	double sum = 0;
	struct sim s;

	set_up(3, 1, 2);
	play_five(STRETCH_LOCKSTEP, 1, &s, &v);
	for (int i = 0; i < 5; i++) {
		const struct lost_nodes *lost = &replay_machine_costs(v)[i].lost;
		double alone = slowdowns_by_steps[i].alone, among = slowdowns_by_steps[i].among;

		ck_assert_double_ge(lost->nodes, five[i].nodes);
		ck_assert_double_eq_tol(lost->alone, lost->nodes * (alone - 1), EPS);
		if (i > 0)
			ck_assert_double_eq_tol(lost->beside, lost->nodes * (among - 1), EPS);
		ck_assert_double_eq(lost->io, 0);
		sum += lost->beside;
	}
	stats_compute(&r, &s, v);
	ck_assert_double_eq_tol(all->beside, sum, EPS);
	ck_assert_double_eq_tol(r.class[CLASS_ALL].quantity[TURNAROUND].max, 590, EPS);
	sim_free(&s);
	replay_machine_destroy(v);
}

/*
 * n1 n3 send mpi over the link that n2 n4 fill as neighbors: these slow the steps down.  What a
 * job sends itself is none of the others'.  What is lost is of the time that it sends.
 */
static const struct {
	const char *text[3];	/* of n1 n3, n2 n4, n5 n6 */
	double first;		/* what the first loses beside the others */
} beside[] = {
	{ { "mpi=1", "neighbor=1", "mpi=1" }, 1 },
	{ { "mpi=0.5", "neighbor=1", "mpi=1" }, 0.5 },
	{ { "mpi=0.25+neighbor=0.5+mpi=0.25", "mpi=1", "mpi=1" }, 1 },
	{ { "mpi=1", "mpi=0", "mpi=1" }, 0 },
	{ { "neighbor=1", "mpi=0.5", "mpi=1" }, 0.5 },
};

LOOP_TEST(who_counts_beside_a_job, N(beside))
{
	static const uint32_t host[3][2] = { { 0, 2 }, { 1, 3 }, { 4, 5 } };
	struct sfab_traffic t[3];
	struct sfab_job job[3];
	struct loss_judge *g;
	struct sfab_jobs *js;
	struct lost_nodes lost;

	set_up(3, 1, 2);
	js = unit_jobs(m);
	g = loss_judge_create(m, 3, JUDGED_BY_NAME, 0);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_int_eq(sfab_traffic_parse(beside[_i].text[i], NULL, &t[i],
						    NULL), 0);
		job[i] = (struct sfab_job){ .n = 2, .host = host[i],
					      .traffic = &t[i] };
		ck_assert_int_eq(sfab_jobs_add(js, i, &job[i], NULL), 0);
	}
	ck_assert_int_eq(loss_judge_lost(g, 0, &job[0], 1, js, &lost, NULL), 0);
	ck_assert_double_eq_tol(lost.alone, 0, EPS);
	ck_assert_double_eq_tol(lost.beside, beside[_i].first, EPS);
	ck_assert_double_eq(lost.io, 0);
	/* the one beside it has ended */
	sfab_jobs_remove(js, 1);
	loss_judge_end(g, 1);
	ck_assert_int_eq(loss_judge_lost(g, 0, &job[0], 1, js, &lost, NULL), 0);
	ck_assert_double_eq_tol(lost.beside, 0, EPS);
	loss_judge_destroy(g);
}

/*
 * n1 n3 on one leaf, n2 n4 on the other: a ring in this order sends two flows over each uplink,
 * and leaf by leaf one.  Of the 24 draws of a random order a third has two flows, too.
 */
static double ring_alone(enum judged_ranks ranks, uint64_t seed)
{
	static const uint32_t host[] = { 0, 2, 1, 3 };
	struct loss_judge *g = loss_judge_create(m, 1, ranks, seed);
	struct sfab_jobs *js = unit_jobs(m);
	struct sfab_traffic ring = unit_traffic("ring=1");
	struct sfab_job job = { .n = 4, .host = host, .traffic = &ring };
	struct lost_nodes lost;

	ck_assert_int_eq(sfab_jobs_add(js, 0, &job, NULL), 0);
	ck_assert_int_eq(loss_judge_lost(g, 0, &job, 1, js, &lost, NULL), 0);
	loss_judge_destroy(g);
	return 1 + lost.alone;
}

TEST(ranks_of_judged_jobs)
{
	uint32_t slow = 0;

	set_up(3, 1, 2);
	ck_assert_double_eq_tol(ring_alone(JUDGED_BY_NAME, 1), 2, EPS);
	ck_assert_double_eq_tol(ring_alone(JUDGED_BY_LEAF, 1), 1, EPS);
	ck_assert_double_eq_tol(ring_alone(JUDGED_AS_FOUND, 1), 1, EPS);
	for (unsigned seed = 0; seed < 60; seed++) {
		double alone = ring_alone(JUDGED_AT_RANDOM, seed);

		ck_assert_msg(alone == ring_alone(JUDGED_AT_RANDOM, seed), "seed %u: draws", seed);
		slow += alone > 1.5;
	}
	ck_assert_uint_ge(slow, 8);
	ck_assert_uint_le(slow, 32);
}

TEST(arrivals_come_closer_when_compressed)
{
	struct replay_machine *v;
	struct sim s;

	set_up(3, 1, 2);
	play_five(STRETCH_NONE, 0.5, &s, &v);
	ck_assert_double_eq_tol(s.out[4].submit, 15, EPS);
	ck_assert_double_eq_tol(s.out[4].start, 60, EPS);
	sim_free(&s);
	replay_machine_destroy(v);
}

/* Hooks in front of the machine's that look at everything. */
struct watch {
	struct sim_hooks inner;
	struct replay_machine *v;
	const struct sim *s;
	double *promised;	/* by job: earliest reservation it had */
	uint8_t busy[64];
	uint32_t started, ended;
	int keep_promises;
};

static void note_reservation(struct watch *x)
{
	const struct sim *s = x->s;
	struct sim_reservation r;
	uint32_t head;

	if (!s->nqueue || s->w->job[s->queue[0]].nodes <= s->nfree)
		return;
	head = s->queue[0];
	r = sim_reserve(s, s->w->job[head].nodes);
	ck_assert(isfinite(r.time));
	if (r.time < x->promised[head])
		x->promised[head] = r.time;
}

static int watch_start(void *ctx, const struct sim *s, uint32_t job,
		       struct sfab_err *err)
{
	struct watch *x = ctx;
	const uint32_t *host;

	x->s = s;
	if (x->keep_promises)
		ck_assert_double_le(s->time_s, x->promised[job] + EPS);
	ck_assert_int_eq(x->inner.start(x->inner.ctx, s, job, err), 0);
	host = replay_machine_hosts(x->v, job);
	for (uint32_t i = 0; i < s->w->job[job].nodes; i++) {
		ck_assert(avail[host[i]] && !x->busy[host[i]]);
		x->busy[host[i]] = 1;
	}
	x->started++;
	return 0;
}

static void watch_end(void *ctx, const struct sim *s, uint32_t job)
{
	struct watch *x = ctx;
	const uint32_t *host = replay_machine_hosts(x->v, job);

	for (uint32_t i = 0; i < s->w->job[job].nodes; i++) {
		ck_assert(x->busy[host[i]]);
		x->busy[host[i]] = 0;
	}
	x->ended++;
	x->inner.end(x->inner.ctx, s, job);
}

static int watch_look(void *ctx, struct running_job *r, struct sfab_err *err)
{
	struct watch *x = ctx;

	ck_assert_int_eq(x->inner.update(x->inner.ctx, r, err), 0);
	ck_assert_double_ge(r->slowdown, 1);
	if (x->keep_promises)
		note_reservation(x);
	return 0;
}

static void check_times(const struct sim *s, int stretch)
{
	for (uint32_t i = 0; i < s->w->n; i++) {
		const struct sim_outcome *o = &s->out[i];
		double held = o->end - o->start, run = s->w->job[i].run;

		ck_assert_double_ge(o->start, o->submit - EPS);
		ck_assert_double_ge(o->life, 1 - EPS);
		ck_assert_double_eq_tol(held, stretch ? run * o->life : run,
					1e-9 * o->end + 2 * EPS);
	}
}

static void check_replay(struct workload *w, enum sfab_policy policy, enum stretch stretch)
{
	int is_stretched = stretch == STRETCH_LOCKSTEP;
	struct replay_machine_options wo = { .policy = policy,
					     .seed = 3,
					     .max_steps = 3000,
					     .stretch = stretch,
					     .site.conf = conf };
	struct watch x = { .keep_promises = !is_stretched };
	struct sim_hooks p = { .ctx = &x, .start = watch_start, .end = watch_end,
			       .update = watch_look };
	struct sim s;

	x.promised = calloc(w->n, sizeof(*x.promised));
	for (uint32_t i = 0; i < w->n; i++)
		x.promised[i] = INFINITY;
	x.v = replay_machine_create(m, avail, w, &wo);
	x.inner = replay_machine_hooks(x.v);
	ck_assert_int_eq(sim_run(&s, w, 47, &p, 0.01, NULL), 0);
	ck_assert_uint_eq(x.started, w->n);
	ck_assert_uint_eq(x.ended, w->n);
	for (int h = 0; h < 48; h++)
		ck_assert_uint_eq(x.busy[h], 0);
	check_times(&s, is_stretched);
	sim_free(&s);
	replay_machine_destroy(x.v);
	free(x.promised);
}

/* No node twice, every job once, reservations kept; one host is no node. */
LOOP_TEST(nothing_is_lost_and_nothing_booked_twice, 2 * SFAB_NPOLICIES)
{
	struct sfab_traffic site = unit_traffic("mpi=0.3");
	struct workload_options o = { .seed = 7, .hosts = 47, .machine = 47,
				      .njobs = 150, .site = _i % 2 ? &site : NULL };
	struct workload w;
	struct trace t;
	struct mix mix;

	set_up(6, 4, 8);
	avail[5] = 0;
	ck_assert_int_eq(mix_parse(&mix, "3:mpi=1,1:neighbor,1:off", NULL, NULL), 0);
	ck_assert_int_eq(trace_make_lublin(&t, 47, 150, 7, NULL), 0);
	workload_make(&w, &t, &mix, &o);
	check_replay(&w, (enum sfab_policy) (_i / 2),
		     _i % 2 ? STRETCH_LOCKSTEP : STRETCH_NONE);
	workload_free(&w);
	trace_free(&t);
}

UNIT_MAIN("replay")
