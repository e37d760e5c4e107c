/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_jobs.c - the running jobs against the plain way: each slowdown, and what each loses to
 * one more, is computed again from what every job asks of every resource.  And what starts and
 * ends cost where many jobs share all their links.
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>
#include <time.h>

#include "core/load/demand.h"
#include "core/load/jobs_private.h"
#include "tests/unit/fixtures/fabrics.h"

#define JOBS 24			/* ids of the random stream */
#define FEW 1e-4		/* of a capacity: less does not count */

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static unsigned seed;

static unsigned draw(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 12) % n;
}

static void open_fabric(const struct clos *shape)
{
	f = unit_fabric(shape);
	io = unit_servers(f, "io", "n2 n9", 0);
	m = unit_model(f, io);
	js = unit_jobs(m);
}

static void set_up(void)
{
	static const struct clos shape = { .leaves = 5, .spines = 2, .hosts = 4 };

	open_fabric(&shape);
}

/* -- the plain way -------------------------------------------------------- */

struct job_demand {
	double *asks;		/* [nres] */
	uint32_t n, host[16];
	struct sfab_traffic t;
};

static struct job_demand plain[JOBS];

/* Add up what all jobs ask for; suspended ones ask for nothing. */
static void work_out(void)
{
	for (uint32_t id = 0; id < JOBS; id++) {
		plain[id].asks = calloc(m->nres, sizeof(double));
		sfab_jobs_add_demand(js, id, m->nres, plain[id].asks);
	}
}

static void forget(void)
{
	for (uint32_t id = 0; id < JOBS; id++)
		free(plain[id].asks);
}

/* Return the slowdown of job @id beside all the others. */
static double plain_slowdown(uint32_t id, const double *measured)
{
	double top = 1, end_top = 1;

	for (uint32_t e = 0; e < m->nres; e++) {
		double x = measured[e];

		if (!(plain[id].asks[e] > 0))
			continue;
		for (uint32_t k = 0; k < JOBS; k++)
			x += plain[k].asks[e];
		x *= m->inv_cap[e];
		top = fmax(top, x);
		if (!m->isl[e])
			end_top = fmax(end_top, x);
	}
	return top / end_top;
}

/* What the class @class of job @id asks for, if servers let all through. */
static double *asked_by(uint32_t id, enum sfab_class class)
{
	struct sfab_traffic t = { 0 };
	struct sfab_job s = { .n = plain[id].n, .host = plain[id].host, .traffic = &t };
	double *v = calloc(m->nres, sizeof(*v));
	struct sfab_load l;

	for (uint32_t i = 0; i < plain[id].t.nparts; i++)
		if (plain[id].t.part[i].class == class)
			t.part[t.nparts++] = plain[id].t.part[i];
	ck_assert(v && sfab_load_init(&l, m->nres) == 0);
	ck_assert_int_eq(sfab_demand(m, &s, &l, NULL), 0);
	for (uint32_t e = 0; e < m->nres; e++)
		v[e] = floor(l.v[e] + 0.5);
	sfab_load_free(&l);
	return v;
}

/* Compute what a job loses by its steps: as on the worst link, or the sum of all if less. */
static double plain_lost_in_steps(const double *asks, double share, const double *add)
{
	double max = 0, sum = 0;

	for (uint32_t e = 0; e < m->nres; e++) {
		double b = add[e] * m->inv_cap[e];

		if (!m->isl[e] || !(asks[e] > 0) || !(b > FEW))
			continue;
		max = fmax(max, b);
		sum += b * asks[e] / share * m->inv_cap[e];
	}
	return share * fmin(max, sum);
}

/* Its worst link with @add, and without. */
static double plain_lost_at_once(const double *asks, double share, double passes,
				 const double *add)
{
	const double *b = sfab_jobs_background(js);
	double ends = 1, with = 1, now = 1;

	for (uint32_t e = 0; e < m->nres; e++)
		if (!m->isl[e])
			ends = fmax(ends, asks[e] / share * m->inv_cap[e]);
	for (uint32_t e = 0; e < m->nres; e++) {
		double x = asks[e] / share / ends + fmax(b[e] - passes * asks[e], 0);

		if (!m->isl[e] || !(asks[e] > 0))
			continue;
		now = fmax(now, x * m->inv_cap[e]);
		if (add[e] * m->inv_cap[e] > FEW)
			with = fmax(with, (x + add[e]) * m->inv_cap[e]);
	}
	return share * fmax(with - now, 0);
}

static double plain_lost(uint32_t id, const double *add)
{
	double sum = 0;

	for (uint32_t i = 0; i < plain[id].t.nparts; i++) {
		const struct sfab_traffic_part *part = &plain[id].t.part[i];
		double *asks = asked_by(id, part->class);

		sum += !sfab_class_is_io(part->class) ?
			plain_lost_in_steps(asks, part->share, add) :
			plain_lost_at_once(asks, part->share,
					   js->served[part->class == SFAB_IO_READ].ratio, add);
		free(asks);
	}
	return plain[id].n * sum;
}

/* Sum what the jobs lose that run and are not suspended. */
static double plain_lost_by_all(const double *add)
{
	double sum = 0;

	for (uint32_t id = 0; id < JOBS; id++)
		if (sfab_jobs_has(js, id) && !sfab_jobs_find(js, id)->suspended)
			sum += plain_lost(id, add);
	return sum;
}

/* -- a random stream ------------------------------------------------------ */

static struct sfab_job any_spec(uint32_t *host, struct sfab_traffic *t)
{
	static const char *const sends[] = { "mpi=1", "mpi=0.3+io-write@io=0.7",
					     "io-read=1", "neighbor=1", "mpi=0.05" };
	struct sfab_job s = { .n = 1 + draw(9), .host = host, .traffic = t };
	uint32_t first = draw(f->nhosts);

	for (uint32_t i = 0; i < s.n; i++)
		host[i] = (first + 2 * i) % f->nhosts;
	ck_assert_int_eq(sfab_traffic_parse(sends[draw(5)], NULL, t, NULL), 0);
	return s;
}

static void any_event(double *measured)
{
	uint32_t id = draw(JOBS), what = draw(8);

	if (what < 3 && !sfab_jobs_has(js, id)) {
		struct sfab_job s = any_spec(plain[id].host, &plain[id].t);

		ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
		plain[id].n = s.n;
	} else if (what == 3) {
		sfab_jobs_remove(js, id);
	} else if (what == 4) {
		sfab_jobs_end(js, id, 1000);
	} else if (what == 5) {
		sfab_jobs_suspend(js, id);
	} else if (what == 6) {
		sfab_jobs_resume(js, id);
	} else if (!draw(5)) {
		for (uint32_t e = 0; e < m->nres; e++)
			measured[e] = draw(3) ? 0 : draw(1000) * LINK_CAPACITY / 900;
		sfab_jobs_set_measured(js, measured, NULL);
	}
}

static void compare(const double *measured, struct sfab_load *add)
{
	struct sfab_traffic t;
	uint32_t host[16];
	struct sfab_job s = any_spec(host, &t);

	work_out();
	for (uint32_t id = 0; id < JOBS; id++)
		ck_assert_double_eq_tol(sfab_jobs_slowdown(js, id),
					plain_slowdown(id, measured), 1e-9);
	sfab_load_clear(add);
	ck_assert_int_eq(sfab_demand(m, &s, add, NULL), 0);
	ck_assert_double_eq_tol(sfab_jobs_lost_to(js, add), plain_lost_by_all(add->v), 1e-9);
	forget();
}

LOOP_TEST(any_stream_comes_to_what_the_plain_way_says, 20)
{
	double *measured = calloc(m->nres, sizeof(*measured));
	uint32_t losing = 0;
	struct sfab_load add;

	ck_assert_int_eq(sfab_load_init(&add, m->nres), 0);
	seed = (unsigned) _i;
	for (int k = 0; k < 400; k++) {
		any_event(measured);
		if (draw(3))
			continue;	/* several events between two questions */
		compare(measured, &add);
		losing += sfab_jobs_lost_to(js, &add) > 0;
	}
	ck_assert_uint_gt(losing, 5);
	sfab_load_free(&add);
	free(measured);
}

/* One more job comes and goes: the others lose exactly what they lost before. */
LOOP_TEST(a_job_that_ends_leaves_no_trace, 10)
{
	double *measured = calloc(m->nres, sizeof(*measured));
	struct sfab_load add;
	uint32_t differs = 0;

	ck_assert_int_eq(sfab_load_init(&add, m->nres), 0);
	seed = 100u + (unsigned) _i;
	for (int k = 0; k < 200; k++) {
		struct sfab_traffic t;
		uint32_t host[16];
		struct sfab_job s = any_spec(host, &t);
		double before;

		any_event(measured);
		sfab_load_clear(&add);
		ck_assert_double_eq(sfab_jobs_lost_to(js, &add), 0);
		ck_assert_int_eq(sfab_demand(m, &s, &add, NULL), 0);
		before = sfab_jobs_lost_to(js, &add);
		s = any_spec(host, &t);
		ck_assert_int_eq(sfab_jobs_add(js, JOBS, &s, NULL), 0);
		differs += sfab_jobs_lost_to(js, &add) != before;
		sfab_jobs_remove(js, JOBS);
		ck_assert_double_eq(sfab_jobs_lost_to(js, &add), before);
	}
	ck_assert_uint_gt(differs, 50);
	sfab_load_free(&add);
	free(measured);
}

/* -- what it costs -------------------------------------------------------- */

/* Job @id on every third host of all leaves: they share all their links. */
static void start_wide(uint64_t id)
{
	uint32_t host[64], n = 0;
	struct sfab_traffic t = unit_traffic("mpi=1");
	struct sfab_job s = { .host = host, .traffic = &t };

	for (uint32_t h = (uint32_t) id % 3; h < f->nhosts && n < 64; h += 3)
		if (!m->io_host[h])
			host[n++] = h;
	s.n = n;
	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

/* CPU seconds to start @n wide jobs and to end half of them, the best of three. */
static double stream(uint64_t n)
{
	double best = INFINITY;

	for (int k = 0; k < 3; k++) {
		struct timespec a, b;

		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
		for (uint64_t id = 1; id <= n; id++)
			start_wide(id);
		for (uint64_t id = 1; id <= n; id += 2)
			sfab_jobs_remove(js, id);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
		for (uint64_t id = 2; id <= n; id += 2)
			sfab_jobs_remove(js, id);
		best = fmin(best, (double) (b.tv_sec - a.tv_sec) +
			    1e-9 * (double) (b.tv_nsec - a.tv_nsec));
	}
	return best;
}

TEST(eight_times_the_jobs_cost_eight_times_the_time)
{
	double few, many;

	open_fabric(&(struct clos){ .leaves = 12, .spines = 6, .hosts = 12 });
	stream(100);		/* lists have grown */
	few = stream(100);
	many = stream(800);
	ck_assert_msg(many < 24 * few, "100 jobs take %g s, 800 take %g s", few, many);
}

UNIT_MAIN_WITH("jobs", set_up, NULL)
