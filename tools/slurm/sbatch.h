/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch.h - the options of sbatch: what a job asks for
 *
 * One table feeds the command line of `sfabric place`, #SBATCH lines and the SBATCH_*
 * variables.  Precedence is as in sbatch: command line, then variables, then script.  An option
 * that is understood but concerns what cannot be previewed is kept as a note, to be reported.
 */
#ifndef SFAB_SBATCH_H
#define SFAB_SBATCH_H

#include "place/place.h"
#include "tools/slurm/batch_script.h"

enum sbatch_memory { MEMORY_UNSAID, MEMORY_NODE, MEMORY_CPU };
enum sbatch_share { SHARE_UNSAID, SHARE_EXCLUSIVE, SHARE_USER, SHARE_YES };

enum {				/* what was given, and how */
	SBATCH_NODES = 1 << 0,
	SBATCH_NTASKS = 1 << 1,
	SBATCH_CPUS = 1 << 2,
	SBATCH_TIME = 1 << 3,
	SBATCH_LAYOUT = 1 << 4,		/* -B */
	SBATCH_MIN_NODES = 1 << 5,	/* --use-min-nodes */
	SBATCH_ENV = 1 << 6,		/* variables are being read */
	SBATCH_MEMORY_ENV = 1 << 7,	/* memory was given by one */
};

#define SBATCH_NOTES 16

/* Texts are borrowed from the source of the options. */
struct sbatch {
	/*
	 * What options say of the question to the plugin (max_nodes 0: no limit), before
	 * job_ask.h applies the rules of sbatch and slurmctld.
	 */
	struct sfab_ask ask;
	unsigned flags;			/* SBATCH_*; those of the question are in ask */
	uint32_t tmp_mb;
	enum sbatch_memory memory;
	enum sbatch_share share;
	const char *nodelist, *exclude, *constraint;
	const char *reservation, *licenses;
	const char *hint;		/* "nomultithread"; not covered by the rest */
	const char *gres;		/* on each node; NULL: none */
	char gpus[128];			/* on each node, besides gres; "": none */
	char gpus_job[128];		/* on all nodes together; "": none */
	char gpus_task[128];		/* for each task; "": none */
	uint32_t nnotes;
	const char *note[SBATCH_NOTES];	/* names of options that are ignored */
};

enum {				/* sbatch_option.flags */
	SBATCH_NO_VALUE = 1,
	SBATCH_MAY_HAVE_VALUE = 2,
	SBATCH_SCRIPT_ONLY = 4,	/* means something else on our command line */
};

struct sbatch_option {
	const char *name;
	int letter;			/* 0: none */
	unsigned flags;
	const char *env;		/* variable, or NULL */
	const char *value, *doc;	/* for --help; doc NULL: hidden */
	/* Return what is expected if @value is wrong.  NULL: the option has no effect. */
	const char *(*set)(struct sbatch *s, const struct sbatch_option *option,
			   const char *value);
	unsigned flag;			/* that it sets: SBATCH_* or SFAB_ASK_* */
	size_t offset;			/* of the member that it sets */
};
extern const struct sbatch_option sbatch_options[];	/* ends with name NULL */

/* Start with a job of this user and without options. */
void sbatch_init(struct sbatch *s);

/* Set one option.  SFAB_EINVAL: "--nodes 'x' (expected MIN[-MAX])". */
int sbatch_set(struct sbatch *s, const struct sbatch_option *option,
	       const char *value, struct sfab_err *err);
/* Set all options of a script; *err begins "FILE:LINE: ". */
int sbatch_set_script(struct sbatch *s, const struct batch_script *script, struct sfab_err *err);
/* Set what the SBATCH_* variables say; *err begins with the variable's name. */
int sbatch_set_env(struct sbatch *s, struct sfab_err *err);

/* Does it want GPUs, or other devices that are not counted by node? */
int sbatch_wants_gpus(const struct sbatch *s);

/* Mean number of cores that its tasks hold on each of @nodes; 0: no tasks given. */
double sbatch_cores(const struct sbatch *s, uint32_t nodes);

#endif
