/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rectangles of port classes: on tables whose classes are known (a leaf sends LID x
 * to spine x mod 4, so a host's class is its place on its leaf), jobs of any size get
 * sets whose shifts have no conflict, and that share no link with the others.
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>
#include <string.h>

#include "core/load/steps.h"
#include "core/random.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/made.h"

enum { LEAVES = 8, CLASSES = 8, HOSTS = LEAVES * CLASSES };

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_scorer *sc;
static struct sfab_jobs *js;
static struct sfab_traffic alltoall;
static uint8_t avail[5 * HOSTS];

static void set_up_leaves(unsigned leaves)
{
	struct made shape = { .leaves = leaves, .spines = CLASSES, .hosts = CLASSES };

	f = made_fabric(&shape);
	m = sfab_model_create(f, NULL);
	ck_assert_ptr_nonnull(m);
	m->by_steps = SFAB_MPI_STEPS;
	sc = sfab_scorer_create(m);
	js = sfab_jobs_create(m);
	ck_assert(sc && js);
	ck_assert_int_eq(sfab_traffic_parse("alltoall=1", NULL, &alltoall, NULL), 0);
	memset(avail, 1, sizeof(avail));
}

static void set_up(void)
{
	set_up_leaves(LEAVES);
}

static void tear_down(void)
{
	sfab_jobs_destroy(js);
	sfab_scorer_destroy(sc);
	sfab_model_destroy(m);
	sfab_fabric_destroy(f);
}

/* Choose @n hosts by @policy. */
static struct sfab_choice choose(uint32_t n, enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = avail, .traffic = &alltoall,
				   .seed = 1 };
	struct sfab_choice c;

	ck_assert_int_eq(sfab_candidate(sc, js, &rq, policy, &c, NULL), 0);
	return c;
}

static void start_job(uint64_t id, const struct sfab_choice *c)
{
	struct sfab_spec s = { .n = c->n, .host = c->host, .traffic = &alltoall };

	ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
	for (uint32_t i = 0; i < c->n; i++) {
		ck_assert_uint_eq(avail[c->host[i]], 1);
		avail[c->host[i]] = 0;
	}
}

static int shares_link(const struct sfab_choice *c)
{
	struct sfab_spec s = { .n = c->n, .host = c->host, .traffic = &alltoall };
	const double *b = sfab_jobs_background(js);
	struct sfab_load l;
	int shares = 0;

	ck_assert_int_eq(sfab_load_init(&l, m->nres), 0);
	ck_assert_int_eq(sfab_demand(m, &s, &l, &l, NULL, NULL), 0);
	for (uint32_t i = 0; i < l.ntouched; i++)
		shares |= m->isl[l.touched[i]] && b[l.touched[i]] > 0;
	sfab_load_free(&l);
	return shares;
}

START_TEST(the_grid_knows_rows_columns_and_links)
{
	const struct sfab_class_grid *g = sfab_scorer_grid(sc);
	const struct sfab_grid *x = &g->level[0];

	ck_assert_uint_eq(g->nlevels, 1);
	ck_assert_uint_eq(x->nrows, LEAVES);
	ck_assert_uint_eq(x->ncolumns, CLASSES);
	for (uint32_t h = 0; h < HOSTS; h++) {
		uint32_t port = m->rail_dst[h], spine = f->ports[port].lid % CLASSES;

		for (uint32_t l = 0; l < LEAVES; l++) {
			uint32_t up = x->up[l * CLASSES + x->column[h]];

			ck_assert_uint_ne(up, SFAB_NONE);
			ck_assert_uint_eq(f->links[up].from, f->leaves[l].sw);
			ck_assert_uint_eq(f->switches[f->links[up].to].guid,
					  0x200 + spine);
		}
		ck_assert_uint_eq(f->links[x->down[h]].to, f->leaves[m->host_leaf[h]].sw);
		ck_assert_uint_eq(f->switches[f->links[x->down[h]].from].guid,
				  0x200 + spine);
	}
}
END_TEST

/* Tree placement fills leaves: 20 hosts on leaves of 8 meet themselves. */
START_TEST(a_job_on_several_leaves_does_not_meet_itself)
{
	static const uint32_t size[] = { 9, 10, 12, 15, 16, 20, 21, 24, 28, 32, 40, 48 };
	int worse = 0;

	for (uint32_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		struct sfab_choice tree = choose(size[i], SFAB_POLICY_TREE);
		struct sfab_choice ours = choose(size[i], SFAB_POLICY_SFABRIC);

		ck_assert_double_le(ours.score.alone, tree.score.alone + 1e-12);
		ck_assert_uint_le(ours.score.leaves, tree.score.leaves);
		if (size[i] % ours.score.leaves == 0)
			ck_assert_double_eq_tol(ours.score.alone, 1, 1e-9);
		worse += tree.score.alone > 1.2;
		sfab_choice_clear(&tree);
		sfab_choice_clear(&ours);
	}
	ck_assert_int_ge(worse, 3);
}
END_TEST

START_TEST(jobs_meet_nobody)
{
	static const uint32_t size[] = { 12, 20, 12 };

	for (uint32_t i = 0; i < 3; i++) {
		struct sfab_choice c = choose(size[i], SFAB_POLICY_SFABRIC);

		ck_assert_double_eq_tol(c.score.beside, c.score.alone, 1e-9);
		ck_assert_int_eq(shares_link(&c), 0);
		start_job(i + 1, &c);
		sfab_choice_clear(&c);
	}
}
END_TEST

/* Half the share is half the time: the set is the same, the excess is half. */
START_TEST(a_step_runs_at_the_full_rate)
{
	struct sfab_choice tree = choose(28, SFAB_POLICY_TREE), half, ours;

	ck_assert_int_eq(sfab_traffic_parse("alltoall=0.5", NULL, &alltoall, NULL), 0);
	half = choose(28, SFAB_POLICY_TREE);
	ours = choose(28, SFAB_POLICY_SFABRIC);
	ck_assert_double_gt(tree.score.alone, 1.1);
	ck_assert_double_eq_tol(half.score.alone - 1, (tree.score.alone - 1) / 2, 1e-12);
	ck_assert_double_lt(ours.score.alone, half.score.alone);
	sfab_choice_clear(&tree);
	sfab_choice_clear(&half);
	sfab_choice_clear(&ours);
}
END_TEST

/* A stream of jobs at 80 %: ours share links far less often than tree placement. */
static uint32_t count_sharing(enum sfab_policy policy, double *alone)
{
	struct sfab_choice run[HOSTS];
	uint32_t n = 0, nfree = HOSTS, shares = 0;
	uint64_t id = 0, r = 5;

	memset(avail, 1, sizeof(avail));
	while (id < 200) {
		uint32_t want = 2 + (uint32_t) (sfab_random(&r) % 15);

		while (HOSTS - nfree + want > HOSTS * 4 / 5) {
			uint32_t k = (uint32_t) (sfab_random(&r) % n);

			sfab_jobs_remove(js, (uint64_t) run[k].steps);
			for (uint32_t i = 0; i < run[k].n; i++)
				avail[run[k].host[i]] = 1;
			nfree += run[k].n;
			sfab_choice_clear(&run[k]);
			run[k] = run[--n];
		}
		run[n] = choose(want, policy);
		shares += (uint32_t) shares_link(&run[n]);
		*alone += run[n].score.alone > 1 ? run[n].score.alone - 1 : 0;
		run[n].steps = (uint32_t) ++id;
		start_job(id, &run[n]);
		nfree -= want;
		n++;
	}
	while (n--) {
		sfab_jobs_remove(js, (uint64_t) run[n].steps);
		sfab_choice_clear(&run[n]);
	}
	return shares;
}

START_TEST(a_stream_shares_fewer_links)
{
	double tree_alone = 0, our_alone = 0;
	uint32_t tree = count_sharing(SFAB_POLICY_TREE, &tree_alone);
	uint32_t ours = count_sharing(SFAB_POLICY_SFABRIC, &our_alone);

	ck_assert_uint_gt(tree, 20);
	ck_assert_uint_le(3 * ours, tree);
	ck_assert_double_le(2 * our_alone, tree_alone);
}
END_TEST

/* -- the mean and the steps together --------------------------------------- */

static void judge_by(enum sfab_mpi_score by)
{
	sfab_scorer_destroy(sc);
	m->by_steps = by;
	sc = sfab_scorer_create(m);
	ck_assert_ptr_nonnull(sc);
}

START_TEST(both_adds_half_alone_and_twice_between)
{
	struct sfab_choice other = choose(20, SFAB_POLICY_TREE), c;
	struct sfab_score mean;

	start_job(1, &other);
	judge_by(SFAB_MPI_MEAN);
	c = choose(20, SFAB_POLICY_TREE);
	mean = c.score;
	sfab_choice_clear(&c);
	judge_by(SFAB_MPI_BOTH);
	c = choose(20, SFAB_POLICY_TREE);
	ck_assert_double_gt(c.score.alone, 1.1);
	ck_assert_double_gt(c.score.beside, c.score.alone + 0.1);
	ck_assert_double_eq_tol(c.score.term[SFAB_TERM_SELF],
				mean.term[SFAB_TERM_SELF] + (c.score.alone - 1) / 2, 1e-12);
	ck_assert_double_eq_tol(c.score.term[SFAB_TERM_CONTENTION],
				mean.term[SFAB_TERM_CONTENTION] +
					2 * (c.score.beside - c.score.alone), 1e-12);
	sfab_choice_clear(&c);
	sfab_choice_clear(&other);
}
END_TEST

/* The host of leaf @l in class @c and another one belong to a job. */
static void keep_busy(uint32_t *host, uint32_t l, uint32_t c, uint32_t other)
{
	host[2 * l] = l * CLASSES + (c < other ? c : other);
	host[2 * l + 1] = l * CLASSES + (c < other ? other : c);
}

/*
 * A job that has two hosts on each leaf sends over every link.  Three leaves have the
 * same six classes free: there 18 hosts meet the job, but not themselves.
 */
START_TEST(who_must_meet_others_need_not_meet_itself)
{
	enum { MANY = 5 * LEAVES };
	static const uint32_t same[] = { 11, 22, 37 };
	uint32_t host[2 * MANY];
	struct sfab_choice other = { .n = 2 * MANY, .host = host }, tree, ours;

	tear_down();
	set_up_leaves(MANY);
	for (uint32_t l = 0; l < MANY; l++)
		keep_busy(host, l, l % CLASSES, (l + 2 + l / CLASSES) % CLASSES);
	for (uint32_t i = 0; i < 3; i++)
		keep_busy(host, same[i], 0, 1);
	start_job(1, &other);
	judge_by(_i ? SFAB_MPI_BOTH : SFAB_MPI_STEPS);
	tree = choose(18, SFAB_POLICY_TREE);
	ours = choose(18, SFAB_POLICY_SFABRIC);
	ck_assert_double_gt(tree.score.alone, 1.1);
	ck_assert_double_eq_tol(ours.score.alone, 1, 1e-9);
	ck_assert_uint_eq(ours.score.leaves, 3);
	ck_assert_double_gt(ours.score.beside, 1.01);
	sfab_choice_clear(&tree);
	sfab_choice_clear(&ours);
}
END_TEST

static struct sfab_choice choose_with_queue(uint32_t n, uint32_t pending)
{
	static const struct sfab_queued job = { .n = 24, .limit_s = 3600,
						.traffic = &alltoall };
	struct sfab_queue queue = { .now_s = 1000, .n = pending, .job = &job };
	struct sfab_request rq = { .n = n, .avail = avail, .traffic = &alltoall,
				   .seed = 1, .queue = &queue, .limit_s = 3600 };
	struct sfab_choice c;

	ck_assert_int_eq(sfab_search(sc, js, &rq, &c, NULL), 0);
	return c;
}

/* Where jobs wait, fewer leaves are left partly free, though steps then take longer. */
START_TEST(jobs_that_wait_keep_their_leaves)
{
	static const uint32_t size[] = { 10, 12, 14, 20, 28 };
	double broken[2] = { 0, 0 }, alone[2] = { 0, 0 };

	judge_by(SFAB_MPI_BOTH);
	for (uint32_t i = 0; i < 2 * 5; i++) {
		struct sfab_choice c = choose_with_queue(size[i / 2], i % 2);
		struct sfab_choice again = choose_with_queue(size[i / 2], i % 2);

		ck_assert_mem_eq(c.host, again.host, c.n * sizeof(*c.host));
		broken[i % 2] += c.score.term[SFAB_TERM_BROKEN];
		alone[i % 2] += c.score.alone - 1;
		sfab_choice_clear(&c);
		sfab_choice_clear(&again);
	}
	ck_assert_double_gt(broken[0], broken[1] + 1);
	ck_assert_double_lt(2 * alone[0], alone[1]);
}
END_TEST

/* -- all sets of a few hosts ----------------------------------------------- */

enum { FREE = 12, WANTED = 8 };

/* Three leaves have four free hosts each, two jobs run beside. */
static void make_state(uint64_t seed)
{
	uint64_t r = seed;

	memset(avail, 0, sizeof(avail));
	for (uint32_t n = 0; n < FREE;) {
		uint32_t h = m->leaf_host[(n / 4) * CLASSES + sfab_random(&r) % CLASSES];

		n += !avail[h];
		avail[h] = 1;
	}
	for (uint64_t id = 1; id <= 2; id++) {
		struct sfab_choice c = { .n = 0 };
		uint32_t host[2 * CLASSES];

		sfab_jobs_remove(js, id);
		for (uint32_t i = 0; i < 5 * CLASSES; i++) {
			uint32_t h = m->leaf_host[i];

			if (!avail[h] && c.n < 2 * CLASSES && sfab_random(&r) % 3 == id)
				host[c.n++] = h;
		}
		struct sfab_spec s = { .n = c.n, .host = host, .traffic = &alltoall };
		ck_assert_int_eq(sfab_jobs_add(js, id, &s, NULL), 0);
	}
}

static double score_of(uint32_t mask, const uint32_t *from)
{
	uint32_t host[WANTED], n = 0;
	struct sfab_spec s = { .n = WANTED, .host = host, .traffic = &alltoall };
	struct sfab_space room;
	struct sfab_score score;

	for (uint32_t i = 0; i < FREE; i++)
		if (mask >> i & 1)
			host[n++] = from[i];
	ck_assert_int_eq(sfab_space_init(&room, m, avail, NULL, WANTED), 0);
	ck_assert_int_eq(sfab_score(sc, js, &s, &room, NULL, &score, NULL), 0);
	sfab_space_free(&room);
	return score.total;
}

/* The least score of all sets, which search does not know. */
static double least_score(void)
{
	uint32_t from[FREE], n = 0;
	double least = INFINITY;

	for (uint32_t h = 0; h < HOSTS; h++)
		if (avail[h])
			from[n++] = h;
	for (uint32_t mask = 0; mask < 1u << FREE; mask++)
		if (__builtin_popcount(mask) == WANTED)
			least = fmin(least, score_of(mask, from));
	return least;
}

START_TEST(few_hosts_are_chosen_as_well_as_can_be)
{
	uint32_t best = 0, states = 40;
	double sum = 0, least_sum = 0;

	judge_by(SFAB_MPI_BOTH);
	for (uint64_t seed = 1; seed <= states; seed++) {
		struct sfab_choice c;
		double least;

		make_state(seed);
		c = choose_with_queue(WANTED, 0);
		least = least_score();
		best += c.score.total < least + 1e-6;
		sum += c.score.total;
		least_sum += least;
		sfab_choice_clear(&c);
	}
	ck_assert_uint_ge(20 * best, 19 * states);
	ck_assert_double_le(sum, 1.02 * least_sum);
}
END_TEST

START_TEST(a_calm_machine_shares_fewer_links_by_both)
{
	double tree_alone = 0, our_alone = 0;
	uint32_t tree, ours;

	judge_by(SFAB_MPI_BOTH);
	tree = count_sharing(SFAB_POLICY_TREE, &tree_alone);
	ours = count_sharing(SFAB_POLICY_SFABRIC, &our_alone);
	ck_assert_uint_le(2 * ours, tree);
	ck_assert_double_le(2 * our_alone, tree_alone);
}
END_TEST

/* 1: the bar refused the set, which it must exactly if its whole key is above. */
static int is_refused(const struct sfab_spec *s, const struct sfab_score *whole,
		      const struct sfab_space *room, double key)
{
	struct sfab_bar bar = { .key = key, .with_steps = 1 };
	struct sfab_score out;
	int rc = sfab_score_under(sc, js, s, room, NULL, &bar, &out, NULL);

	ck_assert_int_ge(rc, 0);
	ck_assert_int_eq(rc, sfab_score_key(whole, &bar) > key);
	if (!rc)
		ck_assert_double_eq_tol(sfab_score_key(&out, &bar),
					sfab_score_key(whole, &bar), 1e-12);
	return rc;
}

START_TEST(a_set_is_scored_as_far_as_it_may_win)
{
	static const double part[] = { 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.01, 2 };
	uint64_t random = 3;
	int refused = 0, kept = 0;

	judge_by(SFAB_MPI_BOTH);
	for (int i = 0; i < 40; i++) {
		struct sfab_choice c = choose(4 + (uint32_t) (sfab_random(&random) % 9),
					      i % 3 ? SFAB_POLICY_RANDOM : SFAB_POLICY_TREE);
		struct sfab_spec s = { .n = c.n, .host = c.host, .traffic = &alltoall };
		struct sfab_bar none = { .key = INFINITY, .with_steps = 1 };
		struct sfab_space room;
		struct sfab_score whole;

		ck_assert_int_eq(sfab_space_init(&room, m, avail, NULL, c.n), 0);
		ck_assert_int_eq(sfab_score_under(sc, js, &s, &room, NULL, &none, &whole,
						  NULL), 0);
		for (unsigned k = 0; k < sizeof(part) / sizeof(part[0]); k++) {
			double key = part[k] * sfab_score_key(&whole, &none);

			if (is_refused(&s, &whole, &room, key))
				refused++;
			else
				kept++;
		}
		sfab_space_free(&room);
		if (i % 8 == 0 && i < 32)
			start_job((uint64_t) i + 1, &c);
		sfab_choice_clear(&c);
	}
	ck_assert_int_gt(refused, 100);
	ck_assert_int_gt(kept, 60);
}
END_TEST

/* Random states: what tree placement takes is a candidate by the same measure. */
START_TEST(never_worse_than_tree)
{
	uint64_t random = (uint64_t) _i + 1;

	judge_by(_i % 2 ? SFAB_MPI_BOTH : SFAB_MPI_STEPS);
	for (uint32_t id = 1; id <= 5; id++) {
		struct sfab_choice other = choose(3 + (uint32_t) (sfab_random(&random) % 7),
						  SFAB_POLICY_RANDOM);

		start_job(id, &other);
		sfab_choice_clear(&other);
	}
	for (uint32_t n = 2; n < 19; n += 2) {
		struct sfab_choice ours = choose(n, SFAB_POLICY_SFABRIC);
		struct sfab_choice tree = choose(n, SFAB_POLICY_TREE);

		ck_assert_double_le(ours.score.key, tree.score.key + 1e-9);
		sfab_choice_clear(&ours);
		sfab_choice_clear(&tree);
	}
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, never_worse_than_tree, 0, 60);
	tcase_add_test(tc, the_grid_knows_rows_columns_and_links);
	tcase_add_test(tc, a_job_on_several_leaves_does_not_meet_itself);
	tcase_add_test(tc, jobs_meet_nobody);
	tcase_add_test(tc, a_step_runs_at_the_full_rate);
	tcase_add_test(tc, a_stream_shares_fewer_links);
	tcase_add_test(tc, both_adds_half_alone_and_twice_between);
	tcase_add_loop_test(tc, who_must_meet_others_need_not_meet_itself, 0, 2);
	tcase_add_test(tc, jobs_that_wait_keep_their_leaves);
	tcase_add_test(tc, a_set_is_scored_as_far_as_it_may_win);
	tcase_add_test(tc, few_hosts_are_chosen_as_well_as_can_be);
	tcase_add_test(tc, a_calm_machine_shares_fewer_links_by_both);
}

UNIT_MAIN("search classes", list)
