/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_maxmin.c - bundles of flows against single ones: the predictions of a job, the rate of
 * each of its flows, and rates among jobs are those that filling flow by flow gives, on made
 * fabrics with several ports, planes, groups of ports and bad tables; small cases are those
 * that were worked out by hand
 */

#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/predict/flows.h"
#include "core/predict/maxmin.h"
#include "core/predict/predict.h"
#include "core/predict/throughput.h"
#include "core/random.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define HOPS 160
#define FLOWS 20000

struct flow {
	uint32_t n, res[HOPS];
	double share[HOPS];
	double asks;		/* what it grows by */
	double level;		/* < 0: still grows */
	uint32_t job;
};

static struct flow flow[FLOWS];
static uint32_t nflows;

/* The flows of one part of one job, with what each asks for. */
struct collect {
	const struct sfab_model *m;
	const struct sfab_traffic_part *part;
	const double *cpus;	/* by host; NULL: greedy */
	uint32_t job;
	struct sfab_route r;
};

static int collect_flow(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res,
			double weight)
{
	struct collect *c = ctx;
	const struct sfab_port *client =
		&c->m->f->ports[c->part->class == SFAB_IO_READ ? dst : src];
	struct flow *x = &flow[nflows];
	/* A sender that asks for its part is not limited by its own link. */
	uint32_t skip = c->cpus && c->part->class != SFAB_IO_READ;

	ck_assert_uint_lt(nflows, FLOWS);
	ck_assert_int_eq(sfab_route_ports(c->m->f, src, dst, &c->r), 0);
	if (c->r.status != SFAB_ROUTE_OK)
		return 0;
	ck_assert_uint_lt(c->r.n, HOPS);
	memset(x, 0, sizeof(*x));
	for (uint32_t i = skip; i < c->r.n; i++) {
		x->res[x->n] = c->r.hop[i].link;
		x->share[x->n++] = c->r.hop[i].share;
	}
	if (io_res != SFAB_NONE) {
		x->res[x->n] = io_res;
		x->share[x->n++] = 1;
	}
	x->job = c->job;
	x->asks = c->cpus ? c->part->share * weight * client->rate *
			    c->cpus[client->host] : 1;
	nflows += x->asks > 0;
	return 0;
}

static int crosses(const struct flow *x, uint32_t e)
{
	for (uint32_t k = 0; k < x->n; k++)
		if (x->res[k] == e)
			return 1;
	return 0;
}

/* Level at which resource @e is full if the flows that grow go on. */
static double next_level(uint32_t e, double cap, double *held, double *growing)
{
	*held = *growing = 0;
	for (uint32_t i = 0; i < nflows; i++)
		for (uint32_t k = 0; k < flow[i].n; k++)
			if (flow[i].res[k] == e) {
				double x = flow[i].asks * flow[i].share[k];

				*held += flow[i].level < 0 ? 0 : flow[i].level * x;
				*growing += flow[i].level < 0 ? x : 0;
			}
	if (!(*growing > 0))
		return INFINITY;
	return cap > *held ? (cap - *held) / *growing : 0;
}

/*
 * Flow by flow, resource by resource: slow, and nothing to get wrong.  @only: the flows of this
 * job, or SFAB_NONE.
 */
static void fill_naively(const struct sfab_model *m, double max, int ends, uint32_t only)
{
	for (uint32_t i = 0; i < nflows; i++)
		flow[i].level = only == SFAB_NONE || flow[i].job == only ? -1 : 0;
	for (;;) {
		double low = max, held, growing;
		uint32_t at = SFAB_NONE;

		for (uint32_t e = 0; e < m->nres; e++) {
			double cap = m->inv_cap[e] > 0 ? 1 / m->inv_cap[e] : 0;
			double x = ends && m->isl[e] ? INFINITY :
				   next_level(e, cap, &held, &growing);

			if (x < low) {
				low = x;
				at = e;
			}
		}
		for (uint32_t i = 0; i < nflows; i++)
			if (flow[i].level < 0 && (at == SFAB_NONE || crosses(&flow[i], at)))
				flow[i].level = low;
		if (at == SFAB_NONE)
			return;
	}
}

static double naive_rate(uint32_t job)
{
	double sum = 0;

	for (uint32_t i = 0; i < nflows; i++)
		if (flow[i].job == job)
			sum += flow[i].level * flow[i].asks;
	return sum;
}

static void check_same(double x, double naive)
{
	ck_assert_msg(fabs(x - naive) <= 1e-9 * fabs(naive), "%.17g, flow by flow %.17g",
		      x, naive);
}

/* -- fabrics ----------------------------------------------------------------- */

static const struct {
	struct clos made;
	unsigned spoil;		/* seed, or 0 */
} shape[] = {
	{ .made = { .leaves = 4, .spines = 3, .hosts = 6 } },
	{ .made = { .leaves = 5, .spines = 2, .hosts = 4 } },
	{ .made = { .leaves = 3, .spines = 2, .hosts = 5, .planes = 2 } },
	{ .made = { .leaves = 4, .spines = 2, .hosts = 6, .paired = 2 } },
	{ .made = { .leaves = 3, .spines = 3, .hosts = 5, .lmc = 1, .same_spine = 1 } },
	{ .made = { .leaves = 3, .spines = 4, .hosts = 5, .grouped = 1 } },
	{ .made = { .leaves = 3, .spines = 4, .hosts = 6, .grouped = 1, .every_static = 2 } },
	{ .made = { .leaves = 4, .spines = 3, .hosts = 5 }, .spoil = 7 },
	{ .made = { .leaves = 3, .spines = 3, .hosts = 6, .paired = 1 }, .spoil = 21 },
};
#define NSHAPES ((int) (sizeof(shape) / sizeof(shape[0])))

static const char *const traffic[] = {
	"mpi=0.6", "neighbor=0.5", "io-write=0.7", "io-read=0.9", "io-write@near=0.5",
	"io-read@near=0.5", "io-write@group=0.5", "io-read@group=0.5",
};
#define NTRAFFIC ((int) (sizeof(traffic) / sizeof(traffic[0])))

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;

static void set_up_world(int i)
{
	static const char *const servers[] = { "n1", "n2", "n9" };
	static const char *const clients[] = { "n3", "n5", "n6", "n8", "n11" };
	static const uint32_t server_group[] = { 0, 1, 1 };
	static const uint32_t client_group[] = { 0, 1, 1, 0, 1 };
	const struct sfab_ioset_spec job[] = {
		{ .name = "all", .nhosts = 3, .host = servers, .capacity = 3e9 },
		{ .name = "near", .map = SFAB_IOMAP_NEAREST, .nhosts = 3, .host = servers },
		{ .name = "group", .map = SFAB_IOMAP_GROUP, .nhosts = 3, .host = servers,
		  .host_group = server_group, .nclients = 5, .client = clients,
		  .client_group = client_group },
	};

	f = unit_fabric(&shape[i].made);
	if (shape[i].made.paired) {	/* n2 is n1 */
		struct sfab_ioset_spec all = job[0];

		all.host = servers + 2;
		all.nhosts = 1;
		io = unit_sets(f, &all, 1);
	} else {
		io = unit_sets(f, job, 3);
	}
	if (shape[i].spoil)
		unit_spoil_tables(f, shape[i].spoil);
	m = unit_model(f, io);
}

/* Draw @n hosts, servers too. */
static void draw_hosts(uint32_t *host, uint32_t n, uint64_t *random)
{
	uint32_t all[64];

	for (uint32_t i = 0; i < f->nhosts; i++)
		all[i] = i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = i + (uint32_t) (sfab_random(random) % (f->nhosts - i));
		uint32_t x = all[k];

		all[k] = all[i];
		host[i] = all[i] = x;
	}
}

/* Does this world have the IO set of traffic @i? */
static int has_set(int i)
{
	return io->nsets > 1 || !strchr(traffic[i], '@');
}

/* -- one job, greedy ----------------------------------------------------------- */

static double rate_by_levels(const struct flow *x, const double *level)
{
	double rate = INFINITY;

	for (uint32_t k = 0; k < x->n; k++)
		rate = level[x->res[k]] < rate ? level[x->res[k]] : rate;
	return rate;
}

static void check_prediction(const struct sfab_job *job)
{
	struct collect c = { .m = m, .part = &job->traffic->part[0] };
	double *level = calloc(m->nres, sizeof(*level));
	struct sfab_prediction p;
	double sum = 0, worst = 0;

	nflows = 0;
	ck_assert_int_eq(sfab_flows(m, job, c.part, collect_flow, &c, NULL), 0);
	sfab_route_clear(&c.r);
	fill_naively(m, INFINITY, 0, SFAB_NONE);
	ck_assert_int_eq(sfab_predict(m, job, 0, &p, level, NULL), 0);
	ck_assert_uint_eq(p.nflows, nflows);
	for (uint32_t i = 0; i < nflows; i++) {
		check_same(rate_by_levels(&flow[i], level), flow[i].level);
		sum += flow[i].level;
	}
	check_same(p.maxmin, sum);
	for (uint32_t e = 0; e < m->nres; e++) {
		double held, growing, x;

		for (uint32_t i = 0; i < nflows; i++)
			flow[i].level = -1;
		x = next_level(e, 1, &held, &growing);
		worst = growing > 0 && m->inv_cap[e] / x > worst ? m->inv_cap[e] / x : worst;
	}
	check_same(p.lockstep, worst > 0 ? nflows / worst : 0);
	free(level);
}

LOOP_TEST(one_job_is_the_sum_of_its_flows, NSHAPES * NTRAFFIC)
{
	uint64_t random = 11;
	struct sfab_traffic t;
	uint32_t host[64];
	struct sfab_job job = { .host = host, .traffic = &t };

	set_up_world(_i / NTRAFFIC);
	ck_assert_int_eq(sfab_traffic_parse(traffic[_i % NTRAFFIC], NULL, &t, NULL), 0);
	for (job.n = 1; job.n <= f->nhosts && has_set(_i % NTRAFFIC); job.n += 3) {
		draw_hosts(host, job.n, &random);
		check_prediction(&job);
	}
}

/* -- several jobs, each flow asks for its part ------------------------------------ */

#define JOBS 4

static double rate_of_filling(int ends, uint32_t only, uint32_t job)
{
	fill_naively(m, 1, ends, only);
	return naive_rate(job);
}

static double slowdown(double ideal, double rate)
{
	return rate > 0 && ideal > rate ? ideal / rate : 1;
}

/* Job @j beside the others, those of before it first. */
static void check_rates(const struct sfab_job *job, uint32_t j, int is_io)
{
	/* Only IO shares its ends with others: the servers. */
	double ideal = rate_of_filling(1, is_io ? SFAB_NONE : j, j);
	double naive = rate_of_filling(0, SFAB_NONE, j), rate, among;
	struct sfab_throughput *tp = sfab_throughput_create(m);

	for (uint32_t i = 0; i < JOBS; i++)
		ck_assert_int_eq(i == j ? 0 : sfab_throughput_add(tp, &job[i], NULL), 0);
	/* Twice: the flows of the others must still be theirs. */
	for (int k = 0; k < 2; k++) {
		ck_assert_int_eq(sfab_throughput_beside(tp, &job[j], &rate, &among, NULL), 0);
		check_same(rate, naive);
		check_same(among, slowdown(ideal, naive));
	}
	sfab_throughput_destroy(tp);
}

LOOP_TEST(rates_among_jobs_are_those_of_their_flows, NSHAPES)
{
	static const char *const sends[JOBS] = { "mpi=0.6+io-write=0.4", "io-read=0.8",
						 "neighbor=1", "io-write=1" };
	struct sfab_traffic t[JOBS];
	struct sfab_job job[JOBS];
	uint32_t host[64];
	uint64_t random = 5;
	double cpus[64], by_host[64];

	set_up_world(_i);
	draw_hosts(host, f->nhosts, &random);
	for (uint32_t i = 0; i < f->nhosts / JOBS; i++)
		cpus[i] = i % 3 ? 1 : 0.5;
	nflows = 0;
	for (uint32_t j = 0; j < JOBS; j++) {
		struct collect c = { .m = m, .cpus = by_host, .job = j };

		job[j] = (struct sfab_job){ .n = f->nhosts / JOBS, .cpus = cpus, .traffic = &t[j],
					    .host = host + j * (f->nhosts / JOBS) };
		t[j] = unit_traffic(sends[j]);
		for (uint32_t i = 0; i < job[j].n; i++)
			by_host[job[j].host[i]] = cpus[i];
		for (uint32_t i = 0; i < t[j].nparts; i++) {
			c.part = &t[j].part[i];
			ck_assert_int_eq(sfab_flows(m, &job[j], c.part, collect_flow, &c,
						    NULL), 0);
		}
		sfab_route_clear(&c.r);
	}
	for (uint32_t j = 0; j < JOBS; j++)
		check_rates(job, j, strstr(sends[j], "io") != NULL);
}

/* -- by hand ------------------------------------------------------------------- */

/*
 * By hand: one resource of 10, flows A and B on it, B also on one of 2, C on one of 100: B 2, A
 * 8, C 100; no more than 5 each if they ask for no more.
 */
TEST(maxmin_by_hand)
{
	static double inv_cap[] = { 1 / 10.0, 1 / 2.0, 1 / 100.0 }, amount[] = { 1, 1, 1 };
	static uint32_t first[] = { 0, 1, 3, 4 }, res[] = { 0, 0, 1, 2 };
	static const struct sfab_model of_three = { .nres = 3, .inv_cap = inv_cap };
	static const struct sfab_bundles b = { .n = 3, .first = first, .res = res,
					       .amount = amount };
	double rate[3], level[3];

	ck_assert_int_eq(sfab_maxmin(&of_three, 0, &b, INFINITY, rate, level, NULL), 0);
	ck_assert_double_eq_tol(rate[0], 8, 1e-12);
	ck_assert_double_eq_tol(rate[1], 2, 1e-12);
	ck_assert_double_eq_tol(rate[2], 100, 1e-12);
	ck_assert_double_eq_tol(level[0], 8, 1e-12);
	ck_assert_double_eq_tol(level[1], 2, 1e-12);
	ck_assert_int_eq(sfab_maxmin(&of_three, 0, &b, 5, rate, level, NULL), 0);
	ck_assert_double_eq_tol(rate[0], 5, 1e-12);
	ck_assert_double_eq_tol(rate[1], 2, 1e-12);
	ck_assert_double_eq_tol(rate[2], 5, 1e-12);
	ck_assert(isinf(level[0]) && isinf(level[2]));
}

/*
 * By hand: three writers on leaf 1 of a fabric whose tables use one spine, two IO hosts of 4
 * GB/s each on leaf 2.  The uplink of 4 GB/s is the limit: 4 of 8 GB/s, both by max-min and in
 * lockstep.
 */
TEST(prediction_by_hand)
{
	static const struct clos same_spine = { .leaves = 2, .spines = 2, .hosts = 3,
						.same_spine = 1 };
	static const char *const hosts[] = { "n4", "n5" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 2, .host = hosts };
	struct sfab_traffic t = unit_traffic("io-write+io-read");
	static const uint32_t host[] = { 0, 1, 2 };
	struct sfab_job job = { .n = 3, .host = host, .traffic = &t };
	struct sfab_prediction p;

	f = unit_fabric(&same_spine);
	io = unit_sets(f, &is, 1);
	m = unit_model(f, io);
	ck_assert_int_eq(sfab_predict(m, &job, 0, &p, NULL, NULL), 0);
	ck_assert_uint_eq(p.nflows, 6);
	ck_assert_double_eq_tol(p.maxmin, 4e9, 1);
	ck_assert_double_eq_tol(p.lockstep, 4e9, 1);
	ck_assert_double_eq_tol(p.ideal, 8e9, 1);
	ck_assert_double_eq_tol(p.ideal_share, 0.5, 1e-9);
	ck_assert_double_eq_tol(p.slowdown, 2, 1e-9);
	ck_assert_int_eq(f->links[p.worst_res].kind, SFAB_LINK_ISL);
}

/*
 * All of 3,000 hosts exchange: nine million flows, in 60 x 3,000 bundles.  Without switches
 * between leaves each port sends 4 GB/s.  Of the 50 x 2,950 flows that leave a leaf, half go up
 * each of two links.
 */
TEST(three_thousand_hosts_exchange)
{
	static const struct clos wide = { .leaves = 60, .spines = 2, .hosts = 50 };
	static uint32_t host[3000];
	struct sfab_traffic t = unit_traffic("mpi");
	struct sfab_job job = { .n = 3000, .host = host, .traffic = &t };
	struct sfab_prediction p;

	f = unit_fabric(&wide);
	m = unit_model(f, NULL);
	for (uint32_t i = 0; i < 3000; i++)
		host[i] = i;
	unit_must(sfab_predict(m, &job, 0, &p, NULL, &unit_err) == 0);
	ck_assert_uint_eq(p.nflows, 3000 * 2999);
	ck_assert_double_eq_tol(p.ideal, 3000 * LINK_CAPACITY, 1);
	ck_assert_double_eq_tol(p.lockstep, 3000 * 2999 * LINK_CAPACITY / (50 * 2950 / 2), 1);
}

UNIT_MAIN("maxmin")
