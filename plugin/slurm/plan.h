/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the nodes that backfill plans for a job that has to wait (Plans=spare)
 *
 * Nodes that are planned for a job from some time on are kept from all jobs that would still
 * run then.  Slurm takes the nodes of a plan in the order of its node table, idle or not.  An
 * idle node in a plan keeps a long job from starting on it now.  A node that a running job
 * frees by then would have served as well.
 *
 * Only sure ends count: those of jobs with an enforced time limit, plus what OverTimeLimit
 * adds.  A replacement must have the same partitions and features, so that the same jobs can
 * use it.  Where jobs end long before their limits, a planned job can start later than with
 * Slurm's own plan: that plan had nodes that were idle, and a long job holds these now
 * (doc/admin.md).
 *
 * So the job that backfill plans first in a cycle, overall or in any of its partitions, keeps
 * Slurm's own plan.  Backfill goes through its queue in the order of priority, and jobs that
 * are held or not eligible are not asked for: its own order is the one that counts, whatever it
 * sorts by.
 *
 * A plan sets nodes aside; it is not a placement.  When the job starts, it is placed again.  A
 * node that all jobs have left by then is worth as much to it as an equivalent node that is
 * idle from now on, whether or not it shares nodes.  So no second question is needed, and the
 * planned start stays the same.
 */
#ifndef SFAB_SLURM_PLAN_H
#define SFAB_SLURM_PLAN_H

#include "plugin/slurm/facts.h"
#include "plugin/slurm/glue.h"

#define PLAN_PARTS 64	/* jobs of more partitions keep the plans of Slurm */

struct plan_state {
	time_t cycle;		/* when the cycle of backfill started that first is about */
	int nfirst;
	struct plan_first {	/* the job that was planned first in a partition */
		const part_record_t *part;
		uint32_t id;
	} first[PLAN_PARTS];

	/* the nodes, read once a second or after each change of a running job */
	time_t read_time;	/* when they were read */
	uint64_t changes;	/* facts.changes at that time */
	int nnodes;
	time_t *end;		/* [nnodes] when the last job leaves; 0: none is there */
	uint8_t *kind;		/* [nnodes] equal for equivalent nodes; 0: like no other */
};

/* 1: backfill asks when the job could start.  Call it before Slurm is asked. */
int plan_is_asked(const struct glue_question *q);

/* 1: the job may get any equivalent nodes.  Call it before Slurm is asked. */
int plan_is_plain(struct facts *f, const struct glue_question *q);

/*
 * Record the plan that is Slurm's answer.  1: it is for later, and in each of the job's
 * partitions another job was planned before.  Call it for all plans of a cycle, or the wrong
 * job counts as the first.
 */
int plan_record(struct plan_state *p, const struct glue_question *q, uint32_t id);

/*
 * Replace idle nodes of Slurm's plan q->nodes, which it made out of @all, with busy ones that
 * are equivalent (the same weight, hardware, partitions and features) and are free by then.
 * O(nodes); walks the job list at most once a second and once for each change in facts.changes.
 */
void plan_spare_idle(struct plan_state *p, const struct facts *f,
		     const struct glue_question *q, bitstr_t *all);

/* Free what is remembered; @p is then all zero.  Call it when the node table changes. */
void plan_forget(struct plan_state *p);

#endif
