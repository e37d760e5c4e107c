/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_search_io.c - the search for IO finds the optimum where it can be proven: no set of
 * hosts waits less.  IO that does not wait for links is not spread any more.  The proof tries
 * all sets.  A link that covers another in it carries at least as much.
 */

#include "tests/unit/fixtures/unit.h"

#include "core/load/demand.h"
#include "core/search/footprint_private.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define MAX_HOSTS 48
#define NEARLY 0.02		/* of S: a set that waits so much less is no better */

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_scorer *sc;
static struct sfab_traffic t;
static uint8_t avail[MAX_HOSTS];
static double *one[MAX_HOSTS];	/* what a host alone puts on each link */
static double *sum;

static const struct clos shape[] = {
	{ .leaves = 6, .spines = 4, .hosts = 8 },
	{ .leaves = 6, .spines = 3, .hosts = 7 },
	{ .leaves = 4, .spines = 2, .hosts = 6, .planes = 2 },
	{ .leaves = 5, .spines = 3, .hosts = 6, .grouped = 1 },
};
#define NSHAPES ((int) (sizeof(shape) / sizeof(shape[0])))
static const char *const class[] = { "io-write=1", "io-read=1",
				     "io-write=0.5+io-read=0.5" };
#define NCLASSES 3
#define NSINGLE 2			/* of one part */
#define MAX_NODES 5

static double *load_of(uint32_t host)
{
	struct sfab_job job = { .n = 1, .host = &host, .traffic = &t };
	double *v = calloc(m->nres, sizeof(*v));
	struct sfab_load l;

	ck_assert(v && sfab_load_init(&l, m->nres) == 0);
	ck_assert_int_eq(sfab_demand(m, &job, &l, NULL), 0);
	for (uint32_t e = 0; e < f->nlinks; e++)
		v[e] = m->isl[e] ? l.v[e] * m->inv_cap[e] : 0;
	sfab_load_free(&l);
	unit_cleanup(v, free);
	return v;
}

static void make(const struct clos *shape_, const char *traffic)
{
	f = unit_fabric(shape_);
	io = unit_servers(f, "io", "n3 n9 n10 n21", 0);
	m = unit_model(f, io);
	sc = unit_scorer(m);
	ck_assert(io && m && sc && f->nhosts <= MAX_HOSTS);
	ck_assert_int_eq(sfab_traffic_parse(traffic, NULL, &t, NULL), 0);
	sum = calloc(m->nres, sizeof(*sum));
	unit_cleanup(sum, free);
	for (uint32_t h = 0; h < f->nhosts; h++) {
		avail[h] = !sfab_iosets_has_host(io, f, h);
		one[h] = load_of(h);
	}
}

/* Add @host.  Return the load of the worst link of those that it uses. */
static double add(uint32_t host, double sign)
{
	double worst = 0;

	for (uint32_t e = 0; e < f->nlinks; e++) {
		sum[e] += sign * one[host][e];
		worst = one[host][e] > 0 && sum[e] > worst ? sum[e] : worst;
	}
	return worst;
}

/* Can @n hosts from @from on be added so that all links stay below @limit? */
static int exists_below(double limit, uint32_t n, uint32_t from)
{
	int found = n == 0;

	for (uint32_t h = from; h + n <= f->nhosts && !found; h++) {
		if (!avail[h])
			continue;
		found = add(h, 1) < limit && exists_below(limit, n - 1, h + 1);
		add(h, -1);
	}
	return found;
}

/*
 * One class: all sets have the same E, as all clients use all servers, so that the worst link
 * of a set that waits less is at most E times as full.
 */
LOOP_TEST(no_set_of_hosts_waits_less, NSHAPES * NSINGLE)
{
	static const double weights[SFAB_NTERMS] = { [SFAB_TERM_OWN] = 1 };

	make(&shape[_i % NSHAPES], class[_i / NSHAPES]);
	for (uint32_t n = 1; n <= MAX_NODES; n++) {
		struct sfab_request rq = { .n = n, .avail = avail, .traffic = &t,
					   .weights = weights, .seed = 1 };
		struct sfab_choice c;
		double s, limit;

		ck_assert_int_eq(sfab_search(sc, NULL, &rq, &c, NULL), 0);
		s = c.score.slowdown;
		limit = s / (1 + NEARLY) * c.score.lost.part[0].ends;
		ck_assert_msg(s < 1 + NEARLY || !exists_below(limit, n, 0),
			      "%u nodes: %g is not the best", n, s);
		sfab_choice_clear(&c);
	}
}

/* Beyond the bounds of a capacity, which are kept where fabrics are made. */
LOOP_TEST(no_load_is_out_of_the_order_of_entries, 5)
{
	static const double odd[] = { 1e-30, 4.9e-324, 1e300, INFINITY, NAN };
	struct sfab_footprint v;

	f = unit_fabric(&shape[0]);
	for (uint32_t e = 0; e < f->nlinks; e += 3)
		if (f->links[e].kind == SFAB_LINK_ISL)
			((struct sfab_link *) f->links)[e].capacity = odd[_i];
	io = unit_servers(f, "io", "n3 n9 n10 n21", 0);
	m = unit_model(f, io);
	sc = unit_scorer(m);
	for (uint32_t h = 0; h < f->nhosts; h++)
		for (enum sfab_class c = SFAB_IO_WRITE; c <= SFAB_IO_READ; c++)
			ck_assert_int_eq(
				sfab_footprints_get(sc->footprints, c,
						    0, h, &v, NULL),
				0);
}

/*
 * Eight leaves of four hosts, two of which serve, and a job of six that writes: what is shared
 * counts, not the worst link alone.  Each vector is a seed.
 */
LOOP_TEST_FROM(no_random_set_is_better_beside_a_writer, 1, 41)
{
	static const struct clos eight = { .leaves = 8, .spines = 2, .hosts = 4 };
	static const uint32_t writer[] = { 1, 6, 11, 16, 21, 26 };
	struct sfab_job other = { .n = 6, .host = writer, .traffic = &t };
	struct sfab_request rq = { .n = 4, .traffic = &t, .seed = (uint64_t) _i };
	struct sfab_choice ours, random;
	struct sfab_jobs *js;

	f = unit_fabric(&eight);
	io = unit_servers(f, "io", "n4 n8", 0);
	m = unit_model(f, io);
	js = unit_jobs(m);
	sc = unit_scorer(m);
	ck_assert_int_eq(sfab_traffic_parse("io-write", NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_jobs_add(js, 1, &other, NULL), 0);
	for (uint32_t h = 0; h < 32; h++)
		avail[h] = !m->io_host[h];
	for (int i = 0; i < 6; i++)
		avail[writer[i]] = 0;
	rq.avail = avail;
	ck_assert_int_eq(sfab_search(sc, js, &rq, &ours, NULL), 0);
	ck_assert_int_eq(sfab_search_by(sc, js, &rq, SFAB_POLICY_RANDOM, &random, NULL), 0);
	ck_assert_double_le(ours.score.total, random.score.total + 1e-9);
	sfab_choice_clear(&ours);
	sfab_choice_clear(&random);
}

/* Steps of swaps are not added to MaxSteps; plain proposals are a few steps.  Ten seeds a shape. */
LOOP_TEST(io_beside_others_stays_within_its_steps, 10 * NSHAPES)
{
	static const uint32_t writer[] = { 1, 11, 21, 31, 41 };
	struct sfab_request rq = { .n = 12, .traffic = &t, .max_steps = 20000,
				   .seed = 1 + (uint64_t) _i / NSHAPES };
	struct sfab_job other = { .n = 5, .host = writer, .traffic = &t };
	struct sfab_choice c;
	struct sfab_jobs *js;

	make(&shape[_i % NSHAPES], "io-write=1");
	js = unit_jobs(m);
	other.n = f->nhosts > writer[4] ? 5 : 3;
	ck_assert_int_eq(sfab_jobs_add(js, 1, &other, NULL), 0);
	for (uint32_t i = 0; i < other.n; i++)
		avail[writer[i]] = 0;
	rq.avail = avail;
	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	ck_assert_uint_le(c.steps, rq.max_steps + rq.max_steps / 20);
	sfab_choice_clear(&c);
}

/*
 * Entries of all footprints; 0: as many as they like.  Of 100 some are dropped, of 40 even some
 * that are less than what all have in common.
 */
static const uint32_t entries[] = { 0, 100, 40 };
#define NENTRIES (sizeof(entries) / sizeof(entries[0]))

/* Also where footprints cannot give the load, and routes are walked. */
LOOP_TEST(the_score_of_the_best_set_is_exact, NENTRIES * NSHAPES * NCLASSES)
{
	uint32_t max = entries[_i % NENTRIES];
	struct sfab_request rq = { .n = 5, .avail = avail, .traffic = &t, .seed = 1 };
	struct sfab_job job = { .n = 5, .traffic = &t };
	struct sfab_score again;
	struct sfab_choice c;

	make(&shape[_i / NENTRIES / NCLASSES], class[_i / NENTRIES % NCLASSES]);
	if (max)
		sc->footprints->max = max;
	ck_assert_int_eq(sfab_search(sc, NULL, &rq, &c, NULL), 0);
	job.host = c.host;
	ck_assert_int_eq(sfab_score(sc, NULL, &job, avail, NULL, &again, NULL), 0);
	for (int i = 0; i < SFAB_NTERMS; i++)
		ck_assert_double_eq(c.score.term[i], again.term[i]);
	ck_assert_double_eq(c.score.worst, again.worst);
	ck_assert_int_eq(sfab_score_below(sc, NULL, &job, NULL, INFINITY, &again, NULL), 0);
	ck_assert_double_eq_tol(again.total, c.score.total, 1e-5 * (1 + c.score.total));
	sfab_choice_clear(&c);
}

/*
 * Eight writers on a leaf, which sends to two of four servers over one uplink.  Where a server
 * takes 1 GB/s these are 2 of its 4 GB/s, and nobody waits.  Where servers take all that their
 * ports do it would be 8.
 */
LOOP_TEST(writers_that_do_not_wait_are_not_spread, 2)
{
	static const char *const hosts[] = { "n3", "n9", "n10", "n21" };
	struct sfab_ioset_spec is = { .name = "io", .nhosts = 4, .host = hosts };
	struct sfab_request rq = { .n = 8, .avail = avail, .traffic = &t };
	struct sfab_choice c;

	make(&shape[0], "io-write=1");
	is.capacity = _i ? 0 : 1e9;
	io = unit_sets(f, &is, 1);
	m = unit_model(f, io);
	sc = unit_scorer(m);
	ck_assert_int_eq(sfab_search(sc, NULL, &rq, &c, NULL), 0);
	if (_i == 0) {
		ck_assert_double_eq(c.score.total, 0);
		ck_assert_uint_eq(c.score.leaves, 1);
	} else {
		ck_assert_uint_gt(c.score.leaves, 1);
		ck_assert_double_gt(c.score.term[SFAB_TERM_LATER], 0);
	}
	sfab_choice_clear(&c);
}

UNIT_MAIN("search_io")
