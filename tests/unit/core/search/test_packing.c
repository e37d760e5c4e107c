/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_packing.c - units, stripes, even rows and streams, on tables whose classes are known: a
 * leaf sends LID x to spine x mod 4, so that a host's class is its place on its leaf
 *
 *	          a   b   c   d
 *	leaf 1    0   1   2   3		host ids
 *	leaf 2    4   5   6   7
 *	...
 */

#include "core/ascending.h"
#include "tests/unit/fixtures/unit.h"

#include <time.h>

#include "core/load/stepper.h"
#include "core/random.h"
#include "core/search/even_rows.h"
#include "core/search/packing.h"
#include "core/search/play_stream.h"
#include "core/search/stripes.h"
#include "tests/unit/fixtures/fabrics.h"

enum { LEAVES = 8, CLASSES = 4, HOSTS = LEAVES * CLASSES };

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_class_grid *grid;
static struct sfab_units leaves, columns;
static struct sfab_arena arena;		/* of these, and of what is found in them */
static uint8_t avail[HOSTS];

static void set_up(void)
{
	struct clos shape = { .leaves = LEAVES, .spines = CLASSES, .hosts = CLASSES };

	f = unit_fabric(&shape);
	m = unit_model(f, NULL);
	grid = sfab_class_grid_create(&arena, m);
	ck_assert_ptr_nonnull(grid);
	ck_assert_int_eq(sfab_units_init(&leaves, &arena, m, grid, SFAB_UNIT_LEAF), 0);
	ck_assert_int_eq(sfab_units_init(&columns, &arena, m, grid, SFAB_UNIT_COLUMN), 0);
	memset(avail, 1, sizeof(avail));
}

static void tear_down(void)
{
	sfab_arena_free(&arena);
}

static void set_free(void)
{
	sfab_units_set_free(&leaves, avail);
	sfab_units_set_free(&columns, avail);
}

TEST(each_host_is_in_one_unit)
{
	ck_assert_uint_eq(leaves.n, LEAVES);
	ck_assert_uint_eq(columns.n, CLASSES + 1);
	ck_assert_uint_eq(sfab_unit_size(&columns, CLASSES), 0);
	for (uint32_t h = 0; h < HOSTS; h++) {
		ck_assert_uint_eq(leaves.unit_of[h], h / CLASSES);
		ck_assert_uint_eq(columns.unit_of[h], columns.unit_of[h % CLASSES]);
		ck_assert_uint_eq(columns.host[columns.first[columns.unit_of[h]] + h / CLASSES], h);
	}
}

TEST(a_part_of_a_unit_breaks_it)
{
	static const uint32_t row[] = { 0, 1, 2, 3 }, column[] = { 0, 4, 8, 12, 16, 20, 24, 28 };

	set_free();
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 4), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 2), 1);
	ck_assert_double_eq(sfab_units_broken(&columns, row, 4), 4);
	ck_assert_double_eq(sfab_units_broken(&columns, column, 8), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, column, 8), 8);
	/* host 3 is busy: its leaf and its column are broken already */
	avail[3] = 0;
	set_free();
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 3), 0);
	ck_assert_double_eq(sfab_units_broken(&leaves, row, 2), 0.5);
	ck_assert_double_eq(sfab_units_broken(&columns, row + 2, 1), 1);
}

/* Of the leaves with 4, 3, 2 and 1 free hosts the one that fits is taken. */
TEST(best_fit_takes_the_smallest_that_holds_all)
{
	uint32_t pick[HOSTS];

	memset(avail, 0, sizeof(avail));
	for (uint32_t l = 0; l < 4; l++)
		memset(avail + l * CLASSES, 1, 4 - l);
	set_free();
	for (uint32_t n = 1; n <= 4; n++) {
		ck_assert_uint_eq(sfab_units_best_fit(&leaves, avail, n, pick), n);
		for (uint32_t i = 0; i < n; i++)
			ck_assert_uint_eq(pick[i], (4 - n) * CLASSES + i);
	}
	/* 6 are 4 and 2 */
	sfab_units_best_fit(&leaves, avail, 6, pick);
	ck_assert_uint_eq(pick[3], 3);
	ck_assert_uint_eq(pick[4], 2 * CLASSES);
	ck_assert_uint_eq(pick[5], 2 * CLASSES + 1);
	/* no more than there are */
	ck_assert_uint_eq(sfab_units_best_fit(&leaves, avail, 11, pick), 10);
}

/* The mean over the steps of a pattern, of the set in the order of its hosts. */
static double steps_of(const struct sfab_model *model, enum sfab_pattern pattern,
		       const uint32_t *host, uint32_t n)
{
	struct sfab_collective c = { .n = n, .host = host, .share = 1 };
	struct sfab_stepper *sp = sfab_stepper_create(model);
	struct sfab_steps out;

	ck_assert_int_eq(sfab_stepper_take(sp, &c, NULL), 0);
	ck_assert_int_eq(sfab_stepper_steps(sp, pattern, &out, NULL, NULL), 0);
	sfab_stepper_destroy(sp);
	return out.mean;
}

/* On an empty machine each width has its set, a rectangle, and no shift has a conflict. */
TEST(even_rows_do_not_meet_themselves)
{
	struct sfab_even_rows *r = sfab_even_rows_create(&arena, grid, avail);
	uint32_t pick[HOSTS], found = 0;

	for (uint32_t n = 2; n <= HOSTS; n++)
		for (uint32_t width = 1; width <= CLASSES && width <= n; width++) {
			if (n % width || n / width > LEAVES)
				continue;
			ck_assert_int_eq(sfab_even_rows_find(r, n, width, 0, SFAB_ROWS_FULLEST,
							     width, pick), 1);
			for (uint32_t i = 0; i < n; i++) {
				ck_assert(!i || pick[i - 1] < pick[i]);
				ck_assert_uint_eq(grid->column[pick[i]],
						  grid->column[pick[i % width]]);
			}
			ck_assert_double_eq_tol(steps_of(m, SFAB_ALLTOALL, pick, n), 1, 1e-9);
			found++;
		}
	ck_assert_uint_eq(found, 31);
}

/* 12 ranks fold to 8: two leaves of 4, then two of 2. */
TEST(even_rows_fold_for_halving)
{
	struct sfab_even_rows *r = sfab_even_rows_create(&arena, grid, avail);
	uint32_t pick[HOSTS], on_leaf[LEAVES] = { 0 };

	ck_assert_int_eq(sfab_even_rows_find(r, 12, 2, 1, SFAB_ROWS_FULLEST, CLASSES, pick), 1);
	for (int i = 0; i < 12; i++)
		on_leaf[pick[i] / CLASSES]++;
	ck_assert_uint_eq(on_leaf[0] * 1000 + on_leaf[1] * 100 + on_leaf[2] * 10 + on_leaf[3],
			  4422);
	ck_assert_double_eq_tol(steps_of(m, SFAB_ALLREDUCE, pick, 12), 1, 1e-9);
	ck_assert_int_eq(sfab_even_rows_find(r, 12, 3, 1, SFAB_ROWS_FULLEST, CLASSES, pick), 0);
	ck_assert_int_eq(sfab_even_rows_find(r, 8, 2, 1, SFAB_ROWS_FULLEST, CLASSES, pick), 0);
}

/* On a busy machine what is found is free, and near ranks are in different columns. */
LOOP_TEST(even_rows_are_of_free_hosts, 20)
{
	struct sfab_even_rows *r;
	uint64_t random = (uint64_t) _i;
	uint32_t pick[HOSTS], found = 0;

	for (uint32_t h = 0; h < HOSTS; h++)
		avail[h] = sfab_random_double(&random) < 0.6;
	r = sfab_even_rows_create(&arena, grid, avail);
	for (uint32_t n = 1; n <= HOSTS; n++)
		for (uint32_t width = 1; width <= CLASSES; width++) {
			if (!sfab_even_rows_find(r, n, width, 0, SFAB_ROWS_EMPTIEST, CLASSES,
						 pick))
				continue;
			found++;
			for (uint32_t i = 0; i < n; i++) {
				ck_assert(avail[pick[i]] && (!i || pick[i - 1] < pick[i]));
				for (uint32_t k = i + 1; k < n && k < i + width; k++)
					ck_assert_uint_ne(grid->column[pick[i]],
							  grid->column[pick[k]]);
			}
		}
	ck_assert_uint_gt(found, 10);
}

/* Wolf, whose free hosts are drawn. */
struct drawn_wolf {
	struct sfab_fabric *f;
	struct sfab_model *m;
	struct sfab_class_grid *grid;
	struct sfab_stripes *r;
	uint8_t avail[WOLF_LEAVES * WOLF_PORTS];
};

static void draw_wolf(struct drawn_wolf *w, uint64_t seed, double part)
{
	w->f = unit_wolf();
	w->m = unit_model(w->f, NULL);
	w->grid = sfab_class_grid_create(&arena, w->m);
	ck_assert(w->m && w->grid && w->f->nhosts <= sizeof(w->avail));
	for (uint32_t h = 0; h < w->f->nhosts; h++)
		w->avail[h] = sfab_random_double(&seed) < part;
	w->r = sfab_stripes_create(&arena, w->grid, w->avail);
	ck_assert_ptr_nonnull(w->r);
}

/*
 * Neither shifts nor halving have a conflict, whatever the number of hosts, as long as the last
 * ranks find columns of their own.
 */
TEST(stripes_do_not_meet_themselves)
{
	struct drawn_wolf w;
	uint32_t pick[WOLF_LEAVES * WOLF_PORTS], found = 0;

	draw_wolf(&w, 1, 1);
	for (uint32_t n = 33; n <= 250; n += 7)
		for (uint32_t block = 1; block <= 4; block *= 2) {
			if (!sfab_stripes_find(w.r, n, block, 0, pick) ||
			    2 * block + n % (2 * block) > WOLF_PORTS)
				continue;
			qsort(pick, n, sizeof(*pick), sfab_ascending_u32);
			ck_assert_double_eq_tol(steps_of(w.m, SFAB_ALLTOALL, pick, n), 1, 1e-9);
			ck_assert_double_eq_tol(steps_of(w.m, SFAB_ALLREDUCE, pick, n), 1, 1e-9);
			found++;
		}
	ck_assert_uint_ge(found, 32);
}

/* Rows of a busy machine lack cells: others stand in for them, and blocks are on two rows. */
LOOP_TEST(stripes_are_of_free_hosts, 4)
{
	struct drawn_wolf w;
	uint32_t pick[WOLF_LEAVES * WOLF_PORTS], found = 0, clear = 0;

	draw_wolf(&w, (uint64_t) _i, 0.8);
	for (uint32_t n = 8; n <= 96; n++)
		for (uint32_t block = 1; block <= 4; block *= 2) {
			if (!sfab_stripes_find(w.r, n, block, 0, pick))
				continue;
			qsort(pick, n, sizeof(*pick), sfab_ascending_u32);
			for (uint32_t i = 0; i < n; i++) {
				ck_assert(w.avail[pick[i]]);
				ck_assert(!i || pick[i - 1] < pick[i]);
			}
			found++;
			clear += steps_of(w.m, SFAB_ALLREDUCE, pick, n) < 1 + 1e-9;
		}
	ck_assert_uint_gt(found, 60);
	ck_assert_uint_eq(clear, found);
}

/* Less is lost than with one host of each leaf in turn; and twice the same. */
TEST(a_stream_tells_what_a_packing_is_worth)
{
	struct sfab_scorer *sc = unit_scorer(m);
	struct sfab_traffic t = unit_traffic("mpi=0.3");
	struct sfab_stream s = { .policy = SFAB_POLICY_SFABRIC,
				 .packing = { SFAB_UNIT_COLUMN, 1, 0, 0 }, .utilization = 0.9,
				 .jobs = 60, .largest = 16, .seed = 1, .traffic = &t };
	double packed, again, spread;
	struct sfab_err err;

	ck_assert_int_eq(sfab_play_stream(sc, &s, &packed, &err), 0);
	ck_assert_int_eq(sfab_play_stream(sc, &s, &again, &err), 0);
	ck_assert_double_eq(packed, again);
	s.policy = SFAB_POLICY_SPREAD;
	ck_assert_int_eq(sfab_play_stream(sc, &s, &spread, &err), 0);
	s.largest = HOSTS;
	ck_assert_int_eq(sfab_play_stream(sc, &s, &spread, &err), -1);
	/* After the error: it leaves the loss as it was. */
	ck_assert_double_lt(packed, 0.9 * spread);
	ck_assert_str_eq(err.text, "a job of 32 hosts is too large for a stream on 32");
}

/* -- which packing ---------------------------------------------------------- */

struct wolf {
	struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_scorer *sc;
};

static struct wolf open_wolf(void)
{
	struct wolf w = { .f = unit_wolf() };

	w.io = unit_wolf_servers(w.f, 0);
	w.m = unit_model(w.f, w.io);
	w.sc = unit_scorer(w.m);
	return w;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static struct sfab_packings play(const struct sfab_model *model, struct sfab_scorer *sc,
				 const char *traffic)
{
	struct sfab_packings out;
	struct sfab_traffic t;

	ck_assert_int_eq(sfab_traffic_parse(traffic, NULL, &t, NULL), 0);
	ck_assert_int_eq(sfab_packings_play(sc, &t, &out, NULL), 0);
	ck_assert_uint_lt(out.best, SFAB_PACKINGS);
	for (int i = 0; i < SFAB_PACKINGS; i++)
		if (out.trial[i].is_played)
			ck_assert_double_le(out.trial[out.best].loss, out.trial[i].loss);
	return out;
}

#define PRIOR "mpi=0.25+io-write=0.05"	/* what most sites' jobs send */

static double loss_of(const struct sfab_packings *p, const char *name)
{
	for (int i = 0; i < SFAB_PACKINGS; i++)
		if (strcmp(p->trial[i].name, name) == 0)
			return p->trial[i].loss;
	ck_abort_msg("no packing %s", name);
	return 0;
}

static const struct {
	const char *traffic, *better, *worse;
} played[] = {
	{ "mpi=0.25", "leaves", "columns" },
	{ PRIOR, "columns", "leaves" },
	{ PRIOR, "columns", "none" },
};

/* Twice the same, soon enough for a snapshot that is loaded. */
LOOP_TEST(wolf_is_packed_for_what_its_jobs_send, 3)
{
	struct wolf w = open_wolf();
	double start = cpu_seconds();
	struct sfab_packings a = play(w.m, w.sc, played[_i].traffic), b;

	/* Sanitizers take threefold, valgrind fifteenfold. */
	ck_assert_double_lt(cpu_seconds() - start, getenv("SFAB_VALGRIND") ? 90 : 6);
	ck_assert_double_lt(loss_of(&a, played[_i].better),
			    0.9 * loss_of(&a, played[_i].worse));
	ck_assert_double_lt(a.trial[a.best].loss, 0.9 * a.tree);
	b = play(w.m, w.sc, played[_i].traffic);
	ck_assert_uint_eq(a.best, b.best);
	ck_assert_double_eq(a.tree, b.tree);
	for (int i = 0; i < SFAB_PACKINGS; i++)
		ck_assert_double_eq(a.trial[i].loss, b.trial[i].loss);
}

/* Neither IO nor MPI waits, together, whatever the number of hosts. */
TEST(jobs_on_idle_wolf_wait_for_nothing)
{
	static const uint32_t sizes[] = { 16, 24, 32, 40, 48, 60, 63, 64, 80, 96, 100, 120, 128,
					  160, 200, 256 };
	struct wolf w = open_wolf();
	struct sfab_packings packings = play(w.m, w.sc, PRIOR);
	uint8_t free_hosts[WOLF_LEAVES * WOLF_PORTS];
	struct sfab_traffic t;
	struct sfab_request rq = { .n = 64, .avail = free_hosts, .traffic = &t };
	struct sfab_choice c;

	for (uint32_t h = 0; h < w.f->nhosts; h++)
		free_hosts[h] = !w.m->io_host[h];
	ck_assert_int_eq(sfab_traffic_parse(PRIOR, NULL, &t, NULL), 0);
	w.sc->packing = packings.trial[packings.best].packing;
	ck_assert_int_eq(sfab_search_by(w.sc, NULL, &rq, SFAB_POLICY_TREE, &c, NULL), 0);
	ck_assert_double_gt(c.score.lost.part[1].beside, 2);
	sfab_choice_clear(&c);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		rq.n = sizes[i];
		ck_assert_int_eq(sfab_search(w.sc, NULL, &rq, &c, NULL), 0);
		ck_assert_msg(c.score.lost.part[0].beside <= 1.05 &&
			      c.score.lost.part[1].beside <= 1.05, "%u hosts: mpi %f, write %f",
			      rq.n, c.score.lost.part[0].beside, c.score.lost.part[1].beside);
		sfab_choice_clear(&c);
	}
}

/* Groups of ports: no host has a port class. */
TEST(columns_are_not_played_where_there_are_none)
{
	struct clos shape = { .leaves = 8, .spines = 4, .hosts = 8, .grouped = 1 };
	struct sfab_packings out;
	struct sfab_scorer *sc;

	tear_down();
	f = unit_fabric(&shape);
	m = unit_model(f, NULL);
	sc = unit_scorer(m);
	out = play(m, sc, "mpi=0.25+io-write@none=0.1");
	for (int i = 0; i < SFAB_PACKINGS; i++)
		ck_assert_int_eq(out.trial[i].is_played,
				 out.trial[i].packing.unit != SFAB_UNIT_COLUMN);
	set_up();
}

/* Without traffic, or with too few hosts. */
LOOP_TEST(leaves_are_best_where_nothing_is_played, 2)
{
	static const struct clos shape[] = {
		{ .leaves = 8, .spines = 4, .hosts = 8 },
		{ .leaves = 7, .spines = 4, .hosts = 4 },
	};
	static const char *const traffic[] = { "io-write=0.1", "mpi=0.25" };
	struct sfab_packings out;
	struct sfab_scorer *sc;

	tear_down();
	f = unit_fabric(&shape[_i]);
	m = unit_model(f, NULL);
	sc = unit_scorer(m);
	out = play(m, sc, traffic[_i]);
	ck_assert_str_eq(out.trial[out.best].name, "leaves");
	ck_assert_double_eq(out.tree, 0);
	for (int i = 0; i < SFAB_PACKINGS; i++)
		ck_assert_int_eq(out.trial[i].is_played, 0);
	set_up();
}

UNIT_MAIN_WITH("packing", set_up, tear_down)
