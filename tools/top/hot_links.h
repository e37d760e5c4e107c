/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot_links.h - the hottest links now: what running jobs demand of them, what was measured on
 * them, and which jobs cause it
 */
#ifndef SFAB_HOT_LINKS_H
#define SFAB_HOT_LINKS_H

#include <stdint.h>

#include "core/err.h"
#include "tools/preview/preview_context.h"
#include "tools/site/jobs_by_link.h"
#include "tools/ui/reply.h"
#include "tools/ui/table.h"

struct hot_links_request {
	struct preview_options preview;
	int only_measured;		/* counters only: do not ask for jobs */
	int kind;			/* enum sfab_link_kind, -1: all */
	uint32_t max;			/* rows of the table */
};

/*
 * Options for commands whose struct begins with a struct hot_links_request, and the parser of
 * words that are not options.
 */
extern const struct option_row hot_links_options[];
error_t hot_links_parse_option(int key, char *arg, struct argp_state *state);

struct hot_links {
	struct preview_context p;
	int has_jobs;
	struct jobs_by_link jobs;	/* what they demand, by link */
	uint32_t busy_hosts;
	uint32_t nloaded, nfull;	/* links with any demand, and with more than they carry */
	double *fill;			/* by link: demand or rate over capacity, the larger */
	uint32_t n;
	uint32_t *link;			/* [n] fullest first */
};

/* Find the hottest links.  -1 with *err and nothing left open, also if there is nothing to show. */
int hot_links_find(struct hot_links *h, const struct hot_links_request *rq, struct reply *r,
		   struct sfab_err *err);
void hot_links_free(struct hot_links *h); /* twice is fine */

/* Seconds since the counters were read; -1: there are none. */
double hot_links_age(const struct hot_links *h, uint64_t now_s);

extern const struct column hot_links_columns[];
/* A row for each of h->link; the caller owns the table. */
struct table *hot_links_table(const struct hot_links *h);

#endif
