/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_context.h - everything that a placement depends on: fabric, running jobs, traffic,
 * free hosts, weights
 *
 * Shared by the commands that place, predict or show jobs.
 */
#ifndef SFAB_PREVIEW_CONTEXT_H
#define SFAB_PREVIEW_CONTEXT_H

#include "core/predict/throughput.h"
#include "place/place.h"
#include "tools/site/joblist.h"
#include "tools/site/site.h"
#include "tools/site/site_counters.h"
#include "tools/slurm/cluster.h"
#include "tools/ui/options.h"

/* The options that place, predict and others share.  The file of running jobs is options.jobs. */
struct preview_options {
	struct options options;
	const char *traffic;		/* NULL: the site's default */
	const char *available;		/* hostlist, NULL: see preview_context_open() */
	const char *exclude;		/* hostlist, NULL: none; set by the command */
	const char *counters;		/* path; NULL: with slurm the conf's, else none */
	int slurm;			/* ask Slurm for the running jobs */
	/*
	 * 1: Packing=auto plays streams of later jobs to find what to keep whole for them, for
	 * seconds on a large fabric.  0: a command that neither chooses nor scores nodes.
	 */
	int needs_packing;
	int keeps_packing;		/* show packing --keep: write the packing that was found */
	uint32_t max_steps;		/* 0: the conf's */
	uint32_t slurm_version;		/* 2205; 0: that of the cluster, or 22.05 */
};

/* Rows for commands whose struct begins with a struct preview_options. */
extern const struct option_row preview_options_rows[];

/* Check the options together, after the last one: they come in any order. */
void preview_options_check(const struct preview_options *o, struct argp_state *state);

struct preview_context {
	struct site site;
	struct sfab_place *place;	/* --slurm: owns the next three and the site's parts */
	struct sfab_model *model;
	struct sfab_jobs *jobs;
	struct sfab_scorer *scorer;
	struct cluster cluster;		/* --slurm: what Slurm reports */
	struct joblist list;		/* the running jobs */
	struct sfab_throughput *flows;	/* of the running jobs; NULL: not needed yet */
	struct site_counters counters;
	struct sfab_traffic traffic;
	int is_traffic_given;		/* 1: traffic is that of --traffic */
	double cores;			/* ranks on a node; 0: not given */
	uint32_t slurm_version;		/* see sfab_request.slurm */
	double weights[SFAB_NTERMS];	/* the script's */
	uint8_t *avail;			/* [nhosts] */
	uint32_t navail;
	uint8_t *required;		/* [nhosts] or NULL */
	double *cpus;			/* explain: [nhosts] shares of the request, or NULL */
	double *held_cpus;		/* explain: [nhosts] shares that the job got, or NULL */
	struct sfab_stepper *stepper;	/* NULL: not needed yet */
	/* explain: bits of the patterns to certify; 0: those of the traffic and the site's mix */
	unsigned patterns;
	int hides_ids;			/* 1: do not print ids of running jobs */
	struct sfab_request request;	/* all but n and required */
	uint32_t min_hosts;		/* -N MIN-MAX: MIN, while request.n is MAX; else 0 */
};

/*
 * Open the site and find out what a placement depends on.  Without --available, all compute
 * hosts are free that no running job holds; --exclude removes hosts in any case.  With --slurm,
 * the hosts of idle nodes are free.  Which nodes a certain job may have, only the placement
 * service knows: ask it, then call preview_context_take().  On failure nothing is left open.
 */
int preview_context_open(struct preview_context *p, const struct preview_options *o,
			 struct reply *r, struct sfab_err *err);
void preview_context_close(struct preview_context *p);		/* twice is fine */

/*
 * Score the running @job on its nodes, as if it were to be placed there beside the others.  0:
 * it sends nothing, and @out is unset.
 */
int preview_context_score(struct preview_context *p, const struct joblist_job *job,
			  struct sfab_score *out, struct sfab_err *err);

/*
 * The part of preview_context_open() for --slurm (slurm_service.c): jobs, idle nodes and all
 * that the placement service makes.
 */
int preview_context_ask_slurm(struct preview_context *p, struct reply *r, struct sfab_err *err);
/* The part of preview_context_open() without --slurm: make model, jobs and scorer.  SFAB_ENOMEM. */
int preview_context_parts(struct preview_context *p, struct sfab_err *err);

/*
 * Traffic and weights of a job as the plugin finds them, with --traffic as its hint.  Return
 * SFAB_PLACED, or why the plugin would leave the job to Slurm.  What the plugin would log as
 * trouble is a warning.
 */
enum sfab_reason preview_context_intent(struct preview_context *p, const struct sfab_ask *ask,
					struct reply *r);

/*
 * --slurm: take over the request of the placement service's last search; if there was none, a
 * request for just the @n hosts.
 */
void preview_context_take(struct preview_context *p, const uint32_t *host, uint32_t n);

#endif
