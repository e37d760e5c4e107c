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

struct declog_job {		/* a job that ran then */
	uint64_t id;
	struct json_object *start;	/* its start line */
	uint64_t line;			/* number of its start line */
	int suspended;
	uint32_t ngone;
	char **gone;		/* [ngone] nodes that it had released */
	UT_hash_handle hh;	/* hh.next: the next one */
};

struct declog {
	struct json_object *start;	/* the last start of the job */
	struct json_object *end;	/* the end of that run; NULL: it has none */
	struct declog_job *jobs;	/* hash of other jobs that ran then, by ascending id */
	uint64_t bad;			/* lines skipped up to the start */
};

/*
 * Search @in, a file that can be read twice; @name is for messages.  SFAB_ENOENT: no start of
 * the job in it.  -1: nothing is left to free.
 */
int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id,
		struct sfab_err *err);
void declog_free(struct declog *d);		/* twice is fine */

/* Other jobs that ran by the plugin's count; without one, by the log. */
uint32_t declog_others(const struct declog *d);
/* Removes one of the others. */
void declog_forget(struct declog *d, struct declog_job *job);

/*
 * The next line that can be read, or NULL at the end; the caller's.  Adds 1 to *@number for
 * each line, and to *@bad for those skipped.
 */
struct json_object *declog_next(FILE *in, uint64_t *number, uint64_t *bad);

/* One line, which ends with NUL.  NULL: it cannot be read; else the caller's. */
struct json_object *declog_line(const char *text);

/*
 * Fields of a line, or of an object in it (NULL: none).  A missing field, or one of another
 * type: NULL, 0, @otherwise.  The log is a file that anybody could have changed.
 */
const char *declog_text(struct json_object *line, const char *key);
uint64_t declog_count(struct json_object *line, const char *key);
double declog_number(struct json_object *line, const char *key, double otherwise);
int declog_flag(struct json_object *line, const char *key);
struct json_object *declog_object(struct json_object *line, const char *key);

/* "start", "end" and so on: is the line of that event? */
int declog_is(struct json_object *line, const char *event);
/* Seconds since 1970; -1: the line has no time. */
double declog_time(struct json_object *line);
/* The fingerprint of the snapshot that was used; 0: none. */
uint64_t declog_fingerprint(struct json_object *line);
/* An enum sfab_reason; -1: none, or a word of a newer version. */
int declog_reason(struct json_object *line);

/*
 * Flags of the hosts in field @key, a bitmap ([nhosts], caller frees).  NULL: no such field, or
 * not for this number of hosts.
 */
uint8_t *declog_hosts(struct json_object *line, const char *key,
		      uint32_t nhosts);

#endif
