/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fewest steps with a conflict on 64 hosts, found by trying all sets.
 *
 * Eight leaves of eight hosts; a leaf sends LID x to spine x mod 8 (or mod 4, tapered
 * 2:1).  Of the hosts 16 are free, any of them, and some are wanted for an
 * all-to-all.  The steps are counted here, from the rule of the tables alone.
 */

#include "tests/unit/fixtures/unit.h"

#include <string.h>

#include "core/random.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/made.h"

enum { LEAVES = 8, A_LEAF = 8, HOSTS = LEAVES * A_LEAF, FREE = 13, STATES = 40,
       FEWEST = 6, MOST = 11 };

static struct sfab_fabric *f;
static struct sfab_model *m;
static struct sfab_scorer *sc;
static struct sfab_traffic alltoall;
static uint8_t avail[HOSTS];
static uint32_t spines, leaf_of[HOSTS], class_of[HOSTS];

static void set_up(uint32_t nspines)
{
	const struct made shape = { .leaves = LEAVES, .spines = nspines, .hosts = A_LEAF };

	spines = nspines;
	f = made_fabric(&shape);
	m = sfab_model_create(f, NULL);
	ck_assert_ptr_nonnull(m);
	m->by_steps = SFAB_MPI_STEPS;
	sc = sfab_scorer_create(m);
	ck_assert_ptr_nonnull(sc);
	ck_assert_int_eq(sfab_traffic_parse("alltoall=1", NULL, &alltoall, NULL), 0);
	for (uint32_t h = 0; h < HOSTS; h++) {
		leaf_of[h] = m->host_leaf[h];
		class_of[h] = f->ports[f->hosts[h].port0].lid % spines;
	}
}

static void tear_down(void)
{
	sfab_scorer_destroy(sc);
	sfab_model_destroy(m);
	sfab_fabric_destroy(f);
}

/* Free 16 hosts. */
static void free_some(uint64_t seed)
{
	uint64_t r = seed;

	memset(avail, 0, sizeof(avail));
	for (uint32_t n = 0; n < FREE;) {
		uint32_t h = (uint32_t) (sfab_random(&r) % HOSTS);

		n += !avail[h];
		avail[h] = 1;
	}
}

/* Do two flows of a shift meet on the way up or down? */
static int has_conflict(const uint32_t *host, uint32_t n, uint32_t shift)
{
	uint8_t up[LEAVES * A_LEAF] = { 0 }, down[LEAVES * A_LEAF] = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = leaf_of[host[i]], to = host[(i + shift) % n];

		if (leaf_of[to] == from)
			continue;
		if (up[from * A_LEAF + class_of[to]]++ ||
		    down[leaf_of[to] * A_LEAF + class_of[to]]++)
			return 1;
	}
	return 0;
}

/* Ranks go by host. */
static uint32_t count_conflicts(const uint32_t *host, uint32_t n)
{
	uint32_t conflicts = 0;

	for (uint32_t shift = 1; shift < n; shift++)
		conflicts += (uint32_t) has_conflict(host, n, shift);
	return conflicts;
}

static uint32_t fewest_conflicts(uint32_t n)
{
	uint32_t from[FREE], host[FREE], k = 0, fewest = n;

	for (uint32_t h = 0; h < HOSTS; h++)
		if (avail[h])
			from[k++] = h;
	for (uint32_t mask = 0; mask < 1u << FREE && fewest; mask++) {
		uint32_t c;

		if (__builtin_popcount(mask) != (int) n)
			continue;
		for (uint32_t i = k = 0; i < FREE; i++)
			if (mask >> i & 1)
				host[k++] = from[i];
		c = count_conflicts(host, n);
		fewest = c < fewest ? c : fewest;
	}
	return fewest;
}

/* Ours where nothing but the job's own steps counts. */
static uint32_t our_conflicts(uint32_t n)
{
	static const double weights[SFAB_NTERMS] = { [SFAB_TERM_SELF] = 1 };
	struct sfab_request rq = { .n = n, .avail = avail, .traffic = &alltoall,
				   .weights = weights, .seed = 1 };
	struct sfab_choice c;
	uint32_t conflicts;

	ck_assert_int_eq(sfab_search(sc, NULL, &rq, &c, NULL), 0);
	conflicts = count_conflicts(c.host, n);
	ck_assert_int_eq(conflicts == 0, c.score.alone < 1 + 1e-9);
	sfab_choice_clear(&c);
	return conflicts;
}

static const uint32_t uplinks[] = { 8, 4 };

START_TEST(few_steps_have_conflicts)
{
	uint32_t best = 0, cases = 0, ours = 0, fewest = 0;

	set_up(uplinks[_i]);
	for (uint64_t seed = 1; seed <= STATES; seed++)
		for (uint32_t n = FEWEST; n <= MOST; n++) {
			uint32_t x, y;

			free_some(seed);
			x = our_conflicts(n);
			y = fewest_conflicts(n);
			cases++;
			best += x == y;
			ours += x;
			fewest += y;
		}
	printf("# %u uplinks: fewest in %u of %u cases, conflicts %u, fewest %u\n",
	       spines, best, cases, ours, fewest);
	ck_assert_uint_ge(20 * best, 19 * cases);
	tear_down();
}
END_TEST

static void list(TCase *tcase)
{
	tcase_add_loop_test(tcase, few_steps_have_conflicts, 0, 2);
}

UNIT_MAIN("search_optimum", list)
