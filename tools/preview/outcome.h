/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h - what the plugin decides about a job, and Slurm's answer to it */
#ifndef SFAB_OUTCOME_H
#define SFAB_OUTCOME_H

#include <stdint.h>

#include "place/place.h"
#include "tools/slurm/test_only.h"
#include "tools/ui/answer.h"

struct outcome {
	enum sfab_mode mode;
	enum sfab_reason reason;
	int ours;		/* the plugin's answer includes the nodes */
	char waits[200];	/* why it cannot start now; "": the reason says */
	struct sfab_score score;
	uint32_t most;		/* as of struct sfab_choice */
	double most_lost;
	int scored;
	uint32_t steps, n;
	uint32_t *host;		/* [n] NULL: not known */
	int verified;
	struct verify verify;
	int same;		/* of --verify; 1 yes, 0 no, -1 nothing to compare */
};
void outcome_free(struct outcome *o);		/* twice is fine */

/* Into the report's data, or as a line of text. */
void outcome_say_decision(const struct outcome *o, struct answer *a);
void outcome_say_verify(const struct outcome *o, struct answer *a);

#endif
