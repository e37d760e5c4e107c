/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_world.c - a snapshot with changed records, and all that is made of it: routes, audit,
 * pairs, predictions, a merge, jobs, scores, searches, packings
 *
 * The first byte says what is looked at; then come the changes (edits.h), what is left are
 * decisions of the looks.  An answer is in its bounds, or a reason.
 */

#include <math.h>

#include "core/audit/audit.h"
#include "core/fabric/fabric_merge.h"
#include "core/fabric/route.h"
#include "core/load/measured.h"
#include "core/load/stepper.h"
#include "core/predict/pairs.h"
#include "core/predict/predict.h"
#include "core/predict/throughput.h"
#include "core/search/play_stream.h"
#include "core/search/search.h"
#include "io/counters/counters.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memo.h"
#include "tests/fuzz/trees.h"

#define HOSTS 64		/* more are not looked at */
#define LINKS 1024

struct site_model {		/* s NULL: refused; m NULL: too large */
	struct sfab_snapshot *s;
	struct sfab_model *m;
};

struct world {
	const struct sfab_snapshot *s;
	const struct sfab_fabric *f;
	struct sfab_model *m;
	struct bytes *in;
};

/* Did it succeed?  What failed must say why. */
static int worked(int rc, const struct sfab_err *err)
{
	fuzz_check(rc == 0 || (err->code != SFAB_OK && err->text[0]));
	return rc == 0;
}

static const char *const traffics[] = {
	"mpi=0.5", "neighbor", "io-write", "io-read=0.7", "io-write@near=0.5+mpi",
	"io-read@group+io-write@group", "mpi=0.2+neighbor=0.2+io-write@fs=0.6",
	"mpi=1e-9", "io-write=1",
};

static struct sfab_traffic take_traffic(struct bytes *in)
{
	struct sfab_traffic t;
	uint32_t i = take_below(in, sizeof(traffics) / sizeof(traffics[0]));

	fuzz_check(sfab_traffic_parse(traffics[i], NULL, &t, NULL) == 0);
	return t;
}

/* Take some hosts, each once.  Return how many. */
static uint32_t take_hosts(const struct world *w, uint32_t *host)
{
	uint32_t first = take_below(w->in, w->f->nhosts);
	uint32_t step = 1 + take_below(w->in, 5), n = 0;
	uint8_t seen[HOSTS] = { 0 };

	for (uint32_t i = 1 + take_below(w->in, 12); i && w->f->nhosts; i--) {
		uint32_t h = (first + i * step) % w->f->nhosts;

		if (!seen[h]++)
			host[n++] = h;
	}
	return n;
}

/* What is written of it is a snapshot, and written again the same. */
static void look_encode(struct world *w)
{
	struct sfab_snapshot *again;
	uint8_t *once, *twice;
	size_t size, size2;

	fuzz_check(sfab_snapshot_encode(w->s, &once, &size, NULL) == 0);
	again = sfab_snapshot_decode(once, size, NULL);
	fuzz_check(again != NULL);
	fuzz_check(sfab_snapshot_encode(again, &twice, &size2, NULL) == 0);
	fuzz_check(size == size2 && memcmp(once, twice, size) == 0);
	sfab_snapshot_destroy(again);
	free(once);
	free(twice);
}

static void look_routes(struct world *w)
{
	uint32_t dlids[LINKS], sw, lid;
	struct sfab_lost_pair lost[4];
	struct sfab_route r = { 0 };
	double routes[LINKS];
	uint64_t n;

	fuzz_check(sfab_route_counts(w->f, NULL, NULL, dlids, routes, &n) == 0);
	for (uint32_t p = 0; p < w->f->nplanes; p++) {
		int loop = sfab_route_find_loop(w->f, p, &sw, &lid);

		fuzz_check(loop == 0 || (loop == 1 && sw < w->f->nswitches));
		fuzz_check(sfab_route_unreachable(w->f, p, &n, lost, 4) == 0);
	}
	for (uint32_t i = 0; i < 16 && w->f->nports; i++) {
		uint32_t a = take_below(w->in, w->f->nports);
		uint32_t b = take_below(w->in, w->f->nports);

		fuzz_check(sfab_route_ports(w->f, a, b, &r) == 0);
		sfab_route_status_text(r.status);
	}
	sfab_route_clear(&r);
}

static void look_audit(struct world *w)
{
	struct sfab_link_events events[LINKS] = { { 0 } };
	struct sfab_audit_options ask = {
		.m = w->m, .block = take_below(w->in, 5), .engine = "updn",
		.events = events,
	};
	struct sfab_audit a = { 0 };
	struct sfab_err err = { 0 };

	for (uint32_t i = 0; i < 4 && w->f->nlinks; i++)
		events[take_below(w->in, w->f->nlinks)].errors = take16(w->in);
	if (!worked(sfab_audit(&ask, &a, &err), &err))
		return;
	for (uint32_t i = 0; i < a.n; i++) {
		fuzz_check(a.finding[i].rule < SFAB_NRULES && a.finding[i].what[0]);
		for (uint32_t k = 0; k < a.finding[i].nmoves; k++)
			fuzz_check(a.finding[i].move[k].host < w->f->nhosts);
	}
	sfab_audit_free(&a);
}

static void check_shares(const double *share, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		fuzz_check(share[i] >= 0 && share[i] <= 1 + 1e-6);
}

static void look_pairs(struct world *w)
{
	uint32_t host[HOSTS], n = take_hosts(w, host), rotations;
	double share[2 * HOSTS];
	struct sfab_err err = { 0 };

	if (n < 2)
		return;
	rotations = n / 2 < 3 ? n / 2 : 3;
	if (worked(sfab_pairs_rotate(w->m, host, n, rotations, share, &err), &err))
		check_shares(share, n / 2 * rotations);
	if (worked(sfab_pairs_bisect(w->m, host, n, 2, take8(w->in), share, &err),
		   &err))
		check_shares(share, n / 2 * 2);
}

/* Up to three jobs, each flow for itself. */
static void look_flows(struct world *w)
{
	struct sfab_throughput *tp = sfab_throughput_create(w->m);
	uint32_t host[HOSTS];

	fuzz_check(tp != NULL);
	for (uint32_t i = 1 + take_below(w->in, 3); i; i--) {
		uint32_t n = take_hosts(w, host);
		struct sfab_traffic t = take_traffic(w->in);
		struct sfab_job job = { .n = n, .host = host, .traffic = &t };
		struct sfab_err err = { 0 };
		double rate, slowdown;

		if (!n || !worked(sfab_throughput_beside(tp, &job, &rate, &slowdown, &err), &err))
			continue;
		fuzz_check(slowdown >= 1 - 1e-6 && rate >= 0);
		if (take8(w->in) & 1)
			worked(sfab_throughput_add(tp, &job, &err), &err);
	}
	sfab_throughput_destroy(tp);
}

static void check_steps(const struct world *w, enum sfab_pattern pattern,
			const struct sfab_collective *c, const struct sfab_steps *s)
{
	fuzz_check(s->nsteps == sfab_pattern_steps(pattern, c->n));
	fuzz_check(s->nsampled <= s->nsteps && s->conflicts <= s->nsampled);
	fuzz_check(s->mean >= 1 - 1e-6 && s->worst.slowdown >= 1 - 1e-6);
	fuzz_check(s->worst.worst_link == SFAB_NONE ||
		   s->worst.worst_link < w->f->nlinks);
}

/* Collectives of some hosts beside what jobs of others send. */
static void look_steps(struct world *w)
{
	struct sfab_stepper *sp = sfab_stepper_create(w->m);
	struct sfab_step each[SFAB_STEPS_MAX];
	double *background = calloc(w->m->nres + 1u, sizeof(*background));
	uint32_t host[HOSTS];
	struct sfab_collective c = {
		.n = take_hosts(w, host), .host = host,
		.share = take8(w->in) / 255.0,
		.background = take8(w->in) & 1 ? background : NULL,
	};
	struct sfab_err err = { 0 };

	fuzz_check(sp && background);
	for (uint32_t i = 0; i < w->m->nres && w->in->nleft; i++)
		background[i] = take8(w->in) * 1e8;
	if (c.n && worked(sfab_stepper_take(sp, &c, &err), &err))
		for (int p = 0; p < SFAB_NPATTERNS; p++) {
			struct sfab_steps out;

			fuzz_check(sfab_stepper_steps(sp, p, &out, each, NULL) == 0);
			check_steps(w, p, &c, &out);
		}
	sfab_stepper_destroy(sp);
	free(background);
}

static void look_predict(struct world *w)
{
	uint32_t host[HOSTS], n = take_hosts(w, host);
	struct sfab_traffic t = take_traffic(w->in);
	struct sfab_job job = { .n = n, .host = host, .traffic = &t };

	for (uint32_t i = 0; i < t.nparts && n; i++) {
		struct sfab_prediction p;
		struct sfab_err err = { 0 };

		if (!worked(sfab_predict(w->m, &job, i, &p, NULL, &err), &err))
			continue;
		fuzz_check(p.ideal_share >= 0 && p.ideal_share <= 1 + 1e-6);
		fuzz_check(p.slowdown >= 1 - 1e-6 && p.maxmin >= 0);
		fuzz_check(p.worst_res == SFAB_NONE || p.worst_res < w->m->nres);
	}
	look_flows(w);
	look_steps(w);
}

/* Beside itself (the same GUIDs: refused), or beside another tree. */
static void look_merge(struct world *w)
{
	static const char *const names[] = { "a", "b" };
	struct sfab_snapshot *other = fuzz_tree(take8(w->in));
	const struct sfab_fabric *both[] = { w->f, other->fabric };
	struct sfab_err err = { 0 };
	struct sfab_fabric *f = sfab_fabric_merge(both, names, 2, &err);
	struct sfab_snapshot *s = NULL;
	struct world merged = { .in = w->in };

	worked(f ? 0 : -1, &err);
	if (f)
		s = sfab_snapshot_take(f, NULL, &err);
	if (s) {
		merged.s = s;
		look_encode(&merged);
	}
	sfab_snapshot_destroy(s);
	sfab_snapshot_destroy(other);
}

/* -- jobs ------------------------------------------------------------------- */

static void take_row(struct world *w, uint32_t link, struct sfab_counter *row)
{
	const struct sfab_link *l = &w->f->links[link];
	uint8_t b = take8(w->in);

	*row = (struct sfab_counter){
		.guid = sfab_link_from_guid(w->f, link), .port = l->from_port,
		.flags = b % 8, .time_ms = 1000 * (900 + b), .xmit_rate = b * 1e8,
		.rcv_rate = b * 7e7, .wait_share = b / 255.0,
	};
	if (b == 255)
		row->guid = take8(w->in);
}

/* What some of the ports counted.  NULL: one of them twice. */
static struct sfab_measured *take_measured(struct world *w)
{
	struct sfab_counters *c = sfab_counters_create(w->f->nlinks);
	uint32_t step = 1 + take_below(w->in, 4), unknown;
	struct sfab_measured *ms = NULL;

	fuzz_check(c != NULL);
	c->n = 0;
	c->half_life_s = 1 + take8(w->in);
	for (uint32_t i = take8(w->in); i < w->f->nlinks && w->in->nleft; i += step)
		take_row(w, i, &c->row[c->n++]);
	if (sfab_counters_sort(c, NULL) == 0) {
		ms = sfab_counters_measure(c, w->f, &unknown);
		fuzz_check(ms && unknown <= c->n);
	}
	sfab_counters_destroy(c);
	return ms;
}

static void measure(struct world *w, struct sfab_jobs *js)
{
	struct sfab_measured *ms = take_measured(w);
	uint64_t now_s = 1000 + take16(w->in);

	if (!ms)
		return;
	for (uint32_t i = 0; i < w->f->nlinks; i++)
		sfab_bottleneck_name(sfab_measured_bottleneck(ms, i));
	fuzz_check(sfab_measured_next_change(ms, now_s) > now_s);
	sfab_measured_apply(ms, js, now_s);
	for (uint32_t i = 0; i < w->m->nres; i++)
		fuzz_check(sfab_jobs_background(js)[i] >= 0);
	sfab_measured_destroy(ms);
}

static void start_job(struct world *w, struct sfab_jobs *js, uint32_t id)
{
	uint32_t host[HOSTS], n = take_hosts(w, host);
	struct sfab_traffic t = take_traffic(w->in);
	struct sfab_job job = { .n = n, .host = host, .traffic = &t };
	struct sfab_err err = { 0 };

	if (!n || !worked(sfab_jobs_add(js, id, &job, &err), &err))
		return;
	if (take8(w->in) & 1)
		sfab_jobs_set_start(js, id, 900);
	fuzz_check(sfab_jobs_has(js, id) && !(sfab_jobs_slowdown(js, id) < 1 - 1e-6));
}

static void happen(struct world *w, struct sfab_jobs *js)
{
	uint32_t id = take_below(w->in, 6);

	switch (take_below(w->in, 8)) {
	case 0:
		sfab_jobs_suspend(js, id);
		break;
	case 1:
		sfab_jobs_resume(js, id);
		break;
	case 2:
		sfab_jobs_remove(js, id);
		break;
	case 3:
		sfab_jobs_end(js, id, 950);
		break;
	case 4:
		measure(w, js);
		break;
	default:
		start_job(w, js, id);
	}
}

static void check_score(const struct world *w, const struct sfab_score *s)
{
	fuzz_check(s->worst_link == SFAB_NONE || s->worst_link < w->f->nlinks);
	fuzz_check(s->leaves <= w->f->nleaves + 1 && !isnan(s->total));
	for (int i = 0; i < SFAB_NTERMS; i++)
		fuzz_check(s->term[i] >= -1e-6);
}

static void score(struct world *w, struct sfab_scorer *sc, struct sfab_jobs *js)
{
	uint32_t host[HOSTS], n = take_hosts(w, host);
	struct sfab_traffic t = take_traffic(w->in);
	struct sfab_job job = { .n = n, .host = host, .traffic = &t };
	struct sfab_err err = { 0 };
	struct sfab_score s, again;

	if (!n)
		return;
	if (!worked(sfab_score(sc, js, &job, NULL, NULL, &s, &err), &err))
		return;
	check_score(w, &s);
	if (worked(sfab_score_below(sc, js, &job, NULL, INFINITY, &again, &err), &err)) {
		check_score(w, &again);
		fuzz_check(fabs(again.total - s.total) <= 1e-4 * (1 + s.total));
	}
}

static void check_choice(const struct world *w, const struct sfab_request *rq,
			 const struct sfab_choice *c)
{
	uint32_t required = 0;

	fuzz_check(c->n == rq->n);
	for (uint32_t i = 0; i < c->n; i++) {
		fuzz_check(c->host[i] < w->f->nhosts && rq->avail[c->host[i]]);
		fuzz_check(!i || c->host[i] > c->host[i - 1]);
		required += rq->required[c->host[i]];
	}
	for (uint32_t i = 0; i < w->f->nhosts; i++)
		required -= rq->required[i];
	fuzz_check(required == 0);
	check_score(w, &c->score);
}

static void search(struct world *w, struct sfab_scorer *sc, struct sfab_jobs *js)
{
	struct sfab_traffic t = take_traffic(w->in);
	uint8_t avail[HOSTS], required[HOSTS];
	uint32_t weight[HOSTS];
	double cpus[HOSTS];
	unsigned flags = take8(w->in);
	struct sfab_request rq = {
		.n = 1 + take_below(w->in, 16), .avail = avail,
		.required = required, .traffic = &t, .cpus = cpus,
		.weight = flags & 1 ? weight : NULL,
		.max_steps = 300, .seed = flags,
	};
	struct sfab_choice c = { 0 };
	struct sfab_err err = { 0 };

	for (uint32_t i = 0; i < w->f->nhosts; i++) {
		uint8_t b = take8(w->in);

		avail[i] = b % 4 != 3;
		required[i] = b % 16 == 2;
		weight[i] = b / 16 % 3;
		cpus[i] = 1 - b / 300.0;
	}
	if (worked(flags & 8 ? sfab_search_by(sc, js, &rq, flags / 16 % SFAB_NPOLICIES,
					      &c, &err) :
			       sfab_search(sc, js, &rq, &c, &err), &err))
		check_choice(w, &rq, &c);
	sfab_choice_clear(&c);
}

static void look_jobs(struct world *w)
{
	struct sfab_jobs *js = sfab_jobs_create(w->m);
	struct sfab_scorer *sc = sfab_scorer_create(w->m);
	struct sfab_err err = { 0 };
	uint8_t max = take8(w->in);

	fuzz_check(js && sc);
	if (max)
		worked(sfab_footprints_fill(sc->footprints,
					    max & 1 ? SFAB_FOOTPRINT_FILL : max,
					    &err),
		       &err);
	for (uint32_t i = take_below(w->in, 12); i; i--)
		happen(w, js);
	score(w, sc, js);
	search(w, sc, js);
	search(w, sc, js);
	sfab_scorer_destroy(sc);
	sfab_jobs_destroy(js);
}

/* What each packing is worth. */
static void look_packings(struct world *w)
{
	struct sfab_scorer *sc = sfab_scorer_create(w->m);
	struct sfab_traffic t = take_traffic(w->in);
	struct sfab_packings p;
	struct sfab_err err = { 0 };

	fuzz_check(sc != NULL);
	if (worked(sfab_packings_play(sc, &t, &p, &err), &err)) {
		fuzz_check(p.best < SFAB_PACKINGS && p.tree >= 0);
		for (int i = 0; i < SFAB_PACKINGS; i++)
			fuzz_check(p.trial[i].loss >= p.trial[p.best].loss ||
				   !p.trial[i].is_played);
	}
	sfab_scorer_destroy(sc);
}

/* A snapshot with its model; the caller drops it. */
static struct site_model *make(struct bytes *in)
{
	struct site_model *made = calloc(1, sizeof(*made));
	const struct sfab_fabric *f;

	fuzz_check(made != NULL);
	made->s = fuzz_edited(in);
	f = made->s ? made->s->fabric : NULL;
	if (!f || f->nhosts > HOSTS || f->nlinks > LINKS)
		return made;
	made->m = sfab_model_create(f, made->s->iosets);
	fuzz_check(made->m != NULL);
	return made;
}

static void drop(struct site_model *made)
{
	if (!made)
		return;
	sfab_model_destroy(made->m);
	sfab_snapshot_destroy(made->s);
	free(made);
}

static void look_at(const struct site_model *made, uint32_t what, struct bytes *in)
{
	static void (*const looks[])(struct world *) = {
		look_jobs, look_packings, look_predict, look_pairs, look_audit,
		look_routes, look_merge, look_encode,
	};
	struct world w = { .s = made->s, .m = made->m, .in = in };

	if (!made->m)
		return;
	w.f = made->s->fabric;
	looks[what % (sizeof(looks) / sizeof(looks[0]))](&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct memo slots[MEMO_SLOTS];
	struct bytes in = { data, size };
	uint32_t what = take8(&in);
	const uint8_t *from = in.at;
	struct memo *m = memo_at(slots, &in);
	struct site_model *made = memo_take(m, &in), *old = m->thing;
	int known = made != NULL, kept = known;

	if (!known) {
		made = make(&in);
		kept = memo_keep(m, from, &in, made);
		if (kept)
			drop(old);
	}
	look_at(made, what, &in);
	if (!kept)
		drop(made);
	return 0;
}
