/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running jobs against the plain way: each slowdown and harm is worked out
 * anew from what every job asks of every resource.  And what starts and ends cost
 * where many jobs share all their links.
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "core/load/jobs_private.h"
#include "tests/unit/fixtures/made.h"

#define JOBS 24			/* ids of the random stream */

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

static void open_fabric(const struct made *shape)
{
	static const char *const hosts[] = { "n2", "n9" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 2, .host = hosts };

	f = made_fabric(shape);
	io = sfab_iosets_create(f, &is, 1, NULL);
	m = sfab_model_create(f, io);
	js = sfab_jobs_create(m);
	ck_assert(io && m && js);
}

static void set_up(void)
{
	static const struct made shape = { .leaves = 5, .spines = 2, .hosts = 4 };

	open_fabric(&shape);
}

static void tear_down(void)
{
	sfab_jobs_destroy(js);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
}

/* -- the plain way -------------------------------------------------------- */

struct plain {			/* of one job */
	double *asks;		/* [nres] */
	uint32_t hosts;
};

static struct plain plain[JOBS];

/* Suspended ones ask for nothing. */
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

/* S of job @id with @add (NULL: nothing) besides all the others. */
static double plain_slowdown(uint32_t id, const double *measured, const double *add)
{
	double top = 1, end_top = 1;

	for (uint32_t e = 0; e < m->nres; e++) {
		double x = measured[e];

		if (!(plain[id].asks[e] > 0))
			continue;
		for (uint32_t k = 0; k < JOBS; k++)
			x += plain[k].asks[e];
		x = (x + (add ? add[e] : 0)) * m->inv_cap[e];
		top = fmax(top, x);
		if (m->end[e])
			end_top = fmax(end_top, x);
	}
	return top / end_top;
}

static double plain_harm(const struct sfab_load *add, const double *measured,
			 double *slowed)
{
	double harm = 0;

	*slowed = 0;
	for (uint32_t id = 0; id < JOBS; id++) {
		double more = plain_slowdown(id, measured, add->v) -
			      plain_slowdown(id, measured, NULL);

		*slowed += fmax(more, 0);
		harm += plain[id].hosts * fmax(more, 0);
	}
	return harm;
}

/* -- a random stream ------------------------------------------------------ */

static struct sfab_spec any_spec(uint32_t *host, struct sfab_traffic *t)
{
	static const char *const sends[] = { "mpi=1", "mpi=0.3+io-write@io=0.7",
					     "io-read=1", "neighbor=1", "mpi=0.05" };
	struct sfab_spec s = { .n = 1 + draw(9), .host = host, .traffic = t };
	uint32_t first = draw(f->nhosts);

	for (uint32_t i = 0; i < s.n; i++)
		host[i] = (first + 2 * i) % f->nhosts;
	ck_assert_int_eq(sfab_traffic_parse(sends[draw(5)], NULL, t, NULL), 0);
	return s;
}

static void any_event(double *measured)
{
	uint32_t id = draw(JOBS), host[16], what = draw(8);
	struct sfab_traffic t;
	struct sfab_spec s = any_spec(host, &t);

	if (what < 3 && !sfab_jobs_has(js, id)) {
		ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
		plain[id].hosts = s.n;
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
			measured[e] = draw(3) ? 0 : draw(1000) * MADE_CAPACITY / 900;
		sfab_jobs_set_measured(js, measured, NULL);
	}
}

static void compare(const double *measured, struct sfab_load *add)
{
	struct sfab_traffic t;
	uint32_t host[16];
	struct sfab_spec s = any_spec(host, &t);
	double slowed, plain_slowed, harm;

	work_out();
	for (uint32_t id = 0; id < JOBS; id++)
		ck_assert_double_eq_tol(sfab_jobs_slowdown(js, id),
					plain_slowdown(id, measured, NULL), 1e-9);
	sfab_load_clear(add);
	ck_assert_int_eq(sfab_demand(m, &s, add, add, NULL, NULL), 0);
	harm = sfab_jobs_harm(js, add, NULL, &slowed);
	ck_assert_double_eq_tol(harm, plain_harm(add, measured, &plain_slowed), 1e-9);
	ck_assert_double_eq_tol(slowed, plain_slowed, 1e-9);
	forget();
}

START_TEST(any_stream_comes_to_what_the_plain_way_says)
{
	double *measured = calloc(m->nres, sizeof(*measured));
	uint32_t harmed = 0;
	struct sfab_load add;

	ck_assert_int_eq(sfab_load_init(&add, m->nres), 0);
	seed = (unsigned) _i;
	for (int k = 0; k < 400; k++) {
		double ignore;

		any_event(measured);
		if (draw(3))
			continue;	/* several events between two questions */
		compare(measured, &add);
		harmed += sfab_jobs_harm(js, &add, NULL, &ignore) > 0;
	}
	ck_assert_uint_gt(harmed, 5);
	sfab_load_free(&add);
	free(measured);
}
END_TEST

/* -- what it costs -------------------------------------------------------- */

/* Job @id on every third host of all leaves: they share all their links. */
static void start_wide(uint64_t id)
{
	uint32_t host[64], n = 0;
	struct sfab_traffic t;
	struct sfab_spec s = { .host = host, .traffic = &t };

	for (uint32_t h = (uint32_t) id % 3; h < f->nhosts && n < 64; h += 3)
		if (!m->io_host[h])
			host[n++] = h;
	s.n = n;
	ck_assert_int_eq(sfab_traffic_parse("mpi=1", NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

START_TEST(events_look_at_no_other_job)
{
	double slowed;

	for (uint64_t id = 1; id <= 200; id++)
		start_wide(id);
	sfab_jobs_suspend(js, 7);
	sfab_jobs_resume(js, 7);
	sfab_jobs_remove(js, 8);
	ck_assert_uint_eq(js->looked, 0);
	sfab_load_clear(&js->scratch);
	sfab_jobs_harm(js, &js->scratch, NULL, &slowed);
	ck_assert_uint_gt(js->looked, 0);
	ck_assert_uint_le(js->looked, 4 * (js->nuses + js->nslots));
	ck_assert_uint_eq(sfab_jobs_visits(js), 0);
}
END_TEST

START_TEST(nothing_is_looked_at_twice)
{
	uint64_t before;

	for (uint64_t id = 1; id <= 50; id++)
		start_wide(id);
	ck_assert_double_gt(sfab_jobs_slowdown(js, 3), 1);
	before = js->looked;
	for (uint64_t id = 1; id <= 50; id++)
		sfab_jobs_slowdown(js, id);
	ck_assert_uint_eq(js->looked, before);
}
END_TEST

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

START_TEST(eight_times_the_jobs_cost_eight_times_the_time)
{
	double few, many;

	tear_down();
	open_fabric(&(struct made){ .leaves = 12, .spines = 6, .hosts = 12 });
	stream(100);		/* lists have grown */
	few = stream(100);
	many = stream(800);
	ck_assert_msg(many < 24 * few, "100 jobs take %g s, 800 take %g s", few, many);
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, any_stream_comes_to_what_the_plain_way_says, 0, 20);
	tcase_add_test(tc, events_look_at_no_other_job);
	tcase_add_test(tc, nothing_is_looked_at_twice);
	tcase_add_test(tc, eight_times_the_jobs_cost_eight_times_the_time);
}

UNIT_MAIN("jobs", list)
