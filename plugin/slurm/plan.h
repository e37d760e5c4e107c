/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the nodes that backfill plans with for a job that has to wait
 *
 * What is planned for a job from some time on is kept from all jobs that would
 * still run then.  Slurm takes the nodes of a plan in the order of its node
 * table, idle ones or not.  An idle node in a plan keeps a long job from it now;
 * one that a running job gives back by then would have served as well.
 *
 * Only ends that are sure count: those of jobs with a time limit that holds, with
 * what OverTimeLimit adds to it.  Only nodes count that the same jobs want, of the
 * same partitions and features.  Where jobs end long before their limits, a planned
 * job can start later than it would beside Slurm's plan: it was to begin on nodes
 * that were idle, and a long job has these now (doc/admin.md).
 *
 * A plan is room for a job, not a placement: when the job starts it is placed
 * anew.  A node that all jobs have left by then is worth the same to it, whether
 * it shares nodes or not, as one of the same kind that is idle from now on.  So no
 * second question is needed, and its start is not touched.
 */
#ifndef SFAB_SLURM_PLAN_H
#define SFAB_SLURM_PLAN_H

#include "plugin/slurm/facts.h"
#include "plugin/slurm/glue.h"

/*
 * 1: backfill asks, for a job that is content with any nodes of the right kind.
 * To be asked before the stock plugin is.
 */
int plan_is_plain(struct facts *f, const struct glue_question *q);

/*
 * The stock plugin has answered with q->nodes, out of @all.  If that is a plan for
 * later, take idle nodes out and put busy ones in that are alike, of the same
 * weight, partitions and features, and free by then.  Costs a walk over the job list.
 */
void plan_spare_idle(const struct glue_question *q, bitstr_t *all);

#endif
