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
	struct reply *report;		/* for what is odd but not wrong */
	const struct options *options;
	struct table *table;
	unsigned wrong;			/* rows so far */
	int has_slurm;			/* 1: slurm is filled in */
	struct slurmfacts slurm;
	/*
	 * Whom to trust with files, as slurmctld does.  Without Slurm there is no SlurmUser to
	 * compare with, so owners are not checked.
	 */
	struct sfab_trust trust;
	char *plugin;			/* the file that Slurm loads, or NULL */
};

/* Adds a row, like "plugin  wrong  FILE is Slurm's own plugin".  Longer texts are cut. */
void check_add(struct check *c, const char *what, enum verdict v,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* With Slurm only.  check_plugin.c: Slurm's plugin folders, our plugin, the running controller. */
void check_plugin(struct check *c);
/* The first FOLDER/@name that exists, of a list A:B:C, or NULL.  Caller frees. */
char *check_find(const char *folders, const char *name);
/* Slurm's version as plugins have it; 0: not understood. */
uint32_t check_slurm_number(const struct check *c);
/*
 * Is the file a plugin of ours (place/plugin_mark.h)?  1, with its release and the Slurm
 * that it is for; 0: it is not; -1 with *err: it cannot be read.
 */
#define CHECK_RELEASE 64
int check_plugin_mark(const char *path, char release[CHECK_RELEASE], uint32_t *slurm,
		      struct sfab_err *err);

/* With Slurm only.  check_spank.c: the plugin for srun --route-order, where a site uses it. */
void check_spank(struct check *c);

/* check_site.c: sfabric.conf, the snapshot, Slurm's nodes on the fabric. */
void check_site(struct check *c);

/* check_feedback.c: what makes placements better, day by day, and shows that it does. */
void check_counters(struct check *c, const struct sfab_conf *conf,
		    const struct sfab_fabric *f);
void check_learning(struct check *c, const struct sfab_conf *conf,
		    const struct sfab_fabric *f);
void check_decision_log(struct check *c, const struct sfab_conf *conf);

#endif
