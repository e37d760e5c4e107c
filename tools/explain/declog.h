/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declog.h - the plugin's decision log, read up to the start of a job
 *
 * doc/decision-log.md has the format.  Lines that cannot be read (the last one
 * of a full disk) are counted and left out; fields that are not known are not
 * looked at.
 */
#ifndef SFAB_DECLOG_H
#define SFAB_DECLOG_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct declog_job {		/* a job that ran then */
	uint64_t id;
	struct json_object *start;	/* its start line */
	int suspended;
	uint32_t ngone;
	char **gone;		/* [ngone] nodes that it had given back */
};

struct declog {
	struct json_object *start;	/* the last start of the job */
	uint32_t n;
	struct declog_job *job;		/* [n] the others, by id */
	uint64_t bad;			/* lines left out */
};

/*
 * Look through @in, a file that can be read twice; @name is for messages.
 * SFAB_ENOENT: it has no start of the job.  -1: nothing is left to free.
 */
int declog_read(struct declog *d, FILE *in, const char *name, uint64_t id,
		struct sfab_err *err);
void declog_free(struct declog *d);		/* twice is fine */

/* Fields of a line; without the field, or of another type: NULL, 0. */
const char *declog_text(struct json_object *line, const char *key);
uint64_t declog_count(struct json_object *line, const char *key);

/*
 * Flags of the hosts that field @key names by bits ([nhosts], caller frees).
 * NULL: there is no such field, or not of so many hosts.
 */
uint8_t *declog_hosts(struct json_object *line, const char *key,
		      uint32_t nhosts);

#endif
