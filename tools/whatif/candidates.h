/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - changes that may repair an IO finding
 *
 * There are a few of each kind: other options of OpenSM, and moves of hosts that follow from
 * the tables.
 */
#ifndef SFAB_CANDIDATES_H
#define SFAB_CANDIDATES_H

#include "core/audit/io_moves.h"
#include "tools/opensm/change.h"
#include "tools/whatif/routing_facts.h"

#define CANDIDATES_MAX 16

struct change_outcome {
	struct sfab_err err;		/* code 0: OpenSM routed it */
	char engine[32];
	double gbs, lockstep, possible;	/* rate of the finding's hosts, bytes/s */
	double loss;			/* maximum over all sets and classes */
	double bisect, rotate;
	double mixed;			/* sfab_io_measure_mixing() of the finding's set */
	double score;			/* less is better */
	int gains;			/* improves the finding */
};

struct candidate {
	struct changes changes;		/* without the base options */
	char *name;			/* what changes, as text */
	uint32_t cables;		/* how many somebody has to move */
	struct json_object *moves;	/* of the cables, as --json prints them */
	struct change_outcome outcome;
};

struct candidates {
	uint32_t n;
	struct candidate list[CANDIDATES_MAX];
};

/* Add options of OpenSM, other than those with which @engine made the current tables. */
void candidates_add_routings(struct candidates *c, const char *engine);

/*
 * Add moves of hosts that, by the tables of @facts, should repair the rates of @worst.  @nodes
 * as in routing_facts_find().  -1 with *err.
 */
int candidates_add_moves(struct candidates *c, const struct routing_facts *facts,
			 const struct sfab_io_rate *worst, uint32_t nodes, struct sfab_err *err);

/* Add the moves of entry @i once more, together with io_guid_file. */
void candidates_add_io_guids(struct candidates *c, uint32_t i);

/* Return the command that tries a candidate, on one line or several.  Caller frees. */
enum candidate_lines { CANDIDATE_ONE_LINE, CANDIDATE_LINES };
char *candidate_command(const struct candidate *c, const struct changes *base,
			uint32_t nodes, enum candidate_lines lines);

/* File of port GUIDs for changes_conf(), and what writes it. */
#define CANDIDATE_GUID_FILE "/etc/opensm/io.guids"
#define CANDIDATE_GUID_COMMAND "sfabric show io -hP -o guid >" CANDIDATE_GUID_FILE

/* Free what the entries own. */
void candidates_free(struct candidates *c);

#endif
