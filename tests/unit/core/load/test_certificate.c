/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_certificate.c - certificates whose answer is obvious, by hand
 *
 * leaf1 n1..n4, leaf2 n5..n8, two spines of 4 GB/s links.  LIDs are the numbers of the hosts:
 * odd ones go up to spine2, even ones to spine1.  So n1 n5 and n3 n7 meet on all four links of
 * spine2, and n1 n3 n5 n7 never meets n2 n4 n6 n8.
 */

#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/unit.h"

#include "core/load/certificate.h"
#include "tests/unit/fixtures/fabrics.h"

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_jobs *js;
static struct sfab_stepper *sp;

static const struct clos classes = { .leaves = 2, .spines = 2, .hosts = 4 };
static const struct clos one_spine = { .leaves = 2, .spines = 2, .hosts = 2,
				       .same_spine = 1 };
static const struct clos wide = { .leaves = 10, .spines = 4, .hosts = 20,
				  .same_spine = 1 };

static void open_machine(const struct clos *shape, const char *server)
{
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = 1,
					    .host = &server };

	f = unit_fabric(shape);
	io = server ? unit_sets(f, &is, 1) : NULL;
	m = unit_model(f, io);
	js = unit_jobs(m);
	sp = sfab_stepper_create(m);
	unit_cleanup(sp, sfab_stepper_destroy);
}

/* Find the hosts of "1 5": n1 and n5.  Return their number. */
static uint32_t hosts_of(const char *numbers, uint32_t *host)
{
	char name[32], *end;
	uint32_t n = 0;

	for (long h = strtol(numbers, &end, 10); h; h = strtol(end, &end, 10)) {
		snprintf(name, sizeof(name), "n%ld", h);
		host[n] = sfab_fabric_host(f, name);
		ck_assert_uint_ne(host[n++], SFAB_NONE);
	}
	return n;
}

static void start(uint64_t id, const char *hosts, const char *traffic)
{
	uint32_t host[256];
	struct sfab_traffic t = unit_traffic(traffic);
	const struct sfab_job job = { .n = hosts_of(hosts, host), .host = host,
					.traffic = &t };

	ck_assert_int_eq(sfab_jobs_add(js, id, &job, NULL), 0);
}

/* Certify a job that does not run yet. */
static struct sfab_certificate certificate(const char *hosts, const char *traffic)
{
	struct sfab_certificate c = { 0 };
	uint32_t host[256];
	struct sfab_traffic t = unit_traffic(traffic);
	const struct sfab_job job = { .n = hosts_of(hosts, host), .host = host,
					.traffic = &t };

	sfab_certificate_set_patterns(m, &t, &c);
	ck_assert_int_eq(sfab_certificate_set_steps(sp, job.n, host, &c, NULL), 0);
	ck_assert_int_eq(sfab_certificate_set_candidate_shares(js, &job, &c, NULL), 0);
	return c;
}

static void check_text(const struct sfab_certificate *c, const char *expected)
{
	char text[SFAB_CERTIFICATE_TEXT];

	ck_assert_str_eq(sfab_certificate_text(c, text), expected);
}

/* -- shares ------------------------------------------------------------------ */

struct machine {
	const char *running[3];	/* jobs 1, 2, 3: "HOSTS/TRAFFIC" */
	const char *hosts, *traffic, *text;
	uint32_t links, shared_links, sharing;
};

static const struct machine machines[] = {
	{ { "2 4 6 8/mpi" }, "1 3 5 7", "mpi",
	  "4 of 6 steps clear, shares no switch link with 1 running job at its start",
	  4, 0, 0 },
	{ { "3 7/mpi" }, "1 5", "mpi", "3 of 3 steps clear, "
	  "shares 4 switch links with 1 of 1 running job at its start", 4, 4, 1 },
	{ { "3 7/mpi", "2 6/mpi" }, "1 5", "mpi", "3 of 3 steps clear, "
	  "shares 4 switch links with 1 of 2 running jobs at its start", 4, 4, 1 },
	/* both spines */
	{ { "3 7/mpi", "2 6/mpi" }, "1 8", "mpi", "3 of 3 steps clear, "
	  "shares 4 switch links with 2 of 2 running jobs at its start", 4, 4, 2 },
	/* a ring has one step, and only that of neighbor traffic counts */
	{ { "3 7/neighbor" }, "2 6", "neighbor", "1 of 1 step clear, "
	  "shares no switch link with 1 running job at its start", 4, 0, 0 },
	/* on one leaf: n2 and n4 talk to each other, and so does the job */
	{ { "3 7/mpi" }, "1 2", "mpi", "uses no switch link", 0, 0, 0 },
	{ { "2 4/mpi" }, "1 5", "mpi", "3 of 3 steps clear, "
	  "shares no switch link with 1 running job at its start", 4, 0, 0 },
	{ { NULL }, "1 5", "mpi",
	  "3 of 3 steps clear, shares no switch link at its start (no other job runs)", 4, 0, 0 },
	/* a job that sends nothing */
	{ { "3 7/mpi" }, "1", "mpi", "uses no switch link", 0, 0, 0 },
	{ { "3 7/mpi=0" }, "1 5", "mpi", "3 of 3 steps clear, "
	  "shares no switch link with 1 running job at its start", 4, 0, 0 },
	/* IO with n8: writes go up to spine1, as what is sent to n8 by others */
	{ { "2 6/mpi" }, "1", "io-write", "shares 2 switch links with 1 of 1 "
	  "running job at its start", 2, 2, 1 },
	{ { "3 7/mpi" }, "1", "io-write", "shares no switch link with 1 running "
	  "job at its start", 2, 0, 0 },
	/* and reads come down by the spine of the reader */
	{ { "3 7/mpi" }, "1", "io-read", "shares 2 switch links with 1 of 1 "
	  "running job at its start", 2, 2, 1 },
	{ { "3 7/mpi" }, "5", "io-write", "uses no switch link", 0, 0, 0 },
	{ { "3/io-write", "3/io-read" }, "1", "io-write", "shares 2 switch links "
	  "with 1 of 2 running jobs at its start", 2, 2, 1 },
};

LOOP_TEST(a_certificate_says_what_is_shared, N(machines))
{
	const struct machine *x = &machines[_i];
	struct sfab_certificate c;
	char hosts[64];

	open_machine(&classes, "n8");
	for (uint64_t id = 1; id <= 3 && x->running[id - 1]; id++) {
		size_t n = strcspn(x->running[id - 1], "/");

		snprintf(hosts, sizeof(hosts), "%.*s", (int) n, x->running[id - 1]);
		start(id, hosts, x->running[id - 1] + n + 1);
	}
	c = certificate(x->hosts, x->traffic);
	check_text(&c, x->text);
	ck_assert_uint_eq(c.links, x->links);
	ck_assert_uint_eq(c.shared_links, x->shared_links);
	ck_assert_uint_eq(c.sharing, x->sharing);
	ck_assert_uint_eq(c.nids, x->sharing);
	ck_assert_int_eq(c.worst_link == SFAB_NONE, x->shared_links == 0);
}

/* The job that shares all four links of spine2, and the one with most load. */
TEST(jobs_that_share_most_are_named)
{
	struct sfab_certificate c;

	open_machine(&classes, NULL);
	start(7, "3 7", "mpi=0.1");
	start(5, "4 8", "mpi=0.9");
	start(9, "3 7", "mpi=0.5");
	start(8, "3 7", "mpi=0.5");
	c = certificate("1 5", "mpi=0.25");
	ck_assert_uint_eq(c.running, 4);
	ck_assert_uint_eq(c.nids, 3);
	ck_assert_uint_eq(c.id[0], 8);		/* as much as 9: by id */
	ck_assert_uint_eq(c.id[1], 9);
	ck_assert_uint_eq(c.id[2], 7);
	/* leaf1 has its links to the spines on ports 5 and 6 */
	ck_assert_uint_eq(c.worst_link, unit_link(f, "leaf1", 6));
	ck_assert_double_eq_tol(c.worst_fill, 0.1 + 0.5 + 0.5 + 0.25, 1e-9);
	start(10, "3 8", "mpi");		/* to n8 by spine1, to n3 by spine2 */
	c = certificate("1 5", "mpi=0.25");
	ck_assert_uint_eq(c.worst_link, unit_link(f, "leaf2", 6));
}

TEST(a_suspended_job_shares_nothing)
{
	struct sfab_certificate c;

	open_machine(&classes, NULL);
	start(1, "3 7", "mpi");
	start(2, "1 5", "mpi");
	ck_assert_int_eq(sfab_certificate_set_shares(js, 2, &c, NULL), 0);
	ck_assert_uint_eq(c.sharing, 1);
	sfab_jobs_suspend(js, 1);
	ck_assert_int_eq(sfab_certificate_set_shares(js, 2, &c, NULL), 0);
	ck_assert_uint_eq(c.sharing + c.running, 0);
	ck_assert_int_eq(sfab_certificate_set_shares(js, 1, &c, &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_EINVAL);
	ck_assert_int_eq(sfab_certificate_set_shares(js, 3, &c, NULL), -1);
	sfab_jobs_resume(js, 1);
	ck_assert_int_eq(sfab_certificate_set_shares(js, 1, &c, NULL), 0);
	ck_assert_uint_eq(c.sharing, 1);
}

/* Jobs are counted exactly, and a bounded number of them is named. */
TEST(many_jobs_are_counted_and_few_are_named)
{
	struct sfab_certificate c;
	const double *b;
	double before;
	uint32_t up;

	open_machine(&classes, NULL);
	up = unit_link(f, "leaf1", 6);
	for (uint64_t id = 1; id <= 30; id++) {
		char traffic[32];

		snprintf(traffic, sizeof(traffic), "mpi=%.2f", 0.02 * (double) id);
		start(id, "3 7", traffic);
	}
	start(UINT64_MAX, "3 7", "mpi=0.01");	/* the id that a candidate would have */
	before = sfab_jobs_background(js)[up];
	c = certificate("1 5", "mpi");
	ck_assert_uint_eq(c.sharing, 31);
	ck_assert_uint_eq(c.nids, SFAB_CERTIFICATE_IDS);
	for (uint32_t i = 0; i < c.nids; i++)
		ck_assert_uint_eq(c.id[i], 30 - i);
	b = sfab_jobs_background(js);
	ck_assert_double_eq(b[up], before);
	ck_assert_uint_eq(sfab_jobs_count(js), 31);
}

/* -- steps ------------------------------------------------------------------- */

/* n1 n2 | n3 n4 over one spine: shift 2 and halving by 2 have two on each uplink. */
TEST(steps_with_conflicts_are_counted)
{
	struct sfab_certificate c;

	open_machine(&one_spine, NULL);
	c = certificate("1 2 3 4", "mpi");
	check_text(&c,
		   "4 of 6 steps clear, shares no switch link at its start (no other job runs)");
	ck_assert_uint_eq(c.npatterns, 3);
	ck_assert_uint_eq(c.steps[SFAB_ALLTOALL].conflicts, 1);
	ck_assert_uint_eq(c.steps[SFAB_ALLTOALL].worst.step, 1);
	ck_assert_double_eq_tol(c.steps[SFAB_ALLTOALL].worst.slowdown, 2, 1e-12);
	ck_assert_uint_eq(c.steps[SFAB_ALLTOALL].worst.worst_link,
			  unit_link(f, "leaf1", 3));
	/* whatever it asks for on average, a step runs at full rate */
	c = certificate("1 2 3 4", "mpi=0.1");
	check_text(&c,
		   "4 of 6 steps clear, shares no switch link at its start (no other job runs)");
}

/* Not one word that speaks of all steps where only a sample was looked at. */
/* Where switches choose ports, no step can be proved. */
TEST(no_step_is_proved_where_switches_choose)
{
	const struct clos groups = { .leaves = 2, .spines = 2, .hosts = 4,
				     .grouped = SFAB_ADAPTIVE_GROUPS };
	struct sfab_certificate c;

	open_machine(&groups, NULL);
	c = certificate("1 5", "mpi");
	ck_assert_int_eq(c.has_steps, 0);
	check_text(&c, "shares no switch link at its start (no other job runs)");
}

TEST(a_sample_of_steps_is_called_one)
{
	struct sfab_certificate c = { 0 };
	uint32_t host[200];
	char text[SFAB_CERTIFICATE_TEXT], expected[64];

	open_machine(&wide, NULL);
	for (uint32_t i = 0; i < 200; i++)
		host[i] = i;
	c = certificate("1 199", "mpi");
	check_text(&c,
		   "3 of 3 steps clear, shares no switch link at its start (no other job runs)");
	c.links = 1;
	ck_assert_int_eq(sfab_certificate_set_steps(sp, 200, host, &c, NULL), 0);
	ck_assert_uint_lt(c.steps[SFAB_ALLTOALL].nsampled, 129);
	snprintf(expected, sizeof(expected), " of %u sampled of 209 steps clear",
		 c.steps[SFAB_ALLTOALL].nsampled + 9 + 1);
	ck_assert_msg(strstr(sfab_certificate_text(&c, text), expected) != NULL,
		      "%s (expected%s)", text, expected);
}

/* All counts at their largest fit. */
TEST(the_longest_certificate_fits)
{
	struct sfab_certificate c = { .npatterns = SFAB_NPATTERNS,
		.links = UINT32_MAX, .running = UINT32_MAX,
		.sharing = UINT32_MAX, .shared_links = UINT32_MAX };
	char text[SFAB_CERTIFICATE_TEXT];

	for (int i = 0; i < SFAB_NPATTERNS; i++)
		c.steps[i] = (struct sfab_steps){
			.nsteps = UINT32_MAX / 3, .nsampled = UINT32_MAX / 3 - 1,
			.lost = UINT64_MAX / 3 };
	sfab_certificate_text(&c, text);
	ck_assert_ptr_nonnull(strstr(text, "have no route"));
}

TEST(a_certificate_without_memory_fails)
{
	struct sfab_traffic t;
	uint32_t host[2];
	struct sfab_job job = { .n = 2, .host = host, .traffic = &t };
	int reached = 1, failures = 0;

	open_machine(&classes, NULL);
	t = unit_traffic("mpi");
	hosts_of("1 5", host);
	start(1, "3 7", "mpi");
	for (long fail_at = 0; reached; fail_at++) {
		struct sfab_certificate c = { 0 };
		struct sfab_err err = { 0 };
		int rc;

		allocations_left = fail_at;
		rc = sfab_certificate_set_candidate_shares(js, &job, &c, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		ck_assert_int_eq(rc, -reached);
		ck_assert(!rc || err.code == SFAB_ENOMEM);
		ck_assert_uint_eq(sfab_jobs_count(js), 1);
		failures += reached;
	}
	ck_assert_int_gt(failures, 2);
}

UNIT_MAIN("certificate")
