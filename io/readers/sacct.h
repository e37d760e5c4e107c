/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct.h - the tables of `sacct -P`, and what they say of the bytes that jobs sent and wrote
 *
 * The replay reads what ran and when from such tables.  What Slurm's acct_gather plugins
 * counted is a second source for the history, where no counters of ports are collected.  It
 * knows no classes: tools/learn/learn_usage.h makes them.
 */
#ifndef SFAB_SACCT_H
#define SFAB_SACCT_H

#include <time.h>

#include "io/readers/csv.h"

/* -- heading, ids, times and durations -------------------------------------- */

/*
 * Parse the current line of @s as the heading.  The separator is "|", or what begins and ends
 * with "@" in this line: one of random letters (sacct --delimiter) cannot be in a job's name.
 * If the job name is the last column, it may contain the separator.
 */
int sfab_sacct_heading(struct sfab_csv *c, struct sfab_scan *s,
		       const struct sfab_csv_column *column, unsigned n,
		       struct sfab_err *err);

/* Rows that cannot be right.  They are left out, because a job's name may have newlines. */
struct sfab_sacct_bad {
	unsigned n;
	struct sfab_err first;		/* why, with file and line */
};

/* Count the row that @err is about.  -1: @err is no fault of a row. */
int sfab_sacct_leave_out(struct sfab_sacct_bad *bad, const struct sfab_err *err);

/*
 * Return the step of a JobID, "extern" of "7.extern", to the end of the field; NULL: it is a
 * job.
 */
const char *sfab_sacct_step(const struct sfab_csv_field *id);

/*
 * Set *@tm, for timegm() or mktime(), to a time like 2026-11-23T07:15:12.  sacct names no zone:
 * its times are local where it ran.  -1: anything else ("Unknown", "None", a month 13).
 */
int sfab_sacct_time(const struct sfab_csv_field *f, struct tm *tm);

/*
 * Set *@seconds to a duration [D-]HH:MM:SS or MM:SS of at most @max; a fraction is left out.
 * -1: it is none.
 */
int sfab_sacct_duration(const struct sfab_csv_field *f, double max, double *seconds);

/* -- usage: bytes sent, received, read and written -------------------------- */

#define SFAB_USAGE_TEXT 128u	/* bytes of a name, with its NUL; longer ones are cut */

enum sfab_usage_known {
	SFAB_USAGE_NET = 1,	/* sent and received are known, with IO */
	SFAB_USAGE_FS = 2,	/* read and wrote are known */
	SFAB_USAGE_PACKETS = 4,	/* ic/sysfs was there, which counts packets */
};

struct sfab_usage_job {
	uint64_t id;
	uint32_t user, nodes;
	uint64_t end_s;				/* since 1970; 0: it has not ended */
	double elapsed_s;
	unsigned known;				/* enum sfab_usage_known */
	double sent, received, read, wrote;	/* bytes, of all nodes */
	char name[SFAB_USAGE_TEXT], account[SFAB_USAGE_TEXT], partition[SFAB_USAGE_TEXT];
};

struct sfab_usage {
	uint32_t n;
	struct sfab_usage_job *job;	/* [n] */
	int may_lie;			/* sacct's text may have rows that users forged */
	struct sfab_sacct_bad bad;	/* rows that were left out */
};

/*
 * Read the output of
 *
 *     sacct -aP --noconvert -o JobIDRaw,UID,Account,Partition,NNodes,NTasks,
 *         ElapsedRaw,End,TRESUsageInTot,TRESUsageOutTot,JobName
 *
 * (in any order, JobName last if it may hold a bar; NTasks may lack).  Rows that cannot be
 * right are left out and counted; if there is no other, that is an error.
 *
 * By Slurm's source (jobacct_gather, 22.05 and 26.05) a total has the node's counter once for
 * each task, so it is divided by the tasks of a node.  Without NTasks a step of many tasks
 * counts too much.  In 22.05 each process below a task adds it, too: a batch step had 2.5 times
 * what its node's link carried.  That is not corrected.
 *
 * ic/ofed and fs/lustre count; fs/disk is no traffic of the fabric, and ic/sysfs counts
 * packets.  Counters are of nodes, so steps at the same time count the same: the largest of
 * extern, batch and the sum of the others is the job's.  Times without a zone are local.  Jobs
 * are added to *@u (start with {0}).  -1 with *err: SFAB_EFORMAT, SFAB_ENOMEM; *@u is freed.
 */
int sfab_usage_sacct(struct sfab_usage *u, const char *file, const char *text,
		     size_t size, struct sfab_err *err);

void sfab_usage_free(struct sfab_usage *u);	/* twice is fine */

#endif
