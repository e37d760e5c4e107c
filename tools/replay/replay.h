/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.h - the request to `sfabric replay` and its result */
#ifndef SFAB_REPLAY_REPLAY_H
#define SFAB_REPLAY_REPLAY_H

#include <stdint.h>

#include "core/err.h"
#include "core/search/search.h"
#include "tools/replay/stats.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/options.h"

#define SEEDS_MAX 64
#define SEEDS_DEFAULT 4		/* a single seed proves nothing */

struct replay {
	struct options options;
	const char *trace;		/* NULL: the model of Lublin and Feitelson */
	uint32_t machine;		/* nodes of the traced machine; 0: as many as hosts */
	uint32_t njobs;			/* of the trace */
	const char *mix;
	double utilization;		/* target, if load_factor is 0 */
	double load_factor;		/* jobs arrive this many times as fast */
	enum stretch stretch;
	int hides_hints;		/* 1: no hint reaches the policy */
	uint32_t judged;		/* number of starts in a run to judge */
	enum judged_ranks ranks;	/* order of the ranks of jobs that are judged */
	uint32_t npolicies;
	/* The first is the reference. */
	enum sfab_policy policy[SFAB_NPOLICIES];
	uint32_t nseeds;
	uint64_t seed;			/* the first of them */
};

struct replay_result {
	uint32_t hosts;			/* hosts that run jobs */
	uint32_t jobs;			/* of the trace, that are used */
	uint32_t skipped;		/* of the trace, that are not */
	uint32_t cut;			/* of those used: wanted more nodes than the machine has */
	struct sfab_sacct_bad bad;	/* of the trace: cannot be right */
	uint32_t machine;
	uint64_t failed;		/* jobs placed without the script, which failed */
	double compress[SEEDS_MAX];	/* factor on arrival times */
	double reached[SEEDS_MAX];	/* utilization with it; 0: not searched */
	struct run_stats run[SEEDS_MAX][SFAB_NPOLICIES];
};

/* Columns of the result tables, for --format and --helpformat. */
extern const struct column replay_columns[];

/* Play all seeds and policies, with a progress bar if standard error is a terminal. */
int replay_play(const struct replay *rp, const struct site *site,
		struct replay_result *out, struct sfab_err *err);

/* Print the means over the seeds as a table; JSON has each run, too. */
int replay_print(const struct replay *rp, const struct replay_result *res,
		 struct answer *a, struct sfab_err *err);

#endif
