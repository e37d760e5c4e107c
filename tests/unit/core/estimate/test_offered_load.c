/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_offered_load.c - from what passed to what was asked: by hand, and for writers that their
 * own hosts hold back, who must get other hosts at their next run
 */

#include "tests/unit/fixtures/unit.h"

#include "core/estimate/offered_load.h"
#include "core/estimate/estimate.h"
#include "core/load/demand.h"
#include "core/random.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/contention.h"
#include "tests/unit/fixtures/fabrics.h"

#define G 1e9

/*
 * Four leaves of two hosts, all routes over one spine, links of 4 GB/s; n7 and n8 on leaf 4
 * serve IO.  Host n1 has id 0.
 */
static const struct clos shape = { .leaves = 4, .spines = 2, .hosts = 2,
				   .same_spine = 1 };
static const struct vector {
	const char *passed;
	double server;		/* GB/s each */
	uint32_t n, host[4];
	double up;		/* GB/s of others on the uplink of leaf 1 */
	double asked[2], busy[2];
} vectors[] = {
	/* two hosts by one uplink: S = 2; .4 of the rate is .8 of its time */
	{ "io-write=0.4", 4, 2, { 0, 1 }, 0, { 0.8 / 1.2 }, { 0.8 } },
	/* all of the time, and a little more for an error of the rate */
	{ "io-write=0.5", 4, 2, { 0, 1 }, 0, { 1 }, { 1 } },
	{ "io-write=0.6", 4, 2, { 0, 1 }, 0, { 1 }, { 1 } },
	/* servers of 2 take half of what the hosts can send, by any route */
	{ "io-write=0.1", 2, 2, { 0, 1 }, 0, { 0.2 }, { 0.2 } },
	/* beside 2 GB/s of others: S = 1.5 */
	{ "io-write=0.1", 2, 2, { 0, 1 }, 2, { 0.3 / (1.5 - 0.15) }, { 0.3 } },
	/* shift 2 of three takes twice as long: S = 4/3 */
	{ "mpi=0.3", 4, 4, { 0, 1, 2, 3 }, 0, { 0.4 / (4 / 3. - 0.4 / 3) }, { 0.4 } },
	/* and IO with S = 2, of 16 GB/s to servers of 8: T = 1 / (1 - .4 / 4 - .4 / 2) */
	{ "mpi=0.3+io-write=0.1", 4, 4, { 0, 1, 2, 3 }, 0, { 0.3 / 0.7, 0.2 / 0.7 },
	  { 0.4, 0.4 } },
};

LOOP_TEST(by_hand, N(vectors))
{
	static const char *const server[] = { "n7", "n8" };
	const struct vector *v = &vectors[_i];
	struct sfab_ioset_spec is = { .name = "fs", .nhosts = 2, .host = server,
				      .capacity = v->server * G };
	struct sfab_fabric *f = unit_fabric(&shape);
	struct sfab_iosets *io = unit_sets(f, &is, 1);
	struct sfab_model *m = unit_model(f, io);
	double *carried = calloc(f->nlinks, sizeof(*carried)), busy[SFAB_TRAFFIC_PARTS];
	struct sfab_traffic passed, asked;
	struct sfab_job job = { .n = v->n, .host = v->host, .traffic = &passed };
	struct sfab_load own;
	struct sfab_offered_load *a;

	/* mpi is alltoall here */
	memset(m->mix, 0, sizeof(m->mix));
	m->mix[SFAB_ALLTOALL] = 1;
	ck_assert_int_eq(sfab_traffic_parse(v->passed, NULL, &passed, NULL), 0);
	ck_assert_int_eq(sfab_load_init(&own, m->nres), 0);
	ck_assert_int_eq(sfab_demand(m, &job, &own, NULL), 0);
	memcpy(carried, own.v, f->nlinks * sizeof(*carried));
	carried[unit_link(f, "leaf1", 3)] += v->up * G;
	a = sfab_offered_load_create(m, carried);
	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(sfab_offered_load_find(a, &job, &asked, busy, NULL), 0);
	for (uint32_t i = 0; i < passed.nparts; i++) {
		ck_assert_double_eq_tol(asked.part[i].share, v->asked[i], 1e-9);
		ck_assert_double_eq_tol(busy[i], v->busy[i], 1e-9);
	}
	sfab_offered_load_destroy(a);
	sfab_load_free(&own);
	free(carried);
}

/* -- writers on Wolf ------------------------------------------------------- */

#define OTHERS 40u
#define WRITER 64u
#define NOISE 0.1

struct state {
	struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct contention *contention;
	uint8_t *avail;
	uint32_t njobs, *host[OTHERS + 1], n[OTHERS + 1];
	struct sfab_traffic sends[OTHERS + 1];	/* as mean rates */
};

/* The hosts of one more job, by tree or as our score wants them. */
static void choose_hosts(struct state *s, uint32_t n, const struct sfab_traffic *believed,
			 enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = s->avail, .seed = 1, .traffic = believed };
	struct sfab_choice c;
	struct sfab_err err = { 0 };

	ck_assert_msg(!sfab_search_by(s->sc, s->js, &rq, policy, &c, &err), "%s", err.text);
	s->host[s->njobs] = c.host;
	s->n[s->njobs++] = n;
	for (uint32_t i = 0; i < n; i++)
		s->avail[c.host[i]] = 0;
	c.host = NULL;
	sfab_choice_clear(&c);
}

static void end_last(struct state *s)
{
	s->njobs--;
	for (uint32_t i = 0; i < s->n[s->njobs]; i++)
		s->avail[s->host[s->njobs][i]] = 1;
	free(s->host[s->njobs]);
}

/* Jobs that exchange a little, on a machine that others have left fragmented. */
static void make_state(struct state *s, uint64_t random)
{
	memset(s, 0, sizeof(*s));
	s->f = unit_wolf();
	s->io = unit_wolf_servers(s->f, 0);
	s->m = unit_model(s->f, s->io);
	s->sc = unit_scorer(s->m);
	s->js = unit_jobs(s->m);
	s->contention = contention_create(s->m);
	s->avail = malloc(s->f->nhosts);
	for (uint32_t h = 0; h < s->f->nhosts; h++)
		s->avail[h] = !s->m->io_host[h] && sfab_random_double(&random) < 0.97;
	for (uint32_t i = 0; i < OTHERS; i++) {
		uint32_t n = 4 + (uint32_t) (12 * sfab_random_double(&random));

		ck_assert_int_eq(sfab_traffic_parse("mpi=0.1", NULL, &s->sends[i], NULL), 0);
		choose_hosts(s, n, &s->sends[i], SFAB_POLICY_TREE);
	}
	for (uint32_t i = 0; i < OTHERS; i++) {
		struct sfab_job job = { .n = s->n[i], .host = s->host[i],
					  .traffic = &s->sends[i] };

		ck_assert_int_eq(sfab_jobs_add(s->js, i, &job, NULL), 0);
	}
}

static void drop_state(struct state *s)
{
	while (s->njobs)
		end_last(s);
	contention_destroy(s->contention);
	free(s->avail);
}

/* What links carry; of all jobs, or of the last alone (@alone) what it sends, GB/s. */
static double send_all(struct state *s, double *rate, int alone)
{
	double sum = 0;

	memset(rate, 0, s->f->nlinks * sizeof(*rate));
	contention_clear(s->contention);
	for (uint32_t i = alone ? s->njobs - 1 : 0; i < s->njobs; i++) {
		struct sfab_job job = { .n = s->n[i], .host = s->host[i],
					  .traffic = &s->sends[i] };

		contention_add_job(s->contention, &job);
	}
	contention_rates(s->contention, rate);
	for (uint32_t i = 0; i < s->n[s->njobs - 1]; i++)
		sum += rate[s->f->ports[s->f->hosts[s->host[s->njobs - 1][i]].port0].inject];
	return sum / G;
}

static void learn_writer(struct state *s, double *rate, uint64_t random,
			 struct sfab_estimate *found)
{
	struct sfab_estimate_job job[OTHERS + 1] = { 0 };
	struct sfab_estimate out[OTHERS + 1];

	for (uint32_t e = 0; e < s->f->nlinks; e++)	/* even, deviation NOISE */
		rate[e] *= 1 + NOISE * 3.464 * (sfab_random_double(&random) - 0.5);
	for (uint32_t i = 0; i < s->njobs; i++)
		job[i] = (struct sfab_estimate_job){ .n = s->n[i], .host = s->host[i], .part = 1 };
	ck_assert_msg(!sfab_estimate(s->m, job, s->njobs, rate, &sfab_estimate_default, out,
				     NULL, &unit_err), "%s", unit_err.text);
	*found = out[s->njobs - 1];
}

/*
 * Nothing is told of 64 writers that want .30 of their rate.  Tree packs them on few leaves,
 * whose uplinks let a part of that through.  What counters say after the first run must get
 * them hosts on which they have nearly all of what hosts chosen with all told get.
 */
LOOP_TEST(a_writer_leaves_the_trap_at_its_next_run, 8)
{
	struct sfab_traffic told = unit_traffic("io-write=1");
	struct sfab_estimate found;
	double *rate, trapped, free_now, best;
	struct state s;

	make_state(&s, 100 + (uint64_t) _i);
	rate = calloc(s.f->nlinks, sizeof(*rate));
	ck_assert_int_eq(sfab_traffic_parse("io-write=0.3", NULL, &s.sends[OTHERS], NULL), 0);
	choose_hosts(&s, WRITER, &told, SFAB_POLICY_TREE);
	trapped = send_all(&s, rate, 0);
	learn_writer(&s, rate, (uint64_t) _i, &found);
	end_last(&s);
	choose_hosts(&s, WRITER, &told, SFAB_POLICY_SFABRIC);
	best = send_all(&s, rate, 0);
	end_last(&s);
	choose_hosts(&s, WRITER, &found.traffic, SFAB_POLICY_SFABRIC);
	free_now = send_all(&s, rate, 0);
	if (getenv("ASKED_TRACE"))
		fprintf(stderr,
			"trapped %.1f, told %.1f, learned %.1f GB/s; found %.3f, passed %.3f\n",
			trapped, best, free_now, found.traffic.part[0].share,
			found.passed.part[0].share);
	ck_assert_uint_eq(found.traffic.nparts, 1);
	ck_assert_int_eq(found.traffic.part[0].class, SFAB_IO_WRITE);
	ck_assert(found.at_least);
	ck_assert_double_lt(trapped, 0.7 * best);
	ck_assert_double_ge(free_now, 0.95 * best);
	drop_state(&s);
	free(rate);
}

UNIT_MAIN("asked")
