/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage.h - how many bytes jobs sent, received, read and wrote, as others counted
 *
 * A second source for the history, where no counters of ports are collected.  sacct
 * has what Slurm's acct_gather plugins counted.  It knows no classes:
 * tools/learn/learn_usage.h makes them.
 */
#ifndef SFAB_USAGE_H
#define SFAB_USAGE_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "io/readers/sacct_text.h"

#define SFAB_USAGE_TEXT 128u	/* bytes of a name, with its NUL; longer ones are cut */

enum {
	SFAB_USAGE_NET = 1,	/* sent and received are known, with IO */
	SFAB_USAGE_FS = 2,	/* read and wrote are known */
	SFAB_USAGE_PACKETS = 4,	/* ic/sysfs was there, which counts packets */
};

struct sfab_usage_job {
	uint64_t id;
	uint32_t user, nodes;
	uint64_t end_s;			/* since 1970; 0: it has not ended */
	double elapsed_s;
	unsigned known;			/* SFAB_USAGE_* */
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
 * Output of
 *
 *     sacct -aP --noconvert -o JobIDRaw,UID,Account,Partition,NNodes,NTasks,
 *         ElapsedRaw,End,TRESUsageInTot,TRESUsageOutTot,JobName
 *
 * (in any order, JobName last if it may hold a bar; NTasks may lack).  Rows that cannot
 * be right are left out and counted; if there is no other, that is an error.
 *
 * By Slurm's source (jobacct_gather, 22.05 and 26.05) a total has the node's counter
 * once for each task, so it is divided by the tasks of a node.  Without NTasks a step of
 * many tasks counts too much.  In 22.05 each process below a task adds it, too: a batch
 * step had 2.5 times what its node's link carried.  That is not corrected.
 *
 * ic/ofed and fs/lustre count; fs/disk is no traffic of the fabric, and ic/sysfs counts
 * packets.  Counters are of nodes, so steps at the same time count the same: the largest
 * of extern, batch and the sum of the others is the job's.  Times without a zone are
 * local.  Jobs are added to *@u (start with {0}).  -1 with *err: SFAB_EFORMAT,
 * SFAB_ENOMEM; *@u is
 * freed.
 */
int sfab_usage_sacct(struct sfab_usage *u, const char *file, const char *text,
		     size_t size, struct sfab_err *err);

void sfab_usage_free(struct sfab_usage *u);	/* twice is fine */

#endif
