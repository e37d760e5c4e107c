/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_score.c - the score's terms against values worked out by hand, and what a search relies
 * on
 *
 * Fabric: leaf1 n1-n3, leaf2 n4-n6, all routes over spine1, 4 GB/s links.  n6 serves IO.  Job
 * J: n1 n2 n4 n5.  At full rate each node sends 4 GB/s, and if it sends to all others at once
 * four pairs cross each way: 16/3 GB/s on 4 GB/s links, ends just full.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/random.h"
#include "core/search/score.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define G 1e9
#define HOSTS_MAX 12			/* hosts of a random set */

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;

static void open_fabric(const struct clos *shape, const char *const *server, uint32_t n)
{
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = n, .host = server };

	f = unit_fabric(shape);
	io = unit_sets(f, &is, 1);
	m = unit_model(f, io);
	js = unit_jobs(m);
	sc = unit_scorer(m);
}

static void set_up(void)
{
	static const struct clos shape = { .leaves = 2, .spines = 2, .hosts = 3,
					   .same_spine = 1 };
	static const char *const server[] = { "n6" };

	open_fabric(&shape, server, 1);
}

static struct sfab_traffic t;

/* Hosts by number of n1..n6; ids are in name order. */
static struct sfab_job job(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = { .n = n, .host = host, .traffic = &t };

	t = unit_traffic(traffic);
	return s;
}

static void start(uint64_t id, const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = job(traffic, n, host);

	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

static const uint32_t J[] = { 0, 1, 3, 4 };
static const uint32_t other[] = { 2, 5 };

static struct sfab_score score(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_job s = job(traffic, n, host);
	struct sfab_score out;

	ck_assert_int_eq(sfab_score(sc, js, &s, NULL, NULL, &out, NULL), 0);
	return out;
}

static uint32_t uplink(void)
{
	return unit_link(f, "leaf1", 4);
}

/* -- by hand ---------------------------------------------------------------- */

static const struct vector {
	const char *runs, *sends;
	uint32_t nruns, runs_on[4], n, host[4];
	double own, others, servers;
} vectors[] = {
	/* 4 x 0.3 x (4/3 - 1) */
	{ NULL, "uniform=0.3", .n = 4, { 0, 1, 3, 4 }, .own = 0.4 },
	/* shift 2 of three crosses twice: their mean is 4/3 */
	{ NULL, "alltoall=0.3", .n = 4, { 0, 1, 3, 4 }, .own = 0.4 },
	/*
	 * 16 GB/s for a server of 4: 2 GB/s of it cross, IO does not wait for links, but 3/4 of
	 * its time for the server.
	 */
	{ NULL, "alltoall=0.3+io-write=0.2", .n = 4, { 0, 1, 3, 4 }, .own = 0.4, .servers = 0.6 },
	/* on one leaf nothing of MPI crosses */
	{ "uniform=0.5", "uniform=1", 2, { 2, 5 }, 2, { 0, 1 }, .own = 0 },
	/*
	 * Two jobs on one uplink.  2 GB/s of others: 4 x 0.3 x (4/3 + 2/4 - 1).  The other's
	 * phases have a flow on each link, and each gets longer by 1.6 of 4.
	 */
	{ "uniform=0.5", "uniform=0.3", 2, { 2, 5 }, 4, { 0, 1, 3, 4 }, .own = 1, .others = 0.4 },
	/* half of each rate goes to a neighbor, just what a link takes; 2 GB/s of others */
	{ "uniform=0.5", "neighbor=0.5", 2, { 2, 5 }, 4, { 0, 1, 3, 4 }, .own = 1, .others = 0.5 },
	/* a writer beside a writer: (4 + 2) / 4, and (4 + 1) / 4 */
	{ "io-write=0.5", "io-write=0.25", 1, { 1 }, 1, { 0 }, .own = 0.125, .others = 0.125 },
	/* the server takes half of 8 GB/s; of the new job's 2 pass, in twice the time */
	{ "io-write=1", "io-write=1", 1, { 1 }, 1, { 0 }, .own = 1, .others = 0.5, .servers = 1 },
	/* what is read comes down where the other's writes go up */
	{ "io-write=0.5", "io-read=0.5", 1, { 1 }, 1, { 0 }, .own = 0 },
	/* a writer beside MPI of two: (4 + 2) / 4; each of its steps waits for 1 of 4 */
	{ "uniform=0.5", "io-write=0.25", 2, { 2, 3 }, 1, { 0 }, .own = 0.125, .others = 0.25 },
	/* and MPI beside a writer, which waits for 2 of 4 */
	{ "io-write=0.5", "uniform=0.5", 1, { 0 }, 2, { 2, 3 }, .own = 0.5, .others = 0.25 },
};

LOOP_TEST(by_hand, N(vectors))
{
	const struct vector *v = &vectors[_i];
	struct sfab_score s;

	if (v->runs)
		start(7, v->runs, v->nruns, v->runs_on);
	s = score(v->sends, v->n, v->host);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OWN], v->own, 1e-9);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OTHERS], v->others, 1e-9);
	ck_assert_double_eq_tol(s.servers, v->servers, 1e-9);
	ck_assert_double_eq_tol(s.slowdown, 1 + v->own / v->n, 1e-9);
}

TEST(classes_add_up_to_own)
{
	double sum = 0;
	struct sfab_score s;

	start(7, "io-write=0.9", 1, (const uint32_t[]) { 0 });
	s = score("uniform=0.25+ring=0.25+io-write=0.25", 2, (const uint32_t[]) { 2, 3 });
	for (int c = 0; c < SFAB_NCLASSES; c++)
		sum += sfab_score_class(&s, &t, 2, (enum sfab_class) c);
	ck_assert_double_eq_tol(sum, s.term[SFAB_TERM_OWN], 1e-9);
	ck_assert_double_gt(sfab_score_class(&s, &t, 2, SFAB_MPI), 0);
	ck_assert_double_gt(sfab_score_class(&s, &t, 2, SFAB_IO_WRITE), 0);
}

TEST(alone_and_the_worst_link)
{
	struct sfab_score s;

	start(7, "uniform=0.5", 2, other);
	s = score("uniform=0.3", 4, J);
	ck_assert_double_eq_tol(s.alone, 1.1, 1e-9);
	ck_assert_double_eq_tol(s.slowdown, 1.25, 1e-9);
	ck_assert_double_eq_tol(s.lost.part[0].alone, 4.0 / 3, 1e-9);
	ck_assert_double_eq_tol(s.lost.part[0].beside, 11.0 / 6, 1e-9);
	ck_assert_double_eq_tol(s.worst, 0.4, 1e-9);
	ck_assert(m->isl[s.worst_link]);
	ck_assert_uint_eq(s.leaves, 2);
}

/* A quarter of the CPUs, so a quarter of the steps have a flow on each of two links. */
TEST(what_others_lose_is_at_most_what_all_links_add)
{
	static const double quarter[] = { 0.25, 0.25 };
	static const uint32_t writer[] = { 0 };
	struct sfab_job s = job("uniform=0.5", 2, other);

	s.cpus = quarter;
	ck_assert_int_eq(sfab_jobs_add(js, 7, &s, NULL), 0);
	ck_assert_double_eq_tol(score("io-write=0.4", 1, writer).term[SFAB_TERM_OTHERS],
				2 * 0.5 * (0.4 * 0.25 + 0.4 * 0.25), 1e-9);
}

/* By the measured load that no job explains, and by the part of time that a link waits. */
TEST(what_is_measured_counts)
{
	double *extra = calloc(m->nres, sizeof(*extra));
	double *wait = calloc(m->nres, sizeof(*wait));

	extra[uplink()] = 2 * G;
	sfab_jobs_set_measured(js, extra, NULL);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, J).term[SFAB_TERM_OWN],
				4 * 0.3 * (1.0 / 3 + 0.5), 1e-9);
	wait[uplink()] = 0.4;	/* less than B, which has it */
	sfab_jobs_set_measured(js, extra, wait);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, J).term[SFAB_TERM_OWN],
				4 * 0.3 * (1.0 / 3 + 0.5), 1e-9);
	wait[uplink()] = 1;	/* it always waits: it is full */
	sfab_jobs_set_measured(js, extra, wait);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, J).term[SFAB_TERM_OWN],
				4 * 0.3 * (1.0 / 3 + 1), 1e-9);
	sfab_jobs_set_measured(js, NULL, wait);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, J).term[SFAB_TERM_OWN],
				4 * 0.3 * (1.0 / 3 + 1), 1e-9);
	sfab_jobs_set_measured(js, NULL, NULL);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, J).term[SFAB_TERM_OWN], 0.4, 1e-9);
	free(extra);
	free(wait);
}

/*
 * n6 is the server: leaf2 has two hosts for jobs.  With less than half of the five hosts in use
 * a leaf is worth less: 0.4 of its price for one, 0.8 for two.
 */
LOOP_TEST(later_is_what_is_broken, 7)
{
	static const struct {
		uint8_t avail[6];
		uint32_t n, host[4];
		double later;
	} v[] = {
		{ { 1, 1, 1, 1, 1, 0 }, 1, { 0 }, 0.4 },
		{ { 1, 1, 1, 1, 1, 0 }, 3, { 0, 1, 2 }, 0 },
		{ { 1, 1, 1, 1, 1, 0 }, 2, { 3, 4 }, 0 },
		{ { 1, 1, 1, 1, 1, 0 }, 2, { 0, 3 }, 1.6 },
		{ { 1, 1, 0, 1, 1, 0 }, 1, { 0 }, 0.4 },	/* it is broken */
		{ { 1, 1, 0, 1, 1, 0 }, 2, { 0, 1 }, 0 },	/* and used up */
		{ { 1, 1, 0, 1, 1, 0 }, 3, { 0, 1, 3 }, 1 },
	};
	static const struct sfab_packing dear = { SFAB_UNIT_LEAF, 3, 0, 0 },
					 none = { SFAB_UNIT_LEAF, 0, 0, 0 };
	struct sfab_job s = job("mpi=0.1", v[_i].n, v[_i].host);
	struct sfab_score out;

	ck_assert_int_eq(sfab_score(sc, js, &s, v[_i].avail, NULL, &out, NULL), 0);
	ck_assert_double_eq_tol(out.term[SFAB_TERM_LATER], v[_i].later, 1e-12);
	sc->packing = dear;
	ck_assert_int_eq(sfab_score(sc, js, &s, v[_i].avail, NULL, &out, NULL), 0);
	ck_assert_double_eq_tol(out.term[SFAB_TERM_LATER], 3 * v[_i].later, 1e-12);
	sc->packing = none;
	ck_assert_int_eq(sfab_score(sc, js, &s, v[_i].avail, NULL, &out, NULL), 0);
	ck_assert_double_eq(out.term[SFAB_TERM_LATER], 0);
}

/*
 * n1 and n4 exchange for half of their time: on 4 of the 8 links half of the capacity.  Two
 * nodes lose 2 x 4 x 1/2 / 8 on average to a load of a link's capacity.  n2 and n5 load 4 links
 * with a quarter, and break leaf1, of which n1 is gone.
 */
TEST(later_is_also_what_links_get)
{
	static const uint32_t running[] = { 0, 3 }, host[] = { 1, 4 };
	static const uint8_t avail[] = { 0, 1, 1, 0, 1, 0 };
	static const struct sfab_packing links = { SFAB_UNIT_LEAF, 1, 1, 0 };
	struct sfab_job s = job("mpi=0.5", 2, running);
	struct sfab_score out;

	ck_assert_int_eq(sfab_jobs_add(js, 1, &s, NULL), 0);
	ck_assert_double_eq_tol(sfab_jobs_exposed(js), 0.5, 1e-9);
	s = job("mpi=0.25", 2, host);
	ck_assert_int_eq(sfab_score(sc, js, &s, avail, NULL, &out, NULL), 0);
	ck_assert_double_eq_tol(out.term[SFAB_TERM_LATER], 0.5, 1e-9);
	sc->packing = links;
	ck_assert_int_eq(sfab_score(sc, js, &s, avail, NULL, &out, NULL), 0);
	ck_assert_double_eq_tol(out.term[SFAB_TERM_LATER], 0.5 + 4 * 0.25 * 0.5, 1e-9);
	sfab_jobs_remove(js, 1);
	ck_assert_double_eq(sfab_jobs_exposed(js), 0);
}

TEST(ranks_are_in_the_order_of_the_set)
{
	static const uint32_t mixed[] = { 0, 3, 1, 4 };

	/* n1 to n4, n2 to n5 cross in both shifts 1 and 3, not in 2 */
	ck_assert_double_eq_tol(score("alltoall=0.3", 4, mixed).term[SFAB_TERM_OWN],
				4 * 0.3 * 2 / 3, 1e-9);
	ck_assert_double_eq_tol(score("uniform=0.3", 4, mixed).term[SFAB_TERM_OWN], 0.4,
				1e-9);
}

TEST(an_empty_job_changes_nothing)
{
	static const uint32_t none[] = { 0 };
	struct sfab_score s = score("mpi=1", 0, none);

	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq(s.term[i], 0);
	start(7, "mpi=0", 2, other);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(sfab_jobs_background(js)[e], 0);
}

/* -- any set beside any jobs ------------------------------------------------ */

static const char *const kind[] = {
	"mpi=0.3", "uniform=0.4+io-write=0.2", "io-write=0.5", "io-read=0.3", "neighbor=0.5",
	"mpi=0.1+io-write=0.05+io-read=0.02", "ring=1", "allreduce=0.6+neighbor=0.2",
};
#define NKINDS (sizeof(kind) / sizeof(kind[0]))

static const struct clos shapes[] = {
	{ .leaves = 5, .spines = 3, .hosts = 6 },
	{ .leaves = 6, .spines = 2, .hosts = 4, .planes = 2 },
	{ .leaves = 4, .spines = 3, .hosts = 6, .grouped = 1 },
};
#define NSHAPES ((int) (sizeof(shapes) / sizeof(shapes[0])))

/* Another fabric than that of by_hand, with jobs. */
static void open_random(const struct clos *shape, uint64_t *random)
{
	static const char *const server[] = { "n3", "n10", "n20" };

	uint64_t njobs = sfab_random(random) % 6;

	open_fabric(shape, server, 3);
	for (uint64_t id = 1; id <= njobs; id++) {
		uint32_t host[HOSTS_MAX];

		for (uint32_t i = 0; i < 3; i++)
			host[i] = (uint32_t) (id + 7 * i) % f->nhosts;
		start(id, kind[sfab_random(random) % NKINDS], 3, host);
	}
}

/* Some hosts in the order of their ids. */
static uint32_t any_hosts(uint64_t *random, uint32_t *host)
{
	uint32_t n = 0, max = 1 + (uint32_t) (sfab_random(random) % HOSTS_MAX);

	for (uint32_t h = 0; h < f->nhosts && n < max; h++)
		if (!m->io_host[h] && sfab_random(random) % 3 == 0)
			host[n++] = h;
	return n;
}

/* Above the bar or not: as the exact total says, if it is not just at the bar. */
static void check_below(const struct sfab_job *s, const double *weights, double bar,
			double total)
{
	struct sfab_score out;
	int rc = sfab_score_below(sc, js, s, weights, bar, &out, NULL);

	ck_assert_int_ge(rc, 0);
	if (fabs(total - bar) > 1e-5 * (1 + total))
		ck_assert_int_eq(rc, total > bar);
	if (rc)
		ck_assert_double_gt(out.total, bar);
}

static void check_set(const struct sfab_job *s, const double *weights, uint32_t *above)
{
	static const double part[] = { 0, 0.3, 0.9, 0.99, 1.01, 1.5 };
	struct sfab_score exact, same;
	double sum = 0;

	ck_assert_int_eq(sfab_score(sc, js, s, NULL, weights, &exact, NULL), 0);
	ck_assert_int_eq(sfab_score_below(sc, js, s, weights, INFINITY, &same, NULL), 0);
	for (int i = 0; i < SFAB_NTERMS; i++) {
		ck_assert_double_ge(exact.term[i], 0);
		ck_assert_double_eq(exact.weight[i], weights[i]);
		ck_assert_double_eq_tol(same.term[i], exact.term[i],
					1e-5 * (1 + exact.term[i]));
		sum += weights[i] * exact.term[i];
	}
	ck_assert_double_eq_tol(exact.total, sum, 1e-12 * (1 + sum));
	ck_assert_uint_eq(same.leaves, exact.leaves);
	for (uint32_t i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		check_below(s, weights, part[i] * exact.total, exact.total);
	*above += exact.total > 0;
}

LOOP_TEST(below_is_the_same_score_up_to_a_bar, 5 * NSHAPES)
{
	static const double weights[][SFAB_NTERMS] = { { 1, 1, 1 }, { 2, 0.5, 0 }, { 0, 1, 3 } };
	uint64_t random = (uint64_t) _i;
	uint32_t above = 0;

	open_random(&shapes[_i % NSHAPES], &random);
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t host[HOSTS_MAX], n = any_hosts(&random, host);
		struct sfab_job s = job(kind[sfab_random(&random) % NKINDS], n, host);

		check_set(&s, weights[i % 3], &above);
	}
	ck_assert_uint_gt(above, 20);
}

/* -- the jobs that run ------------------------------------------------------ */

TEST(events_may_come_twice)
{
	start(7, "mpi=0.5", 2, other);
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 2 * G, 1);
	sfab_jobs_suspend(js, 7);
	sfab_jobs_suspend(js, 7);
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0);
	sfab_jobs_resume(js, 7);
	sfab_jobs_resume(js, 7);
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 2 * G, 1);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 7), 1, 1e-12);
	sfab_jobs_remove(js, 7);
	sfab_jobs_remove(js, 7);
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0);
	ck_assert_uint_eq(sfab_jobs_count(js), 0);
}

/* What events left of the slowdowns is what one finds by looking at all links. */
static void check_slowdowns(void)
{
	double kept[32];

	for (uint64_t id = 0; id < 32; id++)
		kept[id] = sfab_jobs_slowdown(js, id);
	sfab_jobs_set_measured(js, NULL, NULL);
	for (uint64_t id = 0; id < 32; id++)
		ck_assert_double_eq(sfab_jobs_slowdown(js, id), kept[id]);
}

/* Jobs come and go in any order; what is left is what runs, exactly 0 if none. */
TEST(a_stream_of_jobs_leaves_no_trace)
{
	static const char *const kinds[] = { "mpi=0.3", "neighbor=0.7", "io-write=0.9",
					     "io-read=0.1", "mpi=0.5+io-write=0.5" };
	unsigned seed = 20101;

	for (int i = 0; i < 3000; i++) {
		uint64_t id = (seed = seed * 1103515245 + 12345) >> 8 & 31;
		uint32_t host[2] = { (uint32_t) id % 6, (uint32_t) (id + 1 + id / 6) % 6 };

		if (host[0] == host[1])
			host[1] = (host[1] + 1) % 6;
		if (sfab_jobs_has(js, id))
			sfab_jobs_remove(js, id);
		else
			start(id, kinds[(seed >> 20) % 5], 2, host);
		check_slowdowns();
	}
	for (uint64_t id = 0; id < 32; id++)
		sfab_jobs_remove(js, id);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(sfab_jobs_background(js)[e], 0);
}

TEST(a_job_cannot_start_twice)
{
	struct sfab_job s = job("mpi", 2, other);

	start(7, "mpi", 2, other);
	ck_assert_int_eq(sfab_jobs_add(js, 7, &s, &unit_err), -1);
	ck_assert_str_eq(unit_err.text, "job 7 is already running");
}

UNIT_MAIN_WITH("score", set_up, NULL)
