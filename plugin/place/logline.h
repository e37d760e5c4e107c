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

#include "place.h"

#define SFAB_LOGLINE_MAX 65536	/* bytes; longer node lists are left out */

struct sfab_logline {
	const char *event;
	uint32_t id;
	uint32_t running;	/* jobs, this one included */
	const struct sfab_decision *decision;	/* "start"; else NULL */
	uint32_t n;		/* nodes */
	const char *nodes, *partition;		/* or NULL */
};

/* Both end with NUL and return @buf; the time is now. */
char *sfab_logline_json(const struct sfab_logline *l, char *buf, size_t size);
char *sfab_logline_text(const struct sfab_logline *l, char *buf, size_t size);

#endif
