/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_stepper.c - steps of collectives: against values worked out by hand, and against a walk
 * of every flow by itself on fabrics of all shapes
 *
 * By hand: leaf1 n1 n2, leaf2 n3 n4, two spines, all routes over spine1, 4 GB/s links.  Ranks
 * in order of the names.  Shift 1 crosses each uplink once (n2 to n3, n4 to n1), shift 2 twice
 * (n1 to n3, n2 to n4 and back), shift 3 once (n1 to n4, n3 to n2).  Halving stays on the
 * leaves with d = 1 and crosses twice with d = 2.
 */

#include "core/ascending.h"
#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/unit.h"

#include "core/fabric/route.h"
#include "core/load/stepper.h"
#include "core/random.h"
#include "tests/unit/fixtures/fabrics.h"

#include <math.h>

#define G 1e9

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_stepper *sp;

static void open_fabric(struct sfab_fabric *fabric)
{
	f = fabric;
	m = unit_model(f, NULL);
	sp = sfab_stepper_create(m);
	unit_cleanup(sp, sfab_stepper_destroy);
}

static struct sfab_steps steps(enum sfab_pattern pattern,
			       const struct sfab_collective *c,
			       struct sfab_step *each)
{
	struct sfab_steps out;

	ck_assert_int_eq(sfab_stepper_take(sp, c, NULL), 0);
	ck_assert_int_eq(sfab_stepper_steps(sp, pattern, &out, each, NULL), 0);
	return out;
}

static const struct clos one_spine = { .leaves = 2, .spines = 2, .hosts = 2,
				       .same_spine = 1 };
static const uint32_t in_order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

struct hand_count {
	enum sfab_pattern pattern;
	uint32_t n;
	double share, b;	/* b: bytes/s that others send out of leaf1 */
	double slowdown[3];	/* by step */
	uint32_t nsteps, conflicts;
};

static const struct hand_count by_hand[] = {
	{ SFAB_ALLTOALL, 4, 1, 0, { 1, 2, 1 }, 3, 1 },
	{ SFAB_ALLTOALL, 4, 0.5, 0, { 1, 1, 1 }, 3, 0 },
	{ SFAB_ALLTOALL, 4, 0.75, 0, { 1, 1.5, 1 }, 3, 1 },
	{ SFAB_ALLTOALL, 4, 1, 2 * G, { 1.5, 2.5, 1.5 }, 3, 3 },
	{ SFAB_ALLREDUCE, 4, 1, 0, { 1, 2 }, 2, 1 },
	{ SFAB_ALLREDUCE, 4, 1, 2 * G, { 1, 2.5 }, 2, 1 },
	{ SFAB_RING, 4, 1, 0, { 1 }, 1, 0 },
	{ SFAB_RING, 4, 1, 1 * G, { 1.25 }, 1, 1 },
	/* each sends 2/3 of its rate to the other leaf: 4/3 of an uplink; with B of half, 11/6 */
	{ SFAB_UNIFORM, 4, 1, 0, { 4.0 / 3 }, 1, 1 },
	{ SFAB_UNIFORM, 4, 0.75, 0, { 1 }, 1, 0 },
	{ SFAB_UNIFORM, 4, 1, 2 * G, { 11.0 / 6 }, 1, 1 },
	{ SFAB_UNIFORM, 2, 1, 2 * G, { 1 }, 1, 0 },
	/* half of what n1 and n2 send crosses: 1, and B */
	{ SFAB_UNIFORM, 3, 1, 0, { 1 }, 1, 0 },
	{ SFAB_UNIFORM, 3, 1, 1 * G, { 1.25 }, 1, 1 },
	{ SFAB_UNIFORM, 1, 1, 0, { 0 }, 0, 0 },
	/* n1 to n2; n2 and n3 exchange; n2 to n1 */
	{ SFAB_ALLREDUCE, 3, 1, 2 * G, { 1, 1.5, 1 }, 3, 1 },
	{ SFAB_ALLTOALL, 2, 1, 2 * G, { 1 }, 1, 0 },
	{ SFAB_ALLTOALL, 1, 1, 0, { 0 }, 0, 0 },
	{ SFAB_ALLREDUCE, 1, 1, 0, { 0 }, 0, 0 },
	{ SFAB_RING, 0, 1, 0, { 0 }, 0, 0 },
};

LOOP_TEST(steps_cost_what_was_worked_out_by_hand, N(by_hand))
{
	const struct hand_count *x = &by_hand[_i];
	struct sfab_step each[SFAB_STEPS_MAX];
	double b[64] = { 0 }, sum = 0;
	struct sfab_collective c = { .n = x->n, .host = in_order,
				     .share = x->share, .background = b };
	struct sfab_steps s;

	open_fabric(unit_fabric(&one_spine));
	ck_assert_uint_le(m->nres, 64);
	b[unit_link(f, "leaf1", 3)] = x->b;
	s = steps(x->pattern, &c, each);
	ck_assert_uint_eq(s.nsteps, x->nsteps);
	ck_assert_uint_eq(s.nsampled, x->nsteps);
	ck_assert_uint_eq(s.conflicts, x->conflicts);
	for (uint32_t i = 0; i < x->nsteps; i++) {
		sum += x->slowdown[i];
		if (!x->conflicts)
			continue;
		ck_assert_uint_eq(each[i].step, i);
		ck_assert_double_eq_tol(each[i].slowdown, x->slowdown[i], 1e-12);
		if (x->slowdown[i] > 1)
			ck_assert_uint_eq(each[i].worst_link, unit_link(f, "leaf1", 3));
		else
			ck_assert_uint_eq(each[i].worst_link, SFAB_NONE);
	}
	ck_assert_double_eq_tol(s.mean, x->nsteps ? sum / x->nsteps : 1, 1e-12);
}

/* The same four ranks: 4/3 all-to-all, 3/2 halving, 1 ring, 4/3 at once. */
static const struct {
	double mix[SFAB_NPATTERNS];
	double mean;
} weighed[] = {
	{ { 0.4, 0.4, 0.2 }, 4.0 / 3 },
	{ { 1, 0, 0 }, 4.0 / 3 },
	{ { 0, 1, 0 }, 1.5 },
	{ { 1, 0, 3 }, 13.0 / 12 },	/* any sum */
	{ { 0, 0, 1, 1 }, 7.0 / 6 },
	{ { 0, 0, 0 }, 1 },
};

LOOP_TEST(a_mix_costs_its_weighed_patterns, N(weighed))
{
	struct sfab_collective c = { .n = 4, .host = in_order, .share = 1 };
	static const uint32_t nsteps[SFAB_NPATTERNS] = { 3, 2, 1, 1 };
	struct sfab_mixed x;

	open_fabric(unit_fabric(&one_spine));
	ck_assert_double_eq(m->mix[SFAB_ALLREDUCE], sfab_default_mix[SFAB_ALLREDUCE]);
	ck_assert_int_eq(sfab_stepper_take(sp, &c, NULL), 0);
	ck_assert_int_eq(sfab_stepper_mixed(sp, weighed[_i].mix, &x, NULL), 0);
	ck_assert_double_eq_tol(x.mean, weighed[_i].mean, 1e-12);
	for (int p = 0; p < SFAB_NPATTERNS; p++)
		ck_assert_uint_eq(x.pattern[p].nsteps,
				  weighed[_i].mix[p] > 0 ? nsteps[p] : 0);
}

/* A leaf sends to host h over spine h mod 4: n1-n4 of each leaf are the classes. */
TEST(flows_to_a_port_class_share_its_uplink)
{
	static const struct clos shape = { .leaves = 4, .spines = 4, .hosts = 4 };
	/* n1 n2 | n5 n6 | n9 n10 | n13 n14 */
	static const uint32_t same[] = { 0, 1, 4, 5, 8, 9, 12, 13 };
	/* n1 n2 n5 n9 n10 n6: n6 and n5 are not beside each other */
	static const uint32_t other[] = { 0, 1, 4, 8, 9, 5 };
	static const uint32_t mixed[] = { 0, 1, 4, 8 };		/* n1 n2 n5 n9 */
	struct sfab_collective c = { .n = 8, .host = same, .share = 1 };
	struct sfab_step each[SFAB_STEPS_MAX];
	struct sfab_steps s;

	open_fabric(unit_fabric(&shape));
	for (int p = 0; p < SFAB_NPATTERNS; p++) {
		s = steps((enum sfab_pattern) p, &c, NULL);
		ck_assert_uint_eq(s.nsampled, s.nsteps);
		/* shifts by the bound alone */
		ck_assert_uint_eq(s.walked, p == SFAB_ALLREDUCE ? s.nsteps : 0);
		ck_assert_double_eq(s.mean, 1);
	}
	/* six are no power of two: n2 and n6, of one class, get from leaf3 at once */
	c.n = 6;
	s = steps(SFAB_ALLREDUCE, &c, NULL);
	ck_assert_double_eq_tol(s.mean, 1.25, 1e-12);
	ck_assert_uint_eq(s.worst.step, 2);
	ck_assert_uint_eq(s.worst.worst_link, unit_link(f, "leaf3", 4 + 1 + 2));
	/* by 2 n1 and n2 go to n5 and n9, by 3 to n9 and n10 */
	c.host = other;
	s = steps(SFAB_ALLTOALL, &c, each);
	ck_assert_uint_gt(s.walked, 0);
	ck_assert_double_eq_tol(each[1].slowdown, 2, 1e-12);
	ck_assert_double_eq_tol(each[2].slowdown, 1, 1e-12);
	/* n1 to n5 and n2 to n9 use one uplink of leaf1: they meet in shift 2, and in no other */
	c = (struct sfab_collective){ .n = 4, .host = mixed, .share = 1 };
	s = steps(SFAB_ALLTOALL, &c, NULL);
	ck_assert_uint_eq(s.conflicts, 1);
	ck_assert_uint_eq(s.worst.step, 1);
	ck_assert_uint_eq(s.worst.worst_link, unit_link(f, "leaf1", 4 + 1 + 1));
	ck_assert_double_eq_tol(s.mean, 4.0 / 3, 1e-12);
}

/* n5's end port is asked for twice what it can do: two flows up cost nothing more. */
TEST(what_end_ports_limit_is_not_lost_between_switches)
{
	static const struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2,
					   .same_spine = 1 };
	static const double cpus[] = { 2, 2, 2, 2 };
	struct sfab_collective c = { .n = 4, .host = in_order, .cpus = cpus,
				     .share = 1 };
	struct sfab_steps s;

	open_fabric(unit_fabric(&shape));
	s = steps(SFAB_ALLREDUCE, &c, NULL);
	/* d = 1: ends 2, nothing between switches; d = 2: 4 over 2 */
	ck_assert_uint_eq(s.conflicts, 1);
	ck_assert_double_eq_tol(s.mean, 1.5, 1e-12);
}

struct peers {
	uint32_t n, step;
	int peer[8];		/* by rank, -1: none */
};

static const struct peers halving[] = {
	{ 2, 0, { 1, 0 } },
	{ 4, 1, { 2, 3, 0, 1 } },
	{ 3, 0, { 1, -1, -1 } },
	{ 3, 1, { -1, 2, 1 } },
	{ 3, 2, { -1, 0, -1 } },
	{ 6, 0, { 1, -1, 3, -1, -1, -1 } },
	{ 6, 1, { -1, 3, -1, 1, 5, 4 } },
	{ 6, 2, { -1, 4, -1, 5, 1, 3 } },
	{ 6, 3, { -1, 0, -1, 2, -1, -1 } },
};

LOOP_TEST(peers_are_those_of_recursive_halving, N(halving))
{
	const struct peers *x = &halving[_i];

	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t peer = sfab_pattern_peer(SFAB_ALLREDUCE, x->n, x->step, i);

		ck_assert_int_eq(peer == SFAB_NONE ? -1 : (int) peer, x->peer[i]);
	}
}

/* Nobody gets from two, nobody sends to itself; all-to-all meets everybody. */
TEST(a_rank_gets_from_one_other_at_most)
{
	for (uint32_t n = 0; n <= 70; n++)
		for (int p = 0; p < SFAB_NPATTERNS; p++)
			for (uint32_t s = 0; s < sfab_pattern_steps(p, n); s++) {
				uint8_t got[70] = { 0 };

				for (uint32_t i = 0; i < n; i++) {
					uint32_t k = sfab_pattern_peer(p, n, s, i);

					if (k == SFAB_NONE)
						continue;
					ck_assert_uint_lt(k, n);
					ck_assert_uint_ne(k, i);
					ck_assert_uint_eq(got[k]++, 0);
				}
			}
	ck_assert_uint_eq(sfab_pattern_steps(SFAB_ALLREDUCE, 64), 6);
	ck_assert_uint_eq(sfab_pattern_steps(SFAB_ALLREDUCE, 65), 8);
	ck_assert_uint_eq(sfab_pattern_steps(SFAB_ALLREDUCE, 127), 8);
}

TEST(a_sample_has_ascending_steps_without_large_gaps)
{
	uint32_t step[SFAB_STEPS_MAX], n;

	for (uint32_t ranks = 2; ranks < 5000; ranks++) {
		uint32_t nsteps = ranks - 1, power = 1, gap = nsteps / 50;

		n = sfab_pattern_sample(SFAB_ALLTOALL, ranks, SFAB_STEPS_MAX, step);
		ck_assert_uint_le(n, SFAB_STEPS_MAX);
		ck_assert_uint_ge(n, nsteps < SFAB_STEPS_MAX ? nsteps : 96);
		for (uint32_t i = 0; i < n; i++) {
			ck_assert_uint_lt(step[i], nsteps);
			ck_assert(i == 0 || step[i] > step[i - 1]);
			ck_assert(i == 0 || step[i] - step[i - 1] <= gap + 1);
			if (step[i] + 1 == power)
				power *= 2;
		}
		ck_assert_uint_gt(power, nsteps);
	}
}

/* -- every flow by itself ------------------------------------------------ */

static void walk_flow(const struct sfab_collective *c, uint32_t i, uint32_t k,
		      double *load, uint8_t *used, uint64_t *lost)
{
	struct sfab_route r = { 0 };

	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		size_t at = (size_t) rail * f->nhosts;
		uint32_t src = m->rail_src[at + c->host[i]];
		uint32_t dst = m->rail_dst[at + c->host[k]];

		if (src == SFAB_NONE || dst == SFAB_NONE)
			continue;
		ck_assert_int_eq(sfab_route_ports(f, src, dst, &r), 0);
		*lost += r.status != SFAB_ROUTE_OK;
		for (uint32_t h = 0; r.status == SFAB_ROUTE_OK && h < r.n; h++) {
			load[r.hop[h].link] += r.hop[h].share * c->share *
					       f->ports[src].rate *
					       (c->cpus ? c->cpus[i] : 1);
			used[r.hop[h].link] = 1;
		}
	}
	sfab_route_clear(&r);
}

static double walk(enum sfab_pattern pattern, const struct sfab_collective *c,
		   uint32_t step, uint64_t *lost)
{
	double *load = calloc(m->nres + 1, sizeof(*load)), all = 1, ends = 1;
	uint8_t *used = calloc(m->nres + 1, 1);

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t k = sfab_pattern_peer(pattern, c->n, step, i);

		if (k != SFAB_NONE)
			walk_flow(c, i, k, load, used, lost);
	}
	for (uint32_t e = 0; e < m->nres; e++) {
		double b = c->background ? c->background[e] : 0;
		double x = used[e] ? (load[e] + b) * m->inv_cap[e] : 0;

		all = fmax(all, x);
		ends = m->isl[e] ? ends : fmax(ends, x);
	}
	free(load);
	free(used);
	return all / ends;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	return (uint32_t) (sfab_random(seed) % below);
}

static void shuffle(uint64_t *seed, uint32_t *host, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = i + draw(seed, n - i), x = host[i];

		host[i] = host[k];
		host[k] = x;
	}
}

static void compare(const struct sfab_collective *c)
{
	struct sfab_step each[SFAB_STEPS_MAX];

	for (int p = 0; p < SFAB_UNIFORM; p++) {
		struct sfab_steps s = steps((enum sfab_pattern) p, c, each);
		double sum = 0;
		uint64_t lost = 0;

		for (uint32_t i = 0; i < s.nsteps; i++) {
			double x = walk((enum sfab_pattern) p, c, i, &lost);

			if (s.walked || s.conflicts)
				ck_assert_double_eq_tol(each[i].slowdown, x, 2e-9);
			sum += x;
		}
		ck_assert_uint_eq(s.nsampled, s.nsteps);
		if (s.nsteps)
			ck_assert_double_eq_tol(s.mean, sum / s.nsteps, 2e-9);
		ck_assert_uint_eq(s.lost, lost);
	}
}

/* uniform is the mean of all shifts; lost routes differ at end ports only. */
static void compare_at_once(const struct sfab_collective *c)
{
	struct sfab_steps s = steps(SFAB_UNIFORM, c, NULL);
	double *load = calloc(m->nres + 1, sizeof(*load)), top = 1, ends = 1;
	uint8_t *used = calloc(m->nres + 1, 1);
	uint64_t lost = 0;

	for (uint32_t i = 0; i < c->n; i++)
		for (uint32_t k = 0; k < c->n; k++)
			if (i != k)
				walk_flow(c, i, k, load, used, &lost);
	for (uint32_t e = 0; e < m->nres; e++) {
		double b = c->background ? c->background[e] : 0;
		double x = used[e] ? (load[e] / (c->n - 1) + b) * m->inv_cap[e] : 0;

		*(m->isl[e] ? &top : &ends) = fmax(m->isl[e] ? top : ends, x);
	}
	if (!lost)
		ck_assert_double_eq_tol(s.mean, fmax(1, top / ends), 2e-9);
	free(load);
	free(used);
}

static const struct clos shapes[] = {
	{ .leaves = 4, .spines = 3, .hosts = 5 },
	{ .leaves = 6, .spines = 4, .hosts = 4 },
	{ .leaves = 6, .spines = 2, .hosts = 8 },
	{ .leaves = 3, .spines = 3, .hosts = 4, .planes = 2 },
	{ .leaves = 3, .spines = 4, .hosts = 4, .lmc = 1 },
	{ .leaves = 4, .spines = 4, .hosts = 4, .grouped = 1 },
	{ .leaves = 4, .spines = 4, .hosts = 4, .same_spine = 1 },
	/* a host with one port gets on two rails what it can take on one */
	{ .leaves = 4, .spines = 3, .hosts = 6, .paired = 2 },
};
#define NSTEP_SHAPES ((int) (sizeof(shapes) / sizeof(shapes[0])))

/* Each shape with 40 seeds. */
LOOP_TEST(steps_cost_what_walks_along_all_routes_say, 40 * NSTEP_SHAPES)
{
	unsigned seed = 1 + (unsigned) (_i / NSTEP_SHAPES);
	uint64_t rnd = seed;
	uint32_t host[64];
	double cpus[64], *b;
	struct sfab_collective c = { .host = host, .share = 1 };

	f = unit_fabric(&shapes[_i % NSTEP_SHAPES]);
	if (seed % 4 == 0)
		unit_spoil_tables(f, seed);
	open_fabric(f);
	for (uint32_t i = 0; i < f->nhosts; i++) {
		host[i] = i;
		cpus[i] = 0.25 * (1 + draw(&rnd, 6));
	}
	if (seed % 2)
		shuffle(&rnd, host, f->nhosts);
	b = calloc(m->nres + 1, sizeof(*b));
	for (uint32_t e = 0; e < m->nres; e++)
		b[e] = draw(&rnd, 3) ? 0 : 1.5 * G;
	c.n = 2 + draw(&rnd, f->nhosts - 1);
	compare(&c);
	compare_at_once(&c);
	c.background = b;
	c.share = 0.5;
	compare(&c);
	compare_at_once(&c);
	c.cpus = cpus;
	compare(&c);
	compare_at_once(&c);
	free(b);
}

/* -- alone and beside others in one walk -------------------------------------- */

static double mixed_with(const struct sfab_collective *c, const double *beside)
{
	struct sfab_collective one = *c;
	struct sfab_mixed x;

	one.background = beside;
	ck_assert_int_eq(sfab_stepper_take(sp, &one, NULL), 0);
	ck_assert_int_eq(sfab_stepper_mixed(sp, sfab_default_mix, &x, NULL), 0);
	return x.mean;
}

static struct sfab_weighing weigh(const struct sfab_collective *c, double max, int *rc)
{
	struct sfab_weighing x = { .max = max };

	ck_assert_int_eq(sfab_stepper_take(sp, c, NULL), 0);
	*rc = sfab_stepper_weigh(sp, sfab_default_mix, &x, NULL);
	return x;
}

static void check_weighed(unsigned seed, double weighed_as, double expected)
{
	ck_assert_msg(fabs(weighed_as - expected) <= 2e-9, "seed %u: %.10f (expected %.10f)",
		      seed, weighed_as, expected);
}

/* It says "too much" exactly where it is; full end ports excepted.  1: it did. */
static int compare_weighing(unsigned seed, const struct sfab_collective *c)
{
	double alone = mixed_with(c, NULL), beside = mixed_with(c, c->background);
	struct sfab_weighing x;
	int rc;

	x = weigh(c, INFINITY, &rc);
	ck_assert_msg(rc == 0, "seed %u: stopped without a bound", seed);
	check_weighed(seed, x.alone, alone);
	check_weighed(seed, x.beside, beside);
	x = weigh(c, beside + 1e-6, &rc);
	ck_assert_msg(rc == 0, "seed %u: stopped below the bound", seed);
	check_weighed(seed, x.beside, beside);
	x = weigh(c, 0.1 + 0.9 * beside - 1e-6, &rc);
	if (rc == 0)
		check_weighed(seed, x.alone, alone);
	return rc;
}

LOOP_TEST(weighing_finds_what_single_steps_say, NSTEP_SHAPES)
{
	int stopped = 0;

	open_fabric(unit_fabric(&shapes[_i]));
	for (unsigned seed = 1; seed <= 30; seed++) {
		uint64_t rnd = seed;
		uint32_t host[64];
		double *b = calloc(m->nres + 1, sizeof(*b));
		struct sfab_collective c = { .host = host, .share = 1 };

		for (uint32_t e = 0; e < m->nres; e++)
			b[e] = (m->isl[e] && !draw(&rnd, 4) ? 1 * G : 0) +
			       (m->isl[e] && !draw(&rnd, 3) ? 2 * G : 0);
		for (uint32_t i = 0; i < f->nhosts; i++)
			host[i] = i;
		shuffle(&rnd, host, f->nhosts);
		c.n = 2 + draw(&rnd, f->nhosts - 1);
		stopped += compare_weighing(seed, &c);
		c.background = b;
		stopped += compare_weighing(seed, &c);
		c.max_steps = 40;
		stopped += compare_weighing(seed, &c);
		free(b);
	}
	/* where one port serves two rails no walk stops */
	ck_assert(shapes[_i].paired ? 1 : stopped > 20);
}

/* Two-level trees of 18 hosts a leaf: how near the sample comes to all steps. */
TEST(a_sample_comes_near_to_all_steps)
{
	static const struct clos shape = { .leaves = 36, .spines = 18, .hosts = 18 };
	uint64_t rnd = 7;
	uint32_t host[648];
	struct sfab_collective c = { .host = host, .n = 512, .share = 1 };

	open_fabric(unit_fabric(&shape));
	for (int round = 0; round < 3; round++) {
		double sum = 0;
		uint64_t lost = 0;
		struct sfab_steps s;

		for (uint32_t i = 0; i < 648; i++)
			host[i] = i;
		if (round)		/* a gap here and there; any order */
			shuffle(&rnd, host, 648);
		if (round == 1)
			qsort(host, 512, sizeof(*host), sfab_ascending_u32);
		s = steps(SFAB_ALLTOALL, &c, NULL);
		for (uint32_t i = 0; i < s.nsteps; i++)
			sum += walk(SFAB_ALLTOALL, &c, i, &lost);
		printf("# 512 hosts: all steps %.4f, %u of them %.4f\n", sum / s.nsteps,
		       s.nsampled, s.mean);
		ck_assert_double_eq_tol(s.mean, sum / s.nsteps, 0.02 * s.mean);
	}
}

/* With each allocation failing in turn, and the same scratch after that. */
TEST(a_stepper_without_memory_fails_and_goes_on)
{
	struct sfab_collective c = { .n = 12, .host = in_order, .share = 1 };
	int reached = 1, failures = 0;

	open_fabric(unit_fabric(&shapes[5]));		/* port groups: walks */
	for (long fail_at = 0; reached; fail_at++) {
		struct sfab_stepper *room;
		struct sfab_steps out;
		struct sfab_err err = { 0 };
		int rc;

		allocations_left = fail_at;
		room = sfab_stepper_create(m);
		rc = !room || sfab_stepper_take(room, &c, &err) < 0 ||
		     sfab_stepper_steps(room, SFAB_ALLTOALL, &out, NULL, &err) < 0;
		reached = allocations_left < 0;
		allocations_left = -1;
		ck_assert_int_eq(rc, reached);
		ck_assert(!rc || !room || err.code == SFAB_ENOMEM);
		failures += rc;
		if (rc && room) {
			ck_assert_int_eq(sfab_stepper_take(room, &c, NULL), 0);
			ck_assert_int_eq(sfab_stepper_steps(room, SFAB_ALLTOALL, &out,
							    NULL, NULL), 0);
		}
		if (room)
			ck_assert_double_eq_tol(out.mean, steps(SFAB_ALLTOALL, &c,
								NULL).mean, 1e-12);
		sfab_stepper_destroy(room);
	}
	ck_assert_int_gt(failures, 10);
}

/* -- ways that meet again --------------------------------------------------- */

struct cable {
	unsigned a, port, b, back;	/* switches and their ports */
};

/*
 * The first switch sends what is for the last one to the second, and half of it on the way over
 * the third.  What comes back takes two ways, and is nowhere slow.
 */
static struct sfab_fabric *ways_that_meet_again(void)
{
	static const struct cable cable[] = { { 0, 3, 1, 1 }, { 0, 4, 2, 1 }, { 2, 2, 1, 2 },
					      { 1, 3, 3, 3 }, { 2, 3, 3, 4 } };
	static const uint8_t to[4][4] = {	/* [switch][LID - 1]: the port */
		{ 1, 2, 3, 3 }, { 1, 1, 3, 3 }, { 1, 1, 2, 2 }, { 3, 4, 1, 2 } };
	static const uint8_t way[] = { 3, 4 };
	static const double even[] = { 1, 1 };
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "p");

	sfab_builder_set_adaptive(b, 1);
	for (unsigned s = 0; s < 4; s++)
		ck_assert_int_eq(sfab_builder_add_switch(b, 0, 0x100 + s, "s", 4, 10 + s, NULL), 0);
	for (unsigned h = 0; h < 4; h++) {
		uint64_t node = 0x1000 + 16 * h, sw = h < 2 ? 0x100 : 0x103;
		char name[16];

		snprintf(name, sizeof(name), "n%u HCA-1", h + 1);
		ck_assert_int_eq(sfab_builder_add_port(b, 0, node, 1, node + 1, name, NULL, h + 1,
						       0, NULL), 0);
		ck_assert_int_eq(sfab_builder_add_link(b, 0, node, 1, sw, 1 + h % 2, 4e9, 1, NULL),
				 0);
		ck_assert_int_eq(sfab_builder_add_link(b, 0, sw, 1 + h % 2, node, 1, 4e9, 1, NULL),
				 0);
	}
	for (unsigned i = 0; i < 5; i++) {
		const struct cable *c = &cable[i];

		ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x100 + c->a, c->port, 0x100 + c->b,
						       c->back, 4e9, 1, NULL), 0);
		ck_assert_int_eq(sfab_builder_add_link(b, 0, 0x100 + c->b, c->back, 0x100 + c->a,
						       c->port, 4e9, 1, NULL), 0);
	}
	for (unsigned s = 0; s < 4; s++)
		for (unsigned lid = 1; lid <= 4; lid++)
			ck_assert_int_eq(sfab_builder_add_lft(b, 0, 0x100 + s, lid, &to[s][lid - 1],
							      1,
							      NULL), 0);
	for (unsigned lid = 3; lid <= 4; lid++)
		ck_assert_int_eq(sfab_builder_add_group(b, 0, 0x100, lid, way, even, 2, NULL), 0);
	return unit_freeze(b);
}

/* In the second shift, the second step of halving and all at once flows meet on one link. */
TEST(a_link_gets_all_that_a_route_sends_over_it)
{
	static const double expected[SFAB_NPATTERNS] = { 4.0 / 3, 1.5, 1, 4.0 / 3 };
	static const uint32_t rank[] = { 0, 1, 2, 3 };
	struct sfab_collective c = { .n = 4, .host = rank, .share = 1 };

	open_fabric(ways_that_meet_again());
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		ck_assert_double_eq_tol(steps((enum sfab_pattern) k, &c, NULL).mean, expected[k],
					1e-12);
}

UNIT_MAIN("steps")
