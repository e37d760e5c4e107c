/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_slurm.h - `sfabric place --slurm`: what the plugin would decide
 */
#ifndef SFAB_PLACE_SLURM_H
#define SFAB_PLACE_SLURM_H

#include "tools/preview/preview_context.h"
#include "tools/slurm/sbatch.h"
#include "tools/ui/answer.h"

struct place_slurm {
	const struct sbatch *job;
	const char *traffic;		/* --traffic; NULL: the job's own hint */
};

/* @p was opened with --slurm. */
int place_slurm(const struct place_slurm *ps, struct preview_context *p,
		struct answer *a, struct sfab_err *err);

#endif
