/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declog.h - the plugin's decision log: the machine at the start of a job
 *
 * The format is in doc/decision-log.md.  Lines that cannot be read (the last
 * one of a full disk) are counted and skipped; unknown fields are ignored.
 */
#ifndef SFAB_DECLOG_H
#define SFAB_DECLOG_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct declog_job {		/* a job that ran then */
	uint64_t id;
	struct json_object *start;	/* its start line, */
	uint64_t line;			/* and the number of that line */
	int suspended;
	uint32_t ngone;
	char **gone;		/* [ngone] nodes that it had released */
};

struct declog {
	struct json_object *start;	/* the last start of the job */
	struct json_object *end;	/* of that run, or NULL */
	uint32_t n;
	struct declog_job *job;		/* [n] the others, by id */
	uint64_t bad;			/* lines skipped up to the start */
};

/*
 * Search @in, a file that can be read twice; @name is for messages.
 * SFAB_ENOENT: no start of the job in it.  -1: nothing is left to free.
 */
int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id,
		struct sfab_err *err);
void declog_free(struct declog *d);		/* twice is fine */

/* Other jobs that ran by the plugin's count; without one, by the log. */
uint32_t declog_others(const struct declog *d);
/* How many fewer jobs ran by the plugin's count than by the log. */
uint32_t declog_missing_ends(const struct declog *d);
/* Remove the jobs with a flag in @gone, [d->n]. */
void declog_drop(struct declog *d, const uint8_t *gone);

/*
 * The next line that can be read, or NULL at the end; the caller's.  Adds 1 to
 * *@number for each line, and to *@bad for those skipped.
 */
struct json_object *declog_next(FILE *in, uint64_t *number, uint64_t *bad);

/* One line, which ends with NUL.  NULL: it cannot be read; else the caller's. */
struct json_object *declog_line(const char *text);

/* Fields of a line.  A missing field, or one of another type: NULL, 0. */
const char *declog_text(struct json_object *line, const char *key);
uint64_t declog_count(struct json_object *line, const char *key);
/* When the job went back to the queue after this start; NULL: it did not. */
const char *declog_waits_since(const struct declog *d);

/*
 * Flags of the hosts in field @key, a bitmap ([nhosts], caller frees).  NULL:
 * no such field, or not for this number of hosts.
 */
uint8_t *declog_hosts(struct json_object *line, const char *key,
		      uint32_t nhosts);

#endif
