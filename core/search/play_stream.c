/* SPDX-License-Identifier: GPL-2.0-or-later */
/* play_stream.c - a stream of jobs on a machine held at one utilization */

#include "core/search/play_stream.h"
#include "core/load/phases.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWERS 0.5		/* part of the sizes that is a power of two */
#define JUDGED 8		/* running jobs that are judged when one starts */

struct player_job {
	uint64_t id;
	uint32_t n, *host;
};

struct stream_play {
	const struct sfab_model *m;
	const struct sfab_stream *s;
	struct sfab_scorer *sc;
	struct sfab_jobs *js;
	struct sfab_phases *phases;
	uint64_t random, id;
	uint8_t *avail;			/* by host */
	uint32_t nhosts, nfree;		/* compute hosts */
	struct player_job *job;
	uint32_t njobs;
	double *around;			/* [nres] what the others of a job send */
	double nodes;			/* that were judged */
	struct sfab_played sum;
};

static struct sfab_spec spec_of_job(const struct stream_play *p, uint32_t n, const uint32_t *host)
{
	return (struct sfab_spec){ .n = n, .host = host, .traffic = p->s->traffic };
}

/* -- judging -------------------------------------------------------------- */

/* What all but @j send. */
static void set_around_job(struct stream_play *p, const struct player_job *j)
{
	const double *b = sfab_jobs_background(p->js);

	memset(p->around, 0, p->m->nres * sizeof(*p->around));
	sfab_jobs_add_demand(p->js, j->id, p->m->nres, p->around);
	for (uint32_t e = 0; e < p->m->nres; e++)
		p->around[e] = fmax(b[e] - p->around[e], 0);
}

static int judge_job(struct stream_play *p, const struct player_job *j, struct sfab_err *err)
{
	struct sfab_spec spec = spec_of_job(p, j->n, j->host);
	const struct sfab_traffic *t = p->s->traffic;
	struct sfab_lost lost;

	set_around_job(p, j);
	if (sfab_phases_lost(p->phases, &spec, p->around, &lost, err) < 0)
		return -1;
	p->nodes += j->n;
	p->sum.loss += j->n * lost.time;
	p->sum.alone += j->n * lost.alone;
	for (uint32_t i = 0; i < t->nparts; i++)
		p->sum.part[i] += j->n * t->part[i].share * (lost.part[i].beside - 1);
	return 0;
}

static int judge_some(struct stream_play *p, struct sfab_err *err)
{
	if (judge_job(p, &p->job[p->njobs - 1], err) < 0)
		return -1;
	for (int i = 1; i < JUDGED; i++)
		if (judge_job(p, &p->job[sfab_random(&p->random) % p->njobs], err) < 0)
			return -1;
	return 0;
}

/* -- the stream ----------------------------------------------------------- */

static uint32_t draw_size(struct stream_play *p)
{
	double n = pow(p->s->largest, sfab_uniform(&p->random));

	if (sfab_uniform(&p->random) < POWERS)
		n = exp2(round(log2(n)));
	return (uint32_t) (n + 0.5);
}

static int start_job(struct stream_play *p, uint32_t n, struct sfab_err *err)
{
	struct sfab_request rq = { .n = n, .avail = p->avail, .traffic = p->s->traffic };
	struct player_job *j = &p->job[p->njobs];
	struct sfab_choice c;
	struct sfab_spec spec;

	if (sfab_candidate(p->sc, p->js, &rq, p->s->policy, &c, err) < 0)
		return -1;
	*j = (struct player_job){ ++p->id, n, c.host };
	c.host = NULL;
	sfab_choice_clear(&c);
	p->njobs++;
	for (uint32_t i = 0; i < n; i++)
		p->avail[j->host[i]] = 0;
	p->nfree -= n;
	spec = spec_of_job(p, n, j->host);
	return sfab_jobs_add(p->js, j->id, &spec, err);
}

static void end_any_job(struct stream_play *p)
{
	struct player_job *j = &p->job[sfab_random(&p->random) % p->njobs];

	sfab_jobs_remove(p->js, j->id);
	for (uint32_t i = 0; i < j->n; i++)
		p->avail[j->host[i]] = 1;
	p->nfree += j->n;
	free(j->host);
	*j = p->job[--p->njobs];
}

static int run_stream(struct stream_play *p, struct sfab_err *err)
{
	double most = p->s->utilization * p->nhosts;
	uint32_t n = draw_size(p), judged = 0;
	int is_full = 0;

	while (judged < p->s->jobs) {
		if (p->nhosts - p->nfree + n <= most) {
			if (start_job(p, n, err) < 0 || (is_full && judge_some(p, err) < 0))
				return -1;
			judged += (uint32_t) is_full;
			n = draw_size(p);
		} else if (p->njobs) {
			is_full = 1;
			end_any_job(p);
		} else {
			n = draw_size(p);
		}
	}
	return 0;
}

/* -- the machine ---------------------------------------------------------- */

/* Whole leaves, until there are enough hosts. */
static void open_leaves(struct stream_play *p)
{
	const struct sfab_units *leaves = sfab_scorer_units(p->sc, SFAB_UNIT_LEAF);
	uint32_t most = p->s->hosts ? p->s->hosts : p->m->f->nhosts;

	for (uint32_t l = 0; l < leaves->n && p->nhosts < most; l++)
		for (uint32_t k = leaves->first[l]; k < leaves->first[l + 1]; k++) {
			p->avail[leaves->host[k]] = 1;
			p->nhosts++;
		}
	p->nfree = p->nhosts;
}

static int open_play(struct stream_play *p, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->m->f;

	p->js = sfab_jobs_create(p->m);
	p->phases = sfab_phases_create(p->m);
	p->avail = calloc(f->nhosts + 1u, 1);
	p->job = calloc(f->nhosts + 1u, sizeof(*p->job));
	p->around = calloc(p->m->nres + 1u, sizeof(*p->around));
	if (!p->js || !p->phases || !p->avail || !p->job || !p->around)
		return sfab_no_memory(err);
	open_leaves(p);
	return 0;
}

static void close_play(struct stream_play *p)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		free(p->job[i].host);
	sfab_phases_destroy(p->phases);
	sfab_jobs_destroy(p->js);
	free(p->avail);
	free(p->job);
	free(p->around);
}

int sfab_play(const struct sfab_model *m, struct sfab_scorer *sc,
	      const struct sfab_stream *s, struct sfab_played *out, struct sfab_err *err)
{
	struct stream_play p = { .m = m, .s = s, .sc = sc, .random = s->seed };
	int rc = open_play(&p, err);

	sfab_scorer_set_packing(sc, &s->packing);
	if (rc == 0 && s->largest > s->utilization * p.nhosts)
		rc = sfab_fail(err, SFAB_EINVAL, "a job of %u hosts is too large for a "
			       "stream on %u", s->largest, p.nhosts);
	if (rc == 0)
		rc = run_stream(&p, err);
	close_play(&p);
	if (rc < 0)
		return -1;
	*out = p.sum;
	out->loss /= p.nodes;
	out->alone /= p.nodes;
	for (uint32_t i = 0; i < SFAB_TRAFFIC_PARTS; i++)
		out->part[i] /= p.nodes;
	return 0;
}

/* -- the packings ---------------------------------------------------------- */

#define UTILIZATION 1.0		/* the next job waits until it fits, as in a queue */
#define SEEDS 2
#define JOBS 50			/* of each stream */
#define PART 5			/* jobs are up to a fifth of the hosts, */
#define LARGEST 128u		/* and no larger than this */

static int play_seeds(const struct sfab_model *m, struct sfab_scorer *sc,
		      struct sfab_stream *s, double *loss, struct sfab_err *err)
{
	struct sfab_played played;

	*loss = 0;
	for (s->seed = 1; s->seed <= SEEDS; s->seed++) {
		if (sfab_play(m, sc, s, &played, err) < 0)
			return -1;
		*loss += played.loss / SEEDS;
	}
	return 0;
}

static int play_trials(const struct sfab_model *m, struct sfab_scorer *sc,
		       struct sfab_stream *s, enum sfab_mix mix, struct sfab_packings *out,
		       struct sfab_err *err)
{
	s->policy = SFAB_POLICY_TREE;
	if (play_seeds(m, sc, s, &out->tree[mix], err) < 0)
		return -1;
	s->policy = SFAB_POLICY_SFABRIC;
	for (uint32_t i = 0; i < SFAB_PACKINGS; i++) {
		struct sfab_packing_trial *t = &out->trial[i];

		if (t->packing.unit == SFAB_UNIT_COLUMN && !sfab_scorer_grid(sc)->nlevels)
			continue;
		s->packing = t->packing;
		if (play_seeds(m, sc, s, &t->loss[mix], err) < 0)
			return -1;
		t->is_played = 1;
	}
	return 0;
}

/* Add the parts of @t that are IO or not to @out, as far as the fabric knows them. */
static void add_parts(const struct sfab_model *m, const struct sfab_traffic *t, int io,
		      struct sfab_traffic *out)
{
	uint32_t set;

	for (uint32_t i = 0; i < t->nparts && out->nparts < SFAB_TRAFFIC_PARTS; i++)
		if (sfab_class_is_io(t->part[i].class) == io && t->part[i].share > 0 &&
		    (!io || sfab_model_set(m, &t->part[i], &set, NULL) == 0))
			out->part[out->nparts++] = t->part[i];
}

static struct sfab_traffic traffic_of_mix(const struct sfab_model *m,
					  const struct sfab_traffic *prior, int mix)
{
	static const char *const built_in[2] = { "mpi", "io-write+io-read" };
	struct sfab_traffic out = { 0 }, more;

	for (int io = 0; io < 2; io++) {
		uint32_t had = out.nparts;

		if (mix == (io ? SFAB_MIX_MPI : SFAB_MIX_IO))
			continue;
		add_parts(m, prior, io, &out);
		if (out.nparts == had && sfab_traffic_parse(built_in[io], NULL, &more, NULL) == 0)
			add_parts(m, &more, io, &out);
	}
	return out;
}

static enum sfab_mix mix_of_prior(const struct sfab_traffic *prior)
{
	if (!(sfab_traffic_share(prior, 1) > 0))
		return SFAB_MIX_MPI;
	return sfab_traffic_share(prior, 0) > 0 ? SFAB_MIX_ALL : SFAB_MIX_IO;
}

static int play_mixes(const struct sfab_model *m, struct sfab_scorer *sc,
		      const struct sfab_traffic *prior, int each, struct sfab_packings *out,
		      struct sfab_err *err)
{
	const struct sfab_units *leaves = sfab_scorer_units(sc, SFAB_UNIT_LEAF);
	uint32_t hosts = leaves->first[leaves->n];
	struct sfab_stream s = { .hosts = SFAB_PACKING_HOSTS, .utilization = UTILIZATION,
				 .jobs = JOBS };
	struct sfab_traffic t = traffic_of_mix(m, prior, SFAB_MIX_ALL);

	if (hosts < SFAB_PACKING_LEAST)
		return 0;
	hosts = hosts < SFAB_PACKING_HOSTS ? hosts : SFAB_PACKING_HOSTS;
	s.largest = hosts / PART < LARGEST ? hosts / PART : LARGEST;
	for (int io = 0; io < 2; io++)
		out->share[io] = sfab_traffic_share(&t, io);
	out->nmixes = out->share[1] > 0 ? SFAB_NMIXES : 1;
	out->mix = out->nmixes == 1 ? SFAB_MIX_ALL : mix_of_prior(prior);
	s.traffic = &t;
	for (uint32_t mix = 0; mix < out->nmixes; mix++) {
		if (!each && mix != out->mix)
			continue;
		t = traffic_of_mix(m, prior, (int) mix);
		if (play_trials(m, sc, &s, (enum sfab_mix) mix, out, err) < 0)
			return -1;
	}
	return 0;
}

int sfab_packings_play(const struct sfab_model *m, const struct sfab_traffic *traffic,
		       uint32_t most_leaves, int each, struct sfab_packings *out,
		       struct sfab_err *err)
{
	struct sfab_scorer *sc = sfab_scorer_create(m);
	int rc;

	sfab_packings_init(out, most_leaves, 0);
	if (!sc)
		return sfab_no_memory(err);
	rc = play_mixes(m, sc, traffic, each, out, err);
	sfab_scorer_destroy(sc);
	return rc;
}
