/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - what the plugin decided, as totals for Prometheus
 *
 * The decision log is read once: each run goes on where the last one ended, and
 * a small file of state keeps the place and the totals between runs.  A log that was
 * rotated by renaming is first read to its end.  What a run reads and keeps is
 * bounded, whatever the log is.
 */
#ifndef SFAB_TALLY_H
#define SFAB_TALLY_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "core/load/traffic.h"
#include "place/request/reason.h"
#include "place/state/governor.h"

#define TALLY_BUCKETS_MAX 12
#define TALLY_PARTITIONS_MAX 256	/* the others are counted as one */
#define TALLY_READ_MAX (64u << 20)	/* bytes of the log in a run */
#define TALLY_LINE_MAX (1u << 20)	/* bytes; longer lines are skipped */
#define TALLY_HEAD 256			/* bytes by which a log is recognized */

/* Counts by bucket, the last for what is above all bounds. */
struct tally_histogram {
	uint64_t count[TALLY_BUCKETS_MAX + 1];
	double sum;
};

/* Upper bounds of a kind of histogram, ascending. */
struct tally_bounds {
	uint32_t n;
	double le[TALLY_BUCKETS_MAX];
};
extern const struct tally_bounds tally_search_bounds;	/* seconds */
extern const struct tally_bounds tally_slowdown_bounds;

enum tally_result { TALLY_PLACED, TALLY_OBSERVED, TALLY_LEFT };
#define TALLY_NRESULTS 3

/* Whose nodes a prediction is for. */
enum tally_nodes { TALLY_OURS, TALLY_SLURMS };

struct tally_partition {
	char *name;
	uint64_t starts[TALLY_NRESULTS];
	enum sfab_trip trip;	/* as the last job of it began */
};

/* Where the next run goes on; inode 0: at the beginning. */
struct tally_place {
	uint64_t device, inode, offset;
	uint64_t head;		/* hash of the first bytes, up to TALLY_HEAD */
};

struct decision_tally {
	struct tally_place place;
	uint64_t behind;	/* bytes that the last run left for the next */
	uint64_t lines, bad, hint_errors, policy_failures, requeued;
	uint64_t starts[SFAB_NREASONS + 1];	/* by reason; the last: not known */
	uint32_t npartitions;
	struct tally_partition *partition;
	struct tally_histogram search, slowdown[SFAB_NCLASSES][2];
	uint64_t running;	/* after the last line */
	uint64_t decided_s, fingerprint;	/* last start with a snapshot; 0: none */
};

void tally_free(struct decision_tally *t);	/* twice is fine */

/* One line of the log. */
void tally_take(struct decision_tally *t, struct json_object *line);

/* Go on in the log @path.  No such file is fine.  SFAB_EIO. */
int tally_follow(struct decision_tally *t, const char *path, struct sfab_err *err);

/*
 * The state.  No such file, or an empty one: a tally of nothing.  -1: the file is
 * something else, which nobody should overwrite.
 */
int tally_load(struct decision_tally *t, const char *path, struct sfab_err *err);
int tally_save(const struct decision_tally *t, const char *path, struct sfab_err *err);
struct json_object *tally_json(const struct decision_tally *t);
/* -1: it is no state. */
int tally_of_json(struct decision_tally *t, struct json_object *o);

/* @fingerprint: of the snapshot that is there now. */
void tally_print(const struct decision_tally *t, uint64_t fingerprint, FILE *out);

#endif
