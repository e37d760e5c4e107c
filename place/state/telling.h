/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * telling.h - all running jobs are told, a share of them in each call
 *
 * Thousands of jobs take longer to read and tell than slurmctld should wait in one
 * question.  Their ids are noted first; each call then tells as many as its time
 * allows, at least one.  Until all are told nothing is asked.
 */
#ifndef SFAB_PLACE_TELLING_H
#define SFAB_PLACE_TELLING_H

#include <stdint.h>

#define SFAB_TELL_US 5000	/* CPU time of a share */

struct sfab_telling {		/* all 0: nothing to tell */
	uint32_t *id;
	uint32_t n, room;
	uint32_t next;		/* those before were told */
};

/* Forget what there was to tell. */
void sfab_telling_clear(struct sfab_telling *t);
/* -1: memory; then it is left out. */
int sfab_telling_note(struct sfab_telling *t, uint32_t id);

/* Jobs may be gone by then, which is for the caller to see. */
typedef void sfab_tell(void *context, uint32_t id);
/* Tell the next ones, in the order they were noted.  1: all are told. */
int sfab_telling_go_on(struct sfab_telling *t, sfab_tell *tell, void *context);

#endif
