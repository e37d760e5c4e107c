/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declog.h - the plugin's decision log: the machine at the start of a job
 *
 * The format is in doc/decision-log.md.  Lines that cannot be read (the last one of a full
 * disk) are counted and skipped; unknown fields are ignored.
 */
#ifndef SFAB_DECLOG_H
#define SFAB_DECLOG_H

#include <json-c/json.h>
#include <stdio.h>
#include <uthash.h>

#include "core/err.h"

struct declog_job {		/* a job that ran at that time */
	uint64_t id;
	struct json_object *start;	/* its start line */
	uint64_t line;			/* number of its start line */
	int suspended;
	uint32_t nreleased;
	char **released;		/* [nreleased] nodes */
	UT_hash_handle hh;		/* hh.next: the next one */
};

struct declog {
	struct json_object *start;	/* the last start of the job */
	struct json_object *end;	/* the end of that run; NULL: it has none */
	struct declog_job *jobs;	/* hash of the others that ran, by ascending id */
	uint64_t nbad;			/* lines skipped up to the start */
};

/*
 * Find the last start of job @id in the log @in, which is read twice, and the others that ran
 * at that time.  @name is for messages.  SFAB_ENOENT: the log has no start of the job.  After
 * an error nothing is left to free.
 */
int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id, struct sfab_err *err);
void declog_free(struct declog *d);		/* twice is fine */

/* The number of other jobs that ran: the plugin's own count if the line has it, else by the log. */
uint32_t declog_others(const struct declog *d);
/* Remove one of the other jobs. */
void declog_forget(struct declog *d, struct declog_job *job);

/*
 * The next line that can be read, or NULL at the end; the caller owns it.  Add 1 to *@number
 * for each line, and to *@nbad for each that was skipped.
 */
struct json_object *declog_next(FILE *in, uint64_t *number, uint64_t *nbad);

/* Parse one line.  NULL: it cannot be read.  The caller owns the object. */
struct json_object *declog_line(const char *text);

/*
 * A field of a line, or of an object in it; @line may be NULL.  NULL, 0 or @fallback: the field
 * is missing or has another type, as somebody may have changed the log.
 */
const char *declog_text(struct json_object *line, const char *key);
uint64_t declog_count(struct json_object *line, const char *key);
double declog_number(struct json_object *line, const char *key, double fallback);
int declog_flag(struct json_object *line, const char *key);
struct json_object *declog_object(struct json_object *line, const char *key);

/* Is the line of that event ("start", "end", ...)? */
int declog_is(struct json_object *line, const char *event);
/* Seconds since 1970; -1: the line has no time. */
double declog_time(struct json_object *line);
/* The fingerprint of the snapshot that was used; 0: none. */
uint64_t declog_fingerprint(struct json_object *line);
/* The reason as enum sfab_reason; -1: none, or a word of a newer version. */
int declog_reason(struct json_object *line);

/*
 * The bitmap in field @key as flags by host ([nhosts], caller frees).  NULL: there is no such
 * field, or it is for another number of hosts.
 */
uint8_t *declog_hosts(struct json_object *line, const char *key, uint32_t nhosts);

#endif
