/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop.c - nothing is told: jobs are placed by what was learned of earlier runs
 *
 *     loop SNAPSHOT tree|default|told|usual|learned UTILIZATION SEED JOBS REUSED IO
 *
 * A stream of jobs on a machine held at one utilization.  PROGRAMS programs have a name, a size
 * and what they send; each job is a run of one of them.  A part REUSED of the runs does the
 * work of another program under the same name.  Programs exchange for .1 to .45 of their time,
 * or do IO for IO times that.
 *
 * Counters show what passes: each job sends at full rate in its phases, which last as much
 * longer as its allocation and the other jobs make them (phases.h), and no link carries more
 * than it can (maxmin.h).  They are means with a half-life, each port is read up to SKEW_S
 * late, with an error of 10 %; the learner finds out what runs.  Hosts are chosen by tree, or
 * by our score with the traffic that is the default, told, what the name usually sends, or
 * learned from the history; with the last two, running jobs count with what counters found.
 * Usual is the best that any history could do.
 *
 * Prints WHO, and of the starts before each program had three runs (day one) and of those
 * after: how many, and the mean part of their time that the running jobs lose, by nodes; then
 * the runs that were learned, and the mean error of their weights.  The IO set is the last port
 * of each leaf.
 *
 * It is not an option of sfabric replay.  That draws what each job sends from --mix, because a
 * log of sacct seldom says it, and never which links showed it.  Programs that repeat under a
 * name would have to be made up there, too, and the answer would be about them, not about the
 * site.  Of a site's own log, replay --hints none beside --hints all shows what there is to
 * learn; this shows which part of it is learned.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search/search.h"
#include "tests/bench/bench.h"
#include "tests/unit/fixtures/contention.h"
#include "tools/learn/learner.h"
#include "tools/ui/xalloc.h"

#define PROGRAMS 40
#define NOISE 0.1
#define SAMPLE_S 30		/* between two samples */
#define SAMPLES 4		/* between two starts */
#define SKEW_S 4
#define HALF_LIFE_S 60
#define LARGEST 64		/* hosts of a program; half of a small machine */
#define PRIOR "mpi=0.25+io-write=0.05+io-read=0.02"

enum loop_who { LOOP_TREE, LOOP_DEFAULT, LOOP_TOLD, LOOP_USUAL, LOOP_LEARNED, LOOP_NONE };
static const char *const who_name[] = { "tree", "default", "told", "usual", "learned" };

struct program {
	char name[16];
	uint32_t n, runs;
	struct sfab_traffic sends;
};

struct loop_run {
	uint32_t id, n, *host, program;
	struct sfab_traffic sends, expected, believed;
	uint64_t start_s;
};

struct loop_sums {		/* of day one, or of the starts after */
	uint32_t starts;
	double lost;
};

struct loop {
	const struct sfab_fabric *f;
	struct sfab_model *m;
	struct sfab_scorer *sc;
	struct sfab_jobs *belief;
	struct sfab_measured *ms;
	struct learner *learner;
	struct contention *contention;
	double *flowing, *mean, *read_s;	/* by link: now, as counted, when it was read */
	enum loop_who who;
	uint64_t random, noise, now_s;
	double reused, io;
	uint8_t *avail;
	uint32_t navail, nfree, nrunning, id;
	struct loop_run *run;
	struct program program[PROGRAMS];
	uint32_t nturn, turn[PROGRAMS];		/* programs that have yet to run */
	struct sfab_traffic default_traffic;
	struct loop_sums sum[2];
	double error;
	uint32_t learned;
};

static void make_programs(struct loop *k)
{
	uint32_t half = k->navail / 2, largest = half < LARGEST ? half : LARGEST;

	for (uint32_t i = 0; i < PROGRAMS; i++) {
		struct program *p = &k->program[i];
		uint32_t a = (uint32_t) (sfab_random(&k->random) % SFAB_NCLASSES);

		snprintf(p->name, sizeof(p->name), "prog%c%c_", 'a' + i / 26, 'a' + i % 26);
		p->n = (uint32_t) (2 * pow(largest / 2.0, sfab_random_double(&k->random)));
		p->sends.nparts = sfab_random_double(&k->random) < 0.7 ? 1 : 2;
		for (uint32_t c = 0; c < p->sends.nparts; c++) {
			p->sends.part[c].class = (enum sfab_class) ((a + c) % SFAB_NCLASSES);
			p->sends.part[c].share = 0.1 + 0.35 * sfab_random_double(&k->random);
			if (sfab_class_is_io(p->sends.part[c].class))
				p->sends.part[c].share *= k->io;
		}
	}
}

/* -- counters --------------------------------------------------------------- */

/* What the running jobs send from now on; the part of their time that they lose, by nodes. */
static double let_flow(struct loop *k)
{
	struct sfab_job *ask = bench_alloc(k->nrunning + 1, sizeof(*ask));
	struct sfab_traffic *mean = bench_alloc(k->nrunning + 1, sizeof(*mean));
	double *lost = bench_alloc(k->nrunning + 1, sizeof(*lost)), sum = 0;
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < k->nrunning; i++)
		ask[i] = (struct sfab_job){ .n = k->run[i].n, .host = k->run[i].host,
					     .traffic = &k->run[i].sends };
	contention_means(k->m, ask, k->nrunning, mean, lost);
	contention_clear(k->contention);
	for (uint32_t i = 0; i < k->nrunning; i++) {
		ask[i].traffic = &mean[i];
		if (k->who >= LOOP_USUAL)
			contention_add_job(k->contention, &ask[i]);
		sum += k->run[i].n * lost[i];
		nodes += k->run[i].n;
	}
	memset(k->flowing, 0, k->f->nlinks * sizeof(*k->flowing));
	contention_rates(k->contention, k->flowing);
	free(ask);
	free(mean);
	free(lost);
	return nodes ? sum / nodes : 0;
}

static void read_counters(struct loop *k)
{
	for (uint32_t e = 0; e < k->f->nlinks; e++) {
		double at_s = (double) k->now_s + SKEW_S * sfab_random_double(&k->noise);
		double left = exp2(-(at_s - k->read_s[e]) / HALF_LIFE_S);

		k->mean[e] = k->mean[e] * left + k->flowing[e] * (1 - left);
		k->read_s[e] = at_s;
		k->ms->rate[e] = k->mean[e] * exp(NOISE * bench_normal(&k->noise));
		k->ms->time_s[e] = k->now_s;
	}
}

static int compare_told(const void *a, const void *b)
{
	const struct learner_job *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* What is found for running jobs replaces what was believed of them. */
static void believe_found(struct loop *k)
{
	const struct sfab_found *found = k->learner->found;
	struct sfab_err err = { 0 };

	for (uint32_t i = 0; i < k->nrunning; i++) {
		struct loop_run *r = &k->run[i];
		const struct sfab_found_job *j = sfab_found_job(found, r->id);
		struct sfab_job job = { .n = r->n, .host = r->host, .traffic = &r->believed };

		if (!j || !j->samples || !sfab_found_is_usable(found, j, k->now_s))
			continue;
		r->believed = r->expected;
		sfab_found_believe(j, &j->latest, &r->believed);
		sfab_jobs_remove(k->belief, r->id);
		bench_must(sfab_jobs_add(k->belief, r->id, &job, &err) == 0, &err);
	}
}

static void learn_sample(struct loop *k)
{
	struct learner_job *job = bench_alloc(k->nrunning + 1, sizeof(*job));
	struct sfab_err err = { 0 };

	read_counters(k);
	for (uint32_t i = 0; i < k->nrunning; i++) {
		const struct loop_run *r = &k->run[i];

		job[i] = (struct learner_job){ .id = r->id, .n = r->n, .user = 1,
					       .start_s = r->start_s,
					       .name = xstrdup(k->program[r->program].name) };
		job[i].host = bench_alloc(r->n, sizeof(*job[i].host));
		memcpy(job[i].host, r->host, r->n * sizeof(*job[i].host));
	}
	qsort(job, k->nrunning, sizeof(*job), compare_told);
	bench_must(learner_sample(k->learner, k->m, k->ms, 0, job, k->nrunning, k->now_s,
				  &err) == 0,
		   &err);
	believe_found(k);
}

/* -- jobs ------------------------------------------------------------------- */

static double distance(const struct sfab_traffic *a, const struct sfab_traffic *b)
{
	double x[SFAB_NCLASSES] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < a->nparts; i++)
		x[a->part[i].class] += a->part[i].share;
	for (uint32_t i = 0; i < b->nparts; i++)
		x[b->part[i].class] -= b->part[i].share;
	for (int c = 0; c < SFAB_NCLASSES; c++)
		sum += fabs(x[c]) / SFAB_NCLASSES;
	return sum;
}

static void trace_learned(const struct loop_run *r, const struct sfab_learned *l)
{
	char sent[300], learned[300];

	if (getenv("LOOP_TRACE") && distance(&r->believed, &r->sends) > 0.02)
		fprintf(stderr, "program %u n %u sends %s learned %s of %u runs, %s, usual %.2f\n",
			r->program, r->n, sfab_traffic_text(&r->sends, sent, sizeof(sent)),
			sfab_traffic_text(&l->traffic, learned, sizeof(learned)), l->runs,
			sfab_history_kind_name(l->kind), l->usual);
}

static void set_believed(struct loop *k, struct loop_run *r)
{
	const struct program *p = &k->program[r->program];
	struct sfab_history_facts facts = { .user = 1, .name = p->name, .nodes = r->n };
	struct sfab_learned l;

	r->believed = k->who == LOOP_TOLD ? r->sends :
		      k->who == LOOP_USUAL ? p->sends : k->default_traffic;
	if (k->who != LOOP_LEARNED ||
	    !sfab_history_find(k->learner->history, &facts, k->now_s, &l))
		return;
	r->believed = l.traffic;
	k->learned++;
	k->error += distance(&r->believed, &r->sends);
	trace_learned(r, &l);
}

/* Programs by turns, in another order each time: each is run as often as any other. */
static uint32_t next_program(struct loop *k)
{
	if (!k->nturn)
		for (; k->nturn < PROGRAMS; k->nturn++)
			k->turn[k->nturn] = k->nturn;
	uint32_t i = (uint32_t) (sfab_random(&k->random) % k->nturn), p = k->turn[i];

	k->turn[i] = k->turn[--k->nturn];
	return p;
}

static void judge_all(struct loop *k, struct loop_sums *to)
{
	to->starts++;
	to->lost += let_flow(k);
}

static void begin_run(struct loop *k, uint32_t program)
{
	struct loop_run *r = &k->run[k->nrunning++];
	uint32_t work = program;
	struct sfab_request rq = { .n = k->program[program].n, .avail = k->avail, .seed = 1 };
	struct sfab_choice c;
	struct sfab_job job = { 0 };
	struct sfab_err err;

	if (sfab_random_double(&k->random) < k->reused)
		work = (uint32_t) (sfab_random(&k->random) % PROGRAMS);
	*r = (struct loop_run){ .id = ++k->id, .program = program, .n = rq.n,
				.sends = k->program[work].sends, .start_s = k->now_s };
	set_believed(k, r);
	r->expected = r->believed;
	rq.traffic = &r->believed;
	bench_must(sfab_search_by(k->sc, k->belief, &rq, k->who == LOOP_TREE ? SFAB_POLICY_TREE :
				  SFAB_POLICY_SFABRIC, &c, &err) == 0, &err);
	r->host = c.host;
	job = (struct sfab_job){ .n = r->n, .host = r->host, .traffic = &r->believed };
	bench_must(sfab_jobs_add(k->belief, r->id, &job, &err) == 0, &err);
	for (uint32_t i = 0; i < r->n; i++)
		k->avail[r->host[i]] = 0;
	k->nfree -= r->n;
	k->program[program].runs++;
}

static void end_run(struct loop *k)
{
	struct loop_run *r = &k->run[sfab_random(&k->random) % k->nrunning];

	sfab_jobs_remove(k->belief, r->id);
	for (uint32_t i = 0; i < r->n; i++)
		k->avail[r->host[i]] = 1;
	k->nfree += r->n;
	free(r->host);
	*r = k->run[--k->nrunning];
}

/* Each program had three runs that ended and a few more that run. */
static int is_late(const struct loop *k)
{
	for (uint32_t i = 0; i < PROGRAMS; i++)
		if (k->program[i].runs < 6)
			return 0;
	return 1;
}

static void run_loop(struct loop *k, double utilization, uint32_t jobs)
{
	int late = 0;

	while (k->id < jobs) {
		uint32_t p = next_program(k);

		while (k->navail - k->nfree + k->program[p].n > utilization * k->navail)
			end_run(k);
		late = late || is_late(k);
		begin_run(k, p);
		judge_all(k, &k->sum[late]);
		for (int i = 0; i < SAMPLES; i++) {
			k->now_s += SAMPLE_S;
			if (k->who >= LOOP_USUAL)
				learn_sample(k);
		}
	}
}

static void open_loop(struct loop *k, const char *path)
{
	struct sfab_iosets *io;
	struct sfab_err err = { 0 };

	k->f = bench_snapshot(path)->fabric;
	io = bench_iosets(k->f, BENCH_SET_LAST);
	k->m = sfab_model_create(k->f, io);
	bench_have(k->m != NULL);
	k->sc = sfab_scorer_create(k->m);
	k->belief = sfab_jobs_create(k->m);
	k->ms = sfab_measured_create(k->f);
	k->learner = learner_create(sfab_history_create(1), NULL);
	bench_have(k->sc && k->belief && k->ms);
	k->ms->half_life_s = HALF_LIFE_S;
	k->contention = contention_create(k->m);
	k->flowing = bench_alloc(k->f->nlinks, sizeof(*k->flowing));
	k->mean = bench_alloc(k->f->nlinks, sizeof(*k->mean));
	k->read_s = bench_alloc(k->f->nlinks, sizeof(*k->read_s));
	bench_must(sfab_traffic_parse(PRIOR, NULL, &k->default_traffic, &err) == 0, &err);
	k->avail = bench_compute(k->f, io, &k->navail);
	k->nfree = k->navail;
	k->run = bench_alloc(k->navail + 1u, sizeof(*k->run));
	k->now_s = 1700000000;
	make_programs(k);
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, "usage: loop SNAPSHOT "
		"tree|default|told|usual|learned UTILIZATION SEED JOBS REUSED IO" };
	struct loop k = { 0 };

	bench_must(argc == 8, &usage);
	while (k.who < LOOP_NONE && strcmp(argv[2], who_name[k.who]) != 0)
		k.who++;
	bench_must(k.who < LOOP_NONE, &usage);
	k.random = (uint64_t) atoi(argv[4]);
	k.noise = k.random + 1000;
	k.reused = atof(argv[6]);
	k.io = atof(argv[7]);
	open_loop(&k, argv[1]);
	run_loop(&k, atof(argv[3]), (uint32_t) atoi(argv[5]));
	printf("%-8s", argv[2]);
	for (int i = 0; i < 2; i++)
		printf(" %4u %.5f", k.sum[i].starts, k.sum[i].starts ?
		       k.sum[i].lost / k.sum[i].starts : 0);
	printf(" %4u %.4f\n", k.learned, k.learned ? k.error / k.learned : 0);
	return 0;
}
