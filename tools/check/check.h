/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - `sfabric check`: the parts and their findings
 *
 * A finding is one row: what was examined, whether it is right, and a sentence.  Each part
 * examines one thing and uses what earlier parts found.
 */
#ifndef SFAB_CHECK_H
#define SFAB_CHECK_H

#include "core/fabric/fabric.h"
#include "io/conf/conf.h"
#include "io/file.h"
#include "tools/slurm/slurmfacts.h"
#include "tools/ui/options.h"
#include "tools/ui/table.h"

enum verdict {
	VERDICT_FINE,
	VERDICT_WRONG,
	VERDICT_UNKNOWN,	/* cannot be examined from here */
};
extern const struct column check_columns[];

struct check {
	struct reply *reply;		/* takes warnings: what is odd but not wrong */
	const struct options *options;
	struct table *table;
	unsigned nwrong;		/* rows so far */
	int has_slurm;			/* 1: slurm is filled in */
	struct slurmfacts slurm;
	/*
	 * Who may own the files: root and SlurmUser, as for slurmctld.  Without Slurm,
	 * SlurmUser is not known and owners are not checked.
	 */
	struct sfab_trust trust;
	char *plugin;			/* the file that Slurm loads, or NULL */
};

/* Add a row, like "plugin  wrong  FILE is Slurm's own plugin".  A text that is too long is cut. */
void check_add(struct check *c, const char *what, enum verdict v,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/*
 * check_plugin.c examines Slurm's plugin folders, our plugin and the running controller.  Call
 * it only if has_slurm.
 */
void check_plugin(struct check *c);
/* The first FOLDER/@name that exists in the list @folders, "A:B:C", or NULL.  Caller frees. */
char *check_find_file(const char *folders, const char *name);
/* Slurm's version as the number that plugins contain, 0x160508 for 22.05.8; 0: not understood. */
uint32_t check_slurm_number(const struct check *c);
/*
 * Is the file a plugin of ours (place/plugin_mark.h)?  1, with its release and the Slurm that
 * it is for; 0: it is not; -1 with *err: it cannot be read.
 */
#define CHECK_RELEASE 64
int check_plugin_mark(const char *path, char release[CHECK_RELEASE], uint32_t *slurm,
		      struct sfab_err *err);

/*
 * check_spank.c examines the SPANK plugin for srun --route-order, where a site uses it.  Call
 * it only if has_slurm.
 */
void check_spank(struct check *c);

/* check_site.c examines sfabric.conf, the snapshot, and Slurm's nodes on the fabric. */
void check_site(struct check *c);

/* check_feedback.c examines counters, what was learned from them, and the decision log. */
void check_counters(struct check *c, const struct sfab_conf *conf, const struct sfab_fabric *f);
void check_learning(struct check *c, const struct sfab_conf *conf, const struct sfab_fabric *f);
void check_decision_log(struct check *c, const struct sfab_conf *conf);

#endif
