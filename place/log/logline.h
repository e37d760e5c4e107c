/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logline.h - one decision or event as a line of JSON, and for people
 *
 * The decision log is a file of JSON objects, one a line, in order of time:
 * events "start", "end", "suspend", "resume", "shrink".  With it and the
 * snapshots a decision can be explained and worked out again.
 */
#ifndef SFAB_PLACE_LOGLINE_H
#define SFAB_PLACE_LOGLINE_H

#include <stddef.h>
#include <stdint.h>

#include "place/place.h"

#define SFAB_LOGLINE_MAX 65536	/* bytes; longer node lists are left out */

struct sfab_logline {
	const char *event;
	uint32_t id;
	uint32_t running;	/* jobs, this one included */
	const char *nodes;	/* of the job, or the one it gave back; or NULL */

	/* "start"; else NULL and 0 */
	const struct sfab_decision *decision;
	const char *partition;		/* or NULL */
	uint64_t epoch;			/* when the snapshot was made */
	const struct sfab_traffic *sends;	/* what it is taken to send */
	uint32_t n;			/* nodes */
	uint32_t nshares;
	const double *share;		/* [nshares] part of their CPUs it holds */
	uint32_t nasked;	/* nodes that a search found, in order of hosts */
	const double *asked;	/* [nasked] part of their CPUs it meant */
	uint32_t nhosts;		/* 0: the sets of hosts are left out */
	const uint8_t *free;		/* [nhosts] it was chosen among these */
	const uint8_t *required;	/* [nhosts] these had to be in; or NULL */
	const uint8_t *chosen;		/* [nhosts] what a search found, where
					   the job is elsewhere; or NULL */
};

/*
 * Both end with NUL and return @buf; the time is now.  Texts from outside become
 * printable UTF-8 (core/utf8.h): the JSON is valid, the line is one.
 */
char *sfab_logline_json(const struct sfab_logline *l, char *buf, size_t size);
char *sfab_logline_text(const struct sfab_logline *l, char *buf, size_t size);

#endif
