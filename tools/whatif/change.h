/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - what to change, in the words of the command line, and the options
 * for OpenSM that follow from it
 *
 * A suggestion has the same form: what it prints is exactly what was tried.
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
	const char *engine;			/* NULL: unchanged */
	int io_guids, io_order;
};
void wish_free(struct wish *w);		/* frees the lists, not the words */

struct variant {
	struct plan plan;
	struct routing how;
	/* private: what @how points to */
	struct words options;
	char *engine;
	uint64_t *guid;
};

/* -1 with *err if it cannot be done; free it in that case too. */
int variant_make(struct variant *v, const struct site *site,
		 const struct wish *w, struct sfab_err *err);
void variant_free(struct variant *v);

/* Write @f, which is consumed, with the IO sets as a snapshot.  SFAB_EIO. */
int wish_save(struct sfab_fabric *f, const struct sfab_iosets *sets,
	      const char *path, struct sfab_err *err);

#endif
