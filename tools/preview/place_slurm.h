/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_slurm.h - `sfabric place --slurm`: what the plugin would decide
 */
#ifndef SFAB_PLACE_SLURM_H
#define SFAB_PLACE_SLURM_H

#include "tools/preview/preview_context.h"
#include "tools/slurm/sbatch.h"
#include "tools/ui/answer.h"

/* @p was opened with --slurm.  @traffic: --traffic, or NULL: the job's own hint. */
int place_slurm(const struct sbatch *given, const char *traffic, struct preview_context *p,
		struct answer *a, struct sfab_err *err);

#endif
