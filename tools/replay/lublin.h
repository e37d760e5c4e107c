/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lublin.h - jobs by the model of Lublin and Feitelson
 *
 * U. Lublin, D. G. Feitelson: The workload on parallel supercomputers:
 * modeling the characteristics of rigid jobs.  Journal of Parallel and
 * Distributed Computing 63 (2003), 1105-1122.  Parameters are those for all
 * jobs together (no batch and interactive types):
 *
 *   nodes     1 with probability 0.244; else 2^x, x two-stage uniform on
 *             0.8 .. log2(N) - 2.5 .. log2(N), rounded to a power of two for
 *             0.576 of all jobs
 *   run time  e^g, g hyper-gamma: (4.2, 0.94) with probability
 *             0.78 - 0.0054 nodes, else (312, 0.03); at most e^12 s
 *   arrivals  gaps e^g, g gamma (10.2303 x 1.0225, 0.4871), at most e^13 s,
 *             of a clock that runs with the hour: jobs of a half hour are
 *             as gamma (8.1737, 3.9631) has it, the day beginning at 5:30
 */
#ifndef SFAB_REPLAY_LUBLIN_H
#define SFAB_REPLAY_LUBLIN_H

#include <stdint.h>

#include "core/err.h"
#include "tools/replay/trace.h"

/* @njobs jobs for a machine of @nodes nodes (>= 8: SFAB_EINVAL). */
int lublin_make(struct trace *t, uint32_t nodes, uint32_t njobs, uint64_t seed,
		struct sfab_err *err);

#endif
