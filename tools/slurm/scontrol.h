/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol.h - what `scontrol show` prints, as plain records
 *
 * Reads the multi-line form, not -o: with -o, a name or comment that contains blanks cannot be
 * told from the next field; here it ends with its line.  For jobs, reads what jobtext.h
 * returns, because users can inject lines.
 *
 *     JobId=7 JobName=a job of mine
 *        JobState=RUNNING Reason=None Dependency=(null)
 *          Nodes=n[1-2] CPU_IDs=0-3 Mem=100 GRES=
 *
 * One table for each kind of record (scontrol_fields.c) lists the fields that are kept.  The
 * first field of a name counts: a user's comment comes after Slurm's own fields.  "(null)"
 * means no text.
 *
 * The list owns all text.  On failure a list is empty and *err is "scontrol show KIND:LINE:
 * what is wrong".
 */
#ifndef SFAB_SCONTROL_H
#define SFAB_SCONTROL_H

#include "place/place.h"

struct record_type;		/* private */
extern const struct record_type scontrol_node_type, scontrol_job_type,
	scontrol_partition_type, scontrol_reservation_type, scontrol_license_type;

enum {				/* a node's state */
	NODE_UP = 1,		/* jobs may start on it */
	NODE_RESERVED = 4,	/* in a reservation that has begun */
};

struct scontrol_node {
	const char *name;
	unsigned state;				/* NODE_* */
	uint32_t cpus;
	uint32_t cpus_effective;		/* available to jobs; 0: all */
	/*
	 * Held by jobs, hidden ones too.  A node is idle if this is 0.  The state does not
	 * tell: in 24.11 it is MIXED where a suspended job keeps memory.
	 */
	uint32_t cpus_held;
	uint32_t sockets, threads;		/* sockets, threads of a core; 0: not shown */
	uint64_t memory_mb;			/* all of it */
	uint64_t memory_kept_mb;		/* reserved for the system */
	uint64_t memory_held_mb;		/* held by jobs */
	uint32_t tmp_disk_mb;
	uint32_t weight;
	const char *features;			/* "a,b", NULL: none */
	const char *owner;			/* "user(UID)", "N/A" or NULL: nobody */
	const char *devices, *devices_held;	/* Gres, GresUsed; or NULL */
};

enum job_state { JOB_OTHER, JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED };

struct scontrol_share {			/* what a job holds on each of some nodes */
	const char *nodes;		/* a hostlist */
	uint32_t cpus;
	uint64_t memory_mb;
};

struct scontrol_job {
	/*
	 * The job in the form of the placement service.  cluster.c sets what it holds of each
	 * node; flags and asked_id are not set.
	 */
	struct sfab_place_run run;
	enum job_state state;
	uint32_t priority;		/* 0 and suspended: by hand */
	uint64_t end_s;			/* actual end, or by its limit */
	int exclusive;			/* allows no other job on its nodes */
	int shares;			/* may share its cores (-s) */
	uint32_t nshares;
	struct scontrol_share *share;
};

struct scontrol_partition {
	const char *name, *nodes;	/* nodes: a hostlist or NULL */
	int is_default, is_up;
	int exclusive;			/* OverSubscribe=EXCLUSIVE */
	int takes_units;		/* jobs get whole units of the topology */
	const char *topology;		/* of its own, or NULL */
	int forced;			/* OverSubscribe=FORCE:N */
	uint32_t rows;			/* N: jobs on a core; else 0 or 1 */
	int exclusive_user, least_loaded;
	uint32_t min_nodes, max_nodes;	/* max 0: no limit */
	uint32_t max_cpus;		/* MaxCPUsPerNode; 0: no limit */
	uint64_t default_s, limit_s;	/* time limits; 0: none */
	uint32_t cpu_mb, node_mb;	/* default memory of a CPU or node; 0: none */
	const char *select;		/* SelectTypeParameters */
	const char *job_defaults;	/* "DefCpuPerGPU=2", or NULL */
};

struct scontrol_reservation {
	const char *name;
	const char *nodes;		/* a hostlist, or NULL */
	uint64_t start_s, end_s;	/* since the epoch; 0: not known */
	const char *cores;		/* of the last of its nodes with only some; or NULL */
	const char *flags;		/* "MAINT,SPEC_NODES", or NULL */
	const char *partition;		/* or NULL */
	/* Who may use it; or NULL. */
	const char *users, *accounts, *groups;
};

struct scontrol_license {
	const char *name;
	uint32_t total, free, reserved;
};

struct scontrol_list {
	uint32_t n;
	union {
		struct scontrol_node *node;
		struct scontrol_job *job;
		struct scontrol_partition *partition;
		struct scontrol_reservation *reservation;
		struct scontrol_license *license;
		void *record;
	};
	char *text;
	const struct record_type *type;
};

/*
 * Take over @text (from malloc), also on failure.  SFAB_EFORMAT: a bad number, or a field
 * before its record.  SFAB_ELIMIT: more than SCONTROL_MAX records.  Any other text is accepted
 * and gives no records.
 */
#define SCONTROL_MAX 2000000u
int scontrol_parse(struct scontrol_list *l, const struct record_type *type, char *text,
		   struct sfab_err *err);
void scontrol_free(struct scontrol_list *l);		/* twice is fine */

/* The record of that name, or NULL; not for jobs, whose names are not unique. */
const void *scontrol_named(const struct scontrol_list *l, const char *name);

/* Is the word of @size bytes one of a list "a,b" (NULL: empty)? */
int scontrol_has_word(const char *list, const char *word, size_t size);

#endif
