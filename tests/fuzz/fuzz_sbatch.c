/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_sbatch.c - batch scripts and the options in them */

#include "tests/fuzz/fuzz.h"
#include "tools/slurm/sbatch.h"

static void check(const struct sbatch *job)
{
	fuzz_check(job->ask.min_nodes &&
		   (!job->ask.max_nodes || job->ask.max_nodes >= job->ask.min_nodes));
	fuzz_check(job->ask.tasks && job->ask.cpus_per_task && job->nnotes <= SBATCH_NOTES);
	fuzz_check(!job->ask.comment || strlen(job->ask.comment) <= BATCH_SCRIPT_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct batch_script script;
	struct sbatch job;
	struct sfab_err err = { 0 };
	char *text = fuzz_copy(data, size);
	int rc;

	rc = batch_script_parse(&script, "input", text, size, &err);
	if (rc == 0) {
		sbatch_init(&job);
		rc = sbatch_set_script(&job, &script, &err);
		if (rc == 0)
			check(&job);
		batch_script_free(&script);
	}
	fuzz_check(rc == 0 || strncmp(err.text, "input:", 6) == 0);
	return 0;
}
