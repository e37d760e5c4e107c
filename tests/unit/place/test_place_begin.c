/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_begin.c - jobs begin: the decision is committed, the fabric is loaded, the admin
 * reads it
 */

#include "tests/unit/fixtures/unit.h"

#include "core/load/jobs.h"
#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"

/* Of service_shape and SERVICE_CONF; some tests start another. */
static struct service t;

static void set_up(void)
{
	service_start(&t, &service_shape, SERVICE_CONF);
}

/* -- begin and the comment ------------------------------------------------ */

TEST(the_decision_is_committed_at_begin)
{
	const struct sfab_decision *d;
	char buf[SFAB_COMMENT_MORE];

	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(service_log_count("JobId=7"), 0);
	service_begin(&t, d, 7);
	ck_assert_int_eq(service_log_count("JobId=7: placed by its routes, 4 nodes"), 1);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	/* What it means first; only numbers that are not 0. */
	ck_assert_ptr_eq(strstr(buf, "sfabric:placed, "), buf);
	ck_assert_ptr_nonnull(strstr(buf, ", uses no switch link, traffic=mpi="));
	ck_assert_ptr_nonnull(strstr(buf, " score="));
	ck_assert_ptr_null(strstr(buf, "=0.000 "));
	ck_assert_ptr_null(strstr(buf, " others="));
}

TEST(a_job_on_other_nodes_was_not_placed)
{
	char buf[SFAB_COMMENT_MORE];

	t.node[15] = 0;
	service_ask(&t, 7, 1);
	service_begin_on(&t, 7, &(uint32_t){ 15 }, 1, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_eq(strstr(buf, "sfabric:stock refused"), buf);
	/* nor one that nobody asked about */
	service_begin_on(&t, 8, &(uint32_t){ 14 }, 1, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 0);
}

TEST(an_old_part_of_the_comment_is_removed)
{
	char buf[SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, SERVICE_CONF "AdminComment=no\n");
	service_begin(&t, service_ask(&t, 7, 4), 7);
	ck_assert_int_eq(sfab_place_comment(t.p, "mine", buf, sizeof(buf)), 0);
	ck_assert_int_eq(sfab_place_comment(t.p, "mine; sfabric:placed x", buf,
					    sizeof(buf)), 1);
	ck_assert_str_eq(buf, "mine");
}

/* -- running jobs and generations ---------------------------------------------- */

/* Bytes/s that running jobs ask of the fabric. */
static double background(void)
{
	const double *b = sfab_jobs_background(sfab_place_generation(t.p)->jobs);
	double sum = 0;

	for (uint32_t i = 0; i < sfab_place_generation(t.p)->model->nres; i++)
		sum += b[i];
	return sum;
}

TEST(running_jobs_load_the_fabric)
{
	const uint32_t nodes[] = { 0, 4, 8 };
	double one;

	ck_assert_double_eq(background(), 0);
	service_begin_on(&t, 7, nodes, 3, 0);
	one = background();
	ck_assert_double_gt(one, 0);
	service_begin_on(&t, 7, nodes, 3, 0);	/* twice */
	ck_assert_double_eq_tol(background(), one, 1e-3);
	sfab_place_suspend(t.p, 7, SFAB_RUN_FREES_CPUS);
	ck_assert_double_eq_tol(background(), 0, 1e-3);
	sfab_place_resume(t.p, 7);
	ck_assert_double_eq_tol(background(), one, 1e-3);
	sfab_place_shrink(t.p, 7, 8);
	ck_assert_double_lt(background(), one);
	sfab_place_end(t.p, 7, 0);
	sfab_place_end(t.p, 7, 0);
	ck_assert_double_eq_tol(background(), 0, 1e-3);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 0);
}

TEST(running_jobs_move_to_the_next_generation)
{
	const struct clos bigger = { .leaves = 4, .spines = 3, .hosts = 4 };
	const uint32_t nodes[] = { 0, 4, 8 };
	double one, other;

	service_begin_on(&t, 7, nodes, 3, 0);
	service_begin_on(&t, 8, (uint32_t[]){ 1, 5 }, 2, SFAB_RUN_SUSPENDED);
	one = background();
	ck_assert_int_eq(sfab_place_use_snapshot(t.p, service_snapshot(&bigger),
						 service_parse_conf(SERVICE_CONF), NULL), 0);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 2);
	other = background();
	ck_assert_double_eq_tol(other, one, 1e-3);	/* as many links a flow */
	ck_assert_int_eq(service_ask(&t, 9, 4)->reason, SFAB_PLACED);
	sfab_place_end(t.p, 7, 0);
	ck_assert_double_eq_tol(background(), 0, 1e-3);
	sfab_place_resume(t.p, 8);
	ck_assert_double_gt(background(), 0);
}

TEST(a_new_node_table_forgets_jobs)
{
	service_begin_on(&t, 7, (uint32_t[]){ 0, 4 }, 2, 0);
	service_set_nodes(&t, 12);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 0);
	ck_assert_double_eq_tol(background(), 0, 1e-3);
	service_begin_on(&t, 7, (uint32_t[]){ 0, 4, 14 }, 3, SFAB_RUN_KNOWN);
	ck_assert_uint_eq(sfab_place_count_running(t.p), 1);
	ck_assert_int_eq(service_ask(&t, 9, 4)->reason, SFAB_PLACED);
}

UNIT_MAIN_WITH("place begin", set_up, NULL)
