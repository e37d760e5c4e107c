/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_herding.c - 200 job starts on a fabric that is measured: no herding
 *
 * Ten leaves of 16 hosts; all write to the servers on the last leaf, each over its leaf's one
 * uplink.  A job starts each 12 s on two hosts and runs for 240 s; it sends 1.5 times what the
 * model thinks.  Leaf 1 also carries load that no job explains, for a while.  Each 30 s the
 * links are sampled, smoothed with a half-life of 60 s, and B is made of that.
 */

#include "tests/unit/fixtures/unit.h"

#include <math.h>

#include "core/load/measured.h"
#include "core/search/search.h"
#include "tests/unit/fixtures/fabrics.h"

#define LEAVES 10u
#define PER_LEAF 16u
#define NHOSTS (LEAVES * PER_LEAF)
#define STARTS 200u
#define EVERY_S 12u
#define RUNS_S 240u
#define SAMPLE_S 30u
#define BEGIN_S 100000u
#define HOT_FROM_S (BEGIN_S + 600u)
#define HOT_TO_S (BEGIN_S + 1500u)
#define HALF_LIFE 60.0
#define TRUE_LOAD 1.5		/* of what the model thinks */

enum scheme { OURS, ONLY_MEASURED };	/* the second forgets its own jobs */

struct run {
	uint32_t host[2];
	uint64_t start_s;
};

struct world {
	enum scheme scheme;
	struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_jobs *js;		/* what placement knows */
	struct sfab_scorer *sc;
	struct sfab_measured *ms;
	struct run run[STARTS];
	uint8_t avail[NHOSTS];
	uint32_t uplink[LEAVES];
	uint32_t max_apart;	/* most jobs on a leaf - fewest, after warm-up */
	uint32_t hot_starts, late_starts;	/* on leaf 1: while hot, long after */
};

static uint32_t leaf_of(const struct world *w, uint32_t host)
{
	return sfab_host_leaf(w->f, host);
}

static void make(struct world *w)
{
	static const struct clos shape = { .leaves = LEAVES, .spines = 1,
					   .hosts = PER_LEAF };
	static const char *const server[PER_LEAF] = {
		"n145", "n146", "n147", "n148", "n149", "n150", "n151", "n152",
		"n153", "n154", "n155", "n156", "n157", "n158", "n159", "n160",
	};
	/* whole leaves are worth more than so little IO */
	static const struct sfab_packing no_packing = { SFAB_UNIT_LEAF, 0, 0, 0 };
	/* they, and the link to them, take all: the uplinks are what is short */
	const struct sfab_ioset_spec is = { .name = "io", .nhosts = PER_LEAF,
					    .host = server };
	uint32_t down;

	w->f = unit_fabric(&shape);
	down = unit_link(w->f, "spine1", LEAVES);
	((struct sfab_link *) w->f->links)[down].capacity = PER_LEAF * LINK_CAPACITY;
	w->io = unit_sets(w->f, &is, 1);
	w->m = unit_model(w->f, w->io);
	w->js = unit_jobs(w->m);
	w->sc = unit_scorer(w->m);
	w->ms = sfab_measured_create(w->f);
	ck_assert(w->io && w->m && w->js && w->sc && w->ms);
	w->sc->packing = no_packing;
	for (uint32_t e = 0; e < w->f->nlinks; e++)
		if (w->f->links[e].kind == SFAB_LINK_ISL) {
			uint32_t leaf = w->f->switches[w->f->links[e].from].leaf;

			w->ms->rate[e] = w->ms->wait[e] = 0;
			if (leaf != SFAB_NONE)
				w->uplink[leaf] = e;
		}
	for (uint32_t h = 0; h < NHOSTS; h++)
		w->avail[h] = leaf_of(w, h) != LEAVES - 1;
}

static void unmake(struct world *w)
{
	sfab_measured_destroy(w->ms);
}

static struct sfab_traffic writes(void)
{
	struct sfab_traffic t = unit_traffic("io-write=0.1");

	return t;
}

/* Return the bytes/s that are on the uplink of @leaf now. */
static double truth(const struct world *w, uint32_t leaf, uint64_t now)
{
	double x = leaf == 0 && now >= HOT_FROM_S && now < HOT_TO_S ? 3.6e9 : 0;

	for (uint32_t i = 0; i < STARTS; i++)
		for (int k = 0; k < 2; k++)
			if (w->run[i].start_s && now < w->run[i].start_s + RUNS_S &&
			    leaf_of(w, w->run[i].host[k]) == leaf)
				x += TRUE_LOAD * 0.1 * LINK_CAPACITY;
	return x;
}

static void sample(struct world *w, uint64_t now)
{
	double keep = exp2(-(double) SAMPLE_S / HALF_LIFE);

	for (uint32_t l = 0; l < LEAVES; l++) {
		double *mean = &w->ms->rate[w->uplink[l]];

		*mean = truth(w, l, now) * (1 - keep) + *mean * keep;
		w->ms->time_s[w->uplink[l]] = now;
	}
	sfab_measured_apply(w->ms, w->js, now);
}

/* Jobs on each leaf now, by their hosts. */
static void count(const struct world *w, uint64_t now, uint32_t *on)
{
	for (uint32_t l = 0; l < LEAVES; l++)
		on[l] = 0;
	for (uint32_t i = 0; i < STARTS; i++)
		for (int k = 0; k < 2; k++)
			if (w->run[i].start_s && now < w->run[i].start_s + RUNS_S)
				on[leaf_of(w, w->run[i].host[k])]++;
}

/* The leaves but the hot one and the server's: how far apart are they? */
static void watch(struct world *w, uint64_t now)
{
	uint32_t on[LEAVES], max = 0, fewest = UINT32_MAX;

	count(w, now, on);
	for (uint32_t l = 1; l < LEAVES - 1; l++) {
		max = on[l] > max ? on[l] : max;
		fewest = on[l] < fewest ? on[l] : fewest;
	}
	if (max - fewest > w->max_apart)
		w->max_apart = max - fewest;
}

static void start(struct world *w, uint32_t i, uint64_t now)
{
	struct sfab_traffic t = writes();
	struct sfab_request rq = { .n = 2, .avail = w->avail, .traffic = &t };
	struct sfab_choice c = { 0 };
	struct sfab_job s = { .n = 2, .traffic = &t };

	ck_assert_msg(!sfab_search(w->sc, w->js, &rq, &c, &unit_err), "%s", unit_err.text);
	w->run[i].start_s = now;
	for (int k = 0; k < 2; k++) {
		w->run[i].host[k] = c.host[k];
		w->avail[c.host[k]] = 0;
		if (leaf_of(w, c.host[k]) != 0)
			continue;
		w->hot_starts += now >= HOT_FROM_S + 120 && now < HOT_TO_S;
		w->late_starts += now >= HOT_TO_S + 400;
	}
	s.host = w->run[i].host;
	if (w->scheme == OURS) {
		sfab_jobs_add(w->js, i + 1, &s, NULL);
		sfab_jobs_set_start(w->js, i + 1, now);
	}
	sfab_choice_clear(&c);
}

static void end(struct world *w, uint64_t now)
{
	for (uint32_t i = 0; i < STARTS; i++)
		if (w->run[i].start_s && now == w->run[i].start_s + RUNS_S) {
			sfab_jobs_end(w->js, i + 1, now);
			w->avail[w->run[i].host[0]] = 1;
			w->avail[w->run[i].host[1]] = 1;
		}
}

static struct world play(enum scheme scheme)
{
	struct world w = { .scheme = scheme };
	uint32_t started = 0;

	make(&w);
	for (uint64_t now = BEGIN_S; started < STARTS; now++) {
		end(&w, now);
		if ((now - BEGIN_S) % SAMPLE_S == 0)
			sample(&w, now);
		if ((now - BEGIN_S) % EVERY_S == 0)
			start(&w, started++, now);
		if (now > BEGIN_S + RUNS_S)
			watch(&w, now);
	}
	unmake(&w);
	return w;
}

TEST(starts_spread_and_do_not_swing)
{
	struct world w = play(OURS);

	/* 40 hosts of jobs on nine leaves at any time: 4 or 5 on each */
	ck_assert_msg(w.max_apart <= 3, "leaves %u hosts of jobs apart",
		      w.max_apart);
}

TEST(a_hot_spot_is_left_alone_until_it_fades)
{
	struct world w = play(OURS);

	ck_assert_msg(w.hot_starts == 0, "%u on the hot leaf", w.hot_starts);
	ck_assert_msg(w.late_starts > 0, "never again on the leaf that was hot");
}

/* The same test sees herding where there is some. */
TEST(who_only_looks_at_the_counters_herds)
{
	struct world w = play(ONLY_MEASURED);

	ck_assert_msg(w.max_apart >= 6, "leaves only %u apart", w.max_apart);
}

UNIT_MAIN("herding")
