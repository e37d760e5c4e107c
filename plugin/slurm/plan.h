/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - the nodes that backfill plans for a job that has to wait
 *
 * Nodes that are planned for a job from some time on are kept from all jobs
 * that would still run then.  Slurm takes the nodes of a plan in the order of
 * its node table, idle or not.  An idle node in a plan keeps a long job from
 * starting on it now.  A node that a running job frees by then would have
 * served as well.
 *
 * Only sure ends count: those of jobs with an enforced time limit, plus what
 * OverTimeLimit adds.  A replacement must have the same partitions and
 * features, so that the same jobs can use it.  Where jobs end long before their
 * limits, a planned job can start later than with Slurm's own plan: that plan
 * had nodes that were idle, and a long job holds these now (doc/admin.md).
 *
 * A plan sets nodes aside; it is not a placement.  When the job starts, it is
 * placed again.  A node that all jobs have left by then is worth as much to it
 * as an equivalent node that is idle from now on, whether or not it shares
 * nodes.  So no second question is needed, and the planned start stays the
 * same.
 */
#ifndef SFAB_SLURM_PLAN_H
#define SFAB_SLURM_PLAN_H

#include "plugin/slurm/facts.h"
#include "plugin/slurm/glue.h"

/*
 * 1: backfill asks, for a job that accepts any nodes of the right kind.  Call
 * it before the stock plugin is asked.
 */
int plan_is_plain(struct facts *f, const struct glue_question *q);

/*
 * The stock plugin has answered with q->nodes, out of @all.  If that is a plan
 * for later, replace idle nodes with busy ones that are equivalent (the same
 * weight, hardware, partitions and features) and are free by then.  Walks the
 * job list once.
 */
void plan_spare_idle(const struct glue_question *q, bitstr_t *all);

#endif
