/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview.h - a set of hosts with its score, its predictions and the links that suffer most
 *
 * Predictions are for one class of the traffic at a time, with every node sending all it can:
 * for the job alone, and beside the running jobs.  The score is beside the running jobs.
 */
#ifndef SFAB_PREVIEW_H
#define SFAB_PREVIEW_H

#include "core/load/certificate.h"
#include "core/predict/predict.h"
#include "tools/preview/advice.h"
#include "tools/ui/table.h"

#define PREVIEW_LINKS 10

struct answer;

struct preview_link {
	uint32_t link;
	double load, background;	/* bytes/s: of the job, of all others */
	double full;			/* both, of its capacity */
};

struct preview {
	const char *name;			/* "sfabric", "contiguous", ... */
	struct sfab_choice choice;
	uint32_t nparts;			/* of the traffic */
	struct sfab_prediction part[SFAB_TRAFFIC_PARTS];
	/*
	 * Bytes/s of each part, if every node sends that part alone, beside the running jobs
	 * and with independent flows (throughput.h).  0: not all running jobs are known by
	 * name.
	 */
	double rate[SFAB_TRAFFIC_PARTS];
	/* Slowdown beside the running jobs with independent flows; 0 as above. */
	double maxmin;
	uint32_t nlinks;			/* switch-to-switch, worst first */
	struct preview_link link[PREVIEW_LINKS];
	struct sfab_certificate certificate;	/* among the running jobs */
	struct advice advice;			/* better sizes, for `sfabric place` */
	int has_steps;				/* preview_steps() was called */
	double mix[SFAB_NPATTERNS];		/* weights in its mpi traffic */
	uint8_t has_pattern[SFAB_NPATTERNS];	/* 1: sent in this pattern */
	struct sfab_mixed steps_alone, steps_among;
};

/* Let @policy choose nodes for @rq, and preview them.  On failure @v is empty. */
int preview_policy(struct preview_context *p, const struct sfab_request *rq,
		   enum sfab_policy policy, struct preview *v, struct sfab_err *err);

/* Preview a set that was chosen elsewhere; @host is ascending, and copied. */
int preview_given(struct preview_context *p, const uint32_t *host, uint32_t n,
		  struct preview *v, struct sfab_err *err);

/*
 * Examine @v in steps too (stepper.h): the patterns of the job's traffic, ranks in order of the
 * host names, every node sending all it can; alone, and among what the running jobs send.
 */
int preview_steps(struct preview_context *p, struct preview *v, struct sfab_err *err);

void preview_clear(struct preview *v);		/* twice is fine */

/*
 * The share of CPUs that the job holds of each of its hosts ([n], caller frees), from the
 * shares @by_host.  NULL, as with @by_host NULL: all CPUs.
 */
double *preview_cpus(const struct sfab_choice *c, const double *by_host);

/* Set v->certificate for the hosts of @v.  SFAB_ENOMEM. */
int preview_certify(struct preview_context *p, struct preview *v, struct sfab_err *err);

/* The certificate as an object that the caller owns; printed as lines of text. */
struct json_object *preview_certificate_json(const struct preview_context *p,
					     const struct preview *v);
void preview_certificate_print(const struct preview_context *p, const struct preview *v, FILE *out);

/* A table of the steps, a row for each pattern; the caller owns it. */
struct table *preview_steps_table(const struct preview_context *p, const struct preview *v);
/*
 * Print the means of all @n choices side by side, then the steps of the first; nothing if no
 * steps were examined.
 */
void preview_steps_print(const struct preview_context *p, const struct preview *shown,
			 uint32_t n, FILE *out);

/*
 * Answer with @v and, beside it, what the policies from @first on choose for the request of @p.
 * SFAB_POLICY_SFABRIC: all of them, and the reply describes the search of ours.
 * SFAB_POLICY_CONTIGUOUS: only those that ignore routes.  SFAB_NPOLICIES: none.  If @v has
 * steps, theirs are examined, too.
 *
 * The text fits on one screen.  JSON has nodes, node_list, score, certificate, predicted and
 * worst_links of @v, and in alternatives the name, nodes, score, certificate and predictions of
 * each policy.
 */
int preview_answer(struct preview_context *p, const struct preview *v, unsigned first,
		   struct answer *a, struct sfab_err *err);

#endif
