/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_footprint.c - vectors of very many IO sets: some are made before, the others when asked
 * for, and forgotten for others
 */

#include "tests/unit/fixtures/unit.h"

#include "core/random.h"
#include "core/search/footprint_private.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/fabrics.h"

#define SETS 40

static struct sfab_fabric *f;
static struct sfab_iosets *io;
static struct sfab_model *m;
static struct sfab_footprints *fps;

static void set_up(void)
{
	static const char *const hosts[] = { "n1", "n6", "n11" };
	struct sfab_ioset_spec set[SETS];
	char name[SETS][8];

	for (uint32_t i = 0; i < SETS; i++) {
		snprintf(name[i], sizeof(name[i]), "s%u", i);
		set[i] = (struct sfab_ioset_spec){ .name = name[i], .nhosts = 3,
						   .host = hosts };
	}
	f = unit_fabric(&(struct clos){ .leaves = 4, .spines = 2, .hosts = 5 });
	io = unit_sets(f, set, SETS);
	m = unit_model(f, io);
	fps = sfab_footprints_create(m);
	ck_assert(io && m && fps);
}

static void tear_down(void)
{
	sfab_footprints_destroy(fps);
}

static uint32_t kinds_begun(const struct sfab_footprints *x)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < x->nkinds; k++)
		n += x->kind[k].own != NULL;
	return n;
}

TEST(a_bound_ends_the_filling)
{
	uint64_t all;

	ck_assert_int_eq(sfab_footprints_fill(fps, UINT64_MAX, NULL), 0);
	ck_assert_uint_eq(kinds_begun(fps), SFAB_FOOTPRINT_KINDS);
	all = fps->host_load.adds;
	sfab_footprints_destroy(fps);
	fps = sfab_footprints_create(m);
	ck_assert_uint_eq(kinds_begun(fps), 0);
	ck_assert_int_eq(sfab_footprints_fill(fps, all / 10, NULL), 0);
	ck_assert_uint_ge(fps->host_load.adds, all / 10);
	ck_assert_uint_le(fps->host_load.adds, all / 10 + 2 * all / SFAB_FOOTPRINT_KINDS);
	ck_assert_uint_lt(kinds_begun(fps), SFAB_FOOTPRINT_KINDS / 4);
}

TEST(what_was_not_filled_is_the_same_when_asked_for)
{
	struct sfab_footprints *full = sfab_footprints_create(m);
	struct sfab_footprint has, wants;

	ck_assert_int_eq(sfab_footprints_fill(full, UINT64_MAX, NULL), 0);
	ck_assert_int_eq(sfab_footprints_fill(fps, 1, NULL), 0);
	for (uint32_t k = 2 * SETS; k-- > 0;)
		for (uint32_t h = 0; h < f->nhosts; h++) {
			enum sfab_class class = fps->kind[k].class;

			if (m->io_host[h])
				continue;
			sfab_footprints_begin(fps, NULL);
			sfab_footprints_begin(full, NULL);
			ck_assert_int_eq(sfab_footprints_get(fps, class, k / 2, h,
							     &has, NULL),
					 0);
			ck_assert_int_eq(sfab_footprints_get(full, class, k / 2, h,
							     &wants, NULL),
					 0);
			ck_assert_uint_eq(has.n, wants.n);
			ck_assert_uint_eq(has.left_out, wants.left_out);
			for (uint32_t i = 0; i < has.n; i++) {
				ck_assert_uint_eq(has.entry[i].res,
						  wants.entry[i].res);
				ck_assert_float_eq(has.entry[i].v, wants.entry[i].v);
			}
		}
	sfab_footprints_destroy(full);
}

/* A search of random traffic, one to eight parts. */
static void random_question(uint64_t *random, struct sfab_traffic *t,
			    struct sfab_request *rq)
{
	memset(t, 0, sizeof(*t));
	t->nparts = 1 + (uint32_t) (sfab_random(random) % SFAB_TRAFFIC_PARTS);
	for (uint32_t i = 0; i < t->nparts; i++) {
		t->part[i].class = sfab_random(random) % 2 ? SFAB_IO_READ
							   : SFAB_IO_WRITE;
		t->part[i].share = 0.125;
		snprintf(t->part[i].set, sizeof(t->part[i].set), "s%u",
			 (unsigned) (sfab_random(random) % SETS));
	}
	rq->n = 1 + (uint32_t) (sfab_random(random) % 8);
	rq->seed = sfab_random(random);
	rq->max_steps = 3000;
	rq->traffic = t;
}

static uint64_t entries_of(const struct sfab_footprints *x)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < x->nkinds; k++) {
		n += x->kind[k].common.n;
		for (uint32_t h = 0; x->kind[k].own && h < f->nhosts; h++)
			n += x->kind[k].own[h].n;
	}
	return n;
}

/* The answer of a scorer that keeps nothing from before. */
static void answer_with_new_scorer(const struct sfab_request *rq, uint32_t max,
				   struct sfab_choice *c)
{
	struct sfab_scorer *sc = unit_scorer(m);

	sc->footprints->max = max;
	ck_assert_int_eq(sfab_search(sc, NULL, rq, c, NULL), 0);
}

static void same_answer(const struct sfab_choice *a, const struct sfab_choice *b)
{
	ck_assert_uint_eq(a->n, b->n);
	ck_assert_mem_eq(a->host, b->host, a->n * sizeof(*a->host));
	ck_assert_double_eq(a->score.total, b->score.total);
	ck_assert_uint_eq(a->steps, b->steps);
}

static const uint32_t bounds[] = { 0, 100, 1000, 3000, SFAB_FOOTPRINT_MAX };
#define NBOUNDS ((int) (sizeof(bounds) / sizeof(bounds[0])))

LOOP_TEST(entries_stay_below_the_bound_and_answers_the_same, NBOUNDS)
{
	struct sfab_scorer *sc = unit_scorer(m);
	struct sfab_footprints *kept = sc->footprints;
	uint64_t random = 7, forgotten = 0;

	kept->max = bounds[_i];
	ck_assert_int_eq(sfab_footprints_fill(kept, UINT64_MAX, NULL), 0);
	ck_assert_uint_le(entries_of(kept), kept->max);
	for (uint32_t q = 0; q < 300; q++) {
		uint8_t avail[32];
		struct sfab_traffic t;
		struct sfab_request rq = { .avail = avail };
		struct sfab_choice c, fresh;
		uint64_t was = kept->kept;

		for (uint32_t h = 0; h < f->nhosts; h++)
			avail[h] = !m->io_host[h];
		random_question(&random, &t, &rq);
		ck_assert_int_eq(sfab_search(sc, NULL, &rq, &c, NULL), 0);
		answer_with_new_scorer(&rq, kept->max, &fresh);
		same_answer(&c, &fresh);
		sfab_choice_clear(&c);
		sfab_choice_clear(&fresh);
		ck_assert_uint_eq(entries_of(kept), kept->kept);
		ck_assert_uint_le(kept->kept, kept->max);
		ck_assert_uint_le(kinds_begun(kept), SFAB_FOOTPRINT_KINDS);
		forgotten += kept->kept < was;
	}
	ck_assert(forgotten > 0 || kept->max < 1000);	/* nearly nothing fits */
}

TEST(what_was_used_last_is_kept)
{
	struct sfab_footprint v;

	for (uint32_t k = 0; k < 2 * SETS; k++) {
		sfab_footprints_begin(fps, NULL);
		ck_assert_int_eq(
			sfab_footprints_get(fps, SFAB_IO_READ, 3, 0, &v, NULL), 0);
		ck_assert_int_eq(sfab_footprints_get(fps, fps->kind[k].class,
						     fps->kind[k].set, 0, &v, NULL),
				 0);
	}
	for (uint32_t k = 0; k < 2 * SETS; k++)
		ck_assert_int_eq(fps->kind[k].own != NULL,
				 k == 7 || k > 2 * SETS - SFAB_FOOTPRINT_KINDS);
}

TEST(a_stop_ends_the_making)
{
	struct sfab_err err = { .code = SFAB_OK };
	volatile int stop = 1;
	struct sfab_footprint v;

	sfab_footprints_begin(fps, &stop);
	for (uint32_t k = 0; k < 2; k++) {
		ck_assert_int_eq(
			sfab_footprints_get(fps, fps->kind[k].class, 0, 0, &v, &err),
			-1);
		ck_assert_int_eq(err.code, SFAB_ESTALE);
	}
	ck_assert_uint_eq(entries_of(fps), fps->kept);
	stop = 0;
	ck_assert_int_eq(sfab_footprints_get(fps, SFAB_IO_WRITE, 0, 0, &v, NULL), 0);
	sfab_footprints_begin(fps, NULL);
}

UNIT_MAIN_WITH("footprint", set_up, tear_down)
