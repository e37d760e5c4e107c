/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_only.h - where Slurm itself would run a job
 *
 * `sbatch --test-only` asks slurmctld, and so the plugin in it, without
 * submitting anything.
 */
#ifndef SFAB_TEST_ONLY_H
#define SFAB_TEST_ONLY_H

#include <stdint.h>
#include <time.h>

#include "core/err.h"

struct verify {
	char *nodes;		/* a hostlist; NULL: Slurm refuses the job */
	time_t start;		/* when it would start */
	char *refusal;		/* or Slurm's reason against it */
};

/* @word: @n options for sbatch; @script NULL: none. */
int verify_ask(struct verify *v, char *const *word, uint32_t n,
	       const char *script, struct sfab_err *err);
/* From sbatch's output.  SFAB_EFORMAT: no line about nodes and time. */
int verify_parse(struct verify *v, const char *text, struct sfab_err *err);
void verify_free(struct verify *v);		/* twice is fine */

/* Does it start right away? */
int verify_starts_now(const struct verify *v);

#endif
