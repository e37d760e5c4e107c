/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crowd.c - see crowd.h */

#include "tests/bench/crowd.h"

#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

#define CROWD_JOBS 4096

static uint32_t pick_below(struct crowd *c, uint32_t n)
{
	return (uint32_t) (sfab_random(&c->random) % n);
}

/* -- the machine ------------------------------------------------------------ */

void crowd_open(struct crowd *c, const char *snapshot)
{
	c->snap = bench_snapshot(snapshot);
	c->f = c->snap->fabric;
	c->io = bench_iosets(c->f, BENCH_SET_LAST);
	c->m = sfab_model_create(c->f, c->io);
	bench_have(c->m != NULL);
	c->sc = sfab_scorer_create(c->m);
	bench_have(c->sc != NULL);
	c->set = bench_alloc(c->f->nhosts, sizeof(*c->set));
	c->best = bench_alloc(c->f->nhosts, sizeof(*c->best));
	c->order = bench_alloc(c->f->nleaves + 1u, sizeof(*c->order));
}

void crowd_begin(struct crowd *c)
{
	c->js = sfab_jobs_create(c->m);
	bench_have(c->js != NULL);
	c->avail = bench_compute(c->f, c->io, &c->nfree);
}

void crowd_clear(struct crowd *c)
{
	sfab_jobs_destroy(c->js);
	free(c->avail);
}

/* -- other jobs ------------------------------------------------------------- */

void crowd_traffic(const char *text, struct sfab_traffic *t)
{
	struct sfab_err err;

	bench_must(sfab_traffic_parse(text, NULL, t, &err) == 0, &err);
}

struct sfab_choice crowd_choose(struct crowd *c, uint32_t n, const struct sfab_traffic *t,
				enum sfab_policy policy)
{
	struct sfab_request rq = { .n = n, .avail = c->avail, .traffic = t, .seed = 1 };
	struct sfab_choice out;
	struct sfab_err err;

	bench_must(sfab_search_by(c->sc, c->js, &rq, policy, &out, &err) == 0, &err);
	return out;
}

static void set_hosts_free(struct crowd *c, const struct sfab_choice *job, uint8_t to)
{
	for (uint32_t i = 0; i < job->n; i++)
		c->avail[job->host[i]] = to;
	c->nfree += to ? job->n : -job->n;
}

static struct sfab_choice begin_in_crowd(struct crowd *c, uint64_t id, uint32_t max)
{
	static const char *const sends[] = { "mpi=1", "mpi=1", "neighbor=1", "io-write",
					     "io-read", "mpi=0.4+io-write=0.1" };
	struct sfab_traffic t;
	struct sfab_job s = { .traffic = &t };
	struct sfab_choice job;
	struct sfab_err err;

	crowd_traffic(sends[pick_below(c, 6)], &t);
	job = crowd_choose(c, 4 + pick_below(c, max - 3), &t, SFAB_POLICY_TREE);
	s.n = job.n;
	s.host = job.host;
	bench_must(sfab_jobs_add(c->js, id, &s, &err) == 0, &err);
	set_hosts_free(c, &job, 0);
	return job;
}

void crowd_fill(struct crowd *c, uint32_t left, uint32_t max)
{
	struct sfab_choice *job = bench_alloc(CROWD_JOBS, sizeof(*job));
	uint64_t last = 0;

	while (last + 1 < CROWD_JOBS && c->nfree > left) {
		last++;
		job[last] = begin_in_crowd(c, last, max);
	}
	for (uint64_t id = 1; id <= last; id++) {
		if (!pick_below(c, 8)) {
			sfab_jobs_remove(c->js, id);
			set_hosts_free(c, &job[id], 1);
		}
		sfab_choice_clear(&job[id]);
	}
	free(job);
}

/* -- naive tries ------------------------------------------------------------ */

void crowd_pack(struct crowd *c)
{
	uint32_t n = 0, leaves = c->f->nleaves;

	for (uint32_t l = 0; l < leaves; l++)
		c->order[l] = l;
	for (uint32_t l = 0; l < leaves && n < c->n; l++) {
		uint32_t k = l + pick_below(c, leaves - l), at = c->order[k];

		c->order[k] = c->order[l];
		for (uint32_t i = c->m->leaf_first[at];
		     i < c->m->leaf_first[at + 1] && n < c->n; i++)
			if (c->avail[c->m->leaf_host[i]])
				c->set[n++] = c->m->leaf_host[i];
	}
}

void crowd_swap(struct crowd *c)
{
	uint32_t in = pick_below(c, c->f->nhosts), place = pick_below(c, c->n);

	memcpy(c->set, c->best, c->n * sizeof(*c->set));
	for (uint32_t i = 0; i < c->n; i++)
		if (c->set[i] == in)
			return;
	if (c->avail[in] && c->m->host_leaf[in] != SFAB_NONE)
		c->set[place] = in;
}

struct sfab_score crowd_score(struct crowd *c)
{
	struct sfab_job s = { .n = c->n, .host = c->set, .traffic = &c->traffic };
	struct sfab_score out;
	struct sfab_err err;

	bench_must(sfab_score(c->sc, c->js, &s, c->avail, NULL, &out, &err) == 0, &err);
	return out;
}
