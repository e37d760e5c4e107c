/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_jobs.c - the table of running jobs; see show.h
 *
 * The jobs come from --jobs or from Slurm, as for place and predict, so this table also shows
 * what those commands would take for the state of the machine.
 */

#include <stdlib.h>

#include "tools/preview/preview_context.h"
#include "tools/show/show.h"
#include "tools/site/hosts.h"

static const struct column job_columns[] = {
	{ "job", "its id", COLUMN_COUNT, 0, SHOWN },
	{ "hosts", "its hosts in the fabric", COLUMN_COUNT, 0, SHOWN },
	{ "leaves", "leaf switches they are on", COLUMN_COUNT, 0, SHOWN },
	{ "traffic", "what it sends", COLUMN_TEXT, 0, SHOWN },
	{ "alone", "its time over that on an ideal fabric, with no other job",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "slowdown", "the same beside the other jobs", COLUMN_NUMBER, 2, SHOWN },
	{ "suspended", "sends nothing now", COLUMN_YES, 0, SHOWN_IF_ASKED },
	{ "nodes", "hostlist", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/*
 * Add the rows of the jobs.  A job that loads nothing has no slowdown.  Neither has one that is
 * suspended.  Nodes that are not on the fabric are not counted.
 */
static int fill_jobs(const struct show_request *rq, struct table *t, struct sfab_err *err)
{
	struct preview_context p;
	int rc = 0;

	if (preview_context_open(&p, rq->o, rq->r, err) != 0)
		return -1;
	for (uint32_t i = 0; rc >= 0 && i < p.list.n; i++) {
		const struct joblist_job *job = &p.list.job[i];
		char *nodes = hosts_fold(p.site.f, job->host, job->n);
		char traffic[1024];	/* longer ones are cut */
		struct sfab_score score;

		table_row(t);
		table_count(t, "job", job->id);
		table_count(t, "hosts", job->n);
		table_count(t, "leaves", hosts_leaves(p.site.f, job->host, job->n,
						      HOSTS_FIRST_PORTS));
		table_text(t, "traffic",
			   sfab_traffic_text(&job->traffic, traffic, sizeof(traffic)));
		rc = preview_context_score(&p, job, &score, err);
		if (rc > 0) {
			table_number(t, "alone", score.alone);
			table_number(t, "slowdown", score.slowdown);
		}
		table_yes(t, "suspended", job->suspended);
		table_text(t, "nodes", nodes);
		free(nodes);
	}
	preview_context_close(&p);
	return rc < 0 ? -1 : 0;
}

const struct show_table show_jobs = { "jobs", "jobs", job_columns, NULL, fill_jobs };
