/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The score's terms against values worked out by hand, and the running jobs.
 *
 * Fabric: leaf1 n1-n3, leaf2 n4-n6, all routes over spine1, 4 GB/s links.
 * Job J: n1 n2 n4 n5, mpi=1.  Each node sends 4 GB/s, 4/3 to each other one;
 * four pairs cross each way: 16/3 GB/s on 4 GB/s links, ends just full.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/search/score.h"
#include "tests/unit/fixtures/made.h"

#include <math.h>
#include <string.h>

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_scorer *sc;

static void set_up(void)
{
	static const struct made shape = { .leaves = 2, .spines = 2, .hosts = 3,
					   .same_spine = 1 };
	static const char *const hosts[] = { "n6" };
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 1, .host = hosts };

	f = made_fabric(&shape);
	io = sfab_iosets_create(f, &is, 1, NULL);
	m = sfab_model_create(f, io);
	js = sfab_jobs_create(m);
	sc = sfab_scorer_create(m);
	ck_assert(io && m && js && sc);
}

static void tear_down(void)
{
	sfab_scorer_destroy(sc);
	sfab_jobs_destroy(js);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
}

static struct sfab_traffic t;

/* Hosts by number of n1..n6; ids are in name order. */
static struct sfab_spec spec(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = { .n = n, .host = host, .traffic = &t };

	ck_assert_int_eq(sfab_traffic_parse(traffic, NULL, &t, NULL), 0);
	return s;
}

static void start(uint64_t id, const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = spec(traffic, n, host);

	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
}

static const uint32_t J[] = { 0, 1, 3, 4 };
static const uint32_t other[] = { 2, 5 };

static struct sfab_score score(const char *traffic, uint32_t n, const uint32_t *host)
{
	struct sfab_spec s = spec(traffic, n, host);
	struct sfab_score out;

	ck_assert_int_eq(sfab_score(sc, js, &s, NULL, NULL, &out, NULL), 0);
	return out;
}

static uint32_t uplink(void)
{
	return f->switches[sfab_fabric_switch_by_guid(f, 0x100)].out[4];
}

START_TEST(self_is_what_the_fabric_costs)
{
	struct sfab_score s = score("mpi=1", 4, J);

	ck_assert_double_eq_tol(s.term[SFAB_TERM_SELF], 1.0 / 3, 1e-12);
	ck_assert_double_eq_tol(s.worst, 4.0 / 3, 1e-12);
	ck_assert_double_eq_tol(s.slowdown, 4.0 / 3, 1e-12);
	ck_assert_double_eq(s.term[SFAB_TERM_OVERLAP], 0);
	ck_assert_double_eq(s.term[SFAB_TERM_HARM], 0);
	ck_assert_uint_eq(s.leaves, 2);
}
END_TEST

START_TEST(overlap_and_harm_with_a_running_job)
{
	struct sfab_score s;

	start(7, "mpi=0.5", 2, other);	/* 2 GB/s each way on the same links */
	s = score("mpi=1", 4, J);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OVERLAP], 0.5, 1e-12);
	/* two hosts, from 1 to 1/2 + 4/3: 2 x (5/6) / 4 */
	ck_assert_double_eq_tol(s.term[SFAB_TERM_HARM], 2 * (5.0 / 6) / 4, 1e-12);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_SLOWED], 5.0 / 6, 1e-12);
	ck_assert_double_eq_tol(s.slowdown, 0.5 + 4.0 / 3, 1e-12);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_SELF], 1.0 / 3, 1e-12);
}
END_TEST

START_TEST(io_sharing_counts_links_and_the_io_port)
{
	static const uint32_t a[] = { 0 }, b[] = { 1 };
	struct sfab_score s;

	start(7, "io-write=0.25", 1, b);	/* 1 of 4 GB/s */
	s = score("io-write=0.5", 1, a);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_IO_SHARING], 0.25, 1e-12);
	ck_assert_double_eq(s.term[SFAB_TERM_OVERLAP], 0);
}
END_TEST

START_TEST(live_is_the_share_of_waiting)
{
	double *wait = calloc(m->nres, sizeof(*wait));
	struct sfab_score s;

	wait[uplink()] = 0.2;
	sfab_jobs_set_measured(js, NULL, wait);
	s = score("mpi=1", 4, J);
	/* (16/3 x 0.2) of 4 x 16/3 on ISLs and 8 x 4 at the ends */
	ck_assert_double_eq_tol(s.term[SFAB_TERM_LIVE], 0.02, 1e-12);
	free(wait);
}
END_TEST

START_TEST(unexplained_load_is_background)
{
	double *extra = calloc(m->nres, sizeof(*extra));
	struct sfab_score s;

	extra[uplink()] = 2e9;
	sfab_jobs_set_measured(js, extra, NULL);
	s = score("mpi=1", 4, J);
	/* one of four equally loaded links is half full */
	ck_assert_double_eq_tol(s.term[SFAB_TERM_OVERLAP], 0.125, 1e-12);
	free(extra);
}
END_TEST

START_TEST(contention_is_what_the_job_suffers)
{
	struct sfab_score s;

	start(7, "mpi=0.5", 2, other);
	s = score("mpi=1", 4, J);
	ck_assert_double_eq_tol(s.term[SFAB_TERM_CONTENTION], 0.5, 1e-12);
}
END_TEST

START_TEST(broken_counts_leaves_left_in_part)
{
	static const uint8_t avail[] = { 1, 1, 1, 1, 1, 0 };
	static const uint32_t one[] = { 0 }, both[] = { 0, 3 }, full[] = { 3, 4 };
	const struct { const uint32_t *host; uint32_t n; double broken; } c[] = {
		{ one, 1, 1 },		/* leaf1 was whole: n6 is the IO host */
		{ both, 2, 3 },		/* so was leaf2; one leaf would do */
		{ full, 2, 0 },		/* leaf2 is used up */
	};
	struct sfab_space room;
	struct sfab_score out;

	ck_assert_int_eq(sfab_space_init(&room, m, avail, NULL, 2), 0);
	ck_assert_uint_eq(room.fewest, 1);
	for (int i = 0; i < 3; i++) {
		struct sfab_spec s = spec("mpi", c[i].n, c[i].host);

		ck_assert_int_eq(sfab_score(sc, js, &s, &room, NULL, &out, NULL), 0);
		ck_assert_double_eq(out.term[SFAB_TERM_BROKEN], c[i].broken);
	}
	sfab_space_free(&room);
}
END_TEST

START_TEST(the_total_is_the_weighted_sum)
{
	struct sfab_score s;
	double sum = 0;

	start(7, "mpi=0.5", 2, other);
	s = score("mpi=1", 4, J);
	for (int i = 0; i < SFAB_NTERMS; i++)
		sum += s.weight[i] * s.term[i];
	ck_assert_double_eq_tol(s.total, sum, 1e-12);
}
END_TEST

/* As a search asks: below the bar all is as without one, and none of it else. */
static int compare_under(double key, struct sfab_spec s)
{
	struct sfab_bar bar = { .key = key };
	struct sfab_score quick, under;
	uint64_t visits;
	int rc;

	ck_assert_int_eq(sfab_score_quick(sc, js, &s, NULL, NULL, &quick, NULL), 0);
	visits = sfab_jobs_visits(js);
	rc = sfab_score_under(sc, js, &s, NULL, NULL, &bar, &under, NULL);
	ck_assert_int_ge(rc, 0);
	if (rc > 0) {
		ck_assert_double_gt(sfab_score_key(&quick, &bar), key);
		ck_assert_uint_eq(sfab_jobs_visits(js), visits);
		return 1;
	}
	ck_assert_mem_eq(&quick, &under, sizeof(quick));
	return 0;
}

START_TEST(a_set_over_the_bar_is_left_at_that)
{
	static const char *const traffic[] = { "mpi=1", "io-write=1", "io-read=0.3",
					       "mpi=0.5+io-write=0.5" };

	int over = 0;

	start(7, "mpi=1", 2, other);
	for (int i = 0; i < 4; i++) {
		struct sfab_score s = score(traffic[i], 4, J);
		double alone = s.term[SFAB_TERM_SELF];

		ck_assert_int_eq(compare_under(INFINITY, spec(traffic[i], 4, J)), 0);
		ck_assert_int_eq(compare_under(s.total + 1e-6, spec(traffic[i], 4, J)), 0);
		ck_assert_int_eq(compare_under(-1e-6, spec(traffic[i], 4, J)), 1);
		if (alone > 0)
			ck_assert_int_eq(compare_under(alone * 0.999,
						       spec(traffic[i], 4, J)), 1);
		over += alone > 0;
	}
	ck_assert_int_gt(over, 0);
}
END_TEST

/* What IO has of the weight of broken, beside the jobs of now. */
static double part_of_leaves(void)
{
	struct sfab_score s = score("io-write=0.5", 2, other);

	return s.weight[SFAB_TERM_BROKEN] /
	       sfab_default_weights[SFAB_TERM_BROKEN];
}

START_TEST(io_spares_leaves_for_those_that_talk)
{
	static const uint32_t b[] = { 3 };

	ck_assert_double_eq(part_of_leaves(), 0);
	start(7, "io-write=0.5", 3, J);
	ck_assert_double_eq(part_of_leaves(), 0);
	start(8, "mpi=0.4+io-write=0.3", 1, b);
	ck_assert_double_eq_tol(part_of_leaves(), 0.05, 1e-12);
	sfab_jobs_suspend(js, 7);
	ck_assert_double_eq_tol(part_of_leaves(), 0.1, 1e-12);
	sfab_jobs_remove(js, 8);
	ck_assert_double_eq(part_of_leaves(), 0);
	sfab_jobs_resume(js, 7);
	ck_assert_double_eq(part_of_leaves(), 0);
}
END_TEST

START_TEST(the_order_of_the_set_does_not_matter)
{
	static const uint32_t mixed[] = { 4, 0, 3, 1 };
	struct sfab_score a = score("mpi=0.6+io-write=0.3+neighbor=0.1", 4, J);
	struct sfab_score b = score("mpi=0.6+io-write=0.3+neighbor=0.1", 4, mixed);

	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq_tol(a.term[i], b.term[i], 1e-12);
}
END_TEST

START_TEST(an_empty_job_changes_nothing)
{
	static const uint32_t none[] = { 0 };
	struct sfab_score s = score("mpi=1", 0, none);

	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq(s.term[i], 0);
	start(7, "mpi=0", 2, other);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(sfab_jobs_background(js)[e], 0);
}
END_TEST

START_TEST(events_may_come_twice)
{
	start(7, "mpi=0.5", 2, other);
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 2e9, 1);
	sfab_jobs_suspend(js, 7);
	sfab_jobs_suspend(js, 7);
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0);
	sfab_jobs_resume(js, 7);
	sfab_jobs_resume(js, 7);
	ck_assert_double_eq_tol(sfab_jobs_background(js)[uplink()], 2e9, 1);
	ck_assert_double_eq_tol(sfab_jobs_slowdown(js, 7), 1, 1e-12);
	sfab_jobs_remove(js, 7);
	sfab_jobs_remove(js, 7);
	ck_assert_double_eq(sfab_jobs_background(js)[uplink()], 0);
	ck_assert_uint_eq(sfab_jobs_count(js), 0);
}
END_TEST

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
START_TEST(a_stream_of_jobs_leaves_no_trace)
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
			start(id, kinds[seed >> 20 & 3], 2, host);
		check_slowdowns();
	}
	for (uint64_t id = 0; id < 32; id++)
		sfab_jobs_remove(js, id);
	for (uint32_t e = 0; e < m->nres; e++)
		ck_assert_double_eq(sfab_jobs_background(js)[e], 0);
}
END_TEST

START_TEST(a_job_cannot_start_twice)
{
	struct sfab_spec s = spec("mpi", 2, other);
	struct sfab_err err;

	start(7, "mpi", 2, other);
	ck_assert_int_eq(sfab_jobs_add(js, 7, &s, &err), -1);
	ck_assert_str_eq(err.text, "job 7 is already running");
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, self_is_what_the_fabric_costs);
	tcase_add_test(tc, overlap_and_harm_with_a_running_job);
	tcase_add_test(tc, io_sharing_counts_links_and_the_io_port);
	tcase_add_test(tc, live_is_the_share_of_waiting);
	tcase_add_test(tc, unexplained_load_is_background);
	tcase_add_test(tc, contention_is_what_the_job_suffers);
	tcase_add_test(tc, broken_counts_leaves_left_in_part);
	tcase_add_test(tc, the_total_is_the_weighted_sum);
	tcase_add_test(tc, a_set_over_the_bar_is_left_at_that);
	tcase_add_test(tc, io_spares_leaves_for_those_that_talk);
	tcase_add_test(tc, the_order_of_the_set_does_not_matter);
	tcase_add_test(tc, an_empty_job_changes_nothing);
	tcase_add_test(tc, events_may_come_twice);
	tcase_add_test(tc, a_stream_of_jobs_leaves_no_trace);
	tcase_add_test(tc, a_job_cannot_start_twice);
}

UNIT_MAIN("score", list)
