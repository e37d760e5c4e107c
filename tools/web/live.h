/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.h - the machine now: loads of links, running jobs and whom they meet, findings */
#ifndef SFAB_LIVE_H
#define SFAB_LIVE_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/certificate.h"
#include "tools/log/past_sums.h"
#include "tools/top/hot_links.h"
#include "tools/web/day.h"

struct live_job {
	const struct joblist_job *job;		/* borrowed */
	const struct scontrol_job *facts;	/* NULL: Slurm was not asked */
	uint32_t leaves;
	double slowdown;			/* 0: it sends nothing */
	/* Fill of its fullest link between switches; 0: it uses none. */
	double fullest;
	int has_certificate;			/* 0: it sends nothing, and shares no link */
	struct sfab_certificate certificate;
};

struct live_view {
	struct hot_links hot;
	uint64_t now_s;
	uint32_t njobs;
	struct live_job *job;	/* slowest first, then by id */
	char *audit;		/* what sfabric audit says */
};

/* Find out all that the page shows.  -1 with *err and nothing left open. */
int live_open(struct live_view *v, const struct hot_links_request *w, struct reply *r,
	      struct sfab_err *err);
void live_close(struct live_view *v);		/* twice is fine */

/* Return the point of this moment for the history. */
struct day_point live_point(const struct live_view *v);

/*
 * Write the page.  @warnings: texts of the reply.  @day NULL: no history.  @past NULL: no
 * decision log.
 */
void live_page(const struct live_view *v, struct json_object *warnings, const struct day *day,
	       const struct past_summary *past, FILE *out);

#define LIVE_LINKS 50		/* of the table of links */
#define LIVE_REPORT_DAYS 7
/* Write what was lost and saved in the last days. */
void live_report(const struct past_summary *s, uint64_t now_s, FILE *out);

/* Write the table as text, as its command prints it, and destroy it. */
void live_table(struct table *t, FILE *out);

#endif
