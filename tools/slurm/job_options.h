/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_options.h - sbatch's options on our command lines, and its script
 *
 * The command line overrides the script and the environment, so what it gave is kept until both
 * are read.
 */
#ifndef SFAB_JOB_OPTIONS_H
#define SFAB_JOB_OPTIONS_H

#include "tools/slurm/sbatch.h"
#include "tools/ui/options.h"
#include "tools/ui/reply.h"

struct given_option {
	const struct sbatch_option *option;
	const char *value;		/* NULL: none */
};

struct job_options {
	struct option_row *rows;	/* the command's */
	const char *path;		/* of the script, NULL: none */
	int is_het;			/* more components follow */
	uint32_t ngiven;
	struct given_option *given;
	struct sbatch checked;		/* the options of the command line alone */
	struct batch_script script;	/* owns texts of the job */
};

/*
 * Return the rows of a command: its own @rows (NULL: none), then one for each option of sbatch
 * that has no other meaning here.  @o keeps them; it is at @offset of the command's struct.
 */
const struct option_row *job_options_init(struct job_options *o, const struct option_row *rows,
					  size_t offset);
void job_options_free(struct job_options *o);	/* twice is fine */

/* Set the path of the script, borrowed; only the first call counts. */
void job_options_script(struct job_options *o, const char *path);

/*
 * Cut the words after the first component of a heterogeneous job, which ends at a word ":", as
 * for sbatch.  Return how many words of @argc remain.
 */
int job_options_component(struct job_options *o, int argc, char **argv);

enum job_env { JOB_WITHOUT_ENV, JOB_WITH_ENV };
/* Apply the script, the variables if wanted, and the command line, in this order. */
int job_options_read(struct job_options *o, enum job_env env, struct sbatch *job, struct reply *r,
		     struct sfab_err *err);

#endif
