/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_play.c - one workload per seed, the same for each policy; see replay.h */

#include <stdlib.h>
#include <string.h>

#include "place/state/site_view.h"
#include "tools/replay/replay.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define TRACE_JOBS_DEFAULT 3000

struct stage {			/* shared by all runs */
	struct sfab_packing packing;
	const struct replay *rp;
	const struct site *site;
	struct sfab_model *m;
	uint8_t *avail;
	struct replay_result *out;
	struct mix mix;
	struct trace trace;
	struct workload w;	/* of the current seed */
	uint64_t seed;
};

/* Open what all runs share.  replay_play() frees it, also after a failure. */
static int open_stage(struct stage *st, struct sfab_err *err)
{
	const struct sfab_fabric *f = st->site->f;
	const struct replay *rp = st->rp;

	st->avail = xcalloc(f->nhosts, 1);
	for (uint32_t h = 0; h < f->nhosts; h++) {
		st->avail[h] = site_role(st->site, h) == ROLE_COMPUTE &&
			       sfab_host_leaf(f, h) != SFAB_NONE;
		st->out->hosts += st->avail[h];
	}
	if (!st->out->hosts)
		return sfab_fail(err, SFAB_EINVAL,
				 "the fabric has no compute host");
	st->out->machine = rp->machine ? rp->machine : st->out->hosts;
	st->m = site_model(st->site);
	if (sfab_site_view_packing(st->m, st->site->conf, st->site->snapshot->packing,
				   &st->packing, err) < 0)
		return -1;
	if (mix_parse(&st->mix, rp->mix, st->site->conf->share, err) < 0)
		return -1;
	if (mix_has_io(&st->mix) && (!st->site->io || !st->site->io->nsets))
		return sfab_fail(err, SFAB_EINVAL,
				 "mix %s: the snapshot has no IO set", rp->mix);
	return rp->trace ? trace_read(&st->trace, rp->trace, err) : 0;
}

static int make_workload(struct stage *st, struct sfab_err *err)
{
	const struct replay *rp = st->rp;
	uint32_t njobs = rp->njobs ? rp->njobs : TRACE_JOBS_DEFAULT;
	const struct sfab_traffic by_default = site_traffic(st->site);
	struct workload_options o = {
		.seed = st->seed, .hosts = st->out->hosts, .machine = st->out->machine,
		.njobs = njobs, .site = rp->hides_hints ? &by_default : NULL,
	};

	workload_free(&st->w);
	if (!rp->trace) {
		trace_free(&st->trace);
		if (trace_make_lublin(&st->trace, st->out->hosts, njobs, st->seed, err) < 0)
			return -1;
	}
	workload_make(&st->w, &st->trace, &st->mix, &o);
	return 0;
}

/* Play the workload under one policy.  Without @measure, compute only what decides its course. */
static int play_policy(struct stage *st, enum sfab_policy policy, double compress, int measure,
		       struct run_stats *out, struct sfab_err *err)
{
	const struct replay *rp = st->rp;
	struct replay_machine_options options = {
		.policy = policy, .seed = st->seed,
		.max_steps = st->site->conf->max_steps,
		.judge = measure ? (double) rp->judged / st->w.n : 0,
		.ranks = rp->ranks,
		.stretch = rp->stretch,
		.packing = &st->packing,
		.site = site_intent(st->site),
	};
	struct sim_hooks hooks;
	struct sim s = { 0 };
	struct replay_machine *machine;
	int rc;

	options.site.modes = NULL;
	if (policy != SFAB_POLICY_SFABRIC)
		options.site.script_cache = NULL;
	machine = replay_machine_create(st->m, st->avail, &st->w, &options);
	hooks = replay_machine_hooks(machine);
	rc = sim_run(&s, &st->w, st->out->hosts, &hooks, compress, err);
	if (rc == 0)
		stats_compute(out, &s, machine);
	if (measure)
		st->out->failed += replay_machine_failed(machine);
	sim_free(&s);
	replay_machine_destroy(machine);
	return rc;
}

/* Find the utilization under the reference policy with the gaps between jobs times @compress. */
static double try_compress(void *ctx, double compress, struct sfab_err *err)
{
	struct stage *st = ctx;
	struct run_stats stats;

	say_progress("seed %llu, load %.3g", (unsigned long long) st->seed, 1 / compress);
	if (play_policy(st, st->rp->policy[0], compress, 0, &stats, err) < 0)
		return -1;
	return stats.utilization;
}

/* Find the factor on arrival times for the utilization, starting from the load that is offered. */
static int find_compress(struct stage *st, double *compress, double *reached, struct sfab_err *err)
{
	double work = 0, last = st->w.job[st->w.n - 1].submit, load;

	if (st->rp->load_factor > 0) {
		*compress = 1 / st->rp->load_factor;
		return 0;
	}
	/* Work offered / work that the hosts could do until the last arrival. */
	for (uint32_t i = 0; i < st->w.n; i++)
		work += st->w.job[i].run * st->w.job[i].nodes;
	load = last > 0 ? work / (last * st->out->hosts) : 0;
	if (!(load > 0))
		return sfab_fail(err, SFAB_EINVAL, "all jobs arrive at once "
				 "(--load-factor 1 replays them that way)");
	return sim_calibrate(try_compress, st, load / st->rp->utilization,
			     st->rp->utilization, compress, reached, err);
}

static int play_seed(struct stage *st, uint32_t k, struct sfab_err *err)
{
	const struct replay *rp = st->rp;
	struct replay_result *out = st->out;

	st->seed = rp->seed + k;
	if (make_workload(st, err) < 0 ||
	    find_compress(st, &out->compress[k], &out->reached[k], err) < 0)
		return -1;
	for (uint32_t i = 0; i < rp->npolicies; i++) {
		say_progress("seed %llu, %s", (unsigned long long) st->seed,
			     sfab_policy_name(rp->policy[i]));
		if (play_policy(st, rp->policy[i], out->compress[k],
				1, &out->run[k][i], err) < 0)
			return -1;
	}
	return 0;
}

int replay_play(const struct replay *rp, const struct site *site,
		struct replay_result *out, struct sfab_err *err)
{
	struct stage st = { .rp = rp, .site = site, .out = out };
	int rc;

	memset(out, 0, sizeof(*out));
	rc = open_stage(&st, err);
	for (uint32_t k = 0; k < rp->nseeds && rc == 0; k++)
		rc = play_seed(&st, k, err);
	out->jobs = st.w.n;
	out->cut = st.w.cut;
	out->skipped = st.trace.skipped;
	out->bad = st.trace.bad;
	say_progress_done();
	workload_free(&st.w);
	trace_free(&st.trace);
	sfab_model_destroy(st.m);
	free(st.avail);
	return rc;
}
