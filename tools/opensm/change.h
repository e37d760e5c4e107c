/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change.h - what to change: options of the command line
 *
 * A suggestion has the same form, so what it prints is exactly what was tried.
 */
#ifndef SFAB_CHANGE_H
#define SFAB_CHANGE_H

#include <stdint.h>

#include "core/load/ioset.h"
#include "tools/opensm/cabling_plan.h"

struct change {
	const char *option;	/* "move", "down", "engine", "opensm-option", "io-guid-file",
				   "io-order" or "base-option"; borrowed */
	char *value;
	int is_return;		/* a move of an exchange: to where the one before came from */
};

struct changes {
	uint32_t n;
	struct change *list;	/* in the order of the command line */
};

/* @value is copied. */
void changes_add(struct changes *c, const char *option, const char *value);
void changes_free(struct changes *c);	/* twice is fine */
/* Are ports of the IO sets given to OpenSM? */
int changes_give_guids(const struct changes *c);

/*
 * The lines of opensm.conf that follow, "KEY VALUE", with @between after each but the last;
 * OpenSM takes the last of equal keys.  @guid_file: where the GUIDs of the ports that serve IO
 * are.  Caller frees.
 */
char *changes_conf(const struct changes *c, const char *between, const char *guid_file);

/* The engines that they name, or NULL. */
const char *changes_engines(const struct changes *c);

/* A fabric as it would be. */
struct variant {
	struct plan plan;
	const struct changes *base, *changes;	/* borrowed; those of the base come first */
	const struct sfab_iosets *io;
};

/* @io may be NULL.  -1 with *err if it cannot be done; free it in that case too. */
int variant_make(struct variant *v, const struct sfab_fabric *f, const struct sfab_iosets *io,
		 const struct changes *base, const struct changes *changes,
		 struct sfab_err *err);
void variant_free(struct variant *v);	/* twice is fine */

/* Write @f, which is consumed, with the IO sets as a snapshot.  SFAB_EIO. */
int change_save(struct sfab_fabric *f, const struct sfab_iosets *sets,
		const char *path, struct sfab_err *err);

#endif
