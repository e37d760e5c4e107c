/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - sfabric.conf
 *
 * slurm.conf's grammar: Key=Value lines, '#' comments, keys in any case, a backslash at the end
 * continues a line, Include FILE.  One table (conf_table.c) drives the parser, `sfabric show
 * config` and the tests, which compare it with sfabric.conf(5).  An unknown key is an error
 * with its line.
 */
#ifndef SFAB_CONF_H
#define SFAB_CONF_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/load/ioset.h"
#include "core/load/traffic.h"
#include "core/search/score.h"
#include "io/file.h"

struct sfab_io_facts;			/* conf_guess.h */

#define SFAB_CONF_MAX (4u << 20)	/* bytes in a file */

enum sfab_mode { SFAB_MODE_OFF, SFAB_MODE_OBSERVE, SFAB_MODE_ON };
/* Return "off", "observe" or "on", a value of Mode; constant. */
const char *sfab_mode_name(enum sfab_mode mode);

/* What is done with backfill's plans where the mode is on: the values of Plans. */
enum sfab_plans { SFAB_PLANS_KEEP, SFAB_PLANS_SPARE };

/* What the plugin does where placing jobs does harm, in mode on: the values of Governor. */
enum sfab_conf_governor { SFAB_GOVERNOR_OFF, SFAB_GOVERNOR_WARN, SFAB_GOVERNOR_ON };

/* IoSet=NAME Hosts=LIST [Map=all|group|nearest] [GBs=X] [IoServers=...] [Groups=...] */
struct sfab_conf_ioset {
	const char *origin;	/* "FILE:LINE", of its setting */
	char *name;
	char *hosts;		/* a hostlist; NULL: IoSet=auto */
	enum sfab_iomap map;
	double gbs;		/* GB/s (1e9 bytes/s) per IO host; 0: port rate */
	int holds_writes;	/* IoServers=held */
	/*
	 * Map=group: "CLIENTS:IOHOSTS;CLIENTS:IOHOSTS".  Each host is in exactly one group.
	 * All groups together have at most SFAB_HOSTLIST_MAX clients.
	 */
	char *groups;
};

/* The pairs NAME:VALUE of a key as the file has them; words are spelled as in the table. */
struct sfab_conf_pairs {
	uint32_t n;
	struct sfab_conf_pair {
		char *name, *value;
	} *pair;
};

#define SFAB_CONF_FABRICS 16		/* most entries of Fabric */

/* The values of Adaptive. */
enum sfab_conf_adaptive { SFAB_ADAPT_NO, SFAB_ADAPT_OBSERVE, SFAB_ADAPT_SPLIT };

#define SFAB_CONF_SHARE 0.25	/* share of a class that DefaultTraffic does not name */

struct sfab_conf {
	enum sfab_mode mode;			/* Mode */
	char *snapshot;				/* Snapshot, a path */
	char *counters;				/* Counters, a path */
	char *alive;				/* Alive, a path; "": next to the snapshot */
	char *found_traffic;			/* FoundTraffic, a path */
	char *history;				/* History, a path */
	uint32_t max_snapshot_age_s;		/* MaxSnapshotAge, 0: never too old */
	uint32_t max_snapshot_mb;		/* MaxSnapshotSize, in 2^20 bytes */
	uint32_t max_steps;			/* MaxSteps */
	uint32_t min_followed;			/* MinFollowed, percent */
	uint32_t max_search_us;			/* MaxSearchTime */
	struct sfab_traffic default_traffic;	/* DefaultTraffic */
	double share[SFAB_NCLASSES];		/* of a class named without a number: its share in
						   default_traffic, else SFAB_CONF_SHARE */
	double mix[SFAB_NPATTERNS];		/* MpiMix=PATTERN:WEIGHT[,...] */
	int packing;				/* Packing: 0: auto, else 1 + index of
						   sfab_packing_trials (play_stream.h) */
	uint32_t max_leaves;			/* MaxLeaves, 0: any number */
	double weights[SFAB_NTERMS];		/* Weights=TERM:NUMBER[,...] */
	enum sfab_conf_adaptive adaptive;	/* Adaptive */
	enum sfab_conf_governor governor;	/* Governor */
	enum sfab_plans plans;			/* Plans */
	int rank_order;				/* RankOrder=no|yes */
	char *decision_log;			/* DecisionLog, a path; "": none */
	int admin_comment;			/* AdminComment=yes|no */
	int debug;				/* Debug=yes|no */
	char *policy;				/* Policy, a path; "": none */
	char *node_name_map;			/* NodeNameMap, a path; "": none */
	char *audit_silence;			/* AuditSilence: "ID;ID", "": none */
	struct sfab_conf_pairs fabrics;		/* Fabric=NAME:PATH[,...]; none: use Snapshot */
	struct sfab_conf_pairs partitions;	/* PartitionMode=NAME:MODE[,...] */
	struct sfab_conf_pairs roles;		/* Role=compute|login|io|management|router:HOSTLIST
						   [;...] */
	uint32_t niosets;
	struct sfab_conf_ioset *ioset;
	/*
	 * Slurm's nodes as a hostlist, for conf_guess.h: no key sets it.  NULL: not known.  In
	 * a service only the loader uses it (handoff.h).
	 */
	char *nodes;
	/* private */
	struct sfab_conf *older;		/* a chain of handoff.h, freed with it */
	atomic_int sharers;			/* further owners, each of which destroys it */
	uint32_t nsettings;
	struct sfab_setting *setting;		/* the lines of the file */
};

/* Make a conf of all defaults, without a file.  NULL: no memory. */
struct sfab_conf *sfab_conf_create(void);
void sfab_conf_destroy(struct sfab_conf *c);		/* NULL is fine */
/* Return @c to one more owner, in any thread; it is freed when all have destroyed it. */
struct sfab_conf *sfab_conf_share(struct sfab_conf *c);

/*
 * Read @path over the defaults.  NULL with *err: "FILE:LINE: what (found, expected)".  @trust
 * as for sfab_file_read() also applies to included files, which are searched next to the file
 * that names them.
 */
struct sfab_conf *sfab_conf_load(const char *path,
				 const struct sfab_trust *trust,
				 struct sfab_err *err);
/* Read @text over the defaults, for tests and the fuzzer; Include is refused. */
struct sfab_conf *sfab_conf_parse(const char *text, size_t size,
				  const char *name, struct sfab_err *err);

/* Add a Role: SFAB_EFORMAT for an unknown role or an invalid host list. */
int sfab_conf_add_role(struct sfab_conf *c, const char *name, const char *hosts,
		       struct sfab_err *err);

/* Forget all Role lines of one name. */
void sfab_conf_clear_roles(struct sfab_conf *c, const char *name);

/*
 * Give the hosts of @f the roles that the Role lines name.  Unknown names are skipped; the last
 * line that names a host wins.  If any host is named compute, no other host is.  login,
 * management and router become SFAB_HOST_OTHER: never a node of a job.  Only for the owner of
 * @f (sfab_fabric_set_role).  O(names log hosts).
 */
int sfab_conf_set_roles(const struct sfab_conf *c, struct sfab_fabric *f,
			struct sfab_err *err);
/* With Adaptive=no, call sfab_fabric_set_static().  Only for the owner of @f. */
void sfab_conf_set_adaptive(const struct sfab_conf *c, struct sfab_fabric *f);

/* Return the mode of a partition (NULL: none): its own, or else the cluster's. */
enum sfab_mode sfab_conf_mode(const struct sfab_conf *c, const char *partition);
/* Does the partition have a mode of its own? */
int sfab_conf_names_partition(const struct sfab_conf *c, const char *partition);

/* Return "FILE:LINE" of the last line with @key, or "default". */
const char *sfab_conf_origin(const struct sfab_conf *c, const char *key);

/* Have both the same settings, line by line?  Comments do not count. */
int sfab_conf_is_same(const struct sfab_conf *a, const struct sfab_conf *b);

/*
 * Visit all keys in table order: name, value as the parser would read it again, origin
 * ("default" or "FILE:LINE" of the last line), doc (one line).  IoSet is visited once per set,
 * or once with "" if there is none.
 */
typedef void (*sfab_conf_fn)(void *ctx, const char *key, const char *value,
			     const char *origin, const char *doc);
void sfab_conf_each(const struct sfab_conf *c, sfab_conf_fn fn, void *ctx);

/*
 * Build the conf's IO sets on a fabric.  NULL with *err.  With @missing NULL, a host that is
 * not there or has no cable is SFAB_ENOENT: an admin wants to know about a misspelled name.
 * Otherwise such a host is skipped, as is a set left without hosts, and *@missing counts the
 * hosts: where fabrics are reloaded automatically, one server that is down must not take away
 * the routes of all others.  @facts (io/conf/conf_guess.h; NULL: none) are for IoSet=auto.
 */
struct sfab_iosets *sfab_conf_iosets(const struct sfab_conf *c,
				     const struct sfab_fabric *f,
				     const struct sfab_io_facts *facts,
				     uint32_t *missing, struct sfab_err *err);

/*
 * Write the location of sfabric.conf to @buf, and return it: $SFABRIC_CONF, else next to
 * @slurm_conf, the path of the slurm.conf in use (NULL: $SLURM_CONF), else
 * sysconfdir/slurm/sfabric.conf.
 */
const char *sfab_conf_path(const char *slurm_conf, char *buf, size_t size);

#endif
