/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - what the plugin decided, as totals for Prometheus
 *
 * The decision log is read once: each run goes on where the last one ended.  A total is a
 * series of Prometheus, kept by the name and labels with which it is printed; so what is
 * printed is also, after two lines about the position in the log, the state between runs.  A
 * log that was rotated by renaming is first read to its end.  What a run reads and keeps is
 * bounded, whatever the log is.
 */
#ifndef SFAB_TALLY_H
#define SFAB_TALLY_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>
#include <uthash.h>

#include "core/err.h"

#define TALLY_PARTITIONS_MAX 256	/* the others are counted as one */
#define TALLY_READ_MAX (64u << 20)	/* bytes of the log in a run */
#define TALLY_LINE_MAX (1u << 20)	/* bytes; longer lines are skipped */
#define TALLY_HEAD 256			/* bytes by which a log is recognized */

struct tally_series {
	char *name;		/* with labels: sfabric_job_starts_total{reason="placed"} */
	double value;
	UT_hash_handle hh;
};

/* Where in the log the next run goes on; inode 0: at its beginning. */
struct tally_position {
	uint64_t device, inode, offset;
	uint64_t head;		/* hash of the first bytes, up to TALLY_HEAD */
};

struct tally {
	struct tally_position position;
	uint64_t fingerprint;		/* of the snapshot of the last decision; 0: none */
	struct tally_series *series;	/* hash, in the order in which they were added */
};

/* Make all totals, 0 before the first line. */
void tally_init(struct tally *t);
void tally_free(struct tally *t);	/* twice is fine */

/* Return the value of a series, which is made with 0 if it is new. */
double *tally_value(struct tally *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Find the series @name.  NULL: there is none. */
struct tally_series *tally_find(const struct tally *t, const char *name);
void tally_drop(struct tally *t, const char *name);

/* Add one line of the log to the totals. */
void tally_take(struct tally *t, struct json_object *line);

/*
 * Read the log @path from where the last run ended.  A missing file is fine.  SFAB_EIO: it
 * cannot be read.
 */
int tally_follow(struct tally *t, const char *path, struct sfab_err *err);

/* Return all series in Prometheus' text format.  Caller frees. */
char *tally_text(const struct tally *t);

/*
 * Load and save the state between runs; @text is tally_text() of @t.  A missing or empty file
 * loads as an empty tally.  -1: the file is something else, which must not be overwritten, and
 * @t is empty.
 */
int tally_load(struct tally *t, const char *path, struct sfab_err *err);
int tally_save(const struct tally *t, const char *text, const char *path, struct sfab_err *err);
char *tally_state(const struct tally *t, const char *text);	/* caller frees */
/* Read the text of a state, which is cut into lines.  -1: it is none. */
int tally_parse_state(struct tally *t, char *state);

/*
 * Return a copy of @text for a label: printable, and escaped as Prometheus' text format
 * requires.  Caller frees.
 */
char *tally_label(const char *text);
/* Write the HELP and TYPE lines of a metric; all of its values follow together. */
void tally_begin_metric(FILE *out, const char *name, const char *type, const char *help);

#endif
