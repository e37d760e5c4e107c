/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - what is to change, in the words of the command line, and what
 * OpenSM is to be given for it
 *
 * A suggestion is a wish too: what it prints is what was tried.
 */
#ifndef SFAB_WHATIF_CHANGE_H
#define SFAB_WHATIF_CHANGE_H

#include <stdint.h>

#include "tools/site/site.h"
#include "tools/whatif/cabling_plan.h"
#include "tools/whatif/simulate.h"

struct words {
	uint32_t n;
	const char **text;	/* borrowed */
};
void words_add(struct words *l, const char *text);

struct wish {
	struct words move, down;
	struct words option, base_option;	/* KEY=VALUE */
	const char *engine, *lfts;		/* NULL: as it is */
	int io_guids, io_order;
};
void wish_free(struct wish *w);		/* the lists, not the words */

struct variant {
	struct plan plan;
	struct routing how;
	/* private: what how points to */
	struct words options;
	char *lfts, *engine;
	uint64_t *guid;
};

/* -1 with *err if it cannot be done; free it also then. */
int variant_make(struct variant *v, const struct site *site,
		 const struct wish *w, struct sfab_err *err);
void variant_free(struct variant *v);

/* Write @f, which is used up, with the IO sets as a snapshot.  SFAB_EIO. */
int wish_save(struct sfab_fabric *f, const struct sfab_iosets *sets,
	      const char *path, struct sfab_err *err);

#endif
